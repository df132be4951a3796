// Region trees for the judges of the calculus: blocks with small discrete costs, series, branches,
// loops; every tree up to a size, or a random one. Four engines read a tree: the rules, exact
// enumeration of its law, a flow graph for elimination, and simulation.
#pragma once

#include "quincunx/cost/Eliminate.h"
#include "quincunx/cost/Rules.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace quincunx::test {

/// P(0), P(1), ... of a whole number.
using Law = std::vector<double>;

struct Tree {
  enum Kind { Block, Series, Branch, Loop } kind = Block;
  Law law; ///< of the cost of a block, of the trips of a loop; the weights of a branch's arms
  std::vector<Tree> parts;
};

/// About how many nodes its flow has when loops are unrolled.
inline double unrolled(const Tree &t) {
  double n = 2;
  for (const Tree &part : t.parts)
    n += unrolled(part);
  return t.kind == Tree::Loop ? n * static_cast<double>(t.law.size()) : n;
}

inline Cumulants cumulantsOf(const Law &law) {
  std::vector<Cumulants> values;
  for (size_t i = 0; i < law.size(); ++i)
    values.push_back({static_cast<double>(i), 0, 0, 0});
  return mixture(values, law);
}

inline Range rangeOf(const Law &law) {
  const auto positive = [](double p) { return p > 0; };
  const auto low = std::find_if(law.begin(), law.end(), positive);
  const auto high = std::find_if(law.rbegin(), law.rend(), positive);
  return {static_cast<double>(low - law.begin()), static_cast<double>(law.rend() - high - 1)};
}

/// The four rules. With `geometric`, a loop's trips are geometric from 0 with the mean of its law.
inline Cost byRules(const Tree &t, bool geometric = false) {
  if (t.kind == Tree::Block)
    return {cumulantsOf(t.law), rangeOf(t.law)};
  std::vector<Cost> parts;
  for (const Tree &part : t.parts)
    parts.push_back(byRules(part, geometric));
  if (t.kind == Tree::Branch)
    return oneOf(parts, t.law);
  if (t.kind == Tree::Loop) {
    const double m = cumulantsOf(t.law).k1, v = m * (m + 1);
    if (geometric)
      return repeated(Cost{{m, v, v * (2 * m + 1), v * (1 + 6 * v)}}, parts[0]);
    return repeated(Cost{cumulantsOf(t.law), rangeOf(t.law)}, parts[0]);
  }
  Cost sum = parts[0];
  for (size_t i = 1; i < parts.size(); ++i)
    sum = inSeries(sum, parts[i]);
  return sum;
}

inline Law convolve(const Law &a, const Law &b) {
  Law sum(a.size() + b.size() - 1);
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i] != 0)
      for (size_t j = 0; j < b.size(); ++j)
        sum[i + j] += a[i] * b[j];
  return sum;
}

inline void addTo(Law &sum, double weight, const Law &law) {
  sum.resize(std::max(sum.size(), law.size()));
  for (size_t i = 0; i < law.size(); ++i)
    sum[i] += weight * law[i];
}

/// The whole law of the cost, value by value.
inline Law byEnumeration(const Tree &t) {
  if (t.kind == Tree::Block)
    return t.law;
  double total = 0;
  for (const double w : t.law)
    total += w;
  Law sum;
  if (t.kind == Tree::Branch)
    for (size_t i = 0; i < t.parts.size(); ++i)
      addTo(sum, t.law[i] / total, byEnumeration(t.parts[i]));
  if (t.kind == Tree::Series) {
    sum = {1};
    for (const Tree &part : t.parts)
      sum = convolve(sum, byEnumeration(part));
  }
  if (t.kind == Tree::Loop) {
    const Law body = byEnumeration(t.parts[0]);
    Law passes{1};
    for (size_t n = 0; n < t.law.size(); ++n, passes = convolve(passes, body))
      if (t.law[n] > 0)
        addTo(sum, t.law[n] / total, passes);
  }
  return sum;
}

/// Appends the tree's flow behind node `from`; returns the node behind it. Loops are unrolled, or,
/// with `geometric`, go back with the chance that makes the mean number of trips the law's.
inline uint32_t byFlow(FlowGraph &g, const Tree &t, uint32_t from, bool geometric) {
  const auto edge = [&](uint32_t u, uint32_t w, double weight, const Cumulants &k = {}) {
    g.edges.push_back({u, w, weight, k});
  };
  if (t.kind == Tree::Block) {
    edge(from, g.nodes, 1, cumulantsOf(t.law));
    return g.nodes++;
  }
  if (t.kind == Tree::Series) {
    for (const Tree &part : t.parts)
      from = byFlow(g, part, from, geometric);
    return from;
  }
  const uint32_t end = g.nodes++;
  if (t.kind == Tree::Branch) {
    for (size_t i = 0; i < t.parts.size(); ++i) {
      const uint32_t arm = g.nodes++;
      edge(from, arm, t.law[i]);
      edge(byFlow(g, t.parts[i], arm, geometric), end, 1);
    }
  } else if (geometric) {
    const uint32_t header = g.nodes++, body = g.nodes++;
    edge(from, header, 1);
    edge(header, end, 1);
    edge(header, body, cumulantsOf(t.law).k1);
    edge(byFlow(g, t.parts[0], body, geometric), header, 1);
  } else {
    // The most trips in a row; fewer of them enter the row where that many are left.
    std::vector<uint32_t> left{end};
    for (size_t n = 1; n < t.law.size(); ++n)
      left.push_back(g.nodes++);
    for (size_t n = 0; n < t.law.size(); ++n)
      edge(from, left[n], t.law[n]);
    for (size_t n = 1; n < t.law.size(); ++n)
      edge(byFlow(g, t.parts[0], left[n], geometric), left[n - 1], 1);
  }
  return end;
}

inline size_t draw(const Law &law, std::mt19937_64 &random) {
  double total = 0;
  for (const double p : law)
    total += p;
  double x = std::ldexp(static_cast<double>(random() >> 11), -53) * total;
  size_t i = 0;
  while (i + 1 < law.size() && (law[i] == 0 || x >= law[i]))
    x -= law[i++];
  return i;
}

inline size_t bySimulation(const Tree &t, std::mt19937_64 &random) {
  size_t sum = 0;
  switch (t.kind) {
  case Tree::Block:
    return draw(t.law, random);
  case Tree::Branch:
    return bySimulation(t.parts[draw(t.law, random)], random);
  case Tree::Series:
    for (const Tree &part : t.parts)
      sum += bySimulation(part, random);
    return sum;
  case Tree::Loop:
    for (size_t n = draw(t.law, random); n > 0; --n)
      sum += bySimulation(t.parts[0], random);
    return sum;
  }
  return sum;
}

/// Costs of blocks: constant, two values, zero or more, spread.
inline const std::vector<Law> &blockLaws() {
  static const std::vector<Law> laws = {
      {0, 0, 1}, {0, 0.5, 0, 0.5}, {0.25, 0, 0, 0, 0, 0.75}, {1}, {0, 0.7, 0.2, 0, 0.1}};
  return laws;
}

/// All trees of `size` nodes: series and branches of two parts, loops of 0, 1 and 3 trips; blocks
/// take their costs in turn.
inline std::vector<Tree> allTrees(size_t size) {
  std::vector<Tree> trees;
  if (size == 1)
    return {{Tree::Block, {}, {}}};
  for (const Tree &body : allTrees(size - 1))
    for (const Law &trips : {Law{1}, Law{0, 1}, Law{0, 0, 0, 1}})
      trees.push_back({Tree::Loop, trips, {body}});
  for (size_t left = 1; left + 1 < size; ++left)
    for (const Tree &a : allTrees(left))
      for (const Tree &b : allTrees(size - 1 - left)) {
        trees.push_back({Tree::Series, {}, {a, b}});
        trees.push_back({Tree::Branch, {0.3, 0.7}, {a, b}});
      }
  return trees;
}

inline void fillBlocks(Tree &t, size_t &next) {
  if (t.kind == Tree::Block)
    t.law = blockLaws()[next++ % blockLaws().size()];
  for (Tree &part : t.parts)
    fillBlocks(part, next);
}

/// A random tree of about `size` nodes.
inline Tree randomTree(std::mt19937_64 &random, size_t size) {
  if (size <= 1)
    return {Tree::Block, blockLaws()[random() % blockLaws().size()], {}};
  Tree t{static_cast<Tree::Kind>(1 + random() % 3), {}, {}};
  if (t.kind == Tree::Loop) {
    for (size_t trips = 1 + random() % 4; trips > 0; --trips)
      t.law.push_back(static_cast<double>(random() % 4));
    t.law.push_back(1 + static_cast<double>(random() % 3));
    t.parts.push_back(randomTree(random, size - 1));
    return t;
  }
  for (size_t left = size - 1, n = 2 + random() % 3; n > 0; --n) {
    const size_t part = n == 1 ? left : std::min(left, 1 + random() % (1 + 2 * left / n));
    t.parts.push_back(randomTree(random, part));
    t.law.push_back(1 + static_cast<double>(random() % 9));
    left -= part;
  }
  return t;
}

} // namespace quincunx::test
