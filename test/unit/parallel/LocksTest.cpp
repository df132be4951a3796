// Locks: first come, first served, and who waits how long.
#include "Descriptions.h"

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

namespace {
/// Threads that come to a lock after `before`, hold it for `held`, and go on for `after`.
Description threeThreads() {
  Description d;
  d.locks = 1;
  d.bodies = {{fork(1), fork(2), fork(3), join(0), join(1), join(2)},
              {work(1), lock(0), work(10), unlock(0), work(1)},
              {work(3), lock(0), work(10), unlock(0), work(1)},
              {work(2), lock(0), work(10), unlock(0), work(1)}};
  return d;
}
} // namespace

// 1: 1..11; the third came at 2: 11..21; the second at 3: 21..31.
TEST(Locks, FirstComeFirstServed) {
  const Simulated s = run(threeThreads());
  EXPECT_EQ(s.makespan, 32);
  ASSERT_EQ(s.locks.size(), 1u);
  EXPECT_EQ(s.locks[0].count, 2u);
  EXPECT_EQ(s.locks[0].time, (11 - 2) + (21 - 3));
  EXPECT_EQ(s.threads[2].waited, 18);
  EXPECT_EQ(s.threads[3].waited, 9);
}

// The first thread comes again before others wake up: 1..11, 12..22. Readers are woken before that.
TEST(Locks, WhoComesAgainBeforeOthersWakeUpGetsAhead) {
  Description d = threeThreads();
  const Body twice{work(1), lock(0), work(10), unlock(0, true), work(1), lock(0), work(10), unlock(0)};
  d.bodies[1] = twice;
  const Simulated s = run(d);
  EXPECT_EQ(s.makespan, 22 + 10 + 10 + 1);
  EXPECT_EQ(s.locks[0].time, (22 - 2) + (32 - 3));
  d.bodies[3] = {work(2), share(0), work(10), unlock(0)};
  EXPECT_EQ(run(d).locks[0].time, (11 - 2) + (21 - 3) + (31 - 12)) << "11..21, 21..31, 31..41";
}

// What it is dealt next begins with the lock, or it would keep all others waiting.
TEST(Locks, WhoGetsAheadHasToComeAgain) {
  Description d;
  d.locks = 2;
  d.pools = {{1, 2}};
  d.bodies = {{lock(0), work(1), unlock(0, true), work(1), deal(0)},
              {lock(0), work(1), unlock(0)},
              {lock(0), unlock(0)}};
  EXPECT_EQ(timeOf(d), 3);
  EXPECT_TRUE(LockReturns(d).comesAgain(0, 2, 1));
  d.bodies[0][3] = post(0);
  d.channels.resize(1);
  EXPECT_TRUE(LockReturns(d).comesAgain(0, 2, 0)) << "keeps nobody waiting";
  d.channels[0].bound = 1;
  EXPECT_FALSE(LockReturns(d).comesAgain(0, 2, 0)) << "may wait for room";
  d.bodies[0][3] = work(1);
  EXPECT_FALSE(LockReturns(d).comesAgain(0, 2, 0.5));
  d.bodies[2].front() = lock(1);
  EXPECT_EQ(errorOf(d), "step 2 of body 0: who gets ahead there does not come for the lock again");
  d.bodies[0].resize(4);
  EXPECT_FALSE(LockReturns(d).comesAgain(0, 2, 1));
}

TEST(Locks, HandOffIsPaidUnderTheLock) {
  Setting s;
  s.burdens.handOff = 0.5; // two on the lock, and the last thread to its joiner
  EXPECT_EQ(timeOf(threeThreads(), s), 32 + 2 * 0.5 + 0.5);
}

// Loop of n iterations that hold one lock: no schedule is faster than what is held.
TEST(Locks, BoundTheTeam) {
  Description d;
  d.locks = 1;
  d.bodies = {{team(1)}, {loop(0, true)}};
  d.loops.push_back({Schedule::queue, 1, {}, 0, 2, 40});
  for (int i = 0; i < 40; ++i)
    d.bodies.push_back({work(3), lock(0), work(1), unlock(0)});
  EXPECT_EQ(timeOf(d, threads(1)), 160);
  EXPECT_EQ(timeOf(d, threads(2)), 81) << "the second waits once";
  EXPECT_EQ(timeOf(d, threads(4)), 43) << "they are one after the other from then on";
  EXPECT_EQ(timeOf(d, threads(40)), 43);
}

// The second thread finds lock 0 taken, and has 1 no more while it waits.
TEST(Locks, AreHadTogetherOrNotAtAll) {
  const auto timeWith = [](double comesAt) {
    Description d;
    d.locks = 2;
    d.together = {1, 0};
    d.bodies = {{fork(1), fork(2), fork(3), join(0), join(1), join(2)},
                {lock(0), work(10), unlock(0)},
                {work(1), lockAll(0, 2), work(5), unlock(1), unlock(0)},
                {work(comesAt), lock(1), work(3), unlock(1)}};
    const Simulated s = run(d);
    return std::pair(s.makespan, s.threads[3].waited);
  };
  EXPECT_EQ(timeWith(2), std::pair(15.0, 0.0));
  EXPECT_EQ(timeWith(9), std::pair(17.0, 0.0)) << "it gives 0 back at 10, and waits for 1 until 12";
  EXPECT_EQ(timeWith(11), std::pair(18.0, 4.0));
}

TEST(Locks, ThatAreHadTogetherCloseNoCircle) {
  Description d;
  d.locks = 2;
  d.together = {0, 1, 1, 0, 0, 0};
  d.bodies = {{fork(1), fork(2), join(0), join(1)},
              {lockAll(0, 2), work(4), unlock(0), unlock(1)},
              {lockAll(2, 2), work(4), unlock(0), unlock(1)}};
  EXPECT_EQ(timeOf(d), 8);
  d.bodies[1][0] = lockAll(4, 2);
  EXPECT_EQ(errorOf(d), "step 0 of body 1: locks that are had together must be there, each once");
}

// The first one gives both back at one instant, and each lock goes to one that wants both.
TEST(Locks, ThatAreHadTogetherEndTheRun) {
  Description d;
  d.locks = 2;
  d.together = {0, 1, 1, 0};
  d.bodies = {
      {fork(1), fork(2), fork(3), fork(4), fork(5), join(0), join(1), join(2), join(3), join(4)},
      {lockAll(0, 2), work(10), unlock(0), unlock(1)},
      {work(1), lockAll(0, 2), work(1), unlock(0), unlock(1)},
      {work(2), lockAll(2, 2), work(1), unlock(0), unlock(1)},
      {work(3), lockAll(0, 2), work(1), unlock(0), unlock(1)},
      {work(4), lockAll(2, 2), work(1), unlock(0), unlock(1)}};
  EXPECT_EQ(errorOf(d), "threads that want several locks give way to each other forever");
  d.bodies[1] = {lockAll(0, 2), work(9), unlock(0), work(1), unlock(1)};
  EXPECT_EQ(timeOf(d), 14) << "none of them comes before the last one is given back";
}

TEST(Locks, RefusesWhatCannotGoOn) {
  Description d;
  d.locks = 2;
  d.bodies = {{unlock(0)}};
  EXPECT_EQ(errorOf(d), "lock 0 is given back by a thread that has it not");
  d.bodies = {{lock(0), lock(0)}};
  EXPECT_EQ(errorOf(d), "threads wait for each other forever; thread 0 at step 1 of body 0");
  d.bodies = {{fork(1), lock(0), work(2), lock(1), join(0)}, {lock(1), work(2), lock(0)}};
  EXPECT_EQ(errorOf(d), "threads wait for each other forever; thread 0 at step 3 of body 0");
}

// A writer between two readers waits until nobody looks any more, also those who come behind it.
TEST(Locks, AreSharedByThoseWhoOnlyLook) {
  Description d;
  d.locks = 1;
  const auto looks = [](double before) {
    return Body{work(before), share(0), work(10), unlock(0)};
  };
  d.bodies = {
      {fork(1), fork(2), fork(3), fork(4), fork(5), join(0), join(1), join(2), join(3), join(4)},
      looks(1),
      looks(2),
      {work(3), lock(0), work(5), unlock(0)},
      looks(4),
      looks(6)};
  const Simulated s = run(d);
  EXPECT_EQ(s.makespan, 16 + 5) << "1..11, 2..12, 4..14 and 6..16; 16..21";
  EXPECT_EQ(s.locks[0].count, 1u);
  EXPECT_EQ(s.locks[0].time, 16 - 3);
}

// Two writers, and a reader that comes last, while the first one has the lock: it goes before the
// second.
TEST(Locks, GoToThoseWhoOnlyLookFirst) {
  Description d;
  d.locks = 1;
  d.bodies = {{fork(1), fork(2), fork(3), join(0), join(1), join(2)},
              {work(1), lock(0), work(10), unlock(0)},
              {work(2), lock(0), work(10), unlock(0)},
              {work(3), share(0), work(5), unlock(0), work(20)}};
  const Simulated s = run(d);
  EXPECT_EQ(s.makespan, 11 + 5 + 20) << "the second writer: 16..26";
  EXPECT_EQ(s.locks[0].time, (16 - 2) + (11 - 3));
}

// Who tries it and finds it taken does as much without it, and gives back nothing; others wait for who has it.
TEST(Locks, ThatAreTriedKeepNobodyWaiting) {
  Description d;
  d.locks = 1;
  d.bodies = {{fork(1), fork(2), fork(3), join(0), join(1), join(2)},
              {work(1), lock(0, true), work(10), unlock(0), work(1)},
              {work(2), lock(0, true), work(20), unlock(0), work(1)},
              {work(3), lock(0), work(5), unlock(0)}};
  const Simulated s = run(d);
  EXPECT_EQ(s.makespan, 2 + 20 + 1);
  EXPECT_EQ(s.missed, 1u);
  EXPECT_EQ(s.locks[0].time, 11 - 3);
}
