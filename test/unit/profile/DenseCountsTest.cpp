#include "quincunx/profile/DenseCounts.h"

#include <gtest/gtest.h>

namespace quincunx {
namespace {

Map mapOf(uint32_t counters, uint32_t words) {
  Map map;
  map.counterCount = counters;
  map.wordCount = words;
  return map;
}

Counts countsOf(std::vector<uint32_t> index, std::vector<uint64_t> value) {
  Counts counts;
  counts.index = std::move(index);
  counts.value = std::move(value);
  return counts;
}

TEST(DenseCounts, ExpandsToOneNumberPerCounter) {
  std::vector<uint64_t> dense{9, 9};
  ASSERT_TRUE(expandCounts(countsOf({1, 3}, {7, 8}), mapOf(4, 6), dense));
  EXPECT_EQ(dense, (std::vector<uint64_t>{0, 7, 0, 8}));
}

TEST(DenseCounts, RefusesWhatTheMapDoesNotHave) {
  struct Case {
    Counts counts;
    const char *says;
  };
  const Case cases[] = {
      {countsOf({1, 2}, {7}), "has counts without indices"},
      {countsOf({2, 1}, {7, 8}), "has counters that are out of order"},
      {countsOf({1, 1}, {7, 8}), "has counters that are out of order"},
      {countsOf({1, 4}, {7, 8}), "has counter 4, its map has 4"}, // a recorder is no counter
  };
  for (const Case &c : cases) {
    const Status s = checkCounts(c.counts, mapOf(4, 6));
    ASSERT_FALSE(s) << c.says;
    EXPECT_EQ(s.error().text, c.says);
    std::vector<uint64_t> dense{5};
    EXPECT_FALSE(expandCounts(c.counts, mapOf(4, 6), dense));
    EXPECT_EQ(dense, std::vector<uint64_t>{5}) << "nothing is written";
  }
}

TEST(DenseCounts, ChecksAllCountsOfAnImage) {
  ImageCounts image;
  image.counterCount = 6;
  image.counts = countsOf({0, 3}, {1, 1});
  image.recorders = countsOf({4, 5}, {1, 1});
  EXPECT_TRUE(checkCounts(image, mapOf(4, 6)));
  image.counterCount = 5;
  EXPECT_FALSE(checkCounts(image, mapOf(4, 6)));
  image.counterCount = 6;
  image.inherited = countsOf({4}, {1}); // only counters are inherited
  EXPECT_FALSE(checkCounts(image, mapOf(4, 6)));
  image.inherited = {};
  image.recorders = countsOf({3}, {1});
  EXPECT_FALSE(checkCounts(image, mapOf(4, 6)));
}

} // namespace
} // namespace quincunx
