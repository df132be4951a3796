// The observed fraction: the count of true outcomes is known, n p, and has no spread.
// The idea: given the run, counts are constants; all their variation lies between runs, where it is
// measured. Adding a within-run variance on top would count it twice.
// Reference: docs/03-runs-kept-apart.md, docs/05-branches.md. It says nothing about loops that were
// not run.
#include "quincunx/cost/Branch.h"

namespace quincunx {

Result<Rate> observedRate(const BranchRecord &record) {
  if (const Status ok = checkRecord(record); !ok)
    return ok.error();
  return Rate{{static_cast<double>(record.taken) / static_cast<double>(record.n), 0, 0, 0}, {}};
}

} // namespace quincunx
