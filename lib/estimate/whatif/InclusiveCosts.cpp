// Costs of calls with all they call.
// The idea: in each run, a call of g costs its own share of what g cost in that run, and as many
// calls of each callee as g made per call there: entries_g I_g - sum_h calls_gh I_h = cost_g, a
// sparse system of linear equations per run, whatever calls itself. Where a run never entered g,
// all runs together say what a call costs. A site of calls through pointers is one more function,
// which costs nothing itself and calls its targets by their shares (PointerTargets.h;
// OpenTargets.cpp where these are not known). Calls that were measured tell what their callers made
// of them (CallContext.cpp); else every call of g is the average one of its run. Reference:
// docs/17-what-if.md.
#include "InclusiveCosts.h"
#include "Rounding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace quincunx {

namespace {
/// Times what there is, that no call costs, however the flow changes.
constexpr double mostCost = 1e6;
} // namespace

InclusiveCosts::InclusiveCosts(const BlockCosts &b, const CostChanges &c) : blocks(b), costs(c) {}

uint32_t InclusiveCosts::numberOf(size_t f) const {
  const CountMatrix::Columns &own = blocks.matrix().functions[f];
  return calls->graph.numberOf(own.map, own.function);
}

void InclusiveCosts::reach(uint32_t number) {
  std::vector<uint32_t> open{number};
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    for (const CallCounts::Named &call : calls->named(at))
      if (nodes.try_emplace(call.callee).second)
        open.push_back(call.callee);
    for (size_t s = 0; s < calls->sites.size(); ++s)
      if (calls->sites[s].function == at && nodes.try_emplace(nodeOf(s)).second)
        reachTargets(s);
    if (calls->callsOut(at) && nodes.try_emplace(comparing()).second)
      reachCalledBack();
  }
}

/// Whom calls of a site may enter, of the functions that are known.
std::vector<uint32_t> InclusiveCosts::candidates(size_t site) const {
  const PointerTargets &pointers = *calls->pointers();
  if (!pointers.isKnown(site))
    return calls->targets;
  std::vector<uint32_t> all;
  for (const PointerTargets::Share &share : pointers.of(site))
    if (share.target != pointers.elsewhere())
      all.push_back(calls->targets[share.target]);
  return all;
}

void InclusiveCosts::reachTargets(size_t site) {
  // Where places of one function are called from equally often, whom each of them calls is open,
  // though it is known whom they call together.
  const bool isApart =
      calls->sites[site].perBlock.size() > 1 && calls->pointers()->of(site).size() > 1;
  if ((isApart || !calls->pointers()->isKnown(site)) && caller.empty())
    caller = calls->graph.functions[calls->sites[site].function]->name;
  for (const uint32_t number : candidates(site))
    if (nodes.try_emplace(number).second)
      reach(number);
}

void InclusiveCosts::readUnchanged(size_t f, Node &c) const {
  const CountMatrix &matrix = blocks.matrix();
  const Function &function = blocks.function(f);
  const FlowSolver &flow = blocks.flowSolver(f);
  c.entries = matrix.perRun(f, {flow.frameForms().entered, {}});
  for (size_t power = 0; power < costs.powers(); ++power) {
    c.cost.emplace_back(matrix.rows.size());
    const auto perBlock = costs.blocksOf(f, power), perEdge = costs.edgesOf(f, power);
    const std::vector<Cumulants> counted = costs.countersOf(f, power);
    for (const auto order : cumulantOrders) {
      std::vector<double> b(function.blocks.size()), e(function.edges.size());
      bool any = false;
      for (size_t i = 0; i < perBlock.size(); ++i)
        any = (b[i] = perBlock[i].*order) != 0 || any;
      for (size_t i = 0; i < perEdge.size(); ++i)
        any = (e[i] = perEdge[i].*order) != 0 || any;
      for (const Cumulants &k : counted)
        any = k.*order != 0 || any;
      if (!any)
        continue;
      LinearForm form = flow.linear(b, e);
      for (size_t i = 0; i < counted.size(); ++i)
        form.perCounter[blocks.counters(f)[i].counter] += counted[i].*order;
      const std::vector<double> sum = matrix.perRun(f, form);
      for (size_t d = 0; d < sum.size(); ++d)
        c.cost[power][d].*order = sum[d];
    }
  }
  for (auto *all : {&c.calls, &c.starts})
    for (auto &[callee, times] : *all)
      times = matrix.perRun(f, flow.linear(times));
}

void InclusiveCosts::readChanged(size_t f, const ChangedFlows::OfFunction &flow, Node &c) const {
  const Function &function = blocks.function(f);
  const size_t runs = flow.is.size();
  c.entries.assign(runs, 0);
  c.cost.assign(costs.powers(), PerRun(runs));
  std::vector<std::vector<double>> perBlock;
  std::vector<std::vector<double> *> perRun;
  for (auto *all : {&c.calls, &c.starts})
    for (auto &[callee, times] : *all) {
      perBlock.push_back(std::exchange(times, std::vector<double>(runs)));
      perRun.push_back(&times);
    }
  for (size_t d = 0; d < runs; ++d) {
    std::vector<std::vector<Cumulants>> counted; // per power; an execution meets what it did
    for (size_t power = 0; power < costs.powers(); ++power)
      counted.push_back(costs.countedPerExecution(f, power, d));
    for (size_t e = 0; e < function.edges.size(); ++e) {
      const double passes = flow.is[d][e];
      const uint32_t to = headOf(function.edges[e]);
      if (function.edges[e].kind == EdgeKind::entry)
        c.entries[d] += passes;
      for (size_t power = 0; power < costs.powers(); ++power) {
        if (const auto cost = costs.edgesOf(f, power); !cost.empty())
          c.cost[power][d] += passes * cost[e];
        if (const auto cost = costs.blocksOf(f, power); !cost.empty() && to != noIndex)
          c.cost[power][d] += passes * cost[to];
        if (!counted[power].empty() && to != noIndex)
          c.cost[power][d] += passes * counted[power][to];
      }
      for (size_t i = 0; i < perBlock.size() && to != noIndex; ++i)
        (*perRun[i])[d] += passes * perBlock[i][to];
    }
  }
}

/// Whom a node calls, how often in each run. `changed`: null: as it was.
void InclusiveCosts::lookInto(uint32_t number, const ChangedFlows::OfFunction *changed) {
  Node &node = nodes.at(number);
  const size_t runs = blocks.matrix().rows.size();
  for (auto *all : {&node.calls, &node.starts})
    all->clear();
  node.cost.clear();
  node.each.assign(costs.powers(), PerRun(runs));
  if (number >= calls->graph.functions.size()) {
    node.entries.assign(runs, 1.0);
    node.cost = node.each;
    if (number == comparing())
      lookIntoComparing(node);
    return;
  }
  const size_t f = calls->functionOf[number];
  const auto add = [&](std::vector<Times> &to, uint32_t callee, uint32_t block, double times) {
    auto at = std::find_if(to.begin(), to.end(),
                           [&](const Times &known) { return known.first == callee; });
    if (at == to.end())
      at = to.insert(at, {callee, std::vector<double>(blocks.function(f).blocks.size())});
    at->second[block] += times;
  };
  const std::vector<CallCounts::Named> named = calls->named(number);
  for (const CallCounts::Named &call : named)
    add(call.times ? node.starts : node.calls, call.callee, call.block, 1);
  for (size_t s = 0; s < calls->sites.size(); ++s)
    if (calls->sites[s].function == number)
      for (const auto &[block, times] : calls->sites[s].perBlock)
        add(node.calls, nodeOf(s), block, times);
  for (const CallCounts::Out &out : calls->callsOutOf(number))
    if (out.compares)
      add(node.calls, comparing(), out.block, 1);
  if (changed)
    readChanged(f, *changed, node);
  else
    readUnchanged(f, node);
  for (Times &times : node.starts)
    for (size_t d = 0; d < runs; ++d)
      times.second[d] *= (*std::find_if(named.begin(), named.end(), [&](const auto &call) {
                             return call.callee == times.first && call.times;
                           })->times)[d];
}

/// The places of the equations, in the order in which solve() fills them.
void InclusiveCosts::layOut() {
  uint32_t row = 0;
  for (auto &[number, node] : nodes)
    node.row = row++;
  places.clear();
  for (const auto &[number, node] : nodes) {
    const auto own = static_cast<uint32_t>(node.row);
    places.emplace_back(own, own);
    for (const auto *all : {&node.calls, &node.starts})
      for (const Times &times : *all)
        places.emplace_back(own, static_cast<uint32_t>(nodes.at(times.first).row));
    if (isSite(number))
      for (const uint32_t target : calls->targets)
        if (const auto at = nodes.find(target); at != nodes.end())
          places.emplace_back(own, static_cast<uint32_t>(at->second.row));
  }
  system.emplace(nodes.size(), places);
}

/// Of what is known per run, that of one run in which the node was entered, else of all.
double InclusiveCosts::told(const Node &node, const std::vector<double> &perRun, size_t run) {
  return node.entries[run] > 0 ? perRun[run] : std::accumulate(perRun.begin(), perRun.end(), 0.0);
}

/// What a call of each node costs; empty where calls end nowhere. `own`: what all calls of a node
/// cost themselves. `known`: of one call, by row; NaN: not known.
std::vector<double> InclusiveCosts::solve(size_t run, const Parts &parts, std::vector<double> own,
                                          std::span<const double> known) {
  std::vector<double> values;
  double all = 0;
  for (const auto &[number, node] : nodes) {
    const bool given = !known.empty() && !std::isnan(known[node.row]);
    const double entries = told(node, node.entries, run);
    const double called = given || entries <= 0 ? 0 : 1;
    values.push_back(entries > 0 && !given ? entries : 1);
    for (const Times &times : node.calls)
      values.push_back(-called * contextAt(node, times.first, run) * told(node, times.second, run));
    for (const Times &times : node.starts)
      values.push_back(-called * told(node, times.second, run));
    if (isSite(number)) {
      const auto &shares = parts[number - calls->graph.functions.size()];
      for (uint32_t t = 0; t < calls->targets.size(); ++t)
        if (nodes.contains(calls->targets[t])) {
          double share = 0;
          for (const auto &[target, part] : shares)
            share += target == t ? part : 0;
          values.push_back(-share);
        }
    }
    if (given)
      own[node.row] = known[node.row];
    all += std::fabs(own[node.row]) * (given ? std::max(1.0, entries) : 1);
  }
  std::vector<double> x = system->solve(values, own);
  // Where calls call themselves without an end, the solution has other signs, or no size.
  const bool noneIsNegative = std::all_of(own.begin(), own.end(), [](double k) { return k >= 0; });
  const double least = noneIsNegative ? -rounding * all : -mostCost * all;
  const bool ends = std::all_of(
      x.begin(), x.end(), [&](double cost) { return cost >= least && cost <= mostCost * all; });
  return ends ? x : std::vector<double>{};
}

InclusiveCosts::Parts InclusiveCosts::partsOf(size_t run) const {
  Parts parts(calls->sites.size());
  for (size_t s = 0; s < parts.size(); ++s)
    for (const PointerTargets::Share &share : calls->pointers()->of(s))
      parts[s].emplace_back(share.target, share.value[run]);
  return parts;
}

/// One run: all powers and orders.
void InclusiveCosts::settle(size_t run) {
  const Parts parts = partsOf(run);
  for (size_t power = 0; power < costs.powers(); ++power)
    for (const auto order : cumulantOrders) {
      std::vector<double> own(nodes.size());
      for (const auto &[number, node] : nodes) {
        double &sum = own[node.row];
        sum = node.cost[power][run].*order;
        for (size_t d = 0; d < node.entries.size() && node.entries[run] <= 0; ++d)
          sum += d == run ? 0 : node.cost[power][d].*order;
      }
      if (std::all_of(own.begin(), own.end(), [](double k) { return k == 0; }))
        continue;
      std::vector<double> x = solve(run, parts, own);
      if (x.empty()) // whom pointers call is left out
        x = solve(run, Parts(parts.size()), own);
      endless = endless || x.empty();
      for (auto &[number, node] : nodes)
        if (!x.empty())
          node.each[power][run].*order = x[node.row];
    }
}

void InclusiveCosts::compute(const ChangedFlows &flows) {
  const size_t runs = blocks.matrix().rows.size();
  calls.emplace(blocks.matrix(), blocks.maps());
  for (const auto &[f, flow] : flows.all())
    if (nodes.try_emplace(numberOf(f)).second)
      reach(numberOf(f));
  for (auto &[number, node] : nodes)
    lookInto(number, nullptr);
  layOut();
  findContext(flows);
  for (const auto &[f, flow] : flows.all()) {
    nodes.at(numberOf(f)).changes = true;
    lookInto(numberOf(f), &flow);
  }
  for (size_t d = 0; d < runs && !nodes.empty(); ++d)
    settle(d);
  findCalledBack();
  for (auto &[number, node] : nodes)
    for (size_t d = 0; d < runs; ++d) {
      node.least.push_back(node.each[0][d].k1);
      node.most.push_back(node.each[0][d].k1);
    }
  for (size_t d = 0; d < runs && !caller.empty(); ++d)
    for (const bool most : {false, true})
      settleExtreme(d, most);
}

std::vector<Cumulants> InclusiveCosts::edges(size_t f, size_t power, size_t run) const {
  const Function &function = blocks.function(f);
  const uint32_t number = numberOf(f);
  const auto perBlock = costs.blocksOf(f, power), perEdge = costs.edgesOf(f, power);
  std::vector<Cumulants> ofBlock(function.blocks.size());
  for (size_t b = 0; b < perBlock.size(); ++b)
    ofBlock[b] = perBlock[b];
  const std::vector<Cumulants> counted = costs.countedPerExecution(f, power, run);
  for (size_t b = 0; b < counted.size(); ++b)
    ofBlock[b] += counted[b];
  for (const CallCounts::Named &call : calls->named(number))
    ofBlock[call.block] += (call.times ? (*call.times)[run] : contextAt(number, call, run)) *
                           nodes.at(call.callee).each[power][run];
  for (size_t s = 0; s < calls->sites.size(); ++s)
    if (calls->sites[s].function == number)
      for (const auto &[block, times] : calls->sites[s].perBlock)
        ofBlock[block] += contextAt(nodes.at(number), nodeOf(s), run) * times *
                          nodes.at(nodeOf(s)).each[power][run];
  for (const CallCounts::Out &out : calls->callsOutOf(number))
    if (out.compares)
      ofBlock[out.block] +=
          contextAt(nodes.at(number), comparing(), run) * nodes.at(comparing()).each[power][run];
  std::vector<Cumulants> out(function.edges.size());
  for (size_t e = 0; e < out.size(); ++e) {
    if (!perEdge.empty())
      out[e] = perEdge[e];
    if (const uint32_t to = headOf(function.edges[e]); to != noIndex)
      out[e] += ofBlock[to];
  }
  return out;
}

} // namespace quincunx
