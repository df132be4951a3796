// Regression on many more features than observations. Features come in groups; the coefficients of
// a group are taken for independent draws about 0 with one spread, and the spreads, with that of
// the noise, are those under which the observations are most likely. A group that explains nothing
// gets a spread near 0. It sees groups only by their Gram matrices.
#pragma once

#include "quincunx/base/Result.h"

#include <span>
#include <vector>

namespace quincunx {

/// sum over a group's features of x_i x_j, for all pairs of n observations, row by row: n x n.
using Gram = std::vector<double>;

struct VarianceComponents {
  std::vector<double> variances; ///< of the coefficients of each group
  double noise = 0;              ///< variance of the noise beyond `known`
  /// The logarithm of how likely the observations are under these variances, and those under what
  /// was expected; but for a constant that depends on the number of both only.
  double logLikelihood = 0;
  /// One per observation: the expected coefficient of a feature x of group g is
  /// variances[g] x sum_i x_i dual[i].
  std::vector<double> dual;
  /// Per observation: what it differs by from what the others make expect of it, with variances
  /// found with it.
  std::vector<double> leftOut;
};

/// `expected`: what is thought of each variance beforehand, one per group and that of the noise,
/// all above 0; it counts as one feature, so that few observations are not read too much into.
/// `known`: variance of the noise of each observation that is known, above 0. An error when there
/// are fewer than three observations or they are not finite. Reference: docs/13-machines.md; the
/// iteration is the MM algorithm of Zhou, Hu, Zhou, Lange (2019), in which the likelihood never
/// falls.
Result<VarianceComponents> fitVarianceComponents(std::span<const Gram> groups,
                                                 std::span<const double> expected,
                                                 std::span<const double> observed,
                                                 std::span<const double> known);

} // namespace quincunx
