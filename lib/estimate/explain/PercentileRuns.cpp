// Runs near a percentile.
// The idea: what explain() takes for the derivative of p99 by the cost of each run is a weight,
// too: parts of runs, so weighted, add up to the percentile.
#include "quincunx/estimate/PercentileRuns.h"

#include "Contrasts.h"
#include "PercentileWeights.h"
#include "quincunx/estimate/SummaryStatistics.h"

#include <cmath>
#include <string>

namespace quincunx {

Result<std::vector<double>> percentileRuns(const CountedRuns &counted, size_t percentile) {
  const Percentile &asked = counted.observed.program.percentiles[percentile];
  if (asked.atLeast) {
    const double least = std::ceil(1 / (1 - asked.p) - 1e-9);
    return Error{"that percentile takes " + std::to_string(std::llround(least)) +
                 " runs and more, and there are " + std::to_string(counted.observed.used())};
  }
  if (!std::isfinite(asked.value))
    return Error{"that percentile is among runs that were stopped, of which the cost is not known"};
  std::vector<Cumulants> means;
  std::vector<double> costs, weights;
  double sum = 0;
  for (const RunFigures &run : counted.observed.runs) {
    means.push_back({run.cost.k1, 0, 0, 0});
    costs.push_back(run.cost.k1);
    weights.push_back(run.weight);
    sum += run.weight;
  }
  const auto effective = static_cast<double>(effectiveSize(weights));
  for (double &weight : weights)
    weight /= sum;
  return percentileWeights(means, weights, costliestFirst(counted.matrix, costs), effective,
                           *counted.observed.law, asked.p)
      .mean;
}

} // namespace quincunx
