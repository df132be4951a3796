// Waits for what the last of several threads does, and for phases that each thread looks for.
#include "Strands.h"

#include "quincunx/parallel/Simulate.h"
#include "quincunx/strands/StrandDescription.h"

namespace quincunx {
namespace {

using namespace test;

constexpr auto done = QX_STRAND_DONE, await = QX_STRAND_AWAIT, change = QX_STRAND_CHANGE,
               last = QX_STRAND_CAME_LAST, claim = QX_STRAND_CLAIM, number = QX_STRAND_NUMBER,
               end = QX_STRAND_END;

double timeOf(const ProcessStrands &strands) {
  const Result<StrandHistory> history = StrandHistory::of(strands);
  EXPECT_TRUE(history) << (history ? "" : history.error().text);
  if (!history)
    return 0;
  const StrandDescription d = history->describe(Kept::nothing);
  const Result<parallel::Simulated> s = parallel::simulate(d.description, {});
  EXPECT_TRUE(s) << (s ? "" : s.error().text);
  return s ? s->makespan : 0;
}

TEST(AtomicWaits, WhoCameLastGoesOnBehindAllOthers) {
  const ProcessStrands strands = written({{2, 300, done, 9},
                                          {1, 200, done, 9},
                                          {0, 100, done, 9}, // last, on the processors of the run
                                          {0, 0, last, 9},
                                          {0, 50, end},
                                          {1, 0, end},
                                          {2, 0, end}});
  EXPECT_EQ(timeOf(strands), 350);
  EXPECT_EQ(workOf(strands).free.span, 350u);
}

TEST(AtomicWaits, WhatOnlyTheLastOneDoesIsDoneByWhoIsItNow) {
  constexpr auto did = QX_STRAND_LAST_DID;
  const ProcessStrands strands = written({{1, 200, done, 9},
                                          {0, 100, done, 9}, // last, on the processors of the run
                                          {0, 0, last, 9},
                                          {0, 500, did, 9},
                                          {0, 600, end},
                                          {1, 0, end}});
  EXPECT_EQ(timeOf(strands), 700) << "the other one does the 500";
}

/// Two threads fill something together, twice, and who fills it does more: who that was is chance.
TEST(AtomicWaits, WhoIsLastEachTimeAndDoesMoreWaitsForNobody) {
  constexpr auto did = QX_STRAND_LAST_DID;
  std::vector<Happened> events;
  for (const uint32_t thread : {0u, 1u}) { // one after the other, on the processors of the run
    events.push_back({thread, 500, done, 9});
    events.push_back({thread, 500, done, 9});
    events.push_back({thread, 0, last, 9});
    events.push_back({thread, 500, did, 9});
  }
  for (const uint32_t thread : {0u, 1u})
    events.push_back({thread, 0, end});
  EXPECT_EQ(timeOf(written(events)), 1500);
}

/// A counter is counted up and down, and is at zero now and then.
TEST(AtomicWaits, WhoIsLastNowAndThenWaitsForNobody) {
  EXPECT_EQ(timeOf(written({{0, 10, done, 9},
                            {0, 0, last, 9},
                            {0, 500, done, 9},
                            {1, 10, done, 9},
                            {1, 0, last, 9},
                            {1, 500, end},
                            {0, 0, end}})),
            510);
}

/// Two jobs from a counter, which the first thread did both on the processors of the run, and what
/// is done behind the last one; nobody waits for it.
TEST(AtomicWaits, WhatIsDoneForAllComesBehindTheJobThatIsDealtLast) {
  std::vector<Happened> events;
  for (uint64_t job = 0; job < 2; ++job) {
    events.push_back({0, 0, claim, 5});
    events.push_back({0, 0, number, job});
    events.push_back({0, job == 0 ? 400u : 100u, done, 9});
  }
  events.push_back({0, 0, last, 9});
  events.push_back({0, 50, claim, 5});
  events.push_back({0, 0, number, 2});
  events.push_back({0, 0, end});
  events.push_back({1, 0, claim, 5});
  events.push_back({1, 0, number, 3});
  events.push_back({1, 0, end});
  EXPECT_EQ(timeOf(written(events)), 450) << "behind both jobs, which are done at once";
}

/// Two threads and two phases, of which the first thread ends both. The other one comes to the
/// first of them when `seen` are over, having looked in vain before `inVain` were.
double phases(uint32_t seen, bool inVain) {
  std::vector<Happened> events;
  const auto looks = [&](uint32_t thread, uint64_t work) {
    events.push_back({thread, work, await, 9});
  };
  if (inVain)
    looks(1, 10);
  events.push_back({0, 100, done, 9});
  looks(0, 0);
  if (seen == 1) {
    if (inVain)
      events.push_back({1, 0, change, 9});
    looks(1, inVain ? 0 : 10);
  }
  events.push_back({0, 100, done, 9});
  if (seen == 2) {
    if (inVain)
      events.push_back({1, 0, change, 9});
    looks(1, inVain ? 0 : 10);
  }
  looks(0, 0);
  looks(1, 1000);
  events.push_back({0, 0, end});
  events.push_back({1, 0, end});
  return timeOf(written(events));
}

TEST(AtomicWaits, AreForWhatWhoCameEarliestNeeded) {
  EXPECT_EQ(phases(1, false), 1100);
  EXPECT_EQ(phases(1, true), 1100);
  EXPECT_EQ(phases(2, false), 1100) << "it came late, and needed one";
  EXPECT_EQ(phases(2, true), 1100);
}

/// Two threads have a lock of an atomic twice each, for 100; one of them had it both times first.
double tickets(const std::vector<uint32_t> &turns) {
  std::vector<Happened> events;
  for (const uint32_t thread : turns) {
    events.push_back({thread, 50, await, 9, 1});
    events.push_back({thread, 100, done, 9, 2});
  }
  for (const uint32_t thread : {0u, 1u})
    events.push_back({thread, 0, end});
  return timeOf(written(events));
}

TEST(AtomicWaits, ThatAreALockAreHadByWhoComesFirst) {
  EXPECT_EQ(tickets({0, 0, 1, 1}), 50 + 4 * 100);
  EXPECT_EQ(tickets({0, 1, 1, 0}), 50 + 4 * 100);
  EXPECT_EQ(tickets({0, 1, 0, 1}), 50 + 4 * 100) << "in turn, which is the same here";
}

/// Jobs that are done in any order and finished in theirs: what comes behind them is no lock.
TEST(AtomicWaits, WhereJobsAreFinishedInTheirOrderStayInIt) {
  std::vector<Happened> events;
  const auto job = [&](uint32_t thread, uint64_t which, uint64_t work) {
    events.push_back({thread, 0, claim, 5, 3});
    events.push_back({thread, 0, number, which});
    events.push_back({thread, work, await, 9, 1});
    events.push_back({thread, 0, done, 9, 2});
  };
  job(0, 0, 100);
  job(1, 1, 10);
  job(1, 2, 10);
  job(0, 3, 50);
  for (const uint32_t thread : {0u, 1u}) {
    events.push_back({thread, 0, claim, 5, 3});
    events.push_back({thread, 0, number, 4 + thread});
    events.push_back({thread, 0, end});
  }
  EXPECT_EQ(timeOf(written(events)), 150) << "the second one waits for the first";
}

/// A thread makes three things, and another one uses one after the other; it came when all were
/// there.
TEST(AtomicWaits, OneAfterTheOtherAreForAsManyAsBefore) {
  std::vector<Happened> events;
  for (int k = 0; k < 3; ++k)
    events.push_back({0, 1000, done, 9});
  for (int k = 0; k < 3; ++k)
    events.push_back({1, k > 0 ? 1000u : 0u, await, 9});
  events.push_back({1, 1000, end});
  events.push_back({0, 0, end});
  EXPECT_EQ(timeOf(written(events)), 4000);
}

/// A thread changes an atomic and does not look at it, as a producer: how much is needed of it by
/// those who look is not known, and each waits for what it found.
TEST(AtomicWaits, StayAsTheyWereWhereNotAllDoTheSame) {
  EXPECT_EQ(timeOf(written({{0, 100, done, 9},
                            {1, 0, await, 9},
                            {0, 1000, done, 9},
                            {2, 0, await, 9},
                            {0, 0, end},
                            {1, 10, end},
                            {2, 10, end}})),
            1110);
}

/// Looks found two done and went on in vain: they did not need two.
TEST(AtomicWaits, ThatContradictEachOtherStayAsTheyWere) {
  EXPECT_EQ(timeOf(written({{0, 100, done, 9},
                            {0, 0, await, 9},
                            {0, 100, done, 9},
                            {0, 0, await, 9},
                            {1, 0, await, 9},
                            {1, 0, change, 9},
                            {1, 0, await, 9},
                            {1, 1000, await, 9},
                            {0, 0, end},
                            {1, 0, end}})),
            1200);
}

} // namespace
} // namespace quincunx
