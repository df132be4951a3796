// The law of largest entropy with four moments: exp of a polynomial of degree four.
// The idea: its coefficients minimise a convex function (the dual), ln of the mass less their
// product with the moments, so damped Newton steps cannot go astray; Hermite polynomials as basis
// keep the Hessian near the unit matrix. It can have two modes, which no Pearson law has.
// Reference: docs/09-percentiles-and-bounds.md; Mead & Papanicolaou (1984). Its support is cut at 9
// deviations below and 14 above the mean (mirrored for a negative skewness) and at the end of the
// range; its tails are poor for a skewness above 1.
#include "quincunx/dist/Families.h"
#include "quincunx/dist/PanelLaw.h"
#include "quincunx/numeric/Quadrature.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace quincunx {

namespace {

using Four = std::array<double, 4>;

/// Hermite polynomials of degree 1 to 4, of unit variance under the normal law.
Four basis(double x) {
  const double x2 = x * x;
  return {x, (x2 - 1) / std::numbers::sqrt2, (x2 - 3) * x / std::sqrt(6.0),
          ((x2 - 6) * x2 + 3) / std::sqrt(24.0)};
}

double product(const Four &a, const Four &b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/// H x = g for a positive definite H, by Cholesky's L L'.
Four solvePositive(std::array<Four, 4> H, Four g) {
  for (size_t j = 0; j < 4; ++j) {
    for (size_t k = 0; k < j; ++k)
      for (size_t i = j; i < 4; ++i)
        H[i][j] -= H[i][k] * H[j][k];
    const double root = std::sqrt(std::max(H[j][j], 1e-30));
    for (size_t i = j; i < 4; ++i)
      H[i][j] /= root;
  }
  for (size_t i = 0; i < 4; ++i) {
    for (size_t k = 0; k < i; ++k)
      g[i] -= H[i][k] * g[k];
    g[i] /= H[i][i];
  }
  for (size_t i = 4; i-- > 0;) {
    for (size_t k = i + 1; k < 4; ++k)
      g[i] -= H[k][i] * g[k];
    g[i] /= H[i][i];
  }
  return g;
}

class PolynomialShape final : public Shape {
public:
  PolynomialShape(const Four &coefficients, Range r, double center)
      : a(coefficients), range(r), mode(center), top(product(a, basis(mode))) {}
  void logDensity(std::span<const double> d, std::span<double> out) const override {
    for (size_t i = 0; i < d.size(); ++i)
      out[i] = product(a, basis(mode + d[i])) - top;
  }
  void places(std::span<const double> d, std::span<double> x,
              std::span<double> stretch) const override {
    for (size_t i = 0; i < d.size(); ++i)
      x[i] = mode + d[i], stretch[i] = 1;
  }
  double coordinate(double x) const override { return x - mode; }
  Range support() const override { return range; }
  Range window() const override { return {range.low - mode, range.high - mode}; }
  bool endsThere() const override { return true; }
  double spread() const override { return 0.2; }

private:
  Four a;
  Range range;
  double mode, top;
};

/// The dual at a: its value, gradient and Hessian, by Gauss panels.
class Dual {
public:
  Dual(Range range, const Four &moments) : target(moments) {
    constexpr int panels = 120;
    const double half = (range.high - range.low) / (2 * panels);
    for (int i = 0; i < panels; ++i)
      for (size_t j = 0; j < panelPoints; ++j) {
        x.push_back(range.low + half * (2 * i + 1 + gaussNodes()[j]));
        B.push_back(basis(x.back()));
        weight.push_back(half * gaussWeights()[j]);
      }
  }

  double at(const Four &a, Four &gradient, std::array<Four, 4> &hessian) const {
    std::vector<double> g(x.size());
    double top = -1e300;
    for (size_t i = 0; i < x.size(); ++i)
      top = std::max(top, g[i] = product(a, B[i]));
    double mass = 0;
    Four mean{};
    hessian = {};
    for (size_t i = 0; i < x.size(); ++i) {
      const double f = weight[i] * std::exp(g[i] - top);
      mass += f;
      for (size_t k = 0; k < 4; ++k) {
        mean[k] += f * B[i][k];
        for (size_t l = 0; l <= k; ++l)
          hessian[k][l] += f * B[i][k] * B[i][l];
      }
    }
    for (size_t k = 0; k < 4; ++k)
      mean[k] /= mass;
    for (size_t k = 0; k < 4; ++k) {
      gradient[k] = mean[k] - target[k];
      for (size_t l = 0; l <= k; ++l)
        hessian[k][l] = hessian[l][k] = hessian[k][l] / mass - mean[k] * mean[l];
    }
    return std::log(mass) + top - product(a, target);
  }

  /// The rounding error of the value at a: of the sum of terms that are larger where modes are far
  /// apart.
  double rounding(const Four &a) const {
    return 1e-15 * (std::abs(product(a, basis(mode(a)))) + std::abs(product(a, target)));
  }

  double mode(const Four &a) const {
    size_t best = 0;
    for (size_t i = 1; i < x.size(); ++i)
      if (product(a, B[i]) > product(a, B[best]))
        best = i;
    return x[best];
  }

private:
  std::vector<double> x, weight;
  std::vector<Four> B;
  Four target;
};

/// Coefficients of the minimum; false when Newton's method does not reach it.
bool minimise(const Dual &dual, Four &a) {
  Four gradient, trialGradient;
  std::array<Four, 4> hessian, trialHessian;
  double value = dual.at(a, gradient, hessian), before = 1e300;
  for (int i = 0; i < 200; ++i) {
    const double size = std::max({std::abs(gradient[0]), std::abs(gradient[1]),
                                  std::abs(gradient[2]), std::abs(gradient[3])});
    if (size < 1e-13 || (size < 1e-10 && size > before / 2))
      return true;
    before = size;
    const Four step = solvePositive(hessian, gradient);
    double part = 1;
    for (;; part /= 2) {
      if (part < 1e-9)
        return false;
      Four trial = a;
      for (size_t k = 0; k < 4; ++k)
        trial[k] -= part * step[k];
      const double next = dual.at(trial, trialGradient, trialHessian);
      if (next <= value - 1e-4 * part * product(gradient, step) + dual.rounding(a)) {
        a = trial, value = next, gradient = trialGradient, hessian = trialHessian;
        break;
      }
    }
  }
  return false;
}

} // namespace

Result<DistributionPtr> fitMaxEntropy(const Moments &m, Range range) {
  if (const auto error = unfit(m))
    return *error;
  const double sd = m.deviation();
  Range r = m.skewness < 0 ? Range{-14, 9} : Range{-9, 14};
  r = {std::max(r.low, (range.low - m.mean) / sd), std::min(r.high, (range.high - m.mean) / sd)};
  if (!(r.low < 0 && r.high > 0))
    return Error{"the mean is not inside the range of the cost"};
  const Dual dual(r, {0, 0, m.skewness / std::sqrt(6.0), (m.kurtosis - 3) / std::sqrt(24.0)});
  Four a{};
  if (!minimise(dual, a))
    return Error{"maximum entropy has no law with these moments within its range"};
  auto law = makePanelLaw(std::make_unique<PolynomialShape>(a, r, dual.mode(a)), {m.mean, sd}, m);
  if (!law)
    return law;
  // Modes too far apart for the table would lose the one that is not its start.
  const Moments got = moments(integrateCumulants(**law));
  if (!(std::abs(got.mean - m.mean) < 1e-9 * sd) ||
      !(std::abs(got.variance / m.variance - 1) < 1e-9))
    return Error{"maximum entropy has modes with nothing in between"};
  return law;
}

} // namespace quincunx
