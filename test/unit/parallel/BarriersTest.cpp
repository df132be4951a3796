// Barriers for a number of threads.
#include "Descriptions.h"

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

TEST(Barriers, OpenForTheLast) {
  Description d;
  d.barriers = {3};
  d.bodies = {{fork(1), fork(2), work(1), barrier(0), work(5), barrier(0), join(0), join(1)},
              {work(2), barrier(0), work(1), barrier(0)},
              {work(4), barrier(0), work(1), barrier(0)}};
  const Simulated s = run(d);
  EXPECT_EQ(s.makespan, 9);
  EXPECT_EQ(s.barriers[0].count, 4u);
  EXPECT_EQ(s.barriers[0].time, 3 + 2 + 4 + 4);
  Setting paid;
  paid.burdens.barrier = 1;
  EXPECT_EQ(timeOf(d, paid), 11);
}

TEST(Barriers, TooFewWaitForever) {
  Description d;
  d.barriers = {2};
  d.bodies = {{barrier(0)}};
  EXPECT_EQ(errorOf(d), "threads wait for each other forever; thread 0 at step 0 of body 0");
}

// Who arrives goes on with other work, and passes when all have arrived.
TEST(Barriers, ThatAreArrivedAtBeforeTheyArePassed) {
  Description d;
  d.barriers = {2};
  d.bodies = {{fork(1), work(2), arrive(0), work(3), pass(0), work(1), join(0)},
              {work(10), arrive(0), pass(0), work(4)}};
  const Simulated s = run(d);
  EXPECT_EQ(s.makespan, 14);
  EXPECT_EQ(s.barriers[0].count, 1u) << "the second arrives last, and waits for nobody";
  EXPECT_EQ(s.barriers[0].time, 5);
  d.bodies[1].push_back(pass(1));
  EXPECT_EQ(errorOf(d), "step 4 of body 1: there is no such barrier");
}

// Of those that come by, some more.
TEST(Barriers, ArePassedWhenSoManyHaveArrived) {
  Description d;
  d.barriers = {4};
  d.bodies = {{fork(1), fork(2), pass(0, 1), work(1), pass(0, 3), work(1), pass(0), work(1)},
              {work(10), arrive(0), work(10), arrive(0)},
              {work(13), arrive(0), work(20), arrive(0)}};
  EXPECT_EQ(timeOf(d), 33 + 1);
  d.bodies.front().pop_back();
  d.bodies.front().pop_back();
  d.bodies.front().push_back(work(50));
  EXPECT_EQ(timeOf(d), 20 + 1 + 50) << "the third arrives at 20";
}

// Who is the last to come goes through the body; others go on at once.
TEST(Barriers, WhatIsDoneForAllIsDoneByWhoComesLast) {
  Description d;
  d.barriers = {3};
  d.bodies = {{fork(1), fork(2), work(5), last(0, 3), work(1), join(0), join(1)},
              {work(2), last(0, 3), work(20)},
              {work(40), last(0, 3), work(1)},
              {work(10)}};
  EXPECT_EQ(run(d).makespan, 51);
  d.bodies[1][0] = work(60);
  EXPECT_EQ(run(d).makespan, 90);
  d.bodies[2][1] = last(0, 4);
  EXPECT_EQ(errorOf(d), "step 1 of body 2: there is no such barrier or body");
}

// The second thread comes first, and does it; who comes behind that does not wait.
TEST(Barriers, WhatIsDoneOnceIsDoneByWhoComesFirst) {
  Description d;
  d.barriers = {1};
  d.bodies = {{fork(1), fork(2), work(5), once(0, 3), work(1), join(0), join(1)},
              {work(2), once(0, 3), work(20)},
              {work(40), once(0, 3), work(1)},
              {work(10), arrive(0)}};
  const Simulated s = run(d);
  EXPECT_EQ(s.makespan, 41);
  EXPECT_EQ(s.barriers[0].count, 1u);
  EXPECT_EQ(s.barriers[0].time, 12 - 5);
  d.bodies[2][1] = once(0, 4);
  EXPECT_EQ(errorOf(d), "step 1 of body 2: there is no such barrier or body");
  d.bodies[2][1] = once(1, 3);
  EXPECT_EQ(errorOf(d), "step 1 of body 2: there is no such barrier or body");
}
