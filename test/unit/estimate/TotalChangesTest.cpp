// Calls and totals of functions against programs in which every call's cost is known.
#include "quincunx/estimate/WhatIf.h"

#include "Synthetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

using Runs = std::vector<quincunx::Run>;

const char *const costs = "add 1\nload 4\nmultiply 5\nstore 2";
const char *const random_ = "add 1\nload moments(4, 9, 3, 12)\nmultiply 5\nstore 2";

/// main: a times f, b times g. f: in each iteration g or h. g: work of its own, as much as it is
/// told. h: work that is always the same.
std::vector<Map> program(bool clocked = true) {
  std::vector<Function> functions{loopWithBranch("main"), loopWithBranch("f"), loopWithBranch("g"),
                                  loopWithBranch("h")};
  functions[0].calls = {{2, "f", false, {}}, {3, "g", false, {}}};
  functions[1].calls = {{2, "g", false, {}}, {3, "h", false, {}}};
  functions[3].counterCount = 1;
  functions[3].blocks.resize(1);
  functions[3].edges = {{noIndex, 0, EdgeKind::entry, 0}, {0, noIndex, EdgeKind::leave, noIndex}};
  for (Function &f : functions) {
    if (clocked && f.name != "h") {
      f.callRecorder = 0;
      f.recorderWords = QX_CALL_WORDS;
      f.clock = {{InstructionClass::add, 1},
                 {InstructionClass::load, 4},
                 {InstructionClass::multiply, 5},
                 {InstructionClass::store, 2}};
    }
  }
  return {mapOf(std::move(functions))};
}

/// By the machine `costs`: a call of each, with n iterations of which `trues` take the first arm.
double ofLoop(uint64_t entries, uint64_t trues, uint64_t falses) {
  const auto e = static_cast<double>(entries), t = static_cast<double>(trues),
             f = static_cast<double>(falses);
  return e * 2 + (e + t + f) * 4 + t * 15 + f * 3;
}
constexpr double ofH = 2;

/// Runs, and what the calls of f cost in each with all they called.
struct World {
  Runs runs;
  std::vector<double> inclusive, own, whole;
};

/// Calls of g under f are ten times as dear as those by main.
World world(const std::vector<Map> &maps, size_t n) {
  World w;
  std::mt19937_64 random(7);
  for (size_t i = 0; i < n; ++i) {
    const uint64_t fs = 1 + random() % 4, gs = random() % 50, under = random() % 20,
                   hs = random() % 9;
    const uint64_t dear = under * (50 + random() % 10), cheap = gs * 5, rest = gs == 0 ? 0 : 3;
    w.runs.push_back(runOf(std::to_string(1000 + i), maps[0],
                           {1, fs, gs, fs, under, hs, under + gs, dear + cheap, rest, hs}));
    const double f = ofLoop(fs, under, hs);
    w.own.push_back(f);
    w.inclusive.push_back(f + ofLoop(under, dear, 0) + static_cast<double>(hs) * ofH);
    w.whole.push_back(ofLoop(1, fs, gs) + f + ofLoop(under + gs, dear + cheap, rest) +
                      static_cast<double>(hs) * ofH);
  }
  return w;
}

double meanOf(const std::vector<double> &x) {
  double sum = 0;
  for (const double v : x)
    sum += v;
  return sum / static_cast<double>(x.size());
}

struct Asked {
  std::vector<Map> maps = program();
  World w = world(maps, 40);
  bool recorded = true;
  std::string machine = costs;

  Result<WhatIfAnswer> ask(const std::vector<std::string> &texts,
                           WhatIfOptions options = {}) const {
    std::vector<Change> changes;
    for (const std::string &text : texts) {
      const Result<Change> change = parseChange(text);
      EXPECT_TRUE(change) << text;
      changes.push_back(*change);
    }
    CountMatrixBuilder builder(maps, w.runs.size());
    for (const quincunx::Run &run : w.runs)
      EXPECT_TRUE(builder.add(run));
    Result<CountMatrix> matrix = builder.finish();
    EXPECT_TRUE(matrix);
    const Result<Machine> m = parseMachine(machine, "test.machine");
    EXPECT_TRUE(m);
    for (CountMatrix::Columns &of : matrix->functions)
      if (recorded && maps[0].functions[of.function].name == "f")
        record(of);
    return whatIf(BlockCosts(*matrix, maps, *m), *m, changes, options);
  }

private:
  void record(CountMatrix::Columns &of) const {
    for (size_t d = 0; d < w.runs.size(); ++d) {
      of.calls.set(d, static_cast<double>(w.runs[d].images[0].counts.value[1]), w.runs.size());
      of.callCosts.set(d, w.inclusive[d], w.runs.size());
    }
  }
};

const Compared &figure(const Result<WhatIfAnswer> &a, const std::string &name) {
  for (const Compared &c : a->figures)
    if (c.name == name)
      return c;
  std::abort();
}

void expectSame(const Result<WhatIfAnswer> &a, const Result<WhatIfAnswer> &b, double factor = 1) {
  ASSERT_TRUE(a) << a.error().text;
  ASSERT_TRUE(b) << b.error().text;
  for (size_t f = 0; f < a->figures.size(); ++f)
    EXPECT_NEAR(a->figures[f].after.value, factor * b->figures[f].after.value,
                1e-9 * std::fabs(b->figures[f].after.value))
        << a->figures[f].name;
}

bool notes(const Result<WhatIfAnswer> &a, const std::string &kind) {
  for (const Note &n : a->notes)
    if (n.kind == kind)
      return true;
  return false;
}

} // namespace

TEST(TotalChanges, NothingChangesNothing) {
  const Asked of;
  const auto same = of.ask({"cost(f) *= 1"});
  for (const char *text : {"calls(f) *= 1", "total(f) *= 1", "total(g) *= 1", "calls(main) *= 1"})
    for (const bool recorded : {true, false}) {
      Asked other = of;
      other.recorded = recorded;
      const auto a = other.ask({text});
      expectSame(a, same);
      EXPECT_NEAR(figure(a, "mean").difference.trust.high, 0, 1e-9) << text;
    }
}

TEST(TotalChanges, FactorsMultiply) {
  const Asked of;
  expectSame(of.ask({"calls(f) *= 2", "calls(f) *= 2"}), of.ask({"calls(f) *= 4"}));
  expectSame(of.ask({"total(f) *= 2", "total(f) *= 2"}), of.ask({"total(f) *= 4"}));
  expectSame(of.ask({"total(f) *= 2", "calls(f) *= 2"}), of.ask({"total(f) *= 4"}));
  expectSame(of.ask({"total(main) *= 2", "total(f) *= 3"}), of.ask({"total(f) *= 3"}), 2);
}

TEST(TotalChanges, OfMainIsAll) {
  const Asked of;
  expectSame(of.ask({"total(main) *= 2"}), of.ask({"total(main) *= 1"}), 2);
  expectSame(of.ask({"calls(main) *= 3"}), of.ask({"cost(main) *= 1"}), 3);
}

TEST(TotalChanges, OfALeafWithOneCallerIsItsCost) {
  const Asked of;
  expectSame(of.ask({"calls(h) *= 7"}), of.ask({"cost(h) *= 7"}));
  expectSame(of.ask({"total(h) *= 7"}), of.ask({"cost(h) *= 7"}));
  EXPECT_NE(of.ask({"calls(h) *= 7"})->changes[0].assumption.find("exact on the counts"),
            std::string::npos);
}

TEST(TotalChanges, WhatWasRecordedIsExact) {
  const Asked of;
  for (const double x : {0.0, 0.5, 3.0}) {
    std::vector<double> after;
    for (size_t d = 0; d < of.w.whole.size(); ++d)
      after.push_back(of.w.whole[d] + (x - 1) * of.w.inclusive[d]);
    for (const char *what : {"calls", "total"}) {
      const auto a = of.ask({std::string(what) + "(f) *= " + std::to_string(x)});
      ASSERT_TRUE(a) << a.error().text;
      EXPECT_NEAR(figure(a, "mean").after.value, meanOf(after), 1e-9 * meanOf(of.w.whole));
      EXPECT_FALSE(notes(a, "shared"));
      EXPECT_NE(a->changes[0].assumption.find("recorded"), std::string::npos);
    }
  }
}

TEST(TotalChanges, WhatWasNotRecordedIsOpenBetweenBounds) {
  Asked of;
  of.recorded = false;
  const auto a = of.ask({"total(f) *= 2"});
  ASSERT_TRUE(a) << a.error().text;
  const double truth = meanOf(of.w.whole) + meanOf(of.w.inclusive);
  const IntervalEstimate &mean = figure(a, "mean").after;
  EXPECT_GT(truth, 1.1 * mean.value) << "calls of g are taken for alike";
  EXPECT_LE(truth, mean.trust.high);
  EXPECT_GE(figure(a, "mean").difference.trust.high, meanOf(of.w.inclusive));
  EXPECT_LE(mean.trust.low, meanOf(of.w.whole) + meanOf(of.w.own));
  EXPECT_TRUE(notes(a, "shared"));
}

TEST(TotalChanges, CallsThatAllCostTheSameAreExact) {
  Asked of; // h is called by main, too
  of.recorded = false;
  of.maps[0].functions[0].calls.push_back({3, "h", false, {}});
  of.maps[0].functions[1].calls.erase(of.maps[0].functions[1].calls.begin());
  for (quincunx::Run &run : of.w.runs) {
    Counts &counts = run.images[0].counts;
    std::map<uint32_t, uint64_t> all;
    for (size_t i = 0; i < counts.index.size(); ++i)
      all[counts.index[i]] = counts.value[i];
    all[6] -= all[4]; // g is main's alone
    all[9] += all[2];
    counts = {};
    for (const auto &[index, value] : all)
      if (value != 0)
        counts.index.push_back(index), counts.value.push_back(value);
  }
  const auto f = of.ask({"total(f) *= 2"});
  ASSERT_TRUE(f) << f.error().text;
  EXPECT_FALSE(notes(f, "shared"));
  double truth = 0;
  for (const quincunx::Run &run : of.w.runs)
    for (size_t i = 0; i < run.images[0].counts.index.size(); ++i)
      truth += run.images[0].counts.index[i] == 5
                   ? ofH * static_cast<double>(run.images[0].counts.value[i])
                   : 0;
  const double d = static_cast<double>(of.w.runs.size());
  EXPECT_NEAR(figure(f, "mean").difference.value, meanOf(of.w.own) + truth / d, 1e-6);
}

TEST(TotalChanges, RecordsThatMissSomethingAreNotTaken) {
  const Asked whole;
  // Calls that never ended.
  Asked fewer = whole;
  for (double &c : fewer.w.inclusive)
    c = 0;
  EXPECT_TRUE(notes(fewer.ask({"total(f) *= 2"}), "shared"));
}

TEST(TotalChanges, OtherPricesArePutOnWhatWasRecorded) {
  // Everything twice as dear: so are the calls under f.
  Asked of;
  of.machine = "add 2\nload 8\nmultiply 10\nstore 4";
  const auto a = of.ask({"total(f) *= 2"});
  ASSERT_TRUE(a) << a.error().text;
  EXPECT_NEAR(figure(a, "mean").difference.value, 2 * meanOf(of.w.inclusive),
              1e-9 * meanOf(of.w.whole));
  EXPECT_FALSE(notes(a, "shared"));
  // One block dearer than others: bounds.
  of.machine = "add 1\nload 4\nmultiply 9\nstore 2";
  const auto b = of.ask({"total(f) *= 2"});
  ASSERT_TRUE(b) << b.error().text;
  EXPECT_TRUE(notes(b, "shared"));
}

TEST(TotalChanges, CostsThatChangedAreMultiplied) {
  const Asked of;
  const auto a = of.ask({"total(f) *= 2", "cost(h) = 10"});
  const auto b = of.ask({"cost(h) = 10"});
  ASSERT_TRUE(a && b);
  double hs = 0;
  for (const quincunx::Run &run : of.w.runs)
    for (size_t i = 0; i < run.images[0].counts.index.size(); ++i)
      hs += run.images[0].counts.index[i] == 9 ? static_cast<double>(run.images[0].counts.value[i])
                                               : 0;
  hs /= static_cast<double>(of.w.runs.size());
  EXPECT_NEAR(figure(a, "mean").after.value - figure(b, "mean").after.value,
              meanOf(of.w.inclusive) + (10 - ofH) * hs, 1e-9 * meanOf(of.w.whole));
}

TEST(TotalChanges, OneUnderAnotherIsMultipliedByBoth) {
  const Asked of;
  const auto both = of.ask({"total(f) *= 2", "total(h) *= 3"});
  const auto f = of.ask({"total(f) *= 2"}), h = of.ask({"total(h) *= 3"});
  ASSERT_TRUE(both && f && h);
  // h is called by f only: 2 (f - h) + 6 h = f + 2 (2 h) more than f alone.
  EXPECT_NEAR(figure(both, "mean").difference.value,
              figure(f, "mean").difference.value + 2 * figure(h, "mean").difference.value,
              1e-9 * meanOf(of.w.whole));
}

TEST(TotalChanges, TotalsAreDearerAndCallsAreMore) {
  Asked of;
  of.machine = random_;
  const auto calls = of.ask({"calls(main) *= 2"}), total = of.ask({"total(main) *= 2"});
  Asked constant = of;
  constant.machine = costs;
  const auto between = constant.ask({"cost(main) *= 1"});
  ASSERT_TRUE(calls && total && between);
  const auto square = [](double x) { return x * x; };
  const double was = square(figure(total, "sd").before.value);
  const double within = was - square(figure(between, "sd").before.value);
  EXPECT_GT(within, 0);
  EXPECT_NEAR(square(figure(total, "sd").after.value), 4 * was, 1e-6 * was);
  EXPECT_NEAR(square(figure(calls, "sd").after.value), 4 * was - 2 * within, 1e-6 * was);
}

TEST(TotalChanges, RecursionCountsOnce) {
  // main calls r, which calls itself.
  std::vector<Function> functions{loopWithBranch("main"), loopWithBranch("r")};
  functions[0].calls = {{2, "r", false, {}}};
  functions[1].calls = {{2, "r", false, {}}};
  Asked of;
  of.maps = {mapOf(std::move(functions))};
  of.recorded = false;
  of.w.runs.clear();
  for (uint64_t i = 0; i < 20; ++i) // entered i + 1 times by main, 3 i times by itself
    of.w.runs.push_back(
        runOf(std::to_string(100 + i), of.maps[0], {1, i + 1, 2, 4 * i + 1, 3 * i, i}));
  expectSame(of.ask({"total(r) *= 3"}), of.ask({"cost(r) *= 3"}));
  const auto a = of.ask({"calls(r) *= 2"});
  ASSERT_TRUE(a);
  EXPECT_NE(a->changes[0].effect.find("r: 10.5 calls per run"), std::string::npos)
      << a->changes[0].effect;
}

TEST(TotalChanges, CallsThroughPointersAreThoseThatCountsTell) {
  // main calls h through a pointer in one arm.
  Asked of;
  of.maps[0].functions[1].calls[1].callee.clear();
  const auto a = of.ask({"total(f) *= 2"});
  ASSERT_TRUE(a) << a.error().text;
  EXPECT_NEAR(figure(a, "mean").difference.value, meanOf(of.w.inclusive),
              1e-9 * meanOf(of.w.whole));
}

TEST(TotalChanges, WhatALibraryCallsBackMayBeUnderWhatCallsIt) {
  // f calls a library, which calls h; nothing in the program does.
  Asked of;
  of.maps[0].functions[1].calls[1].callee = "qsort";
  expectSame(of.ask({"total(main) *= 2"}), of.ask({"total(main) *= 1"}), 2);
  const auto told = of.ask({"total(f) *= 2"});
  ASSERT_TRUE(told) << told.error().text;
  EXPECT_NEAR(figure(told, "mean").difference.value, meanOf(of.w.inclusive),
              1e-9 * meanOf(of.w.whole));
  of.recorded = false;
  const auto open = of.ask({"total(f) *= 2"});
  ASSERT_TRUE(open) << open.error().text;
  EXPECT_GE(figure(open, "mean").difference.trust.high, meanOf(of.w.inclusive));
}

TEST(TotalChanges, SweepsAreAnswersPerPoint) {
  Asked of;
  of.machine = random_;
  WhatIfOptions options;
  options.variable = "x";
  options.points = {0, 0.5, 2};
  const auto swept = of.ask({"calls(f) *= x", "cost(h) *= 2*x", "total(g) *= 3"}, options);
  ASSERT_TRUE(swept) << swept.error().text;
  ASSERT_EQ(swept->points.size(), 3u);
  for (const SweepPoint &p : swept->points) {
    const std::string x = std::to_string(p.x);
    const auto one =
        of.ask({"calls(f) *= " + x, "cost(h) *= " + std::to_string(2 * p.x), "total(g) *= 3"});
    ASSERT_TRUE(one);
    for (size_t f = 0; f < p.after.size(); ++f)
      EXPECT_NEAR(p.after[f], one->figures[f].after.value, 1e-9 * one->figures[f].after.value);
  }
}

TEST(TotalChanges, ARowOfTwoSweepsIsASweep) {
  const Asked of;
  WhatIfOptions both;
  both.variable = "x";
  both.points = {0, 1, 3};
  both.otherVariable = "y";
  both.otherPoints = {0.5, 2};
  const auto table = of.ask({"calls(f) *= x", "total(g) *= y", "cost(main) = 10*x*y"}, both);
  ASSERT_TRUE(table) << table.error().text;
  ASSERT_EQ(table->points.size(), 6u);
  for (size_t row = 0; row < 2; ++row) {
    WhatIfOptions one;
    one.variable = "x";
    one.points = both.points;
    const std::string y = std::to_string(both.otherPoints[row]);
    const auto swept = of.ask({"calls(f) *= x", "total(g) *= " + y,
                               "cost(main) = " + std::to_string(10 * both.otherPoints[row]) + "*x"},
                              one);
    ASSERT_TRUE(swept) << swept.error().text;
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(table->points[3 * row + i].y, both.otherPoints[row]);
      EXPECT_EQ(table->points[3 * row + i].x, swept->points[i].x);
      EXPECT_EQ(table->points[3 * row + i].after, swept->points[i].after);
    }
  }
  both.otherVariable = "z";
  const auto unused = of.ask({"calls(f) *= x"}, both);
  ASSERT_FALSE(unused);
  EXPECT_EQ(unused.error().text, "no change depends on 'z'");
}

TEST(TotalChanges, WhatDoesNotComposeIsRefused) {
  const Asked of;
  const auto a = of.ask({"total(f) *= 2", "trips(loop prog.c:4) *= 2"});
  ASSERT_FALSE(a);
  EXPECT_NE(a.error().text.find("does not go with changes of p or trips"), std::string::npos);
  const auto b = of.ask({"calls(malloc) *= 2"});
  EXPECT_FALSE(b);
}
