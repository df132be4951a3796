// When the first task has ended: S = prod S_c^(n_c), the mirror image of the last.
// Reference: docs/08-parallel-composition.md.
#include "Tasks.h"

namespace quincunx {

Result<Join> joinFirst(double, std::span<const Task> tasks) {
  if (const auto error = refuse(tasks))
    return *error;
  return joinOf(makeCombined(lawsOf(tasks), firstOf(countsOf(tasks), Coupling::independent)));
}

Result<JoinBounds> boundFirst(std::span<const Task> tasks) {
  if (const auto error = refuse(tasks))
    return *error;
  return JoinBounds{
      joinOf(makeCombined(lawsOf(tasks), firstOf(countsOf(tasks), Coupling::comonotone))),
      joinOf(makeCombined(lawsOf(tasks), firstOf(countsOf(tasks), Coupling::extreme)))};
}

} // namespace quincunx
