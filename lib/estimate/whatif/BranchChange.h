// Another probability of a branch.
#pragma once

#include "BranchOutcomes.h"
#include "FlowChange.h"
#include "quincunx/model/Chain.h"

#include <memory>

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

/// One copy of a branch.
class BranchChange : public FlowChange {
public:
  /// `branch`: of the function, its first arm the one that is meant. `flows` is as the changes
  /// before left it, and is filled for `function`. Adds its outcomes to `copies`.
  BranchChange(const Change &change, size_t function, const Branch &branch,
               const BlockCosts &blocks, ChangedFlows &flows,
               std::vector<BranchOutcomes::Copy> &copies);
  /// `all`: of the copies of the branch.
  void judge(std::shared_ptr<const BranchOutcomes> all);

  Result<double> distance(size_t run, double x) const override;
  void addVariance(double x, FlowEffect &effect) const override;
  void addError(double x, FlowEffect &effect) const override;
  const BranchOutcomes &outcomes() const { return *all; }
  /// Is the share asked for that of all runs, so that weights see to it whichever runs are drawn?
  /// A step goes from the share that the drawn runs have.
  bool isCalibrated() const {
    return !scalesRuns() && !change.adds && !all->dispersion().refuted();
  }
  /// The share of true outcomes that weights of runs lead to (BranchOutcomes::weights).
  Result<double> reached(double x) const;

private:
  /// Is the share of each run multiplied, whatever it is?
  bool scalesRuns() const { return change.scales && !all->differBetweenRuns(); }
  double shareAt(double x) const; ///< of all runs
  /// Is it a probability?
  Status checkShare(double x) const;
  void addFlips(double x, const OutcomeShift &shift, FlowEffect &effect) const;
  void addScaled(double x, FlowEffect &effect) const;
  double differenceAt(size_t run, double x) const;

  const size_t copy; ///< index in `all`
  std::shared_ptr<const BranchOutcomes> all;
};

} // namespace quincunx
