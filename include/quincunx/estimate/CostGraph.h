// What functions and their lines cost on average over the runs of a corpus, or over those near a
// percentile (PercentileRuns.h), and who calls whom:
// what other tools show of a profile. Functions are those that were compiled, with the lines of all
// that was inlined into them; one that was called and not counted is a function without lines of
// its own. Reference: docs/23-exports.md. It keeps no runs apart.
#pragma once

#include "quincunx/estimate/ObserveCorpus.h"

#include <string>
#include <vector>

namespace quincunx {

struct CostGraph {
  struct Line {
    std::string file; ///< path; empty and 0: not known
    uint32_t line = 0;
    double cost = 0; ///< per run
  };
  /// Calls of one function by another one, on one line of it.
  struct Call {
    size_t callee = 0; ///< among `functions`
    std::string file;
    uint32_t line = 0;
    double times = 0; ///< per run
    double cost = 0;  ///< per run, with all that the callee calls
  };
  struct Function {
    std::string name; ///< linkage name
    std::string file; ///< where it begins
    uint32_t line = 0;
    std::string
        image;        ///< path of the program or library; empty: of a function that was not counted
    size_t cycle = 0; ///< functions that call each other have one number; callees have lower ones
    double times = 0; ///< entered, per run
    double self = 0;  ///< cost per run: the sum of its lines
    double total = 0; ///< with all that runs while it does; recursion is counted once
    std::vector<Line> lines;
    std::vector<Call> calls;
  };
  std::string machine, unit;
  std::string what = "mean"; ///< of runs: that, or a percentile
  double runs = 0;
  double program = 0; ///< cost of a run: all of self, and `outside`
  double outside = 0; ///< of functions
  std::vector<Function> functions;
};

/// Of the runs of `counted`, which are those of a corpus, or of its requests. What its lines cost
/// is not divided among builds. `weights`: of runs, that add up to 1, in place of what they stand
/// for; none: the mean. An error where calls contradict each other, so that totals are unknown.
Result<CostGraph> costGraph(const CountedRuns &counted, const std::vector<Map> &maps,
                            const Machine &machine, const std::vector<double> &weights = {});

} // namespace quincunx
