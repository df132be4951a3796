// Power series in t cut after t^4: the algebra under every rule that combines random costs.
// The idea: E[e^{tX}] = sum m_r t^r/r! turns "and then" into a product, "or" into a sum and "again
// and again" into 1/(1 - L); its logarithm sum k_r t^r/r! turns "and then" into a sum. Cut at order
// four, either is five doubles, and every operation is straight code, so it is all inline here.
// A moment series may have a mass below 1 (a cost that is paid only with that probability).
// Reference: docs/04-the-four-rules.md; Knuth, TAOCP vol. 2, 4.7. It knows no laws and no programs,
// and checks only by asserts: overflow to infinity is the caller's to see.
#pragma once

#include "quincunx/numeric/Moments.h"

#include <array>
#include <cassert>
#include <cmath>

namespace quincunx {

/// c[0] + c[1] t + ... + c[4] t^4.
struct PowerSeries {
  std::array<double, 5> c{};

  double operator[](size_t i) const { return c[i]; }
  PowerSeries &operator+=(const PowerSeries &o) {
    for (size_t i = 0; i < 5; ++i)
      c[i] += o.c[i];
    return *this;
  }
  friend PowerSeries operator+(PowerSeries a, const PowerSeries &b) { return a += b; }
  friend PowerSeries operator-(const PowerSeries &a, const PowerSeries &b) { return a + -1.0 * b; }
  friend PowerSeries operator*(double s, const PowerSeries &a) {
    return {{s * a[0], s * a[1], s * a[2], s * a[3], s * a[4]}};
  }
  friend PowerSeries operator*(const PowerSeries &a, const PowerSeries &b) {
    return {{a[0] * b[0], a[0] * b[1] + a[1] * b[0], a[0] * b[2] + a[1] * b[1] + a[2] * b[0],
             a[0] * b[3] + a[1] * b[2] + a[2] * b[1] + a[3] * b[0],
             a[0] * b[4] + a[1] * b[3] + a[2] * b[2] + a[3] * b[1] + a[4] * b[0]}};
  }
  bool operator==(const PowerSeries &) const = default;
};

/// 1/(1 - a), where the caller gives escape = 1 - a[0] > 0: a sum of other masses, since the
/// difference would lose as many digits as the escape is small (Grassmann, Taksar & Heyman 1985).
// r_0 = 1/e, r_i = (sum_{j=1..i} a_j r_{i-j})/e, as few steps as there are: the rule that takes
// longest
inline PowerSeries star(const PowerSeries &a, double escape) {
  assert(escape > 0 && "a loop that is never left has no star");
  const double r = 1 / escape, b1 = r * a[1], b2 = r * a[2], c1 = r * b1, c2 = r * b2;
  const double r2 = b1 * c1 + c2, q = r * r, c3 = q * a[3], r3 = (c2 + r2) * b1 + c3;
  return {{r, c1, r2, r3, (c3 + r3) * b1 + b2 * r2 + q * a[4]}};
}

/// 1/a; a[0] is not 0.
inline PowerSeries inverse(const PowerSeries &a) {
  assert(a[0] != 0 && "1/a needs a constant term");
  return star({{0, -a[1], -a[2], -a[3], -a[4]}}, a[0]);
}

/// e^a.
// E' = a' E: e_i = (1/i) sum_{j=1..i} j a_j e_{i-j}
inline PowerSeries exp(const PowerSeries &a) {
  const double e0 = a[0] == 0 ? 1 : std::exp(a[0]), d2 = 2 * a[2], d3 = 3 * a[3], d4 = 4 * a[4];
  const double e1 = a[1] * e0, e2 = (a[1] * e1 + d2 * e0) / 2;
  const double e3 = (a[1] * e2 + d2 * e1 + d3 * e0) * (1 / 3.0);
  return {{e0, e1, e2, e3, (a[1] * e3 + d2 * e2 + d3 * e1 + d4 * e0) / 4}};
}

/// ln a; a[0] > 0.
// With b = a/a_0: l_i = b_i - (1/i) sum_{j=1..i-1} j l_j b_{i-j}
inline PowerSeries log(const PowerSeries &a) {
  assert(a[0] > 0 && "ln a needs a positive constant term");
  const double r = 1 / a[0], b1 = a[1] * r, b2 = a[2] * r, b3 = a[3] * r, b4 = a[4] * r;
  const double l2 = b2 - b1 * b1 / 2, l3 = b3 - (b1 * b2 + 2 * l2 * b1) * (1 / 3.0);
  return {
      {a[0] == 1 ? 0 : std::log(a[0]), b1, l2, l3, b4 - (b1 * b3 + 2 * l2 * b2 + 3 * l3 * b1) / 4}};
}

/// f(g(t)); g[0] is 0.
inline PowerSeries compose(const PowerSeries &f, const PowerSeries &g) {
  assert(g[0] == 0 && "a series is composed with one that has no constant term");
  const double g11 = g[1] * g[1], h = f[3] * g11;
  return {{f[0], f[1] * g[1], f[1] * g[2] + f[2] * g11,
           f[1] * g[3] + 2 * f[2] * g[1] * g[2] + h * g[1],
           f[1] * g[4] + f[2] * (2 * g[1] * g[3] + g[2] * g[2]) + 3 * h * g[2] + f[4] * g11 * g11}};
}

/// K = sum k_r t^r/r!.
inline PowerSeries cumulantSeries(const Cumulants &k) {
  return {{0, k.k1, k.k2 / 2, k.k3 * (1 / 6.0), k.k4 * (1 / 24.0)}};
}
/// The cumulants of a cumulant series; its constant term (the log of a mass) is left out.
inline Cumulants fromCumulantSeries(const PowerSeries &K) {
  return {K[1], 2 * K[2], 6 * K[3], 24 * K[4]};
}
/// M = e^K = sum m_r t^r/r!, of mass 1.
inline PowerSeries momentSeries(const Cumulants &k) { return exp(cumulantSeries(k)); }
/// The cumulants given that the cost is paid at all: of M/M[0]; M[0] > 0. Loses about
/// r log10(mean/deviation) digits of k_r, so shift M near its mean before it comes to that.
inline Cumulants fromMomentSeries(const PowerSeries &M) { return fromCumulantSeries(log(M)); }
/// The moment series of X + a from that of X.
inline PowerSeries shift(const PowerSeries &M, double a) { return M * momentSeries({a, 0, 0, 0}); }

} // namespace quincunx
