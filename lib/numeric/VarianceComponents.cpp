// The idea: with V = sum_g v_g K_g + noise, each v_g is multiplied by
// sqrt(y' V^-1 K_g V^-1 y / tr(V^-1 K_g)), which is 1 where the likelihood is at rest, until
// nothing moves; an inverse gamma law of v_g, in which the likelihood of an expected variance is
// largest, adds a term to both. Left-out errors follow from V^-1 without solving anew.
#include "quincunx/numeric/VarianceComponents.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace quincunx {

namespace {

constexpr int maxRounds = 300;
constexpr double atRest = 1e-3; ///< relative change of a variance in a round
constexpr double belief = 1;    ///< features that an expected variance counts for

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

class Fit {
public:
  Fit(std::span<const Gram> groups, std::span<const double> variancesExpected,
      std::span<const double> observed, std::span<const double> known)
      : n(static_cast<Eigen::Index>(observed.size())),
        y(Eigen::Map<const Vector>(observed.data(), n)),
        floor(Eigen::Map<const Vector>(known.data(), n)),
        expected(variancesExpected.begin(), variancesExpected.end()) {
    for (const Gram &g : groups) {
      assert(g.size() == observed.size() * observed.size() && "a square of the observations");
      kernels.emplace_back(Eigen::Map<const Matrix>(g.data(), n, n));
    }
    variances = expected;
  }

  Result<VarianceComponents> run() {
    for (int round = 0; round < maxRounds; ++round) {
      if (!invert())
        return Error{"the observations do not determine a fit"};
      if (!step())
        break;
    }
    if (!invert())
      return Error{"the observations do not determine a fit"};
    VarianceComponents out{
        variances, variances.back(), logLikelihood(), {dual.begin(), dual.end()}, {}};
    out.variances.pop_back();
    for (Eigen::Index i = 0; i < n; ++i)
      out.leftOut.push_back(dual[i] / inverse(i, i));
    return out;
  }

private:
  bool invert() {
    Matrix v = floor.asDiagonal();
    v.diagonal().array() += variances.back();
    for (size_t g = 0; g < kernels.size(); ++g)
      v += variances[g] * kernels[g];
    const Eigen::LLT<Matrix> factor(v);
    if (factor.info() != Eigen::Success)
      return false;
    logDeterminant = 2 * factor.matrixLLT().diagonal().array().log().sum();
    inverse = factor.solve(Matrix::Identity(n, n));
    dual = inverse * y;
    return dual.allFinite();
  }

  double logLikelihood() const {
    double twice = -logDeterminant - y.dot(dual);
    for (size_t g = 0; g < variances.size(); ++g)
      twice -= belief * (std::log(variances[g]) + expected[g] / variances[g]);
    return twice / 2;
  }

  /// False when all variances are at rest.
  bool step() {
    bool moved = false;
    const auto improve = [&](size_t g, double fit, double trace) {
      double &v = variances[g];
      const double factor =
          std::sqrt((fit + belief * expected[g] / (v * v)) / (trace + belief / v));
      moved = moved || std::abs(factor - 1) > atRest;
      v *= factor;
    };
    for (size_t g = 0; g < kernels.size(); ++g)
      improve(g, dual.dot(kernels[g] * dual), inverse.cwiseProduct(kernels[g]).sum());
    improve(kernels.size(), dual.squaredNorm(), inverse.trace());
    return moved;
  }

  Eigen::Index n;
  Vector y, floor;
  std::vector<Matrix> kernels;
  std::vector<double> expected, variances; ///< of the groups, and of the noise
  Matrix inverse;
  double logDeterminant = 0; ///< of what it is the inverse of
  Vector dual;
};

} // namespace

Result<VarianceComponents> fitVarianceComponents(std::span<const Gram> groups,
                                                 std::span<const double> expected,
                                                 std::span<const double> observed,
                                                 std::span<const double> known) {
  assert(known.size() == observed.size() && expected.size() == groups.size() + 1 && "one each");
  if (observed.size() < 3)
    return Error{"a fit needs three observations"};
  const auto isFinite = [](double v) { return std::isfinite(v); };
  if (!std::all_of(observed.begin(), observed.end(), isFinite))
    return Error{"an observation is not a number"};
  return Fit(groups, expected, observed, known).run();
}

} // namespace quincunx
