// Quantiles by search.
// The idea: find the two knots between which the quantile lies, then solve on the logarithm of the
// smaller tail, which is nearly a line where tails are exponential; a step is found as the knot it
// is. Reference: docs/09-percentiles-and-bounds.md.
#include "Invert.h"
#include "base/Infinity.h"

#include "quincunx/numeric/Solve.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {
/// Of a tail that is the target but for rounding.
constexpr double rounded = 1e-14;
} // namespace

double invert(const Distribution &law, std::span<const double> knots, double p, double q) {
  const Range support = law.support();
  if (!(p > 0))
    return support.low;
  if (!(q > 0))
    return support.high;
  // ln of the smaller tail against its target: rises with t
  const auto excess = [&](double t) {
    return (p <= q ? std::log(law.cdf(t) / p) : std::log(q / law.survival(t))) + rounded;
  };
  const auto at =
      std::partition_point(knots.begin(), knots.end(), [&](double t) { return excess(t) < 0; });
  const double width = knots.empty() ? 1 : std::max(knots.back() - knots.front(), 1e-300);
  double low = 0, high = 0;
  if (at == knots.end()) {
    low = high = knots.empty() ? 0 : knots.back();
    for (double step = width; excess(high) < 0; step *= 2) {
      low = high;
      if (high += step; !(high < support.high))
        return support.high;
    }
  } else if (at == knots.begin()) {
    low = high = *at;
    for (double step = width; excess(low) >= 0; step *= 2) {
      high = low;
      if (low -= step; !(low > support.low))
        return std::max(support.low, knots.front());
    }
  } else {
    low = at[-1];
    high = *at;
    if (excess(std::nextafter(high, -inf)) < 0)
      return high;
  }
  return solve([&](double t) { return Curve{excess(t)}; }, low, high, low + (high - low) / 2,
               width * 1e-3);
}

void addEnds(const Range &support, std::vector<double> &knots) {
  for (const double end : {support.low, support.high})
    if (std::isfinite(end))
      knots.push_back(end);
}

void sortKnots(std::vector<double> &knots) {
  std::sort(knots.begin(), knots.end());
  knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
}

} // namespace quincunx
