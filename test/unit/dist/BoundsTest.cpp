// Sharp bounds against golden tables, and against laws that have the moments.
#include "quincunx/dist/Bounds.h"

#include "Csv.h"
#include "quincunx/dist/Pearson.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace quincunx;
using namespace quincunx::test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// The last n cells of a golden row, whose first cell may contain commas in quotes.
std::vector<std::vector<double>> numbersOf(const std::string &file, size_t n) {
  std::ifstream in(std::string(QUINCUNX_TEST_DATA) + "/golden/" + file);
  std::vector<std::vector<double>> rows;
  std::string line;
  std::getline(in, line), std::getline(in, line);
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = split(line, ',');
    std::vector<double> row;
    for (size_t i = cells.size() - n; i < cells.size(); ++i)
      row.push_back(std::stod(cells[i]));
    rows.push_back(row);
  }
  return rows;
}

Where whereOf(double nonNegative) { return nonNegative != 0 ? Where::NotNegative : Where::Line; }

} // namespace

TEST(Bounds, GoldenCdf) {
  const auto rows = numbersOf("bounds_cdf.csv", 8);
  ASSERT_EQ(rows.size(), 141u);
  for (const auto &r : rows) {
    SCOPED_TRACE(testing::Message()
                 << r[0] << " " << r[2] << " " << r[3] << " at " << r[4] << " " << r[5]);
    const Result<Range> b = cdfBounds({r[0], r[1], r[2], r[3]}, r[4], whereOf(r[5]));
    ASSERT_TRUE(b) << b.error().text;
    EXPECT_NEAR(b->low, r[6], 1e-12);
    EXPECT_NEAR(b->high, r[7], 1e-12);
  }
}

TEST(Bounds, GoldenQuantiles) {
  const auto rows = numbersOf("bounds_quantile.csv", 8);
  ASSERT_EQ(rows.size(), 64u);
  for (const auto &r : rows) {
    SCOPED_TRACE(testing::Message()
                 << r[0] << " " << r[2] << " " << r[3] << " p " << r[4] << " " << r[5]);
    const Result<Range> b = quantileBounds({r[0], r[1], r[2], r[3]}, r[4], whereOf(r[5]));
    ASSERT_TRUE(b) << b.error().text;
    EXPECT_NEAR(b->low, r[6], 1e-10 * std::sqrt(r[1]));
    EXPECT_NEAR(b->high, r[7], 1e-10 * std::sqrt(r[1]));
  }
}

TEST(Bounds, HoldForLawsWithTheseMoments) {
  const Moments table[] = {
      {3, 1, 0, 3}, {1, 1, 2, 9}, {5, 4, 1, 5}, {2, 1, 0.4, 1.9}, {4, 1, -0.5, 3}};
  for (const Moments &m : table) {
    const DistributionPtr law = *fitPearson(m, {-inf, inf});
    for (const double p : {0.05, 0.5, 0.9, 0.99, 0.999}) {
      const double q = law->quantile(p);
      const Range line = *quantileBounds(m, p, Where::Line);
      EXPECT_LE(line.low, q + 1e-9);
      EXPECT_GE(line.high, q - 1e-9);
      EXPECT_LE(line.high, cantelliQuantile(m, p) + 1e-9);
      EXPECT_LT(cantelliQuantile(m, p), chebyshevQuantile(m, p));
      const Range cdf = *cdfBounds(m, q, Where::Line);
      EXPECT_LE(cdf.low, p + 1e-12);
      EXPECT_GE(cdf.high, p - 1e-12);
      if (law->support().low < 0)
        continue;
      const Result<Range> half = quantileBounds(m, p, Where::NotNegative);
      ASSERT_TRUE(half);
      EXPECT_GE(half->low, line.low - 1e-9);
      EXPECT_LE(half->high, line.high + 1e-9);
      EXPECT_LE(half->low, q + 1e-9);
      EXPECT_GE(half->high, q - 1e-9);
    }
  }
}

TEST(Bounds, TwoValuesLeaveNothingOpen) {
  // 0 with 4/5, 10 with 1/5
  const Moments m{2, 16, 1.5, 3.25};
  EXPECT_NEAR(cdfBounds(m, 5, Where::Line)->low, 0.8, 1e-12);
  EXPECT_NEAR(cdfBounds(m, 5, Where::NotNegative)->high, 0.8, 1e-12);
  EXPECT_NEAR(quantileBounds(m, 0.9, Where::NotNegative)->high, 10, 1e-9);
  EXPECT_EQ(quantileBounds({7, 0, 0, 3}, 0.9, Where::Line)->high, 7);
  EXPECT_EQ(cdfBounds({7, 0, 0, 3}, 7, Where::Line)->low, 1);
}

TEST(Bounds, RefuseWhatNoLawHas) {
  EXPECT_FALSE(cdfBounds({0, 1, 0, 0.9}, 0, Where::Line));
  EXPECT_FALSE(cdfBounds({0, 1, 0, 3}, 0, Where::NotNegative));
  EXPECT_FALSE(cdfBounds({1, 1, -2, 9}, 0, Where::NotNegative)); // m1 m3 < m2^2
  EXPECT_FALSE(cdfBounds({NAN, 1, 0, 3}, 0, Where::Line));
  EXPECT_FALSE(cdfBounds({0, 1, 0, 3}, NAN, Where::Line));
  for (const double p : {0.0, 1.0, -1.0, static_cast<double>(NAN)})
    EXPECT_FALSE(quantileBounds({0, 1, 0, 3}, p, Where::Line));
  EXPECT_EQ(cdfBounds({0, 1, 0, 3}, inf, Where::Line)->low, 1);
}
