// Whoever comes there signals all others, and those that slept were mostly woken at last by the one
// right before them; else by an earlier one, if that one was done as well until they had the lock.
#include "Turns.h"

#include <algorithm>

namespace quincunx {

std::optional<CountedWaits> turnsOf(const Condition &condition) {
  constexpr int enough = 4; // that slept
  if (condition.sitesOfWaits.size() != 1 || condition.sitesOfWaits != condition.sitesOfSignals)
    return std::nullopt; // at two places, one puts and one takes
  std::vector<const LockSection *> turns = condition.at(condition.sitesOfWaits);
  std::ranges::sort(turns, {}, &LockSection::last);
  int slept = 0, byTheLast = 0;
  CountedWaits out{.done = {}, .wakes = condition.wakes, .before = {}, .behind = {}};
  for (size_t i = 0; i < turns.size(); ++i) {
    const LockSection &s = *turns[i];
    if (s.last == UINT32_MAX || !s.signals)
      return std::nullopt;
    slept += s.by != nullptr ? 1 : 0;
    byTheLast += s.by != nullptr && i > 0 && s.by == turns[i - 1] ? 1 : 0;
    out.done.push_back(s.end);
    if (i > 0)
      out.before[s.by != nullptr ? s.awake : s.came] = static_cast<uint32_t>(i);
  }
  return slept >= enough && 2 * byTheLast >= slept ? std::optional(out) : std::nullopt;
}

} // namespace quincunx
