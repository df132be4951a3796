// Whose task is next.
#include "lib/parallel/TaskQueues.h"
#include "quincunx/base/Index.h"

#include <gtest/gtest.h>

using namespace quincunx;
using namespace quincunx::parallel;

namespace {
const TaskQueues::Allowed any = [](uint32_t) { return true; };
} // namespace

TEST(TaskQueues, OwnLastInOthersFirstIn) {
  std::mt19937_64 random(1);
  TaskQueues q(3, 256);
  for (uint32_t t = 0; t < 5; ++t)
    EXPECT_TRUE(q.offer(0, t));
  EXPECT_EQ(q.take(0, any, random), 4u);
  EXPECT_EQ(q.take(1, any, random), 0u);
  EXPECT_EQ(q.take(2, any, random), 1u);
  EXPECT_EQ(q.take(0, any, random), 3u);
  EXPECT_EQ(q.take(1, any, random), 2u);
  EXPECT_EQ(q.take(1, any, random), noIndex);
  EXPECT_TRUE(q.empty());
}

TEST(TaskQueues, HoldSoMany) {
  TaskQueues q(2, 3);
  for (uint32_t t = 0; t < 3; ++t)
    EXPECT_TRUE(q.offer(1, t));
  EXPECT_FALSE(q.offer(1, 3));
  EXPECT_TRUE(q.offer(0, 3));
}

TEST(TaskQueues, WhoWasRobbedIsRobbedAgain) {
  std::mt19937_64 random(1);
  TaskQueues q(9, 256);
  q.add(8, 0);
  EXPECT_EQ(q.take(0, any, random), 0u);
  for (uint32_t t = 0; t < 8; ++t)
    q.add(t == 0 ? 8 : t, t + 1);
  EXPECT_EQ(q.take(0, any, random), 1u);
}

TEST(TaskQueues, OnlyWhatMayRun) {
  std::mt19937_64 random(1);
  TaskQueues q(2, 256);
  for (uint32_t t = 0; t < 6; ++t)
    q.add(0, t);
  const TaskQueues::Allowed odd = [](uint32_t t) { return t % 2 == 1; };
  EXPECT_EQ(q.take(0, odd, random), 5u);
  EXPECT_EQ(q.take(1, odd, random), 1u);
  EXPECT_EQ(q.take(1, odd, random), 3u);
  EXPECT_EQ(q.take(1, odd, random), noIndex);
  EXPECT_EQ(q.take(1, any, random), 0u);
}
