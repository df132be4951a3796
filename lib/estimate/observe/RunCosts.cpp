// Puts together what the images of a run cost.
// The idea: functions that were compiled are priced in one pass (PricedMap); each is then divided
// among the functions of the source that its code came from. Sums over the run are of what was
// priced, so that dividing rounds none of them.
#include "RunCosts.h"

namespace quincunx {

RunCosts::RunCosts(const std::vector<Map> &m, const Prices &prices, bool isDivided)
    : maps(m), functionsOfSource(m, isDivided), called(prices.library().names().size()) {
  for (size_t i = 0; i < maps.size(); ++i) {
    priced.emplace_back(maps, i, prices, PricedMap::Charge::own);
    libraries.emplace_back(maps, i, prices);
    if (isDivided)
      parts.emplace_back(maps, i, prices, functionsOfSource);
  }
}

void RunCosts::OfRun::add(const FunctionCost &cost) {
  blocks += cost.k;
  weighed += cost.weighed;
  below += cost.k.k1 - cost.low;
  above += cost.high - cost.k.k1;
}

Status RunCosts::add(const ImageCounts &image, size_t map) {
  const Result<std::span<const FunctionCost>> costs = priced[map].price(image);
  if (!costs)
    return costs.error();
  for (const FunctionCost &cost : *costs) {
    atHand.add(cost);
    divide(map, cost, image.counts);
    if (const Function &f = maps[map].functions[cost.function]; !f.assemblies.empty())
      assembled.insert(&f);
  }
  libraries[map].addTo(called, image, *costs);
  return Done{};
}

/// A group has the sum of its members.
void RunCosts::keep(size_t number, FunctionCost cost) {
  atHand.functions.emplace_back(number, cost);
  if (const size_t group = functionsOfSource.groupOf(number); group != SourceFunctions::none) {
    cost.projected = false; // it is told of once
    atHand.functions.emplace_back(group, cost);
  }
}

/// Where frames were lost nothing is known of parts.
void RunCosts::divide(size_t map, const FunctionCost &cost, const Counts &counts) {
  std::span<const SourceCosts::Part> own;
  if (!parts.empty() && cost.k.k1 > 0 && !cost.uncertain())
    own = parts[map].of(cost.function, counts);
  if (own.empty())
    keep(functionsOfSource.first(map) + cost.function, cost);
  for (const SourceCosts::Part &p : own) {
    FunctionCost part;
    part.calls = &p == &own.front() ? cost.calls : 0;
    part.k = p.k;
    part.low = part.high = p.k.k1;
    keep(p.source, part);
  }
}

RunCosts::OfRun RunCosts::take() {
  for (size_t i = 0; i < called.size(); ++i)
    if (called[i].calls > 0) {
      atHand.add(called[i]);
      atHand.functions.emplace_back(functionsOfSource.size() + i,
                                    std::exchange(called[i], FunctionCost{}));
    }
  return std::exchange(atHand, OfRun{});
}

} // namespace quincunx
