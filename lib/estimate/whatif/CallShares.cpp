// Calls that are made under functions.
// The idea: with C_hg calls of g by h and E_g entries of g, of which calls are alike, the share of
// the calls of g that are made under f satisfies
//   phi_g E_g = sum over h of phi_h C_hg,   phi_f = 1,
// the transposed system of InclusiveCosts, run by run. Under several functions at once the same
// holds, with what is known of fewer at each of them: phi_f under {f, h} is phi_f under {h}.
// Functions that are only called under f (all), or never (not may), have their counts for certain;
// of the rest the calls by these are the least, and all that could be the most.
// Reference: docs/17-what-if.md. It does not know which calls of a function are the dear ones.
#include "CallShares.h"
#include "Rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace quincunx {

namespace {

bool isNothing(double calls, double of = 1) { return calls <= rounding * std::max(1.0, of); }

bool callsPointers(const Function &f) {
  return std::any_of(f.calls.begin(), f.calls.end(),
                     [](const Call &call) { return call.callee.empty(); });
}

/// By names: maps say only what is started by name.
bool startsAny(const Function &f) {
  return std::any_of(f.calls.begin(), f.calls.end(), [](const Call &call) {
    const auto holds = [&](const char *name) { return call.callee.find(name) != call.callee.npos; };
    return !call.starts.empty() || holds("pthread_create") || holds("thrd_create") ||
           holds("_start_thread") || holds("__kmpc_fork") || holds("GOMP_");
  });
}

} // namespace

CallShares::CallShares(const BlockCosts &blocks, std::vector<std::vector<size_t>> roots)
    : calls(blocks.matrix(), blocks.maps()), rootCount(roots.size()) {
  nodes.resize(blocks.matrix().functions.size());
  for (size_t r = 0; r < roots.size(); ++r)
    for (const size_t f : roots[r])
      nodes[f].roots |= size_t{1} << r;
  countCalls(blocks);
  addSites();
  addCallsBack();
  keepReached();
  for (uint32_t i = 0; i < nodes.size(); ++i)
    places.emplace_back(i, i);
  for (const Edge &e : edges)
    places.emplace_back(e.to, e.from);
}

/// Nodes are all functions of the matrix as yet. Calls by name, and of threads that start.
void CallShares::countCalls(const BlockCosts &blocks) {
  const CountMatrix &matrix = blocks.matrix();
  for (uint32_t number = 0; number < calls.functionOf.size(); ++number) {
    const size_t f = calls.functionOf[number];
    if (f == SIZE_MAX)
      continue;
    const FlowSolver &flow = blocks.flowSolver(f);
    nodes[f].entries = matrix.perRun(f, {flow.frameForms().entered, {}});
    nodes[f].unexplained = calls.calledBack(number);
    nodes[f].callsOut = calls.callsOut(number) || callsPointers(blocks.function(f));
    nodes[f].startsThreads = startsAny(blocks.function(f));
    for (CallCounts::Times &call : calls.timesByName(number, matrix, flow))
      edges.push_back(
          {static_cast<uint32_t>(f), static_cast<uint32_t>(call.callee), std::move(call.perRun)});
  }
}

void CallShares::addSites() {
  for (size_t s = 0; s < calls.sites.size(); ++s) {
    const PointerTargets &pointers = *calls.pointers();
    const auto called = [&](uint32_t t) {
      return !pointers.isKnown(s) ||
             std::any_of(pointers.of(s).begin(), pointers.of(s).end(),
                         [&](const PointerTargets::Share &share) { return share.target == t; });
    };
    const auto from = static_cast<uint32_t>(calls.functionOf[calls.sites[s].function]);
    for (uint32_t t = 0; t < calls.targets.size(); ++t)
      if (called(t))
        edges.push_back(
            {from, static_cast<uint32_t>(calls.functionOf[calls.targets[t]]), {}, s, t});
  }
}

/// By estimate, code that is not known calls back under main, and under nothing else.
void CallShares::addCallsBack() {
  for (uint32_t number = 0; number < calls.functionOf.size(); ++number)
    if (calls.functionOf[number] != SIZE_MAX && calls.graph.functions[number]->name == "main")
      for (uint32_t f = 0; f < nodes.size(); ++f)
        if (isCalledBack(nodes[f])) {
          edges.push_back(
              {static_cast<uint32_t>(calls.functionOf[number]), f, nodes[f].unexplained});
          edges.back().isGuess = true;
        }
}

/// Of all functions, those that may be called under a root.
void CallShares::keepReached() {
  std::vector<bool> is(nodes.size());
  for (size_t f = 0; f < nodes.size(); ++f)
    is[f] = nodes[f].roots != 0;
  for (bool more = true; more;) {
    more = false;
    const auto take = [&](size_t f) {
      more = more || !is[f];
      is[f] = true;
    };
    for (const Edge &e : edges)
      if (is[e.from])
        take(e.to);
    bool out = false;
    for (size_t f = 0; f < nodes.size(); ++f)
      out = out || (is[f] && nodes[f].callsOut);
    for (size_t f = 0; f < nodes.size() && out; ++f)
      if (isCalledBack(nodes[f]))
        take(f);
  }
  std::vector<uint32_t> nodeOf(nodes.size(), noIndex);
  std::vector<Node> kept;
  for (size_t f = 0; f < nodes.size(); ++f)
    if (is[f]) {
      nodeOf[f] = static_cast<uint32_t>(kept.size());
      reached.push_back(f);
      kept.push_back(std::move(nodes[f]));
    }
  nodes = std::move(kept);
  std::erase_if(edges, [&](const Edge &e) { return !is[e.from]; });
  for (Edge &e : edges)
    e.from = nodeOf[e.from], e.to = nodeOf[e.to];
}

bool CallShares::isCalledBack(const Node &node) {
  return std::any_of(node.unexplained.begin(), node.unexplained.end(),
                     [](double n) { return n > 0; });
}

CallShares::Flow CallShares::flowOf(const Edge &edge, size_t run) const {
  if (edge.site == SIZE_MAX) {
    const double n = std::max(0.0, edge.times[run]);
    return {n, edge.isGuess ? 0 : n, edge.isGuess ? 0 : n}; // bounds are those of Node::unexplained
  }
  const PointerTargets &pointers = *calls.pointers();
  const double n = calls.sites[edge.site].times[run];
  const auto bounds = pointers.bounds(edge.site, edge.target, run);
  Flow flow{0, n * bounds.low, n * bounds.high};
  for (const PointerTargets::Share &share : pointers.of(edge.site))
    if (share.target == edge.target)
      flow.is += n * share.value[run];
  return flow;
}

/// What may be called under functions that may be.
void CallShares::findMay(std::vector<Under> &under, size_t run,
                         const std::vector<Flow> &flows) const {
  for (bool more = true; more;) {
    more = false;
    const auto take = [&](size_t i) {
      const bool entered = nodes[i].entries[run] > 0;
      more = more || (!under[i].may && entered);
      under[i].may = entered;
    };
    for (size_t e = 0; e < edges.size(); ++e)
      if (under[edges[e].from].may && !isNothing(flows[e].most))
        take(edges[e].to);
    bool out = false;
    for (size_t i = 0; i < nodes.size(); ++i)
      out = out || (under[i].may && nodes[i].callsOut);
    for (size_t i = 0; i < nodes.size() && out; ++i)
      if (nodes[i].unexplained[run] > 0)
        take(i);
  }
}

/// What is called nowhere else than under the root: of all that may be, less what has other calls,
/// until nothing more has.
void CallShares::findAll(std::vector<Under> &under, size_t root, size_t run,
                         const std::vector<Flow> &flows) const {
  for (Under &u : under)
    u.all = u.may;
  for (bool more = true; more;) {
    more = false;
    std::vector<double> in(nodes.size());
    for (size_t e = 0; e < edges.size(); ++e)
      if (under[edges[e].from].all)
        in[edges[e].to] += flows[e].least;
    for (size_t i = 0; i < nodes.size(); ++i)
      if (const double n = nodes[i].entries[run];
          under[i].all && !isOf(nodes[i], root) && !isNothing(n - in[i], n)) {
        under[i].all = false;
        more = true;
      }
  }
}

void CallShares::countUnder(Sets &sets, size_t set, size_t run,
                            const std::vector<Flow> &flows) const {
  std::vector<Under> &under = sets[set];
  for (size_t i = 0; i < nodes.size(); ++i)
    under[i].most = under[i].may ? nodes[i].unexplained[run] : 0;
  for (size_t e = 0; e < edges.size(); ++e) {
    const Under &from = under[edges[e].from];
    under[edges[e].to].least += from.all ? flows[e].least : 0;
    under[edges[e].to].most += from.may ? flows[e].most : 0;
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    const double n = nodes[i].entries[run];
    Under &u = under[i];
    if (const size_t own = nodes[i].roots & set, others = set & ~own; own != 0 && others != 0)
      u.least = sets[others][i].least, u.most = sets[others][i].most;
    u.most = u.all ? n : u.may ? std::min(u.most, n) : 0;
    u.least = u.all ? n : std::min(u.least, u.most);
  }
}

void CallShares::findShares(Sets &sets, size_t set, size_t run, const std::vector<Flow> &flows,
                            SparseSystem &system) const {
  std::vector<double> diagonal, off(edges.size()), right(nodes.size());
  for (const Node &node : nodes)
    diagonal.push_back(node.entries[run]);
  std::vector<double> in(nodes.size());
  for (size_t e = 0; e < edges.size(); ++e)
    in[edges[e].to] += flows[e].is;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const size_t own = nodes[i].roots & set, others = set & ~own;
    diagonal[i] = std::max(diagonal[i], in[i]);
    if (own == 0 && diagonal[i] > 0)
      continue;
    diagonal[i] = 1;
    in[i] = 0; // an equation of its own
    right[i] = own == 0 ? 0 : others == 0 ? 1 : sets[others][i].share;
  }
  for (size_t e = 0; e < edges.size(); ++e)
    off[e] = in[edges[e].to] > 0 ? -flows[e].is : 0;
  std::vector<double> values = diagonal;
  values.insert(values.end(), off.begin(), off.end());
  std::vector<double> share = system.solve(values, right);
  if (share.empty()) { // functions that only call each other, and nothing else calls them
    for (size_t i = 0; i < nodes.size(); ++i)
      values[i] *= 1 + rounding;
    share = system.solve(values, right);
  }
  for (size_t i = 0; i < share.size(); ++i)
    sets[set][i].share = std::clamp(share[i], 0.0, 1.0);
}

CallShares::Sets CallShares::of(size_t run, SparseSystem &system) const {
  std::vector<Flow> flows;
  for (const Edge &e : edges)
    flows.push_back(flowOf(e, run));
  Sets sets(size_t{1} << rootCount);
  for (size_t set = 1; set < sets.size(); ++set) {
    std::vector<Under> &under = sets[set];
    under.resize(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i)
      if (const size_t own = nodes[i].roots & set, others = set & ~own; own != 0)
        under[i].may = nodes[i].entries[run] > 0 && (others == 0 || sets[others][i].may);
    findMay(under, run, flows);
    const auto lowest = static_cast<size_t>(std::countr_zero(set));
    const size_t one = size_t{1} << lowest, rest = set & ~one;
    if (rest == 0)
      findAll(under, lowest, run, flows);
    for (size_t i = 0; i < nodes.size() && rest != 0; ++i)
      under[i].all = under[i].may && sets[one][i].all && sets[rest][i].all;
    countUnder(sets, set, run, flows);
    findShares(sets, set, run, flows, system);
  }
  return sets;
}

double CallShares::outermost(size_t root, size_t run, const std::vector<Under> &under) const {
  double sum = 0;
  for (const Node &node : nodes)
    sum += isOf(node, root) ? node.entries[run] : 0;
  for (const Edge &e : edges)
    if (isOf(nodes[e.to], root))
      sum -= under[e.from].share * flowOf(e, run).is;
  return sum;
}

bool CallShares::startsThreads(const std::vector<Under> &under) const {
  for (size_t i = 0; i < nodes.size(); ++i)
    if (under[i].may && nodes[i].startsThreads)
      return true;
  return false;
}

} // namespace quincunx
