// Which figures of a model are marked: not those of calls that really are independent, but those of
// loops whose passes make up for each other, of runs that differ, of recursion, and of callers.
#include "quincunx/estimate/Model.h"

#include "../map/Graphs.h"
#include "Synthetic.h"
#include "quincunx/map/Placement.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

/// Functions of the program, and whether they are marked; by the machine that charges `text`.
std::map<std::string, std::string> refuted(const std::vector<Map> &maps,
                                           const std::vector<quincunx::Run> &runs,
                                           const char *text = "add 1\nmultiply 1") {
  const Result<Machine> machine = parseMachine(text, "test.machine");
  Model model(maps, *machine, {});
  for (const quincunx::Run &run : runs)
    EXPECT_TRUE(model.add(run));
  const Result<Modelled> m = model.finish();
  EXPECT_TRUE(m);
  std::map<std::string, std::string> all;
  for (const ModelledFunction &f : m->functions)
    all[model.graph().functions[f.number]->name] = f.refuted;
  return all;
}

/// Runs of loopWithBranch() that is entered `calls` times: passes, and how many are dear.
using Passes = std::function<std::pair<uint64_t, uint64_t>()>;
std::vector<quincunx::Run> runsOf(const Map &map, uint64_t calls, const Passes &passes) {
  std::vector<quincunx::Run> runs;
  for (int r = 0; r < 40; ++r) {
    const auto [all, dear] = passes();
    runs.push_back(runOf("r" + std::to_string(r), map, {calls, dear, all - dear}));
  }
  return runs;
}

} // namespace

TEST(Independence, IsNotRefutedWhereItHolds) {
  std::mt19937_64 random(4);
  size_t marked = 0, all = 0;
  for (int i = 0; i < 150; ++i) {
    Function f = randomFunction(random, 3 + static_cast<uint32_t>(random() % 12), false, false);
    const std::vector<double> cost(f.edges.size(), 1.0);
    ASSERT_TRUE(placeCounters(f, cost));
    for (Block &b : f.blocks)
      b.mix = {{InstructionClass::add, static_cast<uint32_t>(1 + random() % 9)}};
    const std::vector<Map> maps{mapOf({f})};
    std::vector<quincunx::Run> runs;
    for (int r = 0; r < 30; ++r)
      runs.push_back(runOf(
          "r" + std::to_string(r), maps[0],
          countersOf(maps[0].functions[0], walk(maps[0].functions[0], random, 1 + i % 40, 0))));
    for (const auto &[name, why] : refuted(maps, runs))
      ++all, marked += !why.empty();
  }
  EXPECT_EQ(all, 150u);
  EXPECT_LE(marked, 5u);
}

TEST(Independence, IsRefutedByPassesThatAddUp) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  const auto runs = runsOf(maps[0], 10, [] { return std::pair<uint64_t, uint64_t>(500, 250); });
  EXPECT_NE(refuted(maps, runs)["f"].find("make up for each other"), std::string::npos);
}

TEST(Independence, IsRefutedByRunsThatDiffer) {
  std::mt19937_64 random(8);
  Function f = loopWithBranch("f");
  f.loops.push_back({1, noIndex, {1}, {5, 6}, "n", false, noIndex, {}, {4, 1, 0}});
  f.branches.push_back({1, true, {2, 3, 4}, noIndex, noIndex, false, {}});
  const std::vector<Map> maps{mapOf({f})};
  const Passes passes = [&] {
    const uint64_t n = 1 + random() % 1000;
    return std::pair(n, n / 2);
  };
  EXPECT_NE(refuted(maps, runsOf(maps[0], 1, passes))["f"].find("from run to run"),
            std::string::npos);
  const Passes even = [] { return std::pair<uint64_t, uint64_t>(100, 0); };
  EXPECT_EQ(refuted(maps, runsOf(maps[0], 1, even))["f"], "") << "always as often";
}

TEST(Independence, IsRefutedForCallersOfSuchAndForRecursion) {
  std::mt19937_64 random(8);
  Function callee = loopWithBranch("callee"), caller = loopWithBranch("caller");
  caller.calls.push_back({4, "callee", false, {}});
  Function self = loopWithBranch("self");
  self.calls.push_back({2, "self", false, {}});
  const std::vector<Map> maps{mapOf({callee, caller, self})};
  std::vector<quincunx::Run> runs;
  for (int r = 0; r < 40;
       ++r) // the callee always passes 50 times, of two calls of "self" one is outer
    runs.push_back(runOf("r" + std::to_string(r), maps[0], {10, 250, 250, 10, 0, 0, 2, 1, 0}));
  std::map<std::string, std::string> marks = refuted(maps, runs);
  EXPECT_NE(marks["caller"].find("its spread is made by callee"), std::string::npos);
  EXPECT_NE(marks["self"].find("recursive"), std::string::npos);
  runs.resize(1);
  EXPECT_EQ(refuted(maps, runs)["caller"], "") << "one run tells nothing";
}

TEST(Independence, OfTripsThatFollowTheLoopAroundThem) {
  // The way back over A is one loop, entered once; each of its passes enters another, over B.
  Function f = loopWithBranch("f");
  f.loops.push_back({1, noIndex, {1}, {5}, "n", false, noIndex, {}, {4, 1, 0}});
  f.loops.push_back({1, 0, {2}, {6}, "", false, noIndex, {}, {5, 1, 0}});
  const std::vector<Map> maps{mapOf({f})};
  const Result<Machine> machine = parseMachine("add 1", "test.machine");
  for (const bool sizesDiffer : {true, false}) {
    Model model(maps, *machine, {});
    CountMatrixBuilder builder(maps, 40);
    for (uint64_t r = 0; r < 40; ++r) {
      const uint64_t n = sizesDiffer ? 20 + r : 20;
      const quincunx::Run run = runOf("r" + std::to_string(r), maps[0], {1, n, n * (n - 1) / 2});
      ASSERT_TRUE(model.add(run));
      ASSERT_TRUE(builder.add(run, 1));
    }
    ASSERT_TRUE(model.finish());
    Result<ModelledTree> tree = model.tree(0);
    const Result<CountMatrix> counts = builder.finish();
    ASSERT_TRUE(tree && counts);
    judgeTree(*tree, model.graph(), maps, *counts);
    ASSERT_EQ(tree->loops.size(), 2u);
    const Dispersion &outer = tree->loops[0].dispersion, &inner = tree->loops[1].dispersion;
    EXPECT_EQ(outer.runs, sizesDiffer ? 40u : 0u) << "constant trips that are so tell nothing";
    EXPECT_EQ(std::isinf(outer.phi), true);
    EXPECT_NEAR(tree->loops[1].along, sizesDiffer ? 0.5 : 0, 1e-9);
    if (!sizesDiffer)
      EXPECT_LT(inner.trust.high, 1);
  }
}
