// The table of branch models, and what all of them ask of a record.
// The idea: a model is a function of the record; the table is generated from BranchModels.def, so
// that tests and tools see every model without naming it. Reference: docs/05-branches.md. It
// estimates nothing (lib/cost/branch).
#include "quincunx/cost/Branch.h"

namespace quincunx {

std::span<const NamedBranchModel> branchModels() {
#define QUINCUNX_BRANCH_MODEL(name, function, independent, renewal)                                \
  {name, function, independent, renewal},
  static constexpr NamedBranchModel models[] = {
#include "quincunx/cost/BranchModels.def"
  };
#undef QUINCUNX_BRANCH_MODEL
  return models;
}

Status checkRecord(const BranchRecord &r) {
  if (r.n == 0)
    return Error{"the branch was never evaluated"};
  if (r.taken > r.n)
    return Error{"the branch was true more often than it was evaluated"};
  if (r.firstTrue > r.instances)
    return Error{"the branch was true first in more loop instances than there were"};
  return Done{};
}

} // namespace quincunx
