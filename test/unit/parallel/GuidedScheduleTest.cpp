// Chunks that shrink, as libomp has them.
#include "Descriptions.h"

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

TEST(GuidedSchedule, HalfAShareOfWhatIsLeft) {
  const auto s = dealGuided(100, 1, 4);
  std::vector<uint64_t> sizes;
  while (const Chunk c = s->next(0))
    sizes.push_back(c.end - c.begin);
  const std::vector<uint64_t> expected{12, 11, 9, 8, 7, 6, 5, 5, 4, 4, 3, 3, 2, 2, 2, 2,
                                       1,  1,  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  EXPECT_EQ(sizes, expected);
}

TEST(GuidedSchedule, SmallLoopsHaveOneSize) {
  const auto s = dealGuided(20, 2, 4); // at most (2 * 2 + 1) * 4 iterations
  EXPECT_EQ(s->next(0), (Chunk{0, 2}));
  EXPECT_EQ(s->next(1), (Chunk{2, 4}));
}

TEST(GuidedSchedule, IsAPartition) {
  for (uint64_t n = 0; n < 300; n += 7)
    for (uint64_t chunk = 0; chunk < 4; ++chunk)
      for (uint32_t p = 2; p < 10; ++p) {
        const auto s = dealGuided(n, chunk, p);
        EXPECT_TRUE(isPartition(inTurn(*s, p), n)) << n << " by " << chunk << ", " << p;
      }
}
