// Cost of arbitrary control flow by elimination of nodes.
// The idea: an edge is the series p E[e^{tX}]. Taking node v out of the graph adds to every way
// u -> v -> w the series  a_uv star(a_vv) a_vw;  when only entry and exits are left, the edges are
// the answer. Two things keep the digits:
//  * star gets the escape as the sum of the other edges' masses, never as 1 - a_vv[0] (Grassmann,
//    Taksar & Heyman 1985): masses are only added, multiplied and divided.
//  * A first pass on masses alone finds h(v), the expected cost from v on; the second runs on edge
//    costs X + h(w) - h(u), whose sum along any path is the cost minus h(entry). So the result is
//    about the mean, and nothing large cancels.
// Both passes take the same steps; the first writes them down (the tape), the second repeats them
// on series. The next node is always one with the fewest ways through it (EliminationGraph.h).
// Reference: docs/06-loops-and-exits.md; Duff, Erisman & Reid (1986) ch. 7 on the Markowitz count.
// It does not find the structure of the flow and knows nothing of trip counts (Loop.cpp).
#include "quincunx/cost/Eliminate.h"

#include "EliminationGraph.h"
#include "quincunx/cost/Rules.h"
#include "quincunx/numeric/PowerSeries.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>

namespace quincunx {

namespace {

constexpr uint32_t fresh = 1u << 31;

/// One node taken out: of the tape's numbers it owns `merges` pairs (into, from), `outs` edges, and
/// for each of `ins` edges itself and its `outs` products' places.
struct Step {
  uint32_t node, self, merges, outs, ins;
};

/// Which of the graph's edges one was at first, and its probability then.
struct Origin {
  uint32_t edge;
  double p;
};

std::string name(uint32_t node) { return "node " + std::to_string(node); }

class Elimination {
public:
  explicit Elimination(const FlowGraph &g)
      : graph(g), nodes(g.nodes), isExit(g.nodes, true), queue(nodes) {}
  Result<FlowCost> run();

private:
  std::optional<Error> refuse();
  std::optional<Error> build();
  void add(uint32_t number, double p);
  std::optional<Error> takeOut(uint32_t v);
  void gather(uint32_t v, Step &step);
  void passOn(uint32_t e, const Step &step, size_t outsAt, double perEscape);
  uint32_t place(uint32_t u, uint32_t w, uint32_t &spare);
  void link(uint32_t e);
  void unlinkOut(uint32_t e);
  void unlinkIn(uint32_t e);
  void solveMeans();
  PowerSeries repeatOnSeries();
  Result<FlowCost> answer(const PowerSeries &around);

  const FlowGraph &graph;
  std::vector<EliminationNode> nodes;
  std::vector<bool> isExit;
  MarkowitzQueue queue;
  std::vector<EliminationEdge> edges;
  std::vector<Origin> origin; ///< of the first edges
  std::vector<PowerSeries> series;
  std::vector<Step> steps;
  std::vector<uint32_t> tape;
  uint32_t round = 0;
};

std::optional<Error> Elimination::refuse() {
  if (graph.entry >= graph.nodes)
    return Error{"the flow graph has no entry"};
  if (graph.edges.size() >= fresh / 2)
    return Error{"the flow graph has too many edges"};
  const auto wrong = [&](const FlowEdge &e, const char *how) {
    return Error{"edge " + std::to_string(&e - graph.edges.data()) + " of the flow graph " + how};
  };
  for (const FlowEdge &e : graph.edges) {
    if (e.from >= graph.nodes || e.to >= graph.nodes)
      return wrong(e, "leads from or to no node");
    if (!(e.weight >= 0) || !std::isfinite(e.weight))
      return wrong(e, "has a weight that is negative or not finite");
    if (!std::isfinite(e.k.k1 + e.k.k2 + e.k.k3 + e.k.k4))
      return wrong(e, "has a cost that is not finite");
  }
  return std::nullopt;
}

void Elimination::link(uint32_t e) {
  EliminationEdge &x = edges[e];
  EliminationNode &u = nodes[x.from], &w = nodes[x.to];
  x.nextOut = u.firstOut, x.nextIn = w.firstIn, x.lastOut = x.lastIn = noIndex;
  if (u.firstOut != noIndex)
    edges[u.firstOut].lastOut = e;
  if (w.firstIn != noIndex)
    edges[w.firstIn].lastIn = e;
  u.firstOut = w.firstIn = e;
  ++u.outs, ++w.ins;
}

void Elimination::unlinkOut(uint32_t e) {
  const EliminationEdge &x = edges[e];
  (x.lastOut == noIndex ? nodes[x.from].firstOut : edges[x.lastOut].nextOut) = x.nextOut;
  if (x.nextOut != noIndex)
    edges[x.nextOut].lastOut = x.lastOut;
  --nodes[x.from].outs;
}

void Elimination::unlinkIn(uint32_t e) {
  const EliminationEdge &x = edges[e];
  (x.lastIn == noIndex ? nodes[x.to].firstIn : edges[x.lastIn].nextIn) = x.nextIn;
  if (x.nextIn != noIndex)
    edges[x.nextIn].lastIn = x.lastIn;
  --nodes[x.to].ins;
}

/// The edges of each node: start[v] to start[v + 1] of `sorted`, and the sum of their weights.
struct Outgoing {
  explicit Outgoing(const FlowGraph &graph)
      : start(graph.nodes + size_t{1}), sorted(graph.edges.size()), sum(graph.nodes) {
    for (const FlowEdge &e : graph.edges)
      ++start[e.from], sum[e.from] += e.weight;
    for (size_t v = 0, before = 0; v <= graph.nodes; ++v)
      before += start[v], start[v] = static_cast<uint32_t>(before);
    for (size_t i = graph.edges.size(); i-- > 0;)
      sorted[--start[graph.edges[i].from]] = static_cast<uint32_t>(i);
  }
  std::vector<uint32_t> start, sorted;
  std::vector<double> sum;
};

/// Takes over an edge of the graph, which is passed with probability p.
void Elimination::add(uint32_t number, double p) {
  const FlowEdge &e = graph.edges[number];
  const auto id = static_cast<uint32_t>(edges.size());
  edges.push_back({e.from, e.to, noIndex, noIndex, noIndex, noIndex, p});
  origin.push_back({number, p});
  EliminationNode &v = nodes[e.from];
  v.mean += p * e.k.k1;
  if (e.to != e.from)
    link(id);
  else if (v.self == noIndex)
    v.self = id;
  else
    edges[v.self].p += p, tape.insert(tape.end(), {v.self, id});
}

/// The edges that can be reached, with each node's weights divided by their sum.
std::optional<Error> Elimination::build() {
  const Outgoing outgoing(graph);
  const auto &[start, sorted, sum] = outgoing;
  for (const FlowEdge &e : graph.edges)
    isExit[e.from] = false;
  edges.reserve(graph.edges.size() + graph.edges.size() / 4);
  origin.reserve(graph.edges.size());
  std::vector<uint32_t> reached{graph.entry};
  nodes[graph.entry].seen = 1;
  for (size_t i = 0; i < reached.size(); ++i) {
    const uint32_t v = reached[i];
    if (!isExit[v] && (!(sum[v] > 0) || !std::isfinite(sum[v])))
      return Error{name(v) + " of the flow graph is reached, but its weights add up to " +
                   (sum[v] > 0 ? "no number" : "0")};
    for (uint32_t j = start[v]; j < start[v + 1]; ++j) {
      const FlowEdge &e = graph.edges[sorted[j]];
      const double p = e.weight / sum[v];
      if (p == 0)
        continue;
      add(sorted[j], p);
      if (nodes[e.to].seen == 0)
        nodes[e.to].seen = 1, reached.push_back(e.to);
    }
  }
  steps.push_back({noIndex, noIndex, static_cast<uint32_t>(tape.size() / 2), 0, 0});
  for (size_t i = reached.size(); i-- > 1;)
    if (!isExit[reached[i]])
      queue.put(reached[i]);
  round = 1;
  steps.reserve(reached.size() + 1);
  tape.reserve(4 * reached.size());
  return std::nullopt;
}

/// Writes down v's edges, parallel ones made one.
void Elimination::gather(uint32_t v, Step &step) {
  const size_t from = tape.size();
  ++round;
  for (uint32_t e = nodes[v].firstOut; e != noIndex; e = edges[e].nextOut) {
    EliminationNode &w = nodes[edges[e].to];
    if (w.seen == round) {
      edges[w.at].p += edges[e].p;
      tape.insert(tape.end(), {w.at, e});
      unlinkOut(e), unlinkIn(e);
    } else {
      w.seen = round, w.at = e;
    }
  }
  ++round;
  for (uint32_t e = nodes[v].firstIn; e != noIndex; e = edges[e].nextIn) {
    EliminationNode &u = nodes[edges[e].from];
    if (u.seen == round) {
      edges[u.at].p += edges[e].p;
      tape.insert(tape.end(), {u.at, e});
      unlinkOut(e), unlinkIn(e);
    } else {
      u.seen = round, u.at = e;
    }
  }
  step.merges = static_cast<uint32_t>((tape.size() - from) / 2);
  for (uint32_t e = nodes[v].firstOut; e != noIndex; e = edges[e].nextOut)
    tape.push_back(e);
}

/// Where the product on the way u -> w goes: to an edge that is there, to the one just taken away
/// (`spare`), or to a new one.
uint32_t Elimination::place(uint32_t u, uint32_t w, uint32_t &spare) {
  if (u == w && nodes[u].self != noIndex)
    return nodes[u].self;
  if (u != w && nodes[w].seen == round)
    return nodes[w].at;
  uint32_t e = spare;
  spare = noIndex;
  if (e == noIndex) {
    e = static_cast<uint32_t>(edges.size());
    edges.emplace_back();
  }
  edges[e] = {u, w, noIndex, noIndex, noIndex, noIndex, 0};
  if (u == w)
    nodes[u].self = e;
  else
    link(e);
  return e | fresh;
}

/// Leads what came into v along e on to where v's edges lead.
void Elimination::passOn(uint32_t e, const Step &step, size_t outsAt, double perEscape) {
  const uint32_t u = edges[e].from;
  const double share = edges[e].p * perEscape;
  nodes[u].mean += share * nodes[step.node].mean;
  unlinkOut(e);
  ++round;
  // A hub's edges are not searched for every one of its neighbours: they may become parallel, and
  // are made one when an end of them is taken out.
  if (nodes[u].outs <= 8 * (step.outs + 1))
    for (uint32_t o = nodes[u].firstOut; o != noIndex; o = edges[o].nextOut)
      nodes[edges[o].to].seen = round, nodes[edges[o].to].at = o;
  tape.push_back(e);
  uint32_t spare = e;
  for (uint32_t i = 0; i < step.outs; ++i) {
    const EliminationEdge out = edges[tape[outsAt + i]];
    const uint32_t target = place(u, out.to, spare);
    edges[target & ~fresh].p += share * out.p;
    tape.push_back(target);
  }
}

std::optional<Error> Elimination::takeOut(uint32_t v) {
  Step step{v, nodes[v].self, 0, 0, 0};
  gather(v, step);
  step.outs = nodes[v].outs, step.ins = nodes[v].ins;
  const size_t outsAt = tape.size() - step.outs;
  double escape = 0;
  for (size_t i = outsAt; i < tape.size(); ++i)
    escape += edges[tape[i]].p;
  if (step.outs == 0)
    return Error{name(v) + " of the flow graph never gets to an exit"};
  if (!std::isnormal(escape) || !std::isfinite(1 / escape))
    return Error{name(v) + " of the flow graph gets to an exit too seldom for a double"};
  if (tape.size() + uint64_t{step.ins} * step.outs > (size_t{1} << 24) + 16 * origin.size())
    return Error{"the flow graph is too dense to eliminate"};
  for (uint32_t e = nodes[v].firstIn; e != noIndex;) {
    const uint32_t next = edges[e].nextIn;
    passOn(e, step, outsAt, 1 / escape);
    e = next;
  }
  for (size_t i = outsAt; i < outsAt + step.outs; ++i)
    unlinkIn(tape[i]);
  for (uint32_t i = 0; i < step.ins; ++i)
    if (const uint32_t u = edges[tape[outsAt + step.outs + i * (step.outs + size_t{1})]].from;
        u != graph.entry)
      queue.put(u);
  for (size_t i = outsAt; i < outsAt + step.outs; ++i)
    if (const uint32_t w = edges[tape[i]].to; w != graph.entry && !isExit[w])
      queue.put(w);
  steps.push_back(step);
  return std::nullopt;
}

/// h(v) = (r_v + sum p_vw h(w)) / sum p_vw, backwards: every w was taken out later than v.
void Elimination::solveMeans() {
  size_t end = tape.size();
  for (size_t i = steps.size(); i-- > 1;) {
    const Step &s = steps[i];
    const size_t outsAt = end - s.ins * (s.outs + size_t{1}) - s.outs;
    double sum = nodes[s.node].mean, escape = 0;
    for (size_t j = outsAt; j < outsAt + s.outs; ++j) {
      sum += edges[tape[j]].p * nodes[edges[tape[j]].to].mean;
      escape += edges[tape[j]].p;
    }
    nodes[s.node].mean = sum / escape;
    end = outsAt - 2 * size_t{s.merges};
  }
}

/// Gives the series of the entry's loops; what leads from there to the exits is in its edges.
PowerSeries Elimination::repeatOnSeries() {
  series.resize(edges.size());
  for (size_t i = 0; i < origin.size(); ++i) {
    const FlowEdge &e = graph.edges[origin[i].edge];
    const double drift = nodes[e.to].mean - nodes[e.from].mean;
    series[i] = origin[i].p * momentSeries({e.k.k1 + drift, e.k.k2, e.k.k3, e.k.k4});
  }
  const uint32_t *t = tape.data();
  PowerSeries around;
  for (const Step &s : steps) {
    for (uint32_t i = 0; i < s.merges; ++i, t += 2)
      series[t[0]] += series[t[1]];
    const uint32_t *outs = t;
    t += s.outs;
    // The ways out get mass 1 together, and the loop starts at 1: star(L, escape) itself would have
    // one power of 1/escape more, out of range where the cost is not.
    double escape = 0;
    for (const uint32_t *o = outs; o != t; ++o)
      escape += series[*o][0];
    for (const uint32_t *o = outs; o != t; ++o)
      series[*o] = 1 / escape * series[*o];
    around = s.self == noIndex ? PowerSeries{{1}} : star(1 / escape * series[s.self], 1);
    for (uint32_t i = 0; i < s.ins; ++i) {
      const PowerSeries in = series[*t++] * around;
      for (const uint32_t *o = outs; o != outs + s.outs; ++o, ++t) {
        const PowerSeries way = in * series[*o];
        if (*t & fresh)
          series[*t & ~fresh] = way;
        else
          series[*t] += way;
      }
    }
  }
  return around;
}

/// The last step took the entry out: its edges lead to the exits.
Result<FlowCost> Elimination::answer(const PowerSeries &around) {
  const Step &s = steps.back();
  const double h = nodes[graph.entry].mean;
  const auto outs = std::span(tape).last(s.outs);
  const auto cumulantsOf = [&](const PowerSeries &M) {
    return inSeries(fromMomentSeries(M), {h, 0, 0, 0});
  };
  FlowCost cost;
  PowerSeries total;
  for (const uint32_t o : outs) {
    const PowerSeries R = around * series[o];
    total += R;
    if (std::isnormal(R[0]))
      cost.exits.push_back({edges[o].to, R[0], cumulantsOf(R)});
  }
  cost.k = cumulantsOf(total);
  double check = cost.k.k1 + cost.k.k2 + cost.k.k3 + cost.k.k4;
  for (const FlowExit &e : cost.exits)
    check += e.k.k1 + e.k.k2 + e.k.k3 + e.k.k4;
  if (!std::isfinite(check))
    return Error{"the cost of the flow graph is too large for a double"};
  std::ranges::sort(cost.exits, {}, &FlowExit::node);
  return cost;
}

Result<FlowCost> Elimination::run() {
  if (const auto error = refuse())
    return *error;
  if (const auto error = build())
    return *error;
  if (isExit[graph.entry])
    return FlowCost{{}, {{graph.entry, 1, {}}}};
  for (uint32_t v = queue.pop(); v != noIndex; v = queue.pop())
    if (const auto error = takeOut(v))
      return *error;
  if (const auto error = takeOut(graph.entry))
    return *error;
  solveMeans();
  return answer(repeatOnSeries());
}

} // namespace

Result<FlowCost> eliminate(const FlowGraph &graph) { return Elimination(graph).run(); }

} // namespace quincunx
