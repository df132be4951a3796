// Each logical thread is a body, in which a strand is work. An edge between threads is a channel on
// which one posts and the other takes, but for that to the beginning of a thread, which forks it,
// and those by a meeting, at which all arrive before they pass. The first body begins what nobody
// else does and waits until all have ended, as a process does. Threads that take jobs from a queue
// are dealt what they do from one job to the next, and those of a team the iterations of loops
// whose chunks come to who is free, or that are to have another schedule. What is kept, and what is
// otherwise than it was, is decided before (StrandDescription.cpp).
#include "ThreadBodies.h"

#include "DoneOnce.h"
#include "LockSections.h"

#include <algorithm>
#include <cmath>
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
  Describer(const LogicalThreads &t, Kept kept, const std::vector<JobQueue> &q,
            const ConditionWaits &waits, const std::vector<const DealtLoop *> &l)
      : threads(t.strands.threads), firstMember(t.firstMember), firstTask(t.firstTask),
        owned(kept == Kept::order ? std::set<uint64_t>() : ownedLocks(threads)), queues(q),
        loops(l) {
    for (const CountedWaits &of : waits.ofAtomics)
      counted.push_back(&of);
    if (kept == Kept::order)
      return;
    const auto isForJob = [this](uint32_t node) { return isWaitForJob(node); };
    const auto isForDone = [this](uint32_t node) { return isWaitForDone(node); };
    for (const Permits &of : waits.permits)
      if (std::ranges::none_of(of.wakes, isForJob))
        permits.push_back(&of);
    for (const CountedWaits &of : waits.counted)
      if (std::ranges::none_of(of.wakes, isForJob) && std::ranges::none_of(of.wakes, isForDone))
        counted.push_back(&of);
  }

  StrandDescription describe(const StrandGraph &graph, Kept kept, double slowMotion) {
    created = graph.sitesOfCreation();
    out.description.bodies.resize(threads.size() + 1);
    if (firstTask < threads.size())
      out.description.firstTask = bodyOf(firstTask);
    out.description.channels.emplace_back(); // on which each thread posts its end
    out.channels.emplace_back();
    if (kept != Kept::order)
      findOnce();
    connect(graph, kept);
    for (const StrandThread &t : threads)
      for (size_t i = 0; i < t.events.size(); ++i)
        if (const auto lock = ownLockOfCondition(t.events, i))
          ofConditions.insert({*lock, t.events[i - 1].object});
    if (kept != Kept::order)
      connectSemaphores(graph);
    for (const Permits *p : permits)
      addSemaphore(graph, p->value, p->posts, p->takes);
    for (size_t q = 0; q < queues.size(); ++q)
      connectQueue(graph, q);
    for (const DealtLoop *l : loops)
      addLoop(*l);
    countWaits(graph);
    for (size_t t = 0; t < threads.size(); ++t)
      follow(t, graph.beginOf(t));
    Body &first = out.description.bodies.front();
    for (size_t t = 0; t < threads.size(); ++t)
      if (!isForked[t])
        first.push_back(parallel::fork(bodyOf(t)));
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
  /// What a thread does at a node beside having a lock or giving it back.
  struct AtNode {
    Body before, after;
  };

  void connect(const StrandGraph &graph, Kept kept) {
    isForked.assign(threads.size(), false);
    std::map<uint32_t, uint32_t> meetings; // their number, by node
    for (const StrandGraph::Edge &e : graph.edges()) {
      const size_t from = graph.threadOf(e.from), to = graph.threadOf(e.to);
      if ((e.why == StrandGraph::Reason::lock && owned.contains(graph.eventOf(e.to).object)) ||
          ((e.why == StrandGraph::Reason::semaphore || e.why == StrandGraph::Reason::permit) &&
           kept != Kept::order) ||
          isWaitForJob(e.to) || isWaitForDone(e.to) || isForPermit(e.to) || isCounted(e.to) ||
          isOnce(graph, e.to))
        continue;
      if (to == threads.size()) {
        const auto [at, isNew] = meetings.try_emplace(e.to, out.barriers.size());
        if (isNew) {
          out.description.barriers.push_back(0);
          out.barriers.push_back(waitAt(graph.eventOf(e.from)));
        }
        ++out.description.barriers[at->second];
        atNode[e.from].after.push_back(parallel::arrive(at->second));
      } else if (from == threads.size()) {
        atNode[e.to].before.push_back(parallel::pass(meetings.at(e.from)));
      } else if (e.to == graph.beginOf(to) && !isForked[to]) {
        isForked[to] = true;
        atNode[e.from].after.push_back(
            parallel::fork(bodyOf(to), to >= firstMember && to < firstTask));
      } else {
        const auto channel = static_cast<uint32_t>(out.channels.size());
        out.channels.push_back(e.to == graph.beginOf(to) ? StrandWait{}
                                                         : waitAt(graph.eventOf(e.to)));
        out.description.channels.emplace_back();
        // libomp lets tasks go on that depend on one that ends from the latest to the first.
        Body &after = atNode[e.from].after;
        const bool depends = from >= firstTask && to >= firstTask;
        after.insert(depends ? after.begin() : after.end(), parallel::post(channel));
        atNode[e.to].before.push_back(parallel::take(channel, isWaitForTasks(graph, e)));
      }
    }
  }

  /// Whoever comes first does what is done once, unless jobs are taken within.
  void findOnce() {
    std::set<std::pair<size_t, size_t>> takes;
    for (const JobQueue &q : queues)
      for (const JobQueue::Take &t : q.takes)
        takes.emplace(t.thread, t.event);
    for (OncePart &part : onceParts(threads)) {
      const auto within = takes.lower_bound({part.thread, part.begin});
      if (within != takes.end() && *within < std::pair(part.thread, part.end))
        continue;
      const auto barrier = static_cast<uint32_t>(out.barriers.size());
      const auto body = static_cast<uint32_t>(out.description.bodies.size());
      out.barriers.push_back({QX_STRAND_AWAIT, threads[part.thread].events[part.begin].site});
      out.description.barriers.push_back(1);
      out.description.bodies.emplace_back();
      onceAt[{part.thread, part.begin}] = onceEnds[{part.thread, part.end}] = {barrier, body};
      for (const auto &other : part.others)
        onceAt[other] = {barrier, body};
    }
  }
  bool isOnce(const StrandGraph &graph, uint32_t node) const {
    const size_t thread = graph.threadOf(node);
    return thread < threads.size() && node != graph.beginOf(thread) &&
           graph.eventOf(node).kind == QX_STRAND_AWAIT &&
           onceAt.contains({thread, node - graph.beginOf(thread) - 1});
  }

  /// Does who made tasks wait for them there, and not for its team, which all tasks end before?
  bool isWaitForTasks(const StrandGraph &graph, const StrandGraph::Edge &e) const {
    const size_t waits = graph.threadOf(e.to);
    const std::vector<StrandEvent> &events = threads[waits].events;
    size_t i = e.to - graph.beginOf(waits);
    if (i == 0 || graph.threadOf(e.from) < firstTask || events[i - 1].kind != QX_STRAND_JOIN)
      return false;
    const uint64_t clock = events[i - 1].clock;
    while (i < events.size() && events[i].kind == QX_STRAND_JOIN && events[i].clock == clock)
      ++i;
    return i < events.size() && (events[i].kind != QX_STRAND_ARRIVE || events[i].clock != clock);
  }

  void connectSemaphores(const StrandGraph &graph) {
    for (const StrandGraph::Semaphore &s : graph.semaphores())
      addSemaphore(graph, s.value, s.posts, s.takes);
  }

  void addSemaphore(const StrandGraph &graph, uint64_t value, const std::vector<uint32_t> &posts,
                    const std::vector<uint32_t> &takes) {
    const auto channel = static_cast<uint32_t>(out.channels.size());
    out.channels.push_back(takes.empty() ? StrandWait{} : waitAt(graph.eventOf(takes.front())));
    out.description.channels.push_back({value, UINT64_MAX});
    for (const uint32_t node : posts)
      atNode[node].after.push_back(parallel::post(channel));
    for (const uint32_t node : takes)
      atNode[node].before.push_back(parallel::take(channel));
  }

  bool isWaitForJob(uint32_t node) const {
    return std::ranges::any_of(
        queues, [&](const JobQueue &q) { return !q.puts.empty() && q.waits.contains(node); });
  }
  bool isWaitForDone(uint32_t node) const {
    return std::ranges::any_of(queues, [&](const JobQueue &q) {
      return !q.puts.empty() && std::ranges::any_of(q.waitsForDone, [&](const auto &of) {
        return of.second.contains(node);
      });
    });
  }
  bool isForPermit(uint32_t node) const {
    return std::ranges::any_of(permits,
                               [node](const Permits *p) { return p->wakes.contains(node); });
  }
  bool isCounted(uint32_t node) const {
    return std::ranges::any_of(counted,
                               [node](const CountedWaits *w) { return w->wakes.contains(node); });
  }

  /// May another thread do what is done there? It is of a job, an iteration or a task: who comes
  /// last does what is left of it.
  bool isDealtAt(const StrandGraph &graph, uint32_t node) const {
    const size_t thread = graph.threadOf(node), event = node - graph.beginOf(thread) - 1;
    if (thread >= firstTask)
      return true;
    const auto part = partAt.upper_bound({thread, event});
    if (part != partAt.begin() && std::prev(part)->first.first == thread &&
        event < std::prev(part)->second.last)
      return true;
    const auto job = takenBy.upper_bound({thread, event});
    return job != takenBy.begin() && std::prev(job)->first.first == thread;
  }

  /// Who gives the lock up has arrived, whatever it waits for behind that.
  void countWaits(const StrandGraph &graph) {
    const auto first = static_cast<uint32_t>(out.barriers.size());
    for (const CountedWaits *w : counted) {
      const auto barrier = static_cast<uint32_t>(out.barriers.size());
      out.description.barriers.push_back(w->last ? w->before.at(*w->last)
                                                 : static_cast<uint32_t>(w->done.size()));
      const StrandEvent &waits = graph.eventOf(!w->before.empty()   ? w->before.begin()->first
                                               : !w->behind.empty() ? w->behind.begin()->first
                                                                    : *w->wakes.begin());
      const bool isOfAtomic = waits.kind == QX_STRAND_AWAIT || waits.kind == QX_STRAND_CAME_LAST;
      out.barriers.push_back({isOfAtomic ? QX_STRAND_AWAIT : QX_STRAND_WAKE, waits.site});
      const bool isDealt = w->last && (w->isLastEnded || isDealtAt(graph, *w->last));
      if (isDealt) {
        lastAt[*w->last] = static_cast<uint32_t>(out.description.bodies.size());
        out.description.bodies.emplace_back();
      }
      const auto isBehindLast = [&](uint32_t node) {
        return node > *w->last && graph.threadOf(node) == graph.threadOf(*w->last);
      };
      for (const uint32_t node : w->done)
        atNode[node].after.push_back(isDealt && !isBehindLast(node)
                                         ? parallel::last(barrier, lastAt[*w->last])
                                         : parallel::arrive(barrier));
    }
    for (size_t k = 0; k < counted.size(); ++k) {
      const auto barrier = first + static_cast<uint32_t>(k);
      for (const auto &[node, arrivals] : counted[k]->before)
        if (!lastAt.contains(node))
          atNode[node].before.push_back(parallel::pass(barrier, arrivals));
      for (const auto &[node, arrivals] : counted[k]->behind)
        atNode[node].after.push_back(parallel::pass(barrier, arrivals));
    }
  }

  /// The first to come gets the job that is put first, whichever that is now; who finds none comes
  /// after the last one. Who waited until others were done with jobs does so for as many as were.
  void connectQueue(const StrandGraph &graph, size_t number) {
    const JobQueue &queue = queues[number];
    out.queues.push_back(queue.site);
    out.description.pools.emplace_back(queue.takes.size() + queue.ends.size());
    for (size_t end = 0; end < queue.ends.size(); ++end)
      doneAt[queue.ends[end]] = {number, queue.takes.size() + end};
    for (size_t k = 0; k < queue.takes.size(); ++k) {
      takenBy[{queue.takes[k].thread, queue.takes[k].event}] = {number, k};
      if (!queue.puts.empty() && queue.puts[k] != noIndex)
        atNode[queue.puts[k]].after.push_back(
            parallel::put(static_cast<uint32_t>(number), static_cast<uint32_t>(k)));
    }
    for (const auto &[thread, nodes] : queue.waitsForDone)
      awaitDone(graph, queue, nodes);
  }

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

  /// Who took a job is done with it when it comes for the next one.
  void awaitDone(const StrandGraph &graph, const JobQueue &queue,
                 const std::map<uint32_t, size_t> &nodes) {
    const auto channel = static_cast<uint32_t>(out.channels.size());
    out.channels.push_back(waitAt(graph.eventOf(nodes.begin()->first)));
    out.description.channels.emplace_back();
    std::map<size_t, size_t> first; // event, by thread
    for (const JobQueue::Take &t : queue.takes) {
      size_t &event = first.try_emplace(t.thread, t.event).first->second;
      event = std::min(event, t.event);
    }
    for (const JobQueue::Take &t : queue.takes)
      if (t.event != first[t.thread])
        atNode[graph.beginOf(t.thread) + static_cast<uint32_t>(t.event) + 1].before.push_back(
            parallel::post(channel));
    size_t had = 0;
    for (const auto &[node, done] : nodes)
      for (; had < done && !isForPermit(node); ++had)
        atNode[node].before.push_back(parallel::take(channel));
  }

  void addLoop(const DealtLoop &dealt) {
    const SharedLoop &shared = dealt.shared;
    const auto number = static_cast<uint32_t>(out.description.loops.size());
    parallel::Loop &loop = out.description.loops.emplace_back(shared.loop);
    loop.schedule = dealt.dealing.schedule;
    loop.chunk = chunkOf(dealt);
    loop.threads = shared.of->teamSize;
    if (shared.iterations > 0) {
      loop.firstBody = static_cast<uint32_t>(out.description.bodies.size());
      loop.bodies = shared.iterations;
      out.description.bodies.resize(loop.firstBody + loop.bodies);
    }
    if (!shared.of->parts.empty())
      loop.workClass = classOf({.kind = QX_STRAND_ITERATED, .site = shared.of->site},
                               shared.of->parts.back().thread);
    for (size_t p = 0; p < shared.of->parts.size(); ++p) {
      const TeamLoop::Part &part = shared.of->parts[p];
      partAt[{part.thread, part.event}] = {number, part.member, shared.last[p]};
    }
  }

  /// Of iterations that are told apart; of more of them, where dealing one by one makes no
  /// difference.
  static uint64_t chunkOf(const DealtLoop &dealt) {
    const uint64_t size = dealt.shared.loop.costs.size(), chunk = dealt.dealing.chunk;
    if (chunk == 0 || size == 0 || dealt.shared.perCost == 1)
      return chunk;
    return std::max<uint64_t>(std::llround(static_cast<double>(chunk) / dealt.shared.perCost), 1);
  }

  static uint32_t bodyOf(size_t thread) { return static_cast<uint32_t>(thread + 1); }
  /// Whether it had to wait for a lock was chance.
  static StrandWait waitAt(const StrandEvent &e) {
    return {takesLock(e.kind) ? QX_STRAND_LOCK : e.kind, e.site};
  }

  /// Of the work of a strand that ends with it.
  uint32_t classOf(const StrandEvent &end, size_t thread) {
    const StrandPlace place = placeOf(end, created[thread]);
    const bool ofFirst = thread == 0 && end.kind != QX_STRAND_ITERATED; // teams share iterations
    const auto [at, isNew] = classes.try_emplace({place, ofFirst}, out.works.size());
    if (isNew) {
      out.works.push_back(place);
      out.ofFirst.push_back(ofFirst);
    }
    return at->second;
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
          held.has(e.object) || takenBy.contains({t, i}))
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
      else if (const auto at = atNode.find(node + static_cast<uint32_t>(i - lock));
               events[i].kind == QX_STRAND_AWAIT && at != atNode.end() &&
               std::ranges::any_of(held.all(),
                                   [&](const auto &of) { return ofConditions.contains(of.first); }))
        std::ranges::move(std::exchange(at->second.before, {}), std::back_inserter(looks));
    }
    return looks;
  }

  void follow(size_t t, uint32_t node) {
    uint32_t body = bodyOf(t); // bodies move when one is added
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
    addAll(atNode[node].after);
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
        add(parallel::work(static_cast<double>(e.clock - clock), classOf(ended, t)));
      clock = e.clock;
      if (const auto part = partAt.find({t, i}); part != partAt.end()) {
        const Portion &p = part->second;
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
      if (const auto done = doneAt.find({t, i}); done != doneAt.end() && outer == noIndex)
        deal(done->second);
      const auto taken = takenBy.find({t, i});
      if (taken != takenBy.end() && e.kind == QX_STRAND_CLAIM && outer == noIndex)
        deal(taken->second);
      const auto at = atNode.find(node);
      if (const auto last = lastAt.find(node); last != lastAt.end()) {
        beforeLast.emplace_back(e.object, body);
        body = last->second;
      } else if (e.kind == QX_STRAND_LAST_DID && !beforeLast.empty() &&
                 beforeLast.back().first == e.object) {
        body = beforeLast.back().second;
        beforeLast.pop_back();
      }
      if (at != atNode.end())
        addAll(at->second.before);
      if (takesLock(e.kind) && owned.contains(e.object) && held.takes(e.object)) {
        if (taken != takenBy.end() && outer == noIndex)
          deal(taken->second);
        if (held.all().size() == 1 && !ofConditions.empty())
          addAll(looksWithin(t, i, node));
        if (e.kind == QX_STRAND_READ_LOCK)
          add(parallel::share(lockOf(e)));
        else if (e.kind == QX_STRAND_TRIED && taken == takenBy.end() && !isTaken[i])
          add(parallel::lock(lockOf(e), true));
        else if (!isTaken[i])
          add(lockFrom(t, i, held, isTaken));
      } else if (e.kind == QX_STRAND_UNLOCK && owned.contains(e.object) && held.gives(e.object)) {
        add(parallel::unlock(lockOf(e)));
      }
      if (at != atNode.end())
        addAll(at->second.after);
      if (const auto once = onceAt.find({t, i}); once != onceAt.end()) {
        add(parallel::once(once->second.barrier, once->second.body));
        if (e.kind == QX_STRAND_LATCH)
          beside = std::exchange(body, once->second.body);
      }
      if (const auto once = onceEnds.find({t, i}); once != onceEnds.end()) {
        add(parallel::arrive(once->second.barrier));
        body = beside;
      }
    }
    leaveLast();
    for (const auto &[object, depth] : held.all()) // with its end nobody is kept waiting
      add(parallel::unlock(numbers.at(object)));
    add(parallel::post(0));
  }

  const std::vector<StrandThread> &threads;
  size_t firstMember, firstTask;  ///< indices
  const std::set<uint64_t> owned; ///< addresses
  StrandDescription out;
  std::map<uint32_t, AtNode> atNode;
  /// Locks that std::condition_variable_any has for itself, and those of who waits on it.
  std::set<uint64_t> ofConditions;
  std::map<uint64_t, uint32_t> numbers; ///< of locks
  std::vector<uint32_t> created;        ///< by thread: the site
  std::map<std::pair<StrandPlace, bool>, uint32_t> classes;
  const std::vector<JobQueue> &queues;
  std::vector<const CountedWaits *> counted;
  std::vector<const Permits *> permits;
  const std::vector<const DealtLoop *> &loops;
  struct Portion {
    uint32_t loop, member;
    size_t last; ///< event of the part
  };
  std::map<std::pair<size_t, size_t>, Portion> partAt; ///< by thread and event
  /// By thread and event: the queue, and which of its takes.
  std::map<std::pair<size_t, size_t>, std::pair<size_t, size_t>> takenBy;
  /// By thread and event: the queue with whose jobs it is done, and which of its bodies is next.
  std::map<std::pair<size_t, size_t>, std::pair<size_t, size_t>> doneAt;
  struct Once {
    uint32_t barrier, body;
  };
  std::map<std::pair<size_t, size_t>, Once> onceAt, onceEnds; ///< by thread and event
  std::map<uint32_t, uint32_t> lastAt; ///< by node: the body of what who comes last does
  std::vector<bool> isForked;
};

} // namespace

StrandDescription bodiesOf(const LogicalThreads &threads, const StrandGraph &graph, Kept kept,
                           const std::vector<JobQueue> &queues, const ConditionWaits &waits,
                           const std::vector<const DealtLoop *> &loops, double slowMotion) {
  return Describer(threads, kept, queues, waits, loops).describe(graph, kept, slowMotion);
}

} // namespace quincunx
