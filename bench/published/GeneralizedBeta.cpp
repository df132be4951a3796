// The join of two different tasks where each has two laws: a lambda law for its quantiles and a
// generalized beta law for its cdf, since the former has no closed cdf and the latter no closed
// quantile. Reference: Gautama's thesis (5.30) to (5.33), table 5.2. Unbounded laws are limits of
// the beta law (L to infinity), so their higher moments are short by O(1/L).
#include "Integral.h"

#include <cmath>

namespace quincunx::published {

namespace {

// I_x(a, b) by the continued fraction of Abramowitz & Stegun 26.5.8, by Lentz's method; for x below
// (a + 1)/(a + b + 2), where it converges fast.
double lowerBeta(double x, double a, double b) {
  const double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::fabs(d) < tiny ? tiny : d);
  double h = d;
  for (int m = 1; m < 2000; ++m) {
    double change = 1;
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    for (const double t : {even, odd}) {
      d = 1 + t * d;
      c = 1 + t / c;
      d = 1 / (std::fabs(d) < tiny ? tiny : d);
      c = std::fabs(c) < tiny ? tiny : c;
      change = d * c;
      h *= change;
    }
    if (std::fabs(change - 1) < 1e-15)
      break;
  }
  const double logB = std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
  return h * std::exp(a * std::log(x) + b * std::log1p(-x) - logB) / a;
}

} // namespace

double cdf(const Beta &x, double t) {
  const double u = (t - x.b1) / x.b2;
  if (!(u > 0))
    return 0;
  if (!(u < 1))
    return 1;
  if (u < (x.b3 + 1) / (x.b3 + x.b4 + 2))
    return lowerBeta(u, x.b3, x.b4);
  return 1 - lowerBeta(1 - u, x.b4, x.b3);
}

// E[X^r] = (b3 + r - 1)/(b3 + b4 + r - 1) E[X^{r-1}] of the beta law on (0, 1), then b1 + b2 X
RawMoments rawMoments(const Beta &x) {
  double m[5] = {1};
  for (int r = 1; r <= 4; ++r)
    m[r] = m[r - 1] * (x.b3 + r - 1) / (x.b3 + x.b4 + r - 1);
  const double a = x.b1, s = x.b2;
  const double m1 = m[1] * s, m2 = m[2] * s * s, m3 = m[3] * s * s * s, m4 = m[4] * s * s * s * s;
  return {m1 + a, m2 + a * (2 * m1 + a), m3 + a * (3 * m2 + a * (3 * m1 + a)),
          m4 + a * (4 * m3 + a * (6 * m2 + a * (4 * m1 + a)))};
}

Beta uniformBeta(double a, double b) { return {a, b - a, 1, 1}; }
Beta exponentialBeta(double theta, double L) { return {0, L / theta, 1, L}; }
Beta normalBeta(double mean, double deviation, double L) {
  return {mean - deviation * std::sqrt(2 * L), deviation * std::sqrt(8 * L), L, L};
}

// r = 6(B2 - B1 - 1)/(6 + 3 B1 - 2 B2), t = B1 (r + 2)^2 + 16 (r + 1):
// b3, b4 = r/2 [1 -+ (r + 2) sqrt(B1/t)], width = sd/2 sqrt(t)
Result<Beta> fitBeta(const Moments &m) {
  const double B1 = m.skewness * m.skewness, c = 6 + 3 * B1 - 2 * m.kurtosis;
  if (!admissible(m) || !(m.variance > 0) || !(m.kurtosis > B1 + 1) || !(c > 1e-9))
    return Error{"no beta law has these moments"};
  const double r = 6 * (m.kurtosis - B1 - 1) / c, t = B1 * (r + 2) * (r + 2) + 16 * (r + 1);
  const double lean = std::copysign((r + 2) * std::sqrt(B1 / t), m.skewness);
  const Beta x{0, m.deviation() / 2 * std::sqrt(t), r / 2 * (1 - lean), r / 2 * (1 + lean)};
  return Beta{m.mean - x.b2 * x.b3 / r, x.b2, x.b3, x.b4};
}

RawMoments betaJoin(Wait wait, const LambdaBeta &x1, const LambdaBeta &x2, double at) {
  const std::array<Beta, 2> law{x1.cdf, x2.cdf};
  return joinSum(wait, {x1.quantiles, x2.quantiles}, at,
                 [&](size_t i, double x, double) { return cdf(law[i], x); });
}

} // namespace quincunx::published
