// Strongly connected components: who leads back to whom.
#include "quincunx/numeric/Cycles.h"

#include <gtest/gtest.h>

namespace quincunx {

TEST(Cycles, AreOfThoseThatLeadToEachOther) {
  // 0 -> 1 -> 2 -> 0, 2 -> 3 -> 3, 4 -> 0
  const std::vector<std::vector<size_t>> next{{1}, {2}, {0, 3}, {3}, {0}};
  const std::vector<size_t> of = cyclesOf(next);
  ASSERT_EQ(of.size(), 5U);
  EXPECT_EQ(of[0], of[1]);
  EXPECT_EQ(of[0], of[2]);
  EXPECT_NE(of[0], of[3]);
  EXPECT_NE(of[0], of[4]);
  EXPECT_NE(of[3], of[4]);
  EXPECT_TRUE(cyclesOf({}).empty());
}

} // namespace quincunx
