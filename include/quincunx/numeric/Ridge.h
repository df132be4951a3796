// Ridge regression with more coefficients than observations. Reference: Hoerl and Kennard, Ridge
// regression: biased estimation for nonorthogonal problems, Technometrics 12(1), 1970; in the space
// of observations as by Saunders, Gammerman and Vovk, Ridge regression learning algorithm in dual
// variables, ICML 1998.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace quincunx {

struct RidgeProblem {
  /// Of each two observations i and j, at i * n + j: the sum over coefficients of variance, slope
  /// at i and slope at j. Symmetric.
  std::vector<double> products;
  std::vector<double> wanted;              ///< observed; its size is n
  std::vector<std::vector<size_t>> groups; ///< observations that are left out together; not all
};

struct Ridge {
  double noise = 0; ///< standard deviation of observations with which groups left out are least off
  /// By observation: a coefficient is its variance times the sum of its slopes times these.
  std::vector<double> weights;
};
/// `noises`: that are tried, above 0; not empty.
Ridge ridge(const RidgeProblem &problem, std::span<const double> noises);
/// What observations in groups are off when theirs is left out; 0 of others.
std::vector<double> leftOutOf(const RidgeProblem &problem, double noise);

} // namespace quincunx
