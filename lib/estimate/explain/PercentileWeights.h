// How a percentile moves with the costs of the runs.
#pragma once

#include "quincunx/dist/Distribution.h"

#include <span>
#include <vector>

namespace quincunx {

/// To first order a percentile is the sum over runs of mean x (its k1) + variance x (its k2), for
/// any change of the costs of runs that changes no weight.
struct PercentileWeights {
  double value = 0; ///< the percentile
  std::vector<double> mean, variance;
};

/// `order`: runs by falling cost; those that were stopped stand first. `weights` add up to 1;
/// `effective`: how many runs of equal weight would tell as much. `law`: their mixture.
PercentileWeights percentileWeights(std::span<const Cumulants> runs,
                                    std::span<const double> weights, std::span<const size_t> order,
                                    double effective, const Distribution &law, double p);

} // namespace quincunx
