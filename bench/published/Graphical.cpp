// The last of two tasks has about the smaller of the two cdfs, so its quantile is the larger of the
// two quantiles. That is exact for tasks that are slow together, and too small for independent
// ones. Reference: Gautama's thesis (5.28), (5.29). (5.29) as printed multiplies by the other cdf
// as well; only without that factor are the errors those of the thesis' figure 5.3.
#include "Integral.h"

#include <algorithm>

namespace quincunx::published {

// E[Y^r] = int_0^1 max(R_1, R_2)^r dF
RawMoments graphicalLast(const Lambda &x1, const Lambda &x2) {
  RawMoments m;
  for (int k = 1; k <= steps; ++k) {
    const double F = node(k, 0.5);
    addPowers(m, 1.0 / steps, std::max(quantile(x1, F), quantile(x2, F)));
  }
  return m;
}

RawMoments graphicalLastAsPrinted(const Lambda &x1, const Lambda &x2) {
  RawMoments m;
  for (int k = 1; k <= steps; ++k) {
    const double F = node(k, 0.5), r1 = quantile(x1, F), r2 = quantile(x2, F);
    const double x = std::max(r1, r2);
    addPowers(m, cdf(r1 < r2 ? x1 : x2, x, F) / steps, x);
  }
  return m;
}

} // namespace quincunx::published
