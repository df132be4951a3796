// When k of N tasks have ended.
// The idea: N copies of one law are a beta law of F, for any real k and N; several classes count
// how many have ended, exactly. Reference: docs/08-parallel-composition.md. Several classes of more
// than 512 tasks together are refused: their count would cost the square of that at every place.
#include "Tasks.h"

#include <cmath>

namespace quincunx {

namespace {
constexpr double maxInClasses = 512;
}

Result<Join> joinKth(double k, std::span<const Task> tasks) {
  if (const auto error = refuse(tasks))
    return *error;
  double total = 0;
  bool whole = k == std::floor(k);
  for (const Task &task : tasks) {
    total += task.count;
    whole = whole && task.count == std::floor(task.count);
  }
  if (!(k >= 1 && k <= total))
    return Error{"the order of a quorum lies between 1 and the number of tasks"};
  if (tasks.size() == 1) {
    auto rule = kthOf(k, total);
    if (!rule)
      return rule.error();
    return joinOf(makeCombined(lawsOf(tasks), std::move(*rule)));
  }
  if (!whole || total > maxInClasses)
    return Error{"a quorum of several classes needs whole numbers of at most 512 tasks"};
  std::vector<size_t> counts;
  for (const Task &task : tasks)
    counts.push_back(static_cast<size_t>(task.count));
  return joinOf(
      makeCombined(lawsOf(tasks), kthOfClasses(static_cast<size_t>(k), std::move(counts))));
}

} // namespace quincunx
