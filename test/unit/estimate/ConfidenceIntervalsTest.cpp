// Intervals: exact ranks, open ends, coverage.
#include "quincunx/estimate/ConfidenceIntervals.h"

#include "quincunx/dist/Mixture.h"
#include "quincunx/numeric/Special.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace quincunx;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
}

TEST(ConfidenceIntervals, RanksOfQuantiles) {
  struct {
    uint64_t d;
    double p;
    uint64_t low, high; // 0: open
  } const table[] = {
      {1, 0.5, 0, 0},        {4, 0.5, 0, 0}, // 0.5^4 > 5 %
      {5, 0.5, 1, 5},                        // 0.5^5 = 3.1 %
      {10, 0.5, 2, 9},                       // P(B <= 1) = 1.1 %, P(B <= 2) = 5.5 %
      {28, 0.9, 23, 0},                      // 0.9^28 = 5.2 %
      {29, 0.9, 24, 29},                     // 0.9^29 = 4.7 %
      {298, 0.99, 292, 0},                   // 0.99^298 = 5.003 %
      {299, 0.99, 293, 299},
  };
  for (const auto &row : table) {
    SCOPED_TRACE(testing::Message() << row.d << " runs, p " << row.p);
    const Ranks r = quantileRanks(row.d, row.p);
    EXPECT_EQ(r.high, row.high);
    // By definition, with a plain sum: both misses are at most 5 %, and one rank further would not
    // be.
    const auto below = [&](uint64_t k) {
      return binomialCdf(static_cast<int64_t>(k) - 1, row.d, row.p);
    };
    if (r.low != 0) {
      EXPECT_LE(below(r.low), 0.05);
    }
    EXPECT_GT(below(r.low + 1), 0.05);
    if (r.high != 0) {
      EXPECT_GE(below(r.high), 0.95);
      EXPECT_LT(below(r.high - 1), 0.95);
    }
    EXPECT_EQ(r.low == 0, row.low == 0);
  }
  EXPECT_EQ(quantileRanks(5, 0.5).low, 1u);
  EXPECT_EQ(quantileRanks(10, 0.5).low, 2u);
}

TEST(ConfidenceIntervals, PercentilesThatFewRunsCannotReachAreLowerBounds) {
  struct {
    size_t runs;
    bool atLeast[4];
  } const table[] = {{1, {true, true, true, true}},      {2, {false, true, true, true}},
                     {9, {false, true, true, true}},     {10, {false, false, true, true}},
                     {99, {false, false, true, true}},   {100, {false, false, false, true}},
                     {999, {false, false, false, true}}, {1000, {false, false, false, false}}};
  for (const auto &row : table) {
    std::vector<double> values(row.runs);
    for (size_t i = 0; i < row.runs; ++i)
      values[i] = static_cast<double>(i + 1);
    const auto q = ConfidenceIntervals(row.runs).percentiles(**makeSteps(values));
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(q[i].atLeast, row.atLeast[i]) << row.runs << " runs, p " << q[i].p;
      EXPECT_TRUE(!q[i].atLeast || q[i].value == static_cast<double>(row.runs));
    }
  }
}

TEST(ConfidenceIntervals, IntervalsOfStepsAreOrderStatistics) {
  std::vector<double> values(100);
  for (size_t i = 0; i < 100; ++i)
    values[i] = static_cast<double>(i + 1);
  const auto q = ConfidenceIntervals(100).percentiles(**makeSteps(values));
  EXPECT_EQ(q[0].trust.low, static_cast<double>(quantileRanks(100, 0.5).low));
  EXPECT_EQ(q[0].trust.high, static_cast<double>(quantileRanks(100, 0.5).high));
  EXPECT_EQ(q[2].trust.high, inf);
  EXPECT_GT(q[2].trust.low, 90);
}

TEST(ConfidenceIntervals, StoppedRunsOpenTheTop) {
  std::vector<double> values(100);
  for (size_t i = 0; i < 100; ++i)
    values[i] = static_cast<double>(i + 1);
  const auto q = ConfidenceIntervals(100).percentiles(**makeSteps(values, 8));
  EXPECT_EQ(q[1].value, 90);
  EXPECT_EQ(q[2].value, inf);
  EXPECT_EQ(q[1].trust.high, inf);
  EXPECT_EQ(q[2].trust.low, 92); // the largest that finished
  const auto none = ConfidenceIntervals(100).percentiles(**makeSteps(values, 100));
  EXPECT_EQ(none[0].value, inf);
  EXPECT_EQ(none[0].trust.low, -inf);
}

TEST(ConfidenceIntervals, MeanIsStudentsInterval) {
  // 1..9: mean 5, sample variance 7.5, t(8, 95 %) = 1.8595.
  const Moments m{5, 60.0 / 9, 0, 1.77};
  const Interval i = ConfidenceIntervals(9).mean(m);
  EXPECT_NEAR(i.high - 5, 1.859548 * std::sqrt(7.5 / 9), 1e-5);
  EXPECT_NEAR(i.low + i.high, 10, 1e-12);
  EXPECT_EQ(ConfidenceIntervals(1).mean(m).high, inf);
  EXPECT_EQ(ConfidenceIntervals(3).deviation(m).high, inf);
}

TEST(ConfidenceIntervals, IntervalsHoldAsOftenAsTheySay) {
  std::mt19937_64 random(11);
  std::exponential_distribution<double> draw(1);
  int mean = 0, deviation = 0, p50 = 0, p90 = 0;
  const int rounds = 2000;
  const ConfidenceIntervals trust(80);
  for (int r = 0; r < rounds; ++r) {
    std::vector<double> v(80);
    for (double &x : v)
      x = draw(random);
    const DistributionPtr law = *makeSteps(v);
    const Moments m = law->moments();
    const Interval a = trust.mean(m), b = trust.deviation(m);
    const auto q = trust.percentiles(*law);
    mean += a.low <= 1 && 1 <= a.high;
    deviation += b.low <= 1 && 1 <= b.high;
    p50 += q[0].trust.low <= std::log(2) && std::log(2) <= q[0].trust.high;
    p90 += q[1].trust.low <= std::log(10) && std::log(10) <= q[1].trust.high;
  }
  EXPECT_NEAR(mean / double(rounds), 0.90, 0.03);
  EXPECT_NEAR(deviation / double(rounds), 0.86, 0.06); // heavy tail, D = 80
  EXPECT_GE(p50 / double(rounds), 0.88);
  EXPECT_GE(p90 / double(rounds), 0.88);
  EXPECT_LE(p90 / double(rounds), 0.97);
}
