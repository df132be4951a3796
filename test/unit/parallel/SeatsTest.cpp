// So many threads at a time: tasks that are described as threads.
#include "Descriptions.h"

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

namespace {
Setting atOnce(uint32_t n) {
  Setting s;
  s.atOnce = n;
  return s;
}
/// The same among `n` threads more, which wait until the first one ends: tasks may begin there.
Description amongOthers(uint32_t n, Description d) {
  const auto end = static_cast<uint32_t>(d.channels.size());
  d.channels.emplace_back();
  for (Body &body : d.bodies)
    for (Step &s : body) {
      s.body += s.kind == StepKind::fork ? 1 : 0;
      s.object += s.kind == StepKind::join ? n : 0;
    }
  for (uint32_t i = 0; i < n; ++i) {
    d.bodies[0].insert(d.bodies[0].begin(), fork(1));
    d.bodies[0].push_back(post(end));
  }
  d.bodies.insert(d.bodies.begin() + 1, Body{take(end)});
  ++d.firstTask;
  return d;
}
/// Pieces of which each lets the next one begin, without a gap, are as long as all of it.
double chainOf(const Description &d, Setting s) {
  s.keepPieces = true;
  const Simulated done = run(d, s);
  double sum = 0;
  for (uint32_t p = done.last; p != noIndex; p = done.pieces[p].previous)
    sum += done.pieces[p].end - done.pieces[p].begin;
  return sum / done.makespan;
}

TEST(Seats, WhoLeavesOneLetsTheNextBegin) {
  Description d;
  d.channels.resize(1);
  d.bodies.resize(8);
  d.bodies[0] = {work(1)};
  for (uint32_t b = 1; b < 8; ++b) {
    d.bodies[0].push_back(fork(b));
    d.bodies[b] = {work(3 + b % 3), post(0), work(b)};
  }
  d.bodies[0].push_back(work(2));
  for (uint32_t b = 1; b < 8; ++b)
    d.bodies[0].push_back(take(0));
  d.bodies[0].push_back(work(1));
  for (uint32_t seats = 1; seats < 9; ++seats) {
    EXPECT_NEAR(chainOf(d, atOnce(seats)), 1, 1e-12) << seats;
    Setting two = atOnce(seats);
    two.cores = 2;
    EXPECT_NEAR(chainOf(d, two), 1, 1e-12) << seats;
  }
}

} // namespace

// A maker that works for 1 and waits; four threads of 10.
TEST(Seats, AreLeftByWhoWaits) {
  Description d;
  d.bodies = {{work(1), fork(1), fork(1), fork(1), fork(1), join(0), join(1), join(2), join(3)},
              {work(10)}};
  EXPECT_EQ(timeOf(d, atOnce(4)), 11);
  EXPECT_EQ(timeOf(d, atOnce(2)), 21);
  EXPECT_EQ(timeOf(d, atOnce(1)), 41);
  const Simulated s = run(d, atOnce(2));
  EXPECT_EQ(s.line.count, 2u);
  EXPECT_EQ(s.line.time, 10 + 10);
  EXPECT_EQ(errorOf(d, atOnce(0)), "some thread must work at a time");
}

// The first thread has worked before, so that it goes on before those that have not begun.
TEST(Seats, AreGivenToThoseWhoWorkedBeforeFirst) {
  Description d;
  d.channels.resize(1);
  d.bodies = {{work(1), fork(1), fork(2), fork(2), take(0), work(100), join(0), join(1), join(2)},
              {work(1), post(0), work(1)},
              {work(5)}};
  EXPECT_EQ(timeOf(d, atOnce(1)), 1 + 1 + 1 + 100 + 5 + 5);
  EXPECT_EQ(timeOf(d, atOnce(2)), 1 + 2 + 100) << "1..3 beside 1..6; the first thread from 3 on";
}

// Who waits for a lock keeps its seat, as it does nothing else meanwhile: two in line wait for it.
TEST(Seats, AreKeptByWhoWaitsForALock) {
  Description d;
  d.locks = 1;
  d.bodies = {{fork(1), fork(1), fork(2), join(0), join(1), join(2)},
              {work(1), lock(0), work(10), unlock(0)},
              {work(4)}};
  EXPECT_EQ(timeOf(d, atOnce(2)), 21) << "1..11, 11..21, and 11..15 in the seat of the first";
  d.bodies[2] = {work(11)};
  EXPECT_EQ(timeOf(d, atOnce(2)), 22) << "and not 1..12 in that of the second";
  EXPECT_EQ(timeOf(d, atOnce(3)), 21);
}

// Who has a lock is never kept standing: else the two that wait for it would wait forever.
TEST(Seats, AreThereForWhoHasALock) {
  Description d;
  d.locks = 1;
  d.channels.resize(1);
  d.bodies = {{fork(1), fork(2), fork(2), join(0), join(1), join(2)},
              {lock(0), take(0), work(10), unlock(0)},
              {work(1), post(0), lock(0), work(1), unlock(0)}};
  EXPECT_EQ(timeOf(d, atOnce(2)), 1 + 10 + 1 + 1);
  EXPECT_EQ(timeOf(d, atOnce(1)), 1 + 10 + 1 + 1 + 1) << "the third has not begun meanwhile";
}

// Four tasks are made at 1; the maker works until 2, and waits. The last one is its next, the first
// that is left is stolen.
TEST(Seats, TasksWaitInTheQueueOfWhoMadeThem) {
  Description d;
  d.bodies = {{work(1), fork(1), fork(2), fork(3), fork(4), work(1), join(0), join(1), join(2), join(3)},
              {work(2)},
              {work(10)},
              {work(1)},
              {work(5)}};
  EXPECT_EQ(timeOf(d, atOnce(2)), 2 + 10) << "threads: 1..3, 2..12, 3..4, 4..9";
  d.firstTask = 1;
  EXPECT_EQ(timeOf(amongOthers(1, d), atOnce(2)), 3 + 10)
      << "tasks: 1..3 and 2..7 (the last), 3..13, 7..8";
  EXPECT_EQ(timeOf(d, atOnce(1)), 2 + 5 + 1 + 10 + 2);
  EXPECT_EQ(timeOf(d, atOnce(2)), 2 + 5 + 1 + 10 + 2) << "nobody else is there";
  EXPECT_EQ(timeOf(amongOthers(8, d), atOnce(9)), 1 + 10);
  EXPECT_NEAR(chainOf(amongOthers(1, d), atOnce(2)), 1, 1e-12);
}

// A task that another one lets begin waits in the queue of that one's seat, and is its next.
TEST(Seats, TasksThatWereWaitedForLetOthersBeginWhereTheyRan) {
  Description d;
  d.channels.resize(1);
  d.bodies = {{fork(1), fork(2), fork(3), work(1), join(0), join(1), join(2)},
              {work(4), post(0)},
              {take(0), work(7)},
              {work(2)}};
  d.firstTask = 1;
  Setting s = atOnce(2);
  s.keepPieces = true;
  const Simulated done = run(amongOthers(1, d), s);
  EXPECT_EQ(done.makespan, 4 + 7) << "1: 0..4, 2: 4..11, 3: 1..3";
  EXPECT_EQ(done.line.time, 1);
}

// The second thread waits for a task of 5 that the first one's seat takes, while its own takes one of
// 20: it goes on when that has ended, as it lies below.
TEST(Seats, TasksGoOnWhereTheyWaited) {
  Description d;
  d.channels.resize(2);
  d.bodies = {{work(1), fork(1), take(0, true)},
              {work(1), fork(2), fork(3), take(1, true), work(1), post(0)},
              {work(5), post(1)},
              {work(20)}};
  EXPECT_EQ(timeOf(d, atOnce(2)), 8) << "threads: 1..2, 2..7, 7..8";
  d.firstTask = 1;
  EXPECT_EQ(timeOf(amongOthers(1, d), atOnce(2)), 23) << "tasks: 1..2, 2..7 and 2..22, 22..23";
  EXPECT_EQ(timeOf(amongOthers(2, d), atOnce(3)), 8);
  EXPECT_NEAR(chainOf(amongOthers(1, d), atOnce(2)), 1, 1e-12);
}

// A task waits from 2 to 32 for one that it made. Its seat does not take one of the first thread,
// made at 4, which the seat of that one takes at 32.
TEST(Seats, WhoWaitsForItsTasksTakesNoOthers) {
  Description d;
  d.channels.resize(2);
  d.bodies = {{work(1), fork(1), work(3), fork(3), work(100), take(0, true), take(0, true)},
              {work(1), fork(2), take(1, true), work(1), post(0)},
              {work(30), post(1)},
              {work(10), post(0)}};
  d.firstTask = 1;
  const Simulated s = run(amongOthers(2, d), atOnce(3));
  EXPECT_EQ(s.makespan, 104);
  EXPECT_EQ(s.line.time, 32 - 4);
  d.bodies[1][2] = take(1);
  EXPECT_EQ(run(amongOthers(2, d), atOnce(3)).line.time, 0) << "who waits for something else does";
}

// Two tasks are made at 1. The first waits from 2 to 4 for two of its own, and goes on then, until
// 14: only then its seat takes the second one of the first thread.
TEST(Seats, WhoIsLetGoOnDoesBeforeOthersBegin) {
  Description d;
  d.channels.resize(2);
  d.bodies = {{work(1), fork(1), fork(2), work(100)},
              {work(1), fork(3), fork(4), take(0, true), take(1, true), work(10)},
              {work(5)},
              {work(1), post(0)},
              {work(1), post(1)}};
  d.firstTask = 1;
  const Simulated s = run(amongOthers(1, d), atOnce(2));
  EXPECT_EQ(s.makespan, 101);
  EXPECT_EQ(s.line.time, 13 + 1) << "of the second task, and of one that waits for the other";
}

// A task that is made before another thread comes begins on none, and that one finds one for
// itself.
TEST(Seats, TasksBeginWhereSomebodyWaits) {
  Description d;
  d.channels.resize(1);
  d.bodies = {{work(1), fork(2), work(1), fork(1), work(8), take(0)}, {work(3)}, {work(5), post(0)}};
  d.firstTask = 2;
  EXPECT_EQ(timeOf(d, atOnce(2)), 10 + 5) << "1: 2..5; the task: when the first one waits, at 10";
}

// Who has come to the end of its team does the tasks of that team, and of no later one.
TEST(Seats, MembersDoTasksAtTheirEnd) {
  Description d;
  d.channels.resize(3);
  d.bodies = {{fork(1, true), fork(1, true), fork(3), fork(3), fork(3), fork(3), take(0), take(0), take(1), take(1), take(1), take(1),
               fork(2, true), fork(4), fork(4), fork(4), take(2), take(2), take(2), work(1)},
              {work(1), post(0)},
              {work(2)},
              {work(3), post(1)},
              {work(6), post(2)}};
  d.firstTask = 3;
  // Another thread waits on a seat of its own. 3: 0..3 and 3..6 there, 1..4 behind each member. Then the seat of the second of
  // these is nobody's; 4: 6..12 and 12..18 on that of the other thread, 8..14 behind the member.
  EXPECT_EQ(timeOf(amongOthers(1, d), atOnce(3)), 18 + 1);
}

// One that ended before others came has its seat for itself.
TEST(Seats, EveryMemberHasOne) {
  Description d;
  d.channels.resize(3);
  d.bodies = {{fork(1, true), fork(2, true), work(3), fork(3), fork(3), fork(3), take(0), take(1), take(2), take(2), take(2)},
              {post(0)},
              {work(1), post(1)},
              {work(5), post(2)}};
  d.firstTask = 3;
  EXPECT_EQ(timeOf(d, atOnce(3)), 3 + 5) << "the first one waits, too";
}

// What another seat may take is more when who waits there waits for other things than its tasks.
TEST(Seats, WhoWaitsForSomethingElseThenTakesOthers) {
  Description d;
  d.channels.resize(2);
  d.bodies = {{work(1), fork(1), work(3), fork(3), work(100)},
              {work(1), fork(2), take(1, true), take(0)},
              {work(4), post(1)},
              {work(10), post(0)}};
  d.firstTask = 1;
  const Simulated s = run(amongOthers(1, d), atOnce(2));
  EXPECT_EQ(s.makespan, 104);
  EXPECT_EQ(s.line.time, 6 - 4) << "1: 1..2, 2: 2..6, 3: 6..16";
}

// A task waits for its own, and that one for another task, which nothing may begin: any other order
// is better than none.
TEST(Seats, TasksThatWouldWaitForEachOtherForEverAreAsThreads) {
  Description d;
  d.channels.resize(3);
  d.bodies = {{work(1), fork(1), fork(2), work(1), take(0, true), take(0, true)},
              {work(1), post(2), post(0)},
              {work(1), fork(3), take(1, true), work(1), post(0)},
              {take(2), work(1), post(1)}};
  d.firstTask = 1;
  EXPECT_EQ(timeOf(d, atOnce(1)), 2 + 1 + 1 + 1 + 1);
}
