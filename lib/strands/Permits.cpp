// Whoever waited did so when as many had come as there were permits: this is one number for all of
// them, and who did not wait came when there were more. Who gives one back while others wait
// signals; else it is something that is counted down (CountedWaits.h).
#include "Permits.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace quincunx {

namespace {

/// What comes in the order of the lock.
struct CounterStep {
  enum Kind : uint8_t { post, take, sleep } kind;
  uint32_t order;
  const LockSection *of;
};

std::vector<CounterStep> stepsOf(const std::vector<const LockSection *> &posts,
                                 const std::vector<const LockSection *> &takes) {
  std::vector<CounterStep> steps;
  for (const LockSection *s : posts)
    if (s->last != UINT32_MAX)
      steps.push_back({CounterStep::post, s->last, s});
  for (const LockSection *s : takes) {
    for (const uint32_t order : s->slept)
      steps.push_back({CounterStep::sleep, order, s});
    if (s->last != UINT32_MAX)
      steps.push_back({CounterStep::take, s->last, s});
  }
  std::ranges::stable_sort(steps, {}, &CounterStep::order);
  return steps;
}

/// How many there are at first, if it is the same for all that wait, and who comes finds one.
std::optional<int64_t> valueOf(const std::vector<CounterStep> &steps) {
  std::optional<int64_t> value;
  int64_t balance = 0, least = INT64_MAX;
  for (const CounterStep &s : steps)
    if (s.kind == CounterStep::sleep) {
      if (value.value_or(-balance) != -balance)
        return std::nullopt;
      value = -balance;
    } else {
      balance += s.kind == CounterStep::post ? 1 : -1;
      least = std::min(least, balance);
    }
  return value && *value >= 0 && *value + least >= 0 ? value : std::nullopt;
}

/// Was one given back without a signal while somebody waited for one?
bool isSilent(const std::vector<const LockSection *> &posts,
              const std::vector<const LockSection *> &takes) {
  std::vector<std::pair<uint32_t, uint32_t>> waits; // orders: from, to
  for (const LockSection *s : takes)
    if (s->by != nullptr)
      waits.emplace_back(s->slept.back(), s->by->last);
  std::ranges::sort(waits);
  uint32_t until = 0;
  size_t next = 0;
  std::vector<const LockSection *> inOrder = posts;
  std::ranges::sort(inOrder, {}, &LockSection::last);
  for (const LockSection *s : inOrder) {
    for (; next < waits.size() && waits[next].first < s->last; ++next)
      until = std::max(until, waits[next].second);
    if (!s->signals && s->last < until)
      return true;
  }
  return false;
}

} // namespace

std::optional<Permits> permitsOf(const Condition &condition) {
  const std::vector<const LockSection *> posts = condition.at(condition.sitesOfSignals),
                                         takes = condition.at(condition.sitesOfWaits);
  if (std::ranges::any_of(condition.sitesOfWaits,
                          [&](uint32_t s) { return condition.sitesOfSignals.contains(s); }))
    return std::nullopt;
  const std::optional<int64_t> value = valueOf(stepsOf(posts, takes));
  constexpr ptrdiff_t many = 8; // of those that slept, where not all signal
  const bool allSignal = std::ranges::all_of(posts, &LockSection::signals);
  if (!value || isSilent(posts, takes) ||
      (!allSignal &&
       std::ranges::count_if(takes, [](const LockSection *s) { return s->by != nullptr; }) < many))
    return std::nullopt;
  Permits out{
      .value = static_cast<uint64_t>(*value), .posts = {}, .takes = {}, .wakes = condition.wakes};
  for (const LockSection *s : posts)
    if (s->last != UINT32_MAX)
      out.posts.push_back(s->end);
  for (const LockSection *s : takes)
    if (s->last != UINT32_MAX)
      out.takes.push_back(s->by != nullptr ? s->awake : s->came);
  return out;
}

} // namespace quincunx
