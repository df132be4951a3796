// Events tell how many of some neighbouring iterations a thread did, and with how much work; others
// may have done those between them. So work and number are spread evenly over the neighbours, and
// what an iteration costs is work over number at its place. Where each was told by itself that is
// exact.
#include "SharedLoops.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace quincunx {

namespace {

/// `count` of `among` iterations from `first` on.
struct IterationStretch {
  uint64_t first;
  uint32_t among, count;
  double work;
};

struct ToldShares {
  std::vector<IterationStretch> stretches;
  bool hasLocks = false;
};

/// What one thread says of its part, and the index of the last event of it.
size_t readPart(const std::vector<StrandEvent> &events, size_t begin,
                const std::set<uint64_t> &owned, ToldShares &told) {
  size_t last = begin;
  uint64_t clock = events[begin].clock;
  bool isLocking = false;
  for (size_t i = begin + 1; i < events.size(); ++i) {
    const StrandEvent &e = events[i];
    if (e.kind == QX_STRAND_ITERATED) {
      told.stretches.push_back({e.object, e.site, e.order, static_cast<double>(e.clock - clock)});
      told.hasLocks |= isLocking;
      clock = e.clock;
      last = i;
    } else if ((takesLock(e.kind) || e.kind == QX_STRAND_UNLOCK) && owned.contains(e.object)) {
      isLocking = true;
    } else if (e.kind == QX_STRAND_DONE || e.kind == QX_STRAND_CAME_LAST ||
               e.kind == QX_STRAND_LAST_DID) {
      isLocking = true; // who comes last does more
    } else if (!sharesOut(e.kind) || e.kind == QX_STRAND_LOOP) {
      break;
    }
  }
  return last;
}

/// The number of iterations, if all of them were done and told; else 0.
uint64_t wholeSize(const std::vector<IterationStretch> &stretches) {
  uint64_t end = 0, done = 0;
  for (const IterationStretch &s : stretches) {
    if (s.count == 0 || s.count > s.among || s.first > UINT32_MAX)
      return 0;
    end = std::max(end, s.first + s.among);
    done += s.count;
  }
  return done == end ? end : 0;
}

/// Work of `groups` groups of neighbours of one size, together all of the work.
std::vector<double> costsOf(const std::vector<IterationStretch> &stretches, uint64_t size,
                            uint64_t groups) {
  struct Density {
    double work = 0, count = 0;
  };
  std::map<uint64_t, Density> changes; // by iteration
  double all = 0;
  for (const IterationStretch &s : stretches) {
    const Density d{s.work / s.among, static_cast<double>(s.count) / s.among};
    Density &from = changes[s.first], &to = changes[s.first + s.among];
    from.work += d.work, from.count += d.count;
    to.work -= d.work, to.count -= d.count;
    all += s.work;
  }
  std::vector<double> costs(groups, 0);
  const double perGroup = static_cast<double>(size) / static_cast<double>(groups);
  double sum = 0;
  Density now;
  for (auto at = changes.begin(); at != changes.end(); ++at) {
    now.work += at->second.work, now.count += at->second.count;
    const auto next = std::next(at);
    if (next == changes.end())
      break;
    constexpr double least = 1e-6; // of what is left when all ended
    const double cost = now.count > least ? std::max(now.work / now.count, 0.0) : 0;
    for (auto from = static_cast<double>(at->first), end = static_cast<double>(next->first);
         from < end;) {
      const auto group = std::min(groups - 1, static_cast<uint64_t>(from / perGroup));
      const double to = std::max(std::min(end, perGroup * static_cast<double>(group + 1)),
                                 std::nextafter(from, end));
      costs[group] += cost * (to - from);
      sum += cost * (to - from);
      from = to;
    }
  }
  if (sum > 0 && sum != all)
    for (double &c : costs)
      c *= all / sum;
  return costs;
}

} // namespace

bool LoopDealing::isByChance() const {
  return isKnown && schedule != parallel::Schedule::fixed &&
         schedule != parallel::Schedule::fixedChunks;
}

LoopDealing dealingOf(const TeamLoop &loop) {
  using parallel::Schedule;
  switch (loop.schedule) {
  case QX_SCHEDULE_STATIC:
    return {loop.chunk == 0 ? Schedule::fixed : Schedule::fixedChunks, loop.chunk};
  case QX_SCHEDULE_DYNAMIC:
    return {Schedule::stealing, loop.chunk};
  case QX_SCHEDULE_QUEUE:
    return {Schedule::queue, loop.chunk};
  case QX_SCHEDULE_GUIDED:
    return {Schedule::guided, loop.chunk};
  case QX_SCHEDULE_OTHER:
    break;
  }
  return {Schedule::fixed, 0, false};
}

Result<SharedLoop> sharedLoop(const TeamLoop &loop, const std::vector<StrandThread> &threads,
                              const std::set<uint64_t> &owned, uint64_t most) {
  const Error unknown{
      "threads do more in its iterations than to work and to have locks, or not all "
      "of these were recorded"};
  if (loop.parts.size() != loop.teamSize)
    return unknown;
  SharedLoop out{.of = &loop, .loop = {}, .last = {}};
  ToldShares told;
  for (const TeamLoop::Part &p : loop.parts)
    out.last.push_back(readPart(threads[p.thread].events, p.event, owned, told));
  const uint64_t size = wholeSize(told.stretches);
  if (size == 0)
    return unknown;
  for (const IterationStretch &s : told.stretches)
    out.perIteration += s.work / static_cast<double>(size);
  if (told.hasLocks) {
    if (std::ranges::any_of(told.stretches, [](const IterationStretch &s) { return s.among != 1; }))
      return Error{"it has iterations with locks, and too many to record each"};
    out.iterations = static_cast<uint32_t>(size);
    return out;
  }
  const uint64_t groups = std::min(size, std::max<uint64_t>(most, 1));
  out.loop.costs = costsOf(told.stretches, size, groups);
  out.perCost = static_cast<double>(size) / static_cast<double>(groups);
  return out;
}

} // namespace quincunx
