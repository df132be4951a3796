// Of a condition variable that is waited on at several places for several things each place is
// looked at by itself, where all of them together make no sense.
#include "ConditionWaits.h"

#include "Turns.h"

#include <map>
#include <optional>

namespace quincunx {

namespace {

class WaitRules {
public:
  void add(const Condition &c) {
    if (c.wakes.empty() || addWhole(c))
      return;
    if (c.sitesOfWaits.size() > 1)
      for (const uint32_t site : c.sitesOfWaits)
        addWhole(onlyAt(c, site));
  }

  /// One that nobody had to wait on.
  void addLikeOthers(const Condition &c) {
    const auto same = known.find(c.sitesOfSignals);
    if (same == known.end() || !same->second.needed)
      return;
    if (auto waits = countedBy(*same->second.needed, c, same->second.sitesOfWaits))
      found.counted.push_back(std::move(*waits));
  }

  ConditionWaits take() { return std::move(found); }

private:
  bool addWhole(const Condition &c) {
    std::optional<Needed> needed = neededOf(c);
    std::optional<CountedWaits> counted =
        needed ? countedBy(*needed, c, c.sitesOfWaits) : std::nullopt;
    if (!counted || !needed->isSure)
      needed.reset();
    const auto [at, isNew] = known.try_emplace(c.sitesOfSignals, Known{c.sitesOfWaits, needed});
    if (!isNew && (at->second.sitesOfWaits != c.sitesOfWaits || at->second.needed != needed))
      at->second.needed.reset();
    if (!needed) {
      if (std::optional<Permits> permits = permitsOf(c)) {
        found.permits.push_back(std::move(*permits));
        return true;
      }
      if (std::optional<CountedWaits> turns = turnsOf(c))
        counted = std::move(turns);
    }
    if (!counted)
      return false;
    if (counted->turns.empty())
      counted->turns = roundsOf(c);
    found.counted.push_back(std::move(*counted));
    return true;
  }

  static Condition onlyAt(const Condition &c, uint32_t site) {
    Condition out = c;
    out.sitesOfWaits = {site};
    out.wakes.clear();
    for (std::vector<LockSection> &own : out.sections)
      for (LockSection &s : own)
        if (s.site != site) {
          s.slept.clear();
          s.awake = 0;
          s.by = nullptr;
        } else {
          out.wakes.insert(s.wakes.begin(), s.wakes.end());
        }
    return out;
  }

  struct Known {
    std::set<uint32_t> sitesOfWaits;
    std::optional<Needed> needed; ///< nothing: not all have the same
  };
  std::map<std::set<uint32_t>, Known> known; ///< by the sites of signals
  ConditionWaits found;
};

} // namespace

ConditionWaits conditionWaits(const std::vector<Condition> &conditions) {
  WaitRules rules;
  for (const Condition &c : conditions)
    rules.add(c);
  for (const Condition &c : conditions)
    if (c.sitesOfWaits.empty())
      rules.addLikeOthers(c);
  return rules.take();
}

} // namespace quincunx
