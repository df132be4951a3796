// Pools of bodies: dealt as they are put, and what nobody puts at last.
#include "Descriptions.h"

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

TEST(Pools, DealWhatIsPutFirst) {
  Description d;
  d.pools = {{2, 3}};
  d.bodies = {{fork(1), work(5), put(0, 1), work(5), put(0, 0), join(0)},
              {deal(0)},
              {work(100)},
              {work(1), deal(0)}};
  const Simulated s = run(d);
  EXPECT_EQ(s.makespan, 10 + 100) << "the second at 5, the first at 10";
  EXPECT_EQ(s.pools[0].count, 2u);
  EXPECT_EQ(s.pools[0].time, 5 + 4);
}

// Two threads: bodies 2 and 3 are jobs, 4 and 5 are that there are none.
TEST(Pools, DealWhatNobodyPutsBehindAllBeforeIt) {
  Description d;
  d.pools = {{2, 3, 4, 5}};
  d.bodies = {{fork(1), fork(1), work(1), put(0, 0), work(20), put(0, 1), join(0), join(1)},
              {deal(0)},
              {work(3), deal(0)},
              {work(7), deal(0)},
              {work(50)},
              {work(60)}};
  EXPECT_EQ(timeOf(d), 28 + 60) << "who waits at 21 gets 4, and 5 who has done 3";
  d.pools = {{4, 2, 3, 5}};
  d.bodies[0][3].count = 1;
  d.bodies[0][5].count = 2;
  d.bodies[4].front().amount = 500;
  EXPECT_EQ(timeOf(d), 500) << "4 is there at once";
  d.bodies[5].push_back(deal(0));
  EXPECT_EQ(errorOf(d), "pool 0 has no more to deal");
}

TEST(Pools, JobsPutJobs) {
  Description d;
  d.pools = {{2, 3, 4, 5, 6}};
  d.bodies = {{fork(1), fork(1), put(0, 0), join(0), join(1)},
              {deal(0)},
              {work(4), put(0, 1), put(0, 2), work(6), deal(0)},
              {work(10), deal(0)},
              {work(20), deal(0)},
              {},
              {}};
  EXPECT_EQ(timeOf(d), 4 + 6 + 20) << "3 at 4 by the other one, 4 at 10";
  d.bodies[0][2] = put(0, 5);
  EXPECT_EQ(errorOf(d), "step 2 of body 0: there is no such pool, or it has fewer bodies");
  d.bodies[0][2] = put(1, 0);
  EXPECT_EQ(errorOf(d), "step 2 of body 0: there is no such pool, or it has fewer bodies");
}
