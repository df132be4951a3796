// Costs of calls with all they call.
// The idea: in each run, a call of g costs its own share of what g cost in that run, and as many
// calls of each callee as g made per call there: I_g = (cost_g + sum_h calls_gh I_h) / entries_g,
// callees first, and by iteration among functions that call each other. Where a run never entered
// g, all runs together say what a call costs. Calls through pointers call one more function, which
// costs nothing itself and calls what was entered more often than it was called by name. Reference:
// docs/17-what-if.md. Which caller made a dear call is not known: every call of g is the average
// one of its run.
#include "InclusiveCosts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quincunx {

namespace {
constexpr std::array<double Cumulants::*, 4> orders{&Cumulants::k1, &Cumulants::k2, &Cumulants::k3,
                                                    &Cumulants::k4};
constexpr int maxRounds = 1000;
constexpr double settled = 1e-10;
} // namespace

InclusiveCosts::InclusiveCosts(const BlockCosts &b, const CostChanges &c)
    : blocks(b), costs(c), graph(b.maps()), pointers(static_cast<uint32_t>(graph.functions.size())),
      functionOf(graph.functions.size(), SIZE_MAX) {
  const auto &functions = blocks.matrix().functions;
  for (size_t f = 0; f < functions.size(); ++f)
    functionOf[graph.numberOf(functions[f].map, functions[f].function)] = f;
}

/// Whether a function calls through pointers on the way.
bool InclusiveCosts::reach(uint32_t number) {
  std::vector<uint32_t> open{number};
  bool any = false;
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    for (const Call &call : graph.functions[at]->calls)
      if (call.callee.empty()) {
        any = true;
        if (caller.empty())
          caller = graph.functions[at]->name;
      }
    for (const CallSite &call : graph.calls[at])
      if (functionOf[call.callee] != SIZE_MAX && callees.try_emplace(call.callee).second)
        open.push_back(call.callee);
  }
  return any;
}

/// Whom function `number` calls, and for now how often per block.
InclusiveCosts::Callee InclusiveCosts::named(uint32_t number) const {
  Callee c;
  const auto add = [&](uint32_t callee, uint32_t block) {
    auto at = std::find_if(c.calls.begin(), c.calls.end(),
                           [&](const Times &known) { return known.first == callee; });
    if (at == c.calls.end())
      at =
          c.calls.insert(at, {callee, std::vector<double>(graph.functions[number]->blocks.size())});
    at->second[block] += 1;
  };
  for (const CallSite &call : graph.calls[number])
    if (functionOf[call.callee] != SIZE_MAX)
      add(call.callee, call.block);
  if (callees.contains(pointers))
    for (const Call &call : graph.functions[number]->calls)
      if (call.callee.empty())
        add(pointers, call.block);
  return c;
}

/// Whom calls through pointers call: all functions, as often as they were entered without being
/// called by name, but for those that this happens to once a run, as to main and to threads. Where
/// there are more entries than calls, others have called, too (a sort that is not instrumented): a
/// call costs the average of all such entries.
void InclusiveCosts::findPointers() {
  const size_t runs = blocks.matrix().rows.size();
  Callee &all = callees[pointers];
  std::vector<double> calls(runs), entered(runs);
  std::map<uint32_t, std::vector<double>> more;
  for (uint32_t number = 0; number < functionOf.size(); ++number) {
    if (functionOf[number] == SIZE_MAX)
      continue;
    Callee c = named(number);
    readUnchanged(functionOf[number], c);
    std::vector<double> &own = more.try_emplace(number, runs).first->second;
    for (size_t d = 0; d < runs; ++d)
      own[d] += c.entries[d];
    for (const auto &[callee, times] : c.calls) {
      std::vector<double> &sum =
          callee == pointers ? calls : more.try_emplace(callee, runs).first->second;
      for (size_t d = 0; d < runs; ++d)
        sum[d] += callee == pointers ? times[d] : -times[d];
    }
  }
  for (auto &[number, times] : more) {
    for (double &n : times)
      n = std::max(0.0, std::round(n));
    if (*std::max_element(times.begin(), times.end()) <= 1)
      continue;
    for (size_t d = 0; d < runs; ++d)
      entered[d] += times[d];
    callees.try_emplace(number);
    all.calls.emplace_back(number, std::move(times));
  }
  for (size_t d = 0; d < runs; ++d)
    all.entries.push_back(std::max(calls[d], entered[d]));
  all.cost.assign(costs.powers(), PerRun(runs));
  all.each = all.cost;
}

void InclusiveCosts::readUnchanged(size_t f, Callee &c) const {
  const CountMatrix &matrix = blocks.matrix();
  const Function &function = blocks.function(f);
  const FlowSolver &flow = blocks.flowSolver(f);
  c.entries = matrix.perRun(f, {flow.frameForms().entered, {}});
  for (size_t power = 0; power < costs.powers(); ++power) {
    c.cost.emplace_back(matrix.rows.size());
    const auto perBlock = costs.blocksOf(f, power), perEdge = costs.edgesOf(f, power);
    for (const auto order : orders) {
      std::vector<double> b(function.blocks.size()), e(function.edges.size());
      bool any = false;
      for (size_t i = 0; i < perBlock.size(); ++i)
        any = (b[i] = perBlock[i].*order) != 0 || any;
      for (size_t i = 0; i < perEdge.size(); ++i)
        any = (e[i] = perEdge[i].*order) != 0 || any;
      if (!any)
        continue;
      const std::vector<double> sum = matrix.perRun(f, flow.linear(b, e));
      for (size_t d = 0; d < sum.size(); ++d)
        c.cost[power][d].*order = sum[d];
    }
  }
  for (auto &[callee, times] : c.calls) {
    std::vector<double> perBlock(function.blocks.size());
    for (size_t b = 0; b < perBlock.size(); ++b)
      perBlock[b] = times[b];
    times = matrix.perRun(f, flow.linear(perBlock));
  }
}

void InclusiveCosts::readChanged(size_t f, const ChangedFlows::OfFunction &flow, Callee &c) const {
  const Function &function = blocks.function(f);
  const size_t runs = flow.is.size();
  c.entries.assign(runs, 0);
  c.cost.assign(costs.powers(), PerRun(runs));
  std::vector<std::vector<double>> perBlock;
  for (auto &[callee, times] : c.calls) {
    perBlock.push_back(std::move(times));
    times.assign(runs, 0);
  }
  for (size_t d = 0; d < runs; ++d)
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
      }
      for (size_t i = 0; i < perBlock.size() && to != noIndex; ++i)
        c.calls[i].second[d] += passes * perBlock[i][to];
    }
}

void InclusiveCosts::lookInto(uint32_t number, const ChangedFlows &flows) {
  Callee &c = callees.at(number);
  const size_t f = functionOf[number];
  c = named(number);
  if (const auto changed = flows.all().find(f); changed != flows.all().end())
    readChanged(f, changed->second, c);
  else
    readUnchanged(f, c);
  c.each.assign(costs.powers(), PerRun(blocks.matrix().rows.size()));
}

/// One step of the iteration; how far the mean cost moved, relatively.
double InclusiveCosts::settle(uint32_t number) {
  Callee &c = callees.at(number);
  double moved = 0;
  for (size_t power = 0; power < c.each.size(); ++power) {
    Cumulants all;
    double entries = 0;
    PerRun sums = c.cost[power];
    for (size_t d = 0; d < sums.size(); ++d) {
      for (const auto &[callee, times] : c.calls)
        sums[d] += times[d] * callees.at(callee).each[power][d];
      all += sums[d];
      entries += c.entries[d];
    }
    for (size_t d = 0; d < sums.size(); ++d) {
      const double n = c.entries[d] > 0 ? c.entries[d] : entries;
      const Cumulants fresh = n > 0 ? (1 / n) * (c.entries[d] > 0 ? sums[d] : all) : Cumulants{};
      moved = std::max(moved, std::fabs(fresh.k1 - c.each[power][d].k1) /
                                  std::max(std::fabs(fresh.k1), 1e-300));
      c.each[power][d] = fresh;
    }
  }
  return moved;
}

/// All functions once, callees first; how far a mean moved, where there is reason to come again.
double InclusiveCosts::settleAll() {
  double most = 0;
  for (size_t i = 0; i < graph.components.size(); ++i)
    for (int round = 0; round < (graph.recursive[i] ? maxRounds : 1); ++round) {
      double moved = 0;
      for (const uint32_t number : graph.components[i])
        if (callees.contains(number))
          moved = std::max(moved, settle(number));
      most = std::max(most, moved);
      if (moved < settled)
        break;
    }
  return callees.contains(pointers) ? std::max(most, settle(pointers)) : 0;
}

void InclusiveCosts::compute(const ChangedFlows &flows) {
  bool any = false;
  for (const auto &[f, flow] : flows.all()) {
    const CountMatrix::Columns &own = blocks.matrix().functions[f];
    any = reach(graph.numberOf(own.map, own.function)) || any;
  }
  if (any) {
    findPointers();
    std::vector<uint32_t> entered;
    for (const Times &times : callees.at(pointers).calls)
      entered.push_back(times.first);
    for (const uint32_t number : entered)
      reach(number);
  }
  for (auto &[number, callee] : callees)
    if (number != pointers)
      lookInto(number, flows);
  for (int round = 0; round < maxRounds; ++round)
    if (settleAll() < settled)
      return;
  // Calls that end nowhere: they cost nothing.
  callees.at(pointers).calls.clear();
  for (auto &[number, callee] : callees)
    callee.each.assign(costs.powers(), PerRun(blocks.matrix().rows.size()));
  settleAll();
}

std::vector<Cumulants> InclusiveCosts::edges(size_t f, size_t power, size_t run) const {
  const Function &function = blocks.function(f);
  const CountMatrix::Columns &own = blocks.matrix().functions[f];
  const auto perBlock = costs.blocksOf(f, power), perEdge = costs.edgesOf(f, power);
  std::vector<Cumulants> ofBlock(function.blocks.size());
  for (size_t b = 0; b < perBlock.size(); ++b)
    ofBlock[b] = perBlock[b];
  for (const CallSite &call : graph.calls[graph.numberOf(own.map, own.function)])
    if (const auto at = callees.find(call.callee); at != callees.end())
      ofBlock[call.block] += at->second.each[power][run];
  if (const auto at = callees.find(pointers); at != callees.end())
    for (const Call &call : function.calls)
      if (call.callee.empty())
        ofBlock[call.block] += at->second.each[power][run];
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
