// Who took how many jobs is what tells a queue: threads that share their work out beforehand come
// to their locks equally often, or those with smaller shares are done while others come on, which
// who found no job is not. All
// places are taken whose lock others have as well, or these threads elsewhere, as jobs are put
// there; where there is none, of all places to which most threads come (who found no job has been
// there, and nowhere behind) the one that is met least often, as it parts what threads do most
// coarsely.
#include "JobQueues.h"

#include <algorithm>
#include <map>
#include <optional>
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
      : all(a), graph(g), threads(t), owned(o) {
    for (size_t thread = 0; thread < threads; ++thread)
      for (size_t i = 0; i < all[thread].events.size(); ++i)
        if (const StrandEvent &e = all[thread].events[i];
            e.kind == QX_STRAND_CREATE || e.kind == QX_STRAND_JOIN)
          (e.kind == QX_STRAND_CREATE ? creations : joins)[e.object] = {thread, i};
  }

  std::vector<JobQueue> find() {
    std::vector<JobQueue> queues;
    for (auto &[place, takes] : places())
      if (JobQueue q{place.first, place.second, std::move(takes), {}, {}, {}}; mayBe(q))
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

  /// What threads do behind what they took last.
  struct Tails {
    std::vector<std::pair<size_t, size_t>> ends; ///< thread, event
    bool areJobs = false; ///< as long as what they do between two takes; else they found none
  };

  Tails tailsOf(const JobQueue &queue) const {
    std::map<size_t, std::vector<size_t>> taken; // events, by thread
    for (const JobQueue::Take &take : queue.takes)
      taken[take.thread].push_back(take.event);
    Tails tails;
    std::vector<uint64_t> jobs, last;
    for (auto &[thread, events] : taken) {
      std::ranges::sort(events);
      for (size_t i = 0; i + 1 < events.size(); ++i)
        jobs.push_back(workBehind(all[thread].events, events[i], events[i + 1]));
      if (const auto end = endOfJob(all[thread].events, events.back())) {
        tails.ends.emplace_back(thread, *end);
        last.push_back(workBehind(all[thread].events, events.back(), *end));
      }
    }
    constexpr uint64_t hardly = 10; // one part in so many
    tails.areJobs = !jobs.empty() && !last.empty() && hardly * median(last) > median(jobs);
    return tails;
  }

  static uint64_t median(std::vector<uint64_t> &values) {
    std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
    return values[values.size() / 2];
  }

  /// Up to an event, from when it gave up the lock that it took at `take`.
  static uint64_t workBehind(const Events &events, size_t take, size_t to) {
    size_t i = take + 1;
    while (i < to && !isDone(events, i))
      ++i;
    return events[to].clock - events[i].clock;
  }

  /// The first event behind a take that is not of a lock, or lets others go on.
  static std::optional<size_t> endOfJob(const Events &events, size_t take) {
    size_t i = take + 1;
    while (i < events.size() && !isDone(events, i))
      ++i;
    for (++i; i < events.size(); ++i)
      if (const qx_strand_kind kind = events[i].kind;
          !takesLock(kind) && kind != QX_STRAND_UNLOCK && kind != QX_STRAND_SIGNAL)
        return i;
    return std::nullopt;
  }

  /// Did a thread find no job while there were some? Those that it found none behind were taken, by
  /// threads that were there by then.
  bool endsBeforeOthers(JobQueue queue) const {
    std::map<size_t, size_t> last; // event of its last take, by thread
    for (JobQueue::Take &take : queue.takes) {
      waitForJob(queue, take);
      size_t &event = last.try_emplace(take.thread, take.event).first->second;
      event = std::max(event, take.event);
    }
    std::map<size_t, uint32_t> lastJob; // when a thread took it
    for (const JobQueue::Take &take : queue.takes)
      if (take.event != last[take.thread])
        lastJob[take.thread] = std::max(lastJob[take.thread], take.order);
    return std::ranges::any_of(last, [&](const auto &of) {
      const std::optional<uint32_t> done = doneWith(queue.lock, all[of.first].events);
      return done && std::ranges::any_of(lastJob, [&](const auto &job) {
               return *done < job.second && !comesLater(job.first, of.first);
             });
    });
  }

  /// When a thread had a lock for the last time; nothing if it gave it up to wait, and still does.
  static std::optional<uint32_t> doneWith(uint64_t lock, const Events &events) {
    std::optional<uint32_t> done;
    bool stillWaits = false;
    for (size_t i = 0; i < events.size(); ++i)
      if (events[i].object == lock) {
        done = std::max(done.value_or(0), events[i].order);
        stillWaits = events[i].kind == QX_STRAND_UNLOCK && !isDone(events, i);
      }
    return stillWaits ? std::nullopt : done;
  }

  /// Was one created by who had joined the other one before?
  bool comesLater(size_t one, size_t other) const {
    const auto created = creations.find(all[one].number);
    const auto joined = joins.find(all[other].number);
    return created != creations.end() && joined != joins.end() &&
           created->second.first == joined->second.first && joined->second < created->second;
  }

  /// Is it one, as far as one can tell? Then it gets its ends.
  bool mayBe(JobQueue &queue) const {
    if (!isUnequal(queue.takes))
      return false;
    Tails tails = tailsOf(queue);
    if (!tails.areJobs)
      return !endsBeforeOthers(queue);
    queue.ends = std::move(tails.ends);
    addIdle(queue);
    return true;
  }

  /// Threads that were created where those that took jobs were, and did nothing, as none were left.
  void addIdle(JobQueue &queue) const {
    const std::vector<uint32_t> created = graph.sitesOfCreation();
    std::set<uint32_t> sites;
    for (const auto &[thread, end] : queue.ends)
      if (created[thread] != 0)
        sites.insert(created[thread]);
    for (size_t t = 0; t < threads; ++t)
      if (sites.contains(created[t]) && all[t].events.size() == 1 &&
          all[t].events[0].kind == QX_STRAND_END)
        queue.ends.emplace_back(t, 0);
  }

  std::vector<JobQueue> coarsest() const {
    JobQueue best;
    const auto isBetter = [&](const JobQueue &q) {
      const size_t takers = takersOf(q), others = takersOf(best);
      return takers > others || (takers == others && q.takes.size() < best.takes.size());
    };
    for (auto &[place, takes] : places())
      if (JobQueue q{place.first, place.second, std::move(takes), {}, {}, {}};
          mayBe(q) && isBetter(q))
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
  /// Thread and event, by the number of the thread that is created or joined.
  std::map<uint64_t, std::pair<size_t, size_t>> creations, joins;
};

} // namespace

std::vector<JobQueue> jobQueues(const std::vector<StrandThread> &all, const StrandGraph &graph,
                                size_t threads, const std::set<uint64_t> &owned) {
  return Finder(all, graph, threads, owned).find();
}

} // namespace quincunx
