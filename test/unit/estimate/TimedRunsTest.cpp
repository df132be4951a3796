// Which counted runs belong to which timed inputs, and what their times are.
#include "quincunx/estimate/TimedRuns.h"

#include "../profile/Records.h"
#include "Synthetic.h"

#include <cmath>
#include <gtest/gtest.h>

namespace quincunx {
namespace {

using namespace test;

struct Input {
  std::string label;
  std::vector<std::string> arguments;
  std::string standardInput;
};

class TimedRunsTest : public testing::Test {
protected:
  /// Runs r0, r1, ... of these inputs; the corpus numbers them alike.
  TimedRuns joined(const std::vector<Input> &counted, const InputTimes &timed,
                   Outcome last = Outcome::finished) {
    const Folder folder;
    Result<Corpus> corpus = Corpus::open(folder / "c.qx", Corpus::Mode::write);
    EXPECT_TRUE(corpus);
    const RawMap raw = rawOf({loopWithBranch("f")});
    EXPECT_TRUE(corpus->addMap(raw, "/bin/prog"));
    const Result<Map> map = decodeMap(raw);
    for (size_t i = 0; i < counted.size(); ++i) {
      quincunx::Run run = runOf("r" + std::to_string(i), *map, {1, i, 2 * i},
                                i + 1 == counted.size() ? last : Outcome::finished);
      run.label = counted[i].label;
      run.arguments = counted[i].arguments;
      run.standardInput = counted[i].standardInput;
      EXPECT_TRUE(corpus->add(run));
    }
    const Result<std::vector<Map>> maps = corpus->maps();
    EXPECT_TRUE(maps);
    const Result<CountMatrix> matrix = readCounts(*corpus, *maps);
    EXPECT_TRUE(matrix);
    const Result<TimedRuns> out = timedRuns(*corpus, *matrix, timed);
    EXPECT_TRUE(out);
    return out ? *out : TimedRuns();
  }
};

InputTimes timedOf(const std::vector<std::pair<Input, double>> &inputs) {
  InputTimes timed;
  for (const auto &[input, seconds] : inputs) {
    TimedInput &t = timed.inputs.emplace_back();
    t.label = input.label;
    t.arguments = input.arguments;
    t.standardInput = input.standardInput;
    t.time = seconds;
    t.repetitions = 1;
  }
  return timed;
}

TEST_F(TimedRunsTest, BelongTogetherByLabelArgumentsAndStandardInput) {
  const std::vector<Input> inputs{{"a", {"-x"}, ""},  {"a", {"-y"}, ""}, {"a", {}, "/in/1"},
                                  {"a", {}, "/in/2"}, {"b", {"-x"}, ""}, {"b", {"-x", ""}, ""},
                                  {"b", {}, "/in/1"}};
  std::vector<std::pair<Input, double>> times;
  for (size_t i = inputs.size(); i-- > 0;)
    times.emplace_back(inputs[i], static_cast<double>(i + 1));
  const TimedRuns out = joined(inputs, timedOf(times));
  EXPECT_EQ(out.uncounted, 0u);
  EXPECT_EQ(out.untimed, 0u);
  ASSERT_EQ(out.runs.size(), inputs.size());
  for (const TimedRun &r : out.runs) // ns
    EXPECT_DOUBLE_EQ(r.time, 1e9 * static_cast<double>(r.row + 1));
}

TEST_F(TimedRunsTest, WhatHasNoCounterpartIsCounted) {
  const std::vector<Input> counted{{"a", {"1"}, ""}, {"b", {"1"}, ""}, {"c", {"1"}, ""}};
  const TimedRuns out = joined(
      counted, timedOf({{{"b", {"1"}, ""}, 2.0}, {{"b", {"2"}, ""}, 3.0}, {{"d", {}, ""}, 4.0}}));
  ASSERT_EQ(out.runs.size(), 1u);
  EXPECT_EQ(out.runs[0].row, 1u);
  EXPECT_EQ(out.uncounted, 2u);
  EXPECT_EQ(out.untimed, 2u);
}

TEST_F(TimedRunsTest, OnlyFinishedRunsCount) {
  const std::vector<Input> counted{{"a", {}, ""}, {"b", {}, ""}};
  const InputTimes timed = timedOf({{counted[0], 1.0}, {counted[1], 2.0}});
  const TimedRuns out = joined(counted, timed, Outcome::timedOut);
  ASSERT_EQ(out.runs.size(), 1u);
  EXPECT_EQ(out.runs[0].row, 0u);
  EXPECT_EQ(out.uncounted, 1u);
  EXPECT_EQ(out.untimed, 0u);
}

TEST_F(TimedRunsTest, OfSeveralRunsOfAnInputTheFirst) {
  const std::vector<Input> counted{{"b", {}, ""}, {"a", {}, ""}, {"a", {}, ""}, {"b", {}, ""}};
  const TimedRuns out = joined(counted, timedOf({{counted[1], 1.0}}));
  ASSERT_EQ(out.runs.size(), 1u);
  EXPECT_EQ(out.runs[0].row, 0u) << "by label";
  EXPECT_EQ(out.untimed, 1u) << "an input, not its two runs";
}

TEST_F(TimedRunsTest, CyclesAreTheBetterClock) {
  const std::vector<Input> counted{{"a", {}, ""}, {"b", {}, ""}};
  InputTimes timed = timedOf({{counted[0], 1.0}, {counted[1], 2.0}});
  timed.inputs[0].cycles = 3e9;
  EXPECT_DOUBLE_EQ(joined(counted, timed).runs[0].time, 1e9) << "of no known frequency";
  timed.frequency = 2e9;
  const TimedRuns out = joined(counted, timed);
  EXPECT_DOUBLE_EQ(out.runs[0].time, 1.5e9);
  EXPECT_DOUBLE_EQ(out.runs[1].time, 2e9) << "without cycles";
}

TEST_F(TimedRunsTest, ATimeOfNothingIsLeftOut) {
  const std::vector<Input> counted{{"a", {}, ""}, {"b", {}, ""}};
  const TimedRuns out = joined(counted, timedOf({{counted[0], 0.0}, {counted[1], 1.0}}));
  ASSERT_EQ(out.runs.size(), 1u);
  EXPECT_EQ(out.runs[0].row, 1u);
}

TEST(Stopwatch, IsWhatTheTimingsSay) {
  InputTimes timed;
  timed.noise = 0.01;
  Stopwatch s = stopwatchOf(timed);
  EXPECT_EQ(s.noise, 0.01);
  EXPECT_GT(s.resolution, 0);
  EXPECT_FALSE(s.startUp);
  timed.noise = std::nan("");
  timed.startUp = TimedStartUp{0.001, 0.1, 15};
  s = stopwatchOf(timed);
  EXPECT_GT(s.noise, 0) << "taken once, a time is not exact";
  EXPECT_DOUBLE_EQ(*s.startUp, 1e6);
}

} // namespace
} // namespace quincunx
