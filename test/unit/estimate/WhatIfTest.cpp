// What-if answers against corpora that were computed again: another machine, doubled runs, costs
// put into the machine by hand. And what the names in a change mean.
#include "quincunx/estimate/WhatIf.h"
#include "quincunx/dist/Mixture.h"
#include "quincunx/estimate/CostColumns.h"
#include "quincunx/estimate/Observed.h"
#include "quincunx/map/FunctionGroups.h"

#include "Synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <unistd.h>

using namespace quincunx;
using namespace quincunx::test;

namespace {

using Runs = std::vector<quincunx::Run>;

Function caller(const std::string &name) {
  Function f = loopWithBranch(name);
  f.calls = {
      {2, "malloc", false, {5, 3, 0}}, {2, "malloc", false, {6, 3, 0}}, {3, "free", false, {}}};
  return f;
}

std::vector<Map> program() {
  return {mapOf({caller("parse"), guardedCall("main", 0), loopWithBranch("_ZN2ns5applyIiEEiT_")})};
}

Runs runs(const std::vector<Map> &maps, size_t n) {
  Runs all;
  std::mt19937_64 random(5);
  for (size_t i = 0; i < n; ++i) {
    const uint64_t a = random() % 100, b = random() % 900, calls = 5 + random() % 5;
    all.push_back(runOf("in/" + std::to_string(i) + (i % 3 == 0 ? ".small" : ".large"), maps[0],
                        {1 + i % 3, a, b, calls, calls, 2, b, a}));
    all.back().features = {{"size", static_cast<double>(a + b)},
                           {"mode", static_cast<double>(i % 2)}};
  }
  return all;
}

CountMatrix matrixOf(const std::vector<Map> &maps, const Runs &all) {
  CountMatrixBuilder builder(maps, all.size());
  for (const quincunx::Run &run : all)
    EXPECT_TRUE(builder.add(run));
  Result<CountMatrix> matrix = builder.finish();
  EXPECT_TRUE(matrix);
  return std::move(*matrix);
}

Machine machine(const std::string &text) {
  const Result<Machine> m = parseMachine(text, "test.machine");
  EXPECT_TRUE(m);
  return *m;
}

const char *const base = "add 1\nload moments(4, 9, 3, 12)\nmultiply 5\nstore 0.5\ncall 2\njump 1";
const char *const fixed = "add 1\nload 4\nmultiply 5\nstore 0.5\ncall 2\njump 1";

Result<WhatIfAnswer> ask(const std::vector<Map> &maps, const Runs &all, const Machine &m,
                         const std::vector<std::string> &texts, WhatIfOptions options = {}) {
  std::vector<Change> changes;
  for (const std::string &text : texts) {
    const Result<Change> change = parseChange(text);
    EXPECT_TRUE(change) << text;
    changes.push_back(*change);
  }
  const CountMatrix matrix = matrixOf(maps, all);
  return whatIf(BlockCosts(matrix, maps, m), m, changes, options);
}

Observed observed(const std::vector<Map> &maps, const Runs &all, const Machine &m) {
  Observer observer(maps, m, all.size());
  for (const quincunx::Run &run : all)
    EXPECT_TRUE(observer.add(run));
  Result<Observed> o = observer.finish();
  EXPECT_TRUE(o);
  return std::move(*o);
}

void expectNear(double got, double want, const std::string &what) {
  EXPECT_NEAR(got, want, 1e-9 * std::fabs(want) + 1e-12) << what;
}

/// What is after must be what the observer says of a corpus that really changed.
void expectObserved(const WhatIfAnswer &a, const Observed &o) {
  for (const Compared &c : a.figures) {
    const SummaryStatistics &f = o.program;
    const double want = c.name == "p50"    ? f.percentiles[0].value
                        : c.name == "p90"  ? f.percentiles[1].value
                        : c.name == "p99"  ? f.percentiles[2].value
                        : c.name == "mean" ? f.moments.mean
                                           : f.deviation;
    expectNear(c.after.value, want, c.name);
    expectNear(c.difference.value, want - c.before.value, c.name + " difference");
  }
}

const Compared &figure(const WhatIfAnswer &a, const std::string &name) {
  static const Compared none;
  const auto at = std::ranges::find(a.figures, name, &Compared::name);
  EXPECT_NE(at, a.figures.end()) << name;
  return at != a.figures.end() ? *at : none;
}
double before(const WhatIfAnswer &a, const std::string &name) {
  return figure(a, name).before.value;
}
double after(const WhatIfAnswer &a, const std::string &name) { return figure(a, name).after.value; }

/// A file that is gone afterwards.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &text)
      : path((std::filesystem::temp_directory_path() /
              ("whatif-" + std::to_string(getpid()) + "-" + std::to_string(count++)))
                 .string()) {
    std::ofstream(path) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path); }
  const std::string path;

private:
  static inline int count = 0;
};

void eachBlock(Map &map, const std::string &function,
               const std::function<void(size_t, Block &)> &f) {
  for (Function &function_ : map.functions)
    if (function_.name == function)
      for (size_t b = 0; b < function_.blocks.size(); ++b)
        f(b, function_.blocks[b]);
}

} // namespace

TEST(WhatIf, HalfOfEverythingIsHalfOfTheLaw) {
  // What the machine adds to whole runs is relative to what they cost.
  const std::vector<Map> maps = program();
  Machine m = machine(fixed);
  m.fit.residual = {0, 0.004, 0.3, 3.3};
  const Result<WhatIfAnswer> a =
      ask(maps, runs(maps, 60), m,
          {"cost(parse) *= 0.5", "cost(main) *= 0.5", "cost(_ZN2ns5applyIiEEiT_) *= 0.5"});
  ASSERT_TRUE(a) << a.error().text;
  for (const Compared &c : a->figures)
    expectNear(c.after.value, c.before.value / 2, c.name);
}

TEST(WhatIf, ColumnsOfCostsSayWhatChangesDo) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 60);
  const CountMatrix matrix = matrixOf(maps, all);
  const Machine m = machine(std::string(base) + "\ncallee malloc moments(80, 25, 0, 3)");
  BlockCosts costs(matrix, maps, m);
  const std::vector<CostColumn> columns =
      costColumns(costs, {}, {"parse", "malloc", "nothing", "free"});
  ASSERT_EQ(columns.size(), 4u);
  EXPECT_TRUE(columns[2].empty()) << "it means nothing";
  EXPECT_TRUE(columns[3].empty()) << "it has no price";
  std::vector<MixtureComponent> parts;
  const std::vector<Cumulants> expected = costs.expectedRuns();
  for (size_t d = 0; d < all.size(); ++d) {
    Cumulants k = expected[d];
    for (const auto &[column, x] : {std::pair{0, 0.3}, {1, 2.0}})
      k = k - (columns[column][d] - scaled(x, columns[column][d]));
    parts.push_back({k, 1, false});
  }
  const Result<DistributionPtr> law = makeMixture(parts);
  ASSERT_TRUE(law);
  const Result<WhatIfAnswer> a = ask(maps, all, m, {"cost(parse) *= 0.3", "cost(malloc) *= 2"});
  ASSERT_TRUE(a) << a.error().text;
  expectNear(after(*a, "mean"), (*law)->moments().mean, "mean");
  expectNear(after(*a, "sd"), (*law)->moments().deviation(), "sd");
  for (const auto &[name, p] : {std::pair{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}})
    expectNear(after(*a, name), (*law)->quantile(p), name);
}

TEST(WhatIf, AFunctionCheaperIsACorpusWithThatMachineThere) {
  // The same corpus whose function has every instruction twice.
  const std::vector<Map> maps = program();
  std::vector<Map> dearer = maps;
  eachBlock(dearer[0], "parse", [](size_t, Block &b) {
    for (ClassCount &c : b.mix)
      c.count *= 2;
  });
  const Runs all = runs(maps, 60);
  const Result<WhatIfAnswer> a = ask(maps, all, machine(fixed), {"cost(parse) *= 2"});
  ASSERT_TRUE(a) << a.error().text;
  expectObserved(*a, observed(dearer, all, machine(fixed)));
}

TEST(WhatIf, RandomCostsScaleAsCostsAndNotAsCounts) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 60);
  // Of all functions: as if the machine were three times as dear.
  const Result<WhatIfAnswer> a =
      ask(maps, all, machine(base),
          {"cost(parse) *= 3", "cost(main) *= 3", "cost(_ZN2ns5applyIiEEiT_) *= 3"});
  ASSERT_TRUE(a) << a.error().text;
  expectObserved(*a, observed(maps, all,
                              machine("add 3\nload moments(12, 81, 3, 12)\nmultiply 15\nstore 1.5\n"
                                      "call 6\njump 3")));
}

TEST(WhatIf, AnotherMachineIsPricingByIt) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 60);
  const TemporaryFile file("name other\nunit cycles\nadd 7\nload moments(1,1,0,3)\n");
  const Result<WhatIfAnswer> a = ask(maps, all, machine(base), {"machine = " + file.path});
  ASSERT_TRUE(a) << a.error().text;
  expectObserved(*a, observed(maps, all, machine("add 7\nload moments(1,1,0,3)")));
  EXPECT_EQ(a->machine, "test.machine");
  EXPECT_EQ(a->otherMachine, "other");
  EXPECT_EQ(a->notes.front().kind, "units");
}

TEST(WhatIf, PricesOfClassesAreThoseOfAMachineWithThem) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 60);
  const auto a = ask(maps, all, machine(base), {"price(load) *= 0.5", "price(add) = 7"});
  ASSERT_TRUE(a) << a.error().text;
  expectObserved(*a, observed(maps, all,
                              machine("add 7\nload moments(2, 2.25, 3, 12)\nmultiply 5\n"
                                      "store 0.5\ncall 2\njump 1")));
  // What is said of shares is what is saved where it is free.
  const auto free = ask(maps, all, machine(base), {"price(load) *= 0"});
  ASSERT_TRUE(free);
  char share[40];
  std::snprintf(share, sizeof share, "; %.3g %% of the mean cost",
                100 * (1 - after(*free, "mean") / before(*free, "mean")));
  EXPECT_TRUE(a->changes.front().effect.ends_with(share)) << a->changes.front().effect;
  const auto same = ask(maps, all, machine(base), {"price(load) *= 1"});
  const auto twice = ask(maps, all, machine(base), {"price(load) *= 2", "price(load) *= 2"});
  const auto four = ask(maps, all, machine(base), {"price(load) *= 4"});
  ASSERT_TRUE(same && twice && four);
  EXPECT_EQ(after(*same, "mean"), before(*same, "mean"));
  EXPECT_DOUBLE_EQ(after(*twice, "p90"), after(*four, "p90"));
}

TEST(WhatIf, AMeanOfCostsIsNotBelowZero) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 2);
  const auto a = ask(maps, all, machine(base), {"price(load) *= 2"});
  ASSERT_TRUE(a) << a.error().text;
  for (const IntervalEstimate &mean : {figure(*a, "mean").before, figure(*a, "mean").after}) {
    EXPECT_EQ(mean.trust.low, 0);
    EXPECT_GT(mean.trust.high, mean.value);
  }
}

TEST(WhatIf, ColumnsOfPricesAreWhatChangesOfThemSay) {
  const std::vector<Map> maps = program();
  const CountMatrix counts = matrixOf(maps, runs(maps, 20));
  BlockCosts costs(counts, maps, machine(base));
  const std::vector<Cumulants> all = costs.expectedRuns();
  const std::vector<PriceColumn> columns = priceColumns(costs, machine(base));
  ASSERT_GE(columns.size(), 4u);
  std::vector<Cumulants> sum(counts.rows.size());
  for (const PriceColumn &c : columns)
    for (size_t d = 0; d < sum.size(); ++d)
      sum[d] += c.perRun[d];
  EXPECT_EQ(costs.expectedRuns(), all);
  for (size_t d = 0; d < sum.size(); ++d)
    for (const auto order : {&Cumulants::k1, &Cumulants::k2, &Cumulants::k3, &Cumulants::k4})
      EXPECT_NEAR(sum[d].*order, all[d].*order, 1e-9 * std::abs(all[d].*order) + 1e-9);
}

TEST(WhatIf, MachineComesFirstWhereverItStands) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 30);
  const TemporaryFile file("add 7\n");
  const auto first = ask(maps, all, machine(base), {"machine = " + file.path, "cost(parse) *= 2"});
  const auto last = ask(maps, all, machine(base), {"cost(parse) *= 2", "machine = " + file.path});
  ASSERT_TRUE(first && last);
  EXPECT_EQ(after(*first, "mean"), after(*last, "mean"));
}

TEST(WhatIf, CallsOfWhatIsNotInstrumentedCostAtTheirBlocks) {
  const std::vector<Map> maps = program();
  std::vector<Map> calling = maps;
  // A class of its own stands for the cost of a call: block 2 makes two.
  eachBlock(calling[0], "parse", [](size_t b, Block &block) {
    if (b == 2)
      block.mix.push_back({InstructionClass::fdivide, 2});
  });
  const Runs all = runs(maps, 60);
  const auto a = ask(maps, all, machine(base), {"calls(malloc) := moments(40, 900, 2, 9)"});
  ASSERT_TRUE(a) << a.error().text;
  expectObserved(
      *a, observed(calling, all, machine(std::string(base) + "\nfdivide moments(40,900,2,9)")));
  EXPECT_NE(a->changes[0].effect.find("2 calls of malloc"), std::string::npos)
      << a->changes[0].effect;
}

namespace {
const std::string priced = std::string(base) + "\ncallee free 7\n";
/// program(), in which parse calls malloc so many times where it called it once.
std::vector<Map> calling(size_t times) {
  std::vector<Map> maps = program();
  std::vector<Call> &calls = maps[0].functions[0].calls, was = calls;
  calls.clear();
  for (const Call &c : was)
    calls.insert(calls.end(), c.callee == "malloc" ? times : 1, c);
  return maps;
}
} // namespace

TEST(WhatIf, WhatIsNotCountedChangesWithItsPrice) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 60);
  const Machine m = machine(priced + "callee malloc moments(40, 900, 2, 9)");
  const auto with = [&](const char *price) { return observed(maps, all, machine(priced + price)); };
  const auto after = [&](const std::vector<std::string> &changes) {
    const auto a = ask(maps, all, m, changes);
    EXPECT_TRUE(a) << changes[0] << ": " << a.error().text;
    return *a;
  };
  expectObserved(after({"calls(malloc) = 0"}), with(""));
  expectObserved(after({"calls(malloc) *= 0"}), with(""));
  expectObserved(after({"calls(malloc) = 3"}), with("callee malloc 3"));
  const Observed dearer = with("callee malloc moments(120, 8100, 2, 9)");
  expectObserved(after({"cost(malloc) *= 3"}), dearer);
  expectObserved(after({"total(malloc) *= 3"}), dearer);
  const Observed more = observed(calling(3), all, m);
  expectObserved(after({"calls(malloc) *= 3"}), more);
  expectObserved(after({"calls(malloc) *= 1.5", "calls(malloc) *= 2"}), more);
  expectObserved(after({"calls(malloc) *= 1", "cost(malloc) *= 1", "cost(parse) *= 1"}),
                 observed(maps, all, m));
  // Whatever the order, there are more calls of what they cost by then.
  const Observed both = observed(calling(2), all, machine(priced + "callee malloc 5"));
  expectObserved(after({"calls(malloc) *= 2", "cost(malloc) = 5"}), both);
  expectObserved(after({"cost(malloc) = 10", "calls(malloc) *= 2", "cost(malloc) *= 0.5"}), both);
}

TEST(WhatIf, BytesChangeWithTheCallsThatMoveThem) {
  Function f = loopWithBranch("main");
  f.calls = {{2, "memcpy", false, {5, 3, 0}}, {3, "memcpy", false, {6, 3, 0}}};
  f.calls[0].bytes = f.calls[1].bytes = ByteSource::argument;
  f.calls[0].byteCounter = f.counterCount++;
  f.calls[1].constantBytes = 10;
  f.loops = {{.header = 1, .entryEdges = {1}, .backEdges = {5, 6}, .at = {4, 1, 0}}};
  const std::vector<Map> maps{mapOf({f})};
  Runs all;
  std::mt19937_64 random(9);
  for (size_t i = 0; i < 30; ++i) {
    std::vector<uint64_t> values{1, random() % 100, random() % 900};
    values.resize(f.counterCount - 1, 0);
    values.push_back(values[1] * (random() % 50));
    all.push_back(runOf("in/" + std::to_string(i), maps[0], values));
  }
  const auto with = [&](const std::string &prices) {
    return observed(maps, all, machine(fixed + ("\n" + prices)));
  };
  const Machine m = machine(fixed + std::string("\ncallee memcpy 4\nbyte memcpy 0.5"));
  const auto after = [&](const std::string &change) {
    const auto a = ask(maps, all, m, {change});
    EXPECT_TRUE(a) << change << ": " << a.error().text;
    return *a;
  };
  const Observed twice = with("callee memcpy 8\nbyte memcpy 1");
  expectObserved(after("calls(memcpy) *= 1"), with("callee memcpy 4\nbyte memcpy 0.5"));
  expectObserved(after("calls(memcpy) = 0"), with(""));
  expectObserved(after("cost(memcpy) *= 2"), twice);
  expectObserved(after("calls(memcpy) *= 2"), twice);
  expectObserved(after("cost(memcpy) = 7"), with("callee memcpy 7"));
  // All that the function does, and what it calls, is at its lines; an iteration moves what it did.
  const Observed nothing =
      observed(maps, all, machine("construct 0\ncallee memcpy 4\nbyte memcpy 0.5"));
  expectObserved(after("cost(main) *= 0"), nothing);
  const auto trips = ask(maps, all, m, {"trips(loop prog.c:4) *= 1"});
  ASSERT_TRUE(trips) << trips.error().text;
  expectObserved(*trips, with("callee memcpy 4\nbyte memcpy 0.5"));
  WhatIfOptions options;
  options.variable = "x";
  options.points = {0, 1, 3};
  const auto swept = ask(maps, all, m, {"calls(memcpy) *= x", "cost(main) *= x"}, options);
  ASSERT_TRUE(swept) << swept.error().text;
  for (size_t i = 0; i < swept->figures.size(); ++i)
    expectNear(swept->points[1].after[i], swept->figures[i].before.value, "as it is");
}

TEST(WhatIf, CallsAreOfTheLinesWhereTheyAreMade) {
  Function f = loopWithBranch("main");
  f.calls = {{2, "memcpy", false, {6, 1, 0}}}; // of the lines 5 and 6
  f.calls[0].bytes = ByteSource::argument;
  f.calls[0].byteCounter = f.counterCount++;
  const std::vector<Map> maps{mapOf({f})};
  const Runs all{runOf("a", maps[0], {1, 10, 5, 300}), runOf("b", maps[0], {1, 20, 5, 100})};
  const Machine m = machine(fixed + std::string("\ncallee memcpy 4\nbyte memcpy 0.5"));
  const double calls = 15 * 4 + 200 * 0.5, code = 15 * 5 * 3 / 2.0; // in the mean; a half of them
  const auto off = [&](const char *change) {
    const auto a = ask(maps, all, m, {change});
    EXPECT_TRUE(a) << a.error().text;
    return observed(maps, all, m).program.moments.mean - after(*a, "mean");
  };
  expectNear(off("cost(lines prog.c:5) *= 0"), code, "code");
  expectNear(off("cost(lines prog.c:6) *= 0"), code + calls, "code and calls");
  expectNear(off("cost(lines prog.c:5-6) *= 0"), 2 * code + calls, "both");
  const CountMatrix matrix = matrixOf(maps, all);
  const BlockCosts costs(matrix, maps, m);
  const std::vector<Cumulants> lines = costs.linesOf(0)[2];
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].k1, 7.5);
  EXPECT_EQ(lines[1].k1, 7.5 + 4);
  ASSERT_EQ(costs.counters(0).size(), 1u);
  EXPECT_EQ(costs.lineShares(0, costs.counters(0)[0]), (std::vector<double>{0, 1}));
}

TEST(WhatIf, CallersKeepWhatTheyCall) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 60);
  const std::string callees = "\ncallee malloc 40\ncallee free 7";
  std::vector<Map> dearer = maps;
  eachBlock(dearer[0], "parse", [](size_t, Block &b) {
    for (ClassCount &c : b.mix)
      c.count *= 2;
  });
  const Machine m = machine(fixed + callees);
  const auto a = ask(maps, all, m, {"cost(parse) *= 2"});
  ASSERT_TRUE(a) << a.error().text;
  expectObserved(*a, observed(dearer, all, m));
  // Lines are what stands there, as in annotate: half of block 2, with its calls.
  const auto line = ask(maps, all, m, {"cost(lines prog.c:5) *= 0"}),
             both = ask(maps, all, m, {"cost(lines prog.c:5) *= 0", "calls(malloc) = 0"}),
             none = ask(maps, all, machine(fixed + std::string("\ncallee free 7")),
                        {"cost(lines prog.c:5) *= 0"});
  ASSERT_TRUE(line && both && none);
  expectNear(after(*both, "mean"), after(*none, "mean"), "without calls");
  double calls = 0;
  for (const FunctionFigures &f : observed(maps, all, m).library)
    calls += f.name == "malloc" ? f.cost.moments.mean : 0;
  expectNear(after(*line, "mean"), after(*none, "mean") + calls / 2, "half of the calls");
}

TEST(WhatIf, WhatHasNoPriceIsRefusedWhereThatMatters) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 20);
  for (const char *text : {"calls(malloc) = 0", "calls(malloc) *= 2", "cost(malloc) *= 0.5"}) {
    const auto a = ask(maps, all, machine(fixed), {text});
    ASSERT_FALSE(a) << text;
    EXPECT_NE(a.error().text.find(
                  "no price for calls of 'malloc'; a line 'callee malloc COST' gives it one"),
              std::string::npos)
        << a.error().text;
    const bool isLast = std::string(text) == "calls(malloc) *= 2";
    EXPECT_EQ(bool(ask(maps, all, machine(fixed), {text, "calls(malloc) = 3"})), isLast) << text;
  }
  WhatIfOptions options;
  options.variable = "x";
  options.points = {0.5, 2};
  const Machine random = machine(priced + "callee malloc moments(40, 900, 2, 9)"),
                constant = machine(priced + "callee malloc 40");
  EXPECT_FALSE(ask(maps, all, random, {"calls(malloc) *= x"}, options));
  for (const Machine *m : {&random, &constant})
    for (const char *what : {"calls(malloc) *= ", "cost(malloc) *= "}) {
      const auto swept = ask(maps, all, *m, {std::string(what) + "x"}, options);
      if (!swept)
        continue; // said above
      for (const SweepPoint &p : swept->points) {
        const auto single = ask(maps, all, *m, {what + std::to_string(p.x)});
        ASSERT_TRUE(single);
        for (size_t f = 0; f < p.after.size(); ++f)
          expectNear(p.after[f], single->figures[f].after.value, what);
      }
    }
}

TEST(WhatIf, CallsOfAFunctionCostThatInsteadOfItsBlocks) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 20);
  for (const char *text : {"calls(parse) := 1000", "cost(parse) = 1000"}) {
    const auto none = ask(maps, all, machine(fixed), {"cost(parse) *= 0"});
    const auto a = ask(maps, all, machine(fixed), {text});
    ASSERT_TRUE(a && none) << text;
    double entered = 0;
    for (size_t i = 0; i < all.size(); ++i)
      entered += static_cast<double>(1 + i % 3) / static_cast<double>(all.size());
    expectNear(after(*a, "mean"), after(*none, "mean") + 1000 * entered, text);
    EXPECT_NE(a->changes[0].assumption.find("what it calls costs what it did"), std::string::npos);
  }
}

TEST(WhatIf, LinesCostTheirShareOfBlocks) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 20);
  const auto count = [&](size_t counter) {
    double sum = 0;
    for (const quincunx::Run &r : all)
      for (size_t i = 0; i < r.images[0].counts.index.size(); ++i)
        if (r.images[0].counts.index[i] == counter)
          sum += static_cast<double>(r.images[0].counts.value[i]);
    return sum / static_cast<double>(all.size());
  };
  // Block 2 (three multiplies at 5) is lines 5 and 6 of parse and of apply, which have counters 1
  // and 6 there.
  const double arm = count(1) + count(6);
  const auto half = ask(maps, all, machine(fixed), {"cost(lines prog.c:5) *= 0"});
  const auto both = ask(maps, all, machine(fixed), {"cost(lines dir/prog.c:5-6) *= 0"});
  const auto set = ask(maps, all, machine(fixed), {"cost(lines prog.c:5-6) = 100"});
  ASSERT_TRUE(half && both && set);
  const double mean = half->figures[3].before.value;
  expectNear(after(*half, "mean"), mean - 7.5 * arm, "half of the block");
  expectNear(after(*both, "mean"), mean - 15 * arm, "the block");
  expectNear(after(*set, "mean"), mean + 85 * arm, "a cost per execution");
  // Lines 4 to 7 are the loop: begun once per entry of the function, not per iteration.
  const auto loop = ask(maps, all, machine(fixed), {"cost(lines prog.c:4-7) = 100"});
  const auto gone = ask(maps, all, machine(fixed), {"cost(lines prog.c:4-7) *= 0"});
  ASSERT_TRUE(loop && gone);
  expectNear(after(*loop, "mean") - after(*gone, "mean"), 100 * (count(0) + count(5)), "the loop");
}

TEST(WhatIf, AMixIsACorpusWithRunsRepeated) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 30); // ten small ones, twenty large ones
  Runs other;
  for (size_t i = 0; i < all.size(); ++i)
    for (int copies = i % 3 == 0 ? 6 : 1; copies > 0; --copies) {
      other.push_back(all[i]);
      other.back().identity += std::to_string(copies);
    }
  const TemporaryFile file("# three quarters are small\n*.small\t3\n*.large\t1\n");
  const auto a = ask(maps, all, machine(fixed), {"mix(label) = " + file.path});
  ASSERT_TRUE(a) << a.error().text;
  expectObserved(*a, observed(maps, other, machine(fixed)));
  EXPECT_LT(a->afterRuns, 20) << "weights of 6 and 1 are worth fewer runs";
  const TemporaryFile modes("0\t0\n1\n");
  const auto odd = ask(maps, all, machine(base), {"mix(mode) = " + modes.path});
  ASSERT_TRUE(odd);
  Runs half;
  for (size_t i = 1; i < all.size(); i += 2)
    half.push_back(all[i]);
  expectObserved(*odd, observed(maps, half, machine(base)));
}

TEST(WhatIf, AMixOfTexts) {
  const std::vector<Map> maps = program();
  Runs all = runs(maps, 30), other;
  for (size_t i = 0; i < all.size(); ++i) {
    if (i % 3 == 1)
      all[i].features["type"] = 7; // a number among texts is its text
    else
      all[i].texts["type"] = i % 3 == 0 ? "plain" : "zip: a";
    for (size_t copies = i % 3 == 0 ? 3 : i % 3; copies > 0; --copies) {
      other.push_back(all[i]);
      other.back().identity += std::to_string(copies);
    }
  }
  const TemporaryFile file("plain\t3\n7\t1\nzip*\t2\n");
  const auto a = ask(maps, all, machine(fixed), {"mix(type) = " + file.path});
  ASSERT_TRUE(a) << a.error().text;
  expectObserved(*a, observed(maps, other, machine(fixed)));
  const TemporaryFile none("plain\nrar\t1\n");
  const auto no = ask(maps, all, machine(fixed), {"mix(type) = " + none.path});
  ASSERT_FALSE(no);
  EXPECT_NE(no.error().message().find(":2: error: no run has the type 'rar'"), std::string::npos);
  for (quincunx::Run &run : all)
    run.features.erase("type");
  const auto size = ask(maps, all, machine(fixed), {"size(type) = 4"});
  ASSERT_FALSE(size);
  EXPECT_NE(size.error().message().find("type has texts, and no sizes"), std::string::npos);
}

TEST(WhatIf, ASweepIsAnAnswerPerPoint) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 40);
  WhatIfOptions options;
  options.variable = "x";
  options.points = {0, 0.5, 1, 3};
  const auto text = [](const std::string &x) {
    return std::vector<std::string>{"cost(parse) *= 2*" + x, "calls(free) = " + x,
                                    "cost(lines prog.c:5) *= " + x, "cost(main) = 10"};
  };
  for (const std::string classes : {fixed, base}) {
    const std::string costs = classes + "\ncallee free 3";
    const auto swept = ask(maps, all, machine(costs), text("x"), options);
    ASSERT_TRUE(swept) << swept.error().text;
    ASSERT_EQ(swept->points.size(), 4u);
    for (const SweepPoint &p : swept->points) {
      std::vector<std::string> numbers = text(std::to_string(p.x));
      numbers[0] = "cost(parse) *= " + std::to_string(2 * p.x);
      const auto one = ask(maps, all, machine(costs), numbers);
      ASSERT_TRUE(one);
      for (size_t f = 0; f < p.after.size(); ++f)
        expectNear(p.after[f], one->figures[f].after.value, one->figures[f].name);
    }
  }
}

TEST(WhatIf, DifferencesOfTheSameRunsAreKnownBetterThanTheirFigures) {
  const std::vector<Map> maps = program();
  const auto a = ask(maps, runs(maps, 200), machine(fixed), {"cost(parse) *= 0.9"});
  ASSERT_TRUE(a);
  for (const Compared &c : a->figures) {
    EXPECT_LE(c.difference.trust.low, c.difference.value) << c.name;
    EXPECT_GE(c.difference.trust.high, c.difference.value) << c.name;
    if (c.name == "mean" || c.name == "sd") {
      EXPECT_LT(c.difference.trust.high - c.difference.trust.low,
                0.5 * (c.after.trust.high - c.after.trust.low))
          << c.name;
    }
  }
  const auto few = ask(maps, runs(maps, 20), machine(fixed), {"cost(parse) *= 0.9"});
  ASSERT_TRUE(few);
  EXPECT_TRUE(std::isinf(few->figures[2].difference.trust.high)) << "20 runs say nothing of p99";
}

TEST(WhatIf, IntervalsOfDifferencesHoldWhatTheySay) {
  // Costs before are 1, after are random factors: the mean difference of the population is known.
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  std::mt19937_64 random(11);
  int mean = 0, median = 0;
  const int rounds = 200;
  for (int i = 0; i < rounds; ++i) {
    Runs all;
    for (int d = 0; d < 60; ++d) // a and b independent, uniform on 0 .. 999
      all.push_back(runOf(std::to_string(d), maps[0], {1, random() % 1000, random() % 1000}));
    // before: add + load .. of f; after: line 5 and 6 (block 2) cost 20 more per execution
    const auto a = ask(maps, all, machine("multiply 1"), {"cost(lines prog.c:5-6) = 20"});
    ASSERT_TRUE(a);
    // The difference is 17 a per run: in the mean 17 x 499.5, in the median 17 x 499.5, too.
    const auto holds = [](const Compared &c) {
      return c.difference.trust.low <= 17 * 499.5 && 17 * 499.5 <= c.difference.trust.high;
    };
    median += holds(a->figures[0]);
    mean += holds(a->figures[3]);
  }
  EXPECT_NEAR(mean, 0.9 * rounds, 3 * std::sqrt(0.09 * rounds));
  EXPECT_NEAR(median, 0.9 * rounds, 4 * std::sqrt(0.09 * rounds));
}

TEST(WhatIf, NamesThatMeanNothingOrSeveralThingsAreErrors) {
  std::vector<Map> maps = program();
  maps.push_back(mapOf({loopWithBranch("twice")}, 2, "/lib/a.so"));
  maps.push_back(mapOf({loopWithBranch("twice")}, 3, "/lib/b.so"));
  const Runs all = runs(maps, 10);
  struct Case {
    const char *change;
    std::vector<const char *> says;
  };
  const Case cases[] = {
      {"cost(prase) *= 2", {"there is no function 'prase'; did you mean 'parse'?"}},
      {"cost(malloc) *= 2",
       {"the machine has no price for calls of 'malloc'; a line 'callee malloc COST'"}},
      {"calls(maloc) = 2", {"there is no function 'maloc'; did you mean 'malloc'?"}},
      {"cost(maloc) *= 2", {"there is no function 'maloc'; did you mean 'malloc'?"}},
      {"cost(twice) *= 2", {"'twice' may be one of these", "'/lib/a.so:twice', '/lib/b.so:twice'"}},
      {"cost(lines prg.c:5) *= 2", {"no function of the corpus comes from 'prg.c'", "prog.c"}},
      {"cost(lines prog.c:500) *= 2", {"no code stands on prog.c:500"}},
      {"machine = x86-46", {"did you mean 'x86-64'?"}},
      {"price(laod) *= 2", {"no event 'laod'; did you mean 'load'?"}},
      {"price(fdivide) *= 2", {"fdivide has no price here", "price(fdivide) = COST"}},
      {"price(l3Hit) = 2", {"these runs do not say how often l3Hit happens"}},
      {"cost(parse) *= y", {"'y' has no value; give it some with --sweep y=FROM..TO"}},
  };
  for (const Case &c : cases) {
    const auto a = ask(maps, all, machine(fixed), {c.change});
    ASSERT_FALSE(a) << c.change;
    for (const char *part : c.says)
      EXPECT_NE(a.error().text.find(part), std::string::npos) << a.error().text;
    EXPECT_EQ(a.error().text.find('\n'), std::string::npos);
  }
  for (const char *good : {"cost(/lib/a.so:twice) *= 2", "cost(b.so:twice) *= 2",
                           "cost(prog.c:parse) *= 2", "cost(src/dir/prog.c:main) *= 2"})
    EXPECT_TRUE(ask(maps, all, machine(fixed), {good})) << good;
  EXPECT_FALSE(ask(maps, all, machine(fixed), {"machine = unit", "machine = x86-64"}));
}

TEST(WhatIf, NamesAreThoseOfTheSource) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 10);
  WhatIfOptions options;
  options.demangle = [](const std::string &name) {
    return name.starts_with("_Z") ? std::string("int ns::apply<int>(int)") : name;
  };
  const auto want = ask(maps, all, machine(fixed), {"cost(_ZN2ns5applyIiEEiT_) *= 2"}, options);
  ASSERT_TRUE(want);
  for (const char *name : {"apply", "ns::apply", "apply<int>", "ns::apply<int>(int)", "apply(int)",
                           "int ns::apply<int>(int)", "prog.c:ns::apply<int>"}) {
    const auto a =
        ask(maps, all, machine(fixed), {"cost(" + std::string(name) + ") *= 2"}, options);
    const bool shouldFind = std::string(name) != "apply(int)"; // no such function: apply<int>(int)
    ASSERT_EQ(static_cast<bool>(a), shouldFind) << name;
    if (a) {
      EXPECT_EQ(after(*a, "mean"), after(*want, "mean")) << name;
    }
  }
  EXPECT_FALSE(ask(maps, all, machine(fixed), {"cost(pply) *= 2"}, options));
  // What returns a string of the library has a tag that no source shows.
  for (const char *tagged :
       {"std::string ns::apply[abi:cxx11](int)", "int ns::apply[abi:cxx11]<int>(int)"}) {
    options.demangle = [tagged](const std::string &name) {
      return name.starts_with("_Z") ? std::string(tagged) : name;
    };
    for (const char *name : {"apply", "ns::apply", "apply[abi:cxx11]"}) {
      const auto a =
          ask(maps, all, machine(fixed), {"cost(" + std::string(name) + ") *= 2"}, options);
      ASSERT_TRUE(a) << name << ": " << a.error().text;
      EXPECT_EQ(after(*a, "mean"), after(*want, "mean")) << name;
    }
  }
}

TEST(WhatIf, ANameOfInstancesThatAreOneRowMeansEach) {
  std::vector<Map> maps{mapOf({loopWithBranch("_Z4sortIiEvv"), loopWithBranch("_Z4sortIdEvv", 3),
                               loopWithBranch("_Z4sortIcEvv", 6)})};
  Runs all;
  for (uint64_t i = 0; i < 10; ++i)
    all.push_back(runOf("in" + std::to_string(i), maps[0], {1, i, 2, 1, 2 * i, 3, 1, 9 - i, 4}));
  WhatIfOptions options;
  options.demangle = [](const std::string &name) {
    return "void sort<" +
           std::string(name[8] == 'i'   ? "int"
                       : name[8] == 'd' ? "double"
                                        : "char") +
           ">()";
  };
  const auto mean = [&](const std::vector<std::string> &changes) {
    const auto a = ask(maps, all, machine(fixed), changes, options);
    EXPECT_TRUE(a) << a.error().text;
    return a ? after(*a, "mean") : 0;
  };
  const std::vector<std::string> each{"cost(sort<int>) *= 2", "cost(sort<double>) *= 2",
                                      "cost(sort<char>) *= 2"};
  EXPECT_FALSE(ask(maps, all, machine(fixed), {"cost(sort) *= 2"}, options));
  const auto group = [&](const std::string &alone) {
    groupFunctions(maps, [&](const Scope &own, const std::string &) {
      return own.function == alone ? FunctionGroup{} : FunctionGroup{"sort<…>", false};
    });
  };
  group("_Z4sortIcEvv"); // of another place
  EXPECT_FALSE(ask(maps, all, machine(fixed), {"cost(sort) *= 2"}, options));
  for (Map &m : maps)
    m.groups.clear();
  group("");
  EXPECT_EQ(mean({"cost(sort) *= 2"}), mean(each));
  EXPECT_LT(mean({"cost(sort<int>) *= 2"}), mean(each));
  // What was inlined is changed with the others.
  Scope inner = maps[0].functions[0].scopes[0];
  inner.function = "_Z4sortIlEvv";
  inner.line = 77;
  inner.parent = 0;
  maps[0].functions[0].scopes.push_back(inner);
  EXPECT_EQ(mean({"cost(sort) *= 2"}), mean(each)) << "there is no code of it";
}

TEST(WhatIf, AFunctionIsItsCodeWhereverItStands) {
  std::vector<Map> maps{mapOf({loopWithBranch("caller"), loopWithBranch("helper", 3)})};
  const uint32_t inlined = static_cast<uint32_t>(maps[0].functions[0].scopes.size());
  Scope copy = maps[0].functions[1].scopes[0];
  maps[0].functions[0].files = maps[0].functions[1].files;
  copy.parent = 0;
  maps[0].functions[0].scopes.push_back(copy);
  size_t moved = 0; // the lines of one block of the caller are the helper's
  for (Location &at : maps[0].functions[0].blocks[2].lines) {
    at.scope = inlined;
    ++moved;
  }
  ASSERT_GT(moved, 0u);
  Runs all;
  for (uint64_t i = 0; i < 10; ++i)
    all.push_back(runOf("in" + std::to_string(i), maps[0], {1, i, 2, 1, 2 * i, 3}));
  const auto difference = [&](const std::vector<std::string> &changes) {
    const auto a = ask(maps, all, machine(fixed), changes);
    EXPECT_TRUE(a) << a.error().text;
    return a ? after(*a, "mean") - before(*a, "mean") : 0;
  };
  const double helper = difference({"cost(helper) *= 2"}), caller = difference({"cost(caller) *= 2"});
  const double both = difference({"cost(caller) *= 2", "cost(helper) *= 2"});
  EXPECT_NEAR(both, helper + caller, 1e-9);
  EXPECT_NEAR(difference({"total(helper) *= 2"}), helper, 1e-9) << "it calls nobody";
  EXPECT_NEAR(difference({"total(helper) *= 1"}), 0, 1e-12);
  EXPECT_NEAR(difference({"calls(helper) *= 3"}), 2 * helper, 1e-9);
  // Without what is compiled of it, all of it is in the caller.
  maps[0].functions[1].name = maps[0].functions[1].scopes[0].function = "another";
  const double inside = difference({"cost(helper) *= 2"});
  EXPECT_GT(inside, 0);
  EXPECT_LT(inside, helper);
  EXPECT_NEAR(difference({"total(helper) *= 2"}), inside, 1e-9);
  // What of it is under another that is asked about is not known.
  EXPECT_FALSE(ask(maps, all, machine(fixed), {"total(helper) *= 2", "total(caller) *= 2"}));
}

TEST(WhatIf, MixesThatMeanNoRunAreErrors) {
  const std::vector<Map> maps = program();
  const Runs all = runs(maps, 10);
  struct Case {
    const char *feature, *text, *says;
  };
  const Case cases[] = {
      {"siez", "5\n", "did you mean 'size'?"},
      {"size", "5000000\t1\n", ":1: error: no run has the size '5000000'"},
      {"label", "x*\n", "no run has the label 'x*'"},
      {"size", "\n# nothing\n", "a mix needs at least one line"},
      {"size", "0..1e9\t0\n", "all weights are 0"},
      {"size", "1\t-1\n", "is no weight"},
      {"size", "1\t1e308\n", "is no weight"}, // of which figures would be no numbers
      {"size", "1\t1e-308\n", "is no weight"},
      {"size", "9..1\t1\n", "neither a number nor a range"},
      {"size", "1 2\n", "neither a number nor a range"},
      {"size", "1\t2\t3\n", "expected VALUE, or VALUE, a tab and WEIGHT"},
  };
  for (const Case &c : cases) {
    const TemporaryFile file(c.text);
    const auto a =
        ask(maps, all, machine(fixed), {"mix(" + std::string(c.feature) + ") = " + file.path});
    ASSERT_FALSE(a) << c.text;
    EXPECT_NE(a.error().message().find(c.says), std::string::npos) << a.error().message();
  }
  const auto a = ask(maps, all, machine(fixed), {"mix(size) = /no/such/file"});
  ASSERT_FALSE(a);
  EXPECT_NE(a.error().message().find("cannot read the mix"), std::string::npos);
}

TEST(WhatIf, StoppedRunsStayAboveAllOthers) {
  const std::vector<Map> maps = program();
  Runs all = runs(maps, 30);
  for (size_t i = 0; i < 6; ++i)
    all[i].outcome = Outcome::timedOut;
  const auto a = ask(maps, all, machine(fixed), {"cost(parse) *= 0.5"});
  ASSERT_TRUE(a);
  EXPECT_TRUE(std::isinf(after(*a, "p90")));
  EXPECT_TRUE(std::isfinite(after(*a, "p50")));
  EXPECT_EQ(a->censored, 6u);
  EXPECT_EQ(a->notes.front().kind, "censored");
}
