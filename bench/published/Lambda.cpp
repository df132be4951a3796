// The generalized lambda law in the form of Ramberg and Schmeiser, and the moments of the k-th
// smallest of N tasks that have it: sums of beta functions, whatever N is. The parameters come from
// a table for three laws, else from a simplex search over the two exponents, which alone decide
// skewness and kurtosis. Reference: Gautama's thesis 5.1, 5.2; Nelder & Mead 1965 for the search.
// It does not fit bimodal laws, and small exponents (near the exponential law) lose digits in
// (5.9).
#include "Published.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace quincunx::published {

double quantile(const Lambda &x, double F) {
  return x.l1 + (std::pow(F, x.l3) - std::pow(1 - F, x.l4)) / x.l2;
}

double slope(const Lambda &x, double F) {
  return (x.l3 * std::pow(F, x.l3 - 1) + x.l4 * std::pow(1 - F, x.l4 - 1)) / x.l2;
}

Lambda uniformLambda(double a, double b) { return {(a + b) / 2, 2 / (b - a), 1, 1}; }
Lambda exponentialLambda(double theta) {
  return {7.100e-3 / theta, -1.081e-3 * theta, -4.070e-6, -1.076e-3};
}
Lambda normalLambda(double mean, double deviation) {
  return {mean, 0.1975 / deviation, 0.1349, 0.1349};
}

namespace {

double logBeta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

// E[(l2 (Y - l1))^r] = n C(N, n) sum_i C(r, i) (-1)^i B(l3 (r - i) + n, l4 i + N - n + 1),  G
// (5.11) with n C(N, n) = 1/B(n, N - n + 1)
RawMoments unscaled(double l3, double l4, double n, double N) {
  static constexpr double binomial[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
  double m[5];
  for (int r = 1; r <= 4; ++r) {
    m[r] = 0;
    for (int i = 0; i <= r; ++i)
      m[r] += (i % 2 == 0 ? 1 : -1) * binomial[r][i] *
              std::exp(logBeta(l3 * (r - i) + n, l4 * i + N - n + 1) - logBeta(n, N - n + 1));
  }
  return {m[1], m[2], m[3], m[4]};
}

using Point = std::array<double, 2>; // l3, l4

struct Misfit {
  double skewness, kurtosis;
  // Squared distance from the wanted skewness and kurtosis; infinite where the law has no density
  // or no fourth moment.
  double operator()(const Point &p) const {
    if (p[0] * p[1] <= 0 || std::min(p[0], p[1]) <= -0.25)
      return std::numeric_limits<double>::infinity();
    Moments m = moments(cumulants(unscaled(p[0], p[1], 1, 1)));
    if (p[0] < 0) // l2 is negative then
      m.skewness = -m.skewness;
    const double ds = m.skewness - skewness, dk = m.kurtosis - kurtosis;
    const double d = ds * ds + dk * dk;
    return std::isfinite(d) ? d : std::numeric_limits<double>::infinity();
  }
};

struct Vertex {
  Point p;
  double f;
};

// Nelder & Mead's simplex in the plane, with their coefficients 1, 2 and 1/2.
Vertex search(const Misfit &misfit, const Point &start) {
  std::array<Vertex, 3> v;
  for (size_t i = 0; i < 3; ++i) {
    v[i].p = {start[0] * (i == 1 ? 1.3 : 1), start[1] * (i == 2 ? 1.3 : 1)};
    v[i].f = misfit(v[i].p);
  }
  for (int step = 0; step < 400; ++step) {
    std::ranges::sort(v, {}, &Vertex::f);
    if (v[0].f < 1e-24)
      break;
    const auto along = [&](double t) { // the worst vertex, moved through the middle of the others
      Vertex w;
      for (size_t j = 0; j < 2; ++j) {
        const double middle = (v[0].p[j] + v[1].p[j]) / 2;
        w.p[j] = middle + t * (v[2].p[j] - middle);
      }
      w.f = misfit(w.p);
      return w;
    };
    const Vertex reflected = along(-1);
    if (reflected.f < v[0].f) {
      const Vertex expanded = along(-2);
      v[2] = expanded.f < reflected.f ? expanded : reflected;
    } else if (reflected.f < v[1].f) {
      v[2] = reflected;
    } else if (const Vertex in = along(reflected.f < v[2].f ? -0.5 : 0.5);
               in.f < std::min(reflected.f, v[2].f)) {
      v[2] = in;
    } else {
      for (size_t i = 1; i < 3; ++i) {
        v[i].p = {(v[0].p[0] + v[i].p[0]) / 2, (v[0].p[1] + v[i].p[1]) / 2};
        v[i].f = misfit(v[i].p);
      }
    }
  }
  return *std::ranges::min_element(v, {}, &Vertex::f);
}

} // namespace

Result<Lambda> fitLambda(const Moments &m) {
  if (!admissible(m) || !(m.variance > 0))
    return Error{"no law with a density has these moments"};
  const Misfit misfit{m.skewness, m.kurtosis};
  // Two pairs of exponents may share all four moments; with both at most 1 the law has one mode,
  // which the text asks for.
  std::optional<Vertex> best;
  static constexpr Point starts[] = {{.13, .13},   {-.05, -.05}, {.02, .08}, {.08, .02}, {.5, .3},
                                     {-.01, -.08}, {-.08, -.01}, {.3, .5},   {.9, .9}};
  for (const Point &start : starts) {
    const Vertex v = search(misfit, start);
    if (std::max(v.p[0], v.p[1]) <= 1 + 1e-9 && (!best || v.f < best->f))
      best = v;
    if (best && best->f < 1e-16)
      break;
  }
  if (!best || !(best->f < 1e-12))
    return Error{"no lambda law with one mode has these moments"};
  const Moments unit = moments(cumulants(unscaled(best->p[0], best->p[1], 1, 1)));
  const double l2 = std::copysign(std::sqrt(unit.variance / m.variance), best->p[0]);
  return Lambda{m.mean - unit.mean / l2, l2, best->p[0], best->p[1]};
}

RawMoments kthOf(const Lambda &x, double k, double N) {
  const RawMoments u = unscaled(x.l3, x.l4, k, N);
  const double s = 1 / x.l2, a = x.l1;
  const double m1 = u.m1 * s, m2 = u.m2 * s * s, m3 = u.m3 * s * s * s, m4 = u.m4 * s * s * s * s;
  return {m1 + a, m2 + a * (2 * m1 + a), m3 + a * (3 * m2 + a * (3 * m1 + a)),
          m4 + a * (4 * m3 + a * (6 * m2 + a * (4 * m1 + a)))};
}

} // namespace quincunx::published
