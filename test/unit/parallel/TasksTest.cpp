// Tasks: dependences, waiting, queues, and who may run what.
#include "Descriptions.h"

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

TEST(Tasks, RunBesideEachOther) {
  const Description d = taskGraph({4, 3, 2, 1});
  EXPECT_EQ(timeOf(d, threads(1)), 10);
  EXPECT_EQ(timeOf(d, threads(4)), 4);
  EXPECT_EQ(run(d, threads(2)).tasks, 4u);
}

TEST(Tasks, WritersComeAfterReaders) {
  // 0 writes x; 1 and 2 read it; 3 writes it; 4 reads it
  Description d = taskGraph({1, 2, 3, 4, 5});
  d.uses = {{7, true}, {7, false}, {7, false}, {7, true}, {7, false}};
  for (uint32_t t = 0; t < 5; ++t) {
    d.bodies[2][t].object = t;
    d.bodies[2][t].count = 1;
  }
  EXPECT_EQ(timeOf(d, threads(8)), 1 + 3 + 4 + 5);
  d.uses[3].writes = false;
  EXPECT_EQ(timeOf(d, threads(8)), 1 + 5);
}

// As libomp keeps successors: the latest comes first into the queue, where the other thread takes it,
// and the first one last, which who ended its predecessor goes on with.
TEST(Tasks, ThoseThatDependGoOnFromTheLatestToTheFirst) {
  Description d = taskGraph({10, 5, 3, 7});
  d.uses = {{7, true}, {7, false}, {7, false}, {7, false}};
  for (uint32_t t = 0; t < 4; ++t) {
    d.bodies[2][t].object = t;
    d.bodies[2][t].count = 1;
  }
  const Simulated s = run(d, threads(2));
  EXPECT_EQ(s.makespan, 10 + 5 + 3);
  EXPECT_EQ(std::max(s.threads[0].busy, s.threads[1].busy), 10 + 5 + 3);
  EXPECT_EQ(std::min(s.threads[0].busy, s.threads[1].busy), 7);
}

TEST(Tasks, TaskwaitWaitsForChildrenOnly) {
  Description d;
  d.bodies = {
      {team(1)}, {single(2)}, {task(3), taskwait(), work(1)}, {task(4), work(2)}, {work(50)}};
  EXPECT_EQ(timeOf(d, threads(3)), 50) << "the grandchild ends with the team";
  d.bodies[2] = {task(3), taskwait(), work(100)};
  EXPECT_EQ(timeOf(d, threads(3)), 102);
}

TEST(Tasks, TaskgroupWaitsForAll) {
  Description d;
  d.bodies = {{team(1)},          {single(2)}, {taskgroup(5), work(100)},
              {task(4), work(2)}, {work(50)},  {task(3)}};
  EXPECT_EQ(timeOf(d, threads(3)), 150);
}

TEST(Tasks, WhoWaitsRunsTasks) {
  Description d;
  d.bodies = {{team(1)}, {single(2)}, {task(3), task(3), taskwait()}, {work(5)}};
  const Simulated s = run(d, threads(2));
  EXPECT_EQ(s.makespan, 5);
  EXPECT_EQ(s.threads[0].busy, 5);
}

// The task that waits may run its own children meanwhile, not others: the first thread waits in 3
// for 4, which the second has; of 5 it keeps its hands off.
TEST(Tasks, WhoWaitsKeepsOffStrangers) {
  Description d;
  d.bodies = {{team(1)},  {single(2)}, {task(5), task(3)}, {task(4), taskwait(), work(1)},
              {work(10)}, {work(7)}};
  // thread 1 robs 5 at 0, ends at 7; thread 0 runs 3, which makes 4, and runs it: 10, 11
  EXPECT_EQ(timeOf(d, threads(2)), 11);
}

TEST(Tasks, FullQueuesMakeTheMakerWork) {
  Description d = taskGraph(std::vector<double>(10, 1.0));
  Setting s = threads(2);
  s.taskQueue = 3;
  EXPECT_EQ(timeOf(d, s), 5);
  // A dear task that does not fit is run by the one who makes the others: they come late.
  d = taskGraph({1, 1, 1, 20, 8, 8, 8});
  EXPECT_EQ(timeOf(d, threads(2)), 24);
  EXPECT_EQ(timeOf(d, s), 20 + 8 + 8);
}

TEST(Tasks, MakingIsPaid) {
  Setting s = threads(3);
  s.burdens.task = 1;
  EXPECT_EQ(timeOf(taskGraph({5, 5}), s), 2 + 5);
  s.burdens.handOff = 10; // the one who made them has run both before the others are awake
  EXPECT_EQ(timeOf(taskGraph({5, 5}), s), 2 + 5 + 5);
}

TEST(Tasks, WithoutATeamRunWhereTheyAreMade) {
  Description d;
  d.bodies = {{task(1), work(1), task(1), taskwait()}, {work(3)}};
  EXPECT_EQ(timeOf(d, threads(8)), 7);
}
