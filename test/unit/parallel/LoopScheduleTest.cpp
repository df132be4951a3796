// The table of schedules, and what all of them have in common.
#include "Descriptions.h"

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

TEST(LoopSchedule, HasTheNamesOfOpenMP) {
  ASSERT_EQ(schedules().size(), 5u);
  EXPECT_STREQ(schedules()[static_cast<size_t>(Schedule::fixed)].name, "static");
  EXPECT_STREQ(schedules()[static_cast<size_t>(Schedule::stealing)].name, "dynamic");
  EXPECT_FALSE(schedules()[static_cast<size_t>(Schedule::fixedChunks)].asks);
  EXPECT_TRUE(schedules()[static_cast<size_t>(Schedule::guided)].asks);
}

TEST(LoopSchedule, OneThreadHasAllAtOnce) {
  for (size_t s = 0; s < schedules().size(); ++s) {
    const auto alone = deal(static_cast<Schedule>(s), 20, 2, 1);
    EXPECT_EQ(alone->next(0), (Chunk{0, 20})) << s;
    EXPECT_FALSE(alone->next(0)) << s;
  }
}

TEST(LoopSchedule, NoIterationsAreNoChunks) {
  for (size_t s = 0; s < schedules().size(); ++s)
    for (uint32_t t = 0; t < 3; ++t)
      EXPECT_FALSE(deal(static_cast<Schedule>(s), 0, 2, 3)->next(t)) << s;
}
