// The cumulants of the true count as measured over loop instances of N trips each, divided by N.
// The idea: whatever makes outcomes depend on each other shows in the count. Per trip the thesis
// has mean E[T]/N, variance Var[T]/N, skewness Skw[T] sqrt(N) and kurtosis N (Kur[T] - 3) + 3
// (Gautama's thesis (4.6), where c has 1/sqrt(N) and d has 1/N): the four cumulants over N.
// Reference: docs/05-branches.md. It needs instances of one and the same N, and cannot tell the
// part that grows with N from the part that each instance has once.
#include "quincunx/cost/Branch.h"

namespace quincunx {

Result<Rate> empiricalRate(const BranchRecord &record) {
  if (const Status ok = checkRecord(record); !ok)
    return ok.error();
  const uint64_t instances = record.counts.n();
  if (instances < 4)
    return Error{"four cumulants need the true counts of at least four loop instances"};
  if (record.n % instances != 0)
    return Error{"the loop instances with true counts do not all have the same trips"};
  const double N = static_cast<double>(record.n) / static_cast<double>(instances);
  return Rate{repeated(1 / N, cumulants(record.counts.moments())), {}, N};
}

} // namespace quincunx
