// Shares of the variance, of p99 and of the tail, against matrices where they are known by hand.
#include "Explained.h"

#include "quincunx/map/FunctionGroups.h"

#include <cmath>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

double sum(const std::vector<Shares> &all, double Shares::*which) {
  double s = 0;
  for (const Shares &x : all)
    s += x.*which;
  return s;
}

size_t lineAt(const Explained &e, const std::string &file, uint32_t line) {
  for (size_t l = 0; l < e.lines.size(); ++l)
    if (e.lines[l].file == "/src/dir/" + file && e.lines[l].line == line)
      return l;
  ADD_FAILURE() << "no line " << file << ":" << line;
  return 0;
}

/// Two maps, lost frames, unequal weights.
Told everything(const std::string &machine, std::pair<size_t, double> scale = {0, 1},
                size_t runs = 60) {
  static const std::vector<Map> maps{mapOf({loopWithBranch("f"), guardedCall("g", 0)}),
                                     mapOf({loopWithBranch("h")}, 2, "/lib/other.so")};
  std::vector<quincunx::Run> all;
  std::vector<double> weights;
  std::mt19937_64 random(5);
  for (size_t i = 0; i < runs; ++i) {
    const uint64_t a = random() % 1000, b = random() % 7, calls = 5 + random() % 50;
    all.push_back(runOf("r" + std::to_string(i), maps[0], {1, a, b, calls, calls - random() % 2}));
    if (i % 2 == 0)
      all.back().images.push_back(runOf("", maps[1], {1, a / 2, b}).images[0]);
    weights.push_back(i % 3 == 0 ? 2 : 1);
  }
  return told(maps, all, machineOf(machine), weights, scale);
}

constexpr const char *constantMachine = "construct 1\nmultiply 2";
constexpr const char *randomMachine = "add 1\nload moments(4, 9, 1, 5)\nmultiply 2";

} // namespace

TEST(Explain, SharesOfTheVarianceByHand) {
  // f costs 3a, g costs 3c: variances 9 and 36 that do not go along.
  const std::vector<Map> maps = twoFunctions();
  const auto runs = runsOf(maps, {{0, 0, 0, 0}, {2, 0, 0, 0}, {0, 0, 4, 0}, {2, 0, 4, 0}});
  const Explained e = told(maps, runs, machineOf("multiply 1")).e;
  EXPECT_DOUBLE_EQ(e.variance, 45);
  EXPECT_DOUBLE_EQ(e.functionShares[0].variance, 0.2);
  EXPECT_DOUBLE_EQ(e.functionShares[1].variance, 0.8);
  EXPECT_DOUBLE_EQ(e.functionShares[0].mean, 1.0 / 3);
  EXPECT_EQ(e.within, 0);
  // Block A stands on two lines.
  EXPECT_DOUBLE_EQ(e.lineShares[lineAt(e, "prog.c", 5)].variance, 0.1);
  EXPECT_DOUBLE_EQ(e.lineShares[lineAt(e, "other.c", 6)].variance, 0.4);
  EXPECT_EQ(e.lineShares[lineAt(e, "prog.c", 4)].variance, 0);
  ASSERT_EQ(e.loops.size(), 2u);
  EXPECT_DOUBLE_EQ(e.loops[0].variance, 0.2);
  EXPECT_DOUBLE_EQ(e.loops[1].mean, 2.0 / 3);
  EXPECT_DOUBLE_EQ(e.loops[1].repeats, 2);
}

TEST(Explain, CodeOfOthersIsPartOfTheLineThatCallsIt) {
  // Line 5 calls what g's A and B do, where the loop and its branch are, too; line 8 has more code
  // that it calls, and a second loop.
  std::vector<Map> maps = twoFunctions();
  Function &g = maps[0].functions[1];
  g.blocks[2].lines = {{5, 2, 0, true}, {5, 2, 0, true}};
  g.blocks[3].lines = {{5, 2, 0}, {5, 2, 0, true}, {8, 2, 0, true}};
  g.blocks[4].lines = {{8, 2, 0, true}};
  g.loops[0].at = {5, 2, 0, true};
  g.loops.push_back(g.loops[0]); // what was nested in it, with less of the cost
  g.loops[1].header = 3;
  g.loops[1].backEdges = {6};
  const auto runs = runsOf(maps, {{0, 0, 0, 1}, {2, 0, 0, 2}, {0, 0, 4, 2}, {2, 0, 4, 3}});
  const Explained e = told(maps, runs, machineOf("multiply 1")).e;
  EXPECT_DOUBLE_EQ(e.lineShares[lineAt(e, "other.c", 5)].variance, 0.8);
  const Contrast &slowest = e.slowest[0].contrast;
  EXPECT_EQ(slowest.lines[lineAt(e, "other.c", 5)].executed, 3); // B's, of its own
  EXPECT_EQ(slowest.lines[lineAt(e, "other.c", 8)].executed, 3);
  ASSERT_EQ(e.loops.size(), 2u);
  EXPECT_FALSE(e.loops[0].at.called);
  EXPECT_TRUE(e.loops[1].at.called);
  EXPECT_DOUBLE_EQ(e.loops[1].variance, 0.8);
}

TEST(Explain, WhatIsRandomInARunIsAShareOfItsOwn) {
  // Given the run, f has the variance 6a, g 6c; in the mean 6 and 12.
  const std::vector<Map> maps = twoFunctions();
  const auto runs = runsOf(maps, {{0, 0, 0, 0}, {2, 0, 0, 0}, {0, 0, 4, 0}, {2, 0, 4, 0}});
  const Explained e = told(maps, runs, machineOf("multiply moments(1, 2, 0, 3)")).e;
  EXPECT_DOUBLE_EQ(e.variance, 63);
  EXPECT_NEAR(e.variance, e.observed.program.moments.variance, 1e-12 * e.variance);
  EXPECT_DOUBLE_EQ(e.within, 18.0 / 63);
  EXPECT_DOUBLE_EQ(e.functionShares[0].variance, 15.0 / 63);
  EXPECT_DOUBLE_EQ(e.functionShares[0].within, 6.0 / 63);
  EXPECT_DOUBLE_EQ(e.functionShares[1].variance, 48.0 / 63);
  EXPECT_NEAR(e.lineShares[lineAt(e, "other.c", 5)].within, 6.0 / 63, 1e-15);
}

TEST(Explain, AFunctionThatOffsetsOthersHasANegativeShare) {
  const std::vector<Map> maps = twoFunctions();
  const Explained e =
      told(maps, runsOf(maps, {{0, 0, 1, 0}, {2, 0, 0, 0}}), machineOf("multiply 1")).e;
  EXPECT_DOUBLE_EQ(e.functionShares[0].variance, 2);
  EXPECT_DOUBLE_EQ(e.functionShares[1].variance, -1);
}

TEST(Explain, LargeCountsDoNotDrownTheirSpread) {
  const uint64_t much = 1'000'000'000'000;
  const std::vector<Map> maps = twoFunctions();
  const Explained e = told(maps,
                           runsOf(maps, {{much, 0, much, 0},
                                         {much + 2, 0, much, 0},
                                         {much, 0, much + 4, 0},
                                         {much + 2, 0, much + 4, 0}}),
                           machineOf("multiply 1"))
                          .e;
  EXPECT_NEAR(e.functionShares[0].variance, 0.2, 1e-12);
  EXPECT_NEAR(e.functionShares[1].variance, 0.8, 1e-12);
}

TEST(Explain, SharesAddUpToOne) {
  for (const char *machine : {constantMachine, randomMachine}) {
    const Explained e = everything(machine).e;
    EXPECT_NEAR(sum(e.functionShares, &Shares::variance), 1, 1e-12);
    EXPECT_NEAR(sum(e.functionShares, &Shares::within), e.within, 1e-12);
    EXPECT_NEAR(sum(e.functionShares, &Shares::mean), 1, 1e-12);
    EXPECT_NEAR(sum(e.functionShares, &Shares::p99), 1, 1e-9);
    EXPECT_NEAR(e.variance, e.observed.program.moments.variance, 1e-9 * e.variance);
    double difference = 0;
    for (const Contrast::Item &i : e.tail.contrast.functions)
      difference += i.share;
    EXPECT_NEAR(difference, 1, 1e-12);
  }
}

TEST(Explain, ElasticitiesAreWhatAChangeOfCostsDoes) {
  for (size_t f = 0; f < 3; ++f) {
    const double step = 1e-4;
    const Explained at = everything(constantMachine).e,
                    up = everything(constantMachine, {f, 1 + step}).e,
                    down = everything(constantMachine, {f, 1 - step}).e;
    const auto slope = [&](double high, double low) {
      return (std::log(high) - std::log(low)) / (std::log1p(step) - std::log1p(-step));
    };
    EXPECT_NEAR(at.functionShares[f].p99, slope(up.p99, down.p99), 1e-6) << f;
  }
}

TEST(Explain, ElasticitiesOfRandomCostsNearlyAre) {
  // The share of a part at a place of the mixture is exact for normal laws, and these nearly are.
  for (size_t f = 0; f < 3; ++f) {
    const double step = 0.01;
    const Explained at = everything(randomMachine).e,
                    up = everything(randomMachine, {f, 1 + step}).e;
    const double slope = std::log(up.p99 / at.p99) / std::log1p(step);
    EXPECT_NEAR(at.functionShares[f].p99, slope, 0.02) << f;
  }
}

TEST(Explain, ABranchExplainsWhatItDecided) {
  // Twelve times round in every run, by A in some: the loop decides nothing, its branch all.
  const std::vector<Map> maps = twoFunctions();
  std::vector<std::array<uint64_t, 4>> counts;
  for (const uint64_t a : {0, 3, 7, 1, 12, 5, 2, 9, 4, 8})
    counts.push_back({a, 12 - a, 2 * a, 0}); // g costs twice as much, and goes round as often
  const Explained e = told(maps, runsOf(maps, counts), machineOf("multiply 1")).e;
  ASSERT_EQ(e.branches.size(), 1u);
  EXPECT_EQ(e.branches[0].at.file, "/src/dir/prog.c");
  EXPECT_EQ(e.branches[0].at.line, 4u);
  EXPECT_TRUE(e.branches[0].isSwitch);
  EXPECT_EQ(e.branches[0].arm, 0u) << "the arm with more cost";
  EXPECT_EQ(e.branches[0].target, 5u);
  EXPECT_NEAR(e.branches[0].explains, 1, 1e-12);
  EXPECT_NEAR(e.branches[0].each, 9, 1e-9) << "3 in f, 6 in g";
  EXPECT_DOUBLE_EQ(e.branches[0].evaluated, 13);
  EXPECT_DOUBLE_EQ(e.branches[0].taken, 5.1);
  EXPECT_EQ(e.loops[0].explains, 0);
  EXPECT_NEAR(e.loops[1].explains, 1, 1e-12) << "in g it is the loop that decides";
}

TEST(Explain, AFixedShareOfEvaluationsExplainsNothing) {
  const std::vector<Map> maps = twoFunctions();
  std::vector<std::array<uint64_t, 4>> counts;
  for (const uint64_t n : {1, 30, 7, 12, 5, 9, 40, 3})
    counts.push_back({n, n, 0, 0});
  const Explained e = told(maps, runsOf(maps, counts), machineOf("multiply 1")).e;
  EXPECT_NEAR(e.loops[0].explains, 1, 1e-12);
  // Arms A and B are half of n - 1 evaluations, and the third is the loop's end.
  EXPECT_TRUE(e.branches.empty());
}

TEST(Explain, ChanceExplainsNothing) {
  // The branch of f goes as it likes, and costs nothing either way; g makes the cost.
  std::vector<Map> maps = twoFunctions();
  for (Block &b : maps[0].functions[0].blocks)
    b.mix.clear();
  size_t named = 0, found = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<std::array<uint64_t, 4>> unrelated, related;
    for (int d = 0; d < 30; ++d) {
      const uint64_t a = random() % 21, c = random() % 100;
      unrelated.push_back({a, 20 - a, c, 0});
      related.push_back({a, 20 - a, c + 10 * a, 0});
    }
    named += !told(maps, runsOf(maps, unrelated), machineOf("multiply 1")).e.branches.empty();
    found += !told(maps, runsOf(maps, related), machineOf("multiply 1")).e.branches.empty();
  }
  EXPECT_LE(named, 15u) << "in one program of twenty";
  EXPECT_EQ(found, 200u);
}

TEST(Explain, WhatRoundingLeavesIsNoFinding) {
  // A switch of three arms, of which the last is taken never, or three times in every run. It is
  // known as a difference of counters, and the means of those are rounded.
  Function f;
  f.name = "f";
  f.counterCount = 3;
  f.files = {{"/src/dir/prog.c", {}}};
  f.scopes = {{noIndex, "f", 0, 3, 0, 0}};
  f.blocks.resize(5);
  f.blocks[0] = {{}, {{3, 1, 0}}};
  f.blocks[1] = {{{InstructionClass::multiply, 1}}, {{4, 1, 0}}};
  f.blocks[2] = {{{InstructionClass::multiply, 1}}, {{5, 1, 0}}};
  f.blocks[3] = {{}, {{6, 1, 0}}};
  f.edges = {{noIndex, 0, EdgeKind::entry, 0}, {0, 1, EdgeKind::flow, 1},
             {0, 2, EdgeKind::flow, 2},        {0, 3, EdgeKind::flow, noIndex},
             {1, 4, EdgeKind::flow, noIndex},  {2, 4, EdgeKind::flow, noIndex},
             {3, 4, EdgeKind::flow, noIndex},  {4, noIndex, EdgeKind::leave, noIndex}};
  f.branches = {{0, true, {1, 2, 3}, noIndex, noIndex, false, {3, 1, 0}}};
  const std::vector<Map> maps{mapOf({f})};
  for (const uint64_t rare : {0, 3})
    for (unsigned seed = 0; seed < 50; ++seed) {
      std::mt19937_64 random(seed);
      std::vector<quincunx::Run> runs;
      std::vector<double> weights;
      for (int d = 0; d < 30; ++d) {
        const uint64_t a = d % 5 == 0 ? 1 + random() % 1000 : 0,
                       b = d % 5 == 0 ? (random() % 1000) << (seed % 3 * 15) : 0;
        runs.push_back(runOf("r" + std::to_string(d), maps[0], {a + b + rare, a, b}));
        weights.push_back(1 + 0.1 * static_cast<double>(random() % 7));
      }
      const Explained e = told(maps, runs, machineOf("multiply 1"), weights).e;
      for (const BranchShares &b : e.branches)
        EXPECT_NE(b.arm, 2u) << b.each << " for each of " << b.taken << ", seed " << seed;
      const Contrast::Item &line = e.tail.contrast.lines[lineAt(e, "prog.c", 6)];
      EXPECT_NEAR(line.executed, static_cast<double>(rare), 1e-3);
      if (rare == 0)
        EXPECT_EQ(line.executed, 0) << seed;
    }
}

TEST(Explain, TheTailIsWhatTheCostliestDo) {
  const std::vector<Map> maps = twoFunctions();
  std::vector<std::array<uint64_t, 4>> counts;
  for (uint64_t d = 0; d < 60; ++d)
    counts.push_back({d < 5 ? 100 + d : 0, 0, 10, 0});
  const Explained e = told(maps, runsOf(maps, counts), machineOf("multiply 1")).e;
  EXPECT_EQ(e.tail.runs, (std::vector<size_t>{4, 3, 2, 1, 0}));
  EXPECT_EQ(e.tail.from, 330);
  EXPECT_DOUBLE_EQ(e.tail.contrast.cost, 306 + 30);
  EXPECT_DOUBLE_EQ(e.tail.contrast.rest, 30);
  const Contrast::Item &f = e.tail.contrast.functions[0], &g = e.tail.contrast.functions[1];
  EXPECT_DOUBLE_EQ(f.share, 1);
  EXPECT_DOUBLE_EQ(f.cost, 306);
  EXPECT_DOUBLE_EQ(f.executed, 1);
  EXPECT_NEAR(g.share, 0, 1e-15);
  EXPECT_DOUBLE_EQ(g.rest, 30);
  const Contrast::Item &line = e.tail.contrast.lines[lineAt(e, "prog.c", 5)];
  EXPECT_DOUBLE_EQ(line.executed, 102);
  EXPECT_DOUBLE_EQ(line.executedRest, 0);
  EXPECT_DOUBLE_EQ(line.share, 0.5);
  ASSERT_EQ(e.slowest.size(), 5u);
  EXPECT_EQ(e.slowest[0].run, 4u);
  EXPECT_DOUBLE_EQ(e.slowest[0].contrast.functions[0].cost, 312);
  EXPECT_DOUBLE_EQ(e.slowest[0].contrast.rest, 30);
}

TEST(Explain, HowManyRunsAreATail) {
  const std::vector<Map> maps = twoFunctions();
  const auto tail = [&](uint64_t runs, uint64_t alike) {
    std::vector<std::array<uint64_t, 4>> counts;
    for (uint64_t d = 0; d < runs; ++d)
      counts.push_back({std::min(d, runs - alike), 0, 0, 0});
    return told(maps, runsOf(maps, counts), machineOf("multiply 1")).e.tail.runs.size();
  };
  EXPECT_EQ(tail(9, 1), 0u);
  EXPECT_EQ(tail(10, 1), 1u);
  EXPECT_EQ(tail(49, 1), 4u);
  EXPECT_EQ(tail(300, 1), 5u);
  EXPECT_EQ(tail(1000, 1), 10u);
  EXPECT_EQ(tail(100, 20), 20u) << "runs of one cost are taken all";
  EXPECT_EQ(tail(100, 60), 0u) << "or not at all";
}

TEST(Explain, RunsThatWereStoppedAreInTheTail) {
  const std::vector<Map> maps = twoFunctions();
  std::vector<std::array<uint64_t, 4>> counts;
  for (uint64_t d = 0; d < 20; ++d)
    counts.push_back({d, 0, 0, 0});
  std::vector<quincunx::Run> runs = runsOf(maps, counts);
  runs[3].outcome = Outcome::timedOut;
  const Explained e = told(maps, runs, machineOf("multiply 1")).e;
  EXPECT_EQ(e.tail.runs, (std::vector<size_t>{3, 19}));
}

TEST(Explain, ARunStandsForItsWeight) {
  const std::vector<Map> maps = twoFunctions();
  const Explained thrice =
      told(maps, runsOf(maps, {{0, 0, 0, 0}, {2, 0, 0, 0}, {2, 0, 0, 0}, {2, 0, 0, 0}}),
           machineOf("multiply 1"))
          .e;
  const Explained weighted =
      told(maps, runsOf(maps, {{0, 0, 0, 0}, {2, 0, 0, 0}}), machineOf("multiply 1"), {1, 3}).e;
  EXPECT_DOUBLE_EQ(weighted.variance, thrice.variance);
  EXPECT_DOUBLE_EQ(weighted.functionShares[0].mean, 1);
  EXPECT_DOUBLE_EQ(weighted.loops[0].repeats, 1.5);
  EXPECT_EQ(weighted.median, 1u);
}

TEST(Explain, CallsOfWhatWasNotCountedAreListed) {
  std::vector<Map> maps = twoFunctions();
  maps[0].functions[0].calls = {{2, "write", false, {}, {}}, {0, "g", false, {}, {}}};
  maps[0].functions[1].calls = {{2, "write", false, {}, {}}, {3, "never", false, {}, {}}};
  const Explained e =
      told(maps, runsOf(maps, {{1, 0, 2, 0}, {3, 0, 6, 0}}), machineOf("multiply 1")).e;
  ASSERT_EQ(e.uncounted.size(), 1u);
  EXPECT_EQ(e.uncounted[0].name, "write");
  EXPECT_DOUBLE_EQ(e.uncounted[0].calls, 6);
  EXPECT_EQ(e.uncounted[0].caller, 1u);
}

TEST(Explain, EveryRunTheSame) {
  const std::vector<Map> maps = twoFunctions();
  const std::vector<std::array<uint64_t, 4>> counts(30, {3, 1, 4, 1});
  const Explained e = told(maps, runsOf(maps, counts), machineOf("multiply 1")).e;
  EXPECT_EQ(e.variance, 0);
  EXPECT_EQ(e.functionShares[0].variance, 0);
  EXPECT_NEAR(e.functionShares[0].mean, 3.0 / 7, 1e-14);
  EXPECT_NEAR(e.functionShares[0].p99, 3.0 / 7, 1e-12);
  EXPECT_TRUE(e.tail.runs.empty());
  EXPECT_TRUE(e.slowest.empty());
  EXPECT_TRUE(e.branches.empty());
}

TEST(Explain, GroupsOfRunsAndWhatTellsThemApart) {
  const std::vector<Map> maps = twoFunctions();
  std::vector<std::array<uint64_t, 4>> counts;
  for (uint64_t d = 0; d < 80; ++d)
    counts.push_back({d < 50 ? 0u : 1000 + d, 0, 100 + d % 7, 0});
  std::vector<quincunx::Run> runs = runsOf(maps, counts);
  for (size_t d = 0; d < runs.size(); ++d)
    runs[d].features["size"] = static_cast<double>(d);
  runs[79].outcome = Outcome::timedOut;
  const Explained e = told(maps, runs, machineOf("multiply 1")).e;
  ASSERT_EQ(e.groups.size(), 2u);
  const Cluster &low = e.groups[0], &high = e.groups[1];
  EXPECT_EQ(low.runs.size(), 50u);
  EXPECT_EQ(high.runs.size(), 29u) << "runs that were stopped are in no group";
  EXPECT_NEAR(low.share, 50.0 / 79, 1e-12);
  EXPECT_EQ(low.low, 300);
  EXPECT_EQ(low.high, 318);
  EXPECT_EQ(low.features.at("size").high, 49);
  EXPECT_EQ(high.features.at("size").low, 50);
  EXPECT_EQ(high.features.at("size").median, 64);
  EXPECT_EQ(high.features.at("size").runs, 29u);
  EXPECT_TRUE(low.contrast.functions.empty());
  EXPECT_NEAR(high.contrast.functions[0].share, 1, 1e-2);
  EXPECT_DOUBLE_EQ(high.contrast.functions[0].cost, 3 * 1064);
  // f: mean 3192, and within the second group a deviation of 3 sqrt((29^2 - 1)/12), in the first 0.
  EXPECT_NEAR(high.apart[0], 3192 / (3 * std::sqrt(70.0 / 2)), 1e-9);
  EXPECT_LT(std::abs(high.apart[1]), 0.5);
}

namespace {

/// f with g inlined on B, and on A `inner`, of which nothing else is left; and g.
std::vector<Map> inlinedFunctions() {
  Function f = loopWithBranch("f"), g = loopWithBranch("g", 3);
  f.scopes.push_back({0, "inner", 0, 28, 5, 1});
  f.scopes.push_back({0, "g", 0, 3, 7, 1});
  f.blocks[2].lines = {{30, 1, 1}, {5, 1, 0}};
  f.blocks[3].lines = {{7, 1, 2}};
  return {mapOf({f, g})};
}

std::vector<quincunx::Run> runsOfInlined(const std::vector<Map> &maps) {
  std::vector<quincunx::Run> runs;
  for (uint64_t i = 0; i < 40; ++i)
    runs.push_back(runOf("r" + std::to_string(i), maps[0], {1, i, 7 * (i % 3), 1, 3, i % 5}));
  return runs;
}

void expectRowsAddUp(const Explained &e) {
  EXPECT_NEAR(sum(e.functionShares, &Shares::variance), 1, 1e-12);
  EXPECT_NEAR(sum(e.functionShares, &Shares::within), e.within, 1e-12);
  EXPECT_NEAR(sum(e.functionShares, &Shares::mean), 1, 1e-12);
  EXPECT_NEAR(sum(e.functionShares, &Shares::p99), 1, 1e-9);
  double difference = 0;
  for (const Contrast::Item &i : e.tail.contrast.functions)
    difference += i.share;
  EXPECT_NEAR(difference, 1, 1e-12);
}

} // namespace

TEST(Explain, RowsAreFunctionsOfTheSource) {
  const std::vector<Map> maps = inlinedFunctions();
  for (const char *machine : {"multiply 4\nadd 1\nload 2", "multiply moments(4, 9, 1, 5)\nadd 1"}) {
    const Told t = told(maps, runsOfInlined(maps), machineOf(machine));
    const Explained &e = t.e;
    ASSERT_EQ(e.functions.size(), 3u);
    EXPECT_EQ(e.functions[1].name, "g");
    EXPECT_EQ(e.functions[2].name, "inner");
    EXPECT_EQ(e.functions[2].line, 28u);
    EXPECT_GT(e.functionShares[2].variance, 0.05);
    EXPECT_DOUBLE_EQ(e.functionShares[2].mean, e.lineShares[lineAt(e, "prog.c", 30)].mean);
    expectRowsAddUp(e);
  }
}

TEST(Explain, AGroupOfCodeOfOthersIsOneRow) {
  std::vector<Map> maps = inlinedFunctions();
  groupFunctions(maps, [](const Scope &own, const std::string &) {
    return own.function == "f" ? FunctionGroup{} : FunctionGroup{"others", true};
  });
  const Machine machine = machineOf("multiply 4\nadd 1\nload 2");
  const Explained e = told(maps, runsOfInlined(maps), machine).e;
  ASSERT_EQ(e.functions.size(), 2u);
  EXPECT_EQ(e.functions[1].name, "others");
  EXPECT_EQ(e.functions[1].members, (std::vector<std::string>{"g", "inner"}));
  expectRowsAddUp(e);
  EXPECT_FALSE(e.totals.functions[1]) << "it would be that of all who are called back";
  size_t lines = 0;
  for (const SourceLine &line : e.lines)
    lines += line.foreign;
  EXPECT_EQ(lines, 1u);
}

TEST(Explain, UnfoldedRowsAreThePartsOfAGroup) {
  std::vector<Map> maps = inlinedFunctions();
  groupFunctions(maps, [](const Scope &own, const std::string &) {
    return own.function == "f" ? FunctionGroup{} : FunctionGroup{"both", false};
  });
  const Machine machine = machineOf("multiply 4\nadd 1\nload 2");
  const Explained folded = told(maps, runsOfInlined(maps), machine).e,
                  each = told(maps, runsOfInlined(maps), machine, {}, {0, 1}, false).e;
  ASSERT_EQ(folded.functions.size(), 2u);
  ASSERT_EQ(each.functions.size(), 3u);
  for (const auto share : {&Shares::variance, &Shares::mean, &Shares::p99})
    EXPECT_NEAR(folded.functionShares[1].*share,
                each.functionShares[1].*share + each.functionShares[2].*share, 1e-12);
  ASSERT_TRUE(folded.totals.functions[1]);
  EXPECT_NEAR(folded.totals.functions[1]->mean, folded.functionShares[1].mean, 1e-12);
}
