// What the model of a program says: of each function its cost per call, and its tree of regions
// with what is known of branches, loops and calls. How it is made: Model.h, and without runs
// Guess.h. Reference: docs/04 to 07.
#pragma once

#include "quincunx/dist/Mixture.h"
#include "quincunx/estimate/Dispersion.h"
#include "quincunx/estimate/Note.h"
#include "quincunx/model/Compose.h"

#include <optional>
#include <string>
#include <vector>

namespace quincunx {

/// One branch of a function over all runs.
struct ModelledBranch {
  uint32_t branch = 0;           ///< index in Function::branches
  double n = 0;                  ///< evaluations, of all runs
  double p = 0;                  ///< share of true ones
  std::optional<Cumulants> rate; ///< of true outcomes; nothing: independent draws
  /// Over runs (judgeTree); none of branches that decide the trips of a loop, follow from its
  /// index, or always go one way.
  std::optional<Dispersion> dispersion;
  std::string why; ///< why it is independent draws where another model was asked for
};

/// One loop of a function over all runs.
struct ModelledLoop {
  uint32_t loop = 0;     ///< index in Function::loops
  double entries = 0;    ///< of all runs
  Dispersion dispersion; ///< of its trips; p: trips per entry
  /// More trips for each further trip of the loop around it, where that explains how runs differ;
  /// 0: it does not.
  double along = 0;
};

/// Calls through pointers of which counts do not tell in which shares they call whom.
struct OpenCalls {
  /// The mean of one call of the function, if they all called the cheapest, or the dearest.
  double least = 0, most = 0;
  std::vector<Location> at; ///< within the function; empty: only in what it calls
  std::vector<uint32_t> callees;
};

/// What is known against the figures of one call of a function.
struct Verdict {
  /// Why independence does not carry its deviation, shape and percentiles: calls that were measured
  /// have another deviation; or where there are none, the counts of the runs refute it, or it is
  /// recursive, or what it calls is so. Empty: nothing says so.
  std::string refuted;
  bool asMeasured = false; ///< refuted, and callers are charged what its calls were measured to be
  /// Calls that were measured have another mean, as others call what it calls, too.
  bool otherMean = false;
  bool otherPercentiles = false; ///< calls that were measured have others than the law
};

struct ModelledFunction {
  uint32_t number = 0; ///< in Model::graph()
  double calls = 0;    ///< per run
  double roots = 0;    ///< of these from outside
  Composed cost;       ///< of one call
  DistributionPtr law; ///< of one call with callees; null for one that has no moments
  std::string family;
  Verdict verdict;
  /// Where these can change the mean by more than a hundredth.
  std::optional<OpenCalls> open;
};

/// What a block calls, or runs in threads that it starts.
struct ModelledCall {
  uint32_t block = 0;
  uint32_t callee = noIndex; ///< in Model::graph(); noIndex: one of several
  double perCall = 0;        ///< how often, per call of the function
  /// Threads that run it beside each other, independent of each other; 0: it is called. Threads
  /// that are started one by one are those of one call of the function.
  double threads = 0;
  Cumulants cost;   ///< of one call; of threads: until the last of them has ended (and-parallel)
  double share = 1; ///< of these calls, those that entered it (Composition)
  /// Through a pointer: whom it calls in which share of the calls; those of nobody are left out.
  struct Target {
    uint32_t callee = 0;
    double share = 0;
    Cumulants cost; ///< of one call
  };
  std::vector<Target> among;
};

/// The tree of one function, with all runs together.
struct ModelledTree {
  uint32_t number = 0;
  Regions regions;
  std::vector<Cumulants> costs; ///< of one execution, with callees, per region
  ExecutionCounts executed;     ///< over all runs
  std::vector<ModelledBranch> branches;
  std::vector<ModelledCall> calls; ///< of functions that ran
  std::vector<ModelledLoop> loops; ///< that were entered (judgeTree)
};

struct Modelled {
  std::string machine, unit;
  bool guessed = false; ///< without runs (Guess.h)
  uint64_t runs = 0;
  std::vector<ModelledFunction> functions;   ///< that ran
  double composedMean = 0, observedMean = 0; ///< of a run: over roots, and by counts
  /// A whole run: as many calls of every root as there were, in series; its law as of one call.
  Cumulants program;
  DistributionPtr programLaw;
  /// The parts of that law, where each run is composed by itself, in the order they were added.
  std::vector<MixtureComponent> perRun;
  std::vector<Note> notes;
};

} // namespace quincunx
