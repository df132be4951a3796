// How other probabilities and trips come about: of other runs or within runs, of loops alone or
// with what follows them; identities, and runs that were drawn so.
#include "FlowPrograms.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace quincunx;
using namespace quincunx::test;

TEST(FlowReadings, WhatIsDecidedOncePerRunWeightsTheRuns) {
  const std::vector<Map> maps = program();
  for (const uint64_t most : {uint64_t{1}, uint64_t{50}}) {
    Runs runs, really;
    double yes = 0, no = 0; // 60 of 300 runs are true, as long as the others
    for (size_t i = 0; i < 300; ++i) {
      const uint64_t n = 1 + (i / 5) % most;
      runs.push_back(i % 5 == 0 ? runWith(maps[0], i, n, 0) : runWith(maps[0], i, 0, n));
      (i % 5 == 0 ? yes : no) += static_cast<double>(n);
    }
    const auto a = ask(runs, {"p(branch prog.c:5) = 0.5"});
    ASSERT_TRUE(a) << a.error().text;
    EXPECT_NEAR(after(*a, "mean").value, (yes / 60 * 15 * 0.5 + no / 240 * 2 * 0.5), 1e-9);
    if (most == 1) { // two costs, no average run
      EXPECT_EQ(after(*a, "p90").value, 15);
      EXPECT_NEAR(after(*a, "sd").value, 6.5, 1e-9);
    }
    const auto doubled = ask(runs, {"p(branch prog.c:5) *= 2.5"});
    ASSERT_TRUE(doubled) << doubled.error().text;
    const auto all = ask(runs, {"p(branch prog.c:5) = 1"});
    ASSERT_TRUE(all) << all.error().text;
    EXPECT_NEAR(after(*all, "mean").value, yes / 60 * 15, 1e-9);
    for (size_t f = 0; f < a->figures.size(); ++f) {
      EXPECT_NEAR(doubled->figures[f].after.value, a->figures[f].after.value, 1e-9);
      EXPECT_LE(a->figures[f].after.trust.low, a->figures[f].after.value);
    }
    EXPECT_TRUE(std::isfinite(after(*a, "mean").trust.high));
  }
}

TEST(FlowReadings, TheProbabilityThatThereIsChangesNothing) {
  const auto modes = [](std::mt19937_64 &r) { return r() % 2 == 0 ? 0.1 : 0.9; };
  const auto upTo = [](std::mt19937_64 &r) { return 1 + r() % 40; };
  for (const Runs &runs : {draw(100, 1, fixed(1), always(0.3)),
                           draw(100, 1, fixed(60), always(0.3)), draw(100, 1, upTo, modes)}) {
    double trues = 0, all = 0;
    for (const quincunx::Run &run : runs) {
      trues += before(*ask({run}, {"cost(g) *= 1"}), "mean").value;
      all += run.features.at("n");
    }
    char change[64];
    std::snprintf(change, sizeof change, "p(branch prog.c:5) = %.17g",
                  (trues - 2 * all) / 13 / all);
    const auto a = ask(runs, {change});
    ASSERT_TRUE(a) << a.error().text;
    for (const Compared &c : a->figures) {
      EXPECT_NEAR(c.after.value, c.before.value, 1e-9 * c.before.value) << change << c.name;
      EXPECT_NEAR(c.difference.value, 0, 1e-9 * c.before.value);
    }
  }
}

TEST(FlowReadings, AStepOfAProbabilityIsTheProbabilityItLeadsTo) {
  const auto modes = [](std::mt19937_64 &r) { return r() % 2 == 0 ? 0.2 : 0.7; };
  const Runs runs = draw(200, 3, fixed(40), modes);
  const auto same = ask(runs, {"p(branch prog.c:5) += 0"});
  ASSERT_TRUE(same) << same.error().text;
  for (const Compared &c : same->figures) {
    EXPECT_NEAR(c.after.value, c.before.value, 1e-9 * c.before.value) << c.name;
    if (c.name == "mean" || c.name == "p50")
      EXPECT_NEAR(c.difference.trust.high - c.difference.trust.low, 0, 1e-9 * c.before.value);
  }
  // A true outcome costs 15, a false one 2.
  const double share = (before(*same, "mean").value / 40 - 2) / 13;
  for (const double step : {0.15, -0.15}) {
    char to[64], by[64];
    std::snprintf(to, sizeof to, "p(branch prog.c:5) = %.17g", share + step);
    std::snprintf(by, sizeof by, "p(branch prog.c:5) %s= 0.15", step > 0 ? "+" : "-");
    const auto a = ask(runs, {to}), b = ask(runs, {by});
    ASSERT_TRUE(a && b);
    for (const char *figure : {"mean", "sd", "p50", "p90"})
      EXPECT_NEAR(after(*b, figure).value / after(*a, figure).value, 1, 1e-6) << by << figure;
  }
  const auto beyond = ask(runs, {"p(branch prog.c:5) += 0.9"});
  ASSERT_FALSE(beyond);
  EXPECT_NE(beyond.error().text.find("the probability would be 1."), std::string::npos);
}

TEST(FlowReadings, TripsAreANumberForEachEntry) {
  const auto between = [](std::mt19937_64 &r) { return 10 + r() % 30; };
  const Runs runs = draw(400, 5, between, always(0.3));
  expectLike(ask(runs, {"trips(loop prog.c:4) = 30"}), draw(400, 6, fixed(30), always(0.3)), 0.15);
  const auto none = ask(runs, {"trips(loop prog.c:4) = 0"});
  ASSERT_TRUE(none);
  EXPECT_NEAR(after(*none, "mean").value, 0, 1e-9);
  const auto same = ask(draw(100, 7, fixed(20), always(0.3)), {"trips(loop prog.c:4) = 20"});
  ASSERT_TRUE(same);
  for (const Compared &c : same->figures)
    EXPECT_NEAR(c.after.value, c.before.value, 1e-9 * c.before.value) << c.name;
}

TEST(FlowReadings, ALoopOfOneIterationIsLikeThoseThatAreAskedFor) {
  // do { g(); if (c) break; } while (--n);
  const auto doWhile = [](Function &f) {
    f.name = "main";
    f.edges = {{noIndex, 0, EdgeKind::entry, 0}, {0, 3, EdgeKind::flow, noIndex},
               {3, 2, EdgeKind::flow, noIndex},  {2, 4, EdgeKind::flow, noIndex},
               {4, 3, EdgeKind::flow, 1},        {2, 5, EdgeKind::flow, 2},
               {4, 5, EdgeKind::flow, noIndex},  {5, noIndex, EdgeKind::leave, noIndex}};
    f.blocks[3].mix = {{InstructionClass::multiply, 1}};
    f.branches = {{2, false, {3, 5}, noIndex, noIndex, false, {5, 9, 0}},
                  {4, false, {4, 6}, noIndex, noIndex, false, {7, 9, 0}}};
    f.loops = {{3, noIndex, {1}, {4}, "", false, noIndex, {}, {4, 3, 0}}};
  };
  // Entries, ways back, breaks, calls of g.
  const std::vector<Map> maps = program();
  Runs once, often, never;
  for (uint64_t i = 0; i < 40; ++i) {
    const uint64_t n = 9 * (i + 10);
    once.push_back(runOf(std::to_string(i), maps[0], {n, 0, 0, n}));
    often.push_back(runOf(std::to_string(i), maps[0], {n, 2 * n, 0, 3 * n}));
    never.push_back(runOf(std::to_string(i), maps[0], {n, 0, n, n}));
  }
  const auto three = ask(once, {"trips(loop prog.c:4) = 3"}, {}, doWhile);
  const auto truth = ask(often, {"trips(loop prog.c:4) *= 1"}, {}, doWhile);
  ASSERT_TRUE(three) << three.error().text;
  ASSERT_TRUE(truth) << truth.error().text;
  for (const char *figure : {"mean", "p50", "sd"})
    EXPECT_NEAR(after(*three, figure).value, before(*truth, figure).value,
                1e-9 * before(*truth, figure).value)
        << figure;
  const auto one = ask(often, {"trips(loop prog.c:4) = 1"}, {}, doWhile);
  ASSERT_TRUE(one);
  EXPECT_NEAR(after(*one, "mean").value, before(*three, "mean").value, 1e-6);
  // Its trips are returns, of which there are none to multiply.
  const auto more = ask(once, {"trips(loop prog.c:4) *= 3"}, {}, doWhile);
  ASSERT_TRUE(more);
  EXPECT_NE(more->changes[0].effect.find("'= N' asks for N iterations"), std::string::npos);
  // Where none comes to its test nothing tells what follows it.
  const auto refused = ask(never, {"trips(loop prog.c:4) = 3"}, {}, doWhile);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("comes back in no run"), std::string::npos);
}

TEST(FlowReadings, AnArmThatNeverComesBackIsRefused) {
  const auto throws = [](Function &f) {
    f.edges[7] = {4, noIndex, EdgeKind::stop, 2};
    f.loops[0].backEdges = {6};
  };
  const std::vector<Map> maps = program();
  Runs runs;
  for (size_t i = 0; i < 100; ++i)
    runs.push_back(runWith(maps[0], i, 10 + i % 7, i % 3 == 0));
  const auto other = ask(runs, {"p(branch prog.c:5) = 0.5"}, {}, throws);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().text.find("never comes back"), std::string::npos) << other.error().text;
  const auto same = ask(runs, {"p(branch prog.c:5) *= 1"}, {}, throws);
  ASSERT_TRUE(same) << same.error().text;
}

TEST(FlowReadings, HowDeepCallsGoIsOpen) {
  const auto callsItself = [](Function &f) { f.calls[0].callee = "work"; };
  const std::vector<Map> maps = program();
  Runs runs; // four outcomes a call, so that one in four leads to another call, or nearly
  for (size_t i = 0; i < 60; ++i) {
    const uint64_t calls = 20 + i % 13;
    runs.push_back(runOf(std::to_string(i), maps[0], {calls, calls - 1, 3 * calls + 1, 0}));
  }
  const auto a = ask(runs, {"p(branch prog.c:5) = 0.1"}, {}, callsItself);
  ASSERT_TRUE(a) << a.error().text;
  EXPECT_TRUE(std::any_of(a->notes.begin(), a->notes.end(),
                          [](const Note &n) { return n.kind == "recursion"; }));
  for (const Compared &c : a->figures) {
    EXPECT_FALSE(std::isfinite(c.after.trust.low) || std::isfinite(c.after.trust.high)) << c.name;
    EXPECT_FALSE(std::isfinite(c.difference.trust.low)) << c.name;
  }
  const auto same = ask(runs, {"p(branch prog.c:5) *= 1"}, {}, callsItself);
  ASSERT_TRUE(same) << same.error().text;
  EXPECT_TRUE(std::isfinite(after(*same, "mean").trust.high));
  const auto endless = ask(runs, {"trips(loop prog.c:4) *= 2"}, {}, callsItself);
  ASSERT_FALSE(endless);
  EXPECT_NE(endless.error().text.find("would never end"), std::string::npos)
      << endless.error().text;
  WhatIfOptions options;
  options.variable = "x";
  options.points = {0.1, 0.2};
  const auto swept = ask(runs, {"p(branch prog.c:5) = x"}, options, callsItself);
  ASSERT_FALSE(swept);
  EXPECT_NE(swept.error().text.find("sweep"), std::string::npos) << swept.error().text;
}

TEST(FlowReadings, RunsInBetweenAreWeightedAndMoved) {
  // Runs of two kinds, each with both outcomes: the other kind becomes more frequent.
  const auto modes = [](double often) {
    return [often](std::mt19937_64 &r) {
      return static_cast<double>(r() >> 11) * 0x1p-53 < often ? 0.9 : 0.1;
    };
  };
  expectLike(ask(draw(2000, 1, fixed(60), modes(0.3)), {"p(branch prog.c:5) = 0.58"}),
             draw(2000, 2, fixed(60), modes(0.6)), 0.05, false);
  // Independent outcomes of rare sides: none of the runs is of a kind.
  expectLike(ask(draw(2000, 1, fixed(60), always(0.02)), {"p(branch prog.c:5) = 0.5"}),
             draw(2000, 2, fixed(60), always(0.5)), 0.05);
}

TEST(FlowReadings, ASideThatNeverRanIsRefused) {
  const Runs runs = draw(30, 1, fixed(60), always(0));
  const auto a = ask(runs, {"p(branch prog.c:5) = 0.5"});
  ASSERT_FALSE(a);
  EXPECT_NE(a.error().text.find("in no run was the branch true"), std::string::npos)
      << a.error().text;
  const auto none = ask(runs, {"p(branch prog.c:5) = 0"});
  ASSERT_TRUE(none) << none.error().text;
  EXPECT_EQ(after(*none, "mean").value, before(*none, "mean").value);
  // One run of a side says what that is like, not how far it can be trusted.
  Runs one = draw(50, 1, fixed(1), always(0));
  one[7] = runWith(program()[0], 7, 1, 0);
  const auto open = ask(one, {"p(branch prog.c:5) = 0.5"});
  ASSERT_TRUE(open) << open.error().text;
  EXPECT_NEAR(after(*open, "mean").value, 8.5, 1e-9);
  EXPECT_TRUE(std::isinf(after(*open, "mean").trust.high));
}

namespace {

/// for (i = 0; i < n; ++i) for (j = 0; j < m; ++j) B;  Blocks: 0 entry, 1 outer test, 2 inner test,
/// 3 B, 4 end of an outer iteration, 5 exit. Counters: entries, inner ways back, outer ones.
Function nested() {
  Function f = looping();
  f.blocks[2] = {};
  f.blocks[3] = {{{InstructionClass::load, 1}}, {{6, 1, 0}}};
  f.blocks[4] = {{{InstructionClass::add, 1}}, {{7, 1, 0}}};
  f.edges[6].to = 2;
  f.loops = {{1, noIndex, {1}, {7}, "", false, noIndex, {}, {4, 3, 0}},
             {2, 0, {2}, {6}, "", false, noIndex, {}, {5, 3, 0}}};
  f.calls.clear();
  return f;
}

/// `inner`: the trips of the inner loop as an expression; empty: the code does not tell.
Result<WhatIfAnswer> askNested(const std::vector<std::pair<uint64_t, uint64_t>> &trips,
                               const std::vector<std::string> &texts,
                               const std::string &inner = "") {
  Function code = nested();
  code.loops[1].trips = inner;
  const std::vector<Map> maps{mapOf({code})};
  CountMatrixBuilder builder(maps, trips.size());
  for (size_t d = 0; d < trips.size(); ++d)
    EXPECT_TRUE(
        builder.add(runOf(std::to_string(d), maps[0], {1, trips[d].second, trips[d].first})));
  const Result<CountMatrix> matrix = builder.finish();
  const Result<Machine> machine = parseMachine(costs, "test.machine");
  std::vector<Change> changes;
  for (const std::string &text : texts)
    changes.push_back(*parseChange(text));
  return whatIf(BlockCosts(*matrix, maps, *machine), *machine, changes, {});
}

} // namespace

TEST(FlowReadings, InnerLoopsGrowWithTheOuterOneTheyFollow) {
  std::vector<std::pair<uint64_t, uint64_t>> runs, doubled;
  for (uint64_t n = 20; n < 80; n += 2) { // for (j = 0; j < i; ++j)
    runs.emplace_back(n, n * (n - 1) / 2);
    doubled.emplace_back(2 * n, n * (2 * n - 1));
  }
  const auto a = askNested(runs, {"trips(loop prog.c:4) *= 2"});
  const auto really = askNested(doubled, {"cost(work) *= 1"});
  ASSERT_TRUE(a && really);
  for (const char *figure : {"mean", "p50", "p90", "sd"})
    EXPECT_NEAR(after(*a, figure).value / before(*really, figure).value, 1, 0.01) << figure;
  EXPECT_TRUE(std::any_of(a->notes.begin(), a->notes.end(),
                          [](const Note &n) { return n.kind == "growth"; }));
  const auto same = askNested(runs, {"trips(loop prog.c:4) *= 1"});
  EXPECT_NEAR(after(*same, "mean").value, before(*same, "mean").value, 1e-9);
  // Who changes both loops has said what the inner one does.
  const auto both = askNested(runs, {"trips(loop prog.c:4) *= 2", "trips(loop prog.c:5) *= 2"});
  EXPECT_NEAR(after(*both, "mean").value / before(*really, "mean").value, 1, 0.03);
  // Without what the code says, it may be the inputs: intervals hold iterations that stay as they
  // were, too.
  EXPECT_LT(after(*a, "mean").trust.low, 2.2 * before(*a, "mean").value);
  // Inner trips that are drawn have nothing to do with the outer ones.
  std::mt19937_64 random(3);
  for (auto &[n, m] : runs)
    m = n * (10 + random() % 20);
  const auto drawn = askNested(runs, {"trips(loop prog.c:4) *= 2"});
  EXPECT_NEAR(after(*drawn, "mean").value, 2 * before(*drawn, "mean").value, 1e-9);
}

TEST(FlowReadings, WhatFollowsALoopFollowsItsTripsPerEntry) {
  std::vector<std::pair<uint64_t, uint64_t>> constant, longer;
  for (uint64_t n = 20; n < 80; n += 2) {
    constant.emplace_back(n, 64 * n); // entered more often, never longer
    longer.emplace_back(n, n * n);    // an n by n table
  }
  const auto a = askNested(constant, {"trips(loop prog.c:5) *= 2"});
  ASSERT_TRUE(a);
  EXPECT_FALSE(a->figures.front().along);
  const auto b = askNested(longer, {"trips(loop prog.c:5) *= 2"});
  ASSERT_TRUE(b);
  double mean = 0; // twice as wide: twice as high
  for (const auto &[n, m] : longer)
    mean += static_cast<double>(2 * n * 2 + 4 * m * 10) / static_cast<double>(longer.size());
  for (const Compared &c : b->figures)
    if (c.name == "mean") {
      ASSERT_TRUE(c.along);
      EXPECT_NEAR(*c.along / mean, 1, 1e-6);
      EXPECT_LE(c.after.trust.low, c.after.value);
      EXPECT_GE(c.after.trust.high, *c.along);
    }
  // So many in all runs is another factor in each: all of them are as wide and as high.
  const auto fixed = askNested(longer, {"trips(loop prog.c:5) = 50"});
  ASSERT_TRUE(fixed);
  for (const Compared &c : fixed->figures)
    if (c.name == "mean") {
      ASSERT_TRUE(c.along);
      EXPECT_NEAR(*c.along / (50 * 2 + 50 * 50 * 10), 1, 0.05);
    }
}

TEST(FlowReadings, HalfOfTheRunsLeaveTheMedianOnEitherSide) {
  // A flag decides all outcomes of a run: cheap runs and dear ones, of which each shall be a half.
  const std::vector<Map> maps = program();
  Runs runs;
  for (size_t i = 0; i < 200; ++i)
    runs.push_back(i < 60 ? runWith(maps[0], i, 40, 0) : runWith(maps[0], i, 0, 40));
  const auto a = ask(runs, {"p(branch prog.c:5) = 0.5"});
  ASSERT_TRUE(a) << a.error().text;
  EXPECT_LE(after(*a, "p50").trust.low, 40 * 2);
  EXPECT_GE(after(*a, "p50").trust.high, 40 * 15);
  EXPECT_EQ(after(*a, "p90").value, 40 * 15);
}

TEST(FlowReadings, OneSideMayHaveHadSmallerInputsOnly) {
  // Dear runs cost the square of n; those that were recorded did not get far.
  const std::vector<Map> maps = program();
  const auto asked = [&](uint64_t most) {
    Runs runs;
    for (uint64_t i = 0; i < 200; ++i) {
      const uint64_t n = i % 5 == 0 ? 1 + i * most / 200 : 1 + i;
      runs.push_back(i % 5 == 0 ? runWith(maps[0], i, n * n, 0) : runWith(maps[0], i, 0, n));
      runs.back().features["n"] = static_cast<double>(n);
    }
    return ask(runs, {"p(branch prog.c:5) = 0.9999"});
  };
  const auto hasNote = [](const WhatIfAnswer &a) {
    return std::any_of(a.notes.begin(), a.notes.end(),
                       [](const Note &n) { return n.kind == "sides"; });
  };
  const auto a = asked(50), reaches = asked(200);
  ASSERT_TRUE(a && reaches);
  EXPECT_TRUE(hasNote(*a));
  EXPECT_TRUE(std::isinf(after(*a, "mean").trust.high));
  EXPECT_TRUE(std::isfinite(after(*a, "mean").trust.low));
  EXPECT_FALSE(hasNote(*reaches));
  EXPECT_TRUE(std::isfinite(after(*reaches, "mean").trust.high));
}

TEST(FlowReadings, AnArmMayDecideElsewhere) {
  // True outcomes cost 15 like false ones, and each leads to 20 calls of g by others.
  const std::vector<Map> maps = program();
  Runs runs, twice;
  std::mt19937_64 random(4);
  for (size_t i = 0; i < 200; ++i) {
    uint64_t trues = 0;
    for (int t = 0; t < 100; ++t)
      trues += random() % 5 == 0;
    runs.push_back(runOf(std::to_string(i), maps[0], {1, trues, 100 - trues, 20 * trues}));
    twice.push_back(runOf(std::to_string(i), maps[0], {1, 2 * trues, 100 - 2 * trues, 40 * trues}));
  }
  const auto sameArms = [](Function &f) {
    f.calls.clear();
    f.blocks[4] = f.blocks[3];
  };
  const auto a = ask(runs, {"p(branch prog.c:5) *= 2"}, {}, sameArms);
  const auto really = ask(twice, {"cost(g) *= 1"}, {}, sameArms);
  ASSERT_TRUE(a && really);
  EXPECT_TRUE(std::any_of(a->notes.begin(), a->notes.end(),
                          [](const Note &n) { return n.kind == "elsewhere"; }));
  EXPECT_LE(after(*a, "mean").trust.low, before(*a, "mean").value);
  EXPECT_GE(after(*a, "mean").trust.high, before(*really, "mean").value * (1 - 1e-9));
}

TEST(FlowReadings, NotAllRunsHaveOnePower) {
  // In a fifth of the runs what stands outside of the loop grows as the square.
  std::vector<std::pair<uint64_t, uint64_t>> runs, longer;
  std::mt19937_64 random(5);
  for (size_t i = 0; i < 300; ++i) {
    const uint64_t m = 20 + random() % 400, more = i % 5 == 0 ? 1 : 0;
    const auto outer = [more](uint64_t n) { return 1 + n + more * n * n / 4; };
    runs.emplace_back(outer(m), outer(m) * m);
    longer.emplace_back(outer(3 * m), outer(3 * m) * 3 * m);
  }
  const auto a = askNested(runs, {"trips(loop prog.c:5) *= 3"});
  const auto really = askNested(longer, {"cost(work) *= 1"});
  ASSERT_TRUE(a && really);
  EXPECT_GE(after(*a, "mean").trust.high, before(*really, "mean").value);
}

TEST(FlowReadings, WhetherIterationsGrowIsToldByTheCode) {
  std::vector<std::pair<uint64_t, uint64_t>> squares, triangles;
  for (uint64_t n = 20; n < 80; n += 2) {
    squares.emplace_back(n, n * n);
    triangles.emplace_back(n, n * (n - 1) / 2);
  }
  // for (j = 0; j < n; ++j): rows are longer in runs that have more, and stay as long.
  const auto square = askNested(squares, {"trips(loop prog.c:4) *= 3"}, "n");
  ASSERT_TRUE(square);
  EXPECT_NEAR(after(*square, "mean").value / before(*square, "mean").value, 3, 0.05);
  // for (j = 0; j < i; ++j)
  const auto triangle = askNested(triangles, {"trips(loop prog.c:4) *= 3"}, "(0 + 1 * i0)");
  ASSERT_TRUE(triangle);
  EXPECT_GT(after(*triangle, "mean").value / before(*triangle, "mean").value, 8);
  EXPECT_GT(after(*triangle, "mean").trust.low, 5 * before(*triangle, "mean").value);
  // What was computed before the inner loop may have been so in the outer one.
  const auto computed = askNested(squares, {"trips(loop prog.c:4) *= 3"}, "@4");
  ASSERT_TRUE(computed);
  EXPECT_LT(after(*computed, "mean").trust.low, 3 * before(*computed, "mean").value);
}

TEST(FlowReadings, TripsThatHardlyDifferSayNothingOfThreeTimesAsMany) {
  std::vector<std::pair<uint64_t, uint64_t>> runs;
  for (uint64_t n = 1000; n < 1060; n += 2) // 6 %, and rows that are 25 times as much longer
    runs.emplace_back(n, static_cast<uint64_t>(10000 * std::pow(n / 1000.0, 26)));
  const auto a = askNested(runs, {"trips(loop prog.c:4) *= 3"});
  ASSERT_TRUE(a);
  EXPECT_NEAR(after(*a, "mean").value / before(*a, "mean").value, 3, 0.05);
}

TEST(FlowReadings, WhatIsMeantIsSaidInSentences) {
  const Runs runs = draw(20, 3, fixed(5), always(0.3));
  const auto loop = ask(runs, {"trips(loop prog.c:4) *= 1"});
  const auto copies = ask(runs, {"trips(loop prog.c:4) *= 1"}, {},
                          [](Function &f) { f.loops.push_back(f.loops[0]); });
  ASSERT_TRUE(loop && copies);
  EXPECT_EQ(loop->changes[0].effect, "the loop is entered 1 time per run and comes back 5 times");
  EXPECT_EQ(copies->changes[0].effect,
            "2 loops there are entered 2 times per run and come back 10 times");
}
