// Which figures of a model are marked: not those of calls that really are independent, but those of
// loops whose passes make up for each other, of runs that differ, of recursion, and of callers; and
// calls that were measured confirm a figure or take its place.
#include "quincunx/estimate/Model.h"

#include "../map/Graphs.h"
#include "Synthetic.h"
#include "quincunx/map/Placement.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

/// Functions of the program, and whether they are marked; by the machine that charges `text`.
std::map<std::string, std::string> refuted(const std::vector<Map> &maps,
                                           const std::vector<quincunx::Run> &runs,
                                           const char *text = "add 1\nmultiply 1") {
  const Result<Machine> machine = parseMachine(text, "test.machine");
  Model model(maps, *machine, {});
  for (const quincunx::Run &run : runs)
    EXPECT_TRUE(model.add(run));
  const Result<Modelled> m = model.finish();
  EXPECT_TRUE(m);
  std::map<std::string, std::string> all;
  for (const ModelledFunction &f : m->functions)
    all[model.graph().functions[f.number]->name] = f.verdict.refuted;
  return all;
}

/// A model of maps and runs, held against measured calls.
struct Judged {
  Judged(const std::vector<Map> &maps, const std::vector<quincunx::Run> &runs,
         const ObservedCalls &measured, const ModelOptions &options = {})
      : machine(*parseMachine("add 1\nmultiply 1", "test.machine")), model(maps, machine, options) {
    for (const quincunx::Run &run : runs)
      EXPECT_TRUE(model.add(run));
    Result<Modelled> m = model.finish(&measured);
    EXPECT_TRUE(m);
    all = std::move(*m);
  }
  const ModelledFunction &of(const std::string &name) const {
    return *std::ranges::find_if(all.functions, [&](const ModelledFunction &f) {
      return model.graph().functions[f.number]->name == name;
    });
  }
  Machine machine;
  Model model;
  Modelled all;
};

/// `n` calls of function `f`, by a law; all percentiles to the digit.
void measure(ObservedCalls &calls, const Function &f, uint64_t n, const Distribution &law) {
  FunctionFigures figures = placeOf(f, 0);
  SummaryStatistics &cost = figures.cost;
  cost.runs = n;
  cost.moments = law.moments();
  cost.deviation = cost.moments.deviation();
  cost.deviationInterval = {cost.deviation, cost.deviation};
  for (size_t i = 0; i < cost.percentiles.size(); ++i) {
    const double value = law.quantile(reportedPercentiles[i]);
    cost.percentiles[i] = {reportedPercentiles[i], value, false, {value, value}};
  }
  calls.functions.push_back(figures);
  calls.cut.push_back(0);
}

/// Costs of these, as often.
DistributionPtr lawOf(const std::vector<double> &costs) {
  std::vector<MixtureComponent> parts;
  for (const double x : costs)
    parts.push_back({{x, 0, 0, 0}, 1, false});
  return *makeMixture(parts);
}

/// Runs of loopWithBranch() that is entered `calls` times: passes, and how many are dear.
using Passes = std::function<std::pair<uint64_t, uint64_t>()>;
std::vector<quincunx::Run> runsOf(const Map &map, uint64_t calls, const Passes &passes) {
  std::vector<quincunx::Run> runs;
  for (int r = 0; r < 40; ++r) {
    const auto [all, dear] = passes();
    runs.push_back(runOf("r" + std::to_string(r), map, {calls, dear, all - dear}));
  }
  return runs;
}

} // namespace

TEST(Independence, IsNotRefutedWhereItHolds) {
  std::mt19937_64 random(4);
  size_t marked = 0, all = 0;
  for (int i = 0; i < 150; ++i) {
    Function f = randomFunction(random, 3 + static_cast<uint32_t>(random() % 12), false, false);
    const std::vector<double> cost(f.edges.size(), 1.0);
    ASSERT_TRUE(placeCounters(f, cost));
    for (Block &b : f.blocks)
      b.mix = {{InstructionClass::add, static_cast<uint32_t>(1 + random() % 9)}};
    const std::vector<Map> maps{mapOf({f})};
    std::vector<quincunx::Run> runs;
    for (int r = 0; r < 30; ++r)
      runs.push_back(runOf(
          "r" + std::to_string(r), maps[0],
          countersOf(maps[0].functions[0], walk(maps[0].functions[0], random, 1 + i % 40, 0))));
    for (const auto &[name, why] : refuted(maps, runs))
      ++all, marked += !why.empty();
  }
  EXPECT_EQ(all, 150u);
  EXPECT_LE(marked, 5u);
}

TEST(Independence, IsRefutedByPassesThatAddUp) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  const auto runs = runsOf(maps[0], 10, [] { return std::pair<uint64_t, uint64_t>(500, 250); });
  EXPECT_NE(refuted(maps, runs)["f"].find("make up for each other"), std::string::npos);
}

TEST(Independence, IsRefutedByRunsThatDiffer) {
  std::mt19937_64 random(8);
  Function f = loopWithBranch("f");
  f.loops.push_back({1, noIndex, {1}, {5, 6}, "n", false, noIndex, {}, {4, 1, 0}});
  f.branches.push_back({1, true, {2, 3, 4}, noIndex, noIndex, false, {}});
  const std::vector<Map> maps{mapOf({f})};
  const Passes passes = [&] {
    const uint64_t n = 1 + random() % 1000;
    return std::pair(n, n / 2);
  };
  EXPECT_NE(refuted(maps, runsOf(maps[0], 1, passes))["f"].find("from run to run"),
            std::string::npos);
  const Passes even = [] { return std::pair<uint64_t, uint64_t>(100, 0); };
  EXPECT_EQ(refuted(maps, runsOf(maps[0], 1, even))["f"], "") << "always as often";
}

TEST(Independence, IsRefutedByCallsThatAreAlikeWithinARun) {
  std::mt19937_64 random(8);
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  const Passes passes = [&] {
    const uint64_t n = 500 * (30 + random() % 61);
    return std::pair(n, n / 2);
  };
  // By the model single calls differ by far more, as its trips are geometric.
  EXPECT_NE(refuted(maps, runsOf(maps[0], 500, passes))["f"].find("from run to run"),
            std::string::npos);
}

TEST(Independence, IsRefutedForCallersOfSuchAndForRecursion) {
  std::mt19937_64 random(8);
  Function callee = loopWithBranch("callee"), caller = loopWithBranch("caller");
  caller.calls.push_back({4, "callee", false, {}});
  Function self = loopWithBranch("self");
  self.calls.push_back({2, "self", false, {}});
  const std::vector<Map> maps{mapOf({callee, caller, self})};
  std::vector<quincunx::Run> runs;
  for (int r = 0; r < 40;
       ++r) // the callee always passes 50 times, of two calls of "self" one is outer
    runs.push_back(runOf("r" + std::to_string(r), maps[0], {10, 250, 250, 10, 0, 0, 2, 1, 0}));
  std::map<std::string, std::string> marks = refuted(maps, runs);
  EXPECT_NE(marks["caller"].find("its spread is made by callee"), std::string::npos);
  EXPECT_NE(marks["self"].find("recursive"), std::string::npos);
  runs.resize(1);
  EXPECT_EQ(refuted(maps, runs)["caller"], "") << "one run tells nothing";
}

TEST(Independence, OfTripsThatFollowTheLoopAroundThem) {
  // The way back over A is one loop, entered once; each of its passes enters another, over B.
  Function f = loopWithBranch("f");
  f.loops.push_back({1, noIndex, {1}, {5}, "n", false, noIndex, {}, {4, 1, 0}});
  f.loops.push_back({1, 0, {2}, {6}, "", false, noIndex, {}, {5, 1, 0}});
  const std::vector<Map> maps{mapOf({f})};
  const Result<Machine> machine = parseMachine("add 1", "test.machine");
  for (const bool sizesDiffer : {true, false}) {
    Model model(maps, *machine, {});
    CountMatrixBuilder builder(maps, 40);
    for (uint64_t r = 0; r < 40; ++r) {
      const uint64_t n = sizesDiffer ? 20 + r : 20;
      const quincunx::Run run = runOf("r" + std::to_string(r), maps[0], {1, n, n * (n - 1) / 2});
      ASSERT_TRUE(model.add(run));
      ASSERT_TRUE(builder.add(run, 1));
    }
    ASSERT_TRUE(model.finish());
    Result<ModelledTree> tree = model.tree(0);
    const Result<CountMatrix> counts = builder.finish();
    ASSERT_TRUE(tree && counts);
    judgeTree(*tree, model.graph(), maps, *counts);
    ASSERT_EQ(tree->loops.size(), 2u);
    const Dispersion &outer = tree->loops[0].dispersion, &inner = tree->loops[1].dispersion;
    EXPECT_EQ(outer.runs, sizesDiffer ? 40u : 0u) << "constant trips that are so tell nothing";
    EXPECT_EQ(std::isinf(outer.phi), true);
    EXPECT_NEAR(tree->loops[1].along, sizesDiffer ? 0.5 : 0, 1e-9);
    if (!sizesDiffer)
      EXPECT_LT(inner.trust.high, 1);
  }
}

TEST(Independence, IsRefutedForRecursionOfWhichTheModelHasNoSpread) {
  // Each call passes a loop as often and calls itself there, as far as counts added up can tell.
  Function self = loopWithBranch("self"), caller = loopWithBranch("caller");
  self.loops.push_back({1, noIndex, {1}, {5, 6}, "n", false, noIndex, {}, {4, 1, 0}});
  self.calls.push_back({2, "self", false, {}});
  caller.calls.push_back({4, "self", false, {}});
  const std::vector<Map> maps{mapOf({self, caller})};
  const std::vector<quincunx::Run> runs{runOf("r", maps[0], {20, 10, 0, 10, 0, 0})};
  std::map<std::string, std::string> marks = refuted(maps, runs);
  EXPECT_NE(marks["self"].find("recursive"), std::string::npos);
}

TEST(Independence, IsRefutedThroughCallersWithoutSpreadOfTheirOwn) {
  std::mt19937_64 random(8);
  Function callee = loopWithBranch("callee"), caller = loopWithBranch("caller"),
           above = loopWithBranch("above");
  callee.loops.push_back({1, noIndex, {1}, {5, 6}, "n", false, noIndex, {}, {4, 1, 0}});
  caller.calls.push_back({4, "callee", false, {}});
  above.calls.push_back({4, "caller", false, {}});
  const std::vector<Map> maps{mapOf({callee, caller, above})};
  std::vector<quincunx::Run> runs;
  for (int r = 0; r < 40; ++r)
    runs.push_back(
        runOf("r" + std::to_string(r), maps[0], {1, random() % 1000, 0, 1, 0, 0, 1, 0, 0}));
  std::map<std::string, std::string> marks = refuted(maps, runs);
  EXPECT_NE(marks["callee"], "");
  EXPECT_NE(marks["caller"].find("made by callee"), std::string::npos);
  EXPECT_NE(marks["above"].find("made by caller"), std::string::npos);
}

namespace {

/// caller calls callee, which loops; the callee always passes 50 times, which counts refute.
struct Chain {
  Function callee = loopWithBranch("callee"), caller = loopWithBranch("caller");
  std::vector<Map> maps;
  std::vector<quincunx::Run> runs;
  Chain() {
    caller.calls.push_back({4, "callee", false, {}});
    maps = {mapOf({callee, caller})};
    for (int r = 0; r < 40; ++r)
      runs.push_back(runOf("r" + std::to_string(r), maps[0], {10, 250, 250, 10, 0, 0}));
  }
};

} // namespace

TEST(Independence, MeasuredCallsTakeThePlaceOfWhatTheyRefute) {
  const Chain c;
  const Judged plain(c.maps, c.runs, {});
  const double mean = plain.of("callee").cost.inclusive.k1;
  EXPECT_GT(plain.of("callee").cost.inclusive.k2, 100);
  ObservedCalls calls;
  const double itsOwn = 1.002 * mean; // which callers are not charged
  const DistributionPtr law = lawOf({itsOwn - 4, itsOwn, itsOwn, itsOwn + 4});
  measure(calls, c.callee, 400, *law);
  const Judged is(c.maps, c.runs, calls);
  EXPECT_NE(is.of("callee").verdict.refuted, "");
  EXPECT_TRUE(is.of("callee").verdict.asMeasured);
  EXPECT_FALSE(is.of("callee").verdict.otherMean);
  EXPECT_EQ(is.of("caller").verdict.refuted, "") << "what it calls is known";
  EXPECT_NEAR(is.of("caller").cost.inclusive.k2, 8, 1e-9);
  EXPECT_NEAR(is.of("caller").cost.inclusive.k4, cumulants(law->moments()).k4, 1e-6);
  EXPECT_DOUBLE_EQ(is.of("caller").cost.inclusive.k1, plain.of("caller").cost.inclusive.k1);
  EXPECT_DOUBLE_EQ(is.all.composedMean, plain.all.composedMean);
  const Result<ModelledTree> tree = is.model.tree(is.of("caller").number);
  ASSERT_TRUE(tree);
  EXPECT_NEAR(tree->costs[tree->regions.root].k2, 8, 1e-9);
  // A model that is asked for without them is without them.
  ModelOptions options;
  options.branch = "observed";
  EXPECT_FALSE(Judged(c.maps, c.runs, calls, options).of("callee").verdict.asMeasured);
  options = {};
  options.perRun = true;
  EXPECT_FALSE(Judged(c.maps, c.runs, calls, options).of("callee").verdict.asMeasured);
}

TEST(Independence, MeasuredCallsThatAreNotAllOfThemOnlyRefute) {
  const Chain c;
  const double mean = Judged(c.maps, c.runs, {}).of("callee").cost.inclusive.k1;
  for (const bool cut : {false, true}) {
    ObservedCalls calls;
    measure(calls, c.callee, cut ? 400 : 300, *lawOf({mean - 4, mean, mean, mean + 4}));
    calls.cut.back() = cut;
    const Judged is(c.maps, c.runs, calls);
    EXPECT_NE(is.of("callee").verdict.refuted, "");
    EXPECT_FALSE(is.of("callee").verdict.asMeasured);
    EXPECT_NE(is.of("caller").verdict.refuted, "");
  }
}

TEST(Independence, MeasuredCallsConfirm) {
  const Chain c;
  const Judged plain(c.maps, c.runs, {});
  ObservedCalls calls;
  measure(calls, c.callee, 400, *plain.of("callee").law);
  const Judged is(c.maps, c.runs, calls);
  EXPECT_NE(plain.of("callee").verdict.refuted, "");
  EXPECT_EQ(is.of("callee").verdict.refuted, "");
  EXPECT_FALSE(is.of("callee").verdict.otherPercentiles);
  EXPECT_DOUBLE_EQ(is.of("caller").cost.inclusive.k2, plain.of("caller").cost.inclusive.k2);
}

TEST(Independence, MeasuredCallsHaveAnotherMeanOrOtherPercentiles) {
  const Chain c;
  const Judged plain(c.maps, c.runs, {});
  const Moments m = moments(plain.of("callee").cost.inclusive);
  const double sd = m.deviation();
  ObservedCalls calls;
  measure(calls, c.callee, 400, *lawOf({m.mean - sd, m.mean + sd}));
  const Judged humps(c.maps, c.runs, calls);
  EXPECT_EQ(humps.of("callee").verdict.refuted, "") << "with this very deviation";
  EXPECT_TRUE(humps.of("callee").verdict.otherPercentiles);
  calls = {};
  measure(calls, c.callee, 400, *lawOf({1.1 * m.mean - sd, 1.1 * m.mean + sd}));
  EXPECT_TRUE(Judged(c.maps, c.runs, calls).of("callee").verdict.otherMean);
  EXPECT_FALSE(humps.of("callee").verdict.otherMean);
}

TEST(Independence, RecursionChargesWhatItsOutermostCallsWereMeasuredToBe) {
  Function self = loopWithBranch("self"), caller = loopWithBranch("caller");
  self.calls.push_back({2, "self", false, {}});
  caller.calls.push_back({4, "self", false, {}});
  const std::vector<Map> maps{mapOf({self, caller})};
  std::vector<quincunx::Run> runs;
  for (int r = 0; r < 40; ++r) // of two calls of self one is from the caller
    runs.push_back(runOf("r" + std::to_string(r), maps[0], {20, 10, 5, 10, 0, 0}));
  const Judged plain(maps, runs, {});
  const double mean = plain.of("self").cost.inclusive.k1;
  ObservedCalls calls;
  measure(calls, self, 400, *lawOf({mean - 1, mean + 1}));
  const Judged is(maps, runs, calls);
  EXPECT_NE(is.of("self").verdict.refuted.find("recursive"), std::string::npos);
  EXPECT_NEAR(is.of("caller").cost.inclusive.k2, 1, 1e-9);
  EXPECT_NEAR(is.of("caller").cost.inclusive.k1, plain.of("caller").cost.inclusive.k1, 1e-9);
  const Result<ModelledTree> tree = is.model.tree(is.of("self").number);
  ASSERT_TRUE(tree);
  EXPECT_NEAR(tree->costs[tree->regions.root].k2, is.of("self").cost.inclusive.k2, 1e-6)
      << "calls within the recursion are the model's";
}
