// The law of a cost over runs: a mixture with one part per run. A part whose variance is 0 is a
// step; any other is known by its cumulants. Also mixtures of any laws, and histograms. Reference:
// docs/03-runs-kept-apart.md.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/dist/Distribution.h"

#include <span>
#include <vector>

namespace quincunx {

/// The cost given one run.
struct MixtureComponent {
  Cumulants k;
  double weight = 1;
  /// The run was stopped: `k` is what it cost until then, and its cost ranks above every other. It
  /// counts in the moments (which are then lower bounds), and as open mass in cdf and quantiles.
  bool open = false;
};

/// Refuses no parts, weights or cumulants that are not finite or negative where they must not be.
Result<DistributionPtr> makeMixture(std::span<const MixtureComponent> parts);
/// The mixture of steps of equal weight at `values`, of which the last `open` were stopped. Faster.
Result<DistributionPtr> makeSteps(std::span<const double> values, size_t open = 0);
/// The mixture of any laws, in proportion to `weights`. Refuses weights that are negative, not
/// finite or all 0.
Result<DistributionPtr> makeWeighted(std::span<const DistributionPtr> laws,
                                     std::span<const double> weights);
/// Mass masses[i], in any unit, spread evenly from edges[i] to edges[i + 1]. Refuses edges that do
/// not ascend, and masses as makeWeighted does.
Result<DistributionPtr> makeHistogram(std::span<const double> edges,
                                      std::span<const double> masses);
/// Sorts parts by mean and merges neighbours until at most `groups` are left; moments are kept, and
/// percentiles change by little (256 groups of 2000 runs: below 0.03 %). Steps are left alone.
std::vector<MixtureComponent> compress(std::span<const MixtureComponent> parts, size_t groups);

/// A law fitted to the cumulants of one part with k2 > 0: normal when |skewness| < 0.05, else gamma
/// with three parameters (Pearson III), mirrored for a negative skewness. The fourth cumulant is
/// not used; nor is the third where more than 10 % of a cost with a positive mean would be below 0:
/// then it is the gamma law from 0.
class ComponentLaw {
public:
  explicit ComponentLaw(const Cumulants &k);
  double cdf(double t) const;
  double survival(double t) const;
  double density(double t) const;
  Range support() const;
  /// As Distribution::knots(), in no order.
  void addKnots(std::vector<double> &out) const;

private:
  double mean, deviation;
  double shape = 0; ///< of the gamma law; 0: normal
  double sign = 1;  ///< -1: mirrored
};

} // namespace quincunx
