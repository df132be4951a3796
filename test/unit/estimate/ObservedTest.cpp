// The default estimator against sums written out by hand, on small synthetic maps and runs.
#include "quincunx/estimate/Observed.h"

#include "Synthetic.h"
#include "quincunx/map/FunctionGroups.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

using namespace quincunx;
using namespace quincunx::test;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();

Machine machine(const std::string &text) {
  const Result<Machine> m = parseMachine(text, "test.machine");
  EXPECT_TRUE(m);
  return *m;
}

Result<Observed> estimate(const std::vector<Map> &maps, const Machine &m,
                          const std::vector<quincunx::Run> &runs) {
  Observer o(maps, m, runs.size());
  for (const quincunx::Run &run : runs)
    if (const Status s = o.add(run); !s)
      return s.error();
  return o.finish();
}

bool hasNote(const Observed &o, const std::string &kind) {
  for (const Note &n : o.notes)
    if (n.kind == kind)
      return true;
  return false;
}
} // namespace

TEST(Observed, CostsAreSumsOverBlocks) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  struct {
    const char *machine;
    double perEntry, perHeader, perA, perB, perExit;
  } const table[] = {
      {"construct 1", 0, 2, 0, 0, 0},
      {"add 1\nload 4\nmultiply 3\nstore 0.5\njump 7\nbranch 2", 2, 6, 9, 1.5, 7},
  };
  const std::vector<std::array<uint64_t, 3>> counters{
      {1, 0, 0}, {1, 3, 4}, {2, 10, 0}, {1, 0, 100}};
  for (const auto &row : table) {
    std::vector<quincunx::Run> runs;
    std::vector<double> want;
    for (const auto &c : counters) {
      runs.push_back(runOf("r" + std::to_string(runs.size()), maps[0], {c[0], c[1], c[2]}));
      const double n = static_cast<double>(c[0]), a = static_cast<double>(c[1]),
                   b = static_cast<double>(c[2]);
      want.push_back(n * (row.perEntry + row.perExit) + (n + a + b) * row.perHeader + a * row.perA +
                     b * row.perB);
    }
    const Result<Observed> o = estimate(maps, machine(row.machine), runs);
    ASSERT_TRUE(o) << o.error().text;
    ASSERT_EQ(o->runs.size(), 4u);
    double mean = 0, m2 = 0, m3 = 0, m4 = 0;
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_DOUBLE_EQ(o->runs[i].cost.k1, want[i]);
      EXPECT_EQ(o->runs[i].cost.k2, 0);
      mean += want[i] / 4;
    }
    for (const double w : want)
      m2 += std::pow(w - mean, 2) / 4, m3 += std::pow(w - mean, 3) / 4,
          m4 += std::pow(w - mean, 4) / 4;
    EXPECT_NEAR(o->program.moments.mean, mean, 1e-12 * mean);
    EXPECT_NEAR(o->program.deviation, std::sqrt(m2), 1e-12 * mean);
    EXPECT_NEAR(o->program.moments.skewness, m3 / std::pow(m2, 1.5), 1e-12);
    EXPECT_NEAR(o->program.moments.kurtosis, m4 / (m2 * m2), 1e-12);
    std::sort(want.begin(), want.end());
    EXPECT_EQ(o->program.percentiles[0].value, want[1]);
    EXPECT_EQ(o->program.percentiles[1].value, want[3]);
    EXPECT_TRUE(o->program.percentiles[1].atLeast);
    EXPECT_EQ(o->program.min, want[0]);
    EXPECT_EQ(o->program.max, want[3]);
    ASSERT_EQ(o->functions.size(), 1u);
    EXPECT_DOUBLE_EQ(o->functions[0].share, 1);
    EXPECT_EQ(o->functions[0].calls.moments.mean, 1.25);
    EXPECT_EQ(o->functions[0].calls.max, 2);
    EXPECT_EQ(o->functions[0].line, 3u);
  }
}

TEST(Observed, RandomCostsFollowTheLawOfTotalCumulance) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  const Machine m = machine("load moments(4,9,3,12)\nmultiply moments(2,1,0,3)\nadd 1");
  const Cumulants load = cumulants(Moments{4, 9, 3, 12}), multiply = cumulants(Moments{2, 1, 0, 3}),
                  add{1, 0, 0, 0};
  std::vector<quincunx::Run> runs;
  std::vector<Cumulants> want;
  for (const auto &c : std::vector<std::array<uint64_t, 3>>{{1, 30, 5}, {1, 3, 40}, {2, 100, 0}}) {
    runs.push_back(runOf("r" + std::to_string(runs.size()), maps[0], {c[0], c[1], c[2]}));
    const double n = static_cast<double>(c[0]), a = static_cast<double>(c[1]),
                 b = static_cast<double>(c[2]);
    Cumulants k = (2 * n) * add;
    k += (n + a + b) * load;
    k += (3 * a) * multiply;
    k += b * add;
    want.push_back(k);
  }
  const Result<Observed> o = estimate(maps, m, runs);
  ASSERT_TRUE(o);
  EXPECT_FALSE(o->constant);
  for (size_t i = 0; i < want.size(); ++i) {
    EXPECT_NEAR(o->runs[i].cost.k1, want[i].k1, 1e-12 * want[i].k1);
    EXPECT_NEAR(o->runs[i].cost.k2, want[i].k2, 1e-12 * want[i].k2);
    EXPECT_NEAR(o->runs[i].cost.k3, want[i].k3, 1e-12 * want[i].k3);
    EXPECT_NEAR(o->runs[i].cost.k4, want[i].k4, 1e-12 * want[i].k4);
  }
  const Moments mix = moments(mixture(want));
  EXPECT_NEAR(o->program.moments.variance, mix.variance, 1e-11 * mix.variance);
  EXPECT_NEAR(o->program.moments.skewness, mix.skewness, 1e-11);
  EXPECT_NEAR(o->program.moments.kurtosis, mix.kurtosis, 1e-11);
  EXPECT_NEAR(o->law->cdf(o->program.percentiles[1].value), 0.9, 1e-9);
  EXPECT_NEAR(o->functions[0].cost.moments.kurtosis, mix.kurtosis, 1e-11);
  // Random block costs are computed, not sampled: they do not widen the interval of the mean.
  const double between = momentsOf(std::array{want[0].k1, want[1].k1, want[2].k1}).deviation();
  EXPECT_NEAR(o->program.meanInterval.high - o->program.moments.mean,
              2.919986 * between / std::sqrt(2.0), 1e-3);
}

TEST(Observed, FunctionsAddUpToTheProgram) {
  const std::vector<Map> maps{
      mapOf({loopWithBranch("f"), loopWithBranch("g", 3), loopWithBranch("h", 6)})};
  const Result<Observed> o =
      estimate(maps, *machineByName("x86-64"),
               {runOf("a", maps[0], {1, 5, 5, 10, 2, 0}), runOf("b", maps[0], {1, 0, 0})});
  ASSERT_TRUE(o);
  ASSERT_EQ(o->functions.size(), 2u) << "h never ran";
  EXPECT_NEAR(o->functions[0].share + o->functions[1].share, 1, 1e-14);
  EXPECT_NEAR(o->functions[0].cost.moments.mean + o->functions[1].cost.moments.mean,
              o->program.moments.mean, 1e-12);
  EXPECT_EQ(o->functions[1].cost.runs, 2u);
  EXPECT_EQ(o->functions[1].cost.min, 0) << "a run that did not call g counts as 0";
  EXPECT_EQ(o->functions[1].calls.moments.mean, 5);
}

TEST(Observed, OutcomesAreKeptApart) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  std::vector<quincunx::Run> runs;
  for (uint64_t i = 0; i < 9; ++i)
    runs.push_back(runOf("r" + std::to_string(i), maps[0], {1, 0, i}));
  runs.push_back(runOf("slow", maps[0], {1, 0, 2}, Outcome::timedOut));
  runs.push_back(runOf("dead", maps[0], {1, 0, 1000000}, Outcome::crashed));
  quincunx::Run silent;
  silent.label = "silent";
  runs.push_back(silent);
  const Result<Observed> o = estimate(maps, machine("construct 1"), runs);
  ASSERT_TRUE(o);
  EXPECT_EQ(o->finished, 9u);
  EXPECT_EQ(o->censored, 1u);
  EXPECT_EQ(o->crashed, 1u);
  EXPECT_EQ(o->unrecorded, 1u);
  EXPECT_EQ(o->program.percentiles[1].value, 18)
      << "nine of ten finished: p90 is the largest of them";
  EXPECT_EQ(o->program.percentiles[2].value, inf);
  EXPECT_EQ(o->program.max, 18);
  EXPECT_DOUBLE_EQ(o->program.moments.mean, (2 + 4 + 6 + 8 + 10 + 12 + 14 + 16 + 18 + 6) / 10.0);
  for (const char *kind : {"censored", "crashed", "unrecorded", "inputs"})
    EXPECT_TRUE(hasNote(*o, kind)) << kind;
  EXPECT_FALSE(hasNote(*o, "lost-frames"));
}

TEST(Observed, LostFramesMakeIntervals) {
  const std::vector<Map> maps{mapOf({guardedCall("g", 0)})};
  // Ten entered, nine left: one was lost in the call of block 0, so block 1 ran nine times. Known
  // exactly here, since only block 0 can lose a frame.
  const Result<Observed> o =
      estimate(maps, machine("add 1\ncall 5"), {runOf("a", maps[0], {10, 9})});
  ASSERT_TRUE(o);
  EXPECT_DOUBLE_EQ(o->program.moments.mean, 10 * 5 + 9 * 10);
  EXPECT_FALSE(hasNote(*o, "lost-frames"));
  // Now block 1 may lose it as well: block 1 ran nine or ten times.
  Function f = guardedCall("g", 0);
  f.blocks.push_back({{{InstructionClass::add, 10}}, {{23, 1, 0}}, {}, true});
  f.edges = {{noIndex, 0, EdgeKind::entry, 0},
             {0, 1, EdgeKind::flow, noIndex},
             {1, 2, EdgeKind::flow, noIndex},
             {2, noIndex, EdgeKind::leave, 1}};
  const std::vector<Map> two{mapOf({f})};
  const Result<Observed> p = estimate(two, machine("add 1\ncall 5"), {runOf("a", two[0], {10, 9})});
  ASSERT_TRUE(p);
  EXPECT_DOUBLE_EQ(p->program.meanCounts.low, 10 * 5 + 9 * 10 + 9 * 10);
  EXPECT_DOUBLE_EQ(p->program.meanCounts.high, 10 * 5 + 10 * 10 + 10 * 10);
  EXPECT_DOUBLE_EQ(p->program.moments.mean, 240);
  EXPECT_TRUE(hasNote(*p, "lost-frames"));
}

TEST(Observed, AssemblyThatRanIsNamed) {
  Function ran = loopWithBranch("ran"), idle = loopWithBranch("idle");
  ran.assemblies = {{0, true, false, {12, 1, 0}}, {1, true, true, {7, 1, 0}}};
  idle.assemblies = {{0, true, true, {99, 1, 0}}};
  const std::vector<Map> maps{mapOf({ran, idle})};
  const Result<Observed> o =
      estimate(maps, machine("add 1"), {runOf("a", maps[0], {1, 0, 4, 0, 0, 0})});
  ASSERT_TRUE(o);
  std::map<std::string, std::string> notes;
  for (const Note &n : o->notes)
    notes[n.kind] = n.text;
  EXPECT_TRUE(notes["assembly"].ends_with(": prog.c:12, prog.c:7")) << notes["assembly"];
  EXPECT_TRUE(notes["assembly-loop"].ends_with(": prog.c:7")) << notes["assembly-loop"];
}

TEST(Observed, RebuiltProgramsAreFiguredOverTheirOwnRuns) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")}, 1), mapOf({loopWithBranch("f")}, 2),
                              mapOf({loopWithBranch("lib")}, 3, "/lib/libx.so")};
  quincunx::Run both = runOf("b", maps[0], {1, 0, 4});
  both.images.push_back(runOf("b", maps[2], {1, 0, 0}).images[0]);
  const Result<Observed> o =
      estimate(maps, machine("construct 1"),
               {runOf("a", maps[0], {1, 0, 2}), both, runOf("c", maps[1], {1, 0, 9})});
  ASSERT_TRUE(o) << o.error().text;
  EXPECT_EQ(o->program.runs, 3u);
  EXPECT_DOUBLE_EQ(o->program.moments.mean, (6 + 12 + 20) / 3.0);
  ASSERT_EQ(o->functions.size(), 3u);
  EXPECT_EQ(o->functions[0].cost.runs, 2u);
  EXPECT_EQ(o->functions[0].cost.moments.mean, (6 + 10) / 2.0);
  EXPECT_EQ(o->functions[1].cost.runs, 1u);
  EXPECT_EQ(o->functions[2].cost.runs, 3u) << "a library that one run loaded";
  EXPECT_NEAR(o->functions[0].share + o->functions[1].share + o->functions[2].share, 1, 1e-14);
  EXPECT_TRUE(hasNote(*o, "rebuilt"));
}

TEST(Observed, RefusesWhatContradictsItself) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  const quincunx::Run good = runOf("a", maps[0], {1, 0, 2});
  quincunx::Run wrongSize = good, wrongIndex = good, twice = good, stranger = good;
  wrongSize.images[0].counterCount = 4;
  wrongIndex.images[0].counts.index.back() = 77;
  twice.images.push_back(twice.images[0]);
  stranger.images[0].map = {9, 9};
  for (const quincunx::Run &bad : {wrongSize, wrongIndex, twice}) {
    const Result<Observed> o = estimate(maps, machine("construct 1"), {bad});
    ASSERT_FALSE(o);
    EXPECT_NE(o.error().text.find("run 'a'"), std::string::npos);
  }
  const Result<Observed> o = estimate(maps, machine("construct 1"), {good, stranger});
  ASSERT_TRUE(o);
  EXPECT_TRUE(hasNote(*o, "no-map"));
  quincunx::Run dead = good;
  dead.outcome = Outcome::crashed;
  EXPECT_FALSE(estimate(maps, machine("construct 1"), {}));
  EXPECT_FALSE(estimate(maps, machine("construct 1"), {dead}));
}

namespace {

/// f with g inlined on B, `inner` on half of A, and a header's text in the middle of `inner`; and
/// g.
std::vector<Map> inlinedFunctions() {
  Function f = loopWithBranch("f"), g = loopWithBranch("g", 3);
  f.files.push_back({"/src/dir/inner.part", {}});
  f.scopes.push_back({0, "inner", 0, 28, 5, 1});
  f.scopes.push_back({0, "g", 0, 3, 7, 1});
  f.scopes.push_back({1, "inner", 1, 0, 0, 0});
  f.blocks[2].lines = {{5, 1, 0}, {30, 1, 1}, {6, 1, 0}, {1, 1, 3}};
  f.blocks[3].lines = {{7, 1, 2}};
  return {mapOf({f, g})};
}

} // namespace

TEST(Observed, CostsAreOfTheFunctionsThatTheCodeCameFrom) {
  const std::vector<Map> maps = inlinedFunctions();
  std::vector<quincunx::Run> runs;
  for (uint64_t i = 1; i < 20; ++i)
    runs.push_back(runOf("r" + std::to_string(i), maps[0], {1, i * i, 3 * i, 1, 5, i}));
  const Result<Observed> o = estimate(maps, machine("multiply 4\nadd 1\nload 2"), runs);
  ASSERT_TRUE(o) << o.error().text;
  ASSERT_EQ(o->functions.size(), 3u);
  const FunctionFigures &f = o->functions[0], &g = o->functions[1], &inner = o->functions[2];
  const double i = 10, squares = 130; // means over the runs
  EXPECT_DOUBLE_EQ(f.cost.moments.mean, 2 + 2 * (1 + squares + 3 * i) + 6 * squares);
  EXPECT_DOUBLE_EQ(g.cost.moments.mean, 3 * i + 2 + 2 * (1 + 5 + i) + 60 + i);
  EXPECT_DOUBLE_EQ(inner.cost.moments.mean, 6 * squares);
  EXPECT_EQ(inner.cost.percentiles[0].value, 600); // of the run with i = 10
  EXPECT_EQ(inner.name, "inner");
  EXPECT_EQ(inner.file, "/src/dir/prog.c");
  EXPECT_EQ(inner.line, 28u);
  EXPECT_FALSE(f.inlined);
  EXPECT_TRUE(g.inlined && inner.inlined);
  EXPECT_EQ(f.calls.moments.mean, 1);
  EXPECT_EQ(g.calls.moments.mean, 1);
  EXPECT_EQ(inner.calls.moments.mean, 0);
}

TEST(Observed, FunctionsOfTheSourceAddUpToTheProgram) {
  const std::vector<Map> maps = inlinedFunctions();
  std::vector<quincunx::Run> runs;
  for (uint64_t i = 1; i < 20; ++i)
    runs.push_back(runOf("r" + std::to_string(i), maps[0], {1, i, 7 * i, i, 3, i}));
  for (const char *text : {"multiply 4\nadd 1\nload 2", "multiply moments(4, 9, 1, 5)\nadd 1"}) {
    const Result<Observed> o = estimate(maps, machine(text), runs);
    ASSERT_TRUE(o) << o.error().text;
    double sum = 0, shares = 0;
    for (const FunctionFigures &f : o->functions) {
      sum += f.cost.moments.mean;
      shares += f.share;
    }
    EXPECT_NEAR(sum, o->program.moments.mean, 1e-12 * sum) << text;
    EXPECT_NEAR(shares, 1, 1e-12) << text;
  }
}

TEST(Observed, GroupsAreFiguredFromWhatRunsSpentInThemTogether) {
  std::vector<Map> maps = inlinedFunctions();
  maps[0].functions.push_back(loopWithBranch("unused", 6)); // a member that never runs
  maps = {mapOf(maps[0].functions)};
  groupFunctions(maps, [](const Scope &own, const std::string &) {
    return own.function == "f" ? FunctionGroup{} : FunctionGroup{"many", false};
  });
  std::vector<quincunx::Run> runs;
  for (uint64_t i = 1; i < 20; ++i) // g is cheap where inner is dear
    runs.push_back(runOf("r" + std::to_string(i), maps[0], {1, i, 0, 1, 20 - i, 0, 0, 0, 0}));
  for (const char *text : {"multiply 4", "multiply moments(4, 9, 1, 5)\nadd 1"}) {
    const Result<Observed> o = estimate(maps, machine(text), runs);
    ASSERT_TRUE(o) << o.error().text;
    ASSERT_EQ(o->groups.size(), 1u);
    const FunctionFigures &many = o->groups[0], &g = o->functions[1], &inner = o->functions[2];
    EXPECT_EQ(many.name, "many");
    EXPECT_EQ(many.members, (std::vector<std::string>{"g", "inner"}));
    EXPECT_EQ(many.number, g.group);
    EXPECT_EQ(many.number, inner.group);
    EXPECT_NE(many.number, o->functions[0].group);
    EXPECT_NEAR(many.cost.moments.mean, g.cost.moments.mean + inner.cost.moments.mean, 1e-9);
    EXPECT_NEAR(many.share, g.share + inner.share, 1e-12);
    EXPECT_LT(many.cost.percentiles[2].value,
              0.99 * (g.cost.percentiles[2].value + inner.cost.percentiles[2].value))
        << "percentiles of sums";
    EXPECT_EQ(many.calls.moments.mean, 1);
    EXPECT_TRUE(many.inlined);
  }
}

TEST(Observed, WhatIsInstancesOfOneIsNoGroupAndCodeOfOthersIs) {
  for (const bool isForeign : {false, true}) {
    std::vector<Map> maps{mapOf({loopWithBranch("f"), loopWithBranch("g", 3)})};
    groupFunctions(
        maps, [&](const Scope &, const std::string &) { return FunctionGroup{"all", isForeign}; });
    const Result<Observed> o =
        estimate(maps, machine("construct 1"), {runOf("a", maps[0], {1, 2, 3, 0, 0, 0})});
    ASSERT_TRUE(o) << o.error().text;
    EXPECT_EQ(o->functions.size(), 1u);
    EXPECT_EQ(o->groups.size(), isForeign ? 1u : 0u) << "g never ran";
  }
}

TEST(Observed, WhereFramesWereLostTheFunctionKeepsAll) {
  Function f = guardedCall("g", 0);
  f.blocks[0].mayNotReturn = f.blocks[1].mayNotReturn = true;
  f.scopes.push_back({0, "inner", 0, 28, 5, 1});
  f.blocks[1].lines = {{30, 1, 1}};
  const std::vector<Map> maps{mapOf({f})};
  const Result<Observed> o = estimate(maps, machine("add 1"), {runOf("a", maps[0], {5, 2})});
  ASSERT_TRUE(o) << o.error().text;
  ASSERT_EQ(o->functions.size(), 1u);
  EXPECT_EQ(o->functions[0].cost.moments.mean, o->program.moments.mean);
}

TEST(Observed, FunctionsInBatchesAreTheSameFunctions) {
  const std::vector<Map> maps{
      mapOf({loopWithBranch("f"), loopWithBranch("g", 3), guardedCall("h", 6)})};
  std::vector<quincunx::Run> runs;
  for (uint64_t i = 1; i < 20; ++i)
    runs.push_back(runOf("r" + std::to_string(i), maps[0], {1, i, 2 * i, i, 3, i * i, i, i}));
  const Machine m = *machineByName("x86-64");
  const Result<Observed> whole = estimate(maps, m, runs);
  ASSERT_TRUE(whole);
  for (size_t f = 0; f < 3; ++f) {
    Observer o(maps, m, runs.size(), f, f + 1);
    for (const quincunx::Run &run : runs)
      ASSERT_TRUE(o.add(run));
    const Result<Observed> part = o.finish();
    ASSERT_TRUE(part);
    ASSERT_EQ(part->functions.size(), 1u);
    EXPECT_EQ(part->functions[0].name, whole->functions[f].name);
    EXPECT_EQ(part->functions[0].cost.moments.mean, whole->functions[f].cost.moments.mean);
    EXPECT_EQ(part->program.moments.kurtosis, whole->program.moments.kurtosis);
  }
}
