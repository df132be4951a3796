// The scale of a run: what a fit says it costs over what its blocks cost.
// The idea: one pass over its counters tells both (PricedMap). It keeps no runs.
#include "RunScales.h"

#include "quincunx/base/Text.h"

namespace quincunx {

RunScales::RunScales(const std::vector<Map> &all, const Prices &p) : maps(all), prices(p) {
  for (size_t m = 0; m < maps.size() && prices.fitted(); ++m) {
    mapOf[maps[m].hash] = m;
    priced.emplace_back(maps, m, prices);
  }
}

Result<RunScales::OfRun> RunScales::of(const Run &run) {
  if (priced.empty())
    return OfRun{};
  Cumulants blocks;
  double weighed = 0;
  for (const ImageCounts &image : run.images) {
    const auto found = mapOf.find(image.map);
    if (found == mapOf.end())
      continue;
    const Result<std::span<const FunctionCost>> costs = priced[found->second].price(image);
    if (!costs)
      return Error{"run '" + escape(run.label) + "' (" + escape(image.path) + ") " +
                   costs.error().text};
    for (const FunctionCost &cost : *costs) {
      blocks += cost.k;
      weighed += cost.weighed;
    }
  }
  const Prices::Use use = Prices::useOf(run.pageFaults, run.branchMisses, run.peakMemory);
  return OfRun{prices.run(blocks, weighed, use).scale, blocks.k1};
}

} // namespace quincunx
