// Changes of probabilities, trips and sizes against programs that are known: by hand where the flow
// fixes the answer, and against runs that were drawn with the other probability or trips.
#include "FlowPrograms.h"

#include <algorithm>
#include <cmath>

using namespace quincunx;
using namespace quincunx::test;

TEST(FlowChanges, AProbabilityMovesTheExpectedFlowAndItsCallees) {
  const std::vector<Map> maps = program();
  const Runs runs{runWith(maps[0], 0, 10, 30), runWith(maps[0], 1, 25, 75),
                  runWith(maps[0], 2, 12, 36)};
  const auto a = ask(runs, {"p(branch prog.c:5) = 0.5"});
  ASSERT_TRUE(a) << a.error().text;
  EXPECT_NEAR(after(*a, "mean").value, (40 + 100 + 48) / 3.0 * (0.5 * 15 + 0.5 * 2), 1e-9);
  const double mean = (40 + 100 + 48) / 3.0;
  const double between = (40 * 40 + 100 * 100 + 48 * 48) / 3.0 - mean * mean;
  // All true shares are just a quarter: far too regular for independent outcomes.
  EXPECT_EQ(a->notes.front().kind, "dispersion");
  EXPECT_NEAR(after(*a, "sd").value, 8.5 * std::sqrt(between), 1e-9);
}

TEST(FlowChanges, TripsMoveTheBodyAndNotTheTest) {
  const std::vector<Map> maps = program();
  const Runs runs{runWith(maps[0], 0, 10, 30), runWith(maps[0], 1, 20, 70)};
  const auto a = ask(runs, {"trips(loop prog.c:4) *= 3"});
  ASSERT_TRUE(a) << a.error().text;
  EXPECT_NEAR(after(*a, "mean").value, 3 * (15 * 15.0 + 50 * 2.0), 1e-9);
  // With the loop test at 1 as well, there is one more test than trips.
  const auto test =
      ask(runs, {"cost(lines prog.c:6-7) *= 0", "cost(g) *= 0", "trips(loop prog.c:4) *= 3"});
  ASSERT_TRUE(test);
  EXPECT_NEAR(after(*test, "mean").value, 0, 1e-9);
}

TEST(FlowChanges, ChangesOfTheFlowTakeEffectOneAfterTheOther) {
  const std::vector<Map> maps = program();
  const Runs runs{runWith(maps[0], 0, 10, 30), runWith(maps[0], 1, 20, 70)};
  const auto a =
      ask(runs, {"trips(loop prog.c:4:3) *= 2", "p(branch prog.c:5:9) = 1", "cost(g) = 1"});
  ASSERT_TRUE(a) << a.error().text;
  EXPECT_NEAR(after(*a, "mean").value, 2 * (40 + 90) / 2.0 * 6, 1e-9);
}

TEST(FlowChanges, AProbabilityThatDrivesTheLoopChangesItsTrips) {
  const std::vector<Map> maps = program();
  const Runs runs{runWith(maps[0], 0, 6, 3), runWith(maps[0], 1, 6, 3)};
  // Nine trips and one end: p = 0.9. With 0.5 there is one trip for an end.
  const auto a = ask(runs, {"p(branch prog.c:4) = 0.5"});
  ASSERT_TRUE(a) << a.error().text;
  EXPECT_NEAR(after(*a, "mean").value, (2 * 15 + 2) / 3.0, 1e-9);
  const auto never = ask(runs, {"p(branch prog.c:4) = 1"});
  ASSERT_FALSE(never);
  EXPECT_NE(never.error().text.find("a loop would never end"), std::string::npos);
  const auto two = ask(runs, {"p(branch prog.c:4) *= 2"});
  ASSERT_FALSE(two);
  EXPECT_NE(two.error().text.find("the probability would be 1.8"), std::string::npos);
}

// What a factor leaves of the spread between runs is a difference of two variances, which is known
// to factor^2 sqrt(2/D) of the first: deviations below are three standard errors of that.
TEST(FlowChanges, IndependentOutcomesAreDrawnAnew) {
  const Runs runs = draw(2000, 1, fixed(60), always(0.3));
  expectLike(ask(runs, {"p(branch prog.c:5) = 0.6"}), draw(2000, 2, fixed(60), always(0.6)), 0.05);
  expectLike(ask(runs, {"p(branch prog.c:5) *= 2"}), draw(2000, 2, fixed(60), always(0.6)), 0.16);
  expectLike(ask(runs, {"trips(loop prog.c:4) *= 2"}), draw(2000, 3, fixed(120), always(0.3)), 0.1);
  expectLike(ask(runs, {"trips(loop prog.c:4) *= 4"}), draw(2000, 3, fixed(240), always(0.3)),
             0.19);
  // Of so few trips percentiles are a lattice.
  expectLike(ask(runs, {"trips(loop prog.c:4) *= 0.25"}), draw(2000, 3, fixed(15), always(0.3)),
             0.05, false);
}

TEST(FlowChanges, IntervalsHoldBothWaysInWhichSharesOfRunsChange) {
  // Longer runs have a larger share, as of what is found in a cache that fills.
  Runs runs;
  const std::vector<Map> maps = program();
  for (uint64_t i = 1; i <= 100; ++i)
    runs.push_back(runWith(maps[0], i, 20 * i - 20, 20));
  const auto noted = [](const WhatIfAnswer &a) {
    return std::ranges::any_of(a.notes, [](const Note &n) { return n.kind == "weighted"; });
  };
  WhatIfOptions inside;
  inside.withinRuns = true;
  const auto a = ask(runs, {"p(branch prog.c:5) = 0.985"});
  const auto b = ask(runs, {"p(branch prog.c:5) = 0.985"}, inside);
  ASSERT_TRUE(a && b);
  EXPECT_TRUE(noted(*a));
  EXPECT_FALSE(noted(*b));
  EXPECT_GT(std::fabs(after(*a, "mean").value / after(*b, "mean").value - 1), 0.01);
  for (size_t f = 0; f < a->figures.size(); ++f) {
    EXPECT_LE(a->figures[f].after.trust.low, b->figures[f].after.trust.low);
    EXPECT_GE(a->figures[f].after.trust.high, b->figures[f].after.trust.high);
    EXPECT_LE(a->figures[f].difference.trust.low, b->figures[f].difference.value);
  }
  // Runs of one kind or the other are a mix.
  const auto kinds = [](std::mt19937_64 &r) { return r() % 2 == 0 ? 0.0 : 1.0; };
  const auto mix = ask(draw(200, 5, fixed(60), kinds), {"p(branch prog.c:5) = 0.6"});
  ASSERT_TRUE(mix);
  EXPECT_FALSE(noted(*mix));
  const auto isOfOne = [](const WhatIfAnswer &answer, const std::string &each) {
    return std::ranges::any_of(answer.notes, [&](const Note &n) {
      return n.kind == "one-outcome" && n.text.starts_with(each);
    });
  };
  EXPECT_TRUE(isOfOne(*mix, "runs"));
  EXPECT_FALSE(isOfOne(*a, ""));
  WhatIfOptions requests;
  requests.observed = "request";
  const auto ofRequests =
      ask(draw(200, 5, fixed(60), kinds), {"p(branch prog.c:5) = 0.6"}, requests);
  ASSERT_TRUE(ofRequests);
  EXPECT_TRUE(isOfOne(*ofRequests, "requests"));
  for (const std::string &text : {ofRequests->changes[0].effect, ofRequests->changes[0].assumption})
    EXPECT_EQ(text.find(" run"), std::string::npos) << text;
}

TEST(FlowChanges, WhatDiffersBetweenRunsIsScaled) {
  // p is 0.1 or 0.4 with equal chances.
  const auto p = [](double factor) {
    return [factor](std::mt19937_64 &r) { return factor * (r() % 2 == 0 ? 0.1 : 0.4); };
  };
  const Runs runs = draw(2000, 1, fixed(60), p(1));
  expectLike(ask(runs, {"p(branch prog.c:5) *= 2"}), draw(2000, 2, fixed(60), p(2)), 0.05, false);
  expectLike(ask(runs, {"trips(loop prog.c:4) *= 4"}), draw(2000, 3, fixed(240), p(1)), 0.06,
             false);
}

TEST(FlowChanges, OutcomesThatAreNotIndependentAreSaidFirst) {
  // Exactly one third, whatever the trips: scaling is all that can be done, and right here.
  const std::vector<Map> maps = program();
  Runs runs, really;
  std::mt19937_64 random(4);
  for (size_t i = 0; i < 300; ++i) {
    const uint64_t n = 10 + random() % 20;
    runs.push_back(runWith(maps[0], i, n, 2 * n));
    really.push_back(runWith(maps[0], i, 2 * n, n));
  }
  const auto a = ask(runs, {"p(branch prog.c:5) *= 2"});
  ASSERT_TRUE(a);
  EXPECT_EQ(a->notes.front().kind, "dispersion");
  EXPECT_NE(a->notes.front().text.find("phi = 0"), std::string::npos);
  expectLike(a, really, 1e-9, false);
}

TEST(FlowChanges, ASweepOfTheFlowIsAnAnswerPerPoint) {
  const Runs runs = draw(50, 1, fixed(60), always(0.3));
  for (const std::string text : {"p(branch prog.c:5) = ", "trips(loop prog.c:4) *= "}) {
    WhatIfOptions options;
    options.variable = "x";
    options.points = {0, 0.25, 1};
    const auto swept = ask(runs, {"cost(g) *= x", text + "x"}, options);
    ASSERT_TRUE(swept) << swept.error().text;
    for (const SweepPoint &point : swept->points) {
      const std::string x = std::to_string(point.x);
      const auto one = ask(runs, {"cost(g) *= " + x, text + x});
      ASSERT_TRUE(one) << one.error().text;
      for (size_t f = 0; f < point.after.size(); ++f)
        EXPECT_NEAR(point.after[f], one->figures[f].after.value,
                    1e-6 * std::fabs(point.after[f]) + 1e-9)
            << text << x << " " << one->figures[f].name;
    }
  }
}

TEST(FlowChanges, SizesOutsideTheProfileFollowALaw) {
  const auto upTo = [](std::mt19937_64 &r) { return 100 + r() % 901; };
  const Runs runs = draw(1000, 1, upTo, always(0.3));
  const auto a = ask(runs, {"size(n) = 2000"});
  expectLike(a, draw(2000, 2, fixed(2000), always(0.3)), 0.25, false);
  const IntervalEstimate &mean = after(*a, "mean");
  EXPECT_LT(mean.trust.low, mean.value);
  EXPECT_GT(mean.trust.high, mean.value);
  EXPECT_LT(mean.trust.high - mean.trust.low, 0.05 * mean.value);
  EXPECT_TRUE(std::any_of(a->notes.begin(), a->notes.end(),
                          [](const Note &n) { return n.kind == "size-law"; }));
  ASSERT_EQ(a->growth.loops.size(), 1u);
  EXPECT_EQ(a->growth.loops[0].law.text("n"), "1 + 1 n");
  EXPECT_TRUE(a->growth.loops[0].holds);
  EXPECT_EQ(a->growth.loops[0].at.line, 4u);
  EXPECT_TRUE(a->growth.branches.empty()) << "0.3 at all sizes";
  expectLike(
      ask(runs, {"size(n) *= 3"}),
      draw(1000, 3, [&](std::mt19937_64 &r) { return 3 * upTo(r); }, always(0.3)), 0.1, false);
  // True as often whatever the size, as where the first iterations decide it.
  Runs first = runs;
  for (size_t i = 0; i < first.size(); ++i)
    first[i] = runWith(program()[0], i, 50, 50 + i % 851);
  const auto drifting = ask(first, {"size(n) = 2000"});
  ASSERT_TRUE(drifting) << drifting.error().text;
  ASSERT_EQ(drifting->growth.branches.size(), 1u);
  EXPECT_EQ(drifting->growth.branches[0].at.line, 5u);
  EXPECT_GT(drifting->growth.branches[0].small, 2 * drifting->growth.branches[0].large);
  // A table that is full at 400.
  Runs full = runs;
  std::mt19937_64 random(4);
  for (size_t i = 0; i < full.size(); ++i) {
    const uint64_t n = upTo(random);
    full[i] = runWith(program()[0], i, std::min<uint64_t>(n, 400), 0);
    full[i].features["n"] = static_cast<double>(n);
  }
  const auto refused = ask(full, {"size(n) = 4000"});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("no size law holds"), std::string::npos)
      << refused.error().text;
}

TEST(FlowChanges, CallsThroughPointersCostWhatNobodyCalledByName) {
  std::mt19937_64 random(1);
  Runs runs;
  const auto mapWith = [](const std::string &callee) {
    Function work = looping();
    work.calls.push_back({4, callee, false, {7, 5, 0}});
    return mapOf({work, leaf("g"), leaf("h")});
  };
  for (size_t i = 0; i < 60; ++i) {
    const uint64_t trues = 20 + random() % 20, falses = 20 + random() % 50;
    runs.push_back(runOf(std::to_string(i), mapWith("h"), {1, trues, falses, trues, falses}));
  }
  const auto answer = [&](const std::string &callee, const char *change) {
    const std::vector<Map> maps{mapWith(callee)};
    CountMatrixBuilder builder(maps, runs.size());
    for (const quincunx::Run &run : runs)
      EXPECT_TRUE(builder.add(run));
    const Result<CountMatrix> matrix = builder.finish();
    const Result<Machine> machine = parseMachine(costs, "test.machine");
    return whatIf(BlockCosts(*matrix, maps, *machine), *machine, {*parseChange(change)}, {});
  };
  for (const char *change : {"trips(loop prog.c:4) *= 3", "p(branch prog.c:5) *= 0.5"}) {
    const auto byName = answer("h", change), byPointer = answer("", change);
    ASSERT_TRUE(byName) << byName.error().text;
    ASSERT_TRUE(byPointer) << byPointer.error().text;
    EXPECT_GT(std::fabs(after(*byName, "mean").value / before(*byName, "mean").value - 1), 0.04);
    for (size_t f = 0; f < byName->figures.size(); ++f)
      EXPECT_NEAR(byPointer->figures[f].after.value, byName->figures[f].after.value,
                  1e-9 * byName->figures[f].after.value)
          << change << " " << byName->figures[f].name;
  }
}

TEST(FlowChanges, PointersThatCountsTellApartCostWhatTheyCall) {
  // One arm calls `cheap`, the other `dear`, each once or four times, by name or through a pointer.
  const auto mapWith = [](bool byName) {
    Function work = looping(), dear = leaf("dear");
    work.calls = {{3, byName ? "g" : "", false, {6, 5, 0}},
                  {4, byName ? "dear" : "", false, {7, 5, 0}}};
    dear.blocks[0].mix[0].count = 50;
    return mapOf({work, leaf("g"), dear});
  };
  std::mt19937_64 random(1);
  Runs runs;
  for (size_t i = 0; i < 60; ++i) {
    const uint64_t trues = 20 + random() % 20, falses = 20 + random() % 50;
    runs.push_back(runOf(std::to_string(i), mapWith(true), {1, trues, falses, trues, falses}));
  }
  const auto answer = [&](bool byName, size_t used) {
    const std::vector<Map> maps{mapWith(byName)};
    CountMatrixBuilder builder(maps, used);
    for (size_t i = 0; i < used; ++i)
      EXPECT_TRUE(builder.add(runs[i]));
    const Result<CountMatrix> matrix = builder.finish();
    const Result<Machine> machine = parseMachine(costs, "test.machine");
    return whatIf(BlockCosts(*matrix, maps, *machine), *machine,
                  {*parseChange("p(branch prog.c:5) *= 0.5")}, {});
  };
  const auto want = answer(true, 60), got = answer(false, 60);
  ASSERT_TRUE(want && got);
  for (size_t f = 0; f < want->figures.size(); ++f)
    EXPECT_NEAR(got->figures[f].after.value, want->figures[f].after.value,
                1e-6 * want->figures[f].after.value);
  // Four runs cannot tell: the interval holds it, and it is said.
  const auto few = answer(false, 4), truth = answer(true, 4);
  ASSERT_TRUE(few && truth);
  EXPECT_LE(after(*few, "mean").trust.low, after(*truth, "mean").value);
  EXPECT_GE(after(*few, "mean").trust.high, after(*truth, "mean").value);
}

TEST(FlowChanges, CallsThroughPointersAreSaid) {
  const Runs runs = draw(50, 1, fixed(60), always(0.3));
  const auto said = [](const WhatIfAnswer &a) {
    return std::any_of(a.notes.begin(), a.notes.end(), [](const Note &n) {
      return n.kind == "pointers" && n.text.starts_with("work calls through pointers");
    });
  };
  const auto known = ask(runs, {"trips(loop prog.c:4) *= 2"});
  const auto unknown = ask(runs, {"trips(loop prog.c:4) *= 2"}, {},
                           [](Function &f) { f.calls.push_back({4, "", false, {7, 5, 0}}); });
  ASSERT_TRUE(known && unknown);
  EXPECT_FALSE(said(*known));
  EXPECT_TRUE(said(*unknown));
}

TEST(FlowChanges, AnArmIsNamedByTheLineItLeadsTo) {
  const Runs runs = draw(50, 1, fixed(60), always(0.3));
  const auto unsure = [](Function &f) {
    for (Branch &b : f.branches)
      b.senseKnown = false;
  };
  const auto yes = ask(runs, {"p(branch prog.c:5) = 0.8"});
  ASSERT_TRUE(yes);
  for (const auto &answer : {ask(runs, {"p(branch prog.c:5 to line 6) = 0.8"}),
                             ask(runs, {"p(branch prog.c:5 to line 7) = 0.2"}),
                             ask(runs, {"p(branch prog.c:5:9 to line 6) = 0.8"}, {}, unsure)}) {
    ASSERT_TRUE(answer);
    EXPECT_NEAR(answer->figures[0].after.value, yes->figures[0].after.value, 1e-9);
  }
  const auto refused = ask(runs, {"p(branch prog.c:5) = 0.8"}, {}, unsure);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("it is not known which arm of the branch at prog.c:5 is true "
                                      "(chapter 17); say where it leads: 'p(branch prog.c:5 to "
                                      "line 6)', 'p(branch prog.c:5 to line 7)'"),
            std::string::npos)
      << refused.error().text;
  const auto nowhere = ask(runs, {"p(branch prog.c:5 to line 4) = 0.8"});
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().text.find("leads to line 4"), std::string::npos);
}

TEST(FlowChanges, BranchesOfOnePlaceAreNotOneBranch) {
  const Runs runs = draw(5, 1, fixed(6), always(0.3));
  const auto both = ask(runs, {"p(branch prog.c:5) = 0.8"}, {},
                        [](Function &f) { f.branches[0].at = f.branches[1].at; });
  ASSERT_FALSE(both);
  EXPECT_NE(both.error().text.find("several conditions stand at prog.c:5"), std::string::npos);
}

TEST(FlowChanges, PlacesThatMeanNothingAreErrors) {
  const Runs runs = draw(5, 1, fixed(6), always(0.3));
  struct Case {
    const char *change, *says;
  };
  const Case cases[] = {
      {"p(branch prog.c:6) = 0.5",
       "no branch of two arms on prog.c:6 in what ran; the nearest is on line 5"},
      {"p(branch prog.c:5:1) = 0.5", "no branch of two arms on prog.c:5:1"},
      {"trips(loop prog.c:5) *= 2", "no loop on prog.c:5"},
      {"trips(loop prg.c:4) *= 2", "no function of the corpus comes from"},
      {"size(m) = 5", "did you mean 'n'?"},
      {"size(n) = 500",
       "have fewer than 8 runs within 15 %, and a size law needs at least 20 runs, "
       "there are 5; 8 runs of n from 425 to 575 would do (5 runs have n"},
      {"size(n) *= 2", "8 runs of n from 10.2 to 13.8 would do"},
  };
  for (const Case &c : cases) {
    const auto a = ask(runs, {c.change});
    ASSERT_FALSE(a) << c.change;
    EXPECT_NE(a.error().text.find(c.says), std::string::npos) << a.error().text;
  }
}

TEST(FlowChanges, SizesInsideTheProfileAreThoseOfTheRunsNearby) {
  const auto upTo = [](uint64_t low, uint64_t high) {
    return [=](std::mt19937_64 &r) { return low + r() % (high - low + 1); };
  };
  const Runs runs = draw(2000, 1, upTo(100, 1000), always(0.3));
  expectLike(ask(runs, {"size(n) = 400"}), draw(2000, 2, fixed(400), always(0.3)), 0.1);
  const Runs wide = draw(2000, 5, upTo(500, 1000), always(0.3));
  Runs small = draw(1000, 6, upTo(240, 500), always(0.3));
  Runs both = wide;
  both.insert(both.end(), small.begin(), small.end());
  expectLike(
      ask(both, {"size(n) *= 0.98"}),
      [&] {
        return draw(
            3000, 7,
            [&](std::mt19937_64 &r) { return r() % 3 == 0 ? 235 + r() % 256 : 490 + r() % 491; },
            always(0.3));
      }(),
      0.1);
}
