// Shares of a loop that are known before it runs.
#include "Descriptions.h"

#include <numeric>

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

TEST(StaticSchedule, SharesDifferByOne) {
  const auto s = dealStatic(10, 0, 4);
  const std::vector<std::vector<Chunk>> expected{{{0, 3}}, {{3, 6}}, {{6, 8}}, {{8, 10}}};
  EXPECT_EQ(inTurn(*s, 4), expected);
  const auto few = dealStatic(2, 0, 4);
  EXPECT_EQ(inTurn(*few, 4), (std::vector<std::vector<Chunk>>{{{0, 1}}, {{1, 2}}, {}, {}}));
}

// T_P = max over threads of the sum of its share.
TEST(StaticSchedule, TakesAsLongAsTheLargestShare) {
  std::vector<double> costs(1000);
  std::iota(costs.begin(), costs.end(), 1.0);
  for (const uint32_t p : {1u, 2u, 3u, 7u, 64u, 1000u, 2000u}) {
    double longest = 0;
    for (size_t t = 0, at = 0; t < p; ++t) {
      const size_t n = 1000 / p + (t < 1000 % p ? 1 : 0);
      longest = std::max(longest, std::accumulate(costs.begin() + static_cast<long>(at),
                                                  costs.begin() + static_cast<long>(at + n), 0.0));
      at += n;
    }
    EXPECT_EQ(timeOf(parallelLoop(costs), threads(p)), longest) << p;
  }
}
