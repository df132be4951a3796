// Elimination against tables computed with 80 digits by linear solves, against the rules on
// structured flow, and against its own symmetries.
#include "quincunx/cost/Eliminate.h"

#include "Csv.h"
#include "cost/Close.h"
#include "quincunx/cost/Rules.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

double at(const Row &row, const std::string &column) { return std::stod(row.at(column)); }

using test::expectClose;

FlowCost cost(const FlowGraph &g) {
  const Result<FlowCost> c = eliminate(g);
  EXPECT_TRUE(c) << (c ? "" : c.error().text);
  return c ? *c : FlowCost{};
}

std::map<std::string, FlowGraph> goldenGraphs() {
  std::ifstream in(std::string(QUINCUNX_TEST_DATA) + "/golden/cfg_graphs.json");
  std::map<std::string, FlowGraph> graphs;
  const nlohmann::json all = nlohmann::json::parse(in);
  for (const auto &[name, j] : all.items()) {
    FlowGraph g{101, j["entry"], {}};
    for (const auto &e : j["edges"])
      g.edges.push_back(
          {e[0], e[1], std::stod(e[2].get<std::string>()), {e[3][0], e[3][1], e[3][2], e[3][3]}});
    graphs[name] = g;
  }
  return graphs;
}

/// Random flow of n nodes and an exit, node n; every node has a way to the exit.
FlowGraph randomFlow(std::mt19937_64 &random, uint32_t n) {
  std::uniform_real_distribution<double> u(0, 1);
  FlowGraph g{n + 1, 0, {}};
  for (uint32_t v = 0; v < n; ++v) {
    g.edges.push_back({v, v + 1, 0.2 + u(random), {u(random), u(random), 0.1, 0.1}});
    for (int more = 0; more < 2; ++more)
      g.edges.push_back({v,
                         static_cast<uint32_t>(random() % (n + 1)),
                         u(random),
                         {3 * u(random), u(random), u(random), u(random)}});
  }
  return g;
}

} // namespace

TEST(Eliminate, AgreesWithGoldenTableOfFlowGraphs) {
  const std::map<std::string, FlowGraph> graphs = goldenGraphs();
  const std::vector<Row> rows = readCsv("cfg.csv");
  ASSERT_EQ(rows.size(), 15u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("graph") + ", exit " + r.at("exit"));
    const FlowCost c = cost(graphs.at(r.at("graph")));
    const Cumulants want{at(r, "m1"), at(r, "k2"), at(r, "k3"), at(r, "k4")};
    if (r.at("exit") == "all") {
      expectClose(c.k, want, 1e-14);
      continue;
    }
    const auto e = std::find_if(c.exits.begin(), c.exits.end(), [&](const FlowExit &x) {
      return std::to_string(x.node) == r.at("exit");
    });
    ASSERT_NE(e, c.exits.end());
    EXPECT_NEAR(e->p, at(r, "prob"), 1e-15);
    expectClose(e->k, want, 1e-13);
  }
}

TEST(Eliminate, EscapesKeepFullRelativeAccuracy) {
  // A loop of cost 1 with weights 1 and e: geometric. A second exit e times rarer still.
  for (const double e : {1e-3, 1e-15, 1e-70}) {
    const FlowGraph g{3, 0, {{0, 0, 1, {1, 0, 0, 0}}, {0, 1, e, {}}, {0, 2, e * e, {}}}};
    const FlowCost c = cost(g);
    ASSERT_EQ(c.exits.size(), 2u);
    EXPECT_NEAR(c.exits[1].p / (e / (1 + e)), 1, 1e-14);
    EXPECT_NEAR(c.k.k1 * (e + e * e), 1, 1e-14);
    EXPECT_NEAR(c.k.k2 / (c.k.k1 * c.k.k1) / (1 + e + e * e), 1, 1e-13);
  }
}

TEST(Eliminate, OrderOfNodesAndUnitOfWeightsDoNotMatter) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i) {
    const uint32_t n = 2 + i % 40;
    const FlowGraph g = randomFlow(random, n);
    std::vector<uint32_t> name(n + 1);
    for (uint32_t v = 0; v <= n; ++v)
      name[v] = v;
    std::shuffle(name.begin(), name.end(), random);
    FlowGraph other{n + 1, name[0], g.edges};
    std::shuffle(other.edges.begin(), other.edges.end(), random);
    for (FlowEdge &e : other.edges)
      e = {name[e.from], name[e.to], e.weight * 1000, e.k};
    expectClose(cost(other).k, cost(g).k, 1e-12);
  }
}

TEST(Eliminate, SplitEdgesAndEmptyNodesChangeNothing) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 50; ++i) {
    const FlowGraph g = randomFlow(random, 12);
    FlowGraph split{g.nodes, g.entry, {}};
    for (const FlowEdge &e : g.edges) { // into two parallel ones, the second by way of a new node
      const uint32_t middle = split.nodes++;
      split.edges.push_back({e.from, e.to, e.weight / 2, e.k});
      split.edges.push_back({e.from, middle, e.weight / 2, 0.5 * e.k});
      split.edges.push_back({middle, e.to, 7, 0.5 * e.k});
    }
    expectClose(cost(split).k, cost(g).k, 1e-12);
  }
}

TEST(Eliminate, ALargeSwitchInALoopIsTheRules) {
  // 20,000 arms through a hub: it must not take the square of that.
  const uint32_t arms = 20000;
  FlowGraph g{arms + 3, 0, {}};
  std::vector<Cumulants> bodies;
  std::vector<double> weights;
  for (uint32_t i = 0; i < arms; ++i) {
    bodies.push_back({static_cast<double>(i % 7), 0.5, 0, 0}), weights.push_back(1 + i % 3);
    g.edges.push_back({0, i + 1, weights.back(), {}});
    g.edges.push_back({i + 1, arms + 1, 1, bodies.back()});
  }
  g.edges.push_back({arms + 1, 0, 9, {}});
  g.edges.push_back({arms + 1, arms + 2, 1, {}});
  const Cumulants tenth{10, 90, 1710, 48690}; // passes until one in ten leaves
  expectClose(cost(g).k, repeated(tenth, oneOf(bodies, weights)), 1e-11);
}

TEST(Eliminate, DegenerateFlow) {
  const FlowCost alone = cost({1, 0, {}});
  ASSERT_EQ(alone.exits.size(), 1u);
  EXPECT_EQ(alone.exits[0].p, 1);
  EXPECT_EQ(alone.k, Cumulants{});
  // What cannot be reached may be as broken as it likes; edges of weight 0 reach nothing.
  const FlowCost c =
      cost({5, 1, {{1, 4, 2, {3, 0, 0, 0}}, {0, 0, 1, {}}, {3, 0, 0, {}}, {1, 0, 0, {}}}});
  EXPECT_EQ(c.k, (Cumulants{3, 0, 0, 0}));
  ASSERT_EQ(c.exits.size(), 1u);
  EXPECT_EQ(c.exits[0].node, 4u);
}

TEST(Eliminate, RefusesWithAReason) {
  const Cumulants one{1, 0, 0, 0};
  struct {
    FlowGraph g;
    const char *reason;
  } const table[] = {
      {{0, 0, {}}, "no entry"},
      {{2, 2, {}}, "no entry"},
      {{2, 0, {{0, 2, 1, one}}}, "edge 0 of the flow graph leads from or to no node"},
      {{2, 0, {{0, 1, -1, one}}}, "negative or not finite"},
      {{2, 0, {{0, 1, notANumber, one}}}, "negative or not finite"},
      {{2, 0, {{0, 1, inf, one}}}, "negative or not finite"},
      {{2, 0, {{0, 1, 1, {1, notANumber, 0, 0}}}}, "a cost that is not finite"},
      {{2, 0, {{0, 1, 0, one}}},
       "node 0 of the flow graph is reached, but its weights add up to 0"},
      {{2, 0, {{0, 1, 1e308, one}, {0, 1, 1e308, one}}}, "add up to no number"},
      {{1, 0, {{0, 0, 1, one}}}, "node 0 of the flow graph never gets to an exit"},
      {{4, 0, {{0, 1, 1, one}, {0, 2, 1, one}, {2, 3, 1, one}, {3, 2, 1, one}}}, "never gets"},
      {{2, 0, {{0, 0, 1e300, one}, {0, 1, 1e-10, one}}}, "too seldom for a double"},
      {{2, 0, {{0, 1, 1, {1e200, 1e200, 0, 0}}, {0, 1, 1, one}}}, "too large for a double"},
  };
  for (const auto &row : table) {
    const Result<FlowCost> c = eliminate(row.g);
    ASSERT_FALSE(c) << row.reason;
    EXPECT_NE(c.error().text.find(row.reason), std::string::npos) << c.error().text;
  }
}

TEST(Eliminate, HostileNumbersGiveNumbersOrReasons) {
  std::mt19937_64 random(9);
  const double sizes[] = {0, 1e-320, 1e-300, 1e-150, 1e-9, 1, 3, 1e9, 1e70, 1e150, 1e300};
  const auto any = [&] { return sizes[random() % std::size(sizes)]; };
  int answers = 0;
  for (int i = 0; i < 20000; ++i) {
    const uint32_t n = 2 + static_cast<uint32_t>(random() % 8);
    FlowGraph g{n, 0, {}};
    for (uint32_t e = 0; e < 2 * n; ++e)
      g.edges.push_back({static_cast<uint32_t>(random() % n),
                         static_cast<uint32_t>(random() % n),
                         any(),
                         {i % 2 ? any() : 1, 0.5, 0, 0}});
    const Result<FlowCost> c = eliminate(g);
    if (!c) {
      ASSERT_FALSE(c.error().text.empty());
      continue;
    }
    ++answers;
    double sum = 0;
    for (const FlowExit &e : c->exits) {
      sum += e.p;
      ASSERT_TRUE(std::isfinite(e.k.k1 + e.k.k2 + e.k.k3 + e.k.k4));
    }
    ASSERT_NEAR(sum, 1, 1e-12);
    ASSERT_TRUE(std::isfinite(c->k.k1 + c->k.k2 + c->k.k3 + c->k.k4));
  }
  EXPECT_GT(answers, 1000);
}

TEST(Eliminate, ADenseGraphIsAnAnswerAndATooDenseOneAReason) {
  const auto complete = [](uint32_t n) {
    FlowGraph g{n + 1, 0, {}};
    for (uint32_t u = 0; u < n; ++u)
      for (uint32_t w = 0; w <= n; ++w)
        if (u != w)
          g.edges.push_back({u, w, 1, {1, 0, 0, 0}});
    return g;
  };
  const FlowCost c = cost(complete(60)); // left with chance 1/60 at every step
  expectClose(c.k, {60, 59.0 * 60, 59.0 * 60 * 119, 59.0 * 60 * 21241}, 1e-12);
  const Result<FlowCost> dense = eliminate(complete(420));
  ASSERT_FALSE(dense);
  EXPECT_NE(dense.error().text.find("too dense"), std::string::npos);
}
