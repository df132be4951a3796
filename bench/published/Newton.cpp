// The join of two different tasks with lambda laws: their cdf has no closed form and is found by
// Newton's iteration at each of the 10,000 quantiles of the other task.
// Reference: Gautama's thesis (5.34) to (5.36), (5.42); Gautama & van Gemund (15), (16).
#include "Integral.h"

#include <algorithm>
#include <cmath>

namespace quincunx::published {

// F <- F - (R(F) - x)/R'(F), kept between the ends of what is known to hold the root. Convergence
// is quadratic, so a step of 1e-9 leaves rounding.
double cdf(const Lambda &task, double x, double start) {
  if (!(x > quantile(task, 0)))
    return 0;
  if (!(x < quantile(task, 1)))
    return 1;
  double low = 0, high = 1, F = start > 0 && start < 1 ? start : 0.5;
  for (int i = 0; i < 200; ++i) {
    const double excess = quantile(task, F) - x;
    (excess > 0 ? high : low) = F;
    double next = F - excess / slope(task, F);
    if (!(next >= low && next <= high && next > 0 && next < 1))
      next = (low + high) / 2;
    const bool done = std::fabs(next - F) <= 1e-9 * std::min(F, 1 - F);
    F = next;
    if (done)
      break;
  }
  return F;
}

RawMoments newtonJoin(Wait wait, const Lambda &x1, const Lambda &x2, double at) {
  const std::array<Lambda, 2> task{x1, x2};
  return joinSum(wait, task, at, [&](size_t i, double x, double F) { return cdf(task[i], x, F); });
}

} // namespace quincunx::published
