// The idea: who loses works until the winner ends, so that it is enough to take from each thread
// what it would have done after that. Its events stay, nearer to its beginning.
#include "FirstToEnd.h"

#include <algorithm>
#include <map>
#include <vector>

namespace quincunx {

namespace {

/// What a thread does up to one of its events, as one of several of which the first ends all.
struct Racer {
  size_t thread = 0, first = 0, last = 0; ///< events: places in ProcessStrands; the last ends it
  uint64_t from = 0;                      ///< its clock before
  uint64_t late = 0;                      ///< how much later than others it begins
  uint64_t work = 0, left = 0;            ///< as it was, and until the first ends
};
using Group = std::vector<Racer>;

class Groups {
public:
  Groups(const ProcessStrands &s, const std::set<uint32_t> &at) : threads(s.threads), sites(at) {}

  Result<std::vector<Group>> find() {
    for (size_t t = 0; t < threads.size(); ++t) {
      numbers[threads[t].number] = t;
      for (const StrandEvent &e : threads[t].events)
        if (sites.contains(e.site) && e.kind == QX_STRAND_TEAM)
          teams[e.object];
        else if (sites.contains(e.site) && e.kind == QX_STRAND_SPAWN)
          return Error{"tasks are made there; what ends with the first of them are threads, or the "
                       "members of a team"};
    }
    for (size_t t = 0; t < threads.size(); ++t)
      look(t);
    for (auto &[team, group] : teams)
      all.push_back(std::move(group));
    for (Group &group : all) {
      uint64_t work = 0, held = 0;
      bool onlyWorks = true;
      for (Racer &s : group) {
        onlyWorks = onlyWorks && follow(s, held);
        work += s.work;
      }
      if (!onlyWorks || held > work / 100)
        return Error{
            "threads that are begun there do more than to work (they wait, make threads or "
            "tasks, have locks for more than 1 % of it, or are dealt what comes next): what "
            "of that is left when one has ended is not known"};
    }
    return std::move(all);
  }

private:
  void look(size_t t) {
    const std::vector<StrandEvent> &events = threads[t].events;
    Racer *within = nullptr;      // of a team
    std::set<uint64_t> notJoined; // of the group of threads that it creates
    for (size_t i = 0; i < events.size(); ++i) {
      const StrandEvent &e = events[i];
      if (e.kind == QX_STRAND_MEET && within != nullptr) {
        within->last = i;
        within = nullptr;
      } else if ((e.kind == QX_STRAND_TEAM || e.kind == QX_STRAND_MEMBER) &&
                 teams.contains(e.object)) {
        within = &teams[e.object].emplace_back(Racer{.thread = t, .first = i + 1, .from = e.clock});
      } else if (e.kind == QX_STRAND_JOIN && notJoined.contains(e.object)) {
        notJoined.clear();
      } else if (e.kind == QX_STRAND_CREATE && sites.contains(e.site) && !makesMember(e)) {
        const auto made = numbers.find(static_cast<uint32_t>(e.object));
        if (made == numbers.end() || threads[made->second].events.empty() ||
            !begun.insert(made->second).second)
          continue;
        if (notJoined.empty())
          all.emplace_back();
        notJoined.insert(e.object);
        all.back().push_back({.thread = made->second,
                              .last = threads[made->second].events.size() - 1,
                              .late = e.clock});
      }
    }
  }

  /// Counts how much it works, and how long of that with locks; false: it does more.
  bool follow(Racer &s, uint64_t &held) const {
    const std::vector<StrandEvent> &events = threads[s.thread].events;
    if (s.last < s.first)
      return false;
    uint64_t since = 0;
    size_t locks = 0;
    for (size_t i = s.first; i < s.last; ++i) {
      const StrandEvent &e = events[i];
      if (takesLock(e.kind))
        since = locks++ == 0 ? e.clock : since;
      else if (e.kind == QX_STRAND_UNLOCK && locks > 0)
        held += --locks == 0 ? e.clock - since : 0;
      else if (e.kind != QX_STRAND_ITERATED && !makesMember(e) &&
               (e.kind != QX_STRAND_LOOP || (e.object & 0xff) != QX_SCHEDULE_STATIC))
        return false;
    }
    s.work = events[s.last].clock - s.from;
    return locks == 0;
  }

  /// The library's, of threads for its teams, which end with the process.
  bool makesMember(const StrandEvent &e) const {
    const auto made = numbers.find(static_cast<uint32_t>(e.object));
    return e.kind == QX_STRAND_CREATE && made != numbers.end() &&
           !threads[made->second].events.empty() &&
           threads[made->second].events.front().kind == QX_STRAND_MEMBER;
  }

  const std::vector<StrandThread> &threads;
  const std::set<uint32_t> &sites;
  std::map<uint32_t, size_t> numbers;
  std::map<uint64_t, Group> teams; ///< by number
  std::set<size_t> begun;          ///< threads that are of a group that one creates
  std::vector<Group> all;
};

/// Did the one that works least do hardly more than to look whether it is to stop?
bool hasHardlyWorked(const Group &group) {
  constexpr uint64_t hardly = 200, times = 1000; // counts; as another one did
  const auto [least, most] = std::ranges::minmax(group, {}, &Racer::work);
  return least.work < hardly && least.work < most.work / times;
}

/// A thread of which these stretches, in order, are shorter.
StrandThread cutShort(StrandThread thread, const std::vector<Racer> &stretches) {
  uint64_t gone = 0;
  size_t i = 0;
  for (const Racer &s : stretches) {
    for (; i < s.first; ++i)
      thread.events[i].clock -= gone;
    for (; i <= s.last; ++i) {
      const unsigned __int128 done = thread.events[i].clock - s.from;
      thread.events[i].clock =
          s.from - gone + (s.work > 0 ? static_cast<uint64_t>(done * s.left / s.work) : 0);
    }
    gone += s.work - s.left;
  }
  for (; i < thread.events.size(); ++i)
    thread.events[i].clock -= gone;
  return thread;
}

} // namespace

Result<EndedWithFirst> endWithFirst(const ProcessStrands &strands,
                                    const std::set<uint32_t> &sites) {
  Result<std::vector<Group>> groups = Groups(strands, sites).find();
  if (!groups)
    return groups.error();
  EndedWithFirst out{{strands.isCut, {}}};
  std::vector<std::vector<Racer>> stretches(strands.threads.size());
  for (Group &group : *groups) {
    out.hasHardlyWorked |= !group.empty() && hasHardlyWorked(group);
    uint64_t end = UINT64_MAX;
    for (const Racer &s : group)
      end = std::min(end, s.late + s.work);
    for (Racer &s : group) {
      s.left = std::min(s.work, end - std::min(end, s.late));
      stretches[s.thread].push_back(s);
    }
  }
  for (size_t t = 0; t < strands.threads.size(); ++t) {
    std::ranges::sort(stretches[t], {}, &Racer::first);
    out.strands.threads.push_back(cutShort(strands.threads[t], stretches[t]));
  }
  return out;
}

} // namespace quincunx
