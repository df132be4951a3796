// Who signals last is chance where several threads count down and the last of them signals: what
// is waited for is how often they had the lock for it. Where that is, is told by the sites at which
// the lock is had by who signals. The k-th time that a thread comes to wait, it waits for what
// others waited for at their k-th, which grows evenly: N k for a barrier of N threads, k for the
// rounds that one of them begins. Who comes so late that all was done waits for as much.
#include "CountedWaits.h"

#include <algorithm>

namespace quincunx {

namespace {

/// Where the lock is had for what is waited for, in order.
std::vector<const LockSection *> doneAt(const Condition &condition) {
  std::vector<const LockSection *> done = condition.at(condition.sitesOfSignals);
  std::ranges::sort(done, {}, &LockSection::first);
  return done;
}

/// How often that was, up to an order.
int64_t countUpTo(const std::vector<const LockSection *> &done, uint32_t order) {
  return std::ranges::upper_bound(done, order, {}, &LockSection::first) - done.begin();
}

} // namespace

std::optional<Needed> neededOf(const Condition &condition) {
  const std::vector<const LockSection *> done = doneAt(condition);
  const bool isOfOne = std::ranges::all_of(
      done, [&](const LockSection *s) { return s->thread == done.front()->thread; });
  if (!isOfOne && std::ranges::all_of(done, &LockSection::signals))
    return std::nullopt;
  std::map<int64_t, int64_t> needs; // by visit
  int64_t slept = 0;
  for (const std::vector<LockSection> &own : condition.sections) {
    int64_t visit = 0;
    for (const LockSection &s : own) {
      visit += condition.sitesOfWaits.contains(s.site) ? 1 : 0;
      if (s.by == nullptr)
        continue;
      const int64_t need = countUpTo(done, s.by->first);
      if (needs.try_emplace(visit, need).first->second != need)
        return std::nullopt;
      ++slept;
    }
  }
  if (needs.empty())
    return std::nullopt;
  const auto [first, atFirst] = *needs.begin();
  const auto [last, atLast] = *needs.rbegin();
  Needed all = last > first ? Needed{first, atFirst, last - first, atLast - atFirst}
                            : Needed{first, atFirst, first, atFirst};
  if (all.more < 0 ||
      std::ranges::any_of(needs, [&](const auto &n) { return all(n.first) != n.second; }))
    return std::nullopt;
  std::set<size_t> doers, waiters; // threads
  for (const LockSection *s : done)
    doers.insert(s->thread);
  for (const LockSection *s : condition.at(condition.sitesOfWaits))
    waiters.insert(s->thread);
  const bool isBarrier = condition.sitesOfSignals == condition.sitesOfWaits && doers == waiters;
  const auto each = static_cast<int64_t>(isOfOne || isBarrier ? doers.size() : 0);
  const int64_t enough = last > first ? 4 : 3;
  all.isSure = all == Needed{.visit = 1, .times = each, .more = each} || slept >= enough;
  if (!all.isSure && std::ranges::any_of(doers, [&](size_t t) { return waiters.contains(t); }))
    return std::nullopt;
  return all;
}

std::optional<CountedWaits> countedBy(const Needed &needed, const Condition &condition,
                                      const std::set<uint32_t> &sitesOfWaits) {
  const std::vector<const LockSection *> done = doneAt(condition);
  CountedWaits out{.done = {}, .wakes = condition.wakes, .before = {}, .behind = {}, .turns = {}};
  for (const std::vector<LockSection> &own : condition.sections) {
    int64_t visit = 0;
    for (const LockSection &s : own) {
      if (!sitesOfWaits.contains(s.site))
        continue;
      const int64_t need = needed(++visit);
      if (need <= 0 || s.last == UINT32_MAX || (s.by == nullptr && !needed.isSure))
        continue;
      if (need > countUpTo(done, s.last))
        return std::nullopt;
      (s.by != nullptr ? out.before[s.awake] : out.behind[s.end]) = static_cast<uint32_t>(need);
    }
  }
  if (out.before.empty() && out.behind.empty())
    return std::nullopt;
  for (const LockSection *s : done)
    out.done.push_back(s->givenUp);
  return out;
}

} // namespace quincunx
