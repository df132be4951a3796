// Sharp bounds against golden tables, and against laws that have the moments.
#include "quincunx/dist/Bounds.h"

#include "Csv.h"
#include "quincunx/dist/Pearson.h"
#include "quincunx/numeric/Moments.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

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

Where whereOf(double nonNegative) { return nonNegative != 0 ? Where::notNegative : Where::line; }

/// A law with one mode: uniform on mode .. mode + reach[i], with weight[i].
struct OneMode {
  double mode = 0;
  std::vector<double> reach, weight;

  Moments moments() const {
    RawMoments z;
    double sum = 0;
    for (size_t i = 0; i < reach.size(); ++i) {
      const double r = reach[i], w = weight[i];
      sum += w;
      z.m1 += w * r / 2, z.m2 += w * r * r / 3, z.m3 += w * r * r * r / 4;
      z.m4 += w * r * r * r * r / 5;
    }
    Moments m =
        quincunx::moments(cumulants(RawMoments{z.m1 / sum, z.m2 / sum, z.m3 / sum, z.m4 / sum}));
    m.mean += mode;
    return m;
  }
  double cdf(double t) const {
    double below = 0, sum = 0;
    for (size_t i = 0; i < reach.size(); ++i) {
      const double part = (t - mode) / reach[i];
      below += weight[i] * std::clamp(reach[i] > 0 ? part : 1 - part, 0.0, 1.0);
      sum += weight[i];
    }
    return below / sum;
  }
};

OneMode randomOneMode(std::mt19937_64 &random, size_t parts) {
  std::normal_distribution<double> normal;
  OneMode law;
  law.mode = normal(random);
  for (size_t i = 0; i < parts; ++i) {
    law.reach.push_back(normal(random) * std::exp(normal(random)));
    law.weight.push_back(std::exp(2 * normal(random)));
  }
  return law;
}

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
      const Range line = *quantileBounds(m, p, Where::line);
      EXPECT_LE(line.low, q + 1e-9);
      EXPECT_GE(line.high, q - 1e-9);
      EXPECT_LE(line.high, cantelliQuantile(m, p) + 1e-9);
      EXPECT_LT(cantelliQuantile(m, p), chebyshevQuantile(m, p));
      const Range cdf = *cdfBounds(m, q, Where::line);
      EXPECT_LE(cdf.low, p + 1e-12);
      EXPECT_GE(cdf.high, p - 1e-12);
      if (law->support().low < 0)
        continue;
      const Result<Range> half = quantileBounds(m, p, Where::notNegative);
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
  EXPECT_NEAR(cdfBounds(m, 5, Where::line)->low, 0.8, 1e-12);
  EXPECT_NEAR(cdfBounds(m, 5, Where::notNegative)->high, 0.8, 1e-12);
  EXPECT_NEAR(quantileBounds(m, 0.9, Where::notNegative)->high, 10, 1e-9);
  EXPECT_EQ(quantileBounds({7, 0, 0, 3}, 0.9, Where::line)->high, 7);
  EXPECT_EQ(cdfBounds({7, 0, 0, 3}, 7, Where::line)->low, 1);
}

TEST(Bounds, RefuseWhatNoLawHas) {
  EXPECT_FALSE(cdfBounds({0, 1, 0, 0.9}, 0, Where::line));
  EXPECT_FALSE(cdfBounds({0, 1, 0, 3}, 0, Where::notNegative));
  EXPECT_FALSE(cdfBounds({1, 1, -2, 9}, 0, Where::notNegative)); // m1 m3 < m2^2
  EXPECT_FALSE(cdfBounds({NAN, 1, 0, 3}, 0, Where::line));
  EXPECT_FALSE(cdfBounds({0, 1, 0, 3}, NAN, Where::line));
  for (const double p : {0.0, 1.0, -1.0, static_cast<double>(NAN)})
    EXPECT_FALSE(quantileBounds({0, 1, 0, 3}, p, Where::line));
  EXPECT_EQ(cdfBounds({0, 1, 0, 3}, inf, Where::line)->low, 1);
}

TEST(UnimodalBounds, ReachTheValuesOfLinearPrograms) { // on a grid, good to 0.02
  const struct {
    Moments m;
    double high[3]; // p90, p99, p99.9
  } table[] = {{{0, 1, 0, 3}, {1.51, 2.88, 4.98}},
               {{0, 1, std::sqrt(2.0), 6}, {1.84, 3.86, 6.40}},
               {{0, 1, 2, 9}, {1.84, 4.33, 7.16}}};
  const double p[] = {0.9, 0.99, 0.999};
  for (const auto &row : table)
    for (int i = 0; i < 3; ++i) {
      const Result<Range> b = unimodalQuantileBounds(row.m, p[i], Where::line);
      ASSERT_TRUE(b) << b.error().text;
      EXPECT_NEAR(b->high, row.high[i], 0.02);
      // place and scale, and the mirrored law
      const Moments moved{7 - 3 * row.m.mean, 9, -row.m.skewness, row.m.kurtosis};
      EXPECT_NEAR(unimodalQuantileBounds(moved, 1 - p[i], Where::line)->low, 7 - 3 * b->high, 1e-7);
    }
}

TEST(UnimodalBounds, HoldForPearsonLawsAndLieWithinTheOthers) {
  const Moments table[] = {{3, 1, 0, 3},      {1, 1, 2, 9},    {2, 2, std::sqrt(2.0), 6},
                           {5, 4, 1, 5},      {4, 1, -0.5, 3}, {2, 1, 0, 2},
                           {5, 1, 0.5, 2.75}, {9, 1, 3, 25},   {5, 1, 0, 100}};
  for (const Moments &m : table) {
    const DistributionPtr law = *fitPearson(m, {-inf, inf});
    for (const double p : {0.01, 0.5, 0.9, 0.999}) {
      SCOPED_TRACE(testing::Message() << m.skewness << " " << m.kurtosis << " p " << p);
      const Result<Range> b = unimodalQuantileBounds(m, p, Where::line);
      ASSERT_TRUE(b) << b.error().text;
      const Range any = *quantileBounds(m, p, Where::line);
      EXPECT_GE(b->low, any.low);
      EXPECT_LE(b->high, any.high);
      EXPECT_LT(b->high - b->low, 0.9 * (any.high - any.low));
      EXPECT_LE(b->low, law->quantile(p) + 1e-8);
      EXPECT_GE(b->high, law->quantile(p) - 1e-8);
    }
  }
}

TEST(UnimodalBounds, HoldForRandomLaws) { // three parts can be extremal, more cannot
  std::mt19937_64 random(20);
  for (int i = 0; i < 150; ++i) {
    const OneMode law = randomOneMode(random, 2 + i % 5);
    const Moments m = law.moments();
    for (const double p : {0.2, 0.95}) {
      SCOPED_TRACE(testing::Message() << i << ": " << m.skewness << " " << m.kurtosis);
      const Result<Range> b = unimodalQuantileBounds(m, p, Where::line);
      ASSERT_TRUE(b) << b.error().text;
      const double slack = 1e-6 * m.deviation();
      EXPECT_LE(law.cdf(b->low - slack), p + 1e-9);
      EXPECT_GE(law.cdf(b->high + slack), p - 1e-9);
    }
  }
}

TEST(UnimodalBounds, OneLawLeavesNothingOpen) {
  const Range uniform = *unimodalQuantileBounds({0.5, 1.0 / 12, 0, 1.8}, 0.9, Where::notNegative);
  EXPECT_NEAR(uniform.low, 0.9, 1e-7);
  EXPECT_NEAR(uniform.high, 0.9, 1e-7);
  EXPECT_EQ(unimodalQuantileBounds({7, 0, 0, 3}, 0.9, Where::line)->high, 7);
}

TEST(UnimodalBounds, TheSignNarrowsThem) {
  const Range line = *unimodalQuantileBounds({1, 1, 2, 9}, 0.1, Where::line);
  const Range half = *unimodalQuantileBounds({1, 1, 2, 9}, 0.1, Where::notNegative);
  EXPECT_LT(line.low, 0);
  EXPECT_GE(half.low, 0);
  EXPECT_LE(half.low, -std::log(0.9));
  EXPECT_GE(half.high, -std::log(0.9));
}

TEST(UnimodalBounds, RefuseWhatNoSuchLawHas) {
  EXPECT_FALSE(
      unimodalQuantileBounds({0, 1, 0, 1.7}, 0.5, Where::line)); // symmetric, flatter than uniform
  EXPECT_FALSE(unimodalQuantileBounds({0, 1, 1, 2}, 0.5, Where::line)); // two values
  EXPECT_FALSE(unimodalQuantileBounds({0, 1, 0, 0.9}, 0.5, Where::line));
  EXPECT_FALSE(unimodalQuantileBounds({0, 1, 0, 3}, 0.5, Where::notNegative));
  EXPECT_FALSE(unimodalQuantileBounds({NAN, 1, 0, 3}, 0.5, Where::line));
  EXPECT_FALSE(unimodalQuantileBounds({0, inf, 0, 3}, 0.5, Where::line));
  for (const double p : {0.0, 1.0, static_cast<double>(NAN)})
    EXPECT_FALSE(unimodalQuantileBounds({0, 1, 0, 3}, p, Where::line));
  for (const double kurtosis : {1e3, 1e8, 1e20, 1e150})
    for (const double p : {1e-12, 0.5, 1 - 1e-12})
      for (const double skewness : {0.0, 0.5 * std::sqrt(kurtosis), -1e-9}) {
        const Moments m{0, 1, skewness, kurtosis};
        const Result<Range> b = unimodalQuantileBounds(m, p, Where::line);
        ASSERT_TRUE(b) << b.error().text;
        EXPECT_LE(b->low, b->high) << skewness << " " << kurtosis << " " << p;
        EXPECT_LE(b->high, cantelliQuantile(m, p));
      }
}
