// Calls through pointers in the model of a program: where counts tell whom a site calls it is the
// model of the program that branches and calls by name; where they do not, the mean is between what
// it could be.
#include "quincunx/estimate/Model.h"

#include "FlowPrograms.h"

using namespace quincunx;
using namespace quincunx::test;

namespace {

/// What is known of functions by name. `maps` has to outlive `model`.
struct Answer {
  Model model;
  Modelled modelled;
  Answer(const std::vector<Map> &maps, const Runs &runs, const ModelOptions &options,
         const CountMatrix &counts)
      : model(maps, *parseMachine(costs, "test.machine"), options, &counts) {
    for (const quincunx::Run &run : runs)
      EXPECT_TRUE(model.add(run));
    Result<Modelled> m = model.finish();
    EXPECT_TRUE(m);
    modelled = std::move(*m);
  }
  const ModelledFunction &of(const std::string &name) const {
    for (const ModelledFunction &f : modelled.functions)
      if (model.graph().functions[f.number]->name == name)
        return f;
    std::abort();
  }
};

Answer answer(const std::vector<Map> &maps, const Runs &runs, const ModelOptions &options = {}) {
  CountMatrixBuilder builder(maps, runs.size());
  for (const quincunx::Run &run : runs)
    EXPECT_TRUE(builder.add(run));
  const Result<CountMatrix> counts = builder.finish();
  EXPECT_TRUE(counts);
  return {maps, runs, options, *counts};
}

void expectEqual(const Cumulants &is, const Cumulants &should) {
  EXPECT_NEAR(is.k1, should.k1, 1e-6 * should.k1);
  EXPECT_NEAR(is.k2, should.k2, 1e-6 * should.k2);
  EXPECT_NEAR(is.k3, should.k3, 1e-6 * std::fabs(should.k3));
  EXPECT_NEAR(is.k4, should.k4, 1e-6 * std::fabs(should.k4));
}

/// A leaf that costs so many loads.
Function costing(const std::string &name, uint32_t loads) {
  Function f = leaf(name);
  f.blocks[0].mix[0].count = loads;
  return f;
}

/// looping(), but both arms cost nothing and call whom `callees` say, or through pointers.
Function calling(const char *onTrue, const char *onFalse) {
  Function f = looping();
  f.blocks[3].mix.clear(), f.blocks[4].mix.clear();
  f.calls = {{3, onTrue, false, {6, 5, 0}}, {4, onFalse, false, {7, 5, 0}}};
  return f;
}

/// The same, where every pass calls through one pointer.
Function callingOne() {
  Function f = looping();
  f.counterCount = 2;
  f.blocks.erase(f.blocks.begin() + 3);
  f.blocks[2] = f.blocks[3] = {};
  f.blocks.pop_back();
  f.edges = {{noIndex, 0, EdgeKind::entry, 0}, {0, 1, EdgeKind::flow, noIndex},
             {1, 2, EdgeKind::flow, noIndex},  {1, 3, EdgeKind::flow, noIndex},
             {2, 1, EdgeKind::flow, 1},        {3, noIndex, EdgeKind::leave, noIndex}};
  f.branches = {{1, false, {2, 3}, noIndex, noIndex, false, {4, 8, 0}}};
  f.loops = {{1, noIndex, {1}, {4}, "", false, noIndex, {}, {4, 3, 0}}};
  f.calls = {{2, "", false, {6, 5, 0}}};
  return f;
}

/// `trues` and `falses` of 60 runs.
std::vector<std::pair<uint64_t, uint64_t>> drawn() {
  std::mt19937_64 random(1);
  std::vector<std::pair<uint64_t, uint64_t>> all;
  for (size_t i = 0; i < 60; ++i)
    all.emplace_back(20 + random() % 20, 20 + random() % 50);
  return all;
}

} // namespace

TEST(PointerModel, ASiteThatCountsTellCallsItsTarget) {
  const std::vector<Map> byName{mapOf({calling("g", "dear"), leaf("g"), costing("dear", 50)})};
  const std::vector<Map> byPointer{mapOf({calling("", ""), leaf("g"), costing("dear", 50)})};
  Runs runs;
  for (const auto &[t, f] : drawn())
    runs.push_back(runOf(std::to_string(runs.size()), byName[0], {1, t, f, t, f}));
  for (const char *branch : {"bernoulli", "observed", "empirical"})
    for (const bool perRun : {false, true}) {
      const ModelOptions options{branch, perRun, false};
      const Answer want = answer(byName, runs, options), got = answer(byPointer, runs, options);
      expectEqual(got.of("work").cost.inclusive, want.of("work").cost.inclusive);
      EXPECT_NEAR(got.modelled.composedMean, got.modelled.observedMean, 1e-9 * 1e5);
      EXPECT_FALSE(got.of("work").open);
      EXPECT_NEAR(got.of("dear").roots, 0, 1e-9);
    }
}

TEST(PointerModel, WhichTargetIsADrawPerCall) {
  const std::vector<Map> branching{mapOf({calling("g", "dear"), leaf("g"), costing("dear", 50)})};
  const std::vector<Map> pointing{mapOf({callingOne(), leaf("g"), costing("dear", 50)})};
  Runs branches, pointers;
  for (const auto &[t, f] : drawn()) {
    branches.push_back(runOf(std::to_string(branches.size()), branching[0], {1, t, f, t, f}));
    pointers.push_back(runOf(std::to_string(pointers.size()), pointing[0], {1, t + f, t, f}));
  }
  const Answer want = answer(branching, branches), got = answer(pointing, pointers);
  expectEqual(got.of("work").cost.inclusive, want.of("work").cost.inclusive);
  EXPECT_FALSE(got.of("work").open) << "one site calls them all";
  const Result<ModelledTree> tree = got.model.tree(0);
  ASSERT_TRUE(tree);
  ASSERT_EQ(tree->calls.size(), 1u);
  ASSERT_EQ(tree->calls[0].among.size(), 2u);
  EXPECT_NEAR(tree->calls[0].among[0].share + tree->calls[0].among[1].share, 1, 1e-4);
  expectEqual(tree->costs[tree->regions.root], got.of("work").cost.inclusive);
}

TEST(PointerModel, CallsOfNobodyCostNothing) {
  const std::vector<Map> maps{mapOf({callingOne(), costing("dear", 50)})};
  Runs runs;
  for (const auto &[t, f] : drawn())
    runs.push_back(runOf(std::to_string(runs.size()), maps[0], {1, t + f, f}));
  const Answer got = answer(maps, runs);
  EXPECT_NEAR(got.modelled.composedMean, got.modelled.observedMean, 1e-9 * 1e5);
  EXPECT_NEAR(got.of("work").cost.inclusive.k1, got.modelled.observedMean, 1e-9 * 1e5);
}

TEST(PointerModel, RecursionThroughPointersIsSolved) {
  // Every pass calls itself through a pointer with some chance, as by name.
  Function byName = calling("work", "g"), byPointer = calling("", "g");
  const std::vector<Map> named{mapOf({byName, leaf("g")})}, pointing{mapOf({byPointer, leaf("g")})};
  Runs runs;
  for (uint64_t i = 1; i <= 30; ++i) // i calls within, one from outside
    runs.push_back(runOf(std::to_string(i), named[0], {i + 1, i, 5 + i * i, 5 + i * i}));
  const Answer want = answer(named, runs), got = answer(pointing, runs);
  expectEqual(got.of("work").cost.inclusive, want.of("work").cost.inclusive);
  EXPECT_NEAR(got.of("work").roots, 1, 1e-6);
  EXPECT_NE(want.of("work").verdict.refuted.find("recursive"), std::string::npos);
  EXPECT_EQ(got.of("work").verdict.refuted, want.of("work").verdict.refuted);
  EXPECT_FALSE(got.of("work").open) << "there is no choice";
}

TEST(PointerModel, WhatCountsLeaveOpenIsBetweenTheCheapestAndTheDearest) {
  // In every run both sites are as often, and so are the targets: who calls whom?
  std::vector<Function> functions{calling("", "g"),    calling("", "g"),    leaf("g"),
                                  costing("cheap", 1), costing("dear", 50), leaf("main")};
  functions[0].name = "first", functions[1].name = "second";
  functions[5].calls = {{0, "first", false, {20, 1, 0}}, {0, "second", false, {21, 1, 0}}};
  const std::vector<Map> open{mapOf(functions)};
  Runs runs;
  for (uint64_t i = 0; i < 30; ++i) {
    const uint64_t n = 10 + i;
    runs.push_back(runOf(std::to_string(i), open[0], {1, n, 0, 1, n, 0, 0, n, n, 1}));
  }
  const Answer got = answer(open, runs);
  const ModelledFunction &first = got.of("first");
  ASSERT_TRUE(first.open);
  double passes = 0;
  for (uint64_t i = 0; i < 30; ++i)
    passes += static_cast<double>(10 + i) / 30;
  const double own = first.cost.exclusive.k1;
  EXPECT_NEAR(first.open->least, own + 10 * passes, 1e-6 * passes);
  EXPECT_NEAR(first.open->most, own + 500 * passes, 1e-6 * passes);
  EXPECT_EQ(first.open->callees.size(), 2u);
  ASSERT_EQ(first.open->at.size(), 1u);
  EXPECT_EQ(first.open->at[0].line, 6u);
  EXPECT_FALSE(got.of("main").open) << "all of these calls are its own";
  EXPECT_FALSE(got.of("dear").open);
}

TEST(PointerModel, WhomATrampolineCallsHangsOnWhoCalledIt) {
  // One site, so that its shares are known; `heavy` leads back to it. Is it a or b that gets there?
  const auto calls = [](const std::string &name, uint32_t loads,
                        std::vector<const char *> callees) {
    Function f = costing(name, loads);
    for (const char *callee : callees)
      f.calls.push_back({0, callee, false, {20, 1, 0}});
    return f;
  };
  Function main = calling("a", "b");
  main.name = "main";
  const std::vector<Map> maps{
      mapOf({main, calls("a", 1, {"tramp"}), calls("b", 1, {"tramp"}), calls("tramp", 1, {""}),
             calls("cheap", 1, {}), calls("heavy", 50, {"tramp"})})};
  Runs runs;
  double trues = 0, heavy = 0;
  for (const auto &[t, f] : drawn()) {
    const uint64_t h = t + f; // half of the calls of tramp
    runs.push_back(
        runOf(std::to_string(runs.size()), maps[0], {1, t, f, t, f, t + f + h, t + f, h}));
    trues += static_cast<double>(t), heavy += static_cast<double>(h);
  }
  const Answer got = answer(maps, runs);
  for (const char *name : {"a", "b"}) {
    ASSERT_TRUE(got.of(name).open);
    EXPECT_LE(got.of(name).open->least, 30 + 1e-9) << "with the cheap one alone";
  }
  EXPECT_GE(got.of("a").open->most, 30 + 510 * heavy / trues) << "with all others";
  EXPECT_FALSE(got.of("tramp").open) << "it makes them all";
  EXPECT_FALSE(got.of("main").open);
}
