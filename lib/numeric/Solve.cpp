// Roots of increasing functions.
// The idea: keep the bracket, take Newton's or the secant step when it falls inside, and halve when
// the bracket has not halved for three steps, so that jumps, flat places and wrong slopes cost
// time and never the answer. Reference: Dahlquist & Bjoerck, Numerical Methods in Scientific
// Computing, ch. 6. It solves for one unknown only.
#include "quincunx/numeric/Solve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quincunx {

double solve(const std::function<Curve(double)> &f, double low, double high, double start,
             double scale) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  double atLow = 0, atHigh = 0; // values at the ends once they are known, else 0
  double x = start > low && start < high ? start : low + (high - low) / 2;
  double widthBefore = high - low;
  for (int i = 1; i < 300; ++i) {
    const double tolerance = 2 * eps * std::max(std::abs(x), scale);
    if (high - low <= tolerance)
      return high;
    const Curve c = f(x);
    if (c.value == 0)
      return x;
    (c.value < 0 ? low : high) = x;
    (c.value < 0 ? atLow : atHigh) = c.value;
    double next = std::numeric_limits<double>::quiet_NaN();
    if (c.slope > 0)
      next = x - c.value / c.slope;
    else if (atLow < 0 && atHigh > 0)
      next = low + (high - low) * (atLow / (atLow - atHigh));
    if (c.slope > 0 && std::abs(next - x) <= tolerance)
      return std::clamp(next, low, high);
    if (i % 3 == 0) {
      if (high - low > widthBefore / 2)
        next = std::numeric_limits<double>::quiet_NaN();
      widthBefore = high - low;
    }
    x = next > low && next < high ? next : low + (high - low) / 2;
    if (!(x > low && x < high))
      return high;
  }
  return high;
}

} // namespace quincunx
