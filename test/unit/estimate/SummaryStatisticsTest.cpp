// Whatever is summarized, what is printed of it could be a law: percentiles ascend within the
// range, mean and percentiles fit each other and the deviation, and kurtosis fits skewness.
#include "quincunx/estimate/SummaryStatistics.h"

#include "lib/estimate/compose/Laws.h"
#include "lib/estimate/observe/CallLaw.h"
#include "quincunx/abi.h"
#include "quincunx/cost/Machine.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace quincunx;

namespace {

/// Costs of one kind: all alike, two modes, even, heavy tails, mostly nothing.
using Draw = std::function<double(std::mt19937_64 &)>;
Draw someLaw(std::mt19937_64 &random) {
  const double scale = std::pow(10.0, static_cast<double>(random() % 12));
  const auto uniform = [](std::mt19937_64 &r) { return static_cast<double>(r() >> 11) * 0x1p-53; };
  switch (random() % 6) {
  case 0:
    return [=](auto &) { return std::round(scale * 2.461); };
  case 1:
    return [=](auto &r) { return std::round(scale * (r() % 100 < 3 ? 90 : 1)); };
  case 2:
    return [=](auto &r) { return std::round(scale * (1 + 0.01 * uniform(r))); };
  case 3:
    return [=](auto &r) { return std::round(scale * std::pow(1 - uniform(r), -0.9)); };
  case 4:
    return [=](auto &r) { return r() % 20 == 0 ? std::round(scale * uniform(r)) : 0; };
  default:
    return [=](auto &r) { return std::round(100 * scale * uniform(r)); };
  }
}

/// Of a cost, up to rounding: Cantelli's inequality joins mean, deviation and percentiles.
void expectLaw(const Moments &m, std::span<const Percentile> percentiles, Range range) {
  const double sd = m.deviation(), slack = 1e-9 * (std::abs(m.mean) + sd);
  EXPECT_TRUE(admissible(m)) << m.variance << " " << m.skewness << " " << m.kurtosis;
  EXPECT_GE(m.mean, range.low - slack);
  EXPECT_LE(m.mean, range.high + slack);
  double before = range.low - slack;
  for (const Percentile &q : percentiles) {
    EXPECT_GE(q.value, before) << q.p;
    before = q.value;
    EXPECT_LE(q.value, m.mean + sd * std::sqrt(q.p / (1 - q.p)) + slack) << q.p;
    EXPECT_GE(q.value, m.mean - sd * std::sqrt((1 - q.p) / q.p) - slack) << q.p;
  }
  EXPECT_LE(before, range.high + slack);
}

void expectLaw(const SummaryStatistics &f) {
  EXPECT_DOUBLE_EQ(f.deviation, f.moments.deviation());
  expectLaw(f.moments, f.percentiles, {f.min, f.max});
}

} // namespace

TEST(SummaryStatistics, OfRunsAreThoseOfALaw) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const Draw draw = someLaw(random);
    const bool weighted = i % 2 == 1, spread = i % 5 == 4;
    std::vector<MixtureComponent> runs(1 + random() % 60);
    for (MixtureComponent &r : runs) {
      const double mean = draw(random), sd = spread ? mean * static_cast<double>(random() % 4) : 0;
      const double skewness = static_cast<double>(random() % 7) - 2;
      r.k = cumulants(Moments{mean, sd * sd, skewness, 2 + skewness * skewness});
      r.weight = weighted ? static_cast<double>(1 + random() % 9) : 1;
    }
    const Result<SummarizedLaw> all = summarizeRuns(runs);
    ASSERT_TRUE(all);
    expectLaw(all->statistics);
    EXPECT_GE(all->statistics.percentiles[0].value, 0);
  }
}

TEST(SummaryStatistics, OfCallsAreThoseOfALawInTheirBuckets) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 2000 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const Draw draw = someLaw(random);
    CallLaw law;
    std::vector<double> truth;
    for (uint64_t runs = 1 + random() % 5; runs-- > 0;) {
      CallCosts costs;
      costs.calls = 1 + random() % (i % 3 == 0 ? 2 : 200);
      for (uint64_t c = 0; c < costs.calls; ++c) {
        truth.push_back(draw(random));
        costs.sum += truth.back();
        ++costs.buckets[qx_call_bucket(static_cast<uint64_t>(truth.back()))];
      }
      law.add(costs);
    }
    std::ranges::sort(truth);
    const SummaryStatistics f = law.statistics();
    expectLaw(f);
    const Moments was = momentsOf(truth);
    EXPECT_NEAR(f.moments.mean, was.mean, 1e-12 * was.mean);
    EXPECT_NEAR(f.deviation, was.deviation(), truth.back() / 64 + 1e-9);
    EXPECT_LE(f.deviationInterval.low, was.deviation() * (1 + 1e-9) + 1e-6);
    EXPECT_GE(f.deviationInterval.high, was.deviation() * (1 - 1e-9) - 1e-6);
    EXPECT_LE(f.min, truth.front());
    EXPECT_GE(f.max, truth.back());
    for (const Percentile &q : f.percentiles) {
      const double n = static_cast<double>(truth.size());
      const double is = truth[static_cast<size_t>(std::ceil(q.p * n - 1e-9)) - 1];
      EXPECT_LE(q.trust.low, is);
      EXPECT_GE(q.trust.high, is);
    }
  }
}

TEST(SummaryStatistics, CallsThatAllCostTheSameHaveNoSpread) {
  CallLaw law;
  for (const uint64_t calls : {1u, 7u, 1000u})
    law.add({calls, 2461.0 * static_cast<double>(calls), {{qx_call_bucket(2461), calls}}});
  const SummaryStatistics f = law.statistics();
  EXPECT_EQ(f.moments.mean, 2461);
  EXPECT_EQ(f.deviation, 0);
  for (const Percentile &q : f.percentiles)
    EXPECT_EQ(q.value, 2461);
  CallLaw one; // what is left of the sum tells a single call
  one.add({2, 1000000 + 5, {{5, 1}, {qx_call_bucket(1000000), 1}}});
  EXPECT_EQ(one.statistics().min, 5);
  EXPECT_EQ(one.statistics().max, 1000000);
}

TEST(SummaryStatistics, UnitsOfCallsCostWhatTheyDoInEachRun) {
  CallLaw law;
  law.add({3, 3 * 1000.0, {{qx_call_bucket(1000), 3}}}, 0.5);
  law.add({1, 1000, {{qx_call_bucket(1000), 1}}}, 0.02);
  const SummaryStatistics f = law.statistics();
  EXPECT_DOUBLE_EQ(f.moments.mean, (3 * 500 + 20) / 4.0);
  EXPECT_DOUBLE_EQ(f.percentiles[0].value, 500);
  EXPECT_DOUBLE_EQ(f.max, 500);
  EXPECT_DOUBLE_EQ(f.min, 20);
}

TEST(SummaryStatistics, FittedLawsOfCostsAreNotNegative) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const double mean = std::pow(10.0, static_cast<double>(random() % 7));
    const double sd = mean * std::pow(10.0, static_cast<double>(random() % 40) / 10 - 2);
    const double skewness = static_cast<double>(random() % 400) / 10 - 5;
    const Moments m{mean, sd * sd, skewness,
                    1 + skewness * skewness + std::pow(10.0, static_cast<double>(random() % 6))};
    const auto [law, family] = lawOf(cumulants(m), {});
    ASSERT_TRUE(law);
    std::vector<Percentile> percentiles;
    for (const double p : reportedPercentiles)
      percentiles.push_back({p, law->quantile(p), false, {}});
    EXPECT_GE(percentiles.front().value, 0);
    expectLaw(m, percentiles, {-10 * sd, std::numeric_limits<double>::infinity()});
  }
}

TEST(SummaryStatistics, MomentsAsPrintedAreTakenBack) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> values(2 + random() % 50, 1.0);
    values.back() = 2 + static_cast<double>(random() % 1000); // kurtosis = 1 + skewness^2
    const Moments m = momentsOf(values);
    char text[200];
    std::snprintf(text, sizeof text, "moments(%.5g, %.5g, %.5g, %.5g)", m.mean, m.variance,
                  m.skewness, m.kurtosis);
    const Result<Cumulants> cost = parseCost(text);
    ASSERT_TRUE(cost) << text;
    EXPECT_TRUE(admissible(moments(*cost))) << text;
  }
  EXPECT_FALSE(parseCost("moments(1, 1, 2, 4.9)"));
}
