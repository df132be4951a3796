// The idea: an edge between threads is a channel on which one posts and the other takes, but for
// that to the beginning of a thread, which forks it, and those by a meeting, at which all arrive
// before they pass. Waits that are counted are barriers, jobs are put into queues and dealt from
// there, and the iterations of loops are dealt as their schedule says.
#include "Meetings.h"

#include "DoneOnce.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

WorkClasses::WorkClasses(StrandDescription &to, std::vector<uint32_t> sites)
    : out(to), created(std::move(sites)) {}

uint32_t WorkClasses::of(const StrandEvent &end, size_t thread) {
  const StrandPlace place = placeOf(end, created[thread]);
  const bool ofFirst = thread == 0 && end.kind != QX_STRAND_ITERATED; // teams share iterations
  const auto [at, isNew] = numbers.try_emplace({place, ofFirst}, out.works.size());
  if (isNew) {
    out.works.push_back(place);
    out.ofFirst.push_back(ofFirst);
  }
  return at->second;
}

namespace {

using parallel::Body;

class Connector {
public:
  Connector(const Meeting &r, const std::set<uint64_t> &o, WorkClasses &w, StrandDescription &d)
      : ran(r), graph(r.graph), kept(r.kept), threads(r.threads.strands.threads),
        firstMember(r.threads.firstMember), firstTask(r.threads.firstTask), queues(r.queues),
        owned(o), works(w), out(d) {
    for (const CountedWaits &of : ran.waits.ofAtomics)
      counted.push_back(&of);
    if (kept == Kept::order)
      return;
    const auto isForJob = [this](uint32_t node) { return isWaitForJob(node); };
    const auto isForDone = [this](uint32_t node) { return isWaitForDone(node); };
    for (const Permits &of : ran.waits.permits)
      if (std::ranges::none_of(of.wakes, isForJob))
        permits.push_back(&of);
    for (const CountedWaits &of : ran.waits.counted)
      if (std::ranges::none_of(of.wakes, isForJob) && std::ranges::none_of(of.wakes, isForDone))
        counted.push_back(&of);
  }

  Meetings connectAll() {
    if (kept != Kept::order)
      findOnce();
    connect();
    if (kept != Kept::order)
      connectSemaphores();
    for (const Permits *p : permits)
      addSemaphore(p->value, p->posts, p->takes);
    for (size_t q = 0; q < queues.size(); ++q)
      connectQueue(q);
    for (const DealtLoop *l : ran.loops)
      addLoop(*l);
    countWaits();
    return std::move(met);
  }

private:
  void connect() {
    met.isForked.assign(threads.size(), false);
    std::map<uint32_t, uint32_t> meetings; // their number, by node
    for (const StrandGraph::Edge &e : graph.edges()) {
      const size_t from = graph.threadOf(e.from), to = graph.threadOf(e.to);
      if ((e.why == StrandGraph::Reason::lock && owned.contains(graph.eventOf(e.to).object)) ||
          ((e.why == StrandGraph::Reason::semaphore || e.why == StrandGraph::Reason::permit) &&
           kept != Kept::order) ||
          isWaitForJob(e.to) || isWaitForDone(e.to) || isForPermit(e.to) || isCounted(e.to) ||
          isOnce(e.to))
        continue;
      if (to == threads.size()) {
        const auto [at, isNew] = meetings.try_emplace(e.to, out.barriers.size());
        if (isNew) {
          out.description.barriers.push_back(0);
          out.barriers.push_back(waitAt(graph.eventOf(e.from)));
        }
        ++out.description.barriers[at->second];
        met.atNode[e.from].after.push_back(parallel::arrive(at->second));
      } else if (from == threads.size()) {
        met.atNode[e.to].before.push_back(parallel::pass(meetings.at(e.from)));
      } else if (e.to == graph.beginOf(to) && !met.isForked[to]) {
        met.isForked[to] = true;
        met.atNode[e.from].after.push_back(
            parallel::fork(bodyOfThread(to), to >= firstMember && to < firstTask));
      } else {
        const auto channel = static_cast<uint32_t>(out.channels.size());
        out.channels.push_back(e.to == graph.beginOf(to) ? StrandWait{}
                                                         : waitAt(graph.eventOf(e.to)));
        out.description.channels.emplace_back();
        // libomp lets tasks go on that depend on one that ends from the latest to the first.
        Body &after = met.atNode[e.from].after;
        const bool depends = from >= firstTask && to >= firstTask;
        after.insert(depends ? after.begin() : after.end(), parallel::post(channel));
        met.atNode[e.to].before.push_back(parallel::take(channel, isWaitForTasks(e)));
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
      met.onceAt[{part.thread, part.begin}] =
          met.onceEnds[{part.thread, part.end}] = {barrier, body};
      for (const auto &other : part.others)
        met.onceAt[other] = {barrier, body};
    }
  }
  bool isOnce(uint32_t node) const {
    const size_t thread = graph.threadOf(node);
    return thread < threads.size() && node != graph.beginOf(thread) &&
           graph.eventOf(node).kind == QX_STRAND_AWAIT &&
           met.onceAt.contains({thread, node - graph.beginOf(thread) - 1});
  }

  /// Does who made tasks wait for them there, and not for its team, which all tasks end before?
  bool isWaitForTasks(const StrandGraph::Edge &e) const {
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

  void connectSemaphores() {
    for (const StrandGraph::Semaphore &s : graph.semaphores())
      addSemaphore(s.value, s.posts, s.takes);
  }

  void addSemaphore(uint64_t value, const std::vector<uint32_t> &posts,
                    const std::vector<uint32_t> &takes) {
    const auto channel = static_cast<uint32_t>(out.channels.size());
    out.channels.push_back(takes.empty() ? StrandWait{} : waitAt(graph.eventOf(takes.front())));
    out.description.channels.push_back({value, UINT64_MAX});
    for (const uint32_t node : posts)
      met.atNode[node].after.push_back(parallel::post(channel));
    for (const uint32_t node : takes)
      met.atNode[node].before.push_back(parallel::take(channel));
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
  bool isDealtAt(uint32_t node) const {
    const size_t thread = graph.threadOf(node), event = node - graph.beginOf(thread) - 1;
    if (thread >= firstTask)
      return true;
    const auto part = met.partAt.upper_bound({thread, event});
    if (part != met.partAt.begin() && std::prev(part)->first.first == thread &&
        event < std::prev(part)->second.last)
      return true;
    const auto job = met.takenBy.upper_bound({thread, event});
    return job != met.takenBy.begin() && std::prev(job)->first.first == thread;
  }

  /// Who gives the lock up has arrived, whatever it waits for behind that.
  void countWaits() {
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
      const bool isDealt = w->last && (w->isLastEnded || isDealtAt(*w->last));
      if (isDealt) {
        met.lastAt[*w->last] = static_cast<uint32_t>(out.description.bodies.size());
        out.description.bodies.emplace_back();
      }
      const auto isBehindLast = [&](uint32_t node) {
        return node > *w->last && graph.threadOf(node) == graph.threadOf(*w->last);
      };
      for (const uint32_t node : w->done)
        met.atNode[node].after.push_back(isDealt && !isBehindLast(node)
                                             ? parallel::last(barrier, met.lastAt[*w->last])
                                             : parallel::arrive(barrier));
    }
    for (size_t k = 0; k < counted.size(); ++k) {
      const auto barrier = first + static_cast<uint32_t>(k);
      for (const auto &[node, arrivals] : counted[k]->before)
        if (!met.lastAt.contains(node))
          met.atNode[node].before.push_back(parallel::pass(barrier, arrivals));
      for (const auto &[node, arrivals] : counted[k]->behind)
        met.atNode[node].after.push_back(parallel::pass(barrier, arrivals));
    }
  }

  /// The first to come gets the job that is put first, whichever that is now; who finds none comes
  /// after the last one. Who waited until others were done with jobs does so for as many as were.
  void connectQueue(size_t number) {
    const JobQueue &queue = queues[number];
    out.queues.push_back(queue.site);
    out.description.pools.emplace_back(queue.takes.size() + queue.ends.size());
    for (size_t end = 0; end < queue.ends.size(); ++end)
      met.doneAt[queue.ends[end]] = {number, queue.takes.size() + end};
    for (size_t k = 0; k < queue.takes.size(); ++k) {
      met.takenBy[{queue.takes[k].thread, queue.takes[k].event}] = {number, k};
      if (!queue.puts.empty() && queue.puts[k] != noIndex)
        met.atNode[queue.puts[k]].after.push_back(
            parallel::put(static_cast<uint32_t>(number), static_cast<uint32_t>(k)));
    }
    for (const auto &[thread, nodes] : queue.waitsForDone)
      awaitDone(queue, nodes);
  }

  /// Who took a job is done with it when it comes for the next one.
  void awaitDone(const JobQueue &queue, const std::map<uint32_t, size_t> &nodes) {
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
        met.atNode[graph.beginOf(t.thread) + static_cast<uint32_t>(t.event) + 1].before.push_back(
            parallel::post(channel));
    size_t had = 0;
    for (const auto &[node, done] : nodes)
      for (; had < done && !isForPermit(node); ++had)
        met.atNode[node].before.push_back(parallel::take(channel));
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
      loop.workClass = works.of({.kind = QX_STRAND_ITERATED, .site = shared.of->site},
                                shared.of->parts.back().thread);
    for (size_t p = 0; p < shared.of->parts.size(); ++p) {
      const TeamLoop::Part &part = shared.of->parts[p];
      met.partAt[{part.thread, part.event}] = {number, part.member, shared.last[p]};
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

  const Meeting &ran;
  const StrandGraph &graph;
  const Kept kept;
  const std::vector<StrandThread> &threads;
  const size_t firstMember, firstTask; ///< indices
  const std::vector<JobQueue> &queues;
  const std::set<uint64_t> &owned; ///< addresses
  WorkClasses &works;
  StrandDescription &out;
  Meetings met;
  std::vector<const CountedWaits *> counted;
  std::vector<const Permits *> permits;
};

} // namespace

Meetings meetingsOf(const Meeting &ran, const std::set<uint64_t> &owned, WorkClasses &works,
                    StrandDescription &out) {
  return Connector(ran, owned, works, out).connectAll();
}

} // namespace quincunx
