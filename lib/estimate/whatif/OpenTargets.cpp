// The least and the most that calls cost where counts do not tell whom pointers call, and what an
// outcome of a branch decides about calls through pointers that follow it.
// The idea: at the costs of calls there are, each site has its cheapest shares of targets within
// what counts allow; these make other costs, and so on (policy iteration, Howard 1960). Calls that
// were measured cost what they did, whomever they called.
// A branch may choose the object or the function that is called further on. Calls that
// follow either outcome are taken as two sites, those behind true outcomes and those behind false
// ones, and counts are asked whom each of them calls (PointerTargets.h); where these tell, as where
// a target is entered once for every true outcome, one true outcome more is a call of the one in
// place of the other. Else it may turn the cheapest target into the dearest, or back. Only calls in
// the function of the branch, up to where it is evaluated again, are looked at.
// Reference: docs/17-what-if.md.
#include "InclusiveCosts.h"
#include "Rounding.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

constexpr int maxRounds = 20;

/// Blocks that can come after an outcome of the branch, up to where it is evaluated again.
std::vector<bool> blocksBehind(const Function &f, const Branch &branch, uint32_t arm) {
  std::vector<bool> seen(f.blocks.size());
  std::vector<uint32_t> open;
  const auto enter = [&](uint32_t edge) {
    const uint32_t to = headOf(f.edges[edge]);
    if (to == noIndex || to == branch.block || seen[to])
      return;
    seen[to] = true;
    open.push_back(to);
  };
  enter(arm);
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    for (uint32_t e = 0; e < f.edges.size(); ++e)
      if (f.edges[e].from == block)
        enter(e);
  }
  return seen;
}

} // namespace

/// Of a call of each target; of those that are not known 0.
std::vector<double> InclusiveCosts::targetCosts(size_t run, bool most) const {
  std::vector<double> of(calls->targets.size() + 1);
  for (size_t t = 0; t < calls->targets.size(); ++t)
    if (const auto at = nodes.find(calls->targets[t]); at != nodes.end())
      of[t] = (most ? at->second.most : at->second.least)[run];
  return of;
}

double InclusiveCosts::extremeOf(size_t site, size_t run, bool most, double portion) const {
  const std::vector<double> of = targetCosts(run, most);
  double sum = 0;
  for (const auto &[target, part] : calls->pointers()->extreme(site, run, of, most, portion))
    sum += part * of[target];
  return sum;
}

/// Calls that were measured, and are as they were, cost that whomever they call.
void InclusiveCosts::settleExtreme(size_t run, bool most) {
  std::vector<double> own(nodes.size()), known(nodes.size(), NAN);
  for (auto &[number, node] : nodes) {
    (most ? node.most : node.least)[run] = node.each[0][run].k1;
    if (!node.changes && isMeasured(node, run))
      known[node.row] = node.each[0][run].k1;
    own[node.row] = node.cost[0][run].k1;
    for (size_t d = 0; d < node.entries.size() && node.entries[run] <= 0; ++d)
      own[node.row] += d == run ? 0 : node.cost[0][d].k1;
  }
  for (int round = 0; round < maxRounds; ++round) {
    const std::vector<double> of = targetCosts(run, most);
    Parts parts;
    for (size_t s = 0; s < calls->sites.size(); ++s)
      parts.push_back(calls->pointers()->extreme(s, run, of, most));
    const std::vector<double> x = solve(run, parts, own, known);
    double moved = 0;
    for (auto &[number, node] : nodes) {
      double &cost = (most ? node.most : node.least)[run];
      const double to = x.empty() ? cost : x[node.row];
      moved = std::max(moved, std::fabs(to - cost) / std::max(1e-300, std::fabs(to)));
      cost = to;
    }
    if (moved <= rounding)
      return;
  }
}

// What adds up over the edges is one number of calls of each callee, so that what is more often
// here and less often there cancels. Where the calls of the function were measured, what all its
// callees cost in all is known, so that only what is not in proportion to how often they were
// called is open. Blocks of one site that go apart may call others than the site does on average.
PointerTargets::Bounds InclusiveCosts::range(size_t f, std::span<const double> passes,
                                             size_t run) const {
  const Function &function = blocks.function(f);
  const uint32_t number = numberOf(f);
  const Node &own = nodes.at(number);
  std::vector<double> more(function.blocks.size());
  for (size_t e = 0; e < passes.size(); ++e)
    if (const uint32_t to = headOf(function.edges[e]); to != noIndex)
      more[to] += passes[e];
  double known = 0;
  const std::vector<Cumulants> perEdge = edges(f, 0, run);
  for (size_t e = 0; e < passes.size(); ++e)
    known += passes[e] * perEdge[e].k1;
  PointerTargets::Bounds sum{known, known};
  const auto add = [&](uint32_t callee, double times, double is, double least, double most) {
    times *= contextAt(own, callee, run);
    sum.low += times * ((times > 0 ? least : most) - is);
    sum.high += times * ((times > 0 ? most : least) - is);
  };
  std::map<uint32_t, double> ofCallee;
  for (const CallCounts::Named &call : calls->named(number))
    ofCallee[call.callee] += (call.times ? (*call.times)[run] : 1) * more[call.block];
  for (const auto &[callee, times] : ofCallee) {
    const Node &node = nodes.at(callee);
    add(callee, times, node.each[0][run].k1, node.least[run], node.most[run]);
  }
  const double inProportion = isMeasured(own, run) ? inOpenSites(number, more, run) : 0;
  for (size_t s = 0; s < calls->sites.size(); ++s) {
    const CallCounts::Site &site = calls->sites[s];
    if (site.function != number)
      continue;
    const Node &node = nodes.at(nodeOf(s));
    double all = 0, weights = 0;
    for (const auto &[block, times] : site.perBlock)
      all += times * more[block], weights += times;
    const bool areApart = std::ranges::any_of(site.perBlock, [&](const auto &at) {
      const double apart = at.second * more[at.first] - all * at.second / weights;
      return site.perBlock.size() > 1 && std::fabs(apart) > rounding * std::fabs(all);
    });
    const double usual = inProportion * site.times[run], is = node.each[0][run].k1;
    if (!areApart)
      add(nodeOf(s), all - usual, is, node.least[run], node.most[run]);
    for (const auto &[block, times] : site.perBlock)
      if (const double portion = times / weights; areApart)
        add(nodeOf(s), times * more[block] - usual * portion, is, extremeOf(s, run, false, portion),
            extremeOf(s, run, true, portion));
  }
  return sum;
}

/// How much more often, for each time it was, the site of the function is executed of which the
/// costs are most open.
double InclusiveCosts::inOpenSites(uint32_t number, std::span<const double> more,
                                   size_t run) const {
  double widest = 0, times = 0;
  for (size_t s = 0; s < calls->sites.size(); ++s) {
    const CallCounts::Site &site = calls->sites[s];
    const double n = site.times[run];
    if (site.function != number || n <= 0)
      continue;
    const Node &node = nodes.at(nodeOf(s));
    double all = 0;
    for (const auto &[block, calledThere] : site.perBlock)
      all += calledThere * more[block];
    if (const double wide = n * (node.most[run] - node.least[run]); wide > widest)
      widest = wide, times = all / n;
  }
  return times;
}

std::vector<InclusiveCosts::Choice>
InclusiveCosts::choicesBehind(size_t f, const Branch &branch,
                              const std::vector<std::vector<double>> &flow) const {
  std::vector<Choice> all;
  const Function &function = blocks.function(f);
  const std::vector<bool> ifTrue = blocksBehind(function, branch, branch.arms[0]);
  const std::vector<bool> ifFalse = blocksBehind(function, branch, branch.arms[1]);
  for (size_t s = 0; s < calls->sites.size(); ++s) {
    const CallCounts::Site &site = calls->sites[s];
    const bool both = std::any_of(site.perBlock.begin(), site.perBlock.end(), [&](const auto &at) {
      return ifTrue[at.first] && ifFalse[at.first];
    });
    if (site.function != numberOf(f) || !both || candidates(s).size() < 2)
      continue;
    std::vector<double> perOutcome, behindTrue;
    for (size_t d = 0; d < flow.size(); ++d) {
      const double taken = flow[d][branch.arms[0]], n = taken + flow[d][branch.arms[1]];
      perOutcome.push_back(n > 0 ? site.times[d] / n : 0);
      behindTrue.push_back(perOutcome.back() * taken);
    }
    PointerTargets targets = calls->pointers()->split(s, behindTrue);
    const bool isKnown = targets.isKnown(s) && targets.isKnown(calls->sites.size());
    all.push_back({s, std::move(perOutcome), std::move(targets), isKnown});
  }
  return all;
}

Cumulants InclusiveCosts::differenceOf(const Choice &choice, size_t power, size_t run) const {
  Cumulants sum;
  const Node &from = nodes.at(calls->sites[choice.site].function);
  for (const auto &[part, sign] : {std::pair{choice.site, 1.0}, {calls->sites.size(), -1.0}})
    for (const PointerTargets::Share &share : choice.targets.of(part))
      if (share.target != choice.targets.elsewhere())
        if (const auto at = nodes.find(calls->targets[share.target]); at != nodes.end())
          sum += sign * share.value[run] * at->second.each[power][run];
  return contextAt(from, nodeOf(choice.site), run) * choice.perOutcome[run] * sum;
}

PointerTargets::Bounds InclusiveCosts::rangeOf(const Choice &choice, double outcomes,
                                               size_t run) const {
  const auto extreme = [&](size_t part, bool most) {
    const std::vector<double> of = targetCosts(run, most);
    double sum = 0;
    for (const auto &[target, share] : choice.targets.extreme(part, run, of, most))
      sum += share * of[target];
    return sum;
  };
  // What is not known may hang on the last of many outcomes, but on no more calls than there are.
  const CallCounts::Site &site = calls->sites[choice.site];
  const double each = choice.perOutcome[run], all = std::fabs(outcomes);
  const double changed =
      choice.isKnown ? all * each : std::min(all * std::max(1.0, each), site.times[run]);
  const double times = std::copysign(changed, outcomes) *
                       contextAt(nodes.at(site.function), nodeOf(choice.site), run);
  const size_t others = calls->sites.size();
  const double low = times * (extreme(choice.site, false) - extreme(others, true));
  const double high = times * (extreme(choice.site, true) - extreme(others, false));
  return {std::min(low, high), std::max(low, high)};
}

} // namespace quincunx
