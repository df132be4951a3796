// The model of a program from runs made by hand and from random walks: its means are those of the
// counts, whatever the flow; what it assumes of branches and loops comes from what was recorded.
#include "quincunx/estimate/Model.h"

#include "../map/Graphs.h"
#include "Synthetic.h"
#include "quincunx/abi.h"
#include "quincunx/map/Placement.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace quincunx;
using namespace quincunx::test;

namespace {

Machine machine(const std::string &text) {
  const Result<Machine> m = parseMachine(text, "test.machine");
  EXPECT_TRUE(m);
  return *m;
}

struct Answer {
  Result<Modelled> modelled = Error{""};
  std::vector<Composed> functions; ///< by number in the graph
};

Answer answer(const std::vector<Map> &maps, const std::vector<quincunx::Run> &runs,
              const ModelOptions &options = {}, const char *text = "construct 1\nadd 2") {
  Model model(maps, machine(text), options);
  Answer a;
  for (const quincunx::Run &run : runs)
    if (const Status s = model.add(run); !s) {
      a.modelled = s.error();
      return a;
    }
  a.modelled = model.finish();
  if (!a.modelled)
    return a;
  a.functions.resize(model.graph().functions.size());
  for (const ModelledFunction &f : a.modelled->functions)
    a.functions[f.number] = f.cost;
  return a;
}

/// Functions of random flow that call later ones, so that nothing is recursive.
std::vector<Map> randomProgram(std::mt19937_64 &random, size_t functions) {
  std::vector<Function> all;
  for (size_t i = 0; i < functions; ++i) {
    Function f = randomFunction(random, 3 + static_cast<uint32_t>(random() % 15), false, false);
    f.name = "f" + std::to_string(i);
    const std::vector<double> cost(f.edges.size(), 1.0);
    EXPECT_TRUE(placeCounters(f, cost));
    for (Block &b : f.blocks)
      b.mix = {{InstructionClass::add, static_cast<uint32_t>(random() % 9)}};
    all.push_back(std::move(f));
  }
  return {mapOf(std::move(all))};
}

quincunx::Run randomRun(const Map &map, std::mt19937_64 &random, const std::string &name) {
  std::vector<uint64_t> counters;
  for (const Function &f : map.functions) {
    const Truth truth = walk(f, random, 1 + static_cast<int>(random() % 20), 0);
    const std::vector<uint64_t> own = countersOf(f, truth);
    counters.insert(counters.end(), own.begin(), own.end());
  }
  return runOf(name, map, counters);
}

} // namespace

TEST(Model, MeansAreThoseOfTheCounts) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20; ++i) {
    const std::vector<Map> maps = randomProgram(random, 10);
    std::vector<quincunx::Run> runs;
    for (int r = 0; r < 5; ++r)
      runs.push_back(randomRun(maps[0], random, "r" + std::to_string(r)));
    for (const char *branch : {"observed", "bernoulli", "empirical"})
      for (const bool perRun : {false, true}) {
        const Answer a = answer(maps, runs, {branch, perRun, false});
        ASSERT_TRUE(a.modelled) << a.modelled.error().text;
        EXPECT_NEAR(a.modelled->composedMean, a.modelled->observedMean,
                    1e-9 * a.modelled->observedMean)
            << branch << (perRun ? ", per run" : "");
      }
  }
}

TEST(Model, BranchesOfOneCallAreDraws) {
  // One call: n = 10 passes of the loop, the dear arm 4 of them, in each of two runs.
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  const std::vector<quincunx::Run> runs{runOf("a", maps[0], {1, 4, 6}),
                                        runOf("b", maps[0], {1, 4, 6})};
  const char *costs = "multiply 1"; // the true arm costs 3, all else nothing
  const Answer fixed = answer(maps, runs, {"observed", false, false}, costs);
  ASSERT_TRUE(fixed.modelled);
  EXPECT_DOUBLE_EQ(fixed.functions[0].inclusive.k1, 12);
  EXPECT_DOUBLE_EQ(fixed.functions[0].inclusive.k2, 0);
  const Answer drawn = answer(maps, runs, {}, costs);
  ASSERT_TRUE(drawn.modelled);
  EXPECT_DOUBLE_EQ(drawn.functions[0].inclusive.k1, 12);
  // Passes are geometric with mean 10, of which each is dear with chance 0.4: geometric with
  // mean 4.
  EXPECT_NEAR(drawn.functions[0].inclusive.k2, 9 * 4 * 5, 1e-9);
}

TEST(Model, CountedLoopsHaveConstantTrips) {
  Function f = loopWithBranch("f");
  f.loops.push_back({1, noIndex, {1}, {5, 6}, "n", false, noIndex, {}, {4, 1, 0}});
  f.branches.push_back({1, true, {2, 3, 4}, noIndex, noIndex, false, {}});
  const std::vector<Map> maps{mapOf({f})};
  const Answer a = answer(maps, {runOf("a", maps[0], {1, 4, 6})}, {}, "multiply 1");
  ASSERT_TRUE(a.modelled);
  EXPECT_DOUBLE_EQ(a.functions[0].inclusive.k1, 12);
  EXPECT_NEAR(a.functions[0].inclusive.k2, 9 * 10 * 0.4 * 0.6, 1e-9) << "ten draws";
}

TEST(Model, RecordedTripsGiveTheLoopItsSpread) {
  Function f = loopWithBranch("f");
  f.loops.push_back({1, noIndex, {1}, {5, 6}, "", false, 0, {noIndex}, {4, 1, 0}});
  f.recorderWords = QX_BINS;
  const std::vector<Map> maps{mapOf({f})};
  // Two calls, of 2 and of 8 passes; all of them dear.
  quincunx::Run run = runOf("a", maps[0], {2, 10, 0});
  run.images[0].recorders = {
      {maps[0].functions[0].firstRecorder + 2, maps[0].functions[0].firstRecorder + 8}, {1, 1}};
  const Answer a = answer(maps, {run}, {}, "multiply 1");
  ASSERT_TRUE(a.modelled) << a.modelled.error().text;
  EXPECT_DOUBLE_EQ(a.functions[0].inclusive.k1, 15);
  EXPECT_DOUBLE_EQ(a.functions[0].inclusive.k2, 9 * 9) << "half 2, half 8: variance 9 trips";
}

TEST(Model, RunsThatDifferAreMixedPerRun) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  const std::vector<quincunx::Run> runs{runOf("a", maps[0], {1, 0, 5}),
                                        runOf("b", maps[0], {1, 8, 5})};
  const Answer a = answer(maps, runs, {"observed", true, false}, "multiply 1");
  ASSERT_TRUE(a.modelled);
  EXPECT_DOUBLE_EQ(a.functions[0].inclusive.k1, 12);
  EXPECT_DOUBLE_EQ(a.functions[0].inclusive.k2, 12 * 12) << "0 or 24";
}

TEST(Model, RenewalWithoutRunsNamesTheFlag) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  const Answer a = answer(maps, {runOf("a", maps[0], {1, 0, 5})}, {"renewal", false, false});
  ASSERT_FALSE(a.modelled);
  EXPECT_NE(a.modelled.error().text.find("record=counts,calls,runs"), std::string::npos);
}

TEST(Model, TheTreeOfAFunctionAddsUpToIt) {
  std::mt19937_64 random(9);
  const std::vector<Map> maps = randomProgram(random, 6);
  Model model(maps, machine("add 1"), {});
  ASSERT_TRUE(model.add(randomRun(maps[0], random, "r")));
  const Result<Modelled> m = model.finish();
  ASSERT_TRUE(m);
  for (const ModelledFunction &f : m->functions) {
    const Result<ModelledTree> tree = model.tree(f.number);
    ASSERT_TRUE(tree);
    EXPECT_DOUBLE_EQ(tree->costs[tree->regions.root].k1, f.cost.inclusive.k1);
    EXPECT_DOUBLE_EQ(tree->costs[tree->regions.root].k2, f.cost.inclusive.k2);
  }
}

TEST(Model, CountsThatContradictTheMapAreAnError) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  quincunx::Run run = runOf("a", maps[0], {1, 0, 5});
  run.images[0].recorders = {{77}, {1}};
  EXPECT_FALSE(answer(maps, {run}).modelled);
  EXPECT_FALSE(answer(maps, {}).modelled);
}
