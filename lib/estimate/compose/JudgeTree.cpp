// What the counts of the runs say of the branches and loops of one function.
// The idea: outcomes and trips over runs against what independent ones would make (Dispersion.h);
// and a loop whose trips per entry follow those of the loop around it from run to run grows with
// its index, or with what bounds both. It judges no costs (CallDispersions.h).
#include "quincunx/estimate/Model.h"

#include "quincunx/model/Loops.h"

#include <cmath>

namespace quincunx {

namespace {

/// A share of outcomes that is nearer to 0 or 1 is so by rounding.
constexpr double oneWay = 1e-12;
/// Trips follow others whose correlation over so many runs is at least this.
constexpr double follows = 0.995;
constexpr size_t fewestRuns = 5;

struct Passes {
  std::vector<double> entries, trips; ///< per run
  double perEntry(size_t run) const { return entries[run] > 0 ? trips[run] / entries[run] : 0; }
};

Passes passesOf(const Loop &loop, const std::vector<std::vector<double>> &edgesOfRuns) {
  Passes p;
  for (const std::vector<double> &edges : edgesOfRuns) {
    double entries = 0, trips = 0;
    for (const uint32_t e : loop.entryEdges)
      entries += edges[e];
    for (const uint32_t e : loop.backEdges)
      trips += edges[e];
    p.entries.push_back(entries);
    p.trips.push_back(trips);
  }
  return p;
}

/// The slope of `inner` trips per entry over those of `outer`; 0 where they do not follow them.
double slope(const Passes &inner, const Passes &outer) {
  Sample x, y;
  for (size_t d = 0; d < inner.entries.size(); ++d)
    if (inner.entries[d] > 0)
      x.add(outer.perEntry(d)), y.add(inner.perEntry(d));
  double xy = 0;
  for (size_t d = 0; d < inner.entries.size(); ++d)
    if (inner.entries[d] > 0)
      xy += (outer.perEntry(d) - x.mean()) * (inner.perEntry(d) - y.mean());
  const bool varies = x.n() >= fewestRuns && x.m2() > 0 && y.m2() > 0;
  return varies && xy / std::sqrt(x.m2() * y.m2()) >= follows ? xy / x.m2() : 0;
}

/// What a model takes for the trips of an entry: geometric where it knows nothing.
Cumulants tripsOf(const std::optional<Cumulants> &known, double mean) {
  if (known)
    return *known;
  const double v = mean * (mean + 1); // k4/k2^2 = 6 + 1/v
  return {mean, v, v * (2 * mean + 1), v * (6 * v + 1)};
}

} // namespace

void judgeTree(ModelledTree &tree, const CallGraph &graph, const std::vector<Map> &maps,
               const CountMatrix &counts) {
  const Function &f = *graph.functions[tree.number];
  const auto edges =
      edgesPerRun(counts, maps, graph.imageOf[tree.number], graph.indexOf(tree.number));
  const std::vector<Dispersion> all = branchDispersions(f, edges);
  const std::vector<std::vector<bool>> bodies = bodiesOf(f);
  for (ModelledBranch &b : tree.branches) {
    const Dispersion &d = all[b.branch];
    const bool varies = d.p > oneWay && d.p < 1 - oneWay;
    const Branch &branch = f.branches[b.branch];
    if (d.runs >= 2 && varies && !branch.ofIndex && !isLoopCondition(f, branch, bodies))
      b.dispersion = d;
  }
  for (uint32_t l = 0; l < f.loops.size(); ++l) {
    const Passes own = passesOf(f.loops[l], edges);
    double entries = 0, trips = 0;
    for (size_t d = 0; d < own.entries.size(); ++d)
      entries += own.entries[d], trips += own.trips[d];
    if (entries <= 0)
      continue;
    const std::optional<Cumulants> known =
        l < tree.executed.loops.size() ? tree.executed.loops[l] : std::nullopt;
    const uint32_t around = f.loops[l].parent;
    tree.loops.push_back({l, entries,
                          tripDispersion(own.trips, own.entries, tripsOf(known, trips / entries)),
                          around == noIndex ? 0 : slope(own, passesOf(f.loops[around], edges))});
  }
}

} // namespace quincunx
