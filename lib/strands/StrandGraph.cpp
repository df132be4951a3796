// Who waited for whom, from the events of each object in their order. A lock goes from who gave it
// up to who has it next, also where OpenMP says the former behind the latter; readers come between
// two writers. A signal goes to the first who slept before it and woke behind it; the k-th who
// takes from a semaphore that began with v waits for the (k - v)-th who adds to it; all who pass a
// barrier wait for all who come; who waits for a latch or a future, for all who did their part of
// it before. Where the size of a semaphore is not known it is the least with which what happened
// could happen; that of a barrier, as many as were ever there. An edge goes from an earlier event
// to a later one, so honest records have no cycles.
#include "StrandGraph.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace quincunx {

Status checkWhole(const ProcessStrands &strands) {
  if (strands.isCut)
    return Error{"events of its threads are missing: a process keeps " +
                 std::to_string(QX_STRANDS_MOST) + "; try a smaller input"};
  return Done{};
}

namespace {

bool isReadiness(qx_strand_kind kind) {
  return kind == QX_STRAND_LATCH || kind == QX_STRAND_DONE || kind == QX_STRAND_AWAIT ||
         kind == QX_STRAND_CHANGE || kind == QX_STRAND_CAME_LAST || kind == QX_STRAND_LAST_DID;
}

} // namespace

StrandGraph::StrandGraph(const ProcessStrands &of) : strands(of) {
  for (const StrandThread &t : strands.threads) {
    first.push_back(next);
    next += 1 + static_cast<uint32_t>(t.events.size());
  }
  connectThreads();
  std::map<uint64_t, Of> objects;
  for (uint32_t t = 0; t < strands.threads.size(); ++t)
    for (uint32_t i = 0; i < strands.threads[t].events.size(); ++i)
      if (const StrandEvent &e = strands.threads[t].events[i];
          e.kind >= QX_STRAND_LOCK && !sharesOut(e.kind))
        objects[e.object].push_back({e.order, first[t] + 1 + i, t, &e});
  for (auto &[object, events] : objects) {
    std::ranges::stable_sort(events, {}, &Met::order);
    connect(events);
  }
}

Status StrandGraph::isWhole() const {
  return isDense ? Status(Error{"too many of its threads wait for too many others"})
                 : Status(Done{});
}

size_t StrandGraph::threadOf(uint32_t node) const {
  const auto behind = std::ranges::upper_bound(first, node);
  const auto thread = static_cast<size_t>(behind - first.begin()) - 1;
  return node - first[thread] <= strands.threads[thread].events.size() ? thread
                                                                       : strands.threads.size();
}

std::vector<uint32_t> StrandGraph::sitesOfCreation() const {
  std::vector<uint32_t> sites(first.size(), 0);
  for (const Edge &e : found)
    if (const size_t t = threadOf(e.to); t < first.size() && e.to == first[t])
      sites[t] = eventOf(e.from).site;
  return sites;
}

const StrandEvent &StrandGraph::eventOf(uint32_t node) const {
  const size_t thread = threadOf(node);
  return strands.threads[thread].events[node - first[thread] - 1];
}

StrandGraph::Successors StrandGraph::successors(bool withLocks) const {
  Successors out{std::vector<uint32_t>(next + 1), {}, std::vector<uint32_t>(next)};
  const auto isUsed = [withLocks](const Edge &e) {
    return withLocks || (e.why != Reason::lock && e.why != Reason::permit);
  };
  for (const Edge &e : found)
    if (isUsed(e))
      ++out.begins[e.from + 1], ++out.waits[e.to];
  std::partial_sum(out.begins.begin(), out.begins.end(), out.begins.begin());
  out.to.resize(out.begins.back());
  std::vector<uint32_t> at(out.begins.begin(), out.begins.end() - 1);
  for (const Edge &e : found)
    if (isUsed(e))
      out.to[at[e.from]++] = e.to;
  return out;
}

void StrandGraph::connectThreads() {
  std::map<uint64_t, size_t> byNumber;
  for (size_t t = 0; t < strands.threads.size(); ++t)
    byNumber[strands.threads[t].number] = t;
  for (size_t t = 0; t < strands.threads.size(); ++t) {
    const std::vector<StrandEvent> &events = strands.threads[t].events;
    for (uint32_t i = 0; i < events.size(); ++i) {
      const auto other = byNumber.find(events[i].object);
      if (other == byNumber.end())
        continue;
      const size_t o = other->second;
      if (events[i].kind == QX_STRAND_CREATE)
        add(created[static_cast<uint32_t>(o)] = first[t] + 1 + i, first[o]);
      else if (events[i].kind == QX_STRAND_JOIN)
        add(first[o] + static_cast<uint32_t>(strands.threads[o].events.size()), first[t] + 1 + i);
    }
  }
}

/// An address may have been that of one object after another: each kind looks at its own events.
void StrandGraph::connect(const Of &events) {
  Of locks, conditions, semaphores, barriers, ready;
  for (const Met &m : events) {
    const qx_strand_kind kind = m.event->kind;
    (takesLock(kind) || kind == QX_STRAND_UNLOCK ? locks
     : kind <= QX_STRAND_BROADCAST               ? conditions
     : kind <= QX_STRAND_TAKE                    ? semaphores
     : isReadiness(kind)                         ? ready
                                                 : barriers)
        .push_back(m);
  }
  connectLock(locks);
  connectCondition(conditions);
  connectSemaphore(semaphores);
  connectBarrier(barriers);
  connectReadiness(ready);
}

void StrandGraph::connectLock(const Of &events) {
  constexpr uint32_t none = UINT32_MAX;
  uint32_t writer = none, holder = none; ///< node that gave it up last; thread that has it
  size_t depth = 0;                      ///< how often that has it
  std::vector<uint32_t> readers;         ///< that gave it up since
  std::map<uint32_t, size_t> reads;
  std::multimap<uint32_t, uint32_t> early; ///< by thread: who had it before that said it gave it up
  const auto giveUp = [&](const Met &m) {
    if (const auto [from, to] = early.equal_range(m.thread); from != to) {
      add(m.node, from->second, Reason::lock);
      early.erase(from);
      return;
    }
    writer = m.node;
    readers.clear();
    if (depth == 0 || --depth == 0)
      holder = none;
  };
  for (const Met &m : events) {
    if (m.event->kind == QX_STRAND_UNLOCK) {
      const auto read = reads.find(m.thread);
      if (read == reads.end()) {
        giveUp(m);
        continue;
      }
      readers.push_back(m.node);
      if (--read->second == 0)
        reads.erase(read);
      continue;
    }
    if (writer != none)
      add(writer, m.node, Reason::lock);
    if (m.event->kind == QX_STRAND_READ_LOCK) {
      ++reads[m.thread];
      continue;
    }
    for (const uint32_t r : readers)
      add(r, m.node, Reason::lock);
    readers.clear();
    if (holder != none && holder != m.thread)
      early.emplace(holder, m.node);
    depth = holder == m.thread ? depth + 1 : 1;
    holder = m.thread;
  }
}

void StrandGraph::connectCondition(const Of &events) {
  std::vector<const Met *> signals;
  std::vector<uint32_t> unused{0}; ///< per signal the first from it on that may wake somebody
  const auto firstFrom = [&](uint32_t s) {
    while (unused[s] != s)
      s = unused[s] = unused[unused[s]];
    return s;
  };
  std::map<uint32_t, uint32_t> asleep; ///< by thread: how many signals there were before
  for (const Met &m : events)
    switch (m.event->kind) {
    case QX_STRAND_SIGNAL:
    case QX_STRAND_BROADCAST:
      signals.push_back(&m);
      unused.push_back(static_cast<uint32_t>(signals.size()));
      break;
    case QX_STRAND_SLEEP:
      asleep[m.thread] = static_cast<uint32_t>(signals.size());
      break;
    case QX_STRAND_WAKE: {
      const auto slept = asleep.find(m.thread);
      const uint32_t s = slept != asleep.end() ? firstFrom(slept->second) : UINT32_MAX;
      if (s >= signals.size())
        break;
      add(signals[s]->node, m.node);
      if (signals[s]->event->kind == QX_STRAND_SIGNAL)
        unused[s] = s + 1;
      break;
    }
    default:
      break;
    }
}

/// Do all add only what they took before, so that it limits how many threads are somewhere at once,
/// and keeps nobody waiting for what another one did?
bool StrandGraph::isHeld(std::span<const Met> semaphore) {
  std::map<uint32_t, size_t> taken; ///< by thread
  for (const Met &m : semaphore)
    if (m.event->kind == QX_STRAND_TAKE)
      ++taken[m.thread];
    else if (m.event->kind == QX_STRAND_POST && taken[m.thread]-- == 0)
      return false;
  return true;
}

void StrandGraph::connectSemaphore(const Of &events) {
  for (size_t begin = 0, end; begin < events.size(); begin = end) {
    const bool isMade = events[begin].event->kind == QX_STRAND_SEMAPHORE;
    end = begin + 1;
    while (end < events.size() && events[end].event->kind != QX_STRAND_SEMAPHORE)
      ++end;
    int64_t balance = 0, most = 0;
    for (size_t i = begin; i < end; ++i) {
      balance += events[i].event->kind == QX_STRAND_TAKE   ? 1
                 : events[i].event->kind == QX_STRAND_POST ? -1
                                                           : 0;
      most = std::max(most, balance);
    }
    Semaphore &s = counted.emplace_back();
    s.value = isMade ? events[begin].event->site : static_cast<size_t>(most);
    const Reason why = isHeld({events.begin() + static_cast<std::ptrdiff_t>(begin),
                               events.begin() + static_cast<std::ptrdiff_t>(end)})
                           ? Reason::permit
                           : Reason::semaphore;
    for (size_t i = begin; i < end; ++i)
      if (events[i].event->kind == QX_STRAND_POST)
        s.posts.push_back(events[i].node);
      else if (events[i].event->kind == QX_STRAND_TAKE) {
        s.takes.push_back(events[i].node);
        if (s.takes.size() > s.value && s.takes.size() - s.value <= s.posts.size())
          add(s.posts[s.takes.size() - s.value - 1], events[i].node, why);
      }
  }
}

void StrandGraph::connectBarrier(const Of &events) {
  for (size_t begin = 0, end; begin < events.size(); begin = end) {
    const bool isMade = events[begin].event->kind == QX_STRAND_BARRIER;
    end = begin + 1;
    while (end < events.size() && events[end].event->kind != QX_STRAND_BARRIER)
      ++end;
    size_t inside = 0, most = 1;
    for (size_t i = begin; i < end; ++i)
      if (events[i].event->kind == QX_STRAND_ARRIVE)
        most = std::max(most, ++inside);
      else if (events[i].event->kind == QX_STRAND_PASS && inside > 0)
        --inside;
    size_t size = isMade ? std::max<size_t>(events[begin].event->site, 1) : most;
    std::map<uint32_t, uint32_t> meetings; ///< by thread: where it is to meet the others
    size_t arrived = 0, dropped = 0;       ///< at this meeting
    for (size_t i = begin; i < end; ++i)
      if (events[i].event->kind == QX_STRAND_DROP) {
        ++dropped;
      } else if (events[i].event->kind == QX_STRAND_ARRIVE) {
        if (arrived == 0)
          ++next;
        if (++arrived == size) {
          size -= std::min(std::exchange(dropped, 0), size - 1);
          arrived = 0;
        }
        meetings[events[i].thread] = next - 1;
        add(events[i].node, next - 1);
      } else if (const auto at = meetings.find(events[i].thread);
                 events[i].event->kind == QX_STRAND_PASS && at != meetings.end()) {
        add(at->second, events[i].node);
        meetings.erase(at);
      }
  }
}

/// Does a thread tell of a part that it has just done, by notify?
bool StrandGraph::tellsOf(const Met &part, const Met &before) {
  constexpr uint64_t ofNotify = 200; // counts
  return part.node == before.node + 1 && part.event->clock - before.event->clock <= ofNotify;
}

/// Did one of those who created it, and each other, do this part before that? It may be of another
/// object, which was at that address.
bool StrandGraph::isYounger(uint32_t thread, const Met &part) const {
  constexpr int deepest = 32;
  auto at = created.find(thread);
  for (int depth = 0; at != created.end() && depth < deepest; ++depth) {
    const auto creator = static_cast<uint32_t>(threadOf(at->second));
    if (creator == part.thread && part.node < at->second)
      return true;
    at = created.find(creator);
  }
  return false;
}

/// Who waits for all comes after the last part of each thread that nobody has seen who did one of
/// those. Where these are many for many, it may take too long.
void StrandGraph::connectReadiness(const Of &events) {
  constexpr size_t mostSteps = size_t{1} << 23;
  struct Part {
    const Met *met;
    size_t seen; ///< how many parts the thread had seen
  };
  std::vector<Part> parts;
  std::map<uint32_t, const Met *> last; ///< by thread: the part of which it may tell next
  std::map<uint32_t, size_t> seen;      ///< by thread: how many parts
  bool isMade = false;                  ///< and waited for only where it is ready
  for (const Met &m : events) {
    const uint32_t thread = m.thread;
    if (m.event->kind == QX_STRAND_LATCH) {
      parts.clear();
      last.clear();
      seen.clear();
      isMade = true;
      continue;
    }
    if (m.event->kind == QX_STRAND_DONE) {
      if (const Met *&before = last[thread]; before != nullptr && tellsOf(m, *before)) {
        before = nullptr;
        continue;
      }
      last[thread] = &m;
      parts.push_back({&m, seen[thread]});
      continue;
    }
    if (m.event->kind == QX_STRAND_LAST_DID)
      continue;
    isUnexplained |= parts.empty() && (isMade || m.event->kind == QX_STRAND_CHANGE);
    size_t &from = seen[thread];
    if (m.event->kind != QX_STRAND_CHANGE) {
      std::set<uint32_t> met{thread};
      size_t known = from;
      for (size_t p = parts.size(); p > known; --p, ++steps) {
        known = std::max(known, parts[p - 1].seen);
        if (met.insert(parts[p - 1].met->thread).second)
          add(parts[p - 1].met->node, m.node);
      }
      from = parts.size();
    } else {
      while (from < parts.size() &&
             (parts[from].met->thread == thread || isYounger(thread, *parts[from].met)))
        ++from, ++steps;
      if (from < parts.size())
        add(parts[from++].met->node, m.node);
    }
    if (steps > mostSteps) {
      isDense = true;
      return;
    }
  }
}

} // namespace quincunx
