// Johnson's system: h((Z - gamma)/delta) for normal Z, with h = exp (SL), sinh (SU), logistic (SB).
// The idea: at a given skewness the lognormal law has one kurtosis; above it lies one SU law, below
// it one SB law. SU has closed forms and one root to find; SB is two nested roots, of the skewness
// in gamma and of the kurtosis in ln(1/delta). Reference: docs/09-percentiles-and-bounds.md;
// Johnson (1949); Tuenter (2001) for SU. Exact for lognormal laws; not the first choice for others.
// It refuses a kurtosis above 1e6, and less than about 1e-6 (1 + skewness^2) above the least
// possible.
#include "base/Infinity.h"
#include "quincunx/dist/Families.h"
#include "quincunx/numeric/Quadrature.h"
#include "quincunx/numeric/Solve.h"
#include "quincunx/numeric/Special.h"

#include "Invert.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

enum class Kind { SL, SU, SB };

/// y = h((z - gamma) sigma), sigma = 1/delta; t = origin + scale y.
struct Parameters {
  Kind kind = Kind::SL;
  double gamma = 0, sigma = 0, origin = 0, scale = 1;
};

double h(Kind kind, double x) {
  return kind == Kind::SL ? std::exp(x) : kind == Kind::SU ? std::sinh(x) : 1 / (1 + std::exp(-x));
}

/// Where the logistic function of (z - gamma) sigma is integrated: panels that know how steep it
/// is, to where no fourth power of it under the normal law has weight.
std::vector<double> boundedPlaces(double gamma, double sigma) {
  const double low = -13, high = 9 + std::max(4.0, std::min(4 * sigma, gamma));
  std::vector<double> z{low, high};
  for (int i = 1; i * 1.3 < high - low; ++i)
    z.push_back(low + 1.3 * i);
  for (const double reach : {0.8, 1.7, 3., 5., 8., 12., 18., 26., 36.})
    for (const double at : {gamma - reach / sigma, gamma + reach / sigma})
      if (at > low && at < high)
        z.push_back(at);
  sortKnots(z);
  return z;
}

class Johnson final : public Distribution {
public:
  Johnson(const Parameters &fitted, const Moments &m) : p(fitted), known(m) {}

  double cdf(double t) const override { return tail(t, p.scale > 0); }
  double survival(double t) const override { return tail(t, p.scale < 0); }
  double quantile(double u) const override {
    return u > 0 && u < 1 ? at(normalQuantile(u)) : u > 0 ? support().high : support().low;
  }
  double upperQuantile(double q) const override {
    return q > 0 && q < 1 ? at(-normalQuantile(q)) : q > 0 ? support().low : support().high;
  }
  // phi(z) dz/dy / |scale|
  std::optional<double> density(double t) const override {
    const double y = (t - p.origin) / p.scale, z = normal(y);
    if (!std::isfinite(z))
      return 0;
    const double slope = p.kind == Kind::SL   ? y
                         : p.kind == Kind::SU ? std::hypot(1, y)
                                              : y * (1 - y);
    return normalDensity(z) / (slope * p.sigma * std::abs(p.scale));
  }
  Moments moments() const override { return known; }
  Range support() const override {
    const double low = p.kind == Kind::SU ? -inf : p.origin;
    const double high = p.kind == Kind::SB ? p.origin + p.scale : p.scale > 0 ? inf : -inf;
    return p.kind == Kind::SU ? Range{-inf, inf} : Range{std::min(low, high), std::max(low, high)};
  }
  std::vector<double> knots() const override {
    std::vector<double> z, k;
    if (p.kind == Kind::SB)
      z = boundedPlaces(p.gamma, p.sigma);
    else {
      const double reach = 13 + 4 * p.sigma, step = std::min(1.3, 1.3 / p.sigma);
      for (int i = 0; (i - 1) * step < 2 * reach; ++i)
        z.push_back(i * step - reach);
    }
    for (const double at : z)
      if (const double t = p.origin + p.scale * h(p.kind, (at - p.gamma) * p.sigma);
          std::isfinite(t))
        k.push_back(t);
    addEnds(support(), k);
    sortKnots(k);
    return k;
  }

private:
  /// z of y; infinite outside the support.
  double normal(double y) const {
    if (p.kind == Kind::SU)
      return p.gamma + std::asinh(y) / p.sigma;
    if (y <= 0)
      return -inf;
    if (p.kind == Kind::SB && y >= 1)
      return inf;
    return p.gamma + (p.kind == Kind::SL ? std::log(y) : std::log(y) - std::log1p(-y)) / p.sigma;
  }
  double tail(double t, bool below) const {
    const double z = normal((t - p.origin) / p.scale);
    return below ? normalCdf(z) : normalSurvival(z);
  }
  double at(double z) const {
    return p.origin + p.scale * h(p.kind, ((p.scale < 0 ? -z : z) - p.gamma) * p.sigma);
  }

  Parameters p;
  Moments known;
};

/// Mean and variance of h to place the law by, for a skewness >= 0.
Parameters placed(Kind kind, double gamma, double sigma, double mean, double variance,
                  const Moments &m) {
  const double scale = (m.skewness < 0 ? -1 : 1) * std::sqrt(m.variance / variance);
  return {kind, gamma, sigma, m.mean - scale * mean, scale};
}

/// w = exp(sigma^2) of the lognormal law with skewness s: (w-1)(w+2)^2 = s^2
double lognormalW(double s) {
  const auto f = [s](double w) {
    return Curve{(w - 1) * (w + 2) * (w + 2) - s * s, (w + 2) * (w + 2) + 2 * (w - 1) * (w + 2)};
  };
  return s == 0 ? 1 : solve(f, 1, 2 + std::cbrt(s * s), 1 + s * s / 9);
}

// Tuenter: with M(w) = -2 + sqrt(4 + 2 (w^2 - (b2 + 3)/(w^2 + 2w + 3))), the root in w of
// (w - 1 - M)(w + 2 + M/2)^2 = b1 between the lognormal w of this kurtosis and
// sqrt(-1 + sqrt(2 b2 - 2))
Parameters fitUnbounded(const Moments &m) {
  const double b1 = m.skewness * m.skewness, b2 = m.kurtosis;
  const auto M = [b2](double w) {
    return -2 + std::sqrt(4 + 2 * (w * w - (b2 + 3) / (w * w + 2 * w + 3)));
  };
  const double high = std::sqrt(-1 + std::sqrt(2 * b2 - 2));
  const double low =
      solve([b2](double w) { return Curve{w * w * w * w + 2 * w * w * w + 3 * w * w - 3 - b2}; }, 1,
            high, high);
  // Falls in w, from above b1 at the lognormal w of the kurtosis to below it.
  const double w = solve(
      [&](double x) {
        const double e = M(x);
        return Curve{b1 - (x - 1 - e) * (x + 2 + e / 2) * (x + 2 + e / 2)};
      },
      low, high, low + (high - low) / 2);
  const double e = M(w), sigma = std::sqrt(std::log(w)), root = w + 2 + e / 2;
  // Omega = -asinh sqrt((w+1)/(2w) ((w-1)/M - 1)), negative for a skewness above 0; at the root
  // (w - 1 - M)/M is b1/M/(w + 2 + M/2)^2, without cancellation
  const double O = -std::asinh(std::sqrt((w + 1) / (2 * w) * b1 / e) / root);
  return placed(Kind::SU, O / sigma, sigma, -std::sqrt(w) * std::sinh(O),
                (w - 1) * (w * std::cosh(2 * O) + 1) / 2, m);
}

/// Moments of the logistic function of (Z - gamma) sigma, and how fast its skewness rises in gamma.
struct Logistic {
  Moments moments;
  double slope = 0;
};
Logistic logistic(double gamma, double sigma) {
  const std::vector<double> edges = boundedPlaces(gamma, sigma);
  std::vector<double> y, w;
  double mean = 0, fall = 0; // dy/dgamma = -sigma y (1 - y)
  for (size_t i = 1; i < edges.size(); ++i)
    for (size_t j = 0; j < panelPoints; ++j) {
      const double half = (edges[i] - edges[i - 1]) / 2;
      const double z = edges[i - 1] + half * (1 + gaussNodes()[j]);
      y.push_back(h(Kind::SB, (z - gamma) * sigma));
      w.push_back(half * gaussWeights()[j] * normalDensity(z));
      mean += w.back() * y.back();
      fall += w.back() * y.back() * (1 - y.back());
    }
  double m2 = 0, m3 = 0, m4 = 0, slope2 = 0, slope3 = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    const double d = y[i] - mean, slope = sigma * (fall - y[i] * (1 - y[i]));
    m2 += w[i] * d * d, m3 += w[i] * d * d * d, m4 += w[i] * d * d * d * d;
    slope2 += w[i] * 2 * d * slope, slope3 += w[i] * 3 * d * d * slope;
  }
  const double cube = m2 * std::sqrt(m2);
  return {{mean, m2, m3 / cube, m4 / (m2 * m2)}, (slope3 - 1.5 * m3 * slope2 / m2) / cube};
}

/// gamma >= 0 with this skewness at sigma: it rises with gamma up to that of the lognormal law.
double gammaOf(double s, double sigma, double start) {
  if (s == 0)
    return 0;
  double high = std::max(1.0, start);
  while (logistic(high, sigma).moments.skewness < s && (high < 12 || high * sigma < 40))
    high *= 2;
  return solve(
      [&](double g) {
        const Logistic at = logistic(g, sigma);
        return Curve{at.moments.skewness - s, at.slope};
      },
      0, high, start, 1);
}

Result<Parameters> fitBounded(const Moments &m, double w) {
  const double s = std::abs(m.skewness), least = 1 + s * s;
  // The kurtosis falls with sigma, from the lognormal law's down to that of two values, as 1/sigma.
  const double low = std::max(std::sqrt(std::log(w)) * (1 + 1e-12), 1e-5), high = 1e6;
  double gamma = 1;
  const auto excess = [&](double logSigma) {
    const double sigma = std::exp(logSigma);
    gamma = gammaOf(s, sigma, gamma);
    return std::log((m.kurtosis - least) / (logistic(gamma, sigma).moments.kurtosis - least));
  };
  if (!(excess(std::log(high)) >= 0))
    return Error{"johnson's bounded law is too near to two values here"};
  if (!(excess(std::log(low)) < 0))
    return Error{"johnson's bounded law is too near to the lognormal law here"};
  // The excess is known to the rounding of the kurtosis against its distance from the least.
  const double sigma =
      std::exp(solve([&](double x) { return Curve{excess(x)}; }, std::log(low), std::log(high),
                     std::log(low) + 0.5, m.kurtosis / (m.kurtosis - least)));
  gamma = gammaOf(s, sigma, gamma);
  const Moments own = logistic(gamma, sigma).moments;
  if (!(std::abs(own.skewness - s) < 1e-10 * (1 + s)) ||
      !(std::abs(own.kurtosis / m.kurtosis - 1) < 1e-10))
    return Error{"johnson's bounded law is too near to its limits here"};
  return placed(Kind::SB, gamma, sigma, own.mean, own.variance, m);
}

} // namespace

Result<DistributionPtr> fitJohnson(const Moments &m, Range range) {
  if (const auto error = unfit(m))
    return *error;
  const double s = std::abs(m.skewness), w = lognormalW(s);
  if (m.kurtosis > 1e6)
    return Error{"johnson's laws are not fitted to a kurtosis above 1e6"};
  const double line = w * w * w * w + 2 * w * w * w + 3 * w * w - 3;
  if (std::abs(m.kurtosis - line) <= 1e-10 * line) {
    if (s < 1e-6)
      return fitNormal(m, range);
    const double sigma = std::sqrt(std::log(w));
    return DistributionPtr(
        std::make_shared<Johnson>(placed(Kind::SL, 0, sigma, std::sqrt(w), w * (w - 1), m), m));
  }
  if (m.kurtosis > line)
    return DistributionPtr(std::make_shared<Johnson>(fitUnbounded(m), m));
  const Result<Parameters> bounded = fitBounded(m, w);
  if (!bounded)
    return bounded.error();
  return DistributionPtr(std::make_shared<Johnson>(*bounded, m));
}

} // namespace quincunx
