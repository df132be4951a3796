// Times from repetitions that are made up: the least counts, noise comes from halves, and every
// disturbance that is put in is told, and none where there is none.
#include "quincunx/estimate/InputTimes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace quincunx {
namespace {

Repetition repetition(uint32_t round, double seconds) {
  Repetition r;
  r.identity = std::to_string(round);
  r.round = round;
  r.user = 0.75 * seconds;
  r.system = 0.25 * seconds;
  r.wall = seconds;
  return r;
}

using Time = std::function<double(size_t input, uint32_t round)>;

std::vector<Timing> make(size_t inputs, uint32_t rounds, const Time &time) {
  std::vector<Timing> out;
  for (size_t i = 0; i < inputs; ++i) {
    out.push_back({std::to_string(i), "input " + std::to_string(i), {"x"}, "", {}});
    for (uint32_t round = 1; round <= rounds; ++round)
      out.back().repetitions.push_back(repetition(round, time(i, round)));
  }
  return out;
}

/// Inputs of 1, 2, 3 ... ms, which scatter by `noise` upwards only, as real ones do.
std::vector<Timing> quiet(size_t inputs, uint32_t rounds, double noise) {
  std::mt19937_64 random(7);
  std::exponential_distribution<double> above(1 / noise);
  return make(inputs, rounds, [&](size_t i, uint32_t) {
    return 1e-3 * static_cast<double>(i + 1) * (1 + above(random));
  });
}

bool has(const InputTimes &timed, const std::string &kind) {
  return std::any_of(timed.notes.begin(), timed.notes.end(),
                     [&](const Note &note) { return note.kind == kind; });
}

TEST(InputTimes, TheLeastOfEachInputCounts) {
  auto timings = make(2, 5, [](size_t i, uint32_t round) {
    return (i == 0 ? 1.0 : 4.0) * (round == 3 ? 1 : round == 5 ? 2 : 1.1);
  });
  timings.push_back({"none", "without repetitions", {}, "", {}});
  const InputTimes timed = estimateTimes(timings, {});
  ASSERT_EQ(timed.inputs.size(), 2u);
  EXPECT_EQ(timed.repetitions, 10u);
  EXPECT_EQ(timed.inputs[0].label, "input 0");
  EXPECT_EQ(timed.inputs[0].arguments, std::vector<std::string>{"x"});
  EXPECT_DOUBLE_EQ(timed.inputs[0].time, 1);
  EXPECT_DOUBLE_EQ(timed.inputs[1].time, 4);
  EXPECT_NEAR(timed.inputs[1].spread, 0.1, 1e-12);
  EXPECT_EQ(timed.inputs[1].disturbed, 1u); // the one that took twice as long
  EXPECT_DOUBLE_EQ(timed.disturbed, 0.2);
  EXPECT_DOUBLE_EQ(timed.median, 2.5);
  EXPECT_FALSE(timed.startUp);
}

TEST(InputTimes, NoiseIsThatOfTheLeast) {
  const double scale = 0.01;
  const InputTimes timed = estimateTimes(quiet(200, 8, scale), {});
  // The least of 4 is exponential with a fourth of the mean; the difference of two such has a
  // median magnitude of ln(2) times that.
  EXPECT_NEAR(timed.noise, 1.4826 * std::log(2) * scale / 4 / std::sqrt(2), 0.15 * timed.noise);
  EXPECT_TRUE(std::isnan(estimateTimes(quiet(5, 1, scale), {}).noise));
}

TEST(InputTimes, SaysNothingOfQuietMachinesButThatTheyHaveNoCounters) {
  const InputTimes timed = estimateTimes(quiet(40, 7, 0.01), {});
  EXPECT_EQ(timed.notes.size(), 1u);
  EXPECT_TRUE(has(timed, "no-counters"));
  EXPECT_LT(std::abs(timed.drift.perRound), 3 * timed.drift.error);
  EXPECT_EQ(timed.drift.rounds, 7u);
  EXPECT_EQ(timed.waiting, 0);
}

TEST(InputTimes, SeesDrift) {
  for (const double perRound : {0.02, -0.02}) {
    auto timings = quiet(30, 7, 0.005);
    for (Timing &timing : timings)
      for (Repetition &r : timing.repetitions) {
        r.user *= 1 + perRound * r.round;
        r.system *= 1 + perRound * r.round;
      }
    const InputTimes timed = estimateTimes(timings, {});
    EXPECT_NEAR(timed.drift.perRound, perRound, 0.15 * std::abs(perRound));
    EXPECT_TRUE(has(timed, "drift"));
    EXPECT_LT(timed.noise, 0.05); // of a drift of 0.12
  }
  EXPECT_TRUE(std::isinf(estimateTimes(quiet(30, 2, 0.005), {}).drift.error));
}

TEST(InputTimes, ASingleLoadedRoundIsNoDrift) {
  auto timings = quiet(30, 7, 0.005);
  for (Timing &timing : timings)
    timing.repetitions[6].user *= 1.4;
  const InputTimes timed = estimateTimes(timings, {});
  EXPECT_LT(std::abs(timed.drift.perRound), 0.01);
  EXPECT_FALSE(has(timed, "drift"));
}

TEST(InputTimes, SeesLoad) {
  auto timings = quiet(30, 7, 0.005);
  for (Timing &timing : timings)
    for (Repetition &r : timing.repetitions)
      r.wall *= 2;
  InputTimes timed = estimateTimes(timings, {});
  EXPECT_NEAR(timed.waiting, 0.5, 0.01);
  EXPECT_FALSE(has(timed, "disturbed"));
  for (Timing &timing : timings)
    for (const size_t round : {2, 5})
      timing.repetitions[round].involuntarySwitches = 3; // others have none
  timed = estimateTimes(timings, {});
  EXPECT_DOUBLE_EQ(timed.disturbed, 2.0 / 7);
  EXPECT_EQ(timed.inputs[0].disturbed, 2u);
  EXPECT_TRUE(has(timed, "disturbed"));
  for (Timing &timing : timings)
    for (Repetition &r : timing.repetitions)
      r.involuntarySwitches += 100; // a long program has some in any case
  EXPECT_EQ(estimateTimes(timings, {}).disturbed, 0);
}

TEST(InputTimes, KnowsTheFrequencyWhereAllAreCounted) {
  auto timings = quiet(10, 7, 0.005);
  for (Timing &timing : timings)
    for (Repetition &r : timing.repetitions)
      r.cycles = 2.5e9 * r.cpu();
  const InputTimes timed = estimateTimes(timings, {});
  ASSERT_TRUE(timed.frequency);
  EXPECT_NEAR(*timed.frequency, 2.5e9, 1);
  EXPECT_FALSE(has(timed, "no-counters"));
  EXPECT_NEAR(*timed.inputs[3].cycles, 2.5e9 * timed.inputs[3].time, 1);
  timings[4].repetitions[2].cycles.reset();
  EXPECT_FALSE(estimateTimes(timings, {}).frequency);
  EXPECT_TRUE(has(estimateTimes(timings, {}), "no-counters"));
}

TEST(InputTimes, TellsTimesThatDoNotDiffer) {
  std::mt19937_64 random(3);
  std::exponential_distribution<double> above(100);
  const auto same = make(30, 7, [&](size_t, uint32_t) { return 1 + above(random); });
  EXPECT_TRUE(has(estimateTimes(same, {}), "constant-times"));
  EXPECT_FALSE(has(estimateTimes(quiet(30, 7, 0.01), {}), "constant-times"));
}

TEST(InputTimes, TellsTooFewRepetitions) {
  auto timings = quiet(5, 4, 0.01);
  EXPECT_FALSE(has(estimateTimes(timings, {}), "few-repetitions"));
  timings[2].repetitions.resize(2);
  const InputTimes timed = estimateTimes(timings, {});
  ASSERT_TRUE(has(timed, "few-repetitions"));
  const auto at = std::find_if(timed.notes.begin(), timed.notes.end(),
                               [](const Note &note) { return note.kind == "few-repetitions"; });
  EXPECT_EQ(at->text.find("1 input has fewer than 3 repetitions"), 0u) << at->text;
}

TEST(InputTimes, StartUpIsTheLeastToo) {
  const InputTimes timed = estimateTimes(
      quiet(3, 3, 0.01), {{"a", 0, 1, 0.002, 0.001}, {"b", 0, 1, 0.001, 0.001}, {"c", 0, 1, 1, 1}});
  ASSERT_TRUE(timed.startUp);
  EXPECT_DOUBLE_EQ(timed.startUp->time, 0.002);
  EXPECT_NEAR(timed.startUp->spread, 0.5, 1e-12);
  EXPECT_EQ(timed.startUp->repetitions, 3u);
}

TEST(InputTimes, ManagesWithNothing) {
  const InputTimes none = estimateTimes({}, {});
  EXPECT_TRUE(none.inputs.empty());
  EXPECT_TRUE(none.notes.empty());
  const InputTimes zero = estimateTimes(make(3, 3, [](size_t, uint32_t) { return 0.0; }), {});
  EXPECT_EQ(zero.inputs[0].spread, 0);
  EXPECT_EQ(zero.variation, 0);
  EXPECT_EQ(zero.median, 0);
}

} // namespace
} // namespace quincunx
