// Chunks that go round.
#include "Descriptions.h"

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

TEST(StaticChunkSchedule, GoesRound) {
  const auto s = dealStaticChunks(11, 2, 3);
  const std::vector<std::vector<Chunk>> expected{
      {{0, 2}, {6, 8}}, {{2, 4}, {8, 10}}, {{4, 6}, {10, 11}}};
  EXPECT_EQ(inTurn(*s, 3), expected);
  const auto whole = dealStaticChunks(5, UINT64_MAX, 3);
  EXPECT_EQ(inTurn(*whole, 3), (std::vector<std::vector<Chunk>>{{{0, 5}}, {}, {}}));
}

TEST(StaticChunkSchedule, DoesNotMindWhoIsFast) {
  std::vector<double> costs(12, 1.0);
  costs[0] = 10; // its thread still has 3 and 6 to do
  EXPECT_EQ(timeOf(parallelLoop(costs, Schedule::fixedChunks, 1), threads(3)), 13);
}
