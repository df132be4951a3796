// Stacks of mean costs: shares by calls, recursion in its first frame, and sums that are kept
// whatever is left out.
#include "quincunx/report/CostStacks.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

using namespace quincunx;

namespace {

struct Calls {
  size_t from, to;
  double times;
};

/// Functions 0 .. n-1 with these selfs; image "p". Cycles and totals are those of `cycles`.
CostGraph graphOf(const std::vector<double> &selfs, const std::vector<size_t> &cycles,
                  const std::vector<Calls> &calls) {
  CostGraph g;
  for (size_t f = 0; f < selfs.size(); ++f) {
    CostGraph::Function &own = g.functions.emplace_back();
    own.name = std::string(1, static_cast<char>('a' + f));
    own.image = "p";
    own.self = own.total = selfs[f];
    own.cycle = cycles[f];
    g.program += selfs[f];
  }
  g.functions[0].times = 1;
  for (const Calls &c : calls) {
    g.functions[c.from].calls.push_back({c.to, "", 0, c.times, 0});
    g.functions[c.to].times += c.times;
  }
  return g;
}

std::map<std::string, double> costsOf(const CostGraph &g, double least) {
  std::map<std::string, double> out;
  for (const CostStack &s : stacksOf(g, least)) {
    std::string name;
    for (const size_t f : s.functions)
      name += g.functions[f].name;
    EXPECT_FALSE(out.contains(name)) << name << " comes twice";
    out[name] = s.cost;
  }
  return out;
}

using Costs = std::map<std::string, double>;

void expectEqual(const Costs &is, const Costs &want) {
  ASSERT_EQ(is.size(), want.size());
  for (const auto &[stack, cost] : want) {
    ASSERT_TRUE(is.contains(stack)) << stack;
    EXPECT_NEAR(is.at(stack), cost, 1e-9) << stack;
  }
}

} // namespace

TEST(CostStacks, DivideAFunctionByCalls) {
  // a calls b once and c three times; b calls d 6 times, c calls it twice in all, and d calls e.
  const CostGraph g = graphOf({1, 20, 30, 80, 16}, {4, 3, 2, 1, 0},
                              {{0, 1, 1}, {0, 2, 3}, {1, 3, 6}, {2, 3, 2}, {3, 4, 5}});
  expectEqual(costsOf(g, 0), {{"a", 1},
                              {"ab", 20},
                              {"ac", 30},
                              {"abd", 60},
                              {"acd", 20},
                              {"abde", 12},
                              {"acde", 4},
                              {"", 0}});
}

TEST(CostStacks, DivideAFunctionByWhatItsCallsCostWhereThatIsKnown) {
  // b and c call d once each, which costs 10 and 70 there, e included.
  CostGraph g = graphOf({1, 20, 30, 48, 32}, {4, 3, 2, 1, 0},
                        {{0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {2, 3, 1}, {3, 4, 2}});
  g.functions[0].calls[0].cost = 30;
  g.functions[0].calls[1].cost = 100;
  g.functions[1].calls[0].cost = 10;
  g.functions[2].calls[0].cost = 70;
  g.functions[3].calls[0].cost = 32;
  const Costs is = costsOf(g, 0);
  expectEqual(is, {{"a", 1},
                   {"ab", 20},
                   {"ac", 30},
                   {"abd", 6},
                   {"acd", 42},
                   {"abde", 4},
                   {"acde", 28},
                   {"", 0}});
}

TEST(CostStacks, RecursionIsOfTheFirstFrame) {
  // a calls b once; b and c call each other, 99 times; c is called by nobody else. d is called by
  // c.
  const CostGraph g =
      graphOf({1, 100, 50, 10}, {2, 1, 1, 0}, {{0, 1, 1}, {1, 2, 100}, {2, 1, 99}, {2, 3, 200}});
  expectEqual(costsOf(g, 0), {{"a", 1}, {"ab", 100}, {"abc", 50}, {"abcd", 10}, {"", 0}});
}

TEST(CostStacks, LibraryCallsCostWhatTheyDoInTheirPlace) {
  CostGraph g = graphOf({1, 20, 40}, {2, 1, 0}, {{0, 2, 1}, {0, 1, 1}, {1, 2, 1}});
  g.functions[2].image.clear();
  g.functions[0].calls[0].cost = 30;
  g.functions[1].calls[0].cost = 10;
  expectEqual(costsOf(g, 0), {{"a", 1}, {"ab", 20}, {"ac", 30}, {"abc", 10}, {"", 0}});
}

TEST(CostStacks, WhatNobodyCallsStandsByItself) {
  CostGraph g = graphOf({1, 20, 40, 5}, {3, 2, 2, 1}, {{1, 2, 1}, {2, 1, 1}});
  g.outside = 7;
  g.program += 7;
  expectEqual(costsOf(g, 0), {{"a", 1}, {"b", 20}, {"c", 40}, {"d", 5}, {"", 7}});
}

// Random programs: every function has its self in its stacks, all have the program, and no stack
// has a function twice, whatever is left out.
TEST(CostStacks, KeepSums) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> cost(0, 100);
  size_t fewest = SIZE_MAX, most = 0;
  for (int i = 0; i < 200; ++i) {
    const size_t n = 3 + random() % 12;
    std::vector<double> selfs;
    std::vector<size_t> cycles;
    for (size_t f = 0; f < n; ++f) {
      selfs.push_back(cost(random));
      cycles.push_back((n - f) / 3); // three functions each
    }
    std::vector<Calls> calls;
    for (size_t c = 0; c < 3 * n; ++c)
      if (const size_t from = random() % n, to = 1 + random() % (n - 1);
          cycles[from] > cycles[to] || (cycles[from] == cycles[to] && from != to))
        calls.push_back({from, to, 1 + std::floor(cost(random))});
    const CostGraph g = graphOf(selfs, cycles, calls);
    for (const double least : {0.0, 0.02}) {
      std::vector<double> sums(n, 0.0);
      const std::vector<CostStack> stacks = stacksOf(g, least);
      (least == 0 ? most : fewest) = stacks.size();
      for (const CostStack &s : stacks)
        if (!s.functions.empty()) {
          sums[s.functions.back()] += s.cost;
          EXPECT_EQ(std::set(s.functions.begin(), s.functions.end()).size(), s.functions.size());
        }
      for (size_t f = 0; f < n; ++f)
        EXPECT_NEAR(sums[f], selfs[f], 1e-9 * g.program);
      EXPECT_NEAR(stacks.back().cost, 0, 1e-9);
    }
    EXPECT_LE(fewest, most);
  }
}
