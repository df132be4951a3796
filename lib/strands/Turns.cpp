// Whoever comes there signals all others, and those that slept were mostly woken at last by the one
// right before them; else by an earlier one, if that one was done as well until they had the lock.
// Or threads come there in rounds, always in the same order.
#include "Turns.h"

#include <algorithm>

namespace quincunx {

namespace {

/// In the order in which they were had; none where threads wait at one place for what is done at
/// another: one puts and one takes.
std::vector<const LockSection *> turnsAt(const Condition &condition) {
  if (condition.sitesOfWaits.size() != 1 || condition.sitesOfWaits != condition.sitesOfSignals)
    return {};
  std::vector<const LockSection *> turns = condition.at(condition.sitesOfWaits);
  std::ranges::sort(turns, {}, &LockSection::last);
  return turns;
}

bool areRounds(const std::vector<const LockSection *> &turns) {
  constexpr size_t enough = 3;
  std::set<size_t> threads;
  for (const LockSection *s : turns)
    threads.insert(s->thread);
  const size_t n = threads.size();
  for (size_t i = n; i < turns.size(); ++i)
    if (turns[i]->thread != turns[i - n]->thread)
      return false;
  return n > 1 && turns.size() >= enough * n;
}

} // namespace

std::set<uint32_t> roundsOf(const Condition &condition) {
  const std::vector<const LockSection *> turns = turnsAt(condition);
  std::set<uint32_t> nodes;
  if (areRounds(turns))
    for (const LockSection *s : turns)
      nodes.insert(s->came);
  return nodes;
}

std::optional<CountedWaits> turnsOf(const Condition &condition) {
  constexpr int enough = 4; // that slept
  const std::vector<const LockSection *> turns = turnsAt(condition);
  int slept = 0, byTheLast = 0;
  CountedWaits out{.done = {}, .wakes = condition.wakes, .before = {}, .behind = {}, .turns = {}};
  for (size_t i = 0; i < turns.size(); ++i) {
    const LockSection &s = *turns[i];
    if (s.last == UINT32_MAX || !s.signals)
      return std::nullopt;
    slept += s.by != nullptr ? 1 : 0;
    byTheLast += s.by != nullptr && i > 0 && s.by == turns[i - 1] ? 1 : 0;
    out.done.push_back(s.end);
    out.turns.insert(s.came);
    if (i > 0)
      out.before[s.by != nullptr ? s.awake : s.came] = static_cast<uint32_t>(i);
  }
  return (slept >= enough && 2 * byTheLast >= slept) || (slept > 0 && areRounds(turns))
             ? std::optional(out)
             : std::nullopt;
}

} // namespace quincunx
