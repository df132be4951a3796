// Composition over calls: names, components, recursion against closed forms and against a long
// unrolled recursion.
#include "quincunx/model/Compose.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace quincunx;

namespace {

/// if (p) { block 1 with calls } else block 2; block 3 returns.
Function choice(const std::string &name, const std::vector<std::string> &callees) {
  Function f;
  f.name = name;
  f.scopes.emplace_back();
  f.blocks.resize(4);
  f.edges = {{noIndex, 0, EdgeKind::entry, noIndex}, {0, 1, EdgeKind::flow, noIndex},
             {0, 2, EdgeKind::flow, noIndex},        {1, 3, EdgeKind::flow, noIndex},
             {2, 3, EdgeKind::flow, noIndex},        {3, noIndex, EdgeKind::leave, noIndex}};
  for (const std::string &callee : callees)
    f.calls.push_back({1, callee, false, {}});
  return f;
}

/// `choice` executed n times, of which `taken` went to the calls.
ExecutionCounts executed(double n, double taken, const Cumulants &once) {
  ExecutionCounts e;
  e.entries = n;
  e.edges = {n, taken, n - taken, taken, n - taken, n};
  e.blocks = {n, taken, n - taken, n};
  e.costs = {once, {}, {}, {}};
  return e;
}

struct Program {
  std::vector<Map> maps;
  CallGraph graph;
  std::vector<Regions> regions;
  explicit Program(std::vector<Function> functions)
      : maps(1, Map{{}, "/bin/p", 0, 0, std::move(functions)}), graph(maps) {
    for (const Function *f : graph.functions)
      regions.push_back(reduce(*f));
  }
  Result<Composition> compose(const std::vector<ExecutionCounts> &e, bool fixed = false) const {
    return quincunx::compose(graph, regions, e, {fixed, false});
  }
};

} // namespace

TEST(CallGraph, CalleesComeBeforeCallers) {
  const Program p({choice("main", {"a", "b", "puts"}), choice("a", {"b"}), choice("b", {"a"}),
                   choice("leaf", {}), choice("self", {"self", "leaf"})});
  ASSERT_EQ(p.graph.calls[0].size(), 2u) << "puts is not instrumented";
  std::vector<size_t> place(5);
  for (size_t c = 0; c < p.graph.components.size(); ++c)
    for (const uint32_t f : p.graph.components[c])
      place[f] = c;
  EXPECT_EQ(place[1], place[2]);
  EXPECT_LT(place[1], place[0]);
  EXPECT_LT(place[3], place[4]);
  EXPECT_TRUE(p.graph.recursive[place[1]]);
  EXPECT_TRUE(p.graph.recursive[place[4]]);
  EXPECT_FALSE(p.graph.recursive[place[0]]);
}

TEST(CallGraph, AFunctionOfItsFileIsMeantFirst) {
  const auto in = [](Function f, const char *file) {
    f.files = {{file, {}}};
    f.scopes[0].file = 0;
    return f;
  };
  const Program p({in(choice("x", {"help"}), "x.c"), in(choice("help", {}), "x.c"),
                   in(choice("y", {"help"}), "y.c"), in(choice("help", {}), "y.c"),
                   in(choice("z", {"help"}), "z.c")});
  ASSERT_EQ(p.graph.calls[0].size(), 1u);
  EXPECT_EQ(p.graph.calls[0][0].callee, 1u);
  ASSERT_EQ(p.graph.calls[2].size(), 1u);
  EXPECT_EQ(p.graph.calls[2][0].callee, 3u);
  EXPECT_TRUE(p.graph.calls[4].empty()) << "either could be meant";
}

TEST(CallGraph, AnotherImageOnlyWhenThereIsJustOne) {
  std::vector<Map> maps(3);
  maps[0].functions = {choice("main", {"once", "twice"})};
  maps[1].functions = {choice("once", {}), choice("twice", {})};
  maps[2].functions = {choice("twice", {})};
  const CallGraph graph(maps);
  ASSERT_EQ(graph.calls[0].size(), 1u);
  EXPECT_EQ(graph.calls[0][0].callee, 1u);
  EXPECT_EQ(graph.numberOf(1, 1), 2u);
}

// Each call costs c and calls itself again with chance p: a geometric number of c.
TEST(Compose, TailRecursionIsGeometric) {
  const Program p({choice("f", {"f"})});
  const double chance = 0.75, n = 400;
  const Result<Composition> c = p.compose({executed(n, n * chance, {2, 0, 0, 0})});
  ASSERT_TRUE(c);
  const double m = 1 / (1 - chance), q = chance / (1 - chance);
  const Cumulants &k = c->functions[0].inclusive;
  EXPECT_DOUBLE_EQ(k.k1, 2 * m);
  EXPECT_NEAR(k.k2, 4 * q * (q + 1), 1e-9);
  EXPECT_NEAR(k.k3, 8 * q * (q + 1) * (2 * q + 1), 1e-8);
  EXPECT_NEAR(k.k4, 16 * q * (q + 1) * (1 + 6 * q * (q + 1)), 1e-6);
  EXPECT_DOUBLE_EQ(c->roots[0], n * (1 - chance));
  EXPECT_DOUBLE_EQ(c->functions[0].exclusive.k1, 2);
}

// Two calls of itself with chance p: a branching process, the total progeny. Its cumulants from its
// functional equation by series: with G(s) the transform, G = e^s (1 - p + p G^2).
TEST(Compose, TreeRecursionIsABranchingProcess) {
  const Program p({choice("f", {"f", "f"})});
  const double chance = 0.3, n = 1000;
  const Result<Composition> c = p.compose({executed(n, n * chance, {1, 0, 0, 0})});
  ASSERT_TRUE(c);
  // Law of the progeny by its own recursion, truncated where it is below 1e-18.
  std::vector<double> law(1200, 0.0);
  law[1] = 1 - chance;
  for (size_t t = 3; t < law.size(); t += 2)
    for (size_t a = 1; a + 1 < t; a += 2)
      law[t] += chance * law[a] * law[t - 1 - a];
  std::vector<Cumulants> sizes;
  for (size_t t = 0; t < law.size(); ++t)
    sizes.push_back({static_cast<double>(t), 0, 0, 0});
  const Cumulants want = mixture(sizes, law), &is = c->functions[0].inclusive;
  EXPECT_NEAR(is.k1, want.k1, 1e-9 * want.k1);
  EXPECT_NEAR(is.k2, want.k2, 1e-9 * want.k2);
  EXPECT_NEAR(is.k3, want.k3, 1e-9 * want.k3);
  EXPECT_NEAR(is.k4, want.k4, 1e-9 * want.k4);
}

TEST(Compose, MutualRecursionEqualsItsUnrolling) {
  // f calls g with 0.6, g calls f with 0.5; 60 levels deep nothing is left (0.3^30).
  const Program p({choice("f", {"g"}), choice("g", {"f"})});
  const Cumulants a{3, 2, 1, 0}, b{5, 1, 0, 4};
  const Result<Composition> c = p.compose({executed(1000, 600, a), executed(600, 300, b)});
  ASSERT_TRUE(c);
  Cumulants f, g;
  for (int depth = 0; depth < 120; ++depth) {
    const double of[] = {0.6, 0.4}, og[] = {0.5, 0.5};
    const Cumulants callG[] = {g, {}}, callF[] = {f, {}};
    const Cumulants next = a + mixture(callG, of);
    g = b + mixture(callF, og);
    f = next;
  }
  EXPECT_NEAR(c->functions[0].inclusive.k1, f.k1, 1e-9 * f.k1);
  EXPECT_NEAR(c->functions[0].inclusive.k2, f.k2, 1e-9 * f.k2);
  EXPECT_NEAR(c->functions[1].inclusive.k3, g.k3, 1e-9 * std::fabs(g.k3));
  EXPECT_NEAR(c->functions[1].inclusive.k4, g.k4, 1e-9 * std::fabs(g.k4));
}

// Every call is a call of itself: nobody entered it from outside.
TEST(Compose, RecursionThatNeverBeganHasNoMean) {
  const Program p({choice("f", {"f", "f"}), choice("caller", {"f"})});
  const Result<Composition> c =
      p.compose({executed(100, 90, {1, 0, 0, 0}), executed(0, 0, {1, 0, 0, 0})});
  ASSERT_TRUE(c);
  EXPECT_EQ(c->roots[0], 0);
  EXPECT_TRUE(c->functions[0].endless);
  EXPECT_FALSE(c->functions[1].endless);
}

// f and g may call each other, h calls itself and may call f: what did not call in these runs does
// not make the others recursive.
TEST(Compose, OnlyCallsThatWereMadeAreRecursion) {
  const Program p({choice("f", {"g"}), choice("g", {"f", "h"}), choice("h", {"h"}),
                   choice("main", {"h", "f"}), choice("l", {"f"})});
  Function g = choice("g", {"h"}); // the same without the call that no run made
  ASSERT_EQ(p.graph.components[p.graph.componentOf[0]].size(), 2u);
  const std::vector<ExecutionCounts> e{executed(8, 4, {3, 1, 0, 0}), executed(4, 0, {5, 0, 2, 0}),
                                       executed(6, 5, {1, 0, 0, 0}), executed(1, 1, {2, 0, 0, 0}),
                                       executed(7, 7, {1, 0, 0, 0})};
  const Result<Composition> c = p.compose(e);
  const Result<Composition> flat = Program({choice("f", {"g"}), g, choice("h", {"h"}),
                                            choice("main", {"h", "f"}), choice("l", {"f"})})
                                       .compose(e);
  ASSERT_TRUE(c && flat);
  for (size_t f = 0; f < e.size(); ++f) {
    EXPECT_EQ(c->functions[f].inclusive.k1, flat->functions[f].inclusive.k1) << f;
    EXPECT_EQ(c->functions[f].inclusive.k4, flat->functions[f].inclusive.k4) << f;
  }
  EXPECT_EQ(c->functions[0].outer, 8);
  EXPECT_EQ(c->functions[1].outer, 0) << "its calls are within what may call each other";
}

// The mean over roots is the sum of all that was executed, whatever the flow.
TEST(Compose, RootsAddUpToTheWhole) {
  const Program p({choice("main", {"a", "b"}), choice("a", {"b", "b"}), choice("b", {"leaf"}),
                   choice("leaf", {}), choice("callback", {"leaf"})});
  const std::vector<ExecutionCounts> e{executed(3, 2, {7, 1, 0, 0}), executed(2, 1, {1, 0, 0, 0}),
                                       executed(4, 4, {2, 0, 0, 0}), executed(16, 5, {11, 3, 0, 0}),
                                       executed(12, 12, {1, 0, 0, 0})};
  for (const bool fixed : {false, true}) {
    const Result<Composition> c = p.compose(e, fixed);
    ASSERT_TRUE(c);
    double composed = 0, all = 0;
    for (size_t f = 0; f < e.size(); ++f) {
      composed += c->roots[f] * c->functions[f].inclusive.k1;
      all += e[f].entries * e[f].costs[0].k1;
    }
    EXPECT_DOUBLE_EQ(composed, all);
    EXPECT_EQ(c->roots, (std::vector<double>{3, 0, 0, 0, 12}));
  }
}
