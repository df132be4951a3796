// What threads that ran are described as: locks that are had together. The rest: RandomThreadsTest.
#include "Strands.h"

#include "quincunx/strands/StrandDescription.h"

namespace quincunx {
namespace {

using namespace test;

/// Two threads, each with two locks for some time, of which it tries the second one.
Result<double> timeOf(uint64_t firstOfOther, uint64_t secondOfOther, uint64_t between = 10) {
  const ProcessStrands strands = written({{0, 0, QX_STRAND_CREATE, 1},
                                          {0, 0, QX_STRAND_CREATE, 2},
                                          {1, 100, QX_STRAND_LOCK, 5},
                                          {1, between, QX_STRAND_TRIED, 6},
                                          {1, 1000, QX_STRAND_UNLOCK, 6},
                                          {1, 0, QX_STRAND_UNLOCK, 5},
                                          {2, 105, QX_STRAND_LOCK, firstOfOther},
                                          {2, between, QX_STRAND_TRIED, secondOfOther},
                                          {2, 1000, QX_STRAND_UNLOCK, secondOfOther},
                                          {2, 0, QX_STRAND_UNLOCK, firstOfOther},
                                          {1, 0, QX_STRAND_END},
                                          {2, 0, QX_STRAND_END},
                                          {0, 0, QX_STRAND_JOIN, 1},
                                          {0, 0, QX_STRAND_JOIN, 2},
                                          {0, 0, QX_STRAND_END}});
  const StrandDescription d = StrandHistory::of(strands)->describe(Kept::nothing);
  const Result<parallel::Simulated> s = parallel::simulate(d.description, {});
  return s ? Result<double>(s->makespan) : s.error();
}

TEST(StrandDescription, LocksThatAreTriedAtOnceAreHadTogether) {
  EXPECT_EQ(*timeOf(5, 6), 100 + 10 + 1000 + 10 + 1000);
  EXPECT_EQ(*timeOf(6, 5), 100 + 10 + 1000 + 10 + 1000) << "and nobody waits in a circle";
  EXPECT_EQ(*timeOf(7, 6), 100 + 10 + 1000 + 10 + 1000);
  EXPECT_EQ(*timeOf(7, 8), 105 + 10 + 1000) << "others have nothing to do with them";
}

// Two threads have a lock three times, for 1000 each. Who waits for a mutex has not woken up when
// the other one comes again, after 20 counts; after 800 it may have.
TEST(StrandDescription, WhoComesAgainAtOnceGetsAheadOfWhoWaitsForAMutex) {
  const auto startOfSecond = [](uint64_t lock, uint64_t between) { // its end, less 2 x 1020
    std::vector<Happened> events{{0, 0, QX_STRAND_CREATE, 1}, {0, 0, QX_STRAND_CREATE, 2}};
    for (const uint32_t thread : {1u, 2u})
      for (int i = 0; i < 3; ++i) {
        events.push_back({thread, i == 0 ? thread : between, QX_STRAND_LOCK, lock});
        events.push_back({thread, 1000, QX_STRAND_UNLOCK, lock});
      }
    for (const uint32_t thread : {1u, 2u})
      events.push_back({thread, 0, QX_STRAND_END});
    for (const uint32_t thread : {1u, 2u})
      events.push_back({0, 0, QX_STRAND_JOIN, thread});
    events.push_back({0, 0, QX_STRAND_END});
    const StrandDescription d = StrandHistory::of(written(events))->describe(Kept::nothing);
    parallel::Setting s;
    s.keepPieces = true;
    double first = -1; // long piece of the second thread
    for (const parallel::Piece &p : parallel::simulate(d.description, s)->pieces)
      if (p.thread == 3 && p.end - p.begin == 1000 &&
          first < 0) // behind one that is none, and the first
        first = p.begin;
    return first;
  };
  EXPECT_EQ(startOfSecond(8, 20), 1 + 3 * 1000 + 2 * 20);
  EXPECT_EQ(startOfSecond(8, 800), 1 + 1000);
  EXPECT_EQ(startOfSecond(9, 20), 1 + 1000) << "given to who waits, as OpenMP's are";
}

TEST(StrandDescription, KeepsNothingThatMakesNoDifference) {
  const auto least = [](const std::vector<Happened> &between, Kept kept) {
    std::vector<Happened> events{{0, 0, QX_STRAND_CREATE, 1}};
    events.insert(events.end(), between.begin(), between.end());
    events.insert(events.end(),
                  {{1, 9, QX_STRAND_END}, {0, 0, QX_STRAND_JOIN, 1}, {0, 0, QX_STRAND_END}});
    return StrandHistory::of(written(events))->least(kept);
  };
  const std::vector<Happened> locks{{1, 5, QX_STRAND_LOCK, 7}, {1, 5, QX_STRAND_UNLOCK, 7}};
  const std::vector<Happened> semaphores{
      {0, 1, QX_STRAND_SEMAPHORE, 7, 0}, {0, 5, QX_STRAND_POST, 7}, {1, 5, QX_STRAND_TAKE, 7}};
  EXPECT_EQ(least({}, Kept::order), Kept::nothing);
  EXPECT_EQ(least(locks, Kept::order), Kept::order);
  EXPECT_EQ(least(semaphores, Kept::order), Kept::order);
  EXPECT_EQ(least(locks, Kept::jobs), Kept::nothing) << "nobody takes jobs there";
}

/// Each of two threads has it twice, one of them before the other. Who has it at the end?
double timeOfSections(std::vector<Happened> last) {
  std::vector<Happened> events{{0, 0, QX_STRAND_CREATE, 1}, {0, 0, QX_STRAND_CREATE, 2}};
  for (const uint32_t thread : {1u, 2u}) {
    for (int i = 0; i < 2; ++i) {
      events.push_back({thread, 0, QX_STRAND_LOCK, 5});
      events.push_back({thread, 10, QX_STRAND_UNLOCK, 5});
      events.push_back({thread, 100, QX_STRAND_CHANGE, 9});
    }
    events.push_back({thread, 0, QX_STRAND_END});
    events.push_back({0, 0, QX_STRAND_JOIN, thread});
  }
  events.insert(events.end(), last.begin(), last.end());
  events.push_back({0, 0, QX_STRAND_END});
  const Result<StrandHistory> history = StrandHistory::of(written(events));
  EXPECT_TRUE(history) << (history ? "" : history.error().text);
  if (!history)
    return -1;
  const StrandDescription d = history->describe(Kept::nothing);
  const Result<parallel::Simulated> s = parallel::simulate(d.description, {});
  EXPECT_TRUE(s) << (s ? "" : s.error().text);
  return s ? s->makespan : -1;
}

TEST(StrandDescription, LocksThatAreHeldAtTheEndHaveNoOrder) {
  EXPECT_EQ(timeOfSections({}), 10 + 10 + 100 + 10 + 100);
  EXPECT_EQ(timeOfSections({{0, 7, QX_STRAND_LOCK, 5, 3}}), 10 + 10 + 100 + 10 + 100 + 7);
  EXPECT_EQ(timeOfSections({{0, 7, QX_STRAND_UNLOCK, 5}}), 2 * 2 * 110 + 7 - 100)
      << "given back for another: as it was";
}

TEST(StrandDescription, LocksThatAreTriedByThemselvesKeepNobodyWaiting) {
  EXPECT_EQ(*timeOf(7, 6, 500), 105 + 500 + 1000) << "6 is not free, and it goes on";
  EXPECT_EQ(*timeOf(6, 5, 500), 105 + 500 + 1000) << "neither waits for the other";
}

/// A table that whoever comes first fills: the second thread did, as the first was late. Object 7;
/// with locks within, if that is asked for.
std::vector<Happened> onceByTheSecond(uint64_t first, uint64_t second, uint32_t siteOfOther = 40,
                                      bool hasLock = false) {
  std::vector<Happened> events{{0, 0, QX_STRAND_CREATE, 1},
                               {0, 0, QX_STRAND_CREATE, 2},
                               {2, second, QX_STRAND_LATCH, 7, 40}};
  if (hasLock)
    events.insert(events.end(), {{2, 500, QX_STRAND_LOCK, 9}, {2, 100, QX_STRAND_UNLOCK, 9}});
  events.insert(events.end(), {{2, hasLock ? 400u : 1000u, QX_STRAND_DONE, 7, 41},
                               {2, 0, QX_STRAND_AWAIT, 7, 40},
                               {1, first, QX_STRAND_AWAIT, 7, siteOfOther},
                               {1, 50, QX_STRAND_END},
                               {2, 50, QX_STRAND_END},
                               {0, 0, QX_STRAND_JOIN, 1},
                               {0, 0, QX_STRAND_JOIN, 2},
                               {0, 0, QX_STRAND_END}});
  return events;
}

TEST(StrandDescription, WhoComesFirstDoesWhatIsDoneOnce) {
  const auto timeOf = [](const std::vector<Happened> &events, Kept kept = Kept::nothing) {
    const StrandDescription d = StrandHistory::of(written(events))->describe(kept);
    EXPECT_EQ(workIn(d), workIn(StrandHistory::of(written(events))->describe(Kept::order)));
    const Result<parallel::Simulated> s = parallel::simulate(d.description, {});
    return s ? s->makespan : -1;
  };
  EXPECT_EQ(timeOf(onceByTheSecond(300, 100)), 100 + 1000 + 50);
  EXPECT_EQ(timeOf(onceByTheSecond(300, 700)), 300 + 1000 + 50);
  EXPECT_EQ(timeOf(onceByTheSecond(300, 700, 40, true)), 300 + 1000 + 50);
  EXPECT_EQ(timeOf(onceByTheSecond(300, 700, 42)), 700 + 1000 + 50) << "a latch of the second";
  EXPECT_EQ(timeOf(onceByTheSecond(300, 700), Kept::order), 700 + 1000 + 50);
}

// As many turns as in the run, whose work stays; the event itself is nobody's.
/// Both members of a team make one of two, and the same thread is in one of these after the other.
TEST(StrandDescription, TeamsWithinTeamsAreThereAtOnce) {
  std::vector<Happened> events{{0, 0, QX_STRAND_TEAM, 1}, {1, 0, QX_STRAND_MEMBER, 1, 1}};
  for (const uint32_t leader : {0u, 1u}) {
    const uint64_t team = 2 + leader;
    events.push_back({leader, 10, QX_STRAND_TEAM, team});
    events.push_back({2, 0, QX_STRAND_MEMBER, team, 1});
    for (const uint32_t t : {leader, 2u})
      events.push_back({t, 100, QX_STRAND_MEET, team});
    events.push_back({2, 0, QX_STRAND_LEAVE, 0});
    events.push_back({leader, 0, QX_STRAND_LEAVE, team});
  }
  for (const uint32_t t : {0u, 1u})
    events.push_back({t, 0, QX_STRAND_MEET, 1});
  events.push_back({1, 0, QX_STRAND_LEAVE, 0});
  events.push_back({0, 0, QX_STRAND_LEAVE, 1});
  for (const uint32_t t : {0u, 1u, 2u})
    events.push_back({t, 0, QX_STRAND_END});
  const ProcessStrands strands = written(events);
  EXPECT_EQ(threadsAtOnce(strands), 3u);
  EXPECT_EQ(teamsAtOnce(strands), 4u);
  const Result<StrandHistory> history = StrandHistory::of(strands);
  ASSERT_TRUE(history) << history.error().text;
  const StrandDescription d = history->describe(Kept::nothing);
  parallel::Setting setting;
  setting.atOnce = d.atOnce;
  EXPECT_EQ(parallel::simulate(d.description, setting)->makespan, 110);
}

TEST(StrandDescription, LookingAgainIsWork) {
  std::vector<Happened> events{{0, 0, QX_STRAND_CREATE, 1}, {1, 100, QX_STRAND_SPIN, 8, 5},
                               {1, 20, QX_STRAND_LOCK, 9},  {1, 3, QX_STRAND_UNLOCK, 9},
                               {1, 7, QX_STRAND_END},       {0, 0, QX_STRAND_JOIN, 1},
                               {0, 0, QX_STRAND_END}};
  const ProcessStrands strands = written(events);
  const StrandDescription d = StrandHistory::of(strands)->describe(Kept::nothing);
  EXPECT_EQ(parallel::simulate(d.description, {})->makespan, 130);
  EXPECT_EQ(parallelWork(strands)->spins, 5u);
  EXPECT_EQ(parallelWork(strands)->work, 130u);
  EXPECT_EQ(parallelWork(strands)->strands, 6u) << "looking is none";
}

} // namespace
} // namespace quincunx
