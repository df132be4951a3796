// Mixtures over runs: steps, spread parts and open mass.
#include "quincunx/dist/Mixture.h"

#include "Csv.h"
#include "quincunx/numeric/Special.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();

std::vector<double> oneTo(int n) {
  std::vector<double> v;
  for (int i = n; i >= 1; --i)
    v.push_back(i);
  return v;
}

DistributionPtr make(const std::vector<MixtureComponent> &parts) {
  Result<DistributionPtr> law = makeMixture(parts);
  EXPECT_TRUE(law) << (law ? "" : law.error().text);
  return *law;
}

MixtureComponent gamma(double shape, double scale, double weight = 1) {
  return {{shape * scale, shape * scale * scale, 2 * shape * std::pow(scale, 3),
           6 * shape * std::pow(scale, 4)},
          weight};
}
} // namespace

TEST(Steps, QuantileIsTheSmallestValueWithEnoughBelow) {
  struct {
    int runs;
    double p, value;
  } const table[] = {
      {10, 0.5, 5},    {10, 0.9, 9},      {10, 0.91, 10},     {10, 0.99, 10},   {1, 0.5, 1},
      {100, 0.99, 99}, {100, 0.999, 100}, {1000, 0.999, 999}, {1000, 0.9, 900}, {3, 0.5, 2},
      {2, 0.5, 1},     {7, 1, 7},         {10, 1e-9, 1},      {300, 0.9, 270},  {70, 0.9, 63},
  };
  for (const auto &row : table) {
    SCOPED_TRACE(testing::Message() << row.runs << " runs, p " << row.p);
    const Result<DistributionPtr> law = makeSteps(oneTo(row.runs));
    ASSERT_TRUE(law);
    EXPECT_EQ((*law)->quantile(row.p), row.value);
    EXPECT_GE((*law)->cdf(row.value), row.p);
    std::vector<MixtureComponent> parts;
    for (const double v : oneTo(row.runs))
      parts.push_back({{v, 0, 0, 0}, 1});
    EXPECT_EQ(make(parts)->quantile(row.p), row.value);
  }
}

TEST(Steps, CdfSurvivalMomentsSupport) {
  const double values[] = {4, 1, 1, 2};
  const DistributionPtr law = *makeSteps(values);
  EXPECT_EQ(law->cdf(0.5), 0);
  EXPECT_EQ(law->cdf(1), 0.5);
  EXPECT_EQ(law->cdf(3.9), 0.75);
  EXPECT_EQ(law->survival(1), 0.5);
  EXPECT_EQ(law->survival(4), 0);
  EXPECT_EQ(law->moments().mean, 2);
  EXPECT_EQ(law->moments().variance, 1.5); // (4 + 1 + 1 + 0)/4: divided by the number of runs
  EXPECT_EQ(law->support().low, 1);
  EXPECT_EQ(law->support().high, 4);
  EXPECT_FALSE(law->density(1).has_value());
}

TEST(Steps, ManyValuesOfAllSignsAndSizesAreSorted) {
  std::mt19937_64 random(3);
  std::vector<double> values;
  for (int i = 0; i < 5000; ++i)
    values.push_back(std::ldexp(static_cast<double>(random() % 2001) - 1000,
                                static_cast<int>(random() % 60) - 30));
  const DistributionPtr law = *makeSteps(values);
  std::sort(values.begin(), values.end());
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(law->quantile((static_cast<double>(i) + 0.5) / 5000), values[i]);
}

TEST(Steps, OpenRunsRankAboveAll) {
  // Eight finished runs, two stopped at cost 3: p80 is the largest finished one, p81 is unknown.
  std::vector<double> values = oneTo(8);
  values.insert(values.end(), {3, 3});
  const DistributionPtr law = *makeSteps(values, 2);
  EXPECT_EQ(law->quantile(0.5), 5);
  EXPECT_EQ(law->quantile(0.8), 8);
  EXPECT_EQ(law->quantile(0.81), inf);
  EXPECT_EQ(law->quantile(1), inf);
  EXPECT_DOUBLE_EQ(law->cdf(8), 0.8);
  EXPECT_DOUBLE_EQ(law->survival(1e9), 0.2);
  EXPECT_DOUBLE_EQ(law->moments().mean, 42 / 10.0);
  const double stopped[] = {3};
  EXPECT_EQ((*makeSteps(stopped, 1))->quantile(0.5), inf);
}

TEST(Steps, LastDigitsOfSumsOfWeightsDecideNothing) {
  // 47 and 53 values that weigh 3 / 47 and 1 / 53: three quarters lie up to the 47th.
  std::vector<MixtureComponent> parts;
  for (int i = 1; i <= 100; ++i)
    parts.push_back({{static_cast<double>(i), 0, 0, 0}, i <= 47 ? 3.0 / 47 : 1.0 / 53, false});
  const Result<DistributionPtr> law = makeMixture(parts);
  ASSERT_TRUE(law);
  EXPECT_EQ((*law)->quantile(0.75), 47);
  EXPECT_EQ((*law)->upperQuantile(0.25), 47);
}

TEST(Steps, Weights) {
  const DistributionPtr law = make({{{1, 0, 0, 0}, 3}, {{5, 0, 0, 0}, 1}, {{9, 0, 0, 0}, 1, true}});
  EXPECT_EQ(law->quantile(0.6), 1);
  EXPECT_EQ(law->quantile(0.61), 5);
  EXPECT_EQ(law->quantile(0.81), inf);
  EXPECT_DOUBLE_EQ(law->cdf(1), 0.6);
  EXPECT_DOUBLE_EQ(law->moments().mean, 17 / 5.0);
}

TEST(Mixture, AgreesWithGoldenTableOfGammaLaws) {
  const std::vector<Row> rows = readCsv("hier_mixture.csv");
  ASSERT_EQ(rows.size(), 2u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("case"));
    const auto shapes = numbers(r.at("shapes")), scales = numbers(r.at("scales")),
               weights = numbers(r.at("weights"));
    std::vector<MixtureComponent> parts;
    for (size_t i = 0; i < shapes.size(); ++i)
      parts.push_back(gamma(shapes[i], scales[i], weights[i]));
    const DistributionPtr law = make(parts);
    const std::pair<double, std::string> quantiles[] = {
        {0.5, "q50"}, {0.9, "q90"}, {0.99, "q99"}, {0.999, "q999"}};
    for (const auto &[p, column] : quantiles)
      EXPECT_NEAR(law->quantile(p) / std::stod(r.at(column)), 1, 1e-11) << column;
    EXPECT_NEAR(law->moments().mean / std::stod(r.at("m1")), 1, 1e-14);
    EXPECT_NEAR(law->moments().variance / std::stod(r.at("k2")), 1, 1e-13);
  }
}

TEST(Mixture, QuantileInvertsCdf) {
  const std::vector<MixtureComponent> laws[] = {
      {{{100, 25, 0, 0}, 1}},
      {gamma(0.3, 10), gamma(50, 1)},
      {{{100, 4, -8, 0}, 1}, {{1e6, 1e8, 1e10, 0}, 2}}, // mirrored gamma; two scales
      {{{5, 1e-6, 0, 0}, 1}, {{1e9, 1e2, 0, 0}, 1}},
  };
  for (const auto &parts : laws) {
    const DistributionPtr law = make(parts);
    double before = -inf;
    for (const double p : {0.001, 0.1, 0.25, 0.49, 0.51, 0.9, 0.99, 0.999, 0.999999}) {
      const double q = law->quantile(p);
      EXPECT_NEAR(law->cdf(q), p, 1e-6) << p;
      EXPECT_NEAR(law->survival(q), 1 - p, 1e-6) << p;
      EXPECT_GT(q, before);
      before = q;
    }
    EXPECT_EQ(law->quantile(1), law->support().high);
  }
}

// Where F is p between two runs, which it is but for rounding, the quantile belongs to the run below.
TEST(Mixture, QuantilesBetweenRunsAreThoseOfTheRunBelow) {
  for (const int runs : {10, 40, 100}) {
    std::vector<MixtureComponent> parts;
    for (int i = 1; i <= runs; ++i)
      parts.push_back({{100.0 * i, 1, 0, 3}, 1});
    const DistributionPtr law = make(parts);
    for (int k = 1; k < runs; ++k) {
      const double p = static_cast<double>(k) / runs;
      EXPECT_NEAR(law->quantile(p), 100 * k, 10) << p << " of " << runs;
      EXPECT_NEAR(law->upperQuantile(1 - p), 100 * k, 10) << p << " of " << runs;
    }
  }
}

TEST(Mixture, DensityIsTheSlopeOfTheCdf) {
  const DistributionPtr law = make({gamma(4, 3), {{20, 9, -20, 0}, 1}, {{15, 4, 0, 0}, 1}});
  for (double t = 2; t < 30; t += 1.7) {
    const double h = 1e-4;
    EXPECT_NEAR(*law->density(t), (law->cdf(t + h) - law->cdf(t - h)) / (2 * h), 1e-7) << t;
    EXPECT_NEAR(law->cdf(t) + law->survival(t), 1, 1e-14);
  }
}

TEST(Mixture, ComponentHasTheMomentsItWasFittedTo) {
  const Cumulants table[] = {{10, 4, 0, 0}, {10, 4, 12, 0}, {10, 4, -12, 0}, {10, 4, 0.3, 0}};
  for (const Cumulants &k : table) {
    const ComponentLaw c(k);
    double m0 = 0, m1 = 0, m2 = 0, m3 = 0;
    const double h = 1e-3;
    for (double t = -60; t < 80; t += h) {
      const double w = c.cdf(t + h / 2) - c.cdf(t - h / 2), d = t - k.k1;
      m0 += w, m1 += w * d, m2 += w * d * d, m3 += w * d * d * d;
    }
    EXPECT_NEAR(m0, 1, 1e-6);
    EXPECT_NEAR(m1, 0, 1e-3);
    EXPECT_NEAR(m2, k.k2, 2e-3);
    // Below |skewness| 0.05 a normal law stands in.
    EXPECT_NEAR(m3, std::abs(moments(k).skewness) < 0.05 ? 0 : k.k3, 2e-2);
  }
}

TEST(Mixture, StepsAmongSpreadPartsAreHitExactly) {
  const DistributionPtr law = make({{{10, 0, 0, 0}, 8}, {{100, 4, 0, 0}, 1}, {{1, 0.01, 0, 0}, 1}});
  EXPECT_EQ(law->quantile(0.5), 10);
  EXPECT_EQ(law->quantile(0.2), 10);
  EXPECT_NEAR(law->quantile(0.95), 100, 1e-9);
  EXPECT_FALSE(law->density(10).has_value());
}

TEST(Mixture, OpenPartLeavesTheTopOpen) {
  const DistributionPtr law = make({{{10, 1, 0, 0}, 9}, {{50, 1, 0, 0}, 1, true}});
  EXPECT_NEAR(law->quantile(0.45), 10, 1e-9);
  EXPECT_TRUE(std::isfinite(law->quantile(0.89)));
  EXPECT_EQ(law->quantile(0.9), inf); // a normal law has no largest value
  EXPECT_EQ(law->quantile(0.95), inf);
  EXPECT_NEAR(law->survival(1e6), 0.1, 1e-15);
}

TEST(Mixture, RefusesWhatIsNoCost) {
  const double nan = std::nan("");
  const std::vector<MixtureComponent> table[] = {{},
                                                 {{{nan, 0, 0, 0}, 1}},
                                                 {{{1, -1, 0, 0}, 1}},
                                                 {{{1, 1, 0, 0}, -1}},
                                                 {{{1, 1, 0, 0}, 0}},
                                                 {{{1, inf, 0, 0}, 1}}};
  for (const auto &parts : table)
    EXPECT_FALSE(makeMixture(parts));
  const double bad[] = {1, nan};
  EXPECT_FALSE(makeSteps(bad));
  EXPECT_FALSE(makeSteps({}));
}

TEST(Mixture, CompressKeepsMomentsAndNearlyPercentiles) {
  std::mt19937_64 random(7);
  std::vector<MixtureComponent> parts;
  for (int i = 0; i < 3000; ++i) {
    const double n = 1000 + static_cast<double>(random() % 4000) * (random() % 10 == 0 ? 5.0 : 1.0);
    parts.push_back({n * Cumulants{4, 9, 81, 729}, 1, i % 100 == 0});
  }
  const std::vector<MixtureComponent> fewer = compress(parts, 256);
  EXPECT_LE(fewer.size(), 257u);
  const DistributionPtr a = make(parts), b = make(fewer);
  EXPECT_NEAR(b->moments().mean / a->moments().mean, 1, 1e-12);
  EXPECT_NEAR(b->moments().variance / a->moments().variance, 1, 1e-11);
  EXPECT_NEAR(b->moments().kurtosis / a->moments().kurtosis, 1, 1e-9);
  for (const double p : {0.5, 0.9, 0.98})
    EXPECT_NEAR(b->quantile(p) / a->quantile(p), 1, 1e-3) << p;
  EXPECT_EQ(b->quantile(0.995), inf);
}

TEST(Weighted, TailsAreProbabilities) {
  // Shares of 154 add up to more than 1 by rounding.
  const std::vector<double> weights{6, 8, 4, 5, 2, 5, 6, 5, 3, 8, 4, 5, 9,
                                    1, 8, 5, 7, 3, 5, 7, 9, 8, 6, 7, 1};
  const std::vector<DistributionPtr> steps(weights.size(), *makeSteps(std::vector<double>{1}));
  const Result<DistributionPtr> law = makeWeighted(steps, weights);
  ASSERT_TRUE(law) << law.error().text;
  EXPECT_EQ((*law)->cdf(2), 1);
  EXPECT_EQ((*law)->survival(0), 1);
  const std::vector<double> places{0, 2};
  std::vector<double> below(2), above(2);
  (*law)->tails(places, {below, above});
  EXPECT_EQ(below[1], 1);
  EXPECT_EQ(above[0], 1);
}
