// What a model takes as known of the branches and loops of a function.
#pragma once

#include "quincunx/estimate/Model.h"
#include "quincunx/model/FlowSolver.h"

#include <span>
#include <vector>

namespace quincunx {

/// For the empirical model: the share of true outcomes of every branch in every run.
class BranchFractions {
public:
  /// `shares`: of one run.
  void add(std::span<const BranchShare> shares);
  /// Per branch: the share in each run that evaluated it, and evaluations of all runs; null when
  /// there are none.
  struct OfBranch {
    std::vector<double> shares;
    double n = 0;
  };
  const std::vector<OfBranch> *of(uint32_t function) const;

private:
  std::vector<std::vector<OfBranch>> all; ///< per function; empty: nothing of it was evaluated
};

/// Those of a function in a run are added to `into`.
void addBranchShares(uint32_t function, const Function &f, const FunctionCounts &counts,
                     std::vector<BranchShare> &into);

struct BranchParameters {
  std::vector<ModelledBranch> branches; ///< those with two arms that were evaluated
  std::vector<std::optional<Cumulants>> loops;
};

/// `words`: its recorders. An error when the model needs what was not recorded.
Result<BranchParameters>
branchParametersOf(const Function &f, const FunctionCounts &counts, std::span<const uint64_t> words,
                   const ModelOptions &options,
                   const std::vector<BranchFractions::OfBranch> *fractions);

} // namespace quincunx
