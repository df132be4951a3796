// Non-negative least squares by active sets.
// The idea: coefficients enter one by one, that first which lowers the error most; where the free
// ones together would make one of them negative, go as far towards that as signs allow and hold
// what became 0. References: Lawson & Hanson, Solving Least Squares Problems, ch. 23; Bro & de Jong
// 1997, on normal equations. What can be told apart stands in the eigenvectors of the scaled normal
// equations. It knows no weights: who wants some puts them into the design.
#include "quincunx/numeric/NonNegative.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace quincunx {

namespace {

constexpr double noEigenvalue = 1e-10; ///< of a matrix with diagonal 1: equations that are the same
constexpr double noPart = 1e-5;        ///< of an eigenvector of length 1

Eigen::MatrixXd squareOf(std::span<const double> a) {
  const auto n = static_cast<Eigen::Index>(std::lround(std::sqrt(a.size())));
  return Eigen::Map<const Eigen::MatrixXd>(a.data(), n, n);
}

/// The least squares of the coefficients `free`.
Eigen::VectorXd unrestricted(const Eigen::MatrixXd &a, const Eigen::VectorXd &b,
                             const std::vector<Eigen::Index> &free) {
  return a(free, free).completeOrthogonalDecomposition().solve(b(free));
}

} // namespace

NonNegativeFit::NonNegativeFit(std::span<const double> g) : gram(g.begin(), g.end()) {
  Eigen::MatrixXd a = squareOf(g);
  const Eigen::Index n = a.rows();
  Eigen::VectorXd scale(n);
  for (Eigen::Index i = 0; i < n; ++i)
    scale[i] = a(i, i) > 0 ? 1 / std::sqrt(a(i, i)) : 0;
  a = scale.asDiagonal() * a * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(a);
  known.assign(static_cast<size_t>(n), true);
  variances.assign(static_cast<size_t>(n), 0);
  for (Eigen::Index k = 0; k < n; ++k) {
    const double value = eigen.eigenvalues()[k];
    independent += value > noEigenvalue;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double part = eigen.eigenvectors()(i, k);
      if (value > noEigenvalue)
        variances[static_cast<size_t>(i)] += part * part / value * scale[i] * scale[i];
      else if (std::fabs(part) > noPart)
        known[static_cast<size_t>(i)] = false;
    }
  }
}

std::vector<double> NonNegativeFit::solve(std::span<const double> right) const {
  const Eigen::MatrixXd a = squareOf(gram);
  const Eigen::Index n = a.rows();
  assert(static_cast<size_t>(n) == right.size() && "one equation per coefficient");
  const Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(right.data(), n);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
  std::vector<Eigen::Index> free;
  for (Eigen::Index round = 0; round < 3 * n; ++round) {
    const Eigen::VectorXd gain = b - a * x;
    Eigen::Index best = -1;
    double most = 0;
    for (Eigen::Index i = 0; i < n; ++i)
      if (const double g = a(i, i) > 0 ? gain[i] / std::sqrt(a(i, i)) : 0;
          g > most && gain[i] > 1e-11 * std::fabs(b[i]) &&
          std::find(free.begin(), free.end(), i) == free.end())
        best = i, most = g;
    if (best < 0)
      break;
    free.push_back(best);
    while (!free.empty()) {
      const Eigen::VectorXd to = unrestricted(a, b, free);
      double step = 1;
      for (size_t i = 0; i < free.size(); ++i)
        if (const double at = x[free[i]], goal = to[static_cast<Eigen::Index>(i)]; goal <= 0)
          step = std::min(step, at > goal ? at / (at - goal) : 0.0);
      for (size_t i = 0; i < free.size(); ++i)
        x[free[i]] += step * (to[static_cast<Eigen::Index>(i)] - x[free[i]]);
      if (step >= 1)
        break;
      std::erase_if(free, [&](Eigen::Index i) {
        const bool held = x[i] <= 1e-14 * x.maxCoeff() || x[i] <= 0;
        if (held)
          x[i] = 0;
        return held;
      });
    }
  }
  return {x.begin(), x.end()};
}

} // namespace quincunx
