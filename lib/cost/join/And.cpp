// When the last task has ended: F = prod F_c^(n_c) over classes c of n_c tasks, all at once.
// The idea: no refitting between operands, since each pair would cost the accuracy of a fit.
// Reference: docs/08-parallel-composition.md; Gautama's thesis (5.28) is the comonotone bound.
#include "Tasks.h"

namespace quincunx {

Result<Join> joinLast(double, std::span<const Task> tasks) {
  if (const auto error = refuse(tasks))
    return *error;
  return joinOf(makeCombined(lawsOf(tasks), lastOf(countsOf(tasks), Coupling::independent)));
}

Result<JoinBounds> boundLast(std::span<const Task> tasks) {
  if (const auto error = refuse(tasks))
    return *error;
  return JoinBounds{
      joinOf(makeCombined(lawsOf(tasks), lastOf(countsOf(tasks), Coupling::comonotone))),
      joinOf(makeCombined(lawsOf(tasks), lastOf(countsOf(tasks), Coupling::extreme)))};
}

} // namespace quincunx
