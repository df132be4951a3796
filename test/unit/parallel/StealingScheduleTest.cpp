// libomp's rule of stealing, step by step, and what it makes of a loop.
#include "Descriptions.h"

#include <random>

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

TEST(StealingSchedule, OwnChunksFirst) {
  const auto s = dealStealing(20, 1, 2);
  for (uint64_t i = 0; i < 10; ++i)
    EXPECT_EQ(s->next(0), (Chunk{i, i + 1}));
}

TEST(StealingSchedule, TakesAQuarterFromTheBack) {
  const auto s = dealStealing(40, 1, 2); // 0 has 0..19, 1 has 20..39
  EXPECT_EQ(s->next(1), (Chunk{20, 21}));
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(s->next(0));
  // 1 has 21..39 left, 19: 4 are stolen, 36..39
  for (uint64_t i = 36; i < 40; ++i)
    EXPECT_EQ(s->next(0), (Chunk{i, i + 1}));
  // 21..35 are 15: 3, of 12: 3, of 9: 2, and from 7 on one at a time
  for (const uint64_t i : {33u, 34u, 35u, 30u, 31u, 32u, 28u, 29u, 27u, 26u, 25u})
    EXPECT_EQ(s->next(0), (Chunk{i, i + 1})) << i;
  EXPECT_EQ(s->next(1), (Chunk{21, 22}));
}

TEST(StealingSchedule, WhoHasNotBegunLosesAll) {
  const auto s = dealStealing(8, 1, 2);
  for (uint64_t i = 0; i < 8; ++i)
    EXPECT_EQ(s->next(0), (Chunk{i, i + 1}));
  EXPECT_FALSE(s->next(1));
  EXPECT_FALSE(s->next(0));
}

TEST(StealingSchedule, NeighbourIsTheFirstVictim) {
  const auto s = dealStealing(30, 1, 3);
  EXPECT_EQ(s->next(0), (Chunk{0, 1}));
  EXPECT_EQ(s->next(2), (Chunk{20, 21}));
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(s->next(1));
  EXPECT_EQ(s->next(1), (Chunk{28, 29})) << "of 9 that thread 2 has left, 2";
}

TEST(StealingSchedule, FewChunksHaveOneQueue) {
  const auto s = dealStealing(6, 2, 4);
  EXPECT_EQ(s->next(3), (Chunk{0, 2}));
  EXPECT_EQ(s->next(3), (Chunk{2, 4}));
}

// Whoever asks when, no iteration is lost or done twice.
TEST(StealingSchedule, IsAPartition) {
  std::mt19937_64 random(2);
  for (int n = 0; n < 300; ++n) {
    const uint64_t size = random() % 200, chunk = random() % 5;
    const auto p = static_cast<uint32_t>(1 + random() % 12);
    const auto s = dealStealing(size, chunk, p);
    std::vector<std::vector<Chunk>> chunks(p);
    std::vector<uint32_t> asking(p);
    for (uint32_t t = 0; t < p; ++t)
      asking[t] = t;
    while (!asking.empty()) {
      const size_t who = random() % asking.size();
      if (const Chunk c = s->next(asking[who]))
        chunks[asking[who]].push_back(c);
      else
        asking.erase(asking.begin() + static_cast<long>(who));
    }
    EXPECT_TRUE(isPartition(chunks, size)) << size << " by " << chunk << ", " << p;
  }
}

// A queue would be done after 40; stealing is not, as the last thread's dear iterations are stolen
// one at a time only at the end.
TEST(StealingSchedule, IsNoQueue) {
  std::vector<double> costs(160, 1.0);
  for (size_t i = 150; i < 160; ++i)
    costs[i] = 17;
  const double steal = timeOf(parallelLoop(costs, Schedule::stealing), threads(8));
  const double queue = timeOf(parallelLoop(costs, Schedule::queue), threads(8));
  EXPECT_NE(steal, queue);
  EXPECT_GE(steal, 320.0 / 8);
}

// Who begins when decides who is robbed: a law, and the same one for the same seeds.
TEST(StealingSchedule, StartsMakeALaw) {
  std::vector<double> costs(600);
  std::mt19937_64 random(3);
  for (size_t i = 0; i < costs.size(); ++i)
    costs[i] = static_cast<double>(1 + random() % 1000) * (i < 540 ? 1 : 4);
  Setting s = threads(16);
  s.jitter = 20;
  const Result<std::vector<double>> a = makespans(parallelLoop(costs, Schedule::stealing), s, 50);
  const Result<std::vector<double>> b = makespans(parallelLoop(costs, Schedule::stealing), s, 50);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(*a, *b);
  const auto [low, high] = std::minmax_element(a->begin(), a->end());
  EXPECT_GT(*high - *low, 40) << "more than the starts differ by";
}
