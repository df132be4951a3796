// What an outcome of a branch decides about calls through pointers that follow it.
// The idea: a branch may choose the object or the function that is called further on. Calls that
// follow either outcome are taken as two sites, those behind true outcomes and those behind false
// ones, and counts are asked whom each of them calls (PointerTargets.h); where these tell, as where
// a target is entered once for every true outcome, one true outcome more is a call of the one in
// place of the other. Else it may turn the cheapest target into the dearest, or back. Only calls in
// the function of the branch, up to where it is evaluated again, are looked at.
// Reference: docs/17-what-if.md.
#include "InclusiveCosts.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

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
