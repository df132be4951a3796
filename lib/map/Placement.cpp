// Maximum spanning tree by Kruskal: edges in order of falling cost join the tree unless they close
// a cycle; the others are counted. The outside of the function is one more node, so that entries
// and exits are edges like all others.
#include "quincunx/map/Placement.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace quincunx {

namespace {

class Components {
public:
  explicit Components(size_t n) : parent(n) { std::iota(parent.begin(), parent.end(), 0u); }
  uint32_t find(uint32_t x) {
    while (parent[x] != x)
      x = parent[x] = parent[parent[x]];
    return x;
  }
  bool join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    parent[a] = b;
    return a != b;
  }

private:
  std::vector<uint32_t> parent;
};

bool mustCount(const Function &f, const Edge &e) {
  auto twice = [&](uint32_t block) { return block != noIndex && f.blocks[block].returnsTwice; };
  if (e.kind == EdgeKind::nonReturning || e.kind == EdgeKind::reentry)
    return false;
  if (twice(e.from) || twice(e.to))
    return true;
  return f.guarded && !f.exact && e.kind != EdgeKind::flow;
}

} // namespace

bool placeCounters(Function &f, std::span<const double> cost) {
  assert(cost.size() == f.edges.size() && "one cost per edge");
  constexpr double never = std::numeric_limits<double>::infinity();
  const auto outside = static_cast<uint32_t>(f.blocks.size());
  auto node = [&](uint32_t block) { return block == noIndex ? outside : block; };
  auto rank = [&](uint32_t e) {
    const EdgeKind k = f.edges[e].kind;
    return k == EdgeKind::nonReturning || k == EdgeKind::reentry ? never : cost[e];
  };

  std::vector<uint32_t> order(f.edges.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return rank(a) > rank(b); });
  Components tree(f.blocks.size() + 1);
  std::vector<bool> counted(f.edges.size());
  for (const uint32_t e : order) {
    const Edge &edge = f.edges[e];
    counted[e] = mustCount(f, edge) || !tree.join(node(edge.from), node(edge.to));
    if (counted[e] && rank(e) == never)
      return false;
  }
  uint32_t next = 0;
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    f.edges[e].counter = counted[e] ? next++ : noIndex;
  f.counterCount = next;
  return true;
}

std::vector<int64_t> pathPotentials(const Function &f, std::span<const uint64_t> weight) {
  const size_t outside = f.blocks.size();
  const auto node = [&](uint32_t block) { return block == noIndex ? outside : size_t{block}; };
  const auto weightOf = [&](uint32_t block) {
    return block == noIndex ? 0 : static_cast<int64_t>(weight[block]);
  };
  const auto measured = [&](const Edge &e) {
    return e.counter != noIndex || e.kind == EdgeKind::nonReturning || e.kind == EdgeKind::reentry;
  };
  std::vector<std::vector<uint32_t>> tree(outside + 1);
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (!measured(f.edges[e]))
      tree[node(f.edges[e].from)].push_back(e), tree[node(f.edges[e].to)].push_back(e);
  std::vector<int64_t> potential(outside + 1, 0);
  std::vector<bool> known(outside + 1, false);
  for (size_t root = outside + 1; root-- > 0;) {
    if (known[root])
      continue;
    known[root] = true;
    for (std::vector<size_t> todo{root}; !todo.empty();) {
      const size_t at = todo.back();
      todo.pop_back();
      for (const uint32_t e : tree[at]) {
        const Edge &edge = f.edges[e];
        const bool forward = node(edge.from) == at;
        const size_t other = node(forward ? edge.to : edge.from);
        if (known[other])
          continue;
        potential[other] = potential[at] + (forward ? 1 : -1) * weightOf(edge.to);
        known[other] = true;
        todo.push_back(other);
      }
    }
  }
  return potential;
}

std::vector<int64_t> pathWeights(const Function &f, std::span<const uint64_t> weight) {
  const std::vector<int64_t> potential = pathPotentials(f, weight);
  const auto at = [&](uint32_t block) {
    return potential[block == noIndex ? f.blocks.size() : size_t{block}];
  };
  std::vector<int64_t> perCounter(f.counterCount, 0);
  for (const Edge &e : f.edges)
    if (e.counter != noIndex)
      perCounter[e.counter] =
          at(e.from) - at(e.to) + (e.to == noIndex ? 0 : static_cast<int64_t>(weight[e.to]));
  return perCounter;
}

} // namespace quincunx
