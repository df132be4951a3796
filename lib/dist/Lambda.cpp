// The generalised lambda law of Ramberg and Schmeiser: l1 + (u^a - (1-u)^b)/l2, with a b > 0.
// The idea: skewness and kurtosis depend on (a, b) alone, and are beta functions of them. Divided
// by b the law goes smoothly through b = 0, where only a/b counts (logistic to exponential), so the
// limits belong to it. A table of triangles gives every member that may have the moments; Newton's
// method refines them, and of several the one with the least larger exponent is taken. Reference:
// docs/09-percentiles-and-bounds.md; Gautama's thesis (5.9). Exponents lie between -0.2499 (from
// -1/4 on there is no kurtosis) and 40 (above, one tail lies in a fortieth of the mass); those of
// opposite signs are left out. Outside of what they reach it refuses.
#include "base/Infinity.h"
#include "quincunx/dist/Families.h"
#include "quincunx/numeric/Solve.h"

#include "Invert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace quincunx {

namespace {

/// u and 1 - u by their logarithms.
struct Place {
  double logU, logQ;
};
Place placeOf(double logit) { // ln u = -ln(1 + e^-z)
  return logit < 0 ? Place{logit - std::log1p(std::exp(logit)), -std::log1p(std::exp(logit))}
                   : Place{-std::log1p(std::exp(-logit)), -logit - std::log1p(std::exp(-logit))};
}

/// y(u) = w L_a(u) - v L_b(1-u) with L_e(u) = (u^e - 1)/e, which is ln u for e = 0. For w/v = a/b
/// it is u^a - (1-u)^b up to place and scale.
struct Member {
  double a = 0, b = 0, w = 1, v = 1;

  double at(const Place &p) const { return w * power(a, p.logU) - v * power(b, p.logQ); }
  // dy/dz, z = logit u: u (1-u) (w u^(a-1) + v (1-u)^(b-1))
  double slope(const Place &p) const {
    return w * std::exp(a * p.logU + p.logQ) + v * std::exp(b * p.logQ + p.logU);
  }
  double low() const { return w == 0 ? 0 : a > 0 ? -w / a : -inf; }
  double high() const { return v == 0 ? 0 : b > 0 ? v / b : inf; }

private:
  static double power(double e, double log) {
    return std::abs(e * log) < 1e-16 ? log : std::expm1(e * log) / e;
  }
};

/// Where a member is looked for: b/(1+b) = beta, a/(1+a) = ratio beta. From 0 (one power alone) to
/// 1 (symmetric) the ratio has every member or its mirror image, with b the larger exponent in
/// size.
struct Spot {
  double ratio = 0, beta = 0;
  Member member() const {
    const double alpha = ratio * beta;
    return {alpha / (1 - alpha), beta / (1 - beta), ratio * (1 - beta) / (1 - alpha), 1};
  }
};
constexpr double minBeta = -0.2499 / (1 - 0.2499), maxBeta = 40.0 / 41;
bool inside(const Spot &x) {
  const double alpha = x.ratio * x.beta;
  return x.ratio > -0.05 && std::min(alpha, x.beta) >= minBeta &&
         std::max(alpha, x.beta) <= maxBeta;
}

/// Moments of members with small exponents, where beta functions cancel: int y(e^-tau) e^-tau dtau
/// with tau = exp(x - e^-x), trapezoid in x.
Moments byRule(const Member &e) {
  struct Node {
    Place p;
    double weight;
  };
  static const std::vector<Node> nodes = [] {
    std::vector<Node> n;
    constexpr double step = 1.0 / 8;
    for (int i = -44; i <= 34; ++i) { // x from -5.5 to 4.25
      const double x = step * i, tau = std::exp(x - std::exp(-x));
      n.push_back(
          {{-tau, std::log(-std::expm1(-tau))}, step * (1 + std::exp(-x)) * tau * std::exp(-tau)});
    }
    return n;
  }();
  std::array<double, 128> y;
  double mean = 0, mass = 0, m2 = 0, m3 = 0, m4 = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    y[i] = e.at(nodes[i].p);
    mean += nodes[i].weight * y[i], mass += nodes[i].weight;
  }
  mean /= mass;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const double d = y[i] - mean, w = nodes[i].weight / mass;
    m2 += w * d * d, m3 += w * d * d * d, m4 += w * d * d * d * d;
  }
  return {mean, m2, m3 / (m2 * std::sqrt(m2)), m4 / (m2 * m2)};
}

// E (u^a - (1-u)^b)^n = sum_j C(n,j) (-1)^j B(a(n-j) + 1, bj + 1), y that over b
Moments byBeta(const Member &e) {
  std::array<double, 4> gammaA{}, gammaB{}, raw{};
  for (size_t j = 1; j < 4; ++j) {
    const auto n = static_cast<double>(j);
    gammaA[j] = std::tgamma(n * e.a + 1), gammaB[j] = std::tgamma(n * e.b + 1);
  }
  for (size_t n = 1; n <= 4; ++n) {
    double choose = 1;
    for (size_t j = 0; j <= n; ++j) {
      const auto r = static_cast<double>(n - j), s = static_cast<double>(j);
      const double beta = j == 0   ? 1 / (r * e.a + 1)
                          : j == n ? 1 / (s * e.b + 1)
                                   : gammaA[n - j] * gammaB[j] / std::tgamma(r * e.a + s * e.b + 2);
      raw[n - 1] += (j % 2 == 0 ? choose : -choose) * beta;
      choose *= r / (s + 1);
    }
  }
  const Moments m = moments(cumulants(RawMoments{raw[0], raw[1], raw[2], raw[3]}));
  return {m.mean / e.b, m.variance / (e.b * e.b), e.b < 0 ? -m.skewness : m.skewness, m.kurtosis};
}

/// Moments of a member found at a spot (v = 1).
Moments momentsOf(const Member &e) {
  return std::max(std::abs(e.a), std::abs(e.b)) < 0.1 ? byRule(e) : byBeta(e);
}

class Lambda final : public Distribution {
public:
  Lambda(const Member &member, double from, double unit, const Moments &m)
      : e(member), origin(from), scale(unit), known(m) {}
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
  Range support() const override { return {origin + scale * e.low(), origin + scale * e.high()}; }
  std::vector<double> knots() const override {
    // The tail x^-1/b of the survival times x^4 falls like exp(-(1 + 4b) z).
    const auto reach = [](double x) { return x > 0 ? 46.0 : std::min(46 / (1 + 4 * x), 690.0); };
    std::vector<double> k;
    const int first = static_cast<int>(-reach(e.a)), last = static_cast<int>(reach(e.b));
    for (int z = first; z <= last; ++z)
      k.push_back(at(z));
    addEnds(support(), k);
    sortKnots(k);
    return k;
  }

private:
  double at(double z) const { return origin + scale * e.at(placeOf(z)); }
  double logit(double t) const {
    const double y = (t - origin) / scale;
    if (y <= e.low())
      return -inf;
    if (y >= e.high())
      return inf;
    return solve(
        [&](double z) {
          const Place p = placeOf(z);
          return Curve{e.at(p) - y, e.slope(p)};
        },
        -700, 700, 0);
  }

  Member e;
  double origin, scale;
  Moments known;
};

/// Skewness and 1/kurtosis: nearly linear in the spot over a triangle of the table.
struct Image {
  double s = 0, f = 0;
};
Image imageOf(const Spot &x) {
  const Moments m = momentsOf(x.member());
  return {m.skewness, 1 / m.kurtosis};
}
/// How far the moments at hand are from those wanted: relative in the kurtosis.
double distance(const Image &x, const Image &wanted) {
  return std::abs(x.s - wanted.s) / (1 + std::abs(wanted.s)) + std::abs(x.f / wanted.f - 1);
}

struct Start {
  Spot spot;
  bool mirrored; ///< the mirror image of the member has what is wanted
};

/// Corners of triangles over all spots.
class Table {
public:
  Table() {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        const Spot x{j / (columns - 1.0), minBeta + (maxBeta - minBeta) * i / (rows - 1.0)};
        corners.push_back({x, imageOf(x)});
      }
  }

  /// Starts from which a member with these moments may be reached: triangles that hold them, or
  /// would if they were half as large again.
  void starts(const Image &wanted, bool mirrored, std::vector<Start> &out) const {
    for (size_t i = 0; i + columns < corners.size(); ++i) {
      if (i % columns == columns - 1)
        continue;
      const Corner &p = corners[i], &q = corners[i + 1], &r = corners[i + columns],
                   &t = corners[i + columns + 1];
      add(p, q, r, wanted, mirrored, out);
      add(t, q, r, wanted, mirrored, out);
    }
  }

private:
  static constexpr int rows = 65, columns = 33;
  struct Corner {
    Spot spot;
    Image image;
  };

  // The shares x = p + g (q - p) + h (r - p) of what is wanted, by Cramer's rule
  static void add(const Corner &p, const Corner &q, const Corner &r, const Image &wanted,
                  bool mirrored, std::vector<Start> &out) {
    const double s1 = q.image.s - p.image.s, f1 = q.image.f - p.image.f;
    const double s2 = r.image.s - p.image.s, f2 = r.image.f - p.image.f;
    const double s = wanted.s - p.image.s, f = wanted.f - p.image.f, det = s1 * f2 - s2 * f1;
    const double g = (s * f2 - s2 * f) / det, h = (s1 * f - s * f1) / det;
    if (!(g > -0.5 && h > -0.5 && g + h < 1.5))
      return;
    const Spot x{p.spot.ratio + g * (q.spot.ratio - p.spot.ratio) +
                     h * (r.spot.ratio - p.spot.ratio),
                 p.spot.beta + g * (q.spot.beta - p.spot.beta) + h * (r.spot.beta - p.spot.beta)};
    out.push_back(
        {{std::clamp(x.ratio, 0.0, 1.0), std::clamp(x.beta, minBeta, maxBeta)}, mirrored});
  }

  std::vector<Corner> corners;
};

/// Newton's method with halved steps; the distance reached.
double refine(Spot &x, const Image &wanted) {
  Image now = imageOf(x);
  for (int i = 0; i < 60 && distance(now, wanted) > 1e-13; ++i) {
    constexpr double h = 1e-6;
    const Image r = imageOf({x.ratio + h, x.beta}), R = imageOf({x.ratio - h, x.beta});
    const Image b = imageOf({x.ratio, x.beta + h}), B = imageOf({x.ratio, x.beta - h});
    const double sr = (r.s - R.s) / (2 * h), fr = (r.f - R.f) / (2 * h);
    const double sb = (b.s - B.s) / (2 * h), fb = (b.f - B.f) / (2 * h);
    const double det = sr * fb - sb * fr, s = now.s - wanted.s, f = now.f - wanted.f;
    const double dr = (s * fb - f * sb) / det, db = (sr * f - fr * s) / det;
    for (double part = 1;; part /= 2) {
      if (!(part > 1e-5))
        return distance(now, wanted);
      const Spot next{x.ratio - part * dr, x.beta - part * db};
      if (!inside(next))
        continue;
      const Image there = imageOf(next);
      if (distance(there, wanted) < distance(now, wanted)) {
        x = next, now = there;
        break;
      }
    }
  }
  return distance(now, wanted);
}

struct Standard {
  Member member;
  Moments moments;
};
/// The member of least larger exponent with this image, or the mirror image of one.
std::optional<Standard> find(const Image &wanted) {
  static const Table table;
  std::vector<Start> starts;
  for (const bool mirrored : {false, true})
    table.starts({mirrored ? -wanted.s : wanted.s, wanted.f}, mirrored, starts);
  std::ranges::sort(starts, {}, [](const Start &x) { return x.spot.beta; });
  std::optional<Spot> best;
  bool mirrored = false;
  for (Start x : starts) {
    if (best && x.spot.beta >= best->beta)
      break; // leads to the same member or to one of larger exponents
    const Image image{x.mirrored ? -wanted.s : wanted.s, wanted.f};
    if (refine(x.spot, image) > 1e-10)
      continue;
    if (x.spot.ratio < 1e-12) // one power alone, but for rounding
      x.spot.ratio = 0;
    if (std::abs(x.spot.beta) < 1e-12)
      x.spot.beta = 0;
    if ((!best || x.spot.beta < best->beta) && distance(imageOf(x.spot), image) <= 1e-10)
      best = x.spot, mirrored = x.mirrored;
  }
  if (!best)
    return std::nullopt;
  const Member e = best->member();
  Moments m = momentsOf(e);
  if (!mirrored)
    return Standard{e, m};
  m.mean = -m.mean, m.skewness = -m.skewness;
  return Standard{{e.b, e.a, e.v, e.w}, m};
}

} // namespace

Result<DistributionPtr> fitLambda(const Moments &m, Range) {
  if (const auto error = unfit(m))
    return *error;
  const std::optional<Standard> found = find({m.skewness, 1 / m.kurtosis});
  if (!found)
    return Error{"no generalised lambda law with exponents of one sign from -0.2499 to 40 has this "
                 "skewness and kurtosis"};
  const double scale = std::sqrt(m.variance / found->moments.variance);
  return DistributionPtr(
      std::make_shared<Lambda>(found->member, m.mean - scale * found->moments.mean, scale, m));
}

} // namespace quincunx
