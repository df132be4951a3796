// Pearson's system, from four moments to a law.
// The idea: standardised, p'/p = -(x + c1)/(c0 + c1 x + c2 x^2). The roots of the quadratic decide
// the type; three log-densities cover all of them: that of ln(G/H) for gamma variables G and H
// (types I and VI; III and V when one of them is a constant), and type IV in asinh x. Each is
// written relative to its mode, in the distance d from it, in a form without cancellation, so that
// nearly normal laws and those next to a type boundary need no special case. Reference:
// docs/09-percentiles-and-bounds.md; Johnson, Kotz & Balakrishnan, vol. 1, ch. 12. Type 0 is
// lib/dist/Normal.cpp, the two-point law lib/dist/Points.cpp.
#include "quincunx/dist/Pearson.h"
#include "base/Infinity.h"

#include "LogRatio.h"
#include "quincunx/dist/Families.h"
#include "quincunx/numeric/Elementary.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace quincunx {

namespace {

/// x = scale (e^d - 1 - shift): types III, V and VI.
class ExponentialShape final : public LogRatio {
public:
  ExponentialShape(double shapeA, double shapeB, double s, double displaced)
      : LogRatio(shapeA, shapeB), scale(s), shift(displaced) {}
  void places(std::span<const double> d, std::span<double> x,
              std::span<double> stretch) const override {
    inLanes(d, x, stretch, [this](Lanes at) QUINCUNX_INLINED {
      const auto [e, less1] = quickExponential(at);
      return std::pair{scale * (less1 - shift), scale * e};
    });
  }
  double coordinate(double x) const override { return std::log1p(x / scale + shift); }
  void coordinates(std::span<const double> x, std::span<double> out) const override {
    inLanes(x, out, [this](Lanes at) QUINCUNX_INLINED { return quickLog1p(at / scale + shift); });
  }
  Range support() const override { return {-scale * (1 + shift), inf}; }
  Range window() const override {
    const double z = a == inf || b == inf ? 0 : modeAbove();
    return {std::min(-42 - std::max(z, 0.0), -3.0), 690};
  }

private:
  double scale, shift;
};

/// Types IV and VII: x = mode + B (sinh d + tau (cosh d - 1)), where |tau| < 1 is tanh of the mode
/// in s = asinh and kappa^2 = 1 - tau^2;
///   g(d) = K [tau/kappa delta - ln(cosh d + tau sinh d)], K = 2m - 1,
///   delta = atan sinh(s) - atan sinh(mode).
class TypeFour final : public Shape {
public:
  TypeFour(double c0, double c1, double c2)
      : K((1 - c2) / c2), mode(-c1 / (2 * (1 - c2))),
        B(std::sqrt((c0 + c1 * mode + c2 * mode * mode) / c2)), tau((mode + c1 / (2 * c2)) / B),
        kappa(std::sqrt(std::max(4 * c0 * c2 - c1 * c1, 1e-300)) / (2 * c2 * B)),
        away(kappa * kappa / (1 + tau)) {}

  void logDensity(std::span<const double> d, std::span<double> out) const override {
    const auto step = [this](Lanes x) QUINCUNX_INLINED {
      const auto [grown, e] = quickExponential(absolute(x));
      return stepTo(x, e, 1 / grown);
    };
    if (K <= 100)
      inStages(d, out, step, [this](Lanes, const Step &s) QUINCUNX_INLINED { return far(s); });
    else
      inStages(d, out, step, [this](Lanes x, const Step &s) QUINCUNX_INLINED {
        return absolute(x) < 0.25 ? near(s, x) : far(s);
      });
  }
  void places(std::span<const double> d, std::span<double> x,
              std::span<double> stretch) const override {
    inLanes(d, x, stretch, [this](Lanes at) QUINCUNX_INLINED {
      const auto [grown, e] = quickExponential(absolute(at));
      const Lanes fallen = 1 / grown;
      return std::pair{
          mode + B * stepTo(at, e, fallen).y,
          B / 2 * ((1 + tau) * (at < 0 ? fallen : grown) + away * (at < 0 ? grown : fallen))};
    });
  }
  // With u^2 = (y + tau)^2 + kappa^2: (1 + tau) e^d = y + tau + u
  double coordinate(double x) const override {
    const double y = (x - mode) / B, u = std::hypot(y + tau, kappa);
    if (std::abs(y) < 0.3)
      return std::log1p(y * (1 + (y + 2 * tau) / (u + 1)) / (1 + tau));
    return y + tau > 0 ? std::log((y + tau + u) / (1 + tau)) : std::log(away / (u - (y + tau)));
  }
  Range support() const override { return {-inf, inf}; }
  Range window() const override { return {-690, 690}; }
  bool isSymmetric() const override { return tau == 0; }
  double spread() const override { return 1 / std::sqrt(K); }

private:
  struct Step {
    Lanes y, w; ///< sinh d + tau (cosh d - 1), cosh d + tau sinh d - 1
  };
  /// From e = e^|d| - 1, e^-|d| and e^-|d| - 1, weighted (1 + tau)/2 and (1 - tau)/2 = away/2: no
  /// cancellation even where tau is nearly 1.
  QUINCUNX_LANES Step stepTo(Lanes d, Lanes e, Lanes fallen) const {
    const Lanes f = -e * fallen;
    const Lanes up = (1 + tau) / 2 * (d < 0 ? f : e), down = away / 2 * (d < 0 ? e : f);
    return {up - down, up + down};
  }
  QUINCUNX_LANES Lanes far(const Step &s) const {
    const Lanes turn = tau == 0 ? lanes(0) : tau / kappa * quickAtan2(kappa * s.y, 1 + tau * s.y);
    return K * (turn - quickLog1p(s.w));
  }

  /// Near the mode, where every term of g/K is of second order. With y and w as above,
  /// c = cosh d - 1 and A = kappa y/(1 + tau y):
  ///   -g/K = kappa^2 c + tau^2 y^2/(1 + tau y) - (w - ln(1 + w)) + tau/kappa (A - atan A)
  QUINCUNX_LANES Lanes near(const Step &s, Lanes d) const {
    const Lanes e = quickExpm1(absolute(d)), c = e * e / (2 * (1 + e)), turned = 1 + tau * s.y,
                A = kappa * s.y / turned;
    return -K * (kappa * kappa * c + tau * tau * s.y * s.y / turned - quickXMinusLog1p(s.w) +
                 tau / kappa * quickXMinusAtan(A));
  }

  double K, mode, B, tau, kappa, away; ///< away = 1 - tau = kappa^2/(1 + tau)
};

/// beta1 = skewness^2, beta2 = kurtosis; the mirrored law has skewness >= 0.
struct Betas {
  double s, beta1, beta2, c;
  explicit Betas(const Moments &m)
      : s(std::abs(m.skewness)), beta1(s * s), beta2(m.kurtosis), c(2 * beta2 - 3 * beta1 - 6) {}
  // r = 6 (beta2 - beta1 - 1)/(6 + 3 beta1 - 2 beta2)
  double r() const { return -6 * (beta2 - beta1 - 1) / c; }
  // D = beta1 (r+2)^2 + 16 (r+1)
  double D() const { return beta1 * (r() + 2) * (r() + 2) + 16 * (r() + 1); }
};

/// Rounding of skewness and kurtosis: what differs by less is the limit itself.
constexpr double rounding = 1e-13;

} // namespace

const char *name(PearsonType type) {
  static constexpr const char *names[] = {"two-point", "0", "I",  "II", "III",
                                          "IV",        "V", "VI", "VII"};
  return names[static_cast<size_t>(type)];
}

PearsonParameters pearsonParameters(const Moments &m) {
  const Betas q(m);
  const double beta1 = q.beta1, beta2 = q.beta2, c = q.c;
  PearsonParameters out{PearsonType::normal, 0, 0, m.skewness < 0};
  if (beta2 - beta1 - 1 <= rounding * (1 + beta1)) {
    // 1/2 (1 - s/sqrt(4 + s^2)), without cancellation
    const double h = std::sqrt(4 + beta1);
    return {PearsonType::twoPoint, 2 / (h * (h + q.s)), 0, out.mirrored};
  }
  if (std::abs(c) <= rounding * (1 + beta1))
    return q.s <= rounding ? out : PearsonParameters{PearsonType::III, 4 / beta1, 0, out.mirrored};
  const double r = q.r();
  if (c < 0) {
    // a, b = r/2 [1 -+ (r+2) s/sqrt(D)], a b = 4 r^2 (r+1)/D
    const double D = q.D(), b = r / 2 * (1 + (r + 2) * q.s / std::sqrt(D));
    return {q.s <= rounding ? PearsonType::II : PearsonType::I, 4 * r * r * (r + 1) / D / b, b,
            out.mirrored};
  }
  // eta = beta1 (beta2+3)^2/(4 c (4 beta2 - 3 beta1))
  const double eta = beta1 * (beta2 + 3) * (beta2 + 3) / (4 * c * (4 * beta2 - 3 * beta1));
  if (std::abs(eta - 1) <= rounding)
    return {PearsonType::V, 3 + (8 + 4 * std::sqrt(4 + beta1)) / beta1, 0, out.mirrored};
  if (eta > 1) {
    // B = |r (r+2)/2| s/sqrt(D), alpha = B + r/2 = -4 r^2 (r+1)/D/(B - r/2), beta = 1 - r
    const double D = q.D(), B = std::abs(r * (r + 2) / 2) * q.s / std::sqrt(D);
    return {PearsonType::VI, -4 * r * r * (r + 1) / D / (B - r / 2), 1 - r, out.mirrored};
  }
  // r4 = -r, m = (r4 + 2)/2, nu = -r4 (r4-2) s/sqrt(16 (r4-1) - beta1 (r4-2)^2)
  const double r4 = -r, root = std::sqrt(16 * (r4 - 1) - beta1 * (r4 - 2) * (r4 - 2));
  return {q.s <= rounding ? PearsonType::VII : PearsonType::IV, (r4 + 2) / 2,
          q.s <= rounding ? 0 : -r4 * (r4 - 2) * q.s / root, out.mirrored};
}

namespace {

std::unique_ptr<const Shape> shapeOf(const PearsonParameters &p, const Betas &q) {
  switch (p.type) {
  case PearsonType::I:
  case PearsonType::II:
    return std::make_unique<BetaShape>(p.first, p.second);
  case PearsonType::III:
    return std::make_unique<ExponentialShape>(p.first, inf, std::sqrt(p.first), 0);
  case PearsonType::V: {
    // x = G^-1: mean 1/(a-1), deviation 1/((a-1) sqrt(a-2)), mode of ln x at 1/a
    const double a = p.first;
    return std::make_unique<ExponentialShape>(inf, a, (a - 1) * std::sqrt(a - 2) / a, 1 / (a - 1));
  }
  case PearsonType::VI: {
    // mean a/(b-1), variance a (a+b-1)/((b-2) (b-1)^2), mode of ln x at a/b
    const double a = p.first, b = p.second;
    return std::make_unique<ExponentialShape>(
        a, b, (b - 1) / b * std::sqrt(a / (a + b - 1) * (b - 2)), 1 / (b - 1));
  }
  default: {
    // c0, c1, c2 = (4 beta2 - 3 beta1, s (beta2 + 3), c)/(10 beta2 - 12 beta1 - 18)
    const double n = 10 * q.beta2 - 12 * q.beta1 - 18;
    return std::make_unique<TypeFour>((4 * q.beta2 - 3 * q.beta1) / n, q.s * (q.beta2 + 3) / n,
                                      q.c / n);
  }
  }
}

} // namespace

Result<DistributionPtr> fitPearson(const Moments &m, Range range) {
  if (const auto error = unfit(m))
    return *error;
  const PearsonParameters p = pearsonParameters(m);
  if (p.type == PearsonType::twoPoint)
    return fitTwoPoint(m, range);
  if (p.type == PearsonType::normal)
    return fitNormal(m, range);
  const double sd = m.deviation();
  return makePanelLaw(shapeOf(p, Betas(m)), {m.mean, p.mirrored ? -sd : sd}, m);
}

} // namespace quincunx
