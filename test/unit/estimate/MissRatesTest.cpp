// Simulated misses: they are found in the map, cost what the machine says wherever costs are added
// up, and a calibration learns what they cost.
#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/estimate/Calibrate.h"
#include "quincunx/estimate/LineObserver.h"
#include "quincunx/estimate/Model.h"
#include "quincunx/estimate/Observed.h"

#include "Synthetic.h"
#include "UnknownSources.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

/// Block A (2) has counters 3 to 7 for l2Hit, l3Hit, memoryAccess, prefetchedLine and pageWalk, its
/// branch 8 for mispredictions.
Function simulated(const std::string &name) {
  Function f = loopWithBranch(name);
  f.branches = {{1, false, {2, 3}, noIndex, noIndex, false, {4, 1, 0}}};
  f.branches[0].misses = 8;
  f.blocks[2].memory = 3;
  f.counterCount = 9;
  return f;
}

struct Simulated {
  std::vector<Map> maps{mapOf({simulated("work")})};
  std::vector<quincunx::Run> runs;
  CountMatrix matrix;

  void add(const std::vector<uint64_t> &counters) {
    runs.push_back(runOf("r" + std::to_string(runs.size()), maps[0], counters));
  }
  void finish() {
    CountMatrixBuilder builder(maps, runs.size());
    for (const quincunx::Run &run : runs)
      ASSERT_TRUE(builder.add(run));
    Result<CountMatrix> built = builder.finish();
    ASSERT_TRUE(built);
    matrix = std::move(*built);
  }
};

Machine priced(const std::string &more) {
  const Result<Machine> m =
      parseMachine("unit ns\nadd 1\nmultiply 1\nload 1\nstore 1\n" + more, "m");
  EXPECT_TRUE(m) << m.error().text;
  return *m;
}

} // namespace

TEST(MissRates, CostWhatTheMachineSaysEverywhere) {
  Simulated s;
  // l2Hit 4, l3Hit 3, memoryAccess 7, prefetchedLine 2, pageWalk 1, mispredict 6
  s.add({1, 10, 5, 4, 3, 7, 2, 1, 6});
  s.add({1, 20, 5, 0, 0, 0, 0, 0, 0});
  s.finish();
  const Machine without = priced(""),
                with = priced("l2Hit 10\nl3Hit 100\nmemoryAccess 300\n"
                              "prefetchedLine 7\npageWalk 30\nmispredict 5\n");
  const double misses = 4 * 10 + 3 * 100 + 7 * 300 + 2 * 7 + 1 * 30 + 6 * 5;
  const auto before = BlockCosts(s.matrix, s.maps, without).runs();
  const auto after = BlockCosts(s.matrix, s.maps, with).runs();
  EXPECT_DOUBLE_EQ(after[0].k1, before[0].k1 + misses);
  EXPECT_DOUBLE_EQ(after[1].k1, before[1].k1);

  Observer observer(s.maps, with, 2);
  Model model(s.maps, with, {});
  const auto sources = unknownSources(s.maps);
  LineObserver lines(s.maps, sources, with, "/src/dir/prog.c", {});
  for (const quincunx::Run &run : s.runs) {
    ASSERT_TRUE(observer.add(run));
    ASSERT_TRUE(model.add(run));
    ASSERT_TRUE(lines.add(run));
  }
  const Result<Observed> observed = observer.finish();
  ASSERT_TRUE(observed);
  EXPECT_DOUBLE_EQ(observed->runs[0].cost.k1, after[0].k1);
  EXPECT_DOUBLE_EQ(observed->functions[0].cost.moments.mean, (after[0].k1 + after[1].k1) / 2);
  const Result<Modelled> modelled = model.finish();
  ASSERT_TRUE(modelled);
  EXPECT_NEAR(modelled->program.k1, (after[0].k1 + after[1].k1) / 2, 1e-9);
  const Result<FileFigures> file = lines.finish(observed->program.moments.mean);
  ASSERT_TRUE(file);
  double shares = 0;
  for (const auto &[number, line] : *file)
    shares += line.share;
  EXPECT_NEAR(shares, 1, 1e-9);
}

TEST(MissRates, RandomOnesMakeRunsRandom) {
  Simulated s;
  s.add({1, 10, 5, 4, 0, 0, 0, 0, 0});
  s.finish();
  const auto runs = BlockCosts(s.matrix, s.maps, priced("l2Hit moments(10, 9, 0, 3)\n")).runs();
  EXPECT_DOUBLE_EQ(runs[0].k2, 4 * 9);
}

TEST(MissRates, ACalibrationLearnsWhatTheyCost) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform;
  Simulated s;
  std::vector<TimedRun> times;
  for (size_t d = 0; d < 60; ++d) {
    const auto a = static_cast<uint64_t>(std::exp(uniform(random) * 3 + 11)),
               b = static_cast<uint64_t>(std::exp(uniform(random) * 3 + 11));
    const auto missed = static_cast<uint64_t>(uniform(random) * 0.5 * static_cast<double>(a + b));
    const auto far = static_cast<uint64_t>(uniform(random) * 0.1 * static_cast<double>(a));
    const auto beyond = static_cast<uint64_t>(uniform(random) * 0.1 * static_cast<double>(a));
    s.add({1, a, b, 0, far, beyond, 0, 0, missed});
    const auto n = [](uint64_t x) { return static_cast<double>(x); };
    times.push_back({d, 1e5 + n(a) + 0.5 * n(b) + 5 * n(missed) + 60 * n(far) + 200 * n(beyond)});
  }
  s.finish();
  const Machine guess = *machineByName("x86-64");
  const Result<Calibration> c =
      calibrate(s.matrix, s.maps, guess, std::span(times).first(40), {0.001, 0, {}});
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_NEAR(c->machine.event("mispredict").k1, 5, 0.25);
  EXPECT_NEAR(c->machine.event("l3Hit").k1, 60, 3);
  EXPECT_NEAR(c->machine.event("memoryAccess").k1, 200, 10);
  EXPECT_EQ(c->machine.event("l2Hit").k1, 0) << "none was met";
  const auto runs = BlockCosts(s.matrix, s.maps, c->machine).runs();
  for (size_t d = 40; d < 60; ++d)
    EXPECT_NEAR(runs[d].k1, times[d].time, 0.02 * times[d].time) << d;
}

TEST(MissRates, OnesThatSeemToSaveTimeAreNotPriced) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> uniform;
  Simulated s;
  std::vector<TimedRun> times;
  for (size_t d = 0; d < 40; ++d) {
    const auto a = static_cast<uint64_t>(std::exp(uniform(random) * 3 + 11)), b = a / 2;
    const auto streams = static_cast<uint64_t>(uniform(random) * 0.2 * static_cast<double>(a));
    s.add({1, a, b, 0, 0, 0, streams, 0, 0});
    times.push_back({d, 1e5 + 4.0 * static_cast<double>(a) - 3 * static_cast<double>(streams)});
  }
  s.finish();
  const Result<Calibration> c =
      calibrate(s.matrix, s.maps, *machineByName("x86-64"), times, {0.001, 0, {}});
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_LE(c->machine.event("prefetchedLine").k1, 1e-9);
}

TEST(MissRates, RunsOfTwoBuildsAreRefused) {
  Simulated s;
  s.maps.push_back(mapOf({loopWithBranch("work")}, 2, "/bin/other"));
  std::vector<TimedRun> times;
  for (size_t d = 0; d < 6; ++d) {
    s.add({1, uint64_t{1000} << d, 5, 4, 3, 7, 2, 1, 6});
    s.runs.push_back(runOf("o" + std::to_string(d), s.maps[1], {1, uint64_t{1000} << d, 5}));
    times.push_back({2 * d, 1e6 * static_cast<double>(d + 1)});
  }
  s.finish();
  const Result<Calibration> c =
      calibrate(s.matrix, s.maps, *machineByName("x86-64"), times, {0.001, 0, {}});
  ASSERT_FALSE(c);
  EXPECT_NE(c.error().text.find("record=predictor"), std::string::npos) << c.error().text;
}

namespace {

/// The same program, of which nothing is simulated.
struct Ordinary {
  std::vector<Map> maps{mapOf({loopWithBranch("work")}, 9, "/bin/ordinary")};
  std::vector<quincunx::Run> runs;
  CountMatrix matrix;

  explicit Ordinary(const std::vector<std::vector<uint64_t>> &counters) {
    CountMatrixBuilder builder(maps, counters.size());
    for (const std::vector<uint64_t> &c : counters) {
      runs.push_back(runOf("o" + std::to_string(runs.size()), maps[0], c));
      EXPECT_TRUE(builder.add(runs.back()));
    }
    Result<CountMatrix> built = builder.finish();
    EXPECT_TRUE(built);
    matrix = std::move(*built);
  }
};

} // namespace

TEST(MissRates, AreCarriedToRunsThatCountNone) {
  Simulated some;
  some.add({1, 10, 5, 4, 0, 0, 0, 0, 3});
  some.add({1, 30, 5, 6, 2, 0, 0, 0, 2});
  some.finish();
  Ordinary all({{1, 100, 20}, {1, 5, 400}});
  const Machine here = priced("branch 1\njump 1\nconstruct 0\nmispredict 5\nl2Hit 3\n"
                              "l3Hit 40\nstart 7\nprogramSpread 0.3\n");
  const SimulatedRuns simulated{some.matrix, some.maps};
  const Result<Calibration> c = predictUntimed(all.matrix, all.maps, here, &simulated);
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_EQ(c->runs, 0u);
  EXPECT_EQ(c->machine.programSpread, programSpreadWithMisses);
  EXPECT_EQ(c->machine.event("mispredict").k1, 5) << "the machine is for other programs too";
  ASSERT_TRUE(c->carried);
  EXPECT_EQ(c->carried->functions, 1u);
  EXPECT_EQ(c->carried->all, 1u);
  EXPECT_EQ(c->carried->work, 1);
  const Result<Calibration> alone = predictUntimed(all.matrix, all.maps, here);
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->machine.programSpread, 0.3);
  EXPECT_FALSE(alone->carried);
  // Of A's 40 executions: l2Hit 10, l3Hit 2; of the header's 16 + 36: 5 predicted wrong.
  const double a = (10 * 3 + 2 * 40) / 40.0, header = 5 * 5 / 52.0;
  const auto runs = BlockCosts(all.matrix, all.maps, c->machine).runs();
  EXPECT_NEAR(runs[0].k1, 7 + 2 + 121 * (2 + header) + 100 * (3 + a) + 20 * 2 + 1, 1e-9);
  EXPECT_NEAR(runs[1].k1, 7 + 2 + 406 * (2 + header) + 5 * (3 + a) + 400 * 2 + 1, 1e-9);

  Observer o(all.maps, c->machine, 2);
  for (const quincunx::Run &run : all.runs)
    ASSERT_TRUE(o.add(run));
  const Result<Observed> seen = o.finish();
  ASSERT_TRUE(seen);
  EXPECT_NEAR(seen->runs[0].cost.k1, runs[0].k1, 1e-9);
  EXPECT_TRUE(std::any_of(seen->notes.begin(), seen->notes.end(), [](const Note &n) {
    return n.kind == "machine" && n.text.find("from 0.7 to 1.4 (90 %)") != std::string::npos &&
           n.text.find("timed") == std::string::npos;
  }));
}

namespace {

/// Some images, and one run of them all.
struct Program {
  std::vector<Map> maps;
  CountMatrix matrix;

  Program(std::vector<Map> all, const std::vector<std::vector<uint64_t>> &perMap)
      : maps(std::move(all)) {
    quincunx::Run run = runOf("run", maps[0], perMap[0]);
    for (size_t m = 1; m < maps.size(); ++m)
      run.images.push_back(runOf("", maps[m], perMap[m]).images[0]);
    CountMatrixBuilder builder(maps, 1);
    EXPECT_TRUE(builder.add(run));
    Result<CountMatrix> built = builder.finish();
    EXPECT_TRUE(built);
    matrix = std::move(*built);
  }
};

/// Neither branches nor memory: nothing to simulate.
Function straight(const std::string &name, uint32_t additions) {
  Function f = guardedCall(name, 0);
  f.guarded = false;
  f.counterCount = 1;
  f.edges.back().counter = noIndex;
  f.blocks[1].mix = {{InstructionClass::add, additions}};
  return f;
}

} // namespace

TEST(MissRates, OfFunctionsThatLookTheSameAreAddedUp) {
  Function longer = simulated("work");
  longer.blocks.push_back(longer.blocks.back()); // another build: none of its rates fit
  const Program some(
      {mapOf({simulated("work")}, 1), mapOf({simulated("work")}, 2, "/lib/b"),
       mapOf({longer}, 3, "/lib/c")},
      {{1, 10, 5, 0, 0, 2, 0, 0, 0}, {1, 30, 5, 0, 0, 6, 0, 0, 0}, {1, 10, 5, 0, 0, 9, 0, 0, 0}});
  const Ordinary all({{1, 100, 20}});
  const Machine here = priced("memoryAccess 200\n");
  const SimulatedRuns simulated{some.matrix, some.maps};
  const Result<Calibration> c = predictUntimed(all.matrix, all.maps, here, &simulated);
  ASSERT_TRUE(c) << c.error().text;
  const BlockCosts costs(all.matrix, all.maps, c->machine);
  EXPECT_NEAR(costs.blocks(0)[2].k1, 3 + 200 * (2 + 6) / 40.0, 1e-9);
}

TEST(MissRates, AreCarriedToTheSameProgramOnly) {
  const Machine here = priced("memoryAccess 200\nprogramSpread 0.4\n");
  const std::vector<uint64_t> some{1, 10, 5, 0, 0, 2, 0, 0, 0}, nothing(9);
  // other does ten times the work of work.
  const Program all({mapOf({loopWithBranch("work"), loopWithBranch("other"), straight("add", 5)})},
                    {{1, 30, 0, 1, 300, 0, 1}});
  const auto from = [&](const std::vector<Function> &functions, std::vector<uint64_t> counters) {
    const Program p({mapOf(functions)}, {counters});
    const SimulatedRuns simulated{p.matrix, p.maps};
    return predictUntimed(all.matrix, all.maps, here, &simulated);
  };
  const auto join = [](std::vector<uint64_t> a, const std::vector<uint64_t> &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  Result<Calibration> c = from({simulated("work")}, some);
  ASSERT_FALSE(c) << "another program, with one function in common";
  EXPECT_NE(c.error().text.find("another program or build: only 1 of 3 functions, 9"),
            std::string::npos)
      << c.error().text;
  EXPECT_EQ(c.error().text.find('\n'), std::string::npos);
  c = from({simulated("work"), simulated("other")}, join(some, nothing));
  ASSERT_TRUE(c) << "the other is known, it only did not run: " << c.error().text;
  EXPECT_EQ(c->carried->functions, 1u);
  EXPECT_EQ(c->carried->all, 3u);
  EXPECT_NEAR(c->carried->work, 0.09, 0.01);
  EXPECT_EQ(c->machine.programSpread, 0.4) << "most of the work has no misses";
  c = from({simulated("work"), simulated("other"), straight("add", 5)},
           join(join(some, {1, 10, 5, 0, 0, 0, 0, 0, 0}), {1}));
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_EQ(c->carried->functions, 3u) << "some miss nothing";
  EXPECT_EQ(c->carried->work, 1);
  ASSERT_EQ(c->machine.fit.functions.size(), 1u);
  EXPECT_EQ(c->machine.fit.functions[0].name, "work");
}

TEST(MissRates, AreChargedOnce) {
  const Machine here = priced("mispredict 5\n");
  Simulated s;
  s.add({1, 10, 5, 0, 0, 0, 0, 0, 6});
  s.finish();
  const double simulated = BlockCosts(s.matrix, s.maps, here).runs()[0].k1;
  s.matrix.rows[0].branchMisses = 8; // what was simulated comes first
  EXPECT_EQ(BlockCosts(s.matrix, s.maps, here).runs()[0].k1, simulated);

  Ordinary all({{1, 100, 20}});
  const double without = BlockCosts(all.matrix, all.maps, here).runs()[0].k1;
  all.matrix.rows[0].branchMisses = 8;
  EXPECT_EQ(BlockCosts(all.matrix, all.maps, here).runs()[0].k1, without + 8 * 5);
  const SimulatedRuns from{s.matrix, s.maps};
  const auto carry = [&] {
    const Result<Calibration> c = predictUntimed(all.matrix, all.maps, here, &from);
    EXPECT_TRUE(c);
    return c->machine;
  };
  EXPECT_NEAR(BlockCosts(all.matrix, all.maps, carry()).runs()[0].k1, without + 8 * 5, 1e-9)
      << "the processor knows better";
  all.matrix.rows[0].branchMisses.reset();
  const Machine carried = carry();
  const double with = without + 6 / 16.0 * 121 * 5;
  EXPECT_NEAR(BlockCosts(all.matrix, all.maps, carried).runs()[0].k1, with, 1e-9);
  all.matrix.rows[0].branchMisses = 8;
  const Result<Machine> kept = parseMachine(printMachine(carried), "m");
  ASSERT_TRUE(kept) << kept.error().message();
  for (const Machine &m : {carried, *kept})
    EXPECT_NEAR(BlockCosts(all.matrix, all.maps, m).runs()[0].k1, with, 1e-9);
  Machine others = carried; // for other programs it is a machine like any
  others.fit = {};
  EXPECT_EQ(BlockCosts(all.matrix, all.maps, others).runs()[0].k1, without + 8 * 5);
}

TEST(MissRates, ThatAreCarriedAreChargedToTheirBlocksInFull) {
  Simulated some;
  some.add({1, 40, 5, 4, 2, 30, 0, 0, 3});
  some.finish();
  Ordinary all({{1, 100, 20}, {1, 5, 400}, {1, 3000, 10}});
  const Machine here =
      priced("branch 1\nmispredict 5\nl2Hit 3\nl3Hit 40\nmemoryAccess 200\nstart 7\n");
  const SimulatedRuns simulated{some.matrix, some.maps};
  const Result<Calibration> c = predictUntimed(all.matrix, all.maps, here, &simulated);
  ASSERT_TRUE(c) << c.error().text;
  const double a = (4 * 3 + 2 * 40 + 30 * 200) / 40.0; // 50 times its own three multiplications
  const BlockCosts costs(all.matrix, all.maps, c->machine);
  EXPECT_NEAR(costs.blocks(0)[2].k1, 3 + a, 1e-9);
  EXPECT_EQ(c->machine.fit.scale, 1);
  Observer observer(all.maps, c->machine, 3);
  Model model(all.maps, c->machine, {});
  for (const quincunx::Run &run : all.runs) {
    ASSERT_TRUE(observer.add(run));
    ASSERT_TRUE(model.add(run));
  }
  const Result<Observed> seen = observer.finish();
  const Result<Modelled> modelled = model.finish();
  ASSERT_TRUE(seen && modelled);
  double mean = 0, functions = 7;
  for (const Cumulants &run : costs.runs())
    mean += run.k1 / 3;
  for (const FunctionFigures &f : seen->functions)
    functions += f.cost.moments.mean;
  EXPECT_NEAR(functions, mean, 1e-9 * mean);
  EXPECT_NEAR(seen->program.moments.mean, mean, 1e-9 * mean);
  EXPECT_NEAR(modelled->program.k1, mean, 1e-6 * mean);
}

TEST(MissRates, ThatAreCarriedHavePricesToo) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> uniform;
  Simulated some;
  std::vector<std::vector<uint64_t>> counters;
  std::vector<TimedRun> times;
  for (size_t d = 0; d < 60; ++d) {
    const auto a = static_cast<uint64_t>(std::exp(uniform(random) * 3 + 11)),
               b = static_cast<uint64_t>(std::exp(uniform(random) * 3 + 11));
    counters.push_back({1, a, b});
    const auto n = [](uint64_t x) { return static_cast<double>(x); };
    times.push_back({d, 1e5 + n(a) + 0.5 * n(b) + 60 * 0.05 * n(a)});
    if (d < 10)
      some.add({1, a, b, 0, a / 20, 0, 0, 0, 0});
  }
  some.finish();
  Ordinary all(counters);
  const SimulatedRuns simulated{some.matrix, some.maps};
  const Result<Calibration> c = calibrate(all.matrix, all.maps, *machineByName("x86-64"),
                                          std::span(times).first(40), {0.001, 0, {}}, &simulated);
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_GT(c->machine.event("l3Hit").k1, 5) << "what A costs is shared by its work and its misses";
  EXPECT_EQ(c->machine.event("l2Hit").k1, 0) << "none was met";
  const auto runs = BlockCosts(all.matrix, all.maps, c->machine).runs();
  for (size_t d = 40; d < 60; ++d)
    EXPECT_NEAR(runs[d].k1, times[d].time, 0.02 * times[d].time) << d;
}

TEST(MissRates, ThatAreDearAreChargedInFullByACalibrationToo) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> uniform;
  Simulated some;
  std::vector<std::vector<uint64_t>> counters;
  std::vector<TimedRun> times;
  for (size_t d = 0; d < 40; ++d) {
    const auto a = static_cast<uint64_t>(std::exp(uniform(random) * 3 + 11)),
               b = static_cast<uint64_t>(std::exp(uniform(random) * 3 + 11));
    counters.push_back({1, a, b});
    const auto n = [](uint64_t x) { return static_cast<double>(x); };
    times.push_back({d, 1e5 + 3 * n(a) + 2 * n(b) + 200 * 0.3 * n(a)});
    some.add({1, a, b, 0, 0, 3 * a / 10, 0, 0, 0});
  }
  some.finish();
  Ordinary all(counters);
  const SimulatedRuns simulated{some.matrix, some.maps};
  const Result<Calibration> c =
      calibrate(all.matrix, all.maps, *machineByName("x86-64"), times, {0.001, 0, {}}, &simulated);
  ASSERT_TRUE(c) << c.error().text;
  const BlockCosts costs(all.matrix, all.maps, c->machine);
  EXPECT_NEAR(costs.blocks(0)[2].k1, 63, 0.05 * 63);
  EXPECT_GT(c->machine.fit.functions.at(0).carried.at(2), 4 * 3);
}

TEST(MissRates, ThatCannotBeCarriedAreRefused) {
  Simulated some;
  some.add({1, 10, 5, 4, 0, 0, 0, 0, 3});
  some.finish();
  Ordinary all({{1, 100, 20}});
  const Machine here = priced("l2Hit 3\n");
  const auto refusal = [&](const CountMatrix &matrix, const std::vector<Map> &maps,
                           const CountMatrix &from, const std::vector<Map> &ofFrom) {
    const SimulatedRuns simulated{from, ofFrom};
    const Result<Calibration> c = predictUntimed(matrix, maps, here, &simulated);
    return c ? "none" : c.error().text;
  };
  EXPECT_NE(refusal(some.matrix, some.maps, some.matrix, some.maps).find("misses of their own"),
            std::string::npos);
  EXPECT_NE(refusal(all.matrix, all.maps, all.matrix, all.maps).find("no simulated misses"),
            std::string::npos);
  some.maps[0].functions[0].name = "other";
  EXPECT_NE(refusal(all.matrix, all.maps, some.matrix, some.maps).find("another program"),
            std::string::npos);
  for (const Machine &guess : {*machineByName("x86-64"), here}) {
    const Result<Calibration> c = calibrate(all.matrix, all.maps, guess, {}, {});
    ASSERT_FALSE(c) << "with no counted input among those that are timed";
    EXPECT_NE(c.error().text.find("a calibration needs 5"), std::string::npos) << c.error().text;
  }
}
