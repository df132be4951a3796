// Costs of regions, each from those of its parts.
// The idea: regions stand behind their parts, so one pass over them is enough; every kind is one
// rule (lib/cost). A loop with several ways out is eliminated once with its way back as one more
// exit, which gives the cost of a whole pass and of the last pass by each exit; the trips then come
// from where trips are known best. What was never executed is not looked at. It fits no laws.
#include "quincunx/model/Evaluate.h"

#include "quincunx/cost/Eliminate.h"
#include "quincunx/cost/Loop.h"
#include "quincunx/cost/Rules.h"

#include <algorithm>
#include <cassert>

namespace quincunx {

namespace {

/// What differs by less than this share differs by rounding.
constexpr double roundedAway = 1e-12;

/// The number of failures before a success of which the odds are 1 : m.
Cumulants geometric(double m) {
  const double v = m * (m + 1);
  return {m, v, v * (2 * m + 1), v * (6 * v + 1)};
}

class Evaluator {
public:
  Evaluator(const Regions &r, const Evaluation &evaluation)
      : regions(r), e(evaluation), costs(r.all.size()) {}
  Result<std::vector<Cumulants>> run();

private:
  double weight(const EdgeSet &edges) const { return passes(edges, e.edges); }
  /// What it adds where it stands: a loop with several ways out adds its cost on these.
  Cumulants of(uint32_t region) const {
    if (region == noIndex)
      return {};
    const Region &r = regions.all[region];
    return r.kind == Region::Kind::exits && ways(r) > 1 ? Cumulants{} : costs[region];
  }
  void findExecuted();
  Cumulants series(const Region &r) const;
  Cumulants branch(const Region &r);
  Cumulants loop(const Region &r) const;
  std::optional<Cumulants> trips(const Region &r) const {
    return r.item < e.loops.size() ? e.loops[r.item] : std::nullopt;
  }
  /// Ways out of a region of links.
  static uint32_t ways(const Region &r) {
    uint32_t most = 0;
    for (const Link &l : r.links)
      most = std::max(most, l.to);
    return most - static_cast<uint32_t>(r.parts.size());
  }
  Cumulants linear(const Region &r) const;
  void endWhereLost(const Region &r, FlowGraph &graph) const;
  Result<FlowCost> eliminated(const Region &r) const;
  Status flow(size_t i);
  Status exits(size_t i);

  const Regions &regions;
  const Evaluation &e;
  std::vector<Cumulants> costs;
  /// By region, the cost of a loop given each of its several ways out.
  std::vector<std::vector<Cumulants>> given;
  std::vector<bool> isExecuted; ///< parallel to regions
  std::vector<Cumulants> arms;  ///< of branch()
  std::vector<double> weights;
};

/// From regions to their parts, which stand before them.
void Evaluator::findExecuted() {
  isExecuted.assign(regions.all.size(), false);
  if (regions.root == noIndex)
    return;
  isExecuted[regions.root] = true;
  for (size_t i = regions.root + 1; i-- > 0;) {
    const Region &r = regions.all[i];
    if (!isExecuted[i])
      continue;
    const bool isGraph =
        !e.fixedCounts && (r.kind == Region::Kind::exits || r.kind == Region::Kind::flow);
    if (isGraph)
      isExecuted[r.parts[0]] = true;
    else
      for (const uint32_t part : r.parts)
        isExecuted[part] = true;
    // A rate that is known may say that an arm is taken which no edge says was.
    const bool hasRate = r.kind == Region::Kind::branch && r.item < e.branches.size() &&
                         e.branches[r.item].has_value();
    const bool isAlways = r.kind == Region::Kind::loop || e.fixedCounts || hasRate;
    for (const Link &l : r.links)
      if (isAlways || weight(l.edges) > 0) {
        if (isGraph)
          isExecuted[r.parts[l.from]] = true;
        if (l.region != noIndex)
          isExecuted[l.region] = true;
      }
  }
}

Cumulants Evaluator::series(const Region &r) const {
  Cumulants sum;
  for (const uint32_t part : r.parts)
    sum = inSeries(sum, of(part));
  return sum;
}

Cumulants Evaluator::branch(const Region &r) {
  arms.clear();
  weights.clear();
  double sum = 0;
  for (const Link &l : r.links) {
    arms.push_back(of(l.region));
    weights.push_back(weight(l.edges));
    sum += weights.back();
  }
  if (sum <= 0)
    return {};
  if (e.fixedCounts) {
    Cumulants mean;
    for (size_t i = 0; i < arms.size(); ++i)
      mean += (weights[i] / sum) * arms[i];
    return mean;
  }
  if (r.item < e.branches.size() && e.branches[r.item])
    return branched(*e.branches[r.item], arms[0], arms[1]);
  return oneOf(arms, weights);
}

Cumulants Evaluator::loop(const Region &r) const {
  const Cumulants once = of(r.parts[0]), again = inSeries(of(r.links[0].region), once);
  const double back = weight(r.links[0].edges), left = weight(r.links[1].edges);
  const double mean = left > 0 ? back / left : back;
  if (e.fixedCounts)
    return inSeries(once, repeated(mean, again));
  return inSeries(once, repeated(trips(r).value_or(geometric(mean)), again));
}

/// Every part and every link as often as it was passed, per entry.
Cumulants Evaluator::linear(const Region &r) const {
  double entries = 0;
  std::vector<double> visits(r.parts.size(), 0.0);
  const bool leaves = r.kind == Region::Kind::flow;
  for (const Link &l : r.links) {
    const double n = weight(l.edges);
    if (l.to < r.parts.size())
      visits[l.to] += n;
    else if (l.to == r.parts.size() && !leaves)
      visits[0] += n;
    else
      entries += n;
  }
  if (entries <= 0)
    return {};
  visits[0] += entries;
  Cumulants sum;
  for (size_t p = 0; p < r.parts.size(); ++p)
    sum += (visits[p] / entries) * of(r.parts[p]);
  for (const Link &l : r.links)
    sum += (weight(l.edges) / entries) * of(l.region);
  return sum;
}

/// Frames that came into a part and did not leave it ended there, in a call that never returned:
/// one more way out, the last node. Else a loop that is only left so would have none.
void Evaluator::endWhereLost(const Region &r, FlowGraph &graph) const {
  const size_t parts = r.parts.size();
  const uint32_t ended = graph.nodes++;
  std::vector<double> came(parts, 0.0), left(parts, 0.0);
  bool leaves = false;
  for (const FlowEdge &edge : graph.edges) {
    left[edge.from] += edge.weight;
    if (edge.to < parts)
      came[edge.to] += edge.weight;
    else
      leaves = true;
  }
  for (uint32_t p = 1; p < parts; ++p) {
    if (left[p] <= 0) { // an exit already
      leaves = leaves || came[p] > 0;
      continue;
    }
    const double lost = came[p] - left[p];
    if (lost <= roundedAway * came[p])
      continue;
    graph.edges.push_back({p, ended, lost, of(r.parts[p])});
    leaves = true;
  }
  if (!leaves) // who came in from outside is not in the links: at least one
    graph.edges.push_back({0, ended, 1, of(r.parts[0])});
}

Result<FlowCost> Evaluator::eliminated(const Region &r) const {
  FlowGraph graph;
  graph.nodes = static_cast<uint32_t>(r.parts.size()) + ways(r) + 1;
  for (const Link &l : r.links)
    if (const double n = weight(l.edges); n > 0)
      graph.edges.push_back({l.from, l.to, n, inSeries(of(r.parts[l.from]), of(l.region))});
  if (graph.edges.empty())
    return FlowCost{};
  endWhereLost(r, graph);
  return eliminate(graph);
}

Status Evaluator::flow(size_t i) {
  const Result<FlowCost> cost = eliminated(regions.all[i]);
  if (!cost)
    return cost.error();
  costs[i] = cost->k;
  return Done{};
}

Status Evaluator::exits(size_t i) {
  const Region &r = regions.all[i];
  given.resize(regions.all.size());
  given[i].resize(ways(r));
  if (e.fixedCounts) {
    costs[i] = linear(r);
    std::fill(given[i].begin(), given[i].end(), costs[i]);
    return Done{};
  }
  const Result<FlowCost> pass = eliminated(r);
  if (!pass)
    return pass.error();
  const auto back = static_cast<uint32_t>(r.parts.size());
  double again = 0, leave = 0;
  Cumulants body;
  for (const FlowExit &x : pass->exits)
    if (x.node == back) {
      again = x.p;
      body = x.k;
    } else
      leave += x.p;
  if (leave <= 0)
    return Done{}; // never executed, or never left
  const Cumulants n = trips(r).value_or(geometric(again / leave));
  std::vector<LoopExit> out;
  for (const FlowExit &x : pass->exits)
    if (x.node > back && x.node <= back + ways(r)) {
      out.push_back({x.p, n, x.k});
      given[i][x.node - back - 1] = inSeries(repeated(n, body), x.k);
    } else if (x.node != back)
      out.push_back({x.p, n, x.k}); // ended in the loop
  const Result<Cumulants> whole = measuredLoop(body, out);
  if (!whole)
    return whole.error();
  costs[i] = *whole;
  return Done{};
}

Result<std::vector<Cumulants>> Evaluator::run() {
  findExecuted();
  for (size_t i = 0; i < regions.all.size(); ++i) {
    const Region &r = regions.all[i];
    if (!isExecuted[i])
      continue;
    Status s = Done{};
    switch (r.kind) {
    case Region::Kind::block:
      costs[i] = e.blocks[r.item];
      break;
    case Region::Kind::series:
      costs[i] = series(r);
      break;
    case Region::Kind::branch:
      costs[i] = branch(r);
      break;
    case Region::Kind::loop:
      costs[i] = loop(r);
      break;
    case Region::Kind::exits:
      s = exits(i);
      break;
    case Region::Kind::left:
      costs[i] = given[r.parts[0]][r.item];
      break;
    case Region::Kind::flow:
      if (e.fixedCounts)
        costs[i] = linear(r);
      else
        s = flow(i);
      break;
    }
    if (!s)
      return s.error();
  }
  return std::move(costs);
}

} // namespace

Result<std::vector<Cumulants>> evaluate(const Regions &regions, const Evaluation &e) {
  return Evaluator(regions, e).run();
}

Result<Cumulants> evaluateFlat(const Function &f, const Evaluation &e) {
  FlowGraph graph;
  graph.nodes = static_cast<uint32_t>(f.blocks.size()) + 1;
  for (uint32_t i = 0; i < f.edges.size(); ++i) {
    const Edge &edge = f.edges[i];
    if (edge.from == noIndex || e.edges[i] <= 0)
      continue;
    const uint32_t to = edge.kind == EdgeKind::flow ? edge.to : graph.nodes - 1;
    graph.edges.push_back({edge.from, to, e.edges[i], e.blocks[edge.from]});
  }
  if (graph.edges.empty())
    return Cumulants{};
  const Result<FlowCost> cost = eliminate(graph);
  if (!cost)
    return cost.error();
  return cost->k;
}

} // namespace quincunx
