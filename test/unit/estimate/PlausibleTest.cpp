// Fits that must not be believed: times that are not of what was counted, samples that contradict
// them. And those that must be, although they are off.
#include "TimedProgram.h"

#include <algorithm>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

constexpr Stopwatch exactly{0.001, 0, {}};

Result<Calibration> calibrated(const TimedProgramData &p, std::span<const SampledRun> sampled = {},
                               const Stopwatch &stopwatch = exactly) {
  return calibrate(p.matrix, p.maps, *machineByName("x86-64"), p.times, stopwatch, nullptr,
                   sampled);
}

/// What each function takes in all timed runs together, ns; `swapped`: with two of them taking each
/// other's.
std::vector<SampledRun> sampledAs(const TimedProgramData &p, size_t one, size_t other) {
  std::vector<SampledRun> out;
  for (size_t d = 0; d < p.times.size(); ++d) {
    SampledRun &run = out.emplace_back();
    run.row = d;
    run.executions = 10;
    run.cpu = 10 * 1e-9 * p.times[d].time;
    run.user = 10 * 1e-9 * (p.times[d].time - p.start);
    std::vector<double> c(p.maps[0].counterCount);
    const Counts &counts = p.runs[d].images[0].counts;
    for (size_t i = 0; i < counts.index.size(); ++i)
      c[counts.index[i]] = static_cast<double>(counts.value[i]);
    for (size_t f = 0; f < p.truth.size(); ++f) {
      const std::vector<double> &t = p.truth[f];
      const double *own = &c[p.maps[0].functions[f].firstCounter];
      const double takes = own[0] * (t[0] + t[4]) + (own[0] + own[1] + own[2]) * t[1] +
                           own[1] * t[2] + own[2] * t[3];
      const size_t seenIn = f == one ? other : f == other ? one : f;
      run.samples[{p.maps[0].functions[seenIn].name, "", 0, ""}] +=
          static_cast<uint64_t>(10 * takes / 1e4);
    }
  }
  return out;
}

} // namespace

TEST(Plausible, TimesOfOtherInputsAreRefused) {
  TimedProgramData p(60, 3);
  ASSERT_TRUE(calibrated(p));
  std::mt19937_64 random(1);
  std::vector<double> own;
  for (const TimedRun &run : p.times)
    own.push_back(run.time);
  for (TimedRun &run : p.times) // a trace is left, or nothing would grow with anything
    run.time = 0.3 * run.time + own[random() % own.size()];
  const Result<Calibration> shuffled = calibrated(p);
  ASSERT_FALSE(shuffled) << shuffled->medianError;
  EXPECT_NE(shuffled.error().text.find("do not follow what was counted"), std::string::npos)
      << shuffled.error().text;
}

TEST(Plausible, NoisyTimesAreNot) {
  const TimedProgramData p(60, 3, 0.2);
  const Result<Calibration> noisy = calibrated(p, {}, {0.2, 0, {}});
  ASSERT_TRUE(noisy) << noisy.error().text;
  EXPECT_GT(noisy->medianError, 0.05);
}

TEST(Plausible, SamplesOfAnotherProgramAreRefused) {
  TimedProgramData p(60, 4, 0, {}, 3);
  for (double &price : p.truth[4])
    price *= 30;
  for (size_t d = 0; d < p.times.size(); ++d) {
    const Counts &counts = p.runs[d].images[0].counts;
    std::vector<double> c(p.maps[0].counterCount);
    for (size_t i = 0; i < counts.index.size(); ++i)
      c[counts.index[i]] = static_cast<double>(counts.value[i]);
    const double *own = &c[p.maps[0].functions[4].firstCounter];
    const std::vector<double> &t = p.truth[4];
    p.times[d].time += 29.0 / 30 *
                       (own[0] * (t[0] + t[4]) + (own[0] + own[1] + own[2]) * t[1] + own[1] * t[2] +
                        own[2] * t[3]);
  }
  const Result<Calibration> right = calibrated(p, sampledAs(p, 0, 0));
  ASSERT_TRUE(right) << right.error().text;
  const Result<Calibration> swapped = calibrated(p, sampledAs(p, 4, 5));
  ASSERT_FALSE(swapped);
  EXPECT_NE(swapped.error().text.find("contradict"), std::string::npos) << swapped.error().text;
}
