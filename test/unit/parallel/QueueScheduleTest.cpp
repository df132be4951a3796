// One queue for all: who is free takes the next chunk.
#include "Descriptions.h"

#include <random>

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

TEST(QueueSchedule, NextComesFirst) {
  const auto s = dealQueue(5, 2, 2);
  EXPECT_EQ(s->next(1), (Chunk{0, 2}));
  EXPECT_EQ(s->next(1), (Chunk{2, 4}));
  EXPECT_EQ(s->next(0), (Chunk{4, 5}));
  EXPECT_FALSE(s->next(0));
  EXPECT_FALSE(s->next(1));
}

// Against list scheduling written down again: the next chunk to the thread that is free first.
TEST(QueueSchedule, IsListScheduling) {
  std::mt19937_64 random(1);
  for (int n = 0; n < 200; ++n) {
    std::vector<double> costs(1 + random() % 60);
    for (double &x : costs)
      x = static_cast<double>(1 + random() % 1000);
    const auto p = static_cast<uint32_t>(1 + random() % 9);
    const uint64_t chunk = 1 + random() % 4;
    std::vector<double> free(p, 0);
    for (size_t i = 0; i < costs.size(); i += chunk) {
      double &first = *std::min_element(free.begin(), free.end());
      for (size_t j = i; j < std::min(costs.size(), i + chunk); ++j)
        first += costs[j];
    }
    EXPECT_EQ(timeOf(parallelLoop(costs, Schedule::queue, chunk), threads(p)),
              *std::max_element(free.begin(), free.end()));
  }
}
