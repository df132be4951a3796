// Adds up what record=calls kept. The idea: the buckets are the same everywhere, so the calls of
// all runs are one law; a unit of the clock costs what it does in each of them.
#include "CallObserver.h"

#include "quincunx/profile/Calls.h"

namespace quincunx {

CallObserver::CallObserver(const std::vector<Map> &m) : maps(m) {
  for (const Map &map : maps) {
    mapOf[map.hash] = kept.size();
    kept.emplace_back(map.functions.size());
  }
}

void CallObserver::add(const Run &run, const Units &units) {
  if (run.outcome == Outcome::crashed || run.images.empty())
    return;
  ++used;
  for (const ImageCounts &image : run.images) {
    const auto found = mapOf.find(image.map);
    if (found == mapOf.end())
      continue;
    for (size_t i = 0; i < kept[found->second].size(); ++i) {
      const CallCosts costs = callCosts(maps[found->second].functions[i], image);
      const double unit = costs.calls > 0 ? units(found->second, i) : 0;
      if (unit <= 0)
        continue;
      Calls &k = kept[found->second][i];
      const double dearest = unit * costBucket(costs.buckets.rbegin()->first).low;
      if (k.law.calls() == 0 || dearest > k.dearest)
        k.dearest = dearest, k.dearestIn = run.label;
      k.law.add(costs, unit);
    }
  }
}

} // namespace quincunx
