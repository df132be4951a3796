// The longest way to each node, in an order in which whatever a node waits for comes before it
// (Kahn 1962). A strand is the edge from a node to the next one of its thread, and is as long as
// what was done there; all other edges take nothing. Of two ways of one length that in the thread
// itself is taken, so that the path changes threads only where it has to.
#include "quincunx/strands/CriticalPath.h"

#include "LogicalThreads.h"
#include "StrandGraph.h"

#include <algorithm>
#include <optional>
#include <set>

namespace quincunx {

namespace {

constexpr uint32_t none = UINT32_MAX;

class Longest {
public:
  Longest(const ProcessStrands &s, const StrandGraph &g, bool withLocks)
      : strands(s), graph(g), isLocked(withLocks) {}

  /// None: nodes wait for each other in a circle.
  std::optional<CriticalPath> path() {
    order();
    if (!walk())
      return std::nullopt;
    uint32_t last = none;
    for (size_t t = 0; t < strands.threads.size(); ++t) {
      const auto end = graph.beginOf(t) + static_cast<uint32_t>(strands.threads[t].events.size());
      if (last == none || length[end] > length[last])
        last = end;
    }
    CriticalPath out;
    if (last == none)
      return out;
    out.span = length[last];
    trace(last, out);
    return out;
  }

private:
  /// How long each strand is, and how many each node waits for.
  void order() {
    follow = graph.successors(isLocked);
    follows.assign(graph.nodes(), false);
    work.assign(graph.nodes(), 0);
    for (size_t t = 0; t < strands.threads.size(); ++t) {
      uint64_t clock = 0;
      uint32_t node = graph.beginOf(t);
      for (const StrandEvent &e : strands.threads[t].events) {
        follows[++node] = true;
        ++follow.waits[node];
        work[node] = e.clock - clock;
        clock = e.clock;
      }
    }
  }

  bool walk() {
    length.assign(graph.nodes(), 0);
    before.assign(graph.nodes(), none);
    std::vector<uint32_t> ready;
    for (uint32_t n = 0; n < graph.nodes(); ++n)
      if (follow.waits[n] == 0)
        ready.push_back(n);
    size_t done = 0;
    const auto reach = [&](uint32_t from, uint32_t node, uint64_t way, bool isOwn) {
      if (way > length[node] || before[node] == none || (way == length[node] && isOwn)) {
        length[node] = way;
        before[node] = from;
      }
      if (--follow.waits[node] == 0)
        ready.push_back(node);
    };
    while (!ready.empty()) {
      const uint32_t n = ready.back();
      ready.pop_back();
      ++done;
      if (n + 1 < graph.nodes() && follows[n + 1])
        reach(n, n + 1, length[n] + work[n + 1], true);
      for (uint32_t i = follow.begins[n]; i < follow.begins[n + 1]; ++i)
        reach(n, follow.to[i], length[n], false);
    }
    return done == graph.nodes();
  }

  void trace(uint32_t last, CriticalPath &out) const {
    const std::vector<uint32_t> created = graph.sitesOfCreation();
    size_t current = strands.threads.size();
    for (uint32_t n = last; before[n] != none; n = before[n]) {
      if (before[n] + 1 != n || !follows[n]) {
        current = strands.threads.size();
        continue;
      }
      const size_t t = graph.threadOf(n);
      const StrandEvent &arrival = graph.eventOf(n);
      if (current != t)
        out.legs.push_back({strands.threads[t].number, 0, {}, arrival});
      current = t;
      PathLeg &leg = out.legs.back();
      leg.work += work[n];
      leg.from = before[n] == graph.beginOf(t) ? StrandEvent{} : graph.eventOf(before[n]);
      if (work[n] != 0)
        out.parts[placeOf(arrival, created[t])] += work[n];
    }
    std::erase_if(out.legs, [](const PathLeg &leg) { return leg.work == 0; });
    std::ranges::reverse(out.legs);
  }

  const ProcessStrands &strands;
  const StrandGraph &graph;
  const bool isLocked;
  StrandGraph::Successors follow;
  std::vector<bool> follows; ///< a node is not the first of its thread
  std::vector<uint64_t> work, length;
  std::vector<uint32_t> before;
};

} // namespace

StrandPlace placeOf(const StrandEvent &end, uint32_t created) {
  const bool hasSite =
      end.kind != QX_STRAND_END && end.kind != QX_STRAND_SEMAPHORE && end.kind != QX_STRAND_BARRIER;
  return {created, hasSite ? end.site : 0, end.kind};
}

Result<ParallelWork> parallelWork(const ProcessStrands &strands) {
  if (const Status whole = checkWhole(strands); !whole)
    return whole.error();
  ParallelWork out;
  out.threads = strands.threads.size();
  std::set<uint64_t> unjoined; // numbers of threads
  for (const StrandThread &t : strands.threads) {
    out.strands += static_cast<size_t>(std::ranges::count_if(t.events, [](const StrandEvent &e) {
      return !isOfSerialLoop(e.kind) && !isRemark(e.kind);
    }));
    for (const StrandEvent &e : t.events) {
      if (e.kind == QX_STRAND_CREATE)
        unjoined.insert(e.object);
      out.hasTimeouts |= e.kind == QX_STRAND_TIMEOUT;
      out.hasClaims |= e.kind == QX_STRAND_CLAIM;
      out.hasUncounted |= e.kind == QX_STRAND_STOPPED;
      if (e.kind == QX_STRAND_SPIN)
        out.spins = e.site;
      if (e.kind == QX_STRAND_FOLDED) {
        out.hasFolded = true;
        out.strands += 2 * (std::max<uint64_t>(1, e.object) - 1); // a section, or a job, has two
      }
    }
    out.hasTeams |=
        std::ranges::find(t.events, QX_STRAND_TEAM, &StrandEvent::kind) != t.events.end();
  }
  for (const StrandThread &t : strands.threads)
    for (const StrandEvent &e : t.events)
      if (e.kind == QX_STRAND_JOIN)
        unjoined.erase(e.object);
  out.hasUnjoined = !unjoined.empty();
  const LogicalThreads logical = logicalThreads(strands);
  out.hasTeamOfOne = logical.hasTeamOfOne;
  out.hasExclusion = logical.hasExclusion;
  std::map<uint32_t, uint32_t> ranOn;
  for (size_t t = 0; t < logical.ranOn.size(); ++t) {
    const StrandThread &thread = logical.strands.threads[t];
    ranOn[thread.number] = logical.ranOn[t];
    const uint64_t work = thread.events.empty() ? 0 : thread.events.back().clock;
    if (out.work + work < out.work) // no span is longer than that
      return Error{"its threads did more than can be counted"};
    out.work += work;
  }
  const StrandGraph graph(logical.strands);
  if (const Status whole = graph.isWhole(); !whole)
    return whole.error();
  out.hasUnexplained = graph.hasUnexplained();
  for (const bool withLocks : {false, true}) {
    std::optional<CriticalPath> path = Longest(logical.strands, graph, withLocks).path();
    if (!path)
      return Error{"its threads seem to wait for each other in a circle"};
    for (PathLeg &leg : path->legs)
      leg.thread = ranOn[leg.thread];
    (withLocks ? out.locked : out.free) = std::move(*path);
  }
  return out;
}

} // namespace quincunx
