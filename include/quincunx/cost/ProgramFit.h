// Prices that a calibration fitted to one program, beside those of its machine: a weight for each
// block, the effect of memory, and what is left unexplained. A `.machine` file that was fitted
// holds one (docs/13-machines.md); lib/estimate makes and applies it. It knows no map: functions
// and blocks are names and numbers here.
#pragma once

#include "quincunx/numeric/Moments.h"

#include <cstdint>
#include <string>
#include <vector>

namespace quincunx {

/// What a calibration found out about one program (docs/13-machines.md); empty in a machine that is
/// not fitted to a program.
struct ProgramFit {
  struct Function {
    std::string name;     ///< linkage name
    uint32_t ordinal = 0; ///< among the functions of that name in an image
    /// Per block, what one more execution adds to the cost of a run. It stands for what goes along
    /// with it as well, so it may be below 0.
    std::vector<double> weights;
    /// Per block, what misses that were carried from other runs cost per execution, at least 0;
    /// empty: none were. Weights include it.
    std::vector<double> carried = {};
    /// Per block, what it costs by itself, where samples say that better than weights; empty: its
    /// weight. Runs cost what weights say all the same.
    std::vector<double> prices = {};
    /// What each of its calls costs by itself, in their order, at least 0, where that differs by
    /// place: empty: what the machine charges for its callee.
    std::vector<double> calls = {};
  };
  std::vector<Function> functions;
  /// Where the program was sampled: how many times as much as thought beforehand the code of a body
  /// of a function costs, above 0. Blocks that are of several bodies are divided by it.
  struct Body {
    std::string file;  ///< its name, without folders
    uint32_t line = 0; ///< where the body begins
    double factor = 1;
    double spread = 0; ///< of its time, relative standard deviation
  };
  std::vector<Body> bodies;
  /// A block costs its weight, or price, but at least `1 / limit` and at most `limit` times what
  /// its instructions, callees and carried misses cost by themselves; and all of that times
  /// `scale`, so that runs cost what they should on the whole. Where the program was sampled more
  /// is believed: code that became memset is cheaper by a factor of ten.
  static constexpr double usualLimit = 4, sampledLimit = 100;
  double limit = usualLimit;
  double scale = 1;
  /// What each run does once in its functions, beside what weights say: samples tell it from the
  /// start of the process, times cannot. At least 0, in the unit of the machine.
  double once = 0;
  /// The other way round: of what functions cost in runs, the share that is the kernel's, in
  /// proportion to their work. Times count it and samples, which are taken in user mode, do not. In
  /// [0, 1).
  double kernelShare = 0;
  /// Caches hold less of what a run uses: its blocks cost (peak memory /
  /// `memoryBase`)^`memoryExponent` times as much, if that is more than once. 0: they do not.
  /// Bytes.
  double memoryExponent = 0, memoryBase = 0;
  /// Mispredicted branches are among what is carried, so those that hardware counted in a run must
  /// not come on top.
  bool carriesMispredictions = false;
  /// The builds whose counts it was fitted to (Corpus::Build::identity); empty: not known.
  std::vector<std::string> builds;
  /// False: the costs are those of parts of runs, so that `residual` says nothing of them.
  bool ofRuns = true;
  /// The cost of a run relative to its prediction, which no counts explain: mean 0.
  Moments residual;
  /// By how much the fit misses the time of an input that it was not made of, in the median,
  /// without sign; 0: not known.
  double medianError = 0;
};

} // namespace quincunx
