// Calibrations that know where the program was: functions that few timed runs cannot tell apart get
// the time that samples saw, calls of what was not counted get prices, and runs still take what
// they take.
#include "TimedProgram.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

constexpr size_t others = 12, timed = 8, rows = 60;

/// What function `f` really takes in a run, ns.
double really(const TimedProgramData &p, size_t f, size_t run) {
  const Counts &counts = p.runs[run].images[0].counts;
  std::vector<double> c(p.maps[0].counterCount);
  for (size_t i = 0; i < counts.index.size(); ++i)
    c[counts.index[i]] = static_cast<double>(counts.value[i]);
  const double *own = &c[p.maps[0].functions[f].firstCounter];
  const std::vector<double> &t = p.truth[f];
  return own[0] * (t[0] + t[4]) + (own[0] + own[1] + own[2]) * t[1] + own[1] * t[2] + own[2] * t[3];
}

/// A sample every `period` ns, of all functions but the twins, which have one name.
std::vector<SampledRun> sampled(const TimedProgramData &p, double period) {
  std::vector<SampledRun> out;
  std::mt19937_64 random(5);
  for (size_t d = 0; d < timed; ++d) {
    SampledRun &run = out.emplace_back();
    run.row = d;
    run.executions = 10;
    run.cpu = 10 * 1e-9 * p.times[d].time;
    run.user = 10 * 1e-9 * (p.times[d].time - p.start);
    for (size_t f = 0; f < p.truth.size(); ++f) {
      std::poisson_distribution<uint64_t> number(10 * really(p, f, d) / period);
      run.samples[{p.maps[0].functions[f].name, "", 0, ""}] += number(random);
    }
  }
  return out;
}

/// Per function, what it takes in the runs that were not timed, relative to what it really does.
std::vector<double> ratios(const TimedProgramData &p, const Machine &m) {
  const BlockCosts costs(p.matrix, p.maps, m);
  std::vector<double> out;
  for (size_t f = 0; f < p.truth.size(); ++f) {
    double is = 0, should = 0;
    const std::vector<double> each = costs.perRun(f, 0);
    for (size_t d = timed; d < rows; ++d) {
      is += each[d] * costs.scale(d);
      should += really(p, f, d);
    }
    out.push_back(is / should);
  }
  return out;
}

double worst(const std::vector<double> &ratios) {
  double most = 0;
  for (size_t f = 3; f < ratios.size(); ++f) // `twin` is two functions of one name
    most = std::max(most, std::abs(std::log(ratios[f])));
  return most;
}

} // namespace

TEST(SampledCalibration, FunctionsTakeWhatWasSampled) {
  const TimedProgramData p(rows, 7, 0, {}, others);
  const Stopwatch exact{0.001, 0, {}};
  const Machine guess = *machineByName("x86-64");
  const auto from = std::span(p.times).first(timed);
  const Result<Calibration> without = calibrate(p.matrix, p.maps, guess, from, exact);
  const Result<Calibration> with =
      calibrate(p.matrix, p.maps, guess, from, exact, nullptr, sampled(p, 2e4));
  ASSERT_TRUE(without);
  ASSERT_TRUE(with) << with.error().text;
  EXPECT_GT(worst(ratios(p, without->machine)), 0.5);
  // Samples are of whole functions, and other inputs take its arms in other proportions.
  EXPECT_LT(worst(ratios(p, with->machine)), 0.15);
  EXPECT_LT(with->medianError, without->medianError);
  EXPECT_EQ(with->machine.fit.limit, ProgramFit::sampledLimit);
  EXPECT_EQ(without->machine.fit.limit, ProgramFit::usualLimit);
  EXPECT_TRUE(without->machine.fit.bodies.empty());
}

TEST(SampledCalibration, CodeThatBecameCheapIsBelieved) {
  TimedProgramData p(rows, 8, 0, {}, others);
  for (double &price : p.truth[4]) // say, a loop that became memset
    price /= 40;
  for (size_t d = 0; d < rows; ++d) {
    p.times[d].time = p.start;
    for (size_t f = 0; f < p.truth.size(); ++f)
      p.times[d].time += really(p, f, d);
  }
  const Result<Calibration> with =
      calibrate(p.matrix, p.maps, *machineByName("x86-64"), std::span(p.times).first(timed),
                {0.001, 0, {}}, nullptr, sampled(p, 2e4));
  ASSERT_TRUE(with);
  EXPECT_LT(worst(ratios(p, with->machine)), 0.3);
}

// What each run does once is like the start of its process: its times cannot tell them apart, and
// what functions cost was too little together (lame by 40 %: it clears tables for milliseconds).
TEST(SampledCalibration, WhatEachRunDoesOnceIsOfItsFunction) {
  TimedProgramData p(rows, 7, 0, {}, others);
  for (double &price : p.truth[5])
    price *= 20;
  CountMatrixBuilder builder(p.maps, rows);
  for (size_t d = 0; d < rows; ++d) { // function 5 clears the same table in all runs
    std::vector<uint64_t> counters(p.maps[0].counterCount);
    const Counts &counts = p.runs[d].images[0].counts;
    for (size_t i = 0; i < counts.index.size(); ++i)
      counters[counts.index[i]] = counts.value[i];
    const uint32_t first = p.maps[0].functions[5].firstCounter;
    counters[first + 1] = 900000, counters[first + 2] = 300000;
    p.runs[d] = runOf(p.runs[d].label, p.maps[0], counters);
    ASSERT_TRUE(builder.add(p.runs[d]));
    p.times[d].time = p.start;
    for (size_t f = 0; f < p.truth.size(); ++f)
      p.times[d].time += really(p, f, d);
  }
  Result<CountMatrix> matrix = builder.finish();
  ASSERT_TRUE(matrix);
  p.matrix = std::move(*matrix);
  const Result<Calibration> with =
      calibrate(p.matrix, p.maps, *machineByName("x86-64"), std::span(p.times).first(timed),
                {0.001, 0, {}}, nullptr, sampled(p, 2e4));
  ASSERT_TRUE(with) << with.error().text;
  const std::vector<double> ratio = ratios(p, with->machine);
  EXPECT_NEAR(ratio[5], 1, 0.1);
  EXPECT_LT(worst(ratio), 0.2);
}

// The kernel works in proportion, a quarter on top of all functions: runs and functions together
// take what they take with it, and the share that no sample hears is said.
TEST(SampledCalibration, WhatTheKernelTakesInProportionIsSaid) {
  TimedProgramData p(rows, 7, 0, {}, others);
  const std::vector<SampledRun> samples = sampled(p, 2e4);
  EXPECT_LT(calibrate(p.matrix, p.maps, *machineByName("x86-64"), std::span(p.times).first(timed),
                      {0.001, 0, {}}, nullptr, samples)
                ->machine.fit.kernelShare,
            0.03);
  for (TimedRun &run : p.times)
    run.time = p.start + 1.25 * (run.time - p.start);
  std::vector<SampledRun> slower = samples;
  for (SampledRun &run : slower)
    run.cpu = 10 * 1e-9 * p.times[run.row].time;
  const Result<Calibration> with =
      calibrate(p.matrix, p.maps, *machineByName("x86-64"), std::span(p.times).first(timed),
                {0.001, 0, {}}, nullptr, slower);
  ASSERT_TRUE(with) << with.error().text;
  const double share = with->machine.fit.kernelShare;
  EXPECT_NEAR(share, 0.2, 0.03);
  std::vector<double> inUserMode = ratios(p, with->machine);
  for (double &ratio : inUserMode)
    ratio *= 1 - share;
  EXPECT_LT(worst(inUserMode), 0.15);
}

TEST(SampledCalibration, SamplesOfInputsThatWereNotTimedAreNotHeard) {
  const TimedProgramData p(rows, 7, 0, {}, others);
  std::vector<SampledRun> samples = sampled(p, 2e4);
  for (SampledRun &run : samples)
    run.row += timed;
  const auto from = std::span(p.times).first(timed);
  const Machine guess = *machineByName("x86-64");
  const Result<Calibration> one = calibrate(p.matrix, p.maps, guess, from, {0.001, 0, {}});
  const Result<Calibration> other =
      calibrate(p.matrix, p.maps, guess, from, {0.001, 0, {}}, nullptr, samples);
  ASSERT_TRUE(one) << one.error().text;
  ASSERT_TRUE(other) << other.error().text;
  EXPECT_EQ(printMachine(one->machine), printMachine(other->machine));
}

namespace {

/// A call in arm A of a function, and what one takes in user mode and in the kernel, ns.
struct MadeCall {
  size_t function = 0;
  const char *callee = "";
  uint32_t line = 0;
  double user = 0, kernel = 0;
};

/// How often an arm of a function was taken: 0 or 1.
double armsOf(const TimedProgramData &p, size_t function, uint32_t number, size_t run) {
  const Counts &counts = p.runs[run].images[0].counts;
  const uint32_t arm = p.maps[0].functions[function].firstCounter + 1 + number;
  for (size_t i = 0; i < counts.index.size(); ++i)
    if (counts.index[i] == arm)
      return static_cast<double>(counts.value[i]);
  return 0;
}

double callsOf(const TimedProgramData &p, size_t function, size_t run) {
  return armsOf(p, function, 0, run);
}

/// Makes the program call, and its runs take that time as well.
void addCalls(TimedProgramData &p, std::span<const MadeCall> made) {
  for (const MadeCall &c : made) {
    Function &f = p.maps[0].functions[c.function];
    f.calls.push_back({.block = 2, .callee = c.callee, .at = {c.line, 0, 0}});
    for (size_t d = 0; d < rows; ++d)
      p.times[d].time += callsOf(p, c.function, d) * (c.user + c.kernel);
  }
}

/// Samples with those of the calls, which are in a library, and of user mode alone.
std::vector<SampledRun> sampledWith(const TimedProgramData &p, std::span<const MadeCall> made,
                                    double period) {
  std::vector<SampledRun> out = sampled(p, period);
  std::mt19937_64 random(6);
  for (SampledRun &run : out) {
    double kernel = p.start;
    for (const MadeCall &c : made) {
      const double calls = callsOf(p, c.function, run.row);
      std::poisson_distribution<uint64_t> number(10 * calls * c.user / period);
      run.samples[{"", "/src/dir/prog.c", c.line, "libc.so.6"}] += number(random);
      kernel += calls * c.kernel;
    }
    run.user = 10 * 1e-9 * (p.times[run.row].time - kernel);
  }
  return out;
}

} // namespace

TEST(SampledCalibration, CallsCostWhatTheyDoWhereTheyAreMade) {
  TimedProgramData p(rows, 9, 0, {}, others);
  const std::array<MadeCall, 3> made{
      {{4, "strcmp", 30, 3, 0}, {6, "strcmp", 40, 60, 0}, {8, "lseek", 50, 15, 90}}};
  addCalls(p, made);
  const Result<Calibration> with =
      calibrate(p.matrix, p.maps, *machineByName("x86-64"), std::span(p.times).first(timed),
                {0.001, 0, {}}, nullptr, sampledWith(p, made, 2e4));
  ASSERT_TRUE(with) << with.error().text;
  const std::vector<double> ratio = ratios(p, with->machine);
  // The two places of strcmp differ twentyfold, and samples see nothing of the kernel.
  for (const MadeCall &c : made) {
    const std::string &name = p.maps[0].functions[c.function].name;
    const auto own =
        std::ranges::find(with->machine.fit.functions, name, &ProgramFit::Function::name);
    ASSERT_NE(own, with->machine.fit.functions.end());
    ASSERT_EQ(own->calls.size(), 1u) << name;
    EXPECT_NEAR(own->calls[0] / (c.user + c.kernel), 1, 0.15) << c.callee << " at " << c.line;
    double itself = 0, calls = 0;
    for (size_t d = timed; d < rows; ++d) {
      itself += really(p, c.function, d);
      calls += callsOf(p, c.function, d) * (c.user + c.kernel);
    }
    EXPECT_NEAR(ratio[c.function] * itself / (itself + calls), 1, 0.15) << name;
  }
  for (const SampledShare &part : with->sampled)
    if (part.isCall)
      EXPECT_NEAR(part.fitted / part.sampled, 1, 0.2) << part.name;
}

TEST(SampledCalibration, SpreadsHoldWhatOtherInputsDo) {
  TimedProgramData p(rows, 7, 0, {}, others);
  const auto spreadOf = [&](const std::vector<SampledRun> &samples) {
    const Result<Calibration> c =
        calibrate(p.matrix, p.maps, *machineByName("x86-64"), std::span(p.times).first(timed),
                  {0.001, 0, {}}, nullptr, samples);
    EXPECT_TRUE(c);
    double sum = 0;
    for (const ProgramFit::Body &b : c->machine.fit.bodies)
      sum += b.spread;
    return sum / static_cast<double>(c->machine.fit.bodies.size());
  };
  std::vector<SampledRun> samples = sampled(p, 2e3);
  const double steady = spreadOf(samples);
  for (SampledRun &run : samples) // every other input spends its time otherwise
    for (auto &[place, number] : run.samples)
      if (run.row % 2 == 0 && place.function.ends_with("1"))
        number *= 3;
  EXPECT_GT(spreadOf(samples), 2 * steady);
  samples = sampled(p, 2e3);
  for (SampledRun &run : samples) // shares agree, but less of the time is where samples are taken
    run.user *= 0.7;
  EXPECT_GT(spreadOf(samples), 0.3);
}

TEST(SampledCalibration, RunsCostWhatTheirTimesSayWhateverSamplesSay) {
  TimedProgramData p(rows, 7, 0.01, {}, others);
  const auto calibrated = [&](std::span<const SampledRun> samples) {
    const Result<Calibration> c =
        calibrate(p.matrix, p.maps, *machineByName("x86-64"), std::span(p.times).first(40),
                  {0.01, 0, {}}, nullptr, samples);
    EXPECT_TRUE(c);
    return *c;
  };
  std::vector<SampledRun> wrong = sampled(p, 2e3);
  for (SampledRun &run : wrong)
    for (auto &[place, number] : run.samples)
      number *= place.function.ends_with("1") ? 6 : 1;
  const Calibration with = calibrated(wrong), without = calibrated({});
  EXPECT_LT(with.medianError, 1.1 * without.medianError);
  EXPECT_FALSE(with.machine.fit.functions[0].prices.empty()); // which is what samples say
  EXPECT_TRUE(without.machine.fit.functions[0].prices.empty());
}

// Runs that take one arm of a function are faster for another reason, and those that take the other
// one slower: a fit has blocks of the first below 0. What is above 0 adds up to what was sampled.
TEST(SampledCalibration, BodiesCostWhatWasSampledWhereAFitHasBlocksBelowNothing) {
  TimedProgramData p(rows, 7, 0, {}, others);
  constexpr size_t odd = 5, fitted = 40;
  std::array<double, 2> arms{};
  for (size_t d = 0; d < timed; ++d)
    for (uint32_t arm : {0, 1})
      arms[arm] += armsOf(p, odd, arm, d);
  for (size_t d = 0; d < rows; ++d)
    p.times[d].time +=
        6 * p.truth[odd][2] * (armsOf(p, odd, 1, d) * arms[0] / arms[1] - armsOf(p, odd, 0, d));
  const Result<Calibration> with =
      calibrate(p.matrix, p.maps, *machineByName("x86-64"), std::span(p.times).first(fitted),
                {0.001, 0, {}}, nullptr, sampled(p, 2e4));
  ASSERT_TRUE(with) << with.error().text;
  const BlockCosts costs(p.matrix, p.maps, with->machine);
  std::vector<double> is(p.truth.size()), should(p.truth.size());
  for (size_t f = 0; f < p.truth.size(); ++f)
    for (size_t d = 0; d < timed; ++d) {
      is[f] += costs.perRun(f, 0)[d] * costs.scale(d);
      should[f] += really(p, f, d);
    }
  const auto share = [](const std::vector<double> &v) {
    return v[odd] / std::accumulate(v.begin(), v.end(), 0.0);
  };
  EXPECT_NEAR(share(is) / share(should), 1, 0.1);
}

TEST(SampledCalibration, BodiesOnOneLineAreToldApartByTheirWholeNames) {
  TimedProgramData p(rows, 7, 0, {}, others);
  for (size_t f = 0; f < others; ++f) { // as by a file that is included with other macros
    Function &code = p.maps[0].functions[3 + f];
    code.name = code.scopes[0].function = std::string(others - f, 'x') + "_convert";
  }
  std::vector<SampledRun> samples = sampled(p, 2e4);
  for (SampledRun &run : samples) {
    std::map<SampledPlace, uint64_t> there;
    for (const auto &[place, number] : run.samples)
      there[{place.function, "/src/dir/prog.c", 4, ""}] = number;
    run.samples = there;
  }
  const Result<Calibration> c =
      calibrate(p.matrix, p.maps, *machineByName("x86-64"), std::span(p.times).first(timed),
                {0.001, 0, {}}, nullptr, samples);
  ASSERT_TRUE(c);
  EXPECT_LT(worst(ratios(p, c->machine)), 0.15);
}
