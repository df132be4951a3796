// Races.
#include "Descriptions.h"

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

TEST(FirstOf, EndsWithTheFirst) {
  Description d;
  d.bodies = {{work(1), firstOf(1, 3), work(1)}, {work(9)}, {work(2), work(2)}, {work(6)}};
  const Simulated s = run(d);
  EXPECT_EQ(s.makespan, 6);
  EXPECT_EQ(s.threads[1].busy, 4) << "cancelled";
  EXPECT_EQ(s.threads[2].busy, 4);
  EXPECT_EQ(s.threads[0].waited, 4);
}

TEST(FirstOf, FreesCores) {
  Description d; // two race on one core, each at half of its speed; then the rest is alone
  d.bodies = {{firstOf(1, 2), work(3)}, {work(2)}, {work(5)}};
  Setting s;
  s.cores = 1;
  EXPECT_EQ(timeOf(d, s), 4 + 3);
}

TEST(FirstOf, NothingToDoIsFirst) {
  Description d;
  d.bodies = {{firstOf(1, 2), work(1)}, {work(5)}, {}};
  EXPECT_EQ(timeOf(d), 1);
}
