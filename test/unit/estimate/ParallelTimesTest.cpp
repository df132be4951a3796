// Wall times of runs with threads, what they wait for, and how they agree with the clock.
#include "quincunx/estimate/ParallelTimes.h"
#include "quincunx/estimate/Timeline.h"

#include "../profile/Records.h"
#include "../strands/Strands.h"

#include "quincunx/profile/Features.h"

#include <gtest/gtest.h>

namespace quincunx {
namespace {

using namespace test;

/// A first thread of 10 + 10 + 5, between which it makes a thread of 40 and joins it.
quincunx::Run recorded(const std::string &identity, const std::string &label) {
  quincunx::Run run = makeRun(identity, {{0}, {1}});
  run.label = label;
  run.strands = {written({{0, 10, QX_STRAND_CREATE, 1, 71},
                          {1, 40, QX_STRAND_END},
                          {0, 10, QX_STRAND_JOIN, 1, 76},
                          {0, 5, QX_STRAND_END}})};
  return run;
}

/// Two workers of which the first takes all jobs, of 30 each, while the first thread waits, from a queue
/// with a lock that who waits for longest is given.
quincunx::Run ofJobs(const std::string &identity) {
  quincunx::Run run = makeRun(identity, {{0}, {1}});
  run.label = "jobs";
  std::vector<Happened> events = {{0, 0, QX_STRAND_CREATE, 1, 71}, {0, 0, QX_STRAND_CREATE, 2, 71}};
  for (int job = 0; job < 4; ++job) {
    events.push_back({1, job == 0 ? 0u : 30u, QX_STRAND_LOCK, QX_STRAND_QUEUED, 72});
    events.push_back({1, 0, QX_STRAND_UNLOCK, QX_STRAND_QUEUED, 73});
  }
  for (const uint32_t worker : {1u, 2u}) {
    events.push_back({worker, worker == 1 ? 30u : 0u, QX_STRAND_LOCK, QX_STRAND_QUEUED, 72});
    events.push_back({worker, 0, QX_STRAND_UNLOCK, QX_STRAND_QUEUED, 73});
    events.push_back({worker, 0, QX_STRAND_END});
  }
  events.insert(events.end(), {{0, 0, QX_STRAND_JOIN, 1, 76},
                               {0, 0, QX_STRAND_JOIN, 2, 76},
                               {0, 0, QX_STRAND_END}});
  run.strands = {written(events)};
  return run;
}

class ParallelTimesTest : public testing::Test {
protected:
  ParallelTimesTest() : corpus(std::move(*Corpus::open(folder / "times.qx", Corpus::Mode::write))) {
    observed.unit = "ms";
    observed.startUp = 5;
  }
  void add(const quincunx::Run &run, double cost) {
    ASSERT_TRUE(corpus.add(run));
    RunFigures figures;
    figures.identity = run.identity;
    figures.cost.k1 = cost;
    observed.runs.push_back(figures);
  }
  void addTimed(int pinned, const std::string &label, const std::vector<double> &walls,
                double cpu = 0) {
    TimedProgram program;
    program.path = "/plain";
    program.md5 = std::string(32, '0');
    program.pinned = pinned;
    ASSERT_TRUE(corpus.setTimedProgram(program));
    Timing timing;
    timing.label = label;
    timing.identity = timingIdentity(label, {}, "");
    for (const double wall : walls) {
      Repetition r;
      r.identity = label + std::to_string(number++);
      r.round = 1;
      r.start = 1;
      r.wall = wall;
      r.user = cpu;
      ASSERT_TRUE(corpus.addRepetition(timing, r));
    }
  }
  ParallelTimes tell(const Processors &processors = {}) {
    const Result<ParallelTimes> times = parallelTimes(corpus, observed, {}, processors);
    EXPECT_TRUE(times) << (times ? "" : times.error().text);
    return times ? *times : ParallelTimes();
  }
  static std::vector<std::string> kindsOf(const Result<std::vector<Note>> &notes) {
    std::vector<std::string> kinds;
    if (notes)
      for (const Note &n : *notes)
        kinds.push_back(n.kind);
    return kinds;
  }

  const Folder folder;
  Corpus corpus;
  Observed observed;
  int number = 0;
};

// 65 counts are 130 of 135 ms, as 5 are the start's: a count is 2 ms.
TEST_F(ParallelTimesTest, CountsTakeWhatARunTakesWithoutItsStart) {
  add(recorded("a", "1"), 135);
  const ParallelTimes all = tell();
  ASSERT_EQ(all.runs.size(), 1u);
  const ParallelTime &t = all.runs[0];
  EXPECT_DOUBLE_EQ(t.time, 5 + 2 * (10 + 40 + 5));
  EXPECT_DOUBLE_EQ(t.withJobs, t.time);
  EXPECT_DOUBLE_EQ(t.inOrder, t.time);
  EXPECT_DOUBLE_EQ(t.alone, 135);
  EXPECT_DOUBLE_EQ(t.speedup(), 135 / 115.);
  EXPECT_EQ(t.threads, 2u) << "those that there were, as nothing else is known";
  EXPECT_DOUBLE_EQ(t.efficiency(), 135 / 115. / 2);
  EXPECT_DOUBLE_EQ(t.first, 5 + 2 * 25);
  EXPECT_DOUBLE_EQ(t.other, 2 * 40);
  EXPECT_DOUBLE_EQ(t.serialisation(), 80 / 115.);
  EXPECT_DOUBLE_EQ(t.loadBalance(), 135 / 2. / 80);
  ASSERT_EQ(t.waits.size(), 1u);
  EXPECT_EQ(t.waits[0].what.kind, QX_STRAND_JOIN);
  EXPECT_EQ(t.waits[0].what.site, 76u);
  EXPECT_DOUBLE_EQ(t.waits[0].time, 2 * 30);
  EXPECT_DOUBLE_EQ(tell({1, 0}).runs[0].time, 135) << "on one processor it takes all of it";
  EXPECT_DOUBLE_EQ(tell({1.5, 0}).runs[0].time, 5 + 2 * (10 + 20 / 1.5 + 30 + 5));
}

/// A first thread does `alone` counts, makes a thread, and does as many beside it as that one.
quincunx::Run halfAlone(const std::string &name, uint32_t alone, uint32_t beside, uint32_t site = 71) {
  quincunx::Run run = makeRun(name, {{0}, {1}});
  run.label = name;
  run.strands = {written({{0, alone, QX_STRAND_CREATE, 1, site},
                          {1, beside, QX_STRAND_END},
                          {0, beside, QX_STRAND_JOIN, 1, 76},
                          {0, 5, QX_STRAND_END}})};
  return run;
}

// What the first thread does before it makes one costs four times as much as counts say; half of the inputs are timed.
TEST_F(ParallelTimesTest, PartsThatCostMoreAreLearntFromTheClock) {
  std::map<std::string, double> truth;
  for (uint32_t i = 0; i < 16; ++i) {
    const std::string name = std::string(1, static_cast<char>('a' + i));
    const uint32_t alone = 10 + 5 * (i * 5 % 7), beside = 30 + 7 * (i * 3 % 11);
    add(halfAlone(name, alone, beside), 5 + 4. * alone + 2 * beside + 5);
    truth[name] = 5 + 4. * alone + beside + 5;
  }
  const double byCounts = std::abs(tell({1e9, 2}).runs[0].time / truth["a"] - 1);
  EXPECT_GT(byCounts, 0.1);
  for (const RunFigures &r : observed.runs)
    if ((r.identity[0] - 'a') % 2 == 0)
      addTimed(-1, r.identity, {truth[r.identity] / 1000 * (r.identity < "h" ? 1.004 : 0.996)}, r.cost.k1 / 1000);
  const ParallelTimes all = tell({1e9, 2});
  for (const ParallelTime &t : all.runs)
    EXPECT_NEAR(t.time, truth[t.run.label], 0.02 * truth[t.run.label]) << t.run.label;
  EXPECT_NEAR(all.offByCounts, 0.15, 0.08);
  EXPECT_LT(all.tests.at(2).median, 0.02);
  const auto noted = notesOnTimes(all);
  EXPECT_EQ(kindsOf(noted), (std::vector<std::string>{"strands", "within"}));
  EXPECT_EQ(noted->back().text, "in nine of ten, a run takes what is said within 6 % (2 threads) by the clock of another hour");
  EXPECT_NEAR(*all.tests.at(2).within(), std::hypot(all.tests.at(2).p90, 0.03), 1e-15);
  const StrandChanges half{.unlocked = {}, .apart = {}, .work = {{71, 0.5}}};
  const ParallelTimes changed = *parallelTimes(corpus, observed, {}, {1e9, 2}, half);
  EXPECT_NEAR(changed.runs[0].changed->time, truth["a"], 0.02 * truth["a"]) << "its thread was not what it waits for";
}

// What a run costs as a whole is off by more than what its parts are, by as much with one thread.
TEST_F(ParallelTimesTest, WhatAnInputIsOffWithOneThreadIsNotThatOfItsParts) {
  std::map<std::string, double> truth;
  for (uint32_t i = 0; i < 16; ++i) {
    const std::string name = std::string(1, static_cast<char>('a' + i));
    const uint32_t alone = 10 + 5 * (i * 5 % 7), beside = 30 + 7 * (i * 3 % 11);
    const double cost = 5 + 4. * alone + 2 * beside + 5, off = i * 7 % 5 < 2 ? 1.25 : 0.8;
    truth[name] = 5 + 4. * alone + beside + 5;
    for (const uint32_t threads : {1u, 2u}) {
      quincunx::Run run = halfAlone(name + std::to_string(threads), alone, beside);
      if (threads == 1)
        run.strands = {written({{0, alone + 2 * beside + 5, QX_STRAND_END}})};
      run.label = name + " threads=" + std::to_string(threads);
      run.features[threadsFeature] = threads;
      add(run, cost);
      addTimed(-1, run.label, {off * (threads == 1 ? cost : truth[name]) / 1000}, cost / 1000);
    }
  }
  const ParallelTimes all = tell({1e9, 2});
  EXPECT_GT(all.offByCounts, 0.1);
  for (const ParallelTime &t : all.runs)
    if (t.threads == 2)
      EXPECT_NEAR(t.time, truth[t.run.label.substr(0, 1)], 0.02 * t.time) << t.run.label;
  EXPECT_NEAR(all.tests.at(2).median, 0.22, 0.06) << "the clock has what whole runs are off, too";
}

// Times by the clock that have nothing to do with what was alone.
TEST_F(ParallelTimesTest, WhatNoPartExplainsIsNotLearnt) {
  for (uint32_t i = 0; i < 12; ++i) {
    const std::string name = std::string(1, static_cast<char>('a' + i));
    const uint32_t alone = 10 + 5 * (i * 5 % 7), beside = 30 + 7 * (i * 3 % 11);
    add(halfAlone(name, alone, beside), 5. + alone + 2 * beside + 5);
    addTimed(-1, name, {(i * 7 % 5 < 2 ? 1.2 : 0.8) * (5. + alone + beside + 5) / 1000}, observed.runs.back().cost.k1 / 1000);
  }
  const ParallelTimes all = tell({1e9, 2});
  EXPECT_EQ(all.offByCounts, 0);
  EXPECT_NEAR(all.tests.at(2).median, 0.2, 0.06);
}

// Each input has code of its own, with which any time of it can be explained, and none of another one.
TEST_F(ParallelTimesTest, WhatAnInputTellsOfItselfAloneIsNotLearnt) {
  for (uint32_t i = 0; i < 12; ++i) {
    const std::string name = std::string(1, static_cast<char>('a' + i));
    const uint32_t alone = 30 + 5 * (i * 5 % 7), beside = 30 + 7 * (i * 3 % 11);
    add(halfAlone(name, alone, beside, 100 + i), 5. + alone + 2 * beside + 5);
    addTimed(-1, name, {(i * 7 % 5 < 2 ? 1.15 : 0.85) * (5. + alone + beside + 5) / 1000}, observed.runs.back().cost.k1 / 1000);
  }
  EXPECT_EQ(tell({1e9, 2}).offByCounts, 0);
}

TEST_F(ParallelTimesTest, ChangesAreBesideWhatWas) {
  add(recorded("a", "1"), 135);
  const StrandChanges twice{.unlocked = {}, .apart = {}, .work = {{71, 2}}};
  const ParallelTimes all = *parallelTimes(corpus, observed, {}, {}, twice);
  EXPECT_DOUBLE_EQ(all.runs[0].time, 5 + 2 * (10 + 40 + 5));
  ASSERT_TRUE(all.runs[0].changed);
  const SimulatedTime &changed = *all.runs[0].changed;
  EXPECT_DOUBLE_EQ(changed.time, 5 + 2 * (10 + 80 + 5));
  EXPECT_DOUBLE_EQ(changed.alone, 5 + 2 * (10 + 10 + 80 + 5));
  EXPECT_DOUBLE_EQ(changed.inOrder, changed.time);
  EXPECT_FALSE(tell().runs[0].changed) << "nothing was asked";
}

TEST_F(ParallelTimesTest, AFeatureSaysHowManyThreadsWereAskedFor) {
  quincunx::Run run = recorded("a", "1");
  run.features[threadsFeature] = 4;
  add(run, 135);
  EXPECT_EQ(tell().runs[0].threads, 4u);
  const Result<std::vector<Note>> notes = notesOnTimes(tell());
  ASSERT_EQ(kindsOf(notes), (std::vector<std::string>{"untested", "fewer"}));
  EXPECT_EQ(notes->back().text, "with 4 threads asked for, half of the runs had 2 or fewer");
}

TEST_F(ParallelTimesTest, JobsAreTakenAsThreadsCome) {
  add(ofJobs("a"), 125); // a count is 1 ms
  const ParallelTimes all = tell();
  EXPECT_DOUBLE_EQ(all.runs[0].withJobs, 125) << "as it was, nobody took jobs beside another";
  EXPECT_DOUBLE_EQ(all.runs[0].time, 65) << "two of four jobs for each";
  EXPECT_EQ(all.runs[0].queues, std::vector<uint32_t>{72});
  EXPECT_EQ(kindsOf(notesOnTimes(all)), (std::vector<std::string>{"untested", "queues", "order"}));
}

TEST_F(ParallelTimesTest, TheClockIsAskedOnTheProcessorsThatItHad) {
  add(recorded("a", "1"), 135);
  addTimed(-1, "1", {0.150, 0.120, 0.200});
  const ParallelTimes two = tell({1, 2});
  EXPECT_DOUBLE_EQ(two.runs[0].time, 135);
  EXPECT_DOUBLE_EQ(*two.runs[0].clock, 0.120);
  EXPECT_DOUBLE_EQ(two.runs[0].here, 0.115);
  ASSERT_TRUE(two.tests.contains(2));
  EXPECT_EQ(two.tests.at(2).runs, 1u);
  EXPECT_DOUBLE_EQ(two.tests.at(2).bias, 0.115 / 0.120 - 1);
  EXPECT_DOUBLE_EQ(two.tests.at(2).median, 1 - 0.115 / 0.120);
  EXPECT_FALSE(two.tests.at(2).within()) << "of one run nobody knows";
  EXPECT_TRUE(kindsOf(notesOnTimes(two)).empty());
  EXPECT_TRUE(tell({1, 0}).tests.empty()) << "not known on how many it was timed";
  observed.unit = "cost units";
  EXPECT_TRUE(tell({1, 2}).tests.empty()) << "counts are no time";
}

TEST_F(ParallelTimesTest, AProgramThatWasKeptOnOneProcessorHadOne) {
  add(recorded("a", "1"), 135);
  addTimed(3, "1", {0.130});
  EXPECT_DOUBLE_EQ(tell({2, 8}).runs[0].here, 0.135);
}

TEST_F(ParallelTimesTest, WhatTheClockContradictsIsNotedOrRefused) {
  add(recorded("a", "1"), 135);
  addTimed(-1, "1", {0.115 * 1.2});
  const auto noted = notesOnTimes(tell({2, 2}));
  ASSERT_EQ(kindsOf(noted), std::vector<std::string>{"clock"});
  EXPECT_NE(noted->front().text.find("by 17 % in the median of 1"), std::string::npos);
  addTimed(-1, "1", {0.115 / 1.5});
  const auto refused = notesOnTimes(tell({2, 2}));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("by 50 % in the median of 1; threads may wait for what is not "
                                      "recorded"),
            std::string::npos);
}

// Work takes twice as long as prices say with two threads, and 1.5 times with one; the first input
// is odd, and is told by the others as well as they are.
TEST_F(ParallelTimesTest, ThreadsSlowEachOtherDown) {
  for (const uint32_t threads : {1u, 2u, 4u})
    for (int i = 0; i < 5; ++i) {
      const std::string label = std::to_string(threads) + "," + std::to_string(i);
      quincunx::Run run = recorded(label, label);
      run.features[threadsFeature] = threads;
      add(run, 135);
      if (threads < 4)
        addTimed(-1, label, {0.5}, 0.005 + 0.130 * (i == 0 ? 5 : threads == 1 ? 1.5 : 2));
    }
  const ParallelTimes all = tell({std::numeric_limits<double>::infinity(), 2});
  ASSERT_EQ(all.slowdowns.size(), 2u);
  EXPECT_NEAR(all.slowdowns.at(1), 1.5, 1e-9);
  EXPECT_NEAR(all.slowdowns.at(2), 2, 1e-9);
  for (const ParallelTime &t : all.runs) {
    const double factor = t.threads == 1 ? 1.5 : 2;
    EXPECT_NEAR(t.time, 5 + factor * 110, 1e-9) << t.threads;
    EXPECT_NEAR(t.alone, 5 + factor * 130, 1e-9) << t.threads;
    EXPECT_NEAR(t.waits.at(0).time, factor * 60, 1e-9) << t.threads;
    double chain = t.start;
    for (const auto &[place, part] : t.chain)
      chain += part;
    EXPECT_NEAR(chain, t.time, 1e-9) << t.threads;
    if (t.clock)
      EXPECT_NEAR(t.here, 0.005 + factor * 0.110, 1e-9) << t.threads;
  }
  const Result<std::vector<Note>> notes = notesOnTimes(all);
  EXPECT_FALSE(notes) << "0.5 s by the clock";
}

TEST_F(ParallelTimesTest, TwoInputsDoNotTellASlowdown) {
  for (const std::string label : {"1", "2"}) {
    add(recorded(label, label), 135);
    addTimed(-1, label, {0.115}, 0.265);
  }
  EXPECT_TRUE(tell({2, 2}).slowdowns.empty());
}

TEST_F(ParallelTimesTest, RunsThatWereNotObservedAreLeftOut) {
  ASSERT_TRUE(corpus.add(recorded("a", "1")));
  const Result<ParallelTimes> none = parallelTimes(corpus, observed, {}, {});
  ASSERT_FALSE(none);
  add(recorded("b", "2"), 135);
  const ParallelTimes all = tell();
  EXPECT_EQ(all.runs.size(), 1u);
  EXPECT_EQ(all.notFinished, 1u);
}

TEST_F(ParallelTimesTest, ATimeIsAChainOfWhatLetEachOtherBegin) {
  add(recorded("a", "one"), 5 + 65);
  const Result<ParallelTimes> times = parallelTimes(corpus, observed, {}, {});
  ASSERT_TRUE(times) << times.error().text;
  const ParallelTime &t = times->runs.front();
  const std::map<StrandPlace, double> wanted = {{{0, 71, QX_STRAND_CREATE}, 10},
                                                {{71, 0, QX_STRAND_END}, 40},
                                                {{0, 0, QX_STRAND_END}, 5}};
  ASSERT_EQ(t.chain.size(), wanted.size());
  for (const auto &[place, time] : wanted)
    EXPECT_NEAR(t.chain.at(place), time, 1e-9);
  EXPECT_NEAR(t.time, t.start + 55, 1e-9);
}

TEST_F(ParallelTimesTest, ATimelineHasWhatThreadsDoAndWaitFor) {
  add(recorded("a", "one"), 5 + 65); // a count takes one ms
  const Result<ReplayedRun> run = replayedRun(corpus, observed, "one");
  ASSERT_TRUE(run) << run.error().text;
  const Result<Timeline> timeline = timelineOf(*run);
  ASSERT_TRUE(timeline) << timeline.error().text;
  EXPECT_NEAR(timeline->end, 0.055, 1e-12);
  EXPECT_DOUBLE_EQ(timeline->end, run->predicted);
  EXPECT_EQ(timeline->rows, (std::vector<uint32_t>{0, 71}));
  struct Wanted {
    uint32_t row;
    double begin, end;
    bool isWait;
    StrandPlace place;
  };
  const Wanted wanted[] = {{0, 0, 0.010, false, {0, 71, QX_STRAND_CREATE}},
                           {0, 0.010, 0.020, false, {0, 76, QX_STRAND_JOIN}},
                           {1, 0.010, 0.050, false, {71, 0, QX_STRAND_END}},
                           {0, 0.020, 0.050, true, {0, 76, QX_STRAND_JOIN}},
                           {0, 0.050, 0.055, false, {0, 0, QX_STRAND_END}}};
  ASSERT_EQ(timeline->slices.size(), std::size(wanted));
  for (size_t i = 0; i < std::size(wanted); ++i) {
    const TimelineSlice &s = timeline->slices[i];
    EXPECT_EQ(s.row, wanted[i].row) << i;
    EXPECT_NEAR(s.begin, wanted[i].begin, 1e-12) << i;
    EXPECT_NEAR(s.end, wanted[i].end, 1e-12) << i;
    EXPECT_EQ(s.isWait, wanted[i].isWait) << i;
    EXPECT_TRUE(s.place == wanted[i].place) << i;
  }
}

TEST(NotesOnTimes, SayWhereThreadsSeemToHaveBeenStopped) {
  ParallelTimes times;
  times.unit = "counts";
  times.runs.resize(4);
  for (ParallelTime &t : times.runs)
    t.changed.emplace();
  const auto kinds = [&] {
    const Result<std::vector<Note>> notes = notesOnTimes(times);
    std::string all = notes ? "" : "error";
    for (size_t i = 0; notes && i < notes->size(); ++i)
      all += (*notes)[i].kind + " ";
    return all;
  };
  EXPECT_EQ(kinds().find("first"), std::string::npos);
  times.runs[0].changed->hasHardlyWorked = times.runs[1].changed->hasHardlyWorked = true;
  EXPECT_NE(kinds().find("first"), std::string::npos);
  times.runs[2].changed->hasHardlyWorked = true;
  EXPECT_EQ(kinds(), "error") << "in most runs";
}

} // namespace
} // namespace quincunx
