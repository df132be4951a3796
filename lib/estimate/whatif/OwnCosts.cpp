// Costs of a function by itself.
// The idea: a call costs no less than the cheapest way through its blocks and no more than the
// dearest one, if there is a dearest (Bellman 1958, Ford 1956). It knows nothing of which ways
// were taken.
#include "OwnCosts.h"

#include "estimate/counts/RecordedCalls.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

std::vector<double> means(std::span<const Cumulants> costs, size_t n) {
  std::vector<double> k1(n);
  for (size_t i = 0; i < costs.size(); ++i)
    k1[i] = costs[i].k1;
  return k1;
}

bool mayEnd(const Function &f, uint32_t block) {
  return f.blocks[block].mayNotReturn ||
         std::any_of(f.edges.begin(), f.edges.end(), [&](const Edge &e) {
           return e.from == block && headOf(e) == noIndex && e.kind != EdgeKind::reentry;
         });
}

/// Per block, what the cheapest way (or the dearest) to its end costs; infinite where none leads
/// there, or no way is the dearest.
std::vector<double> ways(const Function &f, const std::vector<double> &blocks,
                         const std::vector<double> &edges, bool dearest) {
  const double none = dearest ? -HUGE_VAL : HUGE_VAL;
  std::vector<double> cost(blocks.size(), none);
  const auto relax = [&] {
    bool moved = false;
    for (size_t e = 0; e < edges.size(); ++e) {
      const Edge &edge = f.edges[e];
      const uint32_t to = headOf(edge);
      if (to == noIndex)
        continue;
      const double from = edge.from == noIndex ? 0 : cost[edge.from];
      const double way = from + edges[e] + blocks[to];
      if (std::isfinite(from) && (dearest ? way > cost[to] : way < cost[to]))
        cost[to] = way, moved = true;
    }
    return moved;
  };
  size_t rounds = 0;
  while (relax())
    if (++rounds > blocks.size()) // a cycle that costs
      return std::vector<double>(blocks.size(), HUGE_VAL);
  return cost;
}

Interval callOf(const Function &f, const std::vector<double> &blocks,
                const std::vector<double> &edges) {
  Interval call{HUGE_VAL, 0};
  const std::vector<double> cheapest = ways(f, blocks, edges, false);
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    if (f.blocks[b].returnsTwice)
      return {0, HUGE_VAL};
    if (mayEnd(f, b))
      call.low = std::min(call.low, cheapest[b]);
  }
  for (const double way : ways(f, blocks, edges, true))
    call.high = std::max(call.high, way);
  return {std::isfinite(call.low) ? call.low : 0, call.high};
}

} // namespace

OwnCosts ownCosts(const BlockCosts &blocks, const CostChanges &costs, size_t f,
                  const std::vector<ClassCount> &clock) {
  const Function &function = blocks.function(f);
  OwnCosts own;
  for (size_t power = 0; power < costs.powers(); ++power)
    own.perRun.push_back(costs.perRun(f, power));
  const std::vector<double> perBlock = means(costs.blocksOf(f, 0), function.blocks.size());
  const std::vector<double> perEdge = means(costs.edgesOf(f, 0), function.edges.size());
  own.perCall = callOf(function, perBlock, perEdge);
  const std::vector<double> charged = clockCosts(function, clock);
  own.clock = blocks.matrix().perRun(f, blocks.flowSolver(f).linear(charged));
  own.price = {HUGE_VAL, 0};
  const auto priced = [&](double cost, double clocked) {
    if (cost == 0 && clocked == 0)
      return;
    own.price.low = std::min(own.price.low, clocked > 0 ? cost / clocked : HUGE_VAL);
    own.price.high = std::max(own.price.high, clocked > 0 ? cost / clocked : HUGE_VAL);
  };
  for (size_t b = 0; b < charged.size(); ++b)
    priced(perBlock[b], charged[b]);
  for (const double cost : perEdge)
    priced(cost, 0);
  for (const Cumulants &k : costs.countersOf(f, 0))
    if (k.k1 > 0) // of how many bytes a call moves nothing is known but the sum
      own.perCall.high = own.price.high = HUGE_VAL;
  return own;
}

} // namespace quincunx
