// The model of a program: its functions as trees of regions, composed by the four rules with what a
// corpus says of branches, loops and calls. It assumes what the rules assume (parts independent of
// each other); beside its answers stands what was measured, which shows where that does not hold.
// The default estimate (Observed.h) needs none of this. Reference: docs/04 to 07.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/Calls.h"
#include "quincunx/estimate/Dispersion.h"
#include "quincunx/model/Compose.h"

#include <memory>
#include <string>
#include <vector>

namespace quincunx {

struct ModelOptions {
  std::string branch = "bernoulli"; ///< a name of BranchModels.def
  bool perRun = false; ///< each run is composed by itself, and runs are mixed; else all together
  /// As in Gautama's thesis: renewal with the beta form of its higher moments, loops of constant
  /// trips.
  bool publishedMethod = false;
};

/// One branch of a function over all runs.
struct ModelledBranch {
  uint32_t branch = 0;           ///< index in Function::branches
  double n = 0;                  ///< evaluations, of all runs
  double p = 0;                  ///< share of true ones
  std::optional<Cumulants> rate; ///< of true outcomes; nothing: independent draws
  /// Over runs (judgeBranches); none of branches that decide the trips of a loop, or always go one
  /// way.
  std::optional<Dispersion> dispersion;
  std::string why; ///< why it is independent draws where another model was asked for
};

struct ModelledFunction {
  uint32_t number = 0; ///< in Model::graph()
  double calls = 0;    ///< per run
  double roots = 0;    ///< of these from outside
  Composed cost;       ///< of one call
  DistributionPtr law; ///< of one call with callees; null for one that has no moments
  std::string family;
};

/// What a block calls by name, or runs in threads that it starts.
struct ModelledCall {
  uint32_t block = 0;
  uint32_t callee = 0; ///< in Model::graph()
  double perCall = 0;  ///< how often, per call of the function
  /// Threads that run it beside each other, independent of each other; 0: it is called. Threads
  /// that are started one by one are those of one call of the function.
  double threads = 0;
  Cumulants cost;   ///< of one call; of threads: until the last of them has ended (and-parallel)
  double share = 1; ///< of these calls, those that entered it (Composition)
};

/// The tree of one function, with all runs together.
struct ModelledTree {
  uint32_t number = 0;
  Regions regions;
  std::vector<Cumulants> costs; ///< of one execution, with callees, per region
  Executed executed;            ///< over all runs
  std::vector<ModelledBranch> branches;
  std::vector<ModelledCall> calls; ///< of functions that ran
};

/// Sets the dispersion of its branches.
void judgeBranches(ModelledTree &tree, const CallGraph &graph, const std::vector<Map> &maps,
                   const CountMatrix &counts);

struct Modelled {
  std::string machine, unit;
  bool guessed = false; ///< without runs (Guess.h)
  uint64_t runs = 0;
  std::vector<ModelledFunction> functions;   ///< that ran
  double composedMean = 0, observedMean = 0; ///< of a run: over roots, and by counts
  /// A whole run: as many calls of every root as there were, in series; its law as of one call.
  Cumulants program;
  DistributionPtr programLaw;
  std::vector<Note> notes;
};

class Model {
public:
  /// `maps` must outlive it.
  Model(const std::vector<Map> &maps, const Machine &machine, const ModelOptions &options);
  ~Model();
  /// Adds one run, or a request as one; runs that no estimate uses are left out. An error when it
  /// contradicts its map, or has not recorded what the branch model needs.
  Status add(const Run &run, double weight = 1);
  Result<Modelled> finish();

  const CallGraph &graph() const;
  /// After finish(). An error when the function never ran.
  Result<ModelledTree> tree(uint32_t number) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace quincunx
