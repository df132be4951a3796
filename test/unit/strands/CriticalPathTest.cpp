// Work, span and critical path of threads of which one can say by hand who waited for whom.
#include "Strands.h"

namespace quincunx {
namespace {

using namespace test;

struct Case {
  const char *what;
  std::vector<Happened> events; ///< in the order in which they happened
  uint64_t free, locked;        ///< spans
};

constexpr qx_strand_kind create = QX_STRAND_CREATE, ended = QX_STRAND_END, join = QX_STRAND_JOIN,
                         lock = QX_STRAND_LOCK, waited = QX_STRAND_WAITED,
                         unlock = QX_STRAND_UNLOCK, readLock = QX_STRAND_READ_LOCK,
                         slept = QX_STRAND_SLEEP, woke = QX_STRAND_WAKE,
                         timedOut = QX_STRAND_TIMEOUT, signalled = QX_STRAND_SIGNAL,
                         broadcast = QX_STRAND_BROADCAST, semaphore = QX_STRAND_SEMAPHORE,
                         post = QX_STRAND_POST, take = QX_STRAND_TAKE, barrier = QX_STRAND_BARRIER,
                         arrive = QX_STRAND_ARRIVE, pass = QX_STRAND_PASS, drop = QX_STRAND_DROP,
                         latch = QX_STRAND_LATCH, done = QX_STRAND_DONE, await = QX_STRAND_AWAIT;

void expectSpans(const std::vector<Case> &cases) {
  for (const Case &c : cases) {
    SCOPED_TRACE(c.what);
    const ParallelWork work = workOf(written(c.events));
    EXPECT_EQ(work.free.span, c.free);
    EXPECT_EQ(work.locked.span, c.locked);
  }
}

TEST(CriticalPath, OfThreadsThatAreCreatedAndJoined) {
  expectSpans({
      {"nobody", {}, 0, 0},
      {"one thread", {{0, 7, lock, 9}, {0, 5, unlock, 9}, {0, 3, ended}}, 15, 15},
      {"it does nothing", {{0, 0, ended}}, 0, 0},
      {"the child takes longer",
       {{0, 10, create, 1}, {1, 30, ended}, {0, 5, join, 1}, {0, 2, ended}},
       10 + 30 + 2,
       42},
      {"the parent takes longer",
       {{0, 10, create, 1}, {1, 4, ended}, {0, 5, join, 1}, {0, 2, ended}},
       10 + 5 + 2,
       17},
      {"nobody joins it, and it outlives the first thread",
       {{0, 10, create, 1}, {0, 2, ended}, {1, 30, ended}},
       10 + 30,
       40},
      {"the process ends before it",
       {{0, 10, create, 1}, {0, 50, ended}, {1, 30, ended, 1}},
       60,
       60},
      {"two of them are joined, the longer one first",
       {{0, 1, create, 1},
        {0, 1, create, 2},
        {2, 8, ended},
        {1, 20, ended},
        {0, 1, join, 1},
        {0, 1, join, 2},
        {0, 1, ended}},
       1 + 20 + 1 + 1,
       23},
      {"another than its parent joins it",
       {{0, 1, create, 1},
        {0, 1, create, 2},
        {1, 20, ended},
        {2, 3, join, 1},
        {2, 4, ended},
        {0, 1, ended}},
       1 + 20 + 4,
       25},
      {"a grandchild",
       {{0, 1, create, 1},
        {1, 2, create, 2},
        {2, 40, ended},
        {1, 1, join, 2},
        {1, 3, ended},
        {0, 1, join, 1},
        {0, 5, ended}},
       1 + 2 + 40 + 3 + 5,
       51},
      {"threads that wrote nothing are no threads to wait for",
       {{0, 3, create, 7}, {0, 4, join, 7}, {0, 5, ended}},
       12,
       12},
  });
}

TEST(CriticalPath, ALockIsHadInItsOrder) {
  expectSpans({
      {"one after another", // 1: has it from 3 to 13; the first thread until 23
       {{0, 1, create, 1},
        {1, 2, lock, 9},
        {1, 10, unlock, 9},
        {0, 3, waited, 9},
        {0, 10, unlock, 9},
        {1, 1, ended},
        {0, 1, join, 1},
        {0, 1, ended}},
       1 + 3 + 10 + 1 + 1,
       1 + 2 + 10 + 10 + 1 + 1},
      {"another order has another path", // the first thread until 14, then the other
       {{0, 1, create, 1},
        {0, 3, lock, 9},
        {0, 10, unlock, 9},
        {1, 2, waited, 9},
        {1, 10, unlock, 9},
        {1, 1, ended},
        {0, 1, join, 1},
        {0, 1, ended}},
       16,
       1 + 3 + 10 + 10 + 1 + 1},
      {"two locks have nothing to do with each other",
       {{0, 1, create, 1},
        {1, 2, lock, 8},
        {1, 10, unlock, 8},
        {0, 3, lock, 9},
        {0, 10, unlock, 9},
        {1, 1, ended},
        {0, 1, join, 1},
        {0, 1, ended}},
       16,
       16},
      {"one that a thread has twice", // the inner one gives it up, as it is not known better
       {{0, 1, create, 1},
        {0, 1, lock, 9},
        {0, 5, lock, 9},
        {0, 5, unlock, 9},
        {0, 5, unlock, 9},
        {1, 1, lock, 9},
        {1, 4, unlock, 9},
        {1, 0, ended},
        {0, 0, ended}},
       17,
       17 + 4},
  });
}

TEST(CriticalPath, ReadersDoNotWaitForEachOther) {
  const auto program = [](qx_strand_kind kind) {
    return std::vector<Happened>{{0, 0, create, 1},  {0, 0, create, 2},  {0, 0, create, 3},
                                 {0, 5, lock, 9},    {0, 5, unlock, 9}, // until 10
                                 {1, 1, kind, 9},    {1, 20, unlock, 9}, {2, 1, kind, 9},
                                 {2, 30, unlock, 9}, {3, 1, lock, 9},    {3, 2, unlock, 9},
                                 {3, 0, ended},      {2, 0, ended},      {1, 0, ended},
                                 {0, 0, ended}};
  };
  expectSpans({{"two readers at once", program(readLock), 31, 10 + 30 + 2},
               {"writers", program(lock), 31, 10 + 20 + 30 + 2}});
}

TEST(CriticalPath, WhoSleepsWaitsForTheFirstSignalSince) {
  const auto main = [](std::vector<Happened> events) {
    events.insert(events.begin(), {0, 0, create, 1});
    events.push_back({1, 3, ended});
    events.push_back({0, 0, ended});
    return events;
  };
  expectSpans({
      {"a signal", main({{1, 1, slept, 9}, {0, 20, signalled, 9}, {1, 0, woke, 9}}), 20 + 3, 23},
      {"a broadcast", main({{1, 1, slept, 9}, {0, 20, broadcast, 9}, {1, 0, woke, 9}}), 23, 23},
      {"of the second signal",
       main({{1, 1, slept, 9},
             {0, 20, signalled, 9},
             {1, 0, woke, 9},
             {1, 1, slept, 9},
             {0, 30, signalled, 9},
             {1, 0, woke, 9}}),
       50 + 3, 53},
      {"a later signal says nothing",
       main({{1, 1, slept, 9}, {0, 20, signalled, 9}, {0, 40, signalled, 9}, {1, 0, woke, 9}}), 60,
       60},
      {"time is up", main({{1, 1, slept, 9}, {0, 20, signalled, 9}, {1, 0, timedOut, 9}}), 20, 20},
      {"a signal that nobody heard", // it slept only then, and nothing woke it
       main({{0, 20, signalled, 9}, {1, 1, slept, 9}, {1, 0, woke, 9}}), 20, 20},
      {"another condition", main({{1, 1, slept, 8}, {0, 20, signalled, 9}, {1, 0, woke, 8}}), 20,
       20},
  });
}

TEST(CriticalPath, ASignalWakesOneABroadcastAll) {
  const auto program = [](qx_strand_kind kind) {
    return std::vector<Happened>{{0, 0, create, 1}, {0, 0, create, 2}, {1, 1, slept, 9},
                                 {2, 1, slept, 9},  {0, 20, kind, 9},  {2, 0, woke, 9},
                                 {0, 30, kind, 9},  {1, 0, woke, 9},   {1, 5, ended},
                                 {2, 40, ended},    {0, 0, ended}};
  };
  expectSpans({{"two signals", program(signalled), 20 + 40, 60}});
  std::vector<Happened> later = program(signalled);
  later[8].work = 15; // the one that the second signal woke
  expectSpans({{"the second one", later, 50 + 15, 65}});
  later = program(broadcast);
  later[8].work = 15; // the first broadcast woke both
  expectSpans({{"two broadcasts", later, 60, 60}});
}

TEST(CriticalPath, WhoTakesWaitsForWhoAdded) {
  const auto with = [](std::vector<Happened> first) { // two are added at 10 and 30, two taken
    const std::vector<Happened> rest{{0, 0, create, 1}, {0, 10, post, 9}, {0, 20, post, 9},
                                     {1, 1, take, 9},   {1, 2, take, 9},  {1, 40, ended},
                                     {0, 0, ended}};
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
  };
  expectSpans({
      {"begins with none", with({{0, 0, semaphore, 9, 0}}), 30 + 40, 70},
      {"begins with one", with({{0, 0, semaphore, 9, 1}}), 10 + 40, 50},
      {"begins with two", with({{0, 0, semaphore, 9, 2}}), 43, 43},
      {"it is not known with how many", with({}), 70, 70}, // with none it could happen
      {"it began with one at least",
       {{0, 0, create, 1},
        {1, 1, take, 9},
        {0, 10, post, 9},
        {1, 2, take, 9},
        {1, 40, ended},
        {0, 0, ended}},
       10 + 40,
       50},
      {"made again", // the one that was added before is gone
       {{0, 0, create, 1},
        {0, 50, post, 9},
        {0, 0, semaphore, 9, 1},
        {1, 1, take, 9},
        {1, 2, ended},
        {0, 0, ended}},
       50,
       50},
  });
}

TEST(CriticalPath, WhoPassesABarrierWaitsForAllWhoCome) {
  const auto with = [](std::vector<Happened> first) {
    const std::vector<Happened> rest{{0, 0, create, 1},  {0, 10, arrive, 9}, {1, 40, arrive, 9},
                                     {0, 0, pass, 9},    {1, 0, pass, 9},    {1, 1, arrive, 9},
                                     {0, 30, arrive, 9}, {1, 0, pass, 9},    {0, 0, pass, 9},
                                     {1, 5, ended},      {0, 0, ended}};
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
  };
  const uint64_t twice = 40 + 30 + 5;
  expectSpans({
      {"of two, twice", with({{0, 0, barrier, 9, 2}}), twice, twice},
      {"it is not known of how many", with({}), twice, twice},
      {"of one, which keeps nobody", with({{0, 0, barrier, 9, 1}}), 46, 46},
      {"of none, which there is not", with({{0, 0, barrier, 9, 0}}), 46, 46},
      {"others come before all have passed",
       {{0, 0, barrier, 9, 2},
        {0, 0, create, 1},
        {0, 0, create, 2},
        {0, 10, arrive, 9},
        {1, 40, arrive, 9},
        {2, 90, arrive, 9},
        {1, 0, pass, 9},
        {1, 7, arrive, 9},
        {0, 0, pass, 9},
        {2, 0, pass, 9},
        {1, 0, pass, 9},
        {0, 1, ended},
        {1, 2, ended},
        {2, 3, ended}},
       90 + 3,
       93},
  });
}

// The last one to come does something for all, for which they wait as for a latch.
TEST(CriticalPath, WhoLeavesABarrierIsNotWaitedForAgain) {
  expectSpans({{"of three, two of whom meet again",
                {{0, 0, barrier, 9, 3}, {0, 0, create, 1}, {0, 0, create, 2}, {0, 10, arrive, 9},
                 {1, 5, drop, 9},       {1, 0, arrive, 9}, {1, 500, ended},   {2, 20, arrive, 9},
                 {2, 0, pass, 9},       {2, 30, done, 8},  {2, 0, await, 8},  {2, 0, pass, 9},
                 {0, 0, await, 8},      {0, 0, pass, 9},   {0, 7, arrive, 9}, {2, 1, arrive, 9},
                 {2, 0, pass, 9},       {2, 0, ended},     {0, 0, pass, 9},   {0, 500, ended}},
                20 + 30 + 7 + 500,
                557}});
}

TEST(CriticalPath, WhoAwaitsComesAfterAllPartsBefore) {
  expectSpans({
      {"parts of two, and one that comes too late",
       {{0, 0, latch, 9},
        {0, 0, create, 1},
        {0, 0, create, 2},
        {1, 40, done, 9},
        {2, 10, done, 9},
        {0, 3, await, 9},
        {1, 60, done, 9},
        {1, 0, ended},
        {2, 0, ended},
        {0, 70, ended}},
       40 + 70,
       110},
      {"the last part of a thread, whoever was awaited before",
       {{0, 0, create, 1},
        {1, 40, done, 9},
        {0, 3, await, 9},
        {1, 600, done, 9},
        {0, 3, await, 9},
        {0, 4, await, 9},
        {1, 0, ended},
        {0, 1, ended}},
       640 + 4 + 1,
       645},
      {"another one at the same place",
       {{0, 0, create, 1},
        {1, 40, done, 9},
        {0, 1, latch, 9},
        {0, 5, done, 9},
        {0, 3, await, 9},
        {1, 0, ended},
        {0, 1, ended}},
       40,
       40},
  });
}

TEST(CriticalPath, WhoWaitsForAChangeComesAfterTheFirstOne) {
  const auto change = QX_STRAND_CHANGE;
  expectSpans({{"it comes late, and goes through all of them",
                {{0, 0, create, 1},
                 {1, 900, done, 9},
                 {1, 5, done, 9}, // by notify
                 {1, 895, done, 9},
                 {1, 900, done, 9},
                 {1, 0, ended},
                 {0, 0, change, 9},
                 {0, 8, done, 9},
                 {0, 0, change, 9},
                 {0, 0, change, 9},
                 {0, 8, change, 9}, // of which there is none
                 {0, 9, ended}},
                2700 + 8 + 9,
                2717},
               {"or looks at what there is",
                {{0, 0, create, 1},
                 {1, 900, done, 9},
                 {1, 900, done, 9},
                 {1, 900, done, 9},
                 {1, 0, ended},
                 {0, 0, change, 9},
                 {0, 0, await, 9},
                 {0, 9, ended}},
                2700 + 9,
                2709}});
}

TEST(CriticalPath, KnowsOfWaitsThatNobodyLetGoOn) {
  const auto isUnexplained = [](std::vector<Happened> events) {
    events.push_back({0, 0, ended});
    return workOf(written(events)).hasUnexplained;
  };
  EXPECT_TRUE(isUnexplained({{0, 0, latch, 9}, {0, 3, await, 9}}));
  EXPECT_TRUE(
      isUnexplained({{0, 0, latch, 9}, {0, 1, done, 9}, {0, 0, latch, 9}, {0, 3, await, 9}}));
  EXPECT_TRUE(isUnexplained({{0, 3, QX_STRAND_CHANGE, 9}}));
  EXPECT_FALSE(isUnexplained({{0, 3, await, 9}})) << "a look at an atomic";
  EXPECT_FALSE(isUnexplained({{0, 0, latch, 9}, {0, 1, done, 9}, {0, 3, await, 9}}));
  EXPECT_FALSE(isUnexplained({{0, 1, done, 9}, {0, 3, QX_STRAND_CHANGE, 9}}));
}

TEST(CriticalPath, PermitsKeepNobodyWaitingAsLocksDo) {
  std::vector<Happened> events{{0, 0, semaphore, 9, 1}, {0, 0, create, 1}, {0, 0, create, 2},
                               {1, 1, take, 9},         {1, 10, post, 9},  {2, 2, take, 9},
                               {2, 10, post, 9},        {1, 0, post, 9},   {1, 0, ended},
                               {2, 0, ended},           {0, 0, ended}};
  expectSpans({{"one adds more than it took", events, 21, 21}});
  events.erase(events.begin() + 7);
  expectSpans({{"all add what they took", events, 2 + 10, 1 + 10 + 10}});
}

// An address may have been that of one thing after another, or of all at once.
TEST(CriticalPath, AnAddressMayBeOfManyThings) {
  expectSpans({{"all of one address",
                {{0, 0, semaphore, 9, 0},
                 {0, 0, create, 1},
                 {0, 5, lock, 9},
                 {0, 5, unlock, 9},
                 {1, 1, lock, 9},
                 {1, 1, unlock, 9},
                 {0, 10, post, 9},
                 {1, 1, take, 9},
                 {0, 9, signalled, 9},
                 {1, 7, ended},
                 {0, 0, ended}},
                29,
                29}});
}

TEST(CriticalPath, IsToldInLegsAndParts) {
  const ParallelWork work = workOf(written({{0, 10, create, 1, 71},
                                            {1, 20, lock, 9, 72},
                                            {1, 6, lock, 8, 72},
                                            {1, 30, ended, 0, 99},
                                            {0, 5, join, 1, 73},
                                            {0, 2, semaphore, 9, 3},
                                            {0, 4, ended}}));
  const std::vector<PathLeg> &legs = work.free.legs;
  ASSERT_EQ(legs.size(), 3u);
  const std::vector<std::vector<uint64_t>> table{// thread, work, from, to
                                                 {0, 10, 0, create},
                                                 {1, 20 + 6 + 30, 0, ended},
                                                 {0, 2 + 4, join, ended}};
  for (size_t i = 0; i < table.size(); ++i)
    EXPECT_EQ(
        (std::vector<uint64_t>{legs[i].thread, legs[i].work, legs[i].from.kind, legs[i].to.kind}),
        table[i])
        << "leg " << i;
  const std::map<StrandPlace, uint64_t> parts{{{0, 71, create}, 10},
                                              {{71, 72, lock}, 26},
                                              {{71, 0, ended}, 30},
                                              {{0, 0, semaphore}, 2}, // 3 is its value, no site
                                              {{0, 0, ended}, 4}};
  EXPECT_EQ(work.free.parts, parts);
  EXPECT_EQ(work.locked.parts, parts);
}

TEST(CriticalPath, OfTwoWaysOfOneLengthItStaysInTheThread) {
  const ParallelWork work = workOf(
      written({{0, 1, create, 1}, {1, 5, ended}, {0, 3, post, 9}, {0, 2, join, 1}, {0, 1, ended}}));
  ASSERT_EQ(work.free.legs.size(), 1u);
  EXPECT_EQ(work.free.legs[0].thread, 0u);
  EXPECT_EQ(work.free.span, 7u);
}

TEST(CriticalPath, RefusesWhatCannotHaveHappened) {
  ProcessStrands cut = written({{0, 1, ended}});
  cut.isCut = true;
  EXPECT_EQ(errorOf(cut),
            "events of its threads are missing: a process keeps 1048576; try a smaller input");
  const std::string circle = "its threads seem to wait for each other in a circle";
  struct {
    const char *what;
    std::vector<Happened> events;
  } const table[] = {
      {"it joins itself", {{0, 1, join, 0}, {0, 1, ended}}},
      {"it creates itself", {{0, 1, create, 0}, {0, 1, ended}}},
      {"two join each other",
       {{0, 0, create, 1}, {0, 1, join, 1}, {1, 1, join, 0}, {1, 1, ended}, {0, 1, ended}}},
      {"two create each other",
       {{0, 1, create, 1}, {1, 1, create, 0}, {1, 1, ended}, {0, 1, ended}}},
      {"it is joined, and still has to wait for what comes later",
       {{0, 0, create, 1},
        {0, 1, join, 1},
        {0, 1, post, 9},
        {1, 1, take, 9},
        {1, 1, ended},
        {0, 1, ended}}},
      {"the same with a barrier",
       {{0, 0, barrier, 9, 2},
        {0, 0, create, 1},
        {0, 1, join, 1},
        {0, 1, arrive, 9},
        {1, 1, arrive, 9},
        {1, 0, pass, 9},
        {0, 0, pass, 9},
        {1, 1, ended},
        {0, 1, ended}}},
  };
  for (const auto &t : table)
    EXPECT_EQ(errorOf(written(t.events)), circle) << t.what;
}

TEST(CriticalPath, RefusesAnOrderAgainstTheThreads) {
  ProcessStrands s = written({{0, 1, lock, 9}, {0, 1, unlock, 9}, {0, 1, ended}});
  EXPECT_EQ(errorOf(s), "none");
  std::swap(s.threads[0].events[0].order, s.threads[0].events[1].order);
  const std::string circle = "its threads seem to wait for each other in a circle";
  EXPECT_EQ(errorOf(s), circle) << "it gives up what it has only later";
  // Each says that it had the locks after the other one.
  s = written({{0, 0, create, 1},
               {0, 1, lock, 8},
               {0, 1, unlock, 8},
               {0, 1, lock, 9},
               {0, 1, unlock, 9},
               {1, 1, lock, 9},
               {1, 1, unlock, 9},
               {1, 1, lock, 8},
               {1, 1, unlock, 8},
               {1, 1, ended},
               {0, 1, ended}});
  EXPECT_EQ(errorOf(s), "none");
  std::vector<StrandEvent> &first = s.threads[0].events;
  first[1].order = 20, first[2].order = 21; // the one of lock 8, behind the other's
  EXPECT_EQ(errorOf(s), circle);
}

// Clocks that no program reaches, but a corpus may claim.
TEST(CriticalPath, RefusesMoreWorkThanCanBeCounted) {
  const uint64_t half = uint64_t{1} << 63;
  EXPECT_EQ(workOf(written({{0, half, create, 1}, {1, half - 1, ended}, {0, 0, ended}})).free.span,
            UINT64_MAX);
  EXPECT_EQ(errorOf(written({{0, half, create, 1}, {1, half, ended}, {0, 0, ended}})),
            "its threads did more than can be counted");
}

} // namespace
} // namespace quincunx
