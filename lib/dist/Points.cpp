// Laws of one and of two values.
// The idea: both are steps (lib/dist/Steps.cpp); here are only their places and weights. Skewness
// fixes the weights of two values, and with them the kurtosis. Reference:
// docs/09-percentiles-and-bounds.md.
#include "quincunx/dist/Families.h"

#include "Steps.h"
#include "quincunx/base/Text.h"

#include <cmath>

namespace quincunx {

Result<DistributionPtr> fitPoint(const Moments &m, Range) {
  if (!std::isfinite(m.mean))
    return Error{"the moments are not finite"};
  if (m.variance != 0)
    return Error{"a point has variance 0"};
  return stepLaw({m.mean}, {}, 0, {m.mean, 0, 0, 3});
}

// With h = sqrt(4 + s^2): places (s -+ h)/2 deviations from the mean, the upper one with
// probability 1/2 (1 - s/h); for s > 0 both differences without cancellation.
Result<DistributionPtr> fitTwoPoint(const Moments &m, Range) {
  if (const auto error = unfit(m))
    return *error;
  const double s = std::abs(m.skewness), beta = 1 + s * s, h = std::sqrt(4 + s * s);
  if (m.kurtosis > beta * (1 + 1e-9))
    return Error{"two values have kurtosis 1 + skewness^2 = " + exact(beta)};
  const double far = (s + h) / 2, near = 2 / (s + h), rare = 2 / (h * (h + s));
  const double sd = m.deviation();
  if (m.skewness >= 0)
    return stepLaw({m.mean - sd * near, m.mean + sd * far}, {1 - rare, rare}, 0, m);
  return stepLaw({m.mean - sd * far, m.mean + sd * near}, {rare, 1 - rare}, 0, m);
}

} // namespace quincunx
