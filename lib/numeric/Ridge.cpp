// Left out, a group is off by the inverse of its own block of the inverse, times its weights.
#include "quincunx/numeric/Ridge.h"

#include <Eigen/Dense>

#include <cmath>
#include <limits>

namespace quincunx {

namespace {

using Eigen::Index;

Eigen::MatrixXd withNoise(const RidgeProblem &p, double noise) {
  const auto size = static_cast<Index>(p.wanted.size());
  return Eigen::Map<const Eigen::MatrixXd>(p.products.data(), size, size) +
         noise * noise * Eigen::MatrixXd::Identity(size, size);
}

Eigen::Map<const Eigen::VectorXd> wantedOf(const RidgeProblem &p) {
  return {p.wanted.data(), static_cast<Index>(p.wanted.size())};
}

} // namespace

std::vector<double> leftOutOf(const RidgeProblem &problem, double noise) {
  const Eigen::MatrixXd inverse = withNoise(problem, noise).inverse();
  const Eigen::VectorXd weights = inverse * wantedOf(problem);
  std::vector<double> off(problem.wanted.size(), 0);
  for (const std::vector<size_t> &group : problem.groups) {
    const Eigen::VectorXd of = inverse(group, group).fullPivLu().solve(weights(group));
    for (size_t i = 0; i < group.size(); ++i)
      off[group[i]] = of(static_cast<Index>(i));
  }
  return off;
}

Ridge ridge(const RidgeProblem &problem, std::span<const double> noises) {
  Ridge out;
  double least = std::numeric_limits<double>::infinity();
  for (const double noise : noises) {
    double sum = 0;
    for (const double off : leftOutOf(problem, noise))
      sum += std::abs(off);
    if (sum < least || out.noise == 0) {
      least = sum;
      out.noise = noise;
    }
  }
  const Eigen::VectorXd weights = withNoise(problem, out.noise).ldlt().solve(wantedOf(problem));
  out.weights.assign(weights.begin(), weights.end());
  return out;
}

} // namespace quincunx
