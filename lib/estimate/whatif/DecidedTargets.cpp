// What an outcome of a branch may decide about calls through pointers that follow it.
// The idea: a branch may choose the object or the function that is called further on, and counts of
// its arms and of the call do not show that; so each outcome that changes may turn one such call
// from the cheapest of its targets into the dearest, or back. Only calls in the function of the
// branch, up to where it is evaluated again, are looked at. Reference: docs/17-what-if.md.
#include "InclusiveCosts.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// Blocks that can come after an outcome of the branch, up to where it is evaluated again.
std::vector<bool> blocksBehind(const Function &f, const Branch &branch) {
  std::vector<bool> seen(f.blocks.size());
  std::vector<uint32_t> open;
  const auto enter = [&](uint32_t edge) {
    const uint32_t to = headOf(f.edges[edge]);
    if (to == noIndex || to == branch.block || seen[to])
      return;
    seen[to] = true;
    open.push_back(to);
  };
  for (const uint32_t arm : branch.arms)
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

bool InclusiveCosts::hasChoiceBehind(size_t f, const Branch &branch) const {
  const std::vector<bool> behind = blocksBehind(blocks.function(f), branch);
  for (size_t s = 0; s < calls->sites.size(); ++s)
    if (calls->sites[s].function == numberOf(f) && candidates(s).size() > 1)
      for (const auto &[block, times] : calls->sites[s].perBlock)
        if (behind[block])
          return true;
  return false;
}

double InclusiveCosts::choiceBehind(size_t f, const Branch &branch, const std::vector<double> &flow,
                                    size_t run) const {
  if (!hasChoiceBehind(f, branch))
    return 0;
  const Function &function = blocks.function(f);
  const std::vector<bool> behind = blocksBehind(function, branch);
  std::vector<double> executed(function.blocks.size());
  for (size_t e = 0; e < flow.size(); ++e)
    if (const uint32_t to = headOf(function.edges[e]); to != noIndex)
      executed[to] += flow[e];
  const double evaluated = flow[branch.arms[0]] + flow[branch.arms[1]];
  double sum = 0;
  for (size_t s = 0; s < calls->sites.size() && evaluated > 0; ++s) {
    if (calls->sites[s].function != numberOf(f))
      continue;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (const uint32_t target : candidates(s)) {
      const double cost = nodes.at(target).each[0][run].k1;
      least = std::min(least, cost), most = std::max(most, cost);
    }
    for (const auto &[block, times] : calls->sites[s].perBlock)
      if (behind[block] && most > least)
        sum += times * std::max(1.0, executed[block] / evaluated) * (most - least);
  }
  return sum;
}

} // namespace quincunx
