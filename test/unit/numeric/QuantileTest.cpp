// Quantiles of small samples, by hand.
#include "quincunx/numeric/Quantile.h"

#include <gtest/gtest.h>

namespace quincunx {

TEST(Quantile, LiesBetweenTheNearest) {
  const std::vector<double> values{4, 1, 3, 2};
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.9), 3.7);
  EXPECT_EQ(quantile(values, 1), 4);
  EXPECT_EQ(quantile({7}, 0.3), 7);
}

TEST(Quantile, OfReportsIsOneOfTheValues) {
  const std::vector<double> values{4, 1, 3, 2};
  EXPECT_EQ(percentile(values, 0), 1);
  EXPECT_EQ(percentile(values, 0.25), 1) << "a quarter does not exceed it";
  EXPECT_EQ(percentile(values, 0.26), 2);
  EXPECT_EQ(percentile(values, 0.5), 2);
  EXPECT_EQ(percentile(values, 0.99), 4);
  EXPECT_EQ(percentile(values, 1), 4);
  EXPECT_EQ(percentile({7}, 0.3), 7);
}

} // namespace quincunx
