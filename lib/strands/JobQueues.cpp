// Who counts a counter up to learn what to do takes jobs. Of locks, who took how many is what tells
// a queue: threads that share their work out beforehand come to their locks equally often, or those
// with smaller shares are done while others come on, which who found no job is not; or they waited
// there for jobs that were put one by one, and took equally many by chance. All places are
// taken whose lock others have as well, or these threads elsewhere, as jobs are put there
// (JobPuts.h); where there is none, of all places to which most threads come (who found no job has
// been there, and nowhere behind) the one that is met least often, as it parts what threads do most
// coarsely.
#include "JobQueues.h"

#include "JobPuts.h"
#include "LockSections.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <tuple>

namespace quincunx {

namespace {

using Events = StrandEvents;

class Finder {
public:
  Finder(const std::vector<StrandThread> &a, const StrandGraph &g, size_t t,
         const std::set<uint64_t> &o)
      : all(a), graph(g), threads(t), owned(o), created(g.sitesOfCreation()) {
    for (size_t thread = 0; thread < threads; ++thread)
      for (size_t i = 0; i < all[thread].events.size(); ++i)
        if (const StrandEvent &e = all[thread].events[i];
            e.kind == QX_STRAND_CREATE || e.kind == QX_STRAND_JOIN)
          (e.kind == QX_STRAND_CREATE ? creations : joins)[e.object] = {thread, i};
        else if (takesLock(e.kind) || e.kind == QX_STRAND_UNLOCK)
          ofLocks[e.object].push_back({thread, i});
  }

  std::vector<JobQueue> find() {
    std::vector<JobQueue> queues = counters(), withLocks;
    size_t unequal = 0; // places to which some come more often
    for (auto &[place, takes] : places()) {
      JobQueue q = queueAt(place, std::move(takes));
      addFirst(q);
      const bool isEqual = !isUnequal(q.takes);
      if ((isEqual && takersOf(q) < 2) || !mayBe(q))
        continue;
      unequal += isEqual ? 0 : 1;
      findPuts(q, all, graph, threads, ofLocks.at(q.object),
               isEqual ? Told::inTurn : Told::byWaits);
      if (!q.puts.empty())
        withLocks.push_back(std::move(q));
    }
    keepOneOfEach(withLocks);
    if (withLocks.empty() && unequal > 0 && queues.empty())
      withLocks = coarsest();
    std::ranges::move(withLocks, std::back_inserter(queues));
    return queues;
  }

private:
  using Place = std::pair<uint64_t, uint32_t>; ///< object, site
  using Places = std::map<Place, std::vector<JobQueue::Take>>;

  static JobQueue queueAt(const Place &place, std::vector<JobQueue::Take> takes) {
    JobQueue queue;
    std::tie(queue.object, queue.site) = place;
    queue.takes = std::move(takes);
    return queue;
  }

  /// A thread that keeps the lock from one take to the job before it had it at another place at
  /// first. That was a job as well if it worked as long behind it, or it has found none since.
  void addFirst(JobQueue &queue) const {
    std::map<size_t, size_t> firstTake; // event, by thread
    for (const JobQueue::Take &take : queue.takes) {
      size_t &event = firstTake.try_emplace(take.thread, take.event).first->second;
      event = std::min(event, take.event);
    }
    std::set<uint32_t> sitesOfThreads, sites;
    std::vector<uint64_t> first;
    std::vector<JobQueue::Take> more;
    for (const auto &[thread, take] : firstTake) {
      const std::optional<size_t> at = onlyBefore(queue, thread, take);
      if (!at)
        return;
      const StrandEvent &e = all[thread].events[*at];
      sitesOfThreads.insert(created[thread]);
      sites.insert(e.site);
      first.push_back(workBehind(all[thread].events, *at, take));
      more.push_back({e.order, thread, *at});
    }
    std::vector<uint64_t> jobs = worksBetween(queue);
    if (sites.size() != 1 || jobs.empty() || hardly * median(first) <= median(jobs))
      return;
    for (size_t t = 0; t < threads; ++t)
      if (!firstTake.contains(t) && sitesOfThreads.contains(created[t]))
        if (const auto at = onlyBefore(queue, t, all[t].events.size());
            at && sites.contains(all[t].events[*at].site))
          more.push_back({all[t].events[*at].order, t, *at});
    queue.elsewhere = more.size();
    std::ranges::move(more, std::back_inserter(queue.takes));
  }

  /// Where a thread comes to the lock before an event, if it does so only once.
  std::optional<size_t> onlyBefore(const JobQueue &queue, size_t thread, size_t before) const {
    std::optional<size_t> only;
    for (const auto &[t, i] : eventsOf(queue.object, thread))
      if (i < before && comesToLock(all[thread].events, i)) {
        if (only)
          return std::nullopt;
        only = i;
      }
    return only;
  }

  /// Where a thread has a lock or gives it up.
  std::ranges::subrange<LockEvents::const_iterator> eventsOf(uint64_t lock, size_t thread) const {
    return std::ranges::equal_range(ofLocks.at(lock), thread, {}, &LockEvent::thread);
  }

  static int64_t numberAt(const Events &events, size_t claim) {
    constexpr unsigned sign = 64 - QX_STRAND_OBJECT;
    const bool isThere = claim + 1 < events.size() && events[claim + 1].kind == QX_STRAND_NUMBER;
    return isThere ? static_cast<int64_t>(events[claim + 1].object << sign) >> sign : 0;
  }

  /// Events of a counter are written behind it, and not always in its order; where a number comes
  /// again, somebody has set it back.
  static void sortByNumber(std::vector<JobQueue::Take> &takes) {
    std::ranges::stable_sort(takes, {}, &JobQueue::Take::order);
    for (auto begin = takes.begin(), end = begin; begin != takes.end(); begin = end) {
      std::set<int64_t> met;
      ptrdiff_t up = 0;
      for (; end != takes.end() && met.insert(end->number).second; ++end)
        if (end != begin)
          up += end->number > std::prev(end)->number ? 1 : -1;
      if (up >= 0)
        std::stable_sort(begin, end, [](auto &a, auto &b) { return a.number < b.number; });
      else
        std::stable_sort(begin, end, [](auto &a, auto &b) { return a.number > b.number; });
    }
  }

  /// Whoever is there asks for the next job, wherever that is (with the locks that it has there),
  /// until he finds none, or learned elsewhere that none is left.
  std::vector<JobQueue> counters() const {
    std::map<uint64_t, JobQueue> found;
    for (size_t t = 0; t < all.size(); ++t) {
      std::multiset<uint64_t> held; // locks
      size_t first = 0;             // where it came to the first of them
      for (size_t i = 0; i < all[t].events.size(); ++i) {
        const StrandEvent &e = all[t].events[i];
        if (e.kind == QX_STRAND_LOOP) {
          i = endOfLoop(all[t].events, i);
        } else if (e.kind == QX_STRAND_CLAIM) {
          JobQueue &queue =
              found.try_emplace(e.object, queueAt({e.object, e.site}, {})).first->second;
          queue.isCounter = true;
          queue.takes.push_back({e.order, t, held.empty() ? i : first, numberAt(all[t].events, i)});
        } else if (takesLock(e.kind) && owned.contains(e.object)) {
          first = held.empty() ? i : first;
          held.insert(e.object);
        } else if (const auto lock = held.find(e.object);
                   e.kind == QX_STRAND_UNLOCK && lock != held.end()) {
          held.erase(lock);
        }
      }
    }
    std::vector<JobQueue> queues;
    for (auto &[object, queue] : found) {
      sortByNumber(queue.takes);
      addEnds(queue, tailsOf(queue));
      queues.push_back(std::move(queue));
    }
    return queues;
  }

  Places places() const {
    Places found;
    std::set<uint64_t> ofConditions;
    for (size_t t = 0; t < threads; ++t)
      for (size_t i = 0; i < all[t].events.size(); ++i)
        if (const auto lock = ownLockOfCondition(all[t].events, i))
          ofConditions.insert(*lock);
    for (size_t t = 0; t < threads; ++t)
      for (size_t i = 0; i < all[t].events.size(); ++i)
        if (const StrandEvent &e = all[t].events[i]; e.kind == QX_STRAND_LOOP)
          i = endOfLoop(all[t].events, i);
        else if (e.kind != QX_STRAND_TRIED && comesToLock(all[t].events, i) &&
                 owned.contains(e.object) && !ofConditions.contains(e.object))
          found[{e.object, e.site}].push_back({e.order, t, i});
    return found;
  }

  /// The last event of a part of a shared loop.
  static size_t endOfLoop(const Events &events, size_t begin) {
    size_t last = begin;
    for (size_t i = begin + 1; i < events.size() && events[i].kind != QX_STRAND_LOOP; ++i)
      if (events[i].kind == QX_STRAND_ITERATED)
        last = i;
    return last;
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
    /// Thread, event: where it did a job, that is as much as between two takes. Others found none.
    std::map<size_t, size_t> ends;
    bool areJobs = false; ///< of most threads
  };

  static std::map<size_t, std::vector<size_t>> takesOf(const JobQueue &queue) { // by thread
    std::map<size_t, std::vector<size_t>> taken;
    for (const JobQueue::Take &take : queue.takes)
      taken[take.thread].push_back(take.event);
    for (auto &[thread, events] : taken)
      std::ranges::sort(events);
    return taken;
  }

  /// From each take of a thread to its next one.
  std::vector<uint64_t> worksBetween(const JobQueue &queue) const {
    std::vector<uint64_t> works;
    for (const auto &[thread, takes] : takesOf(queue)) {
      const Events &events = all[thread].events;
      size_t had = SIZE_MAX, behind = 0; // several may be taken while one has a lock
      for (size_t i = 0; i + 1 < takes.size(); ++i) {
        if (takes[i] != had)
          behind = taken(events, had = takes[i]);
        works.push_back(events[takes[i + 1]].clock - events[std::min(behind, takes[i + 1])].clock);
      }
    }
    return works;
  }

  Tails tailsOf(const JobQueue &queue) const {
    Tails tails;
    std::vector<uint64_t> jobs = worksBetween(queue), last;
    const uint64_t usual = jobs.empty() ? 0 : median(jobs);
    for (const auto &[thread, events] : takesOf(queue))
      if (const auto end = endOfJob(all[thread].events, events.back())) {
        last.push_back(workBehind(all[thread].events, events.back(), *end));
        if (!jobs.empty() && hardly * last.back() > usual)
          tails.ends[thread] = *end;
      }
    tails.areJobs = !jobs.empty() && !last.empty() && hardly * median(last) > usual;
    return tails;
  }

  static uint64_t median(std::vector<uint64_t> &values) {
    std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
    return values[values.size() / 2];
  }

  /// When what it takes is taken: it has given up the lock.
  static size_t taken(const Events &events, size_t take) {
    return events[take].kind == QX_STRAND_CLAIM ? take : doneWith(events, take);
  }

  /// From there up to an event.
  static uint64_t workBehind(const Events &events, size_t take, size_t to) {
    return events[to].clock - events[std::min(taken(events, take), to)].clock;
  }

  /// The first event behind a take that is not of a lock, or lets others go on.
  static std::optional<size_t> endOfJob(const Events &events, size_t take) {
    for (size_t i = taken(events, take) + 1; i < events.size(); ++i)
      if (const qx_strand_kind kind = events[i].kind;
          !takesLock(kind) && kind != QX_STRAND_UNLOCK && kind != QX_STRAND_SIGNAL &&
          kind != QX_STRAND_NUMBER)
        return i;
    return std::nullopt;
  }

  /// Did a thread find no job while there were some? Those that it found none behind were taken, by
  /// threads that were there by then.
  bool endsBeforeOthers(JobQueue queue, const Tails &tails) const {
    std::map<size_t, size_t> last; // event of its last take, by thread
    for (JobQueue::Take &take : queue.takes) {
      waitForJob(queue, take, all, graph);
      size_t &event = last.try_emplace(take.thread, take.event).first->second;
      event = std::max(event, take.event);
    }
    std::map<size_t, uint32_t> lastJob; // when a thread took it
    for (const JobQueue::Take &take : queue.takes)
      if (take.event != last[take.thread])
        lastJob[take.thread] = std::max(lastJob[take.thread], take.order);
    return std::ranges::any_of(last, [&](const auto &of) {
      const std::optional<uint32_t> done = lastOf(queue.object, of.first);
      return done && !tails.ends.contains(of.first) &&
             std::ranges::any_of(lastJob, [&](const auto &job) {
               return *done < job.second && !comesLater(job.first, of.first);
             });
    });
  }

  /// When a thread had a lock for the last time; nothing if it gave it up to wait, and still does.
  std::optional<uint32_t> lastOf(uint64_t lock, size_t thread) const {
    const Events &events = all[thread].events;
    std::optional<uint32_t> done;
    bool stillWaits = false;
    for (const auto &[t, i] : eventsOf(lock, thread)) {
      done = std::max(done.value_or(0), events[i].order);
      stillWaits = events[i].kind == QX_STRAND_UNLOCK && !isDone(events, i);
    }
    return stillWaits ? std::nullopt : done;
  }

  /// Was one creation by who had joined the other one before?
  bool comesLater(size_t one, size_t other) const {
    const auto creation = creations.find(all[one].number);
    const auto joined = joins.find(all[other].number);
    return creation != creations.end() && joined != joins.end() &&
           creation->second.first == joined->second.first && joined->second < creation->second;
  }

  /// Is it one, as far as one can tell? Then it gets its ends.
  bool mayBe(JobQueue &queue) const {
    const Tails tails = tailsOf(queue);
    if (!tails.areJobs && endsBeforeOthers(queue, tails))
      return false;
    addEnds(queue, tails);
    return true;
  }

  /// Those of threads, too, that were created where those that took jobs were, and did nothing, as
  /// none were left.
  void addEnds(JobQueue &queue, const Tails &tails) const {
    queue.ends.assign(tails.ends.begin(), tails.ends.end());
    std::set<uint32_t> sites;
    for (const auto &[thread, end] : queue.ends)
      if (created[thread] != 0)
        sites.insert(created[thread]);
    for (size_t t = 0; t < threads; ++t)
      if (sites.contains(created[t]) && all[t].events.size() == 1 &&
          all[t].events[0].kind == QX_STRAND_END)
        queue.ends.emplace_back(t, 0);
  }

  /// How often threads come there.
  static size_t comes(const JobQueue &q) { return q.takes.size() - q.elsewhere; }

  /// Of places where each job comes by, jobs are taken at that one to which threads come most
  /// often: once more where they find none.
  std::vector<JobQueue> coarsest() const {
    JobQueue best;
    const auto isBetter = [&](const JobQueue &q) {
      const size_t takers = takersOf(q), others = takersOf(best);
      if (takers != others)
        return takers > others;
      const bool isOfSameJobs =
          std::max(comes(q), comes(best)) - std::min(comes(q), comes(best)) <= takers;
      return isOfSameJobs ? comes(q) > comes(best) : comes(q) < comes(best);
    };
    Places found = places();
    dropOneOfMany(found);
    for (auto &[place, takes] : found)
      if (JobQueue q = queueAt(place, std::move(takes));
          addFirst(q), isUnequal(q.takes) && mayBe(q) && isBetter(q))
        best = std::move(q);
    if (best.takes.empty())
      return {};
    findPuts(best, all, graph, threads, ofLocks.at(best.object), Told::elsewhere);
    return {best};
  }

  /// Whoever comes to another lock at the same place as well has one of many, as those of the
  /// buckets of a table.
  static void dropOneOfMany(Places &found) {
    std::map<std::pair<uint32_t, size_t>, std::set<uint64_t>> locks; // by site and thread
    for (const auto &[place, takes] : found)
      for (const JobQueue::Take &take : takes)
        locks[{place.second, take.thread}].insert(place.first);
    std::erase_if(found, [&](const auto &of) {
      return std::ranges::any_of(of.second, [&](const JobQueue::Take &take) {
        return locks.at({of.first.second, take.thread}).size() > 1;
      });
    });
  }

  /// Of a lock that is come to at several places, jobs are taken at that one where threads wait, or
  /// to which they come most often: once more where they find none.
  static void keepOneOfEach(std::vector<JobQueue> &queues) {
    std::ranges::stable_sort(queues, [](const JobQueue &a, const JobQueue &b) {
      return std::tuple(a.object, b.waits.size(), comes(b)) <
             std::tuple(b.object, a.waits.size(), comes(a));
    });
    const auto again = std::ranges::unique(queues, {}, &JobQueue::object);
    queues.erase(again.begin(), again.end());
  }

  static constexpr uint64_t hardly = 10; ///< one part in so many
  const std::vector<StrandThread> &all;
  const StrandGraph &graph;
  const size_t threads;
  const std::set<uint64_t> &owned;
  const std::vector<uint32_t> created; ///< by thread: the site
  /// Thread and event, by the number of the thread that is created or joined.
  std::map<uint64_t, std::pair<size_t, size_t>> creations, joins;
  std::map<uint64_t, LockEvents> ofLocks;
};

} // namespace

std::vector<JobQueue> jobQueues(const std::vector<StrandThread> &all, const StrandGraph &graph,
                                size_t threads, const std::set<uint64_t> &owned) {
  return Finder(all, graph, threads, owned).find();
}

} // namespace quincunx
