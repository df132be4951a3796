// Derived counts against walks over random graphs whose every step was counted.
#include "quincunx/model/FlowSolver.h"

#include "map/Graphs.h"
#include "quincunx/map/Placement.h"

#include <gtest/gtest.h>

namespace quincunx {
namespace {

using test::countersOf;
using test::randomFunction;
using test::Truth;
using test::walk;

Function placed(std::mt19937_64 &random, uint32_t blocks, bool guarded, bool exact) {
  Function f = randomFunction(random, blocks, guarded, exact);
  std::vector<double> cost(f.edges.size());
  for (double &c : cost)
    c = static_cast<double>(random() % 100);
  EXPECT_TRUE(placeCounters(f, cost));
  return f;
}

struct Case {
  const char *name;
  bool guarded, exact;
  double loss;
};

class Derived : public testing::TestWithParam<Case> {};

TEST_P(Derived, AgreesWithEveryStepOfTheWalk) {
  const Case &c = GetParam();
  std::mt19937_64 random(7);
  size_t intervals = 0, lost = 0;
  for (uint32_t blocks = 1; blocks < 40; ++blocks)
    for (int repeat = 0; repeat < 10; ++repeat) {
      const Function f = placed(random, blocks, c.guarded, c.exact);
      const Truth truth = walk(f, random, 50, c.loss);
      const std::vector<uint64_t> counters = countersOf(f, truth);
      const FunctionCounts counts = FlowSolver(f).counts(counters);
      EXPECT_EQ(counts.frames.lost, static_cast<double>(truth.lost));
      const FrameForms forms = FlowSolver(f).frameForms();
      double enteredSum = 0, lostSum = 0;
      for (size_t i = 0; i < counters.size(); ++i) {
        enteredSum += forms.entered[i] * static_cast<double>(counters[i]);
        lostSum += forms.lost[i] * static_cast<double>(counters[i]);
      }
      EXPECT_EQ(enteredSum, counts.frames.entered);
      EXPECT_EQ(lostSum, static_cast<double>(truth.lost));
      lost += truth.lost;
      std::vector<double> weights(f.blocks.size());
      double sum = 0;
      for (size_t b = 0; b < f.blocks.size(); ++b) {
        const auto real = static_cast<double>(truth.blocks[b]);
        weights[b] = static_cast<double>(random() % 10);
        sum += weights[b] * real;
        EXPECT_LE(counts.blocks[b].low, real) << "block " << b;
        EXPECT_GE(counts.blocks[b].high, real) << "block " << b;
        if (truth.lost == 0 || c.exact) {
          EXPECT_TRUE(counts.blocks[b].exact());
        }
        intervals += !counts.blocks[b].exact();
      }
      if (truth.lost == 0) {
        std::vector<double> halves;
        for (const uint64_t n : counters)
          halves.push_back(static_cast<double>(n) / 2);
        const FlowValues flow = FlowSolver(f).flow(halves);
        for (size_t b = 0; b < f.blocks.size(); ++b)
          EXPECT_EQ(flow.blocks[b], counts.blocks[b].value / 2) << "block " << b;
        for (size_t e = 0; e < f.edges.size(); ++e)
          EXPECT_EQ(flow.edges[e], counts.edges[e].value / 2) << "edge " << e;
      }
      const Count linear = FlowSolver(f).linear(weights).at(counters, counts.frames);
      EXPECT_LE(linear.low, sum);
      EXPECT_GE(linear.high, sum);
      if (truth.lost == 0 || c.exact) {
        EXPECT_DOUBLE_EQ(linear.value, sum);
      }
    }
  EXPECT_EQ(intervals > 0, c.loss > 0 && !c.exact);
  EXPECT_EQ(lost > 0, c.loss > 0);
}

INSTANTIATE_TEST_SUITE_P(Graphs, Derived,
                         testing::Values(Case{"plain", false, false, 0},
                                         Case{"guarded", true, false, 0},
                                         Case{"losing", true, false, 0.02},
                                         Case{"exact", true, true, 0.02}),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(FlowSolver, OneDoubtfulBlockIsExactEvenWhenFramesAreLost) {
  // entry 0 -> 1 (may cut) -> 2 -> leave: the only place where a frame can be lost is known.
  Function f;
  f.guarded = true;
  f.scopes.emplace_back();
  f.blocks.resize(3);
  f.blocks[1].mayNotReturn = true;
  f.edges = {{noIndex, 0, EdgeKind::entry, noIndex},
             {0, 1, EdgeKind::flow, noIndex},
             {1, 2, EdgeKind::flow, noIndex},
             {2, noIndex, EdgeKind::leave, noIndex}};
  const std::vector<double> cost(4, 1.0);
  ASSERT_TRUE(placeCounters(f, cost));
  ASSERT_EQ(f.counterCount, 2u);
  const std::vector<uint64_t> counters = {10, 7};
  const FunctionCounts counts = FlowSolver(f).counts(counters);
  EXPECT_EQ(counts.frames.lost, 3);
  const double expected[] = {10, 10, 7};
  for (size_t b = 0; b < 3; ++b) {
    EXPECT_EQ(counts.blocks[b].low, expected[b]);
    EXPECT_EQ(counts.blocks[b].high, expected[b]);
  }
}

TEST(FlowSolver, ABlockThatReturnsTwiceMayBeLeftMoreOftenThanEntered) {
  // setjmp: entered once, left three times; two of them end in the error arm.
  Function f;
  f.guarded = true;
  f.scopes.emplace_back();
  f.blocks.resize(4);
  f.blocks[1].returnsTwice = true;
  f.blocks[2].mayNotReturn = true;
  f.edges = {{noIndex, 0, EdgeKind::entry, noIndex},  {0, 1, EdgeKind::flow, noIndex},
             {1, 2, EdgeKind::flow, noIndex},         {2, 1, EdgeKind::flow, noIndex},
             {2, 3, EdgeKind::flow, noIndex},         {3, noIndex, EdgeKind::leave, noIndex},
             {noIndex, 1, EdgeKind::reentry, noIndex}};
  const std::vector<double> cost(7, 1.0);
  ASSERT_TRUE(placeCounters(f, cost));
  const Truth truth{{1, 1, 3, 0, 1, 1, 2}, {1, 1, 3, 1}};
  const FunctionCounts counts = FlowSolver(f).counts(countersOf(f, truth));
  EXPECT_EQ(counts.frames.lost, 2); // two calls in block 2 jumped back
  EXPECT_EQ(counts.edges[6].value, 2);
  EXPECT_EQ(counts.blocks[1].value, 1); // the extra arrivals are in its middle
  EXPECT_LE(counts.blocks[2].low, 3);
  EXPECT_GE(counts.blocks[2].high, 3);
}

TEST(FlowSolver, FramesInheritedThroughForkWidenTheChild) {
  Function f;
  f.guarded = true;
  f.scopes.emplace_back();
  f.blocks.resize(2);
  f.blocks[0].mayNotReturn = true;
  f.edges = {{noIndex, 0, EdgeKind::entry, noIndex},
             {0, 1, EdgeKind::flow, noIndex},
             {1, noIndex, EdgeKind::leave, noIndex}};
  const std::vector<double> cost(3, 1.0);
  ASSERT_TRUE(placeCounters(f, cost));
  // The parent was inside the call when it forked (entered 1, left 0); the child came back and
  // returned.
  const std::vector<uint64_t> child = {0, 1}, before = {1, 0};
  const FunctionCounts counts = FlowSolver(f).counts(child, before);
  EXPECT_EQ(counts.frames.inherited, 1);
  EXPECT_EQ(counts.frames.lost, 0);
  EXPECT_EQ(counts.blocks[0].value, 0);
  EXPECT_EQ(counts.blocks[1].value, 1);
}

TEST(Placement, CountsTheCheapestSetThatDeterminesTheRest) {
  // A diamond with a hot and a cold arm: two counters suffice, and no pair costs less than 1.
  Function f;
  f.scopes.emplace_back();
  f.blocks.resize(4);
  f.edges = {{noIndex, 0, EdgeKind::entry, noIndex}, {0, 1, EdgeKind::flow, noIndex},
             {0, 2, EdgeKind::flow, noIndex},        {1, 3, EdgeKind::flow, noIndex},
             {2, 3, EdgeKind::flow, noIndex},        {3, noIndex, EdgeKind::leave, noIndex}};
  const std::vector<double> cost = {1, 0.75, 0.25, 0.75, 0.25, 1};
  ASSERT_TRUE(placeCounters(f, cost));
  EXPECT_EQ(f.counterCount, 2u);
  double paid = 0;
  for (size_t e = 0; e < cost.size(); ++e)
    paid += f.edges[e].counter == noIndex ? 0 : cost[e];
  EXPECT_EQ(paid, 1);
}

TEST(Placement, PathWeightsAddUpToTheBlocksOfEveryWay) {
  std::mt19937_64 random(11);
  for (int graph = 0; graph < 300; ++graph) {
    Function f = test::randomFunction(random, 1 + graph % 20, graph % 3 == 1, graph % 3 == 2);
    std::vector<double> cost;
    for (size_t e = 0; e < f.edges.size(); ++e)
      cost.push_back(static_cast<double>(random() % 100));
    ASSERT_TRUE(placeCounters(f, cost));
    std::vector<uint64_t> weight;
    for (size_t b = 0; b < f.blocks.size(); ++b)
      weight.push_back(random() % 50);
    const std::vector<int64_t> worth = pathWeights(f, weight);
    for (int way = 0; way < 5; ++way) { // one call each
      const test::Truth truth = test::walk(f, random, 1, 0);
      const std::vector<uint64_t> counters = test::countersOf(f, truth);
      int64_t sum = 0, blocks = 0;
      for (size_t i = 0; i < counters.size(); ++i)
        sum += worth[i] * static_cast<int64_t>(counters[i]);
      for (size_t b = 0; b < weight.size(); ++b)
        blocks += static_cast<int64_t>(weight[b] * truth.blocks[b]);
      ASSERT_EQ(sum, blocks) << graph;
    }
  }
}

TEST(Placement, RefusesWhatCannotBeMeasured) {
  Function f;
  f.scopes.emplace_back();
  f.blocks.resize(2);
  f.edges = {{noIndex, 0, EdgeKind::entry, noIndex},
             {0, 1, EdgeKind::flow, noIndex},
             {1, 0, EdgeKind::flow, noIndex},
             {1, noIndex, EdgeKind::leave, noIndex}};
  const double never = std::numeric_limits<double>::infinity();
  const std::vector<double> cost = {1, never, never, 1};
  EXPECT_FALSE(placeCounters(f, cost));
}

} // namespace
} // namespace quincunx
