// The counters of record=predictor, of all kinds of places.
#include "Events.h"

#include <algorithm>

namespace quincunx {

std::vector<EventCounter> eventCounters(const Function &f) {
  std::vector<EventCounter> all;
  for (const Branch &b : f.branches)
    if (b.misses != noIndex)
      all.push_back({b.misses, b.block, Event::mispredict});
  for (const Call &c : f.calls)
    if (c.misses != noIndex)
      all.push_back({c.misses, c.block, Event::mispredict});
  constexpr Event met[memoryCounters] = {Event::l2Hit, Event::l3Hit, Event::memoryAccess,
                                         Event::prefetchedLine, Event::pageWalk};
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    for (uint32_t i = 0; i < memoryCounters && f.blocks[b].memory != noIndex; ++i)
      all.push_back({f.blocks[b].memory + i, b, met[i]});
  return all;
}

bool simulates(const Map &map) {
  return std::any_of(map.functions.begin(), map.functions.end(),
                     [](const Function &f) { return !eventCounters(f).empty(); });
}

} // namespace quincunx
