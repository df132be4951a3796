// Independent outcomes, each true with the observed fraction p.
// The idea: the count of n is binomial, so its cumulants per outcome are p, pq, pq(1 - 2p),
// pq(1 - 6pq); with them a branch is a mixture of its bodies.
// Reference: docs/05-branches.md; Gautama's thesis ch. 3. It does not see that outcomes cluster.
#include "quincunx/cost/Branch.h"

namespace quincunx {

Result<Rate> bernoulliRate(const BranchRecord &record) {
  if (const Status ok = checkRecord(record); !ok)
    return ok.error();
  const double n = static_cast<double>(record.n), p = static_cast<double>(record.taken) / n,
               q = static_cast<double>(record.n - record.taken) / n, pq = p * q;
  return Rate{{p, pq, pq * (q - p), pq * (1 - 6 * pq)}, {}};
}

} // namespace quincunx
