// A build with the scales of its runs, which may be those of another build (Compare.cpp). In means
// over inputs each input counts once, however often it was run.
#include "PricedBuild.h"

namespace quincunx {

PricedBuild::PricedBuild(CountMatrix matrix, const std::vector<Map> &maps, const Machine &machine)
    : counts(std::move(matrix)), priced(counts, maps, machine), functions(priced, true),
      prices(maps, machine) {
  for (size_t d = 0; d < counts.rows.size(); ++d)
    scale.push_back(priced.scale(d));
}

std::vector<double> PricedBuild::perRun(size_t row) const {
  std::vector<double> costs = functions.perRun(row);
  for (size_t d = 0; d < costs.size(); ++d)
    costs[d] *= scale[d] / priced.scale(d);
  return costs;
}

std::vector<Cumulants> PricedBuild::runs() const {
  std::vector<Cumulants> costs(counts.rows.size());
  for (size_t r = 0; r < cumulantOrders.size(); ++r) {
    const std::vector<double> sum = counts.perRun(priced.weights(r));
    for (size_t d = 0; d < sum.size(); ++d)
      costs[d].*cumulantOrders[r] = sum[d];
  }
  for (size_t d = 0; d < costs.size(); ++d) {
    const CountMatrix::Row &row = counts.rows[d];
    costs[d] = prices.run(scaled(scale[d], costs[d]),
                          Prices::useOf(row.pageFaults, row.branchMisses, row.peakMemory));
  }
  return costs;
}

PricedBuild::Means PricedBuild::means(std::span<const std::vector<size_t>> runsOf) const {
  std::vector<double> weights(counts.rows.size()), weighed(counts.rows.size());
  for (const std::vector<size_t> &runs : runsOf)
    for (const size_t d : runs) {
      weights[d] = 1 / static_cast<double>(runsOf.size() * runs.size());
      weighed[d] = weights[d] * scale[d];
    }
  const std::vector<double> mean = counts.perColumn(weights);
  const Attribution attribution(priced, functions, mean);
  Means out{attribution.of(mean), attribution.lines()};
  if (priced.isScaled()) {
    PerPart costs = attribution.of(counts.perColumn(weighed));
    out.parts.functionCosts = std::move(costs.functionCosts);
    out.parts.lineCosts = std::move(costs.lineCosts);
  }
  return out;
}

} // namespace quincunx
