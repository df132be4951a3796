// Did you mean.
#include "quincunx/base/Nearest.h"

#include <gtest/gtest.h>
#include <vector>

using namespace quincunx;

TEST(Nearest, LongWordsAreNotCompared) {
  const std::vector<std::string> words{std::string(50 << 20, 'x'), "xx"};
  EXPECT_EQ(quincunx::nearest(std::string(50 << 20, 'x'), words), "");
  EXPECT_EQ(quincunx::nearest("xy", words), "xx");
}

TEST(Nearest, Distances) {
  struct {
    const char *a, *b;
    size_t distance;
  } const table[] = {
      {"", "", 0},        {"", "abc", 3},        {"load", "load", 0},      {"laod", "load", 1},
      {"lod", "load", 1}, {"store", "sotre", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3},
      {"a", "b", 1}};
  for (const auto &row : table) {
    EXPECT_EQ(editDistance(row.a, row.b), row.distance) << row.a << " " << row.b;
    EXPECT_EQ(editDistance(row.b, row.a), row.distance) << row.b << " " << row.a;
  }
}

TEST(Nearest, OnlyWhatIsNear) {
  const std::vector<std::string> words{"load", "store", "multiply"};
  EXPECT_EQ(nearest("laod", words), "load");
  EXPECT_EQ(nearest("mutliply", words), "multiply");
  EXPECT_EQ(nearest("xylophone", words), "");
  EXPECT_EQ(nearest("load", {}), "");
}
