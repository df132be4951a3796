// The intervals of combined costs; their cumulants are combined in Rules.h.
// The idea: interval arithmetic on independent parts, with 0 times infinity 0, since a body that is
// never executed costs nothing whatever it could cost. Intervals may be too wide, never too narrow.
// Reference: docs/04-the-four-rules.md; Moore, Interval Analysis (1966). It knows no laws.
#include "quincunx/cost/Rules.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace quincunx {

namespace {
double times(double n, double x) { return n == 0 || x == 0 ? 0 : n * x; }
} // namespace

Cost inSeries(const Cost &a, const Cost &b) {
  return {inSeries(a.k, b.k), {a.range.low + b.range.low, a.range.high + b.range.high}};
}

Cost oneOf(std::span<const Cost> parts, std::span<const double> weights) {
  assert(parts.size() == weights.size() && "every part has a weight");
  std::vector<Cumulants> k;
  Range hull{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (size_t i = 0; i < parts.size(); ++i) {
    k.push_back(parts[i].k);
    if (weights[i] > 0) {
      hull.low = std::min(hull.low, parts[i].range.low);
      hull.high = std::max(hull.high, parts[i].range.high);
    }
  }
  return {oneOf(k, weights), hull};
}

Cost repeated(double n, const Cost &body) {
  assert(n >= 0 && "nothing is repeated less than 0 times");
  return {repeated(n, body.k), {times(n, body.range.low), times(n, body.range.high)}};
}

Cost repeated(const Cost &n, const Cost &body) {
  // The extremes of n x over a rectangle are at its corners.
  const double least = std::max(0.0, n.range.low), most = std::max(0.0, n.range.high);
  const Range x = body.range;
  return {repeated(n.k, body.k),
          {std::min(times(least, x.low), times(most, x.low)),
           std::max(times(least, x.high), times(most, x.high))}};
}

} // namespace quincunx
