// The rules by which random costs combine: in series, one of several, repeated. Region trees, the
// elimination of arbitrary flow and the modelling language all call these; no formula for combining
// costs stands anywhere else.
// The idea: with M the moment series and K = ln M the cumulant series, cut at order four,
//   a; b             K = K_a + K_b
//   if, switch       M = sum p_i M_i, computed in the frame of the mean
//   N times a        K = K_N(K_a)
//   branch in a loop K = K_2 + K_rate(K_1 - K_2), per execution
// The parts are independent of each other (and N of what it repeats); a cost is known by its first
// four cumulants and an interval that holds it. The fourth rule, `join` of parallel parts, needs
// laws and stands in lib/cost/join. Reference: docs/04-the-four-rules.md; Gautama's thesis (3.36),
// (3.45), (3.62). It knows nothing of how often anything was executed.
#pragma once

#include "quincunx/dist/Distribution.h"
#include "quincunx/numeric/Moments.h"

#include <limits>
#include <span>

namespace quincunx {

/// A random cost, or a random count: its cumulants, and an interval outside of which it never is
/// (all numbers when nothing is known).
struct Cost {
  Cumulants k;
  Range range{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
};
/// A cost that is always c.
inline Cost constantCost(double c) { return {{c, 0, 0, 0}, {c, c}}; }

/// Cumulants of a; b.
inline Cumulants inSeries(const Cumulants &a, const Cumulants &b) { return a + b; }

/// Cumulants of exactly one of `parts`, drawn with probability proportional to `weights` (parallel,
/// none negative, of positive sum). Each part enters about the mean of the whole, so that close or
/// distant means cancel nothing.
inline Cumulants oneOf(std::span<const Cumulants> parts, std::span<const double> weights) {
  return mixture(parts, weights);
}

/// Cumulants of n copies in series; n is constant and need not be whole (an average count).
inline Cumulants repeated(double n, const Cumulants &body) { return n * body; }

/// Cumulants of N copies in series, N random and independent of the copies: K_N(K_body).
// y1 = n1 x1;  y2 = n1 x2 + n2 x1^2;  y3 = n1 x3 + 3 n2 x1 x2 + n3 x1^3
// y4 = n1 x4 + n2 (4 x1 x3 + 3 x2^2) + 6 n3 x1^2 x2 + n4 x1^4
inline Cumulants repeated(const Cumulants &n, const Cumulants &x) {
  const double x11 = x.k1 * x.k1;
  return {n.k1 * x.k1, n.k1 * x.k2 + n.k2 * x11,
          n.k1 * x.k3 + 3 * n.k2 * x.k1 * x.k2 + n.k3 * x11 * x.k1,
          n.k1 * x.k4 + n.k2 * (4 * x.k1 * x.k3 + 3 * x.k2 * x.k2) + 6 * n.k3 * x11 * x.k2 +
              n.k4 * x11 * x11};
}

/// Cumulants, per execution, of a branch whose count of true outcomes has the cumulant rates `rate`
/// per execution: K_2 + K_rate(K_1 - K_2). n executions cost n times that, N random ones
/// repeated(N, that). With the rates of a Bernoulli trial it is oneOf(); with (p, 0, 0, 0) the
/// count is fixed and only the bodies vary.
inline Cumulants branched(const Cumulants &rate, const Cumulants &onTrue,
                          const Cumulants &onFalse) {
  return onFalse + repeated(rate, onTrue - onFalse);
}

/// The rules for costs with their intervals.
Cost inSeries(const Cost &a, const Cost &b);
/// Parts of weight 0 do not widen the interval.
Cost oneOf(std::span<const Cost> parts, std::span<const double> weights);
/// n copies, n >= 0 and constant.
Cost repeated(double n, const Cost &body);
/// N copies; the interval of N is cut at 0.
Cost repeated(const Cost &n, const Cost &body);

} // namespace quincunx
