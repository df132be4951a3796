// Who took how many jobs is what tells a queue: threads that share their work out beforehand come
// to their locks equally often. Of several places the one is taken whose lock others have, too, as
// they put jobs there; of these the one that is met least often, as it parts what they do most
// coarsely.
#include "JobQueues.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace quincunx {

namespace {

/// Comes to a lock by itself: not as what it waited for has come, and it has the lock again.
bool comesToLock(const std::vector<StrandEvent> &events, size_t i) {
  const qx_strand_kind kind = events[i].kind;
  const qx_strand_kind before = i == 0 ? QX_STRAND_CREATE : events[i - 1].kind;
  return (kind == QX_STRAND_LOCK || kind == QX_STRAND_WAITED) && before != QX_STRAND_WAKE &&
         before != QX_STRAND_TIMEOUT;
}

/// Threads of the process, but for those of which nobody wrote that they were created, by where.
std::map<uint32_t, std::set<size_t>> byOrigin(const StrandGraph &graph, size_t threads) {
  std::map<uint32_t, std::set<size_t>> groups;
  for (const StrandGraph::Edge &e : graph.edges())
    if (const size_t t = graph.threadOf(e.to); t < threads && e.to == graph.beginOf(t))
      groups[graph.eventOf(e.from).site].insert(t);
  return groups;
}

class Finder {
public:
  Finder(const std::vector<StrandThread> &a, const StrandGraph &g, size_t t,
         const std::set<uint64_t> &o)
      : all(a), graph(g), threads(t), owned(o) {}

  std::optional<JobQueue> find(const std::set<size_t> &takers) const {
    struct Met {
      std::map<size_t, size_t> times; // by thread
      size_t sum = 0;
      uint32_t first = UINT32_MAX;
    };
    std::map<std::pair<uint64_t, uint32_t>, Met> places;
    for (const size_t t : takers)
      for (size_t i = 0; i < all[t].events.size(); ++i)
        if (const StrandEvent &e = all[t].events[i];
            comesToLock(all[t].events, i) && owned.contains(e.object)) {
          Met &met = places[{e.object, e.site}];
          ++met.times[t];
          ++met.sum;
          met.first = std::min(met.first, e.order);
        }
    std::optional<JobQueue> best;
    std::tuple<bool, size_t, uint32_t> rank;
    for (const auto &[place, met] : places) {
      const auto times = [&](size_t t) { return met.times.contains(t) ? met.times.at(t) : 0; };
      const size_t of = times(*takers.begin());
      if (met.times.size() < takers.size() ||
          std::ranges::all_of(takers, [&](size_t t) { return times(t) == of; }))
        continue;
      const std::tuple now(!isHadByOthers(place.first, takers), met.sum, met.first);
      if (best && rank <= now)
        continue;
      rank = now;
      best = JobQueue{place.first, place.second, takers, {}};
    }
    if (best)
      findPuts(*best);
    return best;
  }

private:
  bool isHadByOthers(uint64_t lock, const std::set<size_t> &takers) const {
    for (size_t t = 0; t < threads; ++t)
      if (!takers.contains(t) && std::ranges::any_of(all[t].events, [&](const StrandEvent &e) {
            return e.kind == QX_STRAND_UNLOCK && e.object == lock;
          }))
        return true;
    return false;
  }

  void findPuts(JobQueue &queue) const {
    std::vector<std::pair<uint32_t, uint32_t>> puts; // order, node
    std::vector<uint32_t> takes;
    for (size_t t = 0; t < threads; ++t) {
      const std::vector<StrandEvent> &events = all[t].events;
      for (size_t i = 0; i < events.size(); ++i)
        if (takesJob(queue, t, events, i))
          takes.push_back(events[i].order);
        else if (!queue.takers.contains(t) && events[i].kind == QX_STRAND_UNLOCK &&
                 events[i].object == queue.lock)
          puts.emplace_back(events[i].order, graph.beginOf(t) + static_cast<uint32_t>(i) + 1);
    }
    std::ranges::sort(puts);
    std::ranges::sort(takes);
    for (size_t k = 0; k < std::min(puts.size(), takes.size()); ++k)
      if (puts[k].first > takes[k])
        return;
    for (const auto &[order, node] : puts)
      if (queue.puts.size() < takes.size())
        queue.puts.push_back(node);
  }

  const std::vector<StrandThread> &all;
  const StrandGraph &graph;
  const size_t threads;
  const std::set<uint64_t> &owned;
};

} // namespace

bool takesJob(const JobQueue &queue, size_t thread, const std::vector<StrandEvent> &events,
              size_t i) {
  return events[i].object == queue.lock && events[i].site == queue.site && comesToLock(events, i) &&
         queue.takers.contains(thread);
}

std::vector<JobQueue> jobQueues(const std::vector<StrandThread> &all, const StrandGraph &graph,
                                size_t threads, const std::set<uint64_t> &owned) {
  std::vector<JobQueue> queues;
  const Finder finder(all, graph, threads, owned);
  for (const auto &[origin, takers] : byOrigin(graph, threads))
    if (takers.size() > 1)
      if (std::optional<JobQueue> queue = finder.find(takers))
        queues.push_back(std::move(*queue));
  return queues;
}

} // namespace quincunx
