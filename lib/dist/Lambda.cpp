// The generalised lambda law of Ramberg and Schmeiser: Q(u) = l1 + (u^a - (1-u)^b)/l2.
// The idea: skewness and kurtosis depend on (a, b) alone; Newton's method from the nearest members
// of a table, on moments by a fixed rule in tau = -ln u. Two members may share all four moments:
// those with a, b <= 1 have one mode, and are taken first. Reference: docs/09-percentiles-and-
// bounds.md; Gautama's thesis (5.9). Only part of the plane is reached, and the exponential law is
// only a limit; outside it refuses.
#include "quincunx/dist/Families.h"
#include "quincunx/numeric/Solve.h"

#include "Invert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace quincunx {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// u and 1 - u by their logarithms.
struct Place {
  double logU, logQ;
};
Place placeOf(double logit) { // ln u = -ln(1 + e^-z)
  return logit < 0 ? Place{logit - std::log1p(std::exp(logit)), -std::log1p(std::exp(logit))}
                   : Place{-std::log1p(std::exp(-logit)), -logit - std::log1p(std::exp(-logit))};
}

/// u^a - (1-u)^b, rising: for negative exponents the sign is turned.
struct Exponents {
  double a = 0, b = 0;
  double sign() const { return a > 0 || b > 0 ? 1 : -1; }
  double at(const Place &p) const {
    return sign() * (std::expm1(a * p.logU) - std::expm1(b * p.logQ));
  }
  // d/dz, z = logit u: u (1-u) (a u^(a-1) + b (1-u)^(b-1))
  double slope(const Place &p) const {
    return sign() * (a * std::exp(a * p.logU + p.logQ) + b * std::exp(b * p.logQ + p.logU));
  }
};

/// Mean, variance, skewness and kurtosis: int Q(e^-tau) e^-tau dtau with tau = exp(x - e^-x),
/// trapezoid in x.
Moments momentsOf(const Exponents &e) {
  struct Node {
    Place p;
    double w;
  };
  static const std::vector<Node> nodes = [] {
    std::vector<Node> n;
    constexpr double step = 1.0 / 16;
    for (double x = -5.5; x <= 4.3; x += step) {
      const double tau = std::exp(x - std::exp(-x));
      n.push_back(
          {{-tau, std::log(-std::expm1(-tau))}, step * (1 + std::exp(-x)) * tau * std::exp(-tau)});
    }
    return n;
  }();
  double mean = 0, m2 = 0, m3 = 0, m4 = 0, mass = 0;
  std::vector<double> y;
  for (const Node &n : nodes) {
    y.push_back(e.at(n.p));
    mean += n.w * y.back(), mass += n.w;
  }
  mean /= mass;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const double d = y[i] - mean, w = nodes[i].w / mass;
    m2 += w * d * d, m3 += w * d * d * d, m4 += w * d * d * d * d;
  }
  return {mean, m2, m3 / (m2 * std::sqrt(m2)), m4 / (m2 * m2)};
}

bool allowed(const Exponents &e) { return std::min(e.a, e.b) > -0.2495 && e.a * e.b > 0; }

class Lambda final : public Distribution {
public:
  Lambda(const Exponents &exponents, double from, double unit, const Moments &m)
      : e(exponents), origin(from), scale(unit), known(m) {}
  double cdf(double t) const override { return std::exp(placeOf(logit(t)).logU); }
  double survival(double t) const override { return std::exp(placeOf(logit(t)).logQ); }
  double quantile(double p) const override {
    return p > 0 && p < 1 ? at(std::log(p) - std::log1p(-p))
           : p > 0        ? support().high
                          : support().low;
  }
  double upperQuantile(double q) const override {
    return q > 0 && q < 1 ? at(std::log1p(-q) - std::log(q))
           : q > 0        ? support().low
                          : support().high;
  }
  // 1/Q'(u) = u (1-u)/(dQ/dz)
  std::optional<double> density(double t) const override {
    const double z = logit(t);
    if (!std::isfinite(z))
      return 0;
    const Place p = placeOf(z);
    return std::exp(p.logU + p.logQ) / (scale * e.slope(p));
  }
  Moments moments() const override { return known; }
  Range support() const override {
    return {e.a > 0 ? origin - scale : -inf, e.b > 0 ? origin + scale : inf};
  }
  std::vector<double> knots() const override {
    // The tail x^-1/b of the survival times x^4 falls like exp(-(1 + 4b) z).
    const auto reach = [](double x) { return x > 0 ? 46.0 : std::min(46 / (1 + 4 * x), 690.0); };
    std::vector<double> k;
    for (double z = -reach(e.a); z < reach(e.b); z += 1)
      k.push_back(at(z));
    if (e.a > 0) {
      k.push_back(support().low);
      k.push_back(support().high);
    }
    sortKnots(k);
    return k;
  }

private:
  double at(double z) const { return origin + scale * e.at(placeOf(z)); }
  double logit(double t) const {
    const double y = (t - origin) / scale;
    if (e.a > 0 && y <= -1)
      return -inf;
    if (e.b > 0 && y >= 1)
      return inf;
    if (std::isinf(y))
      return y;
    return solve(
        [&](double z) {
          const Place p = placeOf(z);
          return Curve{e.at(p) - y, e.slope(p)};
        },
        -700, 700, 0);
  }

  Exponents e;
  double origin, scale;
  Moments known;
};

struct Member {
  Exponents e;
  Moments m;
};
const std::vector<Member> &table() {
  static const std::vector<Member> members = [] {
    std::vector<double> grid;
    for (int i = 0; i < 14; ++i)
      grid.push_back(-0.24 * std::pow(0.66, i));
    for (int i = 0; i < 20; ++i)
      grid.push_back(0.001 * std::pow(1000, i / 19.0));
    for (int i = 0; i < 10; ++i)
      grid.push_back(1.1 + 0.8 * i);
    std::vector<Member> t;
    for (const double a : grid)
      for (const double b : grid)
        if (allowed({a, b}))
          t.push_back({{a, b}, momentsOf({a, b})});
    return t;
  }();
  return members;
}

/// Distance in (skewness, kurtosis), in the units of each.
double distance(const Moments &x, const Moments &m) {
  return std::abs(x.skewness - m.skewness) / (1 + std::abs(m.skewness)) +
         std::abs(x.kurtosis - m.kurtosis) / m.kurtosis;
}

/// Newton's method with halved steps; the distance reached.
double refine(Exponents &e, const Moments &m) {
  Moments now = momentsOf(e);
  for (int i = 0; i < 60 && distance(now, m) > 1e-13; ++i) {
    const double ha = 1e-6 * std::abs(e.a), hb = 1e-6 * std::abs(e.b);
    const Moments a = momentsOf({e.a + ha, e.b}), A = momentsOf({e.a - ha, e.b});
    const Moments b = momentsOf({e.a, e.b + hb}), B = momentsOf({e.a, e.b - hb});
    const double sa = (a.skewness - A.skewness) / (2 * ha),
                 sb = (b.skewness - B.skewness) / (2 * hb);
    const double ka = (a.kurtosis - A.kurtosis) / (2 * ha),
                 kb = (b.kurtosis - B.kurtosis) / (2 * hb);
    const double det = sa * kb - sb * ka, s = now.skewness - m.skewness,
                 k = now.kurtosis - m.kurtosis;
    const double da = (s * kb - k * sb) / det, db = (sa * k - ka * s) / det;
    double part = 1;
    for (;; part /= 2) {
      const Exponents next{e.a - part * da, e.b - part * db};
      if (part < 1e-5)
        return distance(now, m);
      if (!allowed(next))
        continue;
      const Moments there = momentsOf(next);
      if (distance(there, m) < distance(now, m)) {
        e = next, now = there;
        break;
      }
    }
  }
  return distance(now, m);
}

} // namespace

Result<DistributionPtr> fitLambda(const Moments &m, Range) {
  if (const auto error = unfit(m))
    return *error;
  // The nearest members of the table with one mode, then the nearest of the others.
  for (const bool oneMode : {true, false}) {
    std::vector<const Member *> near;
    for (const Member &x : table())
      if ((std::max(x.e.a, x.e.b) <= 1) == oneMode)
        near.push_back(&x);
    std::partial_sort(
        near.begin(), near.begin() + 8, near.end(),
        [&](const Member *x, const Member *y) { return distance(x->m, m) < distance(y->m, m); });
    for (size_t i = 0; i < 8; ++i) {
      Exponents e = near[i]->e;
      if (refine(e, m) > 1e-10 || (oneMode && std::max(e.a, e.b) > 1 + 1e-9))
        continue;
      const Moments own = momentsOf(e);
      const double scale = std::sqrt(m.variance / own.variance);
      return DistributionPtr(std::make_shared<Lambda>(e, m.mean - scale * own.mean, scale, m));
    }
  }
  return Error{"no generalised lambda law has this skewness and kurtosis"};
}

} // namespace quincunx
