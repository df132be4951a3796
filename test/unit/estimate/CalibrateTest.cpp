// Calibrations against programs whose times are made up: that prices are found, that runs which
// were not timed are predicted, that intervals hold what they say, and that prices add up.
#include "TimedProgram.h"

#include "quincunx/numeric/Quantile.h"

#include <algorithm>
#include <functional>

using namespace quincunx;
using namespace quincunx::test;

namespace {

/// What a run costs by a machine, in ns.
std::vector<double> predicted(const TimedProgramData &p, const Machine &m) {
  std::vector<double> out;
  for (const Cumulants &k : BlockCosts(p.matrix, p.maps, m).runs())
    out.push_back(k.k1);
  return out;
}

const ProgramFit::Function &fitOf(const Machine &m, const std::string &name, uint32_t ordinal) {
  const auto at = std::find_if(m.fit.functions.begin(), m.fit.functions.end(), [&](const auto &f) {
    return f.name == name && f.ordinal == ordinal;
  });
  static const ProgramFit::Function none{"", 0, std::vector<double>(5)};
  EXPECT_NE(at, m.fit.functions.end()) << name << ordinal;
  return at == m.fit.functions.end() ? none : *at;
}

/// Runs, those that were not timed too, take what they are predicted to, within 2 %, and reports
/// say so; functions together are charged for all of it but the start and, in each run, `besides`.
void expectTimes(
    const TimedProgramData &p, const Machine &m,
    const std::function<double(const quincunx::Run &)> &besides = [](const auto &) { return 0.; }) {
  const std::vector<double> all = predicted(p, m);
  const Observed o = observed(p, m);
  double functions = 0, runs = 0;
  for (size_t d = 0; d < all.size(); ++d) {
    EXPECT_NEAR(all[d], p.times[d].time, 0.02 * p.times[d].time) << d;
    EXPECT_NEAR(all[d], o.runs[d].cost.k1, 1e-9 * all[d]) << d;
    runs += all[d] - m.event("start").k1 - besides(p.runs[d]);
  }
  for (const FunctionFigures &f : o.functions)
    functions += f.cost.moments.mean * static_cast<double>(all.size());
  EXPECT_NEAR(functions, runs, 1e-9 * runs);
}

bool hasNote(const Observed &o, const std::string &kind, const std::string &text) {
  return std::any_of(o.notes.begin(), o.notes.end(),
                     [&](const Note &n) { return n.kind == kind && n.text.starts_with(text); });
}

/// What the weights of a fit make of a run, by hand.
double weighed(const quincunx::Run &run, const Map &map, const Machine &m) {
  std::vector<double> counters(map.counterCount);
  const Counts &counts = run.images[0].counts;
  for (size_t i = 0; i < counts.index.size(); ++i)
    counters[counts.index[i]] = static_cast<double>(counts.value[i]);
  double sum = m.event("start").k1;
  for (size_t f = 0; f < map.functions.size(); ++f) {
    const std::vector<double> &w = fitOf(m, map.functions[f].name, f == 2 ? 1 : 0).weights;
    const double *c = &counters[map.functions[f].firstCounter];
    sum += c[0] * (w[0] + w[4]) + (c[0] + c[1] + c[2]) * w[1] + c[1] * w[2] + c[2] * w[3];
  }
  return sum;
}

std::string refusal(const Result<Calibration> &c) { return c ? "none" : c.error().text; }

} // namespace

TEST(Calibrate, RunsThatWereNotTimedArePredicted) {
  const TimedProgramData p(120, 1);
  const Result<Calibration> c = p.calibrated(80);
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_EQ(c->runs, 80u);
  ASSERT_EQ(c->judged.size(), 80u);
  EXPECT_LT(c->p90Error, 0.01);
  for (size_t d = 0; d < c->judged.size(); ++d) {
    EXPECT_EQ(c->judged[d].row, d);
    EXPECT_EQ(c->judged[d].time, p.times[d].time);
    EXPECT_LE(c->judged[d].interval.low, c->judged[d].interval.high);
  }
  const std::vector<double> all = predicted(p, c->machine);
  for (size_t d = 80; d < p.runs.size(); ++d)
    EXPECT_NEAR(all[d], p.times[d].time, 0.01 * p.times[d].time) << d;
  EXPECT_EQ(c->machine.unit, "ns");
  EXPECT_EQ(c->machine.classes.size(), classCount);
  EXPECT_NEAR(c->machine.event("start").k1, p.start, 0.2 * p.start);
  EXPECT_TRUE(c->notes.empty()) << c->notes[0].text;
}

TEST(Calibrate, FunctionsOfTheSameCodeHavePricesOfTheirOwn) {
  const TimedProgramData p(80, 2);
  const Result<Calibration> c = p.calibrated(80);
  ASSERT_TRUE(c) << c.error().text;
  ASSERT_EQ(c->machine.fit.functions.size(), 3u);
  for (size_t f = 0; f < 3; ++f) {
    const ProgramFit::Function &own =
        fitOf(c->machine, p.maps[0].functions[f].name, f == 2 ? 1 : 0);
    ASSERT_EQ(own.weights.size(), 5u);
    // The header runs with either arm, so only its sums with them can be told.
    for (const size_t arm : {2U, 3U}) {
      const double want = p.truth[f][1] + p.truth[f][arm];
      EXPECT_NEAR(own.weights[1] + own.weights[arm], want, 0.05 * want) << f << ' ' << arm;
    }
  }
}

TEST(Calibrate, AStartUpThatWasMeasuredIsTaken) {
  const TimedProgramData p(40, 3);
  const Result<Calibration> c = p.calibrated(40, {0.001, 0, p.start});
  ASSERT_TRUE(c);
  EXPECT_NEAR(c->machine.event("start").k1, p.start, 0.05 * p.start);
}

TEST(Calibrate, IntervalsHoldNineTenths) {
  double covered = 0, median = 0;
  constexpr int seeds = 25;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const TimedProgramData p(60, 100 + seed, 0.05);
    const Result<Calibration> c = p.calibrated(60, {0.02, 0, {}});
    ASSERT_TRUE(c) << c.error().text;
    covered += c->coverage / seeds;
    median += c->medianError / seeds;
    EXPECT_GT(c->machine.fit.residual.deviation(), 0.02);
    EXPECT_LT(c->machine.fit.residual.deviation(), 0.15);
  }
  EXPECT_GT(covered, 0.80);
  EXPECT_LT(covered, 0.97);
  EXPECT_GT(median, 0.02) << "times are noise by 5 %, half of which is missed by 3.4 %";
  EXPECT_LT(median, 0.08);
}

TEST(Calibrate, PricesAddUp) {
  const TimedProgramData p(50, 4, 0.05);
  Result<Calibration> c = p.calibrated(40);
  ASSERT_TRUE(c) << c.error().text;
  ASSERT_GT(c->machine.fit.residual.variance, 0);
  Machine odd = c->machine; // what a fit may say: one more time round makes the run quicker
  odd.fit.functions[1].weights[3] = -0.4;
  odd.fit.functions[2].weights[2] = 1e3;
  for (const Machine &m : {c->machine, odd}) {
    const Observed o = observed(p, m);
    double functions = m.event("start").k1;
    for (const FunctionFigures &f : o.functions) {
      EXPECT_GE(f.cost.min, 0) << f.name;
      functions += f.cost.moments.mean;
    }
    EXPECT_NEAR(functions, o.program.moments.mean, 1e-9 * functions);
    const BlockCosts costs(p.matrix, p.maps, m);
    const std::vector<Cumulants> runs = costs.runs();
    ASSERT_EQ(runs.size(), o.runs.size());
    for (size_t d = 0; d < runs.size(); ++d) {
      EXPECT_NEAR(runs[d].k1, weighed(p.runs[d], p.maps[0], m), 1e-9 * runs[d].k1) << d;
      EXPECT_NEAR(runs[d].k1, o.runs[d].cost.k1, 1e-9 * runs[d].k1) << d;
      EXPECT_NEAR(runs[d].k2, o.runs[d].cost.k2, 1e-9 * runs[d].k2) << d;
      EXPECT_NEAR(runs[d].k4, o.runs[d].cost.k4, 1e-9 * std::abs(runs[d].k4)) << d;
    }
    EXPECT_FALSE(o.constant);
    EXPECT_NEAR(o.fromInputs + o.fromMachine, o.program.moments.variance,
                1e-9 * o.program.moments.variance);
    for (size_t f = 0; f < 3; ++f) {
      const std::vector<ClassCount> &mixA = costs.function(f).blocks[2].mix;
      const double byClass = mixA[0].count * m.cost("multiply").k1 * m.fit.scale;
      EXPECT_GE(costs.blocks(f)[2].k1, (1 - 1e-12) * byClass / ProgramFit::usualLimit);
      EXPECT_LE(costs.blocks(f)[2].k1, (1 + 1e-12) * byClass * ProgramFit::usualLimit);
      for (const Cumulants &k : costs.blocks(f))
        EXPECT_GE(k.k1, 0);
    }
  }
}

TEST(Calibrate, OfPartsOfRunsTheResidualSaysNothing) {
  const TimedProgramData p(50, 5, 0.05);
  const Result<Calibration> c = p.calibrated(50);
  ASSERT_TRUE(c);
  Machine parts = c->machine;
  parts.fit.ofRuns = false;
  const Observed o = observed(p, parts);
  EXPECT_TRUE(o.constant);
  EXPECT_EQ(o.fromMachine, 0);
  double functions = 0; // without the start of the process
  for (const FunctionFigures &f : o.functions)
    functions += f.cost.moments.mean;
  EXPECT_NEAR(functions, o.program.moments.mean, 1e-9 * functions);
}

TEST(Calibrate, SimulatedMissesHavePrices) {
  const TimedProgramData p(120, 9, 0, PerMiss{8, 60});
  const Result<Calibration> c = p.calibrated(80);
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_NEAR(c->machine.event("mispredict").k1, 8, 0.8);
  EXPECT_NEAR(c->machine.event("l3Hit").k1, 60, 6);
  for (const char *never : {"l2Hit", "memoryAccess", "prefetchedLine", "pageWalk"})
    for (const auto &[event, cost] : c->machine.events)
      EXPECT_NE(event, never) << "it never happened";
  const std::vector<double> all = predicted(p, c->machine);
  for (size_t d = 80; d < p.runs.size(); ++d)
    EXPECT_NEAR(all[d], p.times[d].time, 0.02 * p.times[d].time) << d;
  const Observed o = observed(p, c->machine);
  double functions = c->machine.event("start").k1;
  for (const FunctionFigures &f : o.functions)
    functions += f.cost.moments.mean;
  EXPECT_NEAR(functions, o.program.moments.mean, 1e-9 * functions);
  for (size_t d = 0; d < all.size(); ++d)
    EXPECT_NEAR(all[d], o.runs[d].cost.k1, 1e-9 * all[d]) << d;
}

// Forty functions and twenty runs: any times can be fitted, which says nothing of other runs.
TEST(Calibrate, ErrorsAreThoseOfRunsThatWereNotFitted) {
  const TimedProgramData p(120, 16, 0.002, {}, 40);
  const Result<Calibration> c = p.calibrated(20);
  ASSERT_TRUE(c) << c.error().text;
  const std::vector<double> all = predicted(p, c->machine);
  std::vector<double> errors, fitted;
  for (size_t d = 0; d < all.size(); ++d)
    (d < 20 ? fitted : errors).push_back(std::abs(all[d] / p.times[d].time - 1));
  const double error = quantile(errors, 0.5);
  EXPECT_GT(error, 0.05);
  EXPECT_LT(quantile(fitted, 0.5), 0.2 * error);
  EXPECT_GT(c->medianError, 0.6 * error);
  EXPECT_LT(c->medianError, 1.7 * error);
}

// What an input takes with one thread tells what it takes with two.
TEST(Calibrate, AnInputIsLeftOutWithAllItsNumbersOfThreads) {
  const TimedProgramData p(120, 16, 0.002, {}, 40);
  std::vector<TimedRun> twice;
  for (size_t d = 0; d < 20; ++d) // rows of the same counts
    twice.insert(twice.end(), {p.times[d], {d, 1.001 * p.times[d].time}});
  const Result<Calibration> once = p.calibrated(20),
                            both = calibrate(p.matrix, p.maps, *machineByName("x86-64"), twice, {0.001, 0, {}});
  ASSERT_TRUE(once && both);
  EXPECT_GT(both->medianError, 0.6 * once->medianError);
}

TEST(Calibrate, NoMissMakesARunShorter) {
  const TimedProgramData p(80, 10, 0, PerMiss{-3, 60});
  const Result<Calibration> c = p.calibrated(80);
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_EQ(c->machine.event("mispredict").k1, 0);
  EXPECT_NEAR(c->machine.event("l3Hit").k1, 60, 12);
  const std::vector<double> all = predicted(p, c->machine);
  double middle = 0; // the others make up for what it seemed to save
  for (size_t d = 0; d < all.size(); ++d)
    middle += all[d] / p.times[d].time / static_cast<double>(all.size());
  EXPECT_NEAR(middle, 1, 0.04);
}

TEST(Calibrate, PageFaultsHaveAPrice) {
  TimedProgramData p(120, 12);
  std::mt19937_64 random(12);
  const double each = 900; // ns
  for (size_t d = 0; d < p.runs.size(); ++d) {
    const double faults =
        std::floor(std::exp(std::uniform_real_distribution<double>(3, 9)(random)));
    p.runs[d].pageFaults = p.matrix.rows[d].pageFaults = faults;
    p.times[d].time += each * faults;
  }
  const Result<Calibration> c = p.calibrated(80);
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_NEAR(c->machine.event("fault").k1, each, 0.05 * each);
  EXPECT_LT(c->p90Error, 0.02);
  const double fault = c->machine.event("fault").k1;
  expectTimes(p, c->machine, [&](const auto &run) { return fault * *run.pageFaults; });

  const auto says = [&](const char *kind, const std::string &text) {
    return hasNote(observed(p, c->machine), kind, text);
  };
  EXPECT_FALSE(says("no-faults", ""));
  for (const size_t d : {3, 90})
    p.runs[d].pageFaults.reset();
  EXPECT_TRUE(says("no-faults", "2 runs do not know their page faults, which are priced here"));
  EXPECT_FALSE(says("no-memory", "")) << "it has no price here";

  p.matrix.rows[7].pageFaults.reset(); // where one run does not tell, they tell nothing
  const Result<Calibration> without = p.calibrated(80);
  ASSERT_TRUE(without) << without.error().text;
  EXPECT_EQ(without->machine.event("fault").k1, 0);
  EXPECT_GT(without->p90Error, 0.1);
}

TEST(Calibrate, BranchMissesThatTheProcessorCountedHaveAPrice) {
  TimedProgramData p(120, 15);
  std::mt19937_64 random(15);
  const double each = 6; // ns
  for (size_t d = 0; d < p.runs.size(); ++d) {
    const double work = p.times[d].time - p.start;
    const double misses = std::floor(work * std::uniform_real_distribution<double>(0, 0.1)(random));
    p.runs[d].branchMisses = p.matrix.rows[d].branchMisses = misses;
    p.times[d].time += each * misses;
  }
  const Result<Calibration> c = p.calibrated(80);
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_NEAR(c->machine.event("mispredict").k1, each, 0.1 * each);
  EXPECT_LT(c->p90Error, 0.02);
  const double miss = c->machine.event("mispredict").k1;
  expectTimes(p, c->machine, [&](const auto &run) { return miss * *run.branchMisses; });
}

TEST(Calibrate, WorkGetsDearerWithTheMemoryOfARun) {
  TimedProgramData p(120, 13);
  std::mt19937_64 random(13);
  const double exponent = 0.2, least = 3e6;
  for (size_t d = 0; d < p.runs.size(); ++d) {
    const double ratio =
        d == 0 ? 1 : std::exp(std::uniform_real_distribution<double>(0, 4)(random));
    p.runs[d].peakMemory = p.matrix.rows[d].peakMemory = least * ratio;
    p.times[d].time = p.start + (p.times[d].time - p.start) * std::pow(ratio, exponent);
  }
  const Result<Calibration> c = p.calibrated(80);
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_EQ(c->machine.fit.memoryExponent, exponent);
  EXPECT_EQ(c->machine.fit.memoryBase, least);
  EXPECT_LT(c->p90Error, 0.02);
  expectTimes(p, c->machine);

  const auto says = [&](const char *kind, const std::string &text) {
    return hasNote(observed(p, c->machine), kind, text);
  };
  EXPECT_FALSE(says("no-memory", ""));
  p.runs[3].peakMemory = 0;
  EXPECT_TRUE(says("no-memory", "1 run does not know its memory, with which work gets dearer"));
  EXPECT_FALSE(says("no-faults", "")) << "they have no price here";

  p.matrix.rows[7].peakMemory = 0; // where one run does not tell, memory tells nothing
  const Result<Calibration> without = p.calibrated(80);
  ASSERT_TRUE(without) << without.error().text;
  EXPECT_EQ(without->machine.fit.memoryExponent, 0);
  EXPECT_GT(without->p90Error, 0.1);
}

TEST(Calibrate, MemoryThatSaysNothingIsLeftOut) {
  TimedProgramData p(60, 14, 0.03);
  std::mt19937_64 random(14);
  for (size_t d = 0; d < p.runs.size(); ++d)
    p.runs[d].peakMemory = p.matrix.rows[d].peakMemory =
        3e6 * std::exp(std::uniform_real_distribution<double>(0, 4)(random));
  const Result<Calibration> c = p.calibrated(60);
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_EQ(c->machine.fit.memoryExponent, 0);
}

TEST(Calibrate, BuildsWithAndWithoutMissesDoNotMix) {
  TimedProgramData p(20, 11);
  p.maps.push_back(mapOf({loopWithMisses("work")}, 2));
  CountMatrixBuilder builder(p.maps, p.runs.size());
  for (size_t d = 0; d < p.runs.size(); ++d)
    ASSERT_TRUE(
        builder.add(d < 10 ? p.runs[d] : runOf(p.runs[d].identity, p.maps[1], {1, 2 * d, 3, 1})));
  p.matrix = *builder.finish();
  const std::string said = refusal(p.calibrated(20));
  EXPECT_NE(said.find("record=predictor and some without"), std::string::npos) << said;
}

TEST(Calibrate, TheMachineIsATextAndBack) {
  const TimedProgramData p(50, 6, 0.05);
  const Result<Calibration> c = p.calibrated(50);
  ASSERT_TRUE(c);
  const std::string text = printMachine(c->machine);
  const Result<Machine> again = parseMachine(text, "m");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(printMachine(*again), text);
  EXPECT_EQ(again->classes, c->machine.classes);
  EXPECT_EQ(again->events, c->machine.events);
  EXPECT_EQ(again->fit.scale, c->machine.fit.scale);
  ASSERT_EQ(again->fit.functions.size(), c->machine.fit.functions.size());
  for (size_t f = 0; f < again->fit.functions.size(); ++f) {
    EXPECT_EQ(again->fit.functions[f].name, c->machine.fit.functions[f].name);
    EXPECT_EQ(again->fit.functions[f].ordinal, c->machine.fit.functions[f].ordinal);
    EXPECT_EQ(again->fit.functions[f].weights, c->machine.fit.functions[f].weights);
  }
  EXPECT_EQ(again->fit.residual.mean, 0);
  EXPECT_EQ(again->fit.residual.variance, c->machine.fit.residual.variance);
  EXPECT_EQ(again->fit.residual.skewness, c->machine.fit.residual.skewness);
  EXPECT_EQ(again->fit.residual.kurtosis, c->machine.fit.residual.kurtosis);
}

TEST(Calibrate, FewInputsAreSaid) {
  const TimedProgramData p(12, 7);
  const Result<Calibration> c = p.calibrated(12);
  ASSERT_TRUE(c) << c.error().text;
  ASSERT_EQ(c->notes.size(), 1u);
  EXPECT_EQ(c->notes[0].kind, "few-inputs");
}

TEST(Calibrate, RunsBeyondWhatWasTimedAreSaid) {
  TimedProgramData p(100, 9);
  std::sort(p.times.begin(), p.times.end(),
            [](const TimedRun &a, const TimedRun &b) { return a.time < b.time; });
  const double longest = p.times[69].time;
  const auto beyond = std::count_if(p.times.begin(), p.times.end(),
                                    [&](const TimedRun &t) { return t.time > 1.2 * longest; });
  ASSERT_GT(beyond, 1);
  const Result<Calibration> c = p.calibrated(70);
  ASSERT_TRUE(c) << c.error().text;
  ASSERT_EQ(c->notes.size(), 1u);
  EXPECT_EQ(c->notes[0].kind, "beyond");
  EXPECT_EQ(std::stol(c->notes[0].text), beyond);
  const Result<Calibration> all = p.calibrated(100);
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->notes.empty());
}

TEST(Calibrate, RefusesWhatTellsNoPrices) {
  const TimedProgramData p(20, 8);
  EXPECT_TRUE(p.calibrated(5)) << refusal(p.calibrated(5));
  struct {
    const char *text;
    size_t runs;
    std::function<double(double)> time;
    const char *says;
  } const table[] = {
      {"few", 4, [](double t) { return t; },
       "4 inputs that were counted are timed; a calibration needs 5"},
      {"one", 1, [](double t) { return t; },
       "1 input that was counted is timed; a calibration needs 5"},
      {"none", 0, [](double t) { return t; }, "0 inputs that were counted are timed"},
      {"constant", 20, [](double) { return 1e6; }, "differ by less than they repeat (0 %)"},
      {"nearly constant", 20, [](double t) { return 1e6 + 1e-3 * t; }, "less than they repeat"},
      {"backwards", 20, [](double t) { return 1e14 / (t * t); },
       "times do not grow with what the runs did"},
  };
  for (const auto &row : table) {
    SCOPED_TRACE(row.text);
    TimedProgramData other = p;
    for (TimedRun &t : other.times)
      t.time = row.time(t.time);
    const std::string said = refusal(other.calibrated(row.runs));
    EXPECT_NE(said.find(row.says), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
}
