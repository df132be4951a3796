// Who looks at an atomic in vain looks again, so of the looks that a thread has one behind the
// other the last one found enough done, and the ones before it did not. It may have found more than
// it needed, as it came late; who came earliest tells.
#include "AtomicWaits.h"

#include <algorithm>
#include <optional>

namespace quincunx {

namespace {

bool isOfAtomic(qx_strand_kind kind) {
  return kind == QX_STRAND_DONE || kind == QX_STRAND_AWAIT || kind == QX_STRAND_CHANGE;
}

constexpr uint64_t hardly = 200; // counts: no more than to say what was done before

struct Look {
  size_t thread;
  uint32_t node;
  const StrandEvent *event;
};

/// What threads did to one atomic, and how they looked at it.
struct Atomic {
  std::vector<Look> done;            ///< in order
  std::vector<Look> last;            ///< where one found that it counted last
  std::vector<Look> did;             ///< where it had done what it did so
  std::map<uint32_t, uint64_t> jobs; ///< by node of a look: the job taken before
  /// By thread: looks with nothing but waits between them are one visit.
  std::map<size_t, std::vector<std::vector<Look>>> visits;
  std::set<size_t> doers;
  bool isOther = false; ///< made anew, or waited for without a look

  uint32_t doneBefore(const Look &look) const {
    return static_cast<uint32_t>(
        std::ranges::upper_bound(done, look.event->order, {},
                                 [](const Look &d) { return d.event->order; }) -
        done.begin());
  }
};

/// Nodes are numbered as a StrandGraph does it.
std::map<uint64_t, Atomic> atomicsOf(const std::vector<StrandThread> &threads) {
  std::map<uint64_t, Atomic> atomics;
  uint32_t next = 0; // node
  for (size_t t = 0; t < threads.size(); ++t) {
    const std::vector<StrandEvent> &events = threads[t].events;
    const uint32_t begin = next;
    std::optional<uint64_t> number; // of a job
    next += 1 + static_cast<uint32_t>(events.size());
    for (size_t i = 0; i < events.size(); ++i) {
      const StrandEvent &e = events[i];
      const Look look{t, begin + 1 + static_cast<uint32_t>(i), &e};
      const auto isNextTo = [&](qx_strand_kind kind, size_t other) {
        return other < events.size() && events[other].kind == kind &&
               events[other].object == e.object;
      };
      if (e.kind == QX_STRAND_LATCH) {
        atomics[e.object].isOther = true;
      } else if (e.kind == QX_STRAND_CHANGE) { // between two looks
        atomics[e.object].isOther |=
            i == 0 || !isNextTo(QX_STRAND_AWAIT, i - 1) || !isNextTo(QX_STRAND_AWAIT, i + 1);
      } else if (e.kind == QX_STRAND_DONE) {
        Atomic &a = atomics[e.object];
        a.doers.insert(t);
        const bool isClose = i > 0 && e.clock - events[i - 1].clock <= hardly;
        const bool tells = (isNextTo(QX_STRAND_DONE, i - 1) && !a.done.empty() &&
                            a.done.back().node + 1 == look.node) ||
                           isNextTo(QX_STRAND_CAME_LAST, i - 1);
        if (!isClose || !tells)
          a.done.push_back(look);
      } else if (e.kind == QX_STRAND_CAME_LAST) {
        atomics[e.object].last.push_back(look);
      } else if (e.kind == QX_STRAND_LAST_DID) {
        atomics[e.object].did.push_back(look);
      } else if (e.kind == QX_STRAND_AWAIT) {
        auto &visits = atomics[e.object].visits[t];
        if (visits.empty() || i == 0 || !isNextTo(QX_STRAND_CHANGE, i - 1))
          visits.emplace_back();
        visits.back().push_back(look);
        if (number)
          atomics[e.object].jobs[look.node] = *number;
      } else if (e.kind == QX_STRAND_NUMBER) {
        number = e.object;
      }
    }
  }
  for (auto &[object, a] : atomics)
    std::ranges::sort(a.done, {}, [](const Look &d) { return d.event->order; });
  return atomics;
}

/// Where a thread goes on that waited, or lets others go on.
struct Turn {
  uint32_t order, site;
  size_t thread;
  bool isWait;
  std::optional<uint64_t> number; ///< of a job that it took before that, and behind its turn before
};

/// In order; looks in vain are left out.
std::vector<Turn> turnsAt(const Atomic &a) {
  std::vector<Turn> turns;
  for (const Look &d : a.done)
    turns.push_back({d.event->order, d.event->site, d.thread, false, {}});
  for (const auto &[thread, visits] : a.visits)
    for (const std::vector<Look> &visit : visits) {
      const auto job = a.jobs.find(visit.back().node);
      turns.push_back({visit.back().event->order, visit.back().event->site, thread, true,
                       job == a.jobs.end() ? std::nullopt : std::optional(job->second)});
    }
  std::ranges::sort(turns, {}, &Turn::order);
  return turns;
}

/// Does who goes on let others go on before any of them does?
bool isOneByOne(const std::vector<Turn> &turns) {
  for (size_t i = 0; i < turns.size(); ++i)
    if (turns[i].isWait != (i % 2 == 0) || (i % 2 == 1 && turns[i].thread != turns[i - 1].thread))
      return false;
  return true;
}

bool isLock(const Atomic &a) {
  if (a.isOther || !a.last.empty() || a.visits.size() < 2)
    return false;
  const std::vector<Turn> turns = turnsAt(a);
  if (!isOneByOne(turns))
    return false;
  const size_t round = 2 * a.visits.size();
  bool isInTurn = true, isInOrder = true; // of jobs: each is to be finished behind the one before
  for (size_t i = 0; i < turns.size(); ++i) {
    if (turns[i].site != turns[i % 2].site)
      return false;
    isInTurn = isInTurn && (i < round || turns[i].thread == turns[i - round].thread);
    isInOrder =
        isInOrder && (!turns[i].isWait ||
                      (turns[i].number && (i < 2 || *turns[i].number > *turns[i - 2].number)));
  }
  return !isInTurn && !isInOrder;
}

/// How much is to be done by visit; empty: that cannot be told. It is all that is done before any
/// thread comes there so often, and each has found that. Looks are written down behind them, and
/// what is done before it is, so that now and then one seems to have come later than it did.
std::vector<uint32_t> neededBy(const Atomic &a) {
  constexpr size_t seldom = 3; // one in so many
  const size_t visits = a.visits.begin()->second.size();
  std::vector<uint32_t> needed(visits, 0);
  for (const Look &d : a.done) {
    const auto own = a.visits.find(d.thread);
    if (own == a.visits.end())
      return {};
    for (size_t k = 0; k < std::min(visits, own->second.size()); ++k)
      needed[k] += d.node < own->second[k].back().node ? 1 : 0;
  }
  size_t inVain = 0, tooLate = 0; // looks
  for (const auto &[thread, own] : a.visits) {
    if (own.size() != visits)
      return {};
    for (size_t k = 0; k < visits; ++k) {
      if (a.doneBefore(own[k].back()) < needed[k])
        return {};
      inVain += own[k].size() > 1 ? 1 : 0;
      tooLate += own[k].size() > 1 && a.doneBefore(own[k].front()) >= needed[k] ? 1 : 0;
    }
  }
  return needed.front() > 0 && seldom * tooLate <= inVain ? needed : std::vector<uint32_t>();
}

/// The same of those who wait for what others do, each time for one more, and may be so much ahead:
/// what is left of a buffer, rows of a neighbour.
std::vector<uint32_t> neededOneByOne(const Atomic &a) {
  int64_t ahead = 0;
  bool isTight = false;
  for (const auto &[thread, own] : a.visits) {
    if (own.size() != a.done.size() || a.doers.contains(thread))
      return {};
    for (size_t k = 0; k < own.size(); ++k)
      ahead = std::max(ahead, static_cast<int64_t>(k) + 1 - a.doneBefore(own[k].back()));
  }
  for (const auto &[thread, own] : a.visits)
    for (size_t k = 0; k < own.size(); ++k)
      isTight |=
          own[k].size() > 1 && a.doneBefore(own[k].front()) >= static_cast<int64_t>(k) - ahead;
  if (ahead > 0 && !isTight)
    return {};
  std::vector<uint32_t> needed;
  for (size_t k = 0; k < a.done.size(); ++k)
    needed.push_back(
        static_cast<uint32_t>(std::max<int64_t>(static_cast<int64_t>(k) + 1 - ahead, 0)));
  return needed;
}

/// How long who came last worked as such; nothing: it is not known up to where.
std::optional<uint64_t> workAsLast(const Atomic &a, const Look &last) {
  for (const Look &did : a.did)
    if (did.thread == last.thread && did.node > last.node)
      return did.event->clock - last.event->clock;
  return std::nullopt;
}

/// Has somebody come last once that so many had counted, two at least, or each time and done hardly
/// anything? Else, and of what is counted up and down, who comes last is chance.
bool isCountedInRounds(const Atomic &a) {
  std::vector<uint32_t> before;
  for (const Look &look : a.last)
    if (before.push_back(a.doneBefore(look));
        a.last.size() > 1 && workAsLast(a, look).value_or(UINT64_MAX) > hardly)
      return false;
  std::ranges::sort(before);
  for (size_t i = 0; i < before.size(); ++i)
    if (before[i] != (i + 1) * size_t{before.front()})
      return false;
  return !before.empty() && before.front() > 1;
}

} // namespace

std::vector<CountedWaits> atomicWaits(const std::vector<StrandThread> &threads) {
  std::vector<CountedWaits> out;
  for (const auto &[object, a] : atomicsOf(threads)) {
    if (a.isOther || a.done.empty())
      continue;
    CountedWaits waits;
    const bool isInRounds = isCountedInRounds(a);
    for (const Look &look : a.last) {
      waits.wakes.insert(look.node);
      if (const uint32_t before = a.doneBefore(look); isInRounds) {
        waits.before[look.node] = before;
        if (a.last.size() == 1)
          waits.last = look.node;
        waits.isLastEnded = workAsLast(a, look).value_or(0) > hardly;
      }
    }
    std::vector<uint32_t> needed = a.visits.size() > 1 ? neededBy(a) : std::vector<uint32_t>();
    if (needed.empty() && !a.visits.empty() && a.done.size() > 1)
      needed = neededOneByOne(a);
    for (const auto &[thread, visits] : a.visits)
      for (size_t k = 0; k < visits.size() && !needed.empty(); ++k) {
        for (uint32_t node = visits[k].front().node; node <= visits[k].back().node; ++node)
          waits.wakes.insert(node);
        if (needed[k] > 0)
          waits.before[visits[k].back().node] = needed[k];
      }
    if (waits.wakes.empty())
      continue;
    for (const Look &d : a.done)
      waits.done.push_back(d.node);
    out.push_back(std::move(waits));
  }
  return out;
}

std::optional<ProcessStrands> withLocksOfAtomics(const ProcessStrands &strands) {
  std::map<uint64_t, std::set<uint32_t>> locks; // orders of what is a lock's
  for (const auto &[object, a] : atomicsOf(strands.threads))
    if (isLock(a))
      for (const Turn &t : turnsAt(a))
        locks[object].insert(t.order);
  if (locks.empty())
    return std::nullopt;
  ProcessStrands out = strands;
  for (StrandThread &t : out.threads) {
    std::erase_if(t.events, [&](const StrandEvent &e) {
      const auto lock = locks.find(e.object);
      return lock != locks.end() && isOfAtomic(e.kind) && !lock->second.contains(e.order);
    });
    for (StrandEvent &e : t.events)
      if (isOfAtomic(e.kind) && locks.contains(e.object))
        e.kind = e.kind == QX_STRAND_DONE ? QX_STRAND_UNLOCK : QX_STRAND_LOCK;
  }
  return out;
}

} // namespace quincunx
