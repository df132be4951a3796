// The least and the most that calls cost where counts do not tell whom pointers call.
// The idea: at the costs of calls there are, each site has its cheapest shares of targets within
// what counts allow; these make other costs, and so on (policy iteration, Howard 1960). Calls that
// were measured cost what they did, whomever they called. Reference: docs/17-what-if.md.
#include "InclusiveCosts.h"
#include "Rounding.h"

#include <algorithm>

namespace quincunx {

namespace {
constexpr int maxRounds = 20;
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

} // namespace quincunx
