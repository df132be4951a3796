// Jobs are put where the lock is had and none is taken. If that was once before each take, jobs are
// taken in the order in which they were put. Else several are put at once: who waited for a job saw
// that those before were all taken, so what is put between two such moments is what is taken
// between them, and is spread evenly. Where takers wait on a condition variable, who puts a job
// signals it.
#include "JobPuts.h"

#include "LockSections.h"
#include "quincunx/base/Index.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace quincunx {

namespace {

class Puts {
public:
  Puts(JobQueue &q, const std::vector<StrandThread> &a, const StrandGraph &g, size_t t,
       const LockEvents &l)
      : queue(q), all(a), graph(g), threads(t), ofLock(l) {
    for (const JobQueue::Take &take : queue.takes) {
      takers[take.thread].insert(take.event);
      const StrandEvents &events = all[take.thread].events;
      for (size_t i = take.event, end = doneWith(events, i); i < end; ++i)
        if (events[i].kind == QX_STRAND_SLEEP)
          conditions.insert(events[i].object);
    }
  }

  void find(Told told) {
    findOthersThanJobs();
    const std::vector<Put> sections = sectionsElsewhere(), signalling = onlySignalling(sections);
    if (told == Told::inTurn) {
      if (!conditions.empty() && oneByOne(signalling))
        findWaitsForDone();
      return;
    }
    const bool mayBeAtOnce = told == Told::elsewhere || !conditions.empty();
    if (oneByOne(signalling) || oneByOne(sections) || (mayBeAtOnce && atOnce(signalling)))
      findWaitsForDone();
  }

private:
  struct Put {
    uint32_t order;
    size_t thread;
    uint32_t node;
    bool signals;
  };

  uint32_t nodeOf(size_t thread, size_t event) const {
    return graph.beginOf(thread) + static_cast<uint32_t>(event) + 1;
  }
  bool isTake(size_t thread, size_t event) const {
    const auto of = takers.find(thread);
    return of != takers.end() && of->second.contains(event);
  }
  bool comesElsewhere(size_t thread, size_t event) const {
    const StrandEvents &events = all[thread].events;
    return comesToLock(events, event) && !isTake(thread, event);
  }

  /// Who was woken last by who puts no job, as he signals without having had the lock for it, found
  /// that it is over: that is what he waits for.
  void findOthersThanJobs() {
    if (!conditions.empty())
      findSignals();
    for (size_t k = 0; k < queue.takes.size(); ++k) {
      const JobQueue::Take &take = queue.takes[k];
      const StrandEvents &events = all[take.thread].events;
      size_t last = 0;
      for (size_t i = take.event + 1, end = doneWith(events, take.event); i < end; ++i)
        last = events[i].kind == QX_STRAND_WAKE ? i : last;
      const auto signal = signalOf.find(nodeOf(take.thread, last));
      if (last == 0 || signal == signalOf.end() || isOfPut(signal->second))
        ofJobs.push_back(k);
      else
        queue.waits.erase(signal->first);
    }
  }

  /// Who was woken by whom.
  void findSignals() {
    for (const StrandGraph::Edge &e : graph.edges())
      if (graph.threadOf(e.to) < threads && e.to != graph.beginOf(graph.threadOf(e.to)) &&
          graph.eventOf(e.to).kind == QX_STRAND_WAKE)
        signalOf[e.to] = e.from;
  }

  /// Is it the first signal behind a section with the lock, or in it?
  bool isOfPut(uint32_t signal) const {
    const size_t thread = graph.threadOf(signal);
    const StrandEvents &events = all[thread].events;
    for (size_t i = signal - graph.beginOf(thread) - 1; i-- > 0;)
      if (events[i].object == queue.object && takesLock(events[i].kind))
        return true;
      else if (conditions.contains(events[i].object))
        return false;
    return false;
  }

  std::vector<Put> sectionsElsewhere() const {
    std::vector<Put> sections;
    for (const auto &[t, i] : ofLock)
      if (comesElsewhere(t, i)) {
        const size_t put = givenUp(t, i);
        if (put < all[t].events.size())
          sections.push_back({all[t].events[put].order, t, nodeOf(t, put), signalsTakers(t, i)});
      }
    std::ranges::sort(sections, {}, &Put::order);
    return sections;
  }

  /// Where the lock is given up first behind a signal to takers, as it may be kept to wait for what
  /// they do; without a signal, where it is given up at last.
  size_t givenUp(size_t thread, size_t event) const {
    const StrandEvents &events = all[thread].events;
    const size_t end = doneWith(events, event);
    bool hasSignalled = false;
    for (size_t i = event + 1; i < end; ++i) {
      hasSignalled = hasSignalled || isSignalToTakers(events[i]);
      if (hasSignalled && events[i].kind == QX_STRAND_UNLOCK && events[i].object == queue.object)
        return i;
    }
    return end;
  }

  bool isSignalToTakers(const StrandEvent &e) const {
    return (e.kind == QX_STRAND_SIGNAL || e.kind == QX_STRAND_BROADCAST) &&
           conditions.contains(e.object);
  }

  /// From there up to where it comes to the lock again.
  bool signalsTakers(size_t thread, size_t event) const {
    const StrandEvents &events = all[thread].events;
    for (size_t i = event + 1; !conditions.empty() && i < events.size(); ++i) {
      if (events[i].object == queue.object && comesToLock(events, i))
        return false;
      if (isSignalToTakers(events[i]))
        return true;
    }
    return false;
  }

  std::vector<Put> onlySignalling(std::vector<Put> sections) const {
    if (!conditions.empty())
      std::erase_if(sections, [](const Put &p) { return !p.signals; });
    return sections;
  }

  bool oneByOne(const std::vector<Put> &puts) {
    const size_t size = std::min(puts.size(), ofJobs.size());
    if (size == 0 || puts.size() + takers.size() < ofJobs.size() || !hasJobsOfOthers(puts))
      return false;
    for (size_t k = 0; k < size; ++k)
      if (puts[k].order > queue.takes[ofJobs[k]].order)
        return false;
    queue.puts.assign(queue.takes.size(), noIndex);
    for (size_t k = 0; k < ofJobs.size(); ++k)
      queue.puts[ofJobs[k]] = puts[std::min(k, size - 1)].node;
    return true;
  }

  /// Somebody took more than he had put: who comes to a lock at two places in turn does not.
  bool hasJobsOfOthers(const std::vector<Put> &puts) const {
    std::map<size_t, size_t> own; // put and not taken, by thread
    size_t next = 0;
    for (const JobQueue::Take &take : queue.takes) {
      for (; next < puts.size() && puts[next].order < take.order; ++next)
        ++own[puts[next].thread];
      if (own[take.thread]-- == 0)
        return true;
    }
    return false;
  }

  /// Who takes jobs and signals nobody may come to the lock for something else.
  bool atOnce(std::vector<Put> puts) {
    std::erase_if(puts, [&](const Put &p) { return !p.signals && takers.contains(p.thread); });
    if (puts.empty() || ofJobs.empty())
      return false;
    queue.puts.assign(queue.takes.size(), noIndex);
    const std::vector<size_t> first = firstPuts(puts);
    for (size_t begin = 0, end; begin < first.size(); begin = end) {
      end = begin + 1;
      while (end < first.size() && first[end] == first[begin])
        ++end;
      const size_t to = end < first.size() ? first[end] : puts.size();
      for (size_t k = begin; k < end; ++k) {
        const size_t put = first[begin] + (k - begin) * (to - first[begin]) / (end - begin);
        const auto before = static_cast<size_t>(
            std::ranges::lower_bound(puts, queue.takes[ofJobs[k]].order, {}, &Put::order) -
            puts.begin());
        if (before > 0)
          queue.puts[ofJobs[k]] = puts[std::min(put, before - 1)].node;
      }
    }
    return true;
  }

  /// For each take of a job the first one that may have put it.
  std::vector<size_t> firstPuts(const std::vector<Put> &puts) const {
    const std::vector<uint32_t> empty = foundEmpty();
    std::vector<size_t> first;
    for (const size_t job : ofJobs) {
      const auto behind = std::ranges::lower_bound(empty, queue.takes[job].order);
      const auto next = behind == empty.begin()
                            ? puts.begin()
                            : std::ranges::upper_bound(puts, *std::prev(behind), {}, &Put::order);
      first.push_back(std::min(static_cast<size_t>(next - puts.begin()), puts.size() - 1));
    }
    return first;
  }

  /// When threads began to wait for jobs.
  std::vector<uint32_t> foundEmpty() const {
    std::vector<uint32_t> empty;
    for (const JobQueue::Take &take : queue.takes) {
      const StrandEvents &events = all[take.thread].events;
      uint32_t given = 0; // when it gave the lock up
      for (size_t i = take.event + 1, end = doneWith(events, take.event); i < end; ++i)
        if (events[i].kind == QX_STRAND_UNLOCK && events[i].object == queue.object)
          given = events[i].order;
        else if (events[i].kind == QX_STRAND_SLEEP)
          empty.push_back(given);
    }
    std::ranges::sort(empty);
    return empty;
  }

  // Of who waits, with the same lock, for signals of those that take jobs, and puts none.

  void findWaitsForDone() {
    if (signalOf.empty())
      findSignals();
    std::vector<uint32_t> done; // when who took a job came for the next one
    for (const auto &[thread, events] : takers)
      for (auto i = std::next(events.begin()); i != events.end(); ++i)
        done.push_back(all[thread].events[*i].order);
    std::ranges::sort(done);
    std::set<uint32_t> sites;
    LockEvents awake;
    for (const LockEvent &e : ofLock)
      if (!takers.contains(e.thread) && comesElsewhere(e.thread, e.event))
        addWakes(e, done, sites, awake);
    const bool isAnyWait = sites.empty() && takersSignalNobody();
    for (const LockEvent &w : awake)
      if (isAnyWait || sites.contains(all[w.thread].events[w.event].site))
        queue.waitsForDone[w.thread].emplace(
            nodeOf(w.thread, w.event),
            std::ranges::upper_bound(done, all[w.thread].events[w.event].order) - done.begin());
  }

  /// Do they seldom signal something, for which nobody had to wait in this run? Who does so at each
  /// take says that there is room for a job.
  bool takersSignalNobody() const {
    std::map<uint64_t, size_t> signalled;
    std::set<uint64_t> waitedFor;
    for (size_t t = 0; t < threads; ++t)
      for (const StrandEvent &e : all[t].events)
        if (e.kind == QX_STRAND_SLEEP)
          waitedFor.insert(e.object);
        else if ((e.kind == QX_STRAND_SIGNAL || e.kind == QX_STRAND_BROADCAST) &&
                 takers.contains(t))
          ++signalled[e.object];
    return std::ranges::any_of(signalled, [&](const auto &of) {
      return !waitedFor.contains(of.first) && 2 * of.second <= queue.takes.size();
    });
  }

  /// Those who find all done need not wait: they are told by the place, or by signals that found
  /// nobody.
  void addWakes(const LockEvent &w, const std::vector<uint32_t> &done, std::set<uint32_t> &sites,
                LockEvents &awake) {
    const StrandEvents &events = all[w.thread].events;
    bool waited = false;
    for (size_t i = w.event + 1, end = doneWith(events, w.event); i < end; ++i) {
      if (events[i].kind != QX_STRAND_WAKE)
        continue;
      waited = true;
      const auto signal = signalOf.find(nodeOf(w.thread, i));
      const std::optional<uint32_t> taken =
          signal != signalOf.end() ? takeBefore(signal->second) : std::nullopt;
      if (!taken)
        continue;
      sites.insert(events[w.event].site);
      queue.waitsForDone[w.thread].emplace(nodeOf(w.thread, i),
                                           std::ranges::upper_bound(done, *taken) - done.begin());
    }
    if (!waited && !signalsTakers(w.thread, w.event))
      awake.push_back(w);
  }

  /// When the thread of a node came for a job before it, if it came to the lock for nothing else
  /// since.
  std::optional<uint32_t> takeBefore(uint32_t node) const {
    const size_t thread = graph.threadOf(node);
    if (!takers.contains(thread))
      return std::nullopt;
    const StrandEvents &events = all[thread].events;
    for (size_t i = node - graph.beginOf(thread); i-- > 0;)
      if (events[i].object == queue.object && comesToLock(events, i))
        return isTake(thread, i) ? std::optional(events[i].order) : std::nullopt;
    return std::nullopt;
  }

  JobQueue &queue;
  const std::vector<StrandThread> &all;
  const StrandGraph &graph;
  const size_t threads;
  const LockEvents &ofLock;
  std::map<size_t, std::set<size_t>> takers; ///< events of their takes, by thread
  std::set<uint64_t> conditions;             ///< on which they wait
  std::map<uint32_t, uint32_t> signalOf;     ///< by node: who was woken, by whom
  std::vector<size_t> ofJobs;                ///< takes, but for those that found something else
};

} // namespace

void waitForJob(JobQueue &queue, JobQueue::Take &take, const std::vector<StrandThread> &all,
                const StrandGraph &graph) {
  const StrandEvents &events = all[take.thread].events;
  for (size_t i = take.event + 1, end = doneWith(events, take.event); i < end; ++i)
    if (events[i].kind == QX_STRAND_WAKE)
      queue.waits.insert(graph.beginOf(take.thread) + static_cast<uint32_t>(i) + 1);
    else if (events[i].object == queue.object && events[i].kind != QX_STRAND_UNLOCK)
      take.order = events[i].order;
}

void findPuts(JobQueue &queue, const std::vector<StrandThread> &all, const StrandGraph &graph,
              size_t threads, const LockEvents &ofLock, Told told) {
  for (JobQueue::Take &take : queue.takes)
    waitForJob(queue, take, all, graph);
  std::ranges::sort(queue.takes, {}, &JobQueue::Take::order);
  Puts(queue, all, graph, threads, ofLock).find(told);
}

} // namespace quincunx
