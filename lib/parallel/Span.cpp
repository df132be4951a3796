// Work, span and critical path, from runs with one thread and with enough of them.
// Reference: docs/27-parallel.md.
#include "quincunx/parallel/Span.h"

#include <algorithm>
#include <map>

namespace quincunx::parallel {

namespace {
/// Pieces at once, as a function of time, gathered by how many they are.
std::vector<Width> widths(const std::vector<Piece> &pieces) {
  std::vector<std::pair<double, int>> changes;
  for (const Piece &p : pieces) {
    changes.emplace_back(p.begin, 1);
    changes.emplace_back(p.end, -1);
  }
  std::sort(changes.begin(), changes.end());
  std::map<uint32_t, double> times;
  double since = 0;
  int open = 0;
  for (const auto &[time, change] : changes) {
    if (open > 0 && time > since)
      times[static_cast<uint32_t>(open)] += time - since;
    open += change;
    since = time;
  }
  std::vector<Width> all;
  for (const auto &[count, time] : times)
    all.push_back({count, time});
  return all;
}

uint64_t largestLoop(const Description &d) {
  uint64_t n = 1;
  for (const Loop &l : d.loops)
    n = std::max(n, l.size());
  return n;
}
} // namespace

double Span::least(double cores) const { return std::max(work / cores, span); }
double Span::most(double cores) const { return work / cores + (1 - 1 / cores) * span; }
double Span::byProfile(double cores) const {
  double time = 0;
  for (const Width &w : profile)
    time += w.time * std::max(1.0, w.pieces / cores);
  return time;
}

std::vector<uint32_t> criticalPath(const Simulated &run) {
  std::vector<uint32_t> path;
  for (uint32_t p = run.last; p != noIndex; p = run.pieces[p].previous)
    path.push_back(p);
  std::reverse(path.begin(), path.end());
  return path;
}

Result<Span> spanOf(const Description &description) {
  const Result<Simulated> alone = simulate(description, {});
  if (!alone)
    return alone.error();
  Setting unbounded;
  unbounded.threads = static_cast<uint32_t>(
      std::min<uint64_t>(std::max(largestLoop(description), alone->tasks + 1), uint64_t{1} << 20));
  unbounded.oneIterationEach = true;
  unbounded.keepPieces = true;
  unbounded.taskQueue = UINT32_MAX;
  const Result<Simulated> together = simulate(description, unbounded);
  if (!together)
    return together.error();
  Span out;
  for (const ThreadTime &t : alone->threads)
    out.work += t.busy;
  out.span = together->makespan;
  out.profile = widths(together->pieces);
  for (const uint32_t p : criticalPath(*together))
    out.path.push_back(together->pieces[p]);
  return out;
}

} // namespace quincunx::parallel
