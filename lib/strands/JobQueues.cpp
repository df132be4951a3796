// Who took how many jobs is what tells a queue: threads that share their work out beforehand come
// to their locks equally often, or those with smaller shares are done while others come on. All
// places are taken whose lock others have as well, or these threads elsewhere, as jobs are put
// there; where there is none, of all places to which most threads come (who found no job has been
// there, and nowhere behind) the one that is met least often, as it parts what threads do most
// coarsely.
#include "JobQueues.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace quincunx {

namespace {

using Events = std::vector<StrandEvent>;

/// Comes to a lock by itself: not as what it waited for has come, and it has the lock again.
bool comesToLock(const Events &events, size_t i) {
  const qx_strand_kind kind = events[i].kind;
  const qx_strand_kind before = i == 0 ? QX_STRAND_CREATE : events[i - 1].kind;
  return takesLock(kind) && kind != QX_STRAND_READ_LOCK && before != QX_STRAND_WAKE &&
         before != QX_STRAND_TIMEOUT;
}

/// Gives a lock up, and not to wait for something.
bool isDone(const Events &events, size_t i) {
  return events[i].kind == QX_STRAND_UNLOCK &&
         (i + 1 == events.size() || events[i + 1].kind != QX_STRAND_SLEEP);
}

class Finder {
public:
  Finder(const std::vector<StrandThread> &a, const StrandGraph &g, size_t t,
         const std::set<uint64_t> &o)
      : all(a), graph(g), threads(t), owned(o) {}

  std::vector<JobQueue> find() {
    std::vector<JobQueue> queues;
    for (auto &[place, takes] : places())
      if (JobQueue q{place.first, place.second, std::move(takes), {}, {}}; mayBe(q))
        queues.push_back(std::move(q));
    for (JobQueue &q : queues)
      complete(q);
    if (std::erase_if(queues, [](const JobQueue &q) { return q.puts.empty(); }) == 0 ||
        !queues.empty())
      return queues;
    return coarsest();
  }

private:
  using Places = std::map<std::pair<uint64_t, uint32_t>, std::vector<JobQueue::Take>>;

  Places places() const {
    Places found;
    for (size_t t = 0; t < threads; ++t)
      for (size_t i = 0; i < all[t].events.size(); ++i)
        if (const StrandEvent &e = all[t].events[i];
            comesToLock(all[t].events, i) && owned.contains(e.object))
          found[{e.object, e.site}].push_back({e.order, t, i});
    return found;
  }

  static size_t takersOf(const JobQueue &queue) {
    std::set<size_t> takers;
    for (const JobQueue::Take &t : queue.takes)
      takers.insert(t.thread);
    return takers.size();
  }

  static bool isUnequal(const std::vector<JobQueue::Take> &takes) {
    std::map<size_t, size_t> times;
    for (const JobQueue::Take &t : takes)
      ++times[t.thread];
    return std::ranges::any_of(times,
                               [&](const auto &of) { return of.second != times.begin()->second; });
  }

  /// Was a thread done with the lock while others still took many jobs? Who takes them from a queue
  /// finds none then. (Some may be taken while it does its last one, where it learns without the
  /// lock that there are no more.)
  bool endsBeforeOthers(JobQueue queue) const {
    constexpr size_t many = 4;     // one in so many
    std::map<size_t, size_t> last; // event of its last take, by thread: it found no job
    for (JobQueue::Take &take : queue.takes) {
      waitForJob(queue, take);
      size_t &event = last.try_emplace(take.thread, take.event).first->second;
      event = std::max(event, take.event);
    }
    std::vector<uint32_t> jobs; // when they were taken
    for (const JobQueue::Take &take : queue.takes)
      if (take.event != last[take.thread])
        jobs.push_back(take.order);
    std::ranges::sort(jobs);
    return std::ranges::any_of(last, [&](const auto &of) {
      uint32_t done = 0;
      for (const StrandEvent &e : all[of.first].events)
        if (e.object == queue.lock)
          done = std::max(done, e.order);
      return many * static_cast<size_t>(jobs.end() - std::ranges::upper_bound(jobs, done)) >
             queue.takes.size();
    });
  }

  bool mayBe(const JobQueue &queue) const {
    return isUnequal(queue.takes) && !endsBeforeOthers(queue);
  }

  std::vector<JobQueue> coarsest() const {
    JobQueue best;
    const auto isBetter = [&](const JobQueue &q) {
      const size_t takers = takersOf(q), others = takersOf(best);
      return takers > others || (takers == others && q.takes.size() < best.takes.size());
    };
    for (auto &[place, takes] : places())
      if (JobQueue q{place.first, place.second, std::move(takes), {}, {}}; mayBe(q) && isBetter(q))
        best = std::move(q);
    if (best.takes.empty())
      return {};
    std::ranges::sort(best.takes, {}, &JobQueue::Take::order);
    return {best};
  }

  /// When jobs were had, and where they were put.
  void complete(JobQueue &queue) const {
    for (JobQueue::Take &take : queue.takes)
      waitForJob(queue, take);
    std::ranges::sort(queue.takes, {}, &JobQueue::Take::order);
    std::vector<Put> puts;
    for (size_t t = 0; t < threads; ++t) {
      bool isElsewhere = false; // it came to the lock at another place
      for (size_t i = 0; i < all[t].events.size(); ++i) {
        const StrandEvent &e = all[t].events[i];
        if (e.object != queue.lock)
          continue;
        if (comesToLock(all[t].events, i))
          isElsewhere = e.site != queue.site;
        else if (isElsewhere && isDone(all[t].events, i))
          puts.push_back({e.order, t, graph.beginOf(t) + static_cast<uint32_t>(i) + 1});
      }
    }
    std::ranges::sort(puts, {}, &Put::order);
    if (puts.size() + takersOf(queue) < queue.takes.size())
      return; // several jobs are put at once
    for (size_t k = 0; k < std::min(puts.size(), queue.takes.size()); ++k)
      if (puts[k].order > queue.takes[k].order)
        return;
    if (!hasJobsOfOthers(queue, puts))
      return;
    for (const Put &put : puts)
      if (queue.puts.size() < queue.takes.size())
        queue.puts.push_back(put.node);
  }

  struct Put {
    uint32_t order;
    size_t thread;
    uint32_t node;
  };
  /// Somebody took more than he had put: who comes to a lock at two places in turn does not.
  static bool hasJobsOfOthers(const JobQueue &queue, const std::vector<Put> &puts) {
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

  void waitForJob(JobQueue &queue, JobQueue::Take &take) const {
    const Events &events = all[take.thread].events;
    for (size_t i = take.event + 1; i < events.size() && !isDone(events, i); ++i)
      if (events[i].kind == QX_STRAND_WAKE)
        queue.waits.insert(graph.beginOf(take.thread) + static_cast<uint32_t>(i) + 1);
      else if (events[i].object == queue.lock && events[i].kind != QX_STRAND_UNLOCK)
        take.order = events[i].order;
  }

  const std::vector<StrandThread> &all;
  const StrandGraph &graph;
  const size_t threads;
  const std::set<uint64_t> &owned;
};

} // namespace

std::vector<JobQueue> jobQueues(const std::vector<StrandThread> &all, const StrandGraph &graph,
                                size_t threads, const std::set<uint64_t> &owned) {
  return Finder(all, graph, threads, owned).find();
}

} // namespace quincunx
