// A percentile as a weighted mean of the runs near it.
// The idea: the derivative of the empirical p99 hangs on one run. The estimator of Harrell and
// Davis (Biometrika 69, 1982) is the mean of all order statistics under a beta law around p, as
// wide as p is uncertain; it is linear in the costs while their order stays, and so is every
// derivative. Where costs are random given the run, a place q of the mixture is made by the runs in
// proportion to their densities there, and a part of a run's cost has at q its mean and its share
// (by variance) of what q is off the run's mean: exact for normal laws. The weights add up so that
// elasticities of all parts add up to 1.
#include "PercentileWeights.h"

#include "quincunx/dist/Mixture.h"
#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

struct Beta {
  double a, b;
  Beta(double effective, double p) : a((effective + 1) * p), b((effective + 1) * (1 - p)) {}
  double mass(double from, double to) const { return betaCdf(a, b, to) - betaCdf(a, b, from); }
};

PercentileWeights ofSteps(std::span<const Cumulants> runs, std::span<const double> weights,
                          std::span<const size_t> order, const Beta &beta) {
  PercentileWeights out{0, std::vector<double>(runs.size(), 0.0),
                        std::vector<double>(runs.size(), 0.0)};
  double below = 0;
  for (size_t i = order.size(); i-- > 0;) {
    const size_t d = order[i];
    const double to = i == 0 ? 1 : std::min(1.0, below + weights[d]);
    out.mean[d] = beta.mass(below, to);
    out.value += out.mean[d] * runs[d].k1;
    below = to;
  }
  return out;
}

/// Places of the mixture, and the mass of the beta law that each stands for.
constexpr size_t places = 400;
constexpr double negligible = 1e-6;

/// Adds the place q. False where no run has a density.
bool addPlace(double q, double mass, std::span<const Cumulants> runs,
              std::span<const double> weights, const std::vector<ComponentLaw> &laws,
              PercentileWeights &out) {
  std::vector<double> density(runs.size(), 0.0);
  double sum = 0;
  for (size_t d = 0, law = 0; d < runs.size(); ++d)
    if (runs[d].k2 > 0)
      sum += density[d] = weights[d] * laws[law++].density(q);
  if (!(sum > 0) || !std::isfinite(sum))
    return false;
  out.value += mass * q;
  for (size_t d = 0; d < runs.size(); ++d)
    if (density[d] > 0) {
      const double part = mass * density[d] / sum;
      out.mean[d] += part;
      out.variance[d] += part * (q - runs[d].k1) / runs[d].k2;
    }
  return true;
}

} // namespace

PercentileWeights percentileWeights(std::span<const Cumulants> runs,
                                    std::span<const double> weights, std::span<const size_t> order,
                                    double effective, const Distribution &law, double p) {
  const Beta beta(effective, p);
  PercentileWeights steps = ofSteps(runs, weights, order, beta);
  std::vector<ComponentLaw> laws;
  for (const Cumulants &k : runs)
    if (k.k2 > 0)
      laws.emplace_back(k);
  if (laws.empty())
    return steps;
  PercentileWeights out{0, std::vector<double>(runs.size(), 0.0),
                        std::vector<double>(runs.size(), 0.0)};
  double missed = 0;
  for (size_t i = 0; i < places; ++i) {
    const double from = static_cast<double>(i) / places, to = static_cast<double>(i + 1) / places;
    const double mass = beta.mass(from, to);
    if (mass < negligible)
      continue;
    const double q = law.quantile((from + to) / 2);
    if (!std::isfinite(q) || !addPlace(q, mass, runs, weights, laws, out))
      missed += mass;
  }
  // Places among runs that were stopped, or between steps: as if nothing were random.
  out.value += missed * steps.value;
  for (size_t d = 0; d < runs.size(); ++d)
    out.mean[d] += missed * steps.mean[d];
  return out;
}

} // namespace quincunx
