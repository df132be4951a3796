// Changes of probabilities, trips and sizes against programs that are known: by hand where the flow
// fixes the answer, and against runs that were drawn with the other probability or trips.
#include "quincunx/estimate/WhatIf.h"

#include "Synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

using Runs = std::vector<quincunx::Run>;

/// for (i = 0; i < n; ++i) if (c) g(); else B;  Blocks: 0 entry, 1 loop test, 2 branch, 3 calls g,
/// 4 B, 5 exit. Counters: entries, ways back from 3 and from 4.
Function looping() {
  Function f = loopWithBranch("work");
  f.blocks.assign(6, {});
  f.blocks[3] = {{{InstructionClass::multiply, 1}}, {{6, 1, 0}}};
  f.blocks[4] = {{{InstructionClass::add, 1}}, {{7, 1, 0}}};
  f.edges = {{noIndex, 0, EdgeKind::entry, 0},
             {0, 1, EdgeKind::flow, noIndex},
             {1, 2, EdgeKind::flow, noIndex},
             {1, 5, EdgeKind::flow, noIndex},
             {2, 3, EdgeKind::flow, noIndex},
             {2, 4, EdgeKind::flow, noIndex},
             {3, 1, EdgeKind::flow, 1},
             {4, 1, EdgeKind::flow, 2},
             {5, noIndex, EdgeKind::leave, noIndex}};
  f.branches = {{1, false, {2, 3}, noIndex, noIndex, false, {4, 8, 0}},
                {2, false, {4, 5}, noIndex, noIndex, false, {5, 9, 0}}};
  f.loops = {{1, noIndex, {1}, {6, 7}, "", false, noIndex, {}, {4, 3, 0}}};
  f.calls = {{3, "g", false, {6, 5, 0}}};
  return f;
}

/// One block that costs a load, with a counter.
Function leaf(const std::string &name) {
  Function f = loopWithBranch(name);
  f.counterCount = 1;
  f.blocks.assign(1, {{{InstructionClass::load, 1}}, {{20, 1, 0}}});
  f.edges = {{noIndex, 0, EdgeKind::entry, 0}, {0, noIndex, EdgeKind::leave, noIndex}};
  return f;
}

std::vector<Map> program() { return {mapOf({looping(), leaf("g")})}; }

quincunx::Run runWith(const Map &map, size_t i, uint64_t trues, uint64_t falses) {
  quincunx::Run run = runOf(std::to_string(i), map, {1, trues, falses, trues});
  run.features["n"] = static_cast<double>(trues + falses);
  return run;
}

/// D runs; `n` trips and probability `p` of each run.
Runs draw(size_t d, uint64_t seed, const std::function<uint64_t(std::mt19937_64 &)> &n,
          const std::function<double(std::mt19937_64 &)> &p) {
  static const std::vector<Map> maps = program();
  std::mt19937_64 random(seed);
  Runs runs;
  for (size_t i = 0; i < d; ++i) {
    const uint64_t trips = n(random);
    const double share = p(random);
    uint64_t trues = 0;
    for (uint64_t t = 0; t < trips; ++t)
      trues += static_cast<double>(random() >> 11) * 0x1p-53 < share;
    runs.push_back(runWith(maps[0], i, trues, trips - trues));
  }
  return runs;
}

auto fixed(uint64_t n) {
  return [n](std::mt19937_64 &) { return n; };
}
auto always(double p) {
  return [p](std::mt19937_64 &) { return p; };
}

const char *const costs = "multiply 5\nadd 2\nload 10"; // true: 15 with g, false: 2

Result<WhatIfAnswer> ask(const Runs &runs, const std::vector<std::string> &texts,
                         WhatIfOptions options = {},
                         const std::function<void(Function &)> &edit = {}) {
  std::vector<Map> maps = program();
  if (edit)
    edit(maps[0].functions[0]);
  std::vector<Change> changes;
  for (const std::string &text : texts) {
    const Result<Change> change = parseChange(text);
    EXPECT_TRUE(change) << text;
    changes.push_back(*change);
  }
  CountMatrixBuilder builder(maps, runs.size());
  for (const quincunx::Run &run : runs)
    EXPECT_TRUE(builder.add(run));
  const Result<CountMatrix> matrix = builder.finish();
  EXPECT_TRUE(matrix);
  const Result<Machine> machine = parseMachine(costs, "test.machine");
  return whatIf(BlockCosts(*matrix, maps, *machine), *machine, changes, options);
}

const IntervalEstimate &before(const WhatIfAnswer &a, const std::string &name) {
  for (const Compared &c : a.figures)
    if (c.name == name)
      return c.before;
  std::abort();
}
const IntervalEstimate &after(const WhatIfAnswer &a, const std::string &name) {
  for (const Compared &c : a.figures)
    if (c.name == name)
      return c.after;
  std::abort();
}

/// The answer about some runs must be what runs of the other kind are like; percentiles of laws
/// that are nearly normal within four standard errors.
void expectLike(const Result<WhatIfAnswer> &a, const Runs &really, double deviation,
                bool normal = true) {
  ASSERT_TRUE(a) << a.error().text;
  const Result<WhatIfAnswer> truth = ask(really, {"cost(g) *= 1"});
  ASSERT_TRUE(truth);
  const double sd = before(*truth, "sd").value, d = static_cast<double>(really.size());
  const double unit = sd * std::sqrt(1 / a->afterRuns + 1 / d);
  EXPECT_NEAR(after(*a, "mean").value, before(*truth, "mean").value, 4 * unit + 1e-9);
  EXPECT_NEAR(after(*a, "sd").value / sd, 1, deviation);
  struct Level {
    const char *name;
    double z, error; ///< of a normal law: where it is, its standard error times sqrt(D)
  };
  for (const auto &[name, z, error] :
       {Level{"p50", 0, 1.25}, Level{"p90", 1.28, 1.71}, Level{"p99", 2.33, 3.73}})
    if (normal)
      EXPECT_NEAR(after(*a, name).value, before(*truth, name).value,
                  4 * error * unit + z * deviation * sd)
          << name;
}

} // namespace

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

TEST(FlowChanges, WhatIsDecidedOncePerRunWeightsTheRuns) {
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

TEST(FlowChanges, TheProbabilityThatThereIsChangesNothing) {
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

TEST(FlowChanges, RunsInBetweenAreWeightedAndMoved) {
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

TEST(FlowChanges, ASideThatNeverRanIsRefused) {
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

/// for (i = 0; i < n; ++i) for (j = 0; j < m; ++j) B;  Blocks: 0 entry, 1 outer test, 2 inner test,
/// 3 B, 4 end of an outer iteration, 5 exit. Counters: entries, inner ways back, outer ones.
Function nested() {
  Function f = looping();
  f.blocks[2] = {};
  f.blocks[3] = {{{InstructionClass::load, 1}}, {{6, 1, 0}}};
  f.blocks[4] = {{{InstructionClass::add, 1}}, {{7, 1, 0}}};
  f.edges = {{noIndex, 0, EdgeKind::entry, 0},
             {0, 1, EdgeKind::flow, noIndex},
             {1, 2, EdgeKind::flow, noIndex},
             {1, 5, EdgeKind::flow, noIndex},
             {2, 3, EdgeKind::flow, noIndex},
             {2, 4, EdgeKind::flow, noIndex},
             {3, 2, EdgeKind::flow, 1},
             {4, 1, EdgeKind::flow, 2},
             {5, noIndex, EdgeKind::leave, noIndex}};
  f.loops = {{1, noIndex, {1}, {7}, "", false, noIndex, {}, {4, 3, 0}},
             {2, 0, {2}, {6}, "", false, noIndex, {}, {5, 3, 0}}};
  f.calls.clear();
  return f;
}

Result<WhatIfAnswer> askNested(const std::vector<std::pair<uint64_t, uint64_t>> &trips,
                               const std::vector<std::string> &texts) {
  const std::vector<Map> maps{mapOf({nested()})};
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

TEST(FlowChanges, InnerLoopsGrowWithTheOuterOneTheyFollow) {
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
  // Inner trips that are drawn have nothing to do with the outer ones.
  std::mt19937_64 random(3);
  for (auto &[n, m] : runs)
    m = n * (10 + random() % 20);
  const auto drawn = askNested(runs, {"trips(loop prog.c:4) *= 2"});
  EXPECT_NEAR(after(*drawn, "mean").value, 2 * before(*drawn, "mean").value, 1e-9);
}

TEST(FlowChanges, WhatFollowsALoopFollowsItsTripsPerEntry) {
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
      {"trips(loop prog.c:4) = 2", "trips change by a factor"},
      {"trips(loop prg.c:4) *= 2", "no function of the corpus comes from"},
      {"size(m) = 5", "did you mean 'n'?"},
      {"size(n) = 500", "too few runs are near that size (5 runs have n from 6 to 6), and a size "
                        "law needs at least 20 runs, there are 5"},
      {"size(n) *= 2", "too few runs are near that size"},
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
