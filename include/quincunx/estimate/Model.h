// The model of a program: its functions as trees of regions, composed by the four rules with what a
// corpus says of branches, loops and calls. It assumes what the rules assume (parts independent of
// each other), and says where the runs, or calls that were measured, refute that.
// The default estimate (Observed.h) needs none of this. Reference: docs/04 to 07.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/estimate/Modelled.h"
#include "quincunx/estimate/ObservedCalls.h"

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

/// Sets its loops, and the dispersion of its branches.
void judgeTree(ModelledTree &tree, const CallGraph &graph, const std::vector<Map> &maps,
               const CountMatrix &counts);

/// Of the evaluations of a branch in a run, the share that was true.
struct BranchShare {
  uint32_t function = 0;   ///< CallGraph::functions
  uint32_t branch = 0;     ///< of the function
  double taken = 0, n = 0; ///< share; evaluations
};

class Model {
public:
  /// `maps` must outlive it. `counts`: of the very runs that will be added, in their order, which
  /// tell whom calls through pointers call; without them such calls cost nothing.
  Model(const std::vector<Map> &maps, const Machine &machine, const ModelOptions &options,
        const CountMatrix *counts = nullptr);
  ~Model();
  /// Adds one run, or a request as one; runs that no estimate uses are left out. An error when it
  /// contradicts its map, or has not recorded what the branch model needs.
  /// `shares`: branchShares() of the run, where the branch model is `empirical` and they are known.
  Status add(const Run &run, double weight = 1, const std::vector<BranchShare> *shares = nullptr);
  /// Of all branches of a run that were evaluated, in the order of functions.
  Result<std::vector<BranchShare>> branchShares(const Run &run);
  /// `measured`: calls of the runs that were added, which are held against the model, and charged
  /// to callers where they refute it (Verdict::asMeasured); null: there are none.
  Result<Modelled> finish(const ObservedCalls *measured = nullptr);

  const CallGraph &graph() const;
  /// After finish(). An error when the function never ran.
  Result<ModelledTree> tree(uint32_t number) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace quincunx
