// Branch models: from what was recorded of a branch to the rate at which its count of true outcomes
// gathers cumulants, which is all that the rules need (Rules.h, branched).
// To add one: a file in lib/cost/branch, a line in BranchModels.def.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/cost/Renewal.h"
#include "quincunx/cost/Rules.h"

#include <cstdint>
#include <span>

namespace quincunx {

/// What was recorded of one branch. Only n and taken are needed by all models.
struct BranchRecord {
  uint64_t n = 0, taken = 0;  ///< evaluations, and those that were true
  RunLengths ofTrue, ofFalse; ///< runs within one loop instance
  uint64_t instances = 0;     ///< of the loop; 0 when the process never starts anew
  uint64_t firstTrue = 0;     ///< those whose first outcome was true
  Sample counts;              ///< taken, of each instance, when all instances have the same trips
};

/// Cumulants of the count of true outcomes: of n outcomes, n perExecution + once.
struct Rate {
  Cumulants perExecution;
  Cumulants once;     ///< once per loop instance, from how it starts and is cut off
  double settled = 0; ///< outcomes from which on that is accurate; below, see renewalTrueCount
};

using BranchModel = Result<Rate> (*)(const BranchRecord &);
struct NamedBranchModel {
  const char *name;
  BranchModel rate;
  int independent, renewal; ///< see BranchModels.def
};
std::span<const NamedBranchModel> branchModels();

#define QUINCUNX_BRANCH_MODEL(name, function, independent, renewal)                                \
  Result<Rate> function(const BranchRecord &record);
#include "quincunx/cost/BranchModels.def"
#undef QUINCUNX_BRANCH_MODEL

/// Why no model can use a record, if so: never evaluated, or counts that contradict each other.
Status checkRecord(const BranchRecord &record);

/// The count of true outcomes among n.
inline Cumulants trueCount(const Rate &rate, double n) {
  return inSeries(repeated(n, rate.perExecution), rate.once);
}
/// A loop around a branch: N trips with cumulants `trips` (a constant is {n, 0, 0, 0}), independent
/// of the outcomes. K_N(K_2 + K_rate(K_1 - K_2)) + K_once(K_1 - K_2).
inline Cumulants branchedLoop(const Cumulants &trips, const Rate &rate, const Cumulants &onTrue,
                              const Cumulants &onFalse) {
  return inSeries(repeated(trips, branched(rate.perExecution, onTrue, onFalse)),
                  repeated(rate.once, onTrue - onFalse));
}

/// The renewal model's count of true outcomes in a loop of n trips: exactly, when n is too few for
/// its rate to be accurate.
Result<Cumulants> renewalTrueCount(const BranchRecord &record, uint64_t n);

/// For comparison only: the form of Gautama's thesis (4.14), a beta law with the mean and variance
/// rate of the renewal model. Its skewness and kurtosis do not come from the runs. An error where
/// no law has them, which is so for every branch that clusters more than independent outcomes do.
Result<Rate> thesisBetaRate(const BranchRecord &record);

} // namespace quincunx
