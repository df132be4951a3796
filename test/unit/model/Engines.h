// What unit tests and judges share to compare the engines that compute what a function costs.
#pragma once

#include "quincunx/model/Evaluate.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace quincunx::test {

/// The largest difference of a cumulant: of the mean relative to itself, of the others to the power
/// of the deviation (not less than a millionth of the mean) or to themselves.
inline double difference(const Cumulants &is, const Cumulants &want) {
  const double s = std::sqrt(std::max(want.k2, 0.0)) + 1e-6 * std::fabs(want.k1);
  if (s == 0)
    return std::fabs(is.k1) + std::fabs(is.k2) + std::fabs(is.k3 - want.k3) +
           std::fabs(is.k4 - want.k4);
  return std::max({std::fabs(is.k1 - want.k1) / std::max(std::fabs(want.k1), s),
                   std::fabs(is.k2 - want.k2) / (s * s),
                   std::fabs(is.k3 - want.k3) / (s * s * s + std::fabs(want.k3)),
                   std::fabs(is.k4 - want.k4) / (s * s * s * s + std::fabs(want.k4))});
}

/// How often every block stands in the tree; -1 for all when a region stands in it other than once.
inline std::vector<int> blocksOf(const Regions &r, size_t blocks) {
  std::vector<int> times(blocks, 0), used(r.all.size(), 0);
  const auto use = [&](uint32_t region) {
    if (region != noIndex)
      ++used[region];
  };
  use(r.root);
  for (size_t i = r.all.size(); i-- > 0;) {
    const Region &region = r.all[i];
    if (region.kind != Region::Kind::left) // which only refers to its loop
      for (const uint32_t p : region.parts)
        use(p);
    for (const Link &l : region.links)
      use(l.region);
  }
  for (size_t i = 0; i < r.all.size(); ++i) {
    if (used[i] != 1)
      return std::vector<int>(blocks, -1);
    if (r.all[i].kind == Region::Kind::block)
      ++times[r.all[i].item];
  }
  return times;
}

/// No way leads back.
inline bool isAcyclic(const Function &f) {
  std::vector<int> state(f.blocks.size(), 0);
  std::vector<std::vector<uint32_t>> out(f.blocks.size());
  for (const Edge &e : f.edges)
    if (e.kind == EdgeKind::flow)
      out[e.from].push_back(e.to);
  std::vector<std::pair<uint32_t, size_t>> stack{{0, 0}};
  state[0] = 1;
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    if (next == out[block].size()) {
      state[block] = 2;
      stack.pop_back();
      continue;
    }
    const uint32_t to = out[block][next++];
    if (state[to] == 1)
      return false;
    if (state[to] == 0) {
      state[to] = 1;
      stack.emplace_back(to, 0);
    }
  }
  return true;
}

/// The cost by all ways through an acyclic function; false when there are too many.
inline bool enumerated(const Function &f, const Evaluation &e, Cumulants &out) {
  std::vector<Cumulants> costs;
  std::vector<double> chances, total(f.blocks.size(), 0.0);
  std::vector<std::vector<uint32_t>> ways(f.blocks.size());
  for (uint32_t i = 0; i < f.edges.size(); ++i)
    if (f.edges[i].from != noIndex && e.edges[i] > 0) {
      total[f.edges[i].from] += e.edges[i];
      ways[f.edges[i].from].push_back(i);
    }
  const std::function<bool(uint32_t, Cumulants, double)> from = [&](uint32_t block, Cumulants cost,
                                                                    double p) {
    if (block == noIndex) {
      costs.push_back(cost);
      chances.push_back(p);
      return costs.size() < 20000;
    }
    cost += e.blocks[block];
    return std::all_of(ways[block].begin(), ways[block].end(), [&](uint32_t i) {
      return from(f.edges[i].to, cost, p * e.edges[i] / total[block]);
    });
  };
  if (!from(0, {}, 1))
    return false;
  out = mixture(costs, chances);
  return true;
}

} // namespace quincunx::test
