// Another probability of a branch.
#pragma once

#include "FlowChange.h"
#include "quincunx/estimate/Dispersion.h"
#include "quincunx/model/Chain.h"

namespace quincunx {

/// Where the flow goes for one more true outcome of a branch in place of a false one.
struct BranchDirection {
  std::vector<double> edges; ///< empty: some flow would never end
  double again = 0;          ///< how much more often the branch is evaluated after it
};
BranchDirection directionOf(const Function &f, const Branch &branch, Chain &chain,
                            const std::vector<double> &shares);

/// Is it an if with two different arms?
bool hasTwoArms(const Branch &b);

class BranchChange : public FlowChange {
public:
  /// `branch`: of the function, its first arm the one that is meant. `flows` is as the changes
  /// before left it, and is filled for `function`.
  BranchChange(const Change &change, size_t function, const Branch &branch,
               const BlockCosts &blocks, ChangedFlows &flows);
  /// Adds evaluations and true outcomes of each run.
  void addOutcomes(std::vector<double> &evaluated, std::vector<double> &taken) const;
  /// `dispersion`: of the outcomes of all branches of the change together.
  void judge(const Dispersion &dispersion);

  Result<double> distance(size_t run, double x) const override;
  void addVariance(double x, FlowEffect &effect) const override;

private:
  double target(size_t run, double value) const;

  bool independent = true;   ///< not refuted
  double usual = 0;          ///< share of true outcomes in all runs
  std::vector<double> n, p;  ///< per run: evaluations, and the share of true ones
  std::vector<double> again; ///< per run: BranchDirection::again
};

} // namespace quincunx
