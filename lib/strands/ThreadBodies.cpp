// Each logical thread is a body, in which a strand is work, and what it does for others and waits
// for stands where it did (Meetings.cpp). The first body begins what nobody else does and waits
// until all have ended, as a process does. Threads that take jobs from a queue are dealt what they
// do from one job to the next, and those of a team the iterations of loops whose chunks come to who
// is free, or that are to have another schedule. What is kept, and what is otherwise than it was,
// is decided before (StrandDescription.cpp).
#include "ThreadBodies.h"

#include "LockSections.h"
#include "Meetings.h"

#include <algorithm>
#include <map>
#include <optional>

namespace quincunx {

namespace {

using parallel::Body;

/// How a thread has locks: one that it has is not waited for again.
class Held {
public:
  /// Does it wait for this, and does it give this back?
  bool takes(uint64_t object) { return depth[object]++ == 0; }
  bool gives(uint64_t object) {
    const auto at = depth.find(object);
    if (at == depth.end() || --at->second > 0)
      return false;
    depth.erase(at);
    return true;
  }
  bool has(uint64_t object) const { return depth.contains(object); }
  const std::map<uint64_t, size_t> &all() const { return depth; }

private:
  std::map<uint64_t, size_t> depth;
};

} // namespace

std::set<uint64_t> ownedLocks(const std::vector<StrandThread> &threads) {
  std::set<uint64_t> owned, others;
  for (const StrandThread &t : threads) {
    Held held;
    for (const StrandEvent &e : t.events)
      if (takesLock(e.kind)) {
        held.takes(e.object);
        owned.insert(e.object);
      } else if (e.kind == QX_STRAND_UNLOCK) {
        if (!held.has(e.object))
          others.insert(e.object);
        held.gives(e.object);
      }
  }
  for (const uint64_t object : others)
    owned.erase(object);
  return owned;
}

namespace {

/// Counts that surely pass before a thread that waits for a mutex has woken up: some 100 ns, of 1
/// to 30 us.
constexpr double beforeWaking = 500;

class Describer {
public:
  explicit Describer(const Meeting &r)
      : ran(r), threads(r.threads.strands.threads),
        owned(r.kept == Kept::order ? std::set<uint64_t>() : ownedLocks(threads)),
        works(out, r.graph.sitesOfCreation()) {}

  StrandDescription describe(double slowMotion) {
    out.description.bodies.resize(threads.size() + 1);
    if (ran.threads.firstTask < threads.size())
      out.description.firstTask = bodyOfThread(ran.threads.firstTask);
    out.description.channels.emplace_back(); // on which each thread posts its end
    out.channels.emplace_back();
    meetings = meetingsOf(ran, owned, works, out);
    for (const StrandThread &t : threads)
      for (size_t i = 0; i < t.events.size(); ++i)
        if (const auto lock = ownLockOfCondition(t.events, i))
          ofConditions.insert({*lock, t.events[i - 1].object});
    for (size_t t = 0; t < threads.size(); ++t)
      follow(t, ran.graph.beginOf(t));
    Body &first = out.description.bodies.front();
    for (size_t t = 0; t < threads.size(); ++t)
      if (!meetings.isForked[t])
        first.push_back(parallel::fork(bodyOfThread(t)));
    first.insert(first.end(), threads.size(), parallel::take(0));
    dropUntaken();
    const parallel::LockReturns returns(out.description);
    for (uint32_t b = 0; b < out.description.bodies.size(); ++b)
      for (size_t s = 0; s < out.description.bodies[b].size(); ++s)
        if (parallel::Step &step = out.description.bodies[b][s];
            step.kind == parallel::StepKind::unlock && !out.isQueued[step.object])
          step.nowait = returns.comesAgain(b, s, beforeWaking * slowMotion);
    return std::move(out);
  }

private:
  /// Who had the lock already did not wait for it, and was dealt nothing.
  void dropUntaken() {
    for (uint32_t p = 0; p < out.description.pools.size(); ++p) {
      std::vector<uint32_t> &pool = out.description.pools[p];
      if (std::ranges::count(pool, 0u) == 0)
        continue;
      std::vector<uint32_t> numbers; // noIndex: it is not dealt
      for (uint32_t next = 0; const uint32_t body : pool)
        numbers.push_back(body != 0 ? next++ : noIndex);
      std::erase(pool, 0u);
      for (Body &body : out.description.bodies) {
        for (parallel::Step &s : body)
          if (s.kind == parallel::StepKind::put && s.object == p)
            s.count = numbers[s.count];
        std::erase_if(body, [p](const parallel::Step &s) {
          return s.kind == parallel::StepKind::put && s.object == p && s.count == noIndex;
        });
      }
    }
  }

  uint32_t lockOf(const StrandEvent &e) {
    const auto [at, isNew] = numbers.try_emplace(e.object, out.locks.size());
    if (isNew) {
      out.locks.push_back(waitAt(e));
      out.isQueued.push_back((e.object & QX_STRAND_QUEUED) != 0);
    }
    out.description.locks = static_cast<uint32_t>(out.locks.size());
    return at->second;
  }

  /// The lock that a thread comes to there, with those that it tries at once behind it, as
  /// std::lock does: it backs off where one is not free, and has all of them or none. Marks the
  /// events of the latter.
  parallel::Step lockFrom(size_t t, size_t i, const Held &held, std::vector<bool> &isTaken) {
    constexpr uint64_t ofStdLock = 200; // counts between two of them, at most
    const std::vector<StrandEvent> &events = threads[t].events;
    std::vector<uint32_t> all{lockOf(events[i])};
    constexpr size_t most = 16;
    for (++i; i < events.size() && events[i].kind == QX_STRAND_TRIED && all.size() < most; ++i) {
      const StrandEvent &e = events[i];
      if (e.clock - events[i - 1].clock > ofStdLock || !owned.contains(e.object) ||
          held.has(e.object) || meetings.takenBy.contains({t, i}))
        break;
      if (std::ranges::count(all, lockOf(e)) != 0)
        break;
      all.push_back(lockOf(e));
      isTaken[i] = true;
    }
    if (all.size() == 1)
      return parallel::lock(all.front());
    std::vector<uint32_t> &together = out.description.together;
    together.insert(together.end(), all.begin(), all.end());
    return parallel::lockAll(static_cast<uint32_t>(together.size() - all.size()),
                             static_cast<uint32_t>(all.size()));
  }

  /// Who is asked to stop, and has the lock with which he waits on such a condition, has not waited
  /// until he was: he looks, and would wait on the condition otherwise. So he comes there behind
  /// that.
  Body looksWithin(size_t t, size_t lock, uint32_t node) {
    const std::vector<StrandEvent> &events = threads[t].events;
    Body looks;
    Held held;
    for (size_t i = lock; i < events.size(); ++i) {
      if (takesLock(events[i].kind))
        held.takes(events[i].object);
      else if (events[i].kind == QX_STRAND_UNLOCK && held.gives(events[i].object) &&
               held.all().empty())
        break;
      else if (const auto at = meetings.atNode.find(node + static_cast<uint32_t>(i - lock));
               events[i].kind == QX_STRAND_AWAIT && at != meetings.atNode.end() &&
               std::ranges::any_of(held.all(),
                                   [&](const auto &of) { return ofConditions.contains(of.first); }))
        std::ranges::move(std::exchange(at->second.before, {}), std::back_inserter(looks));
    }
    return looks;
  }

  void follow(size_t t, uint32_t node) {
    uint32_t body = bodyOfThread(t); // bodies move when one is added
    const auto add = [&](const parallel::Step &step) {
      out.description.bodies[body].push_back(step);
    };
    const auto addAll = [&](const Body &steps) {
      for (const parallel::Step &step : steps)
        add(step);
    };
    Held held;
    std::vector<std::pair<uint64_t, uint32_t>> beforeLast; ///< atomic at which it came last; body
    const auto leaveLast = [&] {
      body = beforeLast.empty() ? body : beforeLast.front().second;
      beforeLast.clear();
    };
    std::vector<bool> isTaken(threads[t].events.size()); ///< with a lock before
    addAll(meetings.atNode[node].after);
    uint64_t clock = 0;
    size_t lastOfPart = 0; ///< of a loop whose iterations are bodies
    uint32_t outer = noIndex, firstBody = 0, loopSite = 0;
    uint32_t beside = noIndex;              ///< of a part that is done once
    const auto bodyOfNext = [&](size_t i) { // iteration
      while (threads[t].events[i].kind != QX_STRAND_ITERATED)
        ++i;
      return firstBody + static_cast<uint32_t>(threads[t].events[i].object);
    };
    for (size_t i = 0; i < threads[t].events.size(); ++i) {
      const StrandEvent &e = threads[t].events[i];
      ++node;
      if (e.kind == QX_STRAND_LOOP)
        loopSite = e.site;
      StrandEvent ended = e;
      if (e.kind == QX_STRAND_ITERATED) // its site is something else
        ended.site = loopSite;
      if (e.clock > clock)
        add(parallel::work(static_cast<double>(e.clock - clock), works.of(ended, t)));
      clock = e.clock;
      if (const auto part = meetings.partAt.find({t, i}); part != meetings.partAt.end()) {
        const Meetings::Portion &p = part->second;
        add(parallel::portion(p.loop, p.member));
        if (const parallel::Loop &loop = out.description.loops[p.loop]; loop.bodies == 0) {
          node += static_cast<uint32_t>(p.last - i);
          i = p.last;
          clock = threads[t].events[i].clock;
        } else if (p.last > i) {
          outer = body;
          lastOfPart = p.last;
          firstBody = loop.firstBody;
          body = bodyOfNext(i + 1);
        }
        continue;
      }
      if (e.kind == QX_STRAND_ITERATED && outer != noIndex) {
        beforeLast.clear();
        body = i < lastOfPart ? bodyOfNext(i + 1) : std::exchange(outer, noIndex);
        continue;
      }
      const auto deal = [&](const std::pair<size_t, size_t> &what) {
        const auto [queue, which] = what;
        leaveLast();
        add(parallel::deal(static_cast<uint32_t>(queue)));
        body = static_cast<uint32_t>(out.description.bodies.size());
        out.description.bodies.emplace_back();
        out.description.pools[queue][which] = body;
      };
      if (const auto done = meetings.doneAt.find({t, i});
          done != meetings.doneAt.end() && outer == noIndex)
        deal(done->second);
      const auto taken = meetings.takenBy.find({t, i});
      if (taken != meetings.takenBy.end() && e.kind == QX_STRAND_CLAIM && outer == noIndex)
        deal(taken->second);
      const auto at = meetings.atNode.find(node);
      if (const auto last = meetings.lastAt.find(node); last != meetings.lastAt.end()) {
        beforeLast.emplace_back(e.object, body);
        body = last->second;
      } else if (e.kind == QX_STRAND_LAST_DID && !beforeLast.empty() &&
                 beforeLast.back().first == e.object) {
        body = beforeLast.back().second;
        beforeLast.pop_back();
      }
      if (at != meetings.atNode.end())
        addAll(at->second.before);
      if (takesLock(e.kind) && owned.contains(e.object) && held.takes(e.object)) {
        if (taken != meetings.takenBy.end() && outer == noIndex)
          deal(taken->second);
        if (held.all().size() == 1 && !ofConditions.empty())
          addAll(looksWithin(t, i, node));
        if (e.kind == QX_STRAND_READ_LOCK)
          add(parallel::share(lockOf(e)));
        else if (e.kind == QX_STRAND_TRIED && taken == meetings.takenBy.end() && !isTaken[i])
          add(parallel::lock(lockOf(e), true));
        else if (!isTaken[i])
          add(lockFrom(t, i, held, isTaken));
      } else if (e.kind == QX_STRAND_UNLOCK && owned.contains(e.object) && held.gives(e.object)) {
        add(parallel::unlock(lockOf(e)));
      }
      if (at != meetings.atNode.end())
        addAll(at->second.after);
      if (const auto once = meetings.onceAt.find({t, i}); once != meetings.onceAt.end()) {
        add(parallel::once(once->second.barrier, once->second.body));
        if (e.kind == QX_STRAND_LATCH)
          beside = std::exchange(body, once->second.body);
      }
      if (const auto once = meetings.onceEnds.find({t, i}); once != meetings.onceEnds.end()) {
        add(parallel::arrive(once->second.barrier));
        body = beside;
      }
    }
    leaveLast();
    for (const auto &[object, depth] : held.all()) // with its end nobody is kept waiting
      add(parallel::unlock(numbers.at(object)));
    add(parallel::post(0));
  }

  const Meeting &ran;
  const std::vector<StrandThread> &threads;
  const std::set<uint64_t> owned; ///< addresses
  StrandDescription out;
  WorkClasses works;
  Meetings meetings;
  /// Locks that std::condition_variable_any has for itself, and those of who waits on it.
  std::set<uint64_t> ofConditions;
  std::map<uint64_t, uint32_t> numbers; ///< of locks
};

} // namespace

StrandDescription bodiesOf(const LogicalThreads &threads, const StrandGraph &graph, Kept kept,
                           const std::vector<JobQueue> &queues, const ConditionWaits &waits,
                           const std::vector<const DealtLoop *> &loops, double slowMotion) {
  const Meeting ran{threads, graph, kept, queues, waits, loops};
  return Describer(ran).describe(slowMotion);
}

} // namespace quincunx
