// The thread becomes the first of a team where it comes to such a loop, and leaves it where it has
// done the last iteration that was told. The others come, have no iterations, and meet it there.
#include "SerialLoops.h"

#include <algorithm>
#include <map>

namespace quincunx {

namespace {

class Sharer {
public:
  Sharer(const ProcessStrands &s, const std::set<uint32_t> &at, uint32_t t)
      : sites(at), threads(t) {
    out.isCut = s.isCut;
    for (const StrandThread &thread : s.threads) {
      next = std::max(next, thread.number + 1);
      for (const StrandEvent &e : thread.events)
        if (e.kind == QX_STRAND_TEAM)
          team = std::max(team, e.object);
    }
  }

  Result<ProcessStrands> share(const ProcessStrands &strands) {
    std::vector<StrandThread> others;
    for (const StrandThread &t : strands.threads) {
      std::vector<StrandThread> workers;
      out.threads.push_back({t.number, {}});
      if (const Status s = follow(t, workers); !s)
        return s.error();
      std::ranges::move(workers, std::back_inserter(others));
    }
    std::ranges::move(others, std::back_inserter(out.threads));
    return std::move(out);
  }

private:
  /// Of a loop that the thread comes to.
  struct Extent {
    size_t last = 0;     ///< of its events: index
    uint64_t rounds = 0; ///< iterations
  };
  static std::map<uint64_t, Extent> extentsOf(const StrandThread &t) { // by number
    std::map<uint64_t, Extent> extents;
    for (size_t i = 0; i < t.events.size(); ++i)
      if (const StrandEvent &e = t.events[i]; isOfSerialLoop(e.kind)) {
        Extent &of = extents[e.object];
        of.last = i;
        of.rounds += e.kind == QX_STRAND_ROUND ? e.order : 0;
      }
    return extents;
  }

  Status follow(const StrandThread &t, std::vector<StrandThread> &workers) {
    const std::map<uint64_t, Extent> extents = extentsOf(t);
    std::vector<StrandEvent> &to = out.threads.back().events;
    size_t teams = 0; // that it made and has not left
    bool isMember = false;
    for (size_t i = 0; i < t.events.size(); ++i) {
      const StrandEvent &e = t.events[i];
      if (e.kind == QX_STRAND_MEMBER)
        isMember = true;
      else if (e.kind == QX_STRAND_TEAM)
        ++teams;
      else if (e.kind == QX_STRAND_LEAVE && e.object == 0)
        isMember = false;
      else if (e.kind == QX_STRAND_LEAVE && teams > 0)
        --teams;
      if (e.kind == QX_STRAND_SERIAL && sites.contains(e.site) && extents.at(e.object).rounds > 0 &&
          teams == 0 && !isMember) {
        if (const Status s = shareOne(t, i, extents.at(e.object).last, workers); !s)
          return s;
        i = extents.at(e.object).last;
      } else if (!isOfSerialLoop(e.kind)) {
        to.push_back(e);
      }
    }
    for (StrandThread &w : workers)
      w.events.push_back({0, QX_STRAND_END, 0, 0, 0});
    return Done{};
  }

  Status shareOne(const StrandThread &t, size_t begin, size_t end,
                  std::vector<StrandThread> &workers) {
    if ((made += threads) > most)
      return Error{"loops that are to be shared begin too often for so many threads"};
    std::vector<StrandEvent> &to = out.threads.back().events;
    const StrandEvent &loop = t.events[begin];
    const uint64_t id = ++team;
    uint32_t order = 0;
    const auto happens = [&](std::vector<StrandEvent> &whose, uint64_t clock, qx_strand_kind kind,
                             uint32_t site, uint64_t object) {
      whose.push_back({clock, kind, order++, site, object});
    };
    happens(to, loop.clock, QX_STRAND_TEAM, loop.site, id);
    for (uint32_t k = 1; k < threads; ++k) {
      if (workers.size() < k) {
        happens(to, loop.clock, QX_STRAND_CREATE, loop.site, next);
        workers.push_back({next++, {}});
      }
      happens(workers[k - 1].events, 0, QX_STRAND_MEMBER, k, id);
      happens(workers[k - 1].events, 0, QX_STRAND_LOOP, loop.site, QX_SCHEDULE_STATIC);
    }
    happens(to, loop.clock, QX_STRAND_LOOP, loop.site, QX_SCHEDULE_STATIC);
    uint64_t done = 0, clock = loop.clock;
    for (size_t i = begin + 1; i <= end; ++i) {
      const StrandEvent &e = t.events[i];
      if (e.kind == QX_STRAND_ROUND && e.object == loop.object) {
        if (e.order == 0 || (i == end && isHardlyBegun(e, clock, clock - loop.clock, done)))
          continue;
        to.push_back({clock = e.clock, QX_STRAND_ITERATED, e.order, e.order, done});
        done += e.order;
      } else if (takesLock(e.kind) || e.kind == QX_STRAND_UNLOCK ||
                 (sharesOut(e.kind) && !isOfLoop(e.kind))) {
        to.push_back(e);
      } else if (!isOfSerialLoop(e.kind)) {
        return Error{"a thread does more in iterations of the loop than to work and to have locks"};
      }
    }
    for (uint32_t k = 1; k < threads; ++k)
      happens(workers[k - 1].events, 0, QX_STRAND_MEET, loop.site, id);
    happens(to, clock, QX_STRAND_MEET, loop.site, id);
    happens(to, clock, QX_STRAND_LEAVE, loop.site, id);
    return Done{};
  }

  /// Is the last iteration one in which the thread looked whether there is one? `work` of the
  /// `done` ones before, which end at `clock`.
  static bool isHardlyBegun(const StrandEvent &last, uint64_t clock, uint64_t work, uint64_t done) {
    constexpr uint64_t hardly = 10; // one part in so many
    return last.order == 1 && done > 0 && hardly * (last.clock - clock) < work / done;
  }

  static constexpr size_t most = 1 << 20; ///< members of all teams
  const std::set<uint32_t> &sites;
  const uint32_t threads;
  uint32_t next = 0; ///< number of a thread
  uint64_t team = 0; ///< the last one's
  size_t made = 0;   ///< members of teams
  ProcessStrands out;
};

} // namespace

ProcessStrands onlySerialLoops(const ProcessStrands &strands, const std::set<uint32_t> &sites) {
  ProcessStrands out = strands;
  for (StrandThread &t : out.threads) {
    std::set<uint64_t> kept; // numbers of loops
    std::erase_if(t.events, [&](const StrandEvent &e) {
      if (e.kind == QX_STRAND_SERIAL && sites.contains(e.site))
        kept.insert(e.object);
      return isOfSerialLoop(e.kind) && !kept.contains(e.object);
    });
  }
  return out;
}

Result<ProcessStrands> shareSerialLoops(const ProcessStrands &strands,
                                        const std::set<uint32_t> &sites, uint32_t threads) {
  return Sharer(strands, sites, threads).share(strands);
}

} // namespace quincunx
