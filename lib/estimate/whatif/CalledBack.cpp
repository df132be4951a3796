// What code that is not counted calls back (a comparison of qsort), where the flow that leads to it
// changes.
// The idea: entries that no call of the program explains were made by code that is not counted, and
// of which call of it is not known. Comparisons are taken to be called by what sorts and searches
// with one (LibraryCalls.h), equally often by each of its calls; all else stays as it was. In truth
// calls of any place may have been the ones that called back, so that what is called back lies
// between what becomes of the place that becomes rarest and of the one that becomes most frequent.
// Calls of counted functions that were measured, and of which callees make all that they cost, are
// not open. Reference: docs/17-what-if.md. What is called back later, from elsewhere (handlers of
// signals and of the end of the program), it does not tell apart.
#include "FlowChanges.h"
#include "Rounding.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

/// All functions that are called back are looked into. Whom they call through pointers does not
/// open what is asked, unless comparisons do.
void InclusiveCosts::reachCalledBack() {
  for (const bool compares : {true, false}) {
    const std::string known = caller;
    for (uint32_t number = 0; number < calls->functionOf.size(); ++number)
      if (isCompared(number) == compares && calls->isCalledBack(number) &&
          nodes.try_emplace(number).second)
        reach(number);
    if (!compares)
      caller = known;
  }
}

/// As a function of which the calls are those of what compares.
void InclusiveCosts::lookIntoComparing(Node &node) const {
  node.entries.assign(blocks.matrix().rows.size(), 0.0);
  for (uint32_t number = 0; number < calls->functionOf.size(); ++number) {
    const size_t f = calls->functionOf[number];
    if (f == SIZE_MAX)
      continue;
    if (isCompared(number))
      node.calls.emplace_back(number, calls->calledBack(number));
    std::vector<double> weights(blocks.function(f).blocks.size());
    bool any = false;
    for (const CallCounts::Out &out : calls->callsOutOf(number))
      if (out.compares)
        weights[out.block] += 1, any = true;
    if (!any)
      continue;
    const std::vector<double> times =
        blocks.matrix().perRun(f, blocks.flowSolver(f).linear(weights));
    for (size_t d = 0; d < times.size(); ++d)
      node.entries[d] += std::max(0.0, times[d]);
  }
}

/// What is called back in all, what of a call comparisons cost, and who may call back.
void InclusiveCosts::findCalledBack() {
  const auto at = nodes.find(comparing());
  if (at == nodes.end())
    return;
  const size_t runs = blocks.matrix().rows.size();
  back.assign(runs, 0.0);
  for (const auto &[number, node] : nodes)
    for (size_t d = 0; d < runs && number < calls->functionOf.size(); ++d)
      if (const CallCounts::PerRun &times = calls->calledBack(number); !times.empty())
        back[d] += times[d] * node.each[0][d].k1;
  for (size_t d = 0; d < runs; ++d) {
    std::vector<double> known(nodes.size(), NAN);
    known[at->second.row] = at->second.each[0][d].k1;
    const std::vector<double> x = solve(d, partsOf(d), std::vector<double>(nodes.size()), known);
    for (auto &[number, node] : nodes)
      node.compared.push_back(x.empty() ? 0 : x[node.row]);
  }
  for (bool more = true; more;) {
    more = false;
    for (auto &[number, node] : nodes) {
      const auto ran = std::ranges::count_if(node.entries, [](double n) { return n > 0; });
      const bool isTold = node.told > 0 && node.told >= static_cast<size_t>(ran) && !node.changes;
      if (node.mayCallBack || isTold || number == comparing())
        continue;
      node.mayCallBack = number < calls->graph.functions.size() && calls->callsOut(number);
      for (const Times &times : node.calls)
        node.mayCallBack = node.mayCallBack || nodes.at(times.first).mayCallBack;
      for (const uint32_t target :
           isSite(number) ? candidates(number - nodeOf(0)) : std::vector<uint32_t>())
        node.mayCallBack =
            node.mayCallBack || (nodes.contains(target) && nodes.at(target).mayCallBack);
      more = more || node.mayCallBack;
    }
  }
}

std::vector<bool> InclusiveCosts::mayCallBack(size_t f) const {
  if (std::ranges::none_of(back, [](double cost) { return cost != 0; }))
    return {};
  const uint32_t number = numberOf(f);
  std::vector<bool> may(blocks.function(f).blocks.size());
  for (const CallCounts::Out &out : calls->callsOutOf(number))
    may[out.block] = true;
  for (const CallCounts::Named &call : calls->named(number))
    may[call.block] = may[call.block] || nodes.at(call.callee).mayCallBack;
  for (size_t s = 0; s < calls->sites.size(); ++s)
    for (const auto &[block, times] : calls->sites[s].perBlock)
      if (calls->sites[s].function == number)
        may[block] = may[block] || nodes.at(nodeOf(s)).mayCallBack;
  return may;
}

bool InclusiveCosts::isCalledBackElsewhere() const {
  const auto may = [&](uint32_t number) {
    return nodes.contains(number) && nodes.at(number).mayCallBack;
  };
  for (uint32_t number = 0; number < calls->functionOf.size(); ++number) {
    const size_t f = calls->functionOf[number];
    if (f == SIZE_MAX || nodes.contains(number))
      continue;
    std::vector<double> weights(blocks.function(f).blocks.size());
    for (const CallCounts::Out &out : calls->callsOutOf(number))
      weights[out.block] = 1;
    for (const CallCounts::Named &call : calls->named(number))
      weights[call.block] += may(call.callee) ? 1 : 0;
    for (size_t s = 0; s < calls->sites.size(); ++s)
      for (const auto &[block, times] : calls->sites[s].perBlock)
        if (calls->sites[s].function == number)
          weights[block] += std::ranges::any_of(candidates(s), may) ? 1 : 0;
    const auto ran = [](double n) { return n > 0; };
    if (std::ranges::any_of(weights, ran) &&
        std::ranges::any_of(blocks.matrix().perRun(f, blocks.flowSolver(f).linear(weights)), ran))
      return true;
  }
  return false;
}

double InclusiveCosts::comparisonsIn(uint32_t number, uint32_t block, size_t run) const {
  double sum = 0;
  for (const CallCounts::Named &call : calls->named(number))
    if (call.block == block)
      sum += (call.times ? (*call.times)[run] : contextAt(number, call, run)) *
             nodes.at(call.callee).compared[run];
  for (size_t s = 0; s < calls->sites.size(); ++s)
    for (const auto &[at, times] : calls->sites[s].perBlock)
      if (calls->sites[s].function == number && at == block)
        sum +=
            contextAt(nodes.at(number), nodeOf(s), run) * times * nodes.at(nodeOf(s)).compared[run];
  for (const CallCounts::Out &out : calls->callsOutOf(number))
    if (out.compares && out.block == block)
      sum += contextAt(nodes.at(number), comparing(), run) * nodes.at(comparing()).compared[run];
  return sum;
}

double InclusiveCosts::inComparisons(size_t f, std::span<const double> passes, size_t run) const {
  const Function &function = blocks.function(f);
  double sum = 0;
  for (size_t e = 0; e < passes.size(); ++e)
    if (const uint32_t to = headOf(function.edges[e]); to != noIndex && passes[e] != 0)
      sum += passes[e] * comparisonsIn(numberOf(f), to, run);
  return sum;
}

namespace {

/// How much more often the places of a function that may call back are executed, the least and the
/// most of them.
struct Growths {
  double least = HUGE_VAL, most = 0;
};

Growths growthsOf(const Function &f, const std::vector<bool> &may, const std::vector<double> &was,
                  const std::vector<double> &is) {
  std::vector<double> before(f.blocks.size()), after(f.blocks.size());
  for (size_t e = 0; e < was.size(); ++e)
    if (const uint32_t to = headOf(f.edges[e]); to != noIndex)
      before[to] += was[e], after[to] += is[e];
  Growths of;
  for (size_t b = 0; b < may.size(); ++b)
    if (may[b] && before[b] > 0) {
      of.least = std::min(of.least, after[b] / before[b]);
      of.most = std::max(of.most, after[b] / before[b]);
    }
  return of;
}

} // namespace

std::vector<PointerTargets::Bounds> FlowChanges::calledBackRange() const {
  std::vector<PointerTargets::Bounds> sum(blocks.matrix().rows.size());
  std::map<size_t, std::vector<bool>> may;
  for (const auto &[f, flow] : flows.all())
    may[f] = inclusive.mayCallBack(f);
  const auto any = [](const auto &of) {
    return std::ranges::find(of.second, true) != of.second.end();
  };
  if (std::ranges::none_of(may, any))
    return sum;
  // Of several functions that change, each may be under another one.
  const bool isAlone = std::ranges::count_if(may, any) == 1 && !inclusive.isCalledBackElsewhere();
  for (size_t d = 0; d < sum.size(); ++d) {
    const double all = inclusive.calledBack(d);
    double least = 1, most = 1, is = 0;
    for (const auto &[f, flow] : flows.all()) {
      const Growths of = growthsOf(blocks.function(f), may[f], flow.was[d], flow.is[d]);
      if (of.least <= of.most) {
        least *= isAlone ? of.least : std::min(1.0, of.least);
        most *= isAlone ? of.most : std::max(1.0, of.most);
      }
      is += inclusive.inComparisons(f, moreOf(flow, d), d);
    }
    const double low = all * (least - 1) - is, high = all * (most - 1) - is;
    const double nothing = rounding * std::fabs(all);
    sum[d].low = low < -nothing ? blocks.scale(d) * low : 0;
    sum[d].high = high > nothing ? blocks.scale(d) * high : 0;
  }
  return sum;
}

} // namespace quincunx
