#include "ConditionWaits.h"

namespace quincunx {

ConditionWaits conditionWaits(const std::vector<Condition> &conditions) {
  struct Known {
    std::set<uint32_t> sitesOfWaits;
    std::optional<Needed> needed; ///< nothing: not all have the same
  };
  std::map<std::set<uint32_t>, Known> known; // by the sites of signals
  ConditionWaits found;
  for (const Condition &c : conditions) {
    if (c.wakes.empty())
      continue;
    std::optional<Needed> needed = neededOf(c);
    std::optional<CountedWaits> counted =
        needed ? countedBy(*needed, c, c.sitesOfWaits) : std::nullopt;
    if (!counted || !needed->isSure)
      needed.reset();
    const auto [at, isNew] = known.try_emplace(c.sitesOfSignals, Known{c.sitesOfWaits, needed});
    if (!isNew && (at->second.sitesOfWaits != c.sitesOfWaits || at->second.needed != needed))
      at->second.needed.reset();
    std::optional<Permits> permits = needed ? std::nullopt : permitsOf(c);
    if (permits)
      found.permits.push_back(std::move(*permits));
    else if (counted)
      found.counted.push_back(std::move(*counted));
  }
  for (const Condition &c : conditions)
    if (const auto same = known.find(c.sitesOfSignals);
        c.sitesOfWaits.empty() && same != known.end() && same->second.needed)
      if (auto waits = countedBy(*same->second.needed, c, same->second.sitesOfWaits))
        found.counted.push_back(std::move(*waits));
  return found;
}

} // namespace quincunx
