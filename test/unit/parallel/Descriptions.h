// Small descriptions, and what their runs take.
#pragma once

#include "quincunx/parallel/LoopSchedule.h"
#include "quincunx/parallel/Simulate.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace quincunx::parallel::test {

inline Simulated run(const Description &d, const Setting &s = {}) {
  const Result<Simulated> r = simulate(d, s);
  EXPECT_TRUE(r) << (r ? "" : r.error().text);
  return r ? *r : Simulated{};
}
inline double timeOf(const Description &d, const Setting &s = {}) { return run(d, s).makespan; }
inline std::string errorOf(const Description &d, const Setting &s = {}) {
  const Result<Simulated> r = simulate(d, s);
  return r ? "none" : r.error().text;
}
inline Setting threads(uint32_t n) {
  Setting s;
  s.threads = n;
  return s;
}

/// `parallel for` over these iterations.
inline Description parallelLoop(std::vector<double> costs, Schedule schedule = Schedule::fixed,
                                uint64_t chunk = 0) {
  Description d;
  d.bodies = {{team(1)}, {loop(0, true)}};
  d.loops = {{schedule, chunk, std::move(costs), 0, noIndex, 0}};
  return d;
}

/// A task for each cost, made by one thread of a team; the second of an edge comes after the first.
inline Description taskGraph(const std::vector<double> &costs,
                             const std::vector<std::pair<uint32_t, uint32_t>> &edges = {}) {
  Description d;
  d.bodies = {{team(1)}, {single(2)}, {}};
  for (uint32_t t = 0; t < costs.size(); ++t) {
    const auto first = static_cast<uint32_t>(d.uses.size());
    for (uint32_t e = 0; e < edges.size(); ++e)
      if (edges[e].first == t || edges[e].second == t)
        d.uses.push_back({e, true});
    d.bodies[2].push_back(task(static_cast<uint32_t>(d.bodies.size()), first,
                               static_cast<uint32_t>(d.uses.size()) - first));
    d.bodies.push_back({work(costs[t])});
  }
  return d;
}

/// What each thread gets when they ask in turn, one chunk a turn.
inline std::vector<std::vector<Chunk>> inTurn(LoopSchedule &schedule, uint32_t n) {
  std::vector<std::vector<Chunk>> all(n);
  std::vector<bool> isDone(n, false);
  for (bool any = true; any;) {
    any = false;
    for (uint32_t t = 0; t < n; ++t) {
      if (isDone[t])
        continue;
      const Chunk c = schedule.next(t);
      isDone[t] = !c;
      any = any || c;
      if (c)
        all[t].push_back(c);
    }
  }
  return all;
}
/// Is every iteration below n in exactly one of the chunks?
inline bool isPartition(const std::vector<std::vector<Chunk>> &chunks, uint64_t n) {
  std::vector<int> times(n, 0);
  for (const std::vector<Chunk> &of : chunks)
    for (const Chunk &c : of)
      for (uint64_t i = c.begin; i < c.end; ++i)
        if (i >= n || ++times[i] > 1)
          return false;
  return std::count(times.begin(), times.end(), 1) == static_cast<std::ptrdiff_t>(n);
}
inline bool operator==(const Chunk &a, const Chunk &b) {
  return a.begin == b.begin && a.end == b.end;
}

} // namespace quincunx::parallel::test

namespace quincunx::parallel {
using test::operator==;
}
