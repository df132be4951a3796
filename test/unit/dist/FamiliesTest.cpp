// Every family of the table, by the same questions: moments by quadrature, quantiles against the
// cdf, both tails, and what must be refused.
#include "quincunx/dist/Families.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace quincunx;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

const Moments pairs[] = {
    {0, 1, 0, 3},      {5, 4, 0, 1.8},      {5, 4, 0.5, 2.5},   {100, 25, -0.8, 3.6},
    {1, 1, 2, 9},      {1e3, 4, 1, 4.8},    {-3, 0.01, 0.3, 5}, {1e-9, 1e-24, -1.5, 8},
    {7, 9, 0.2, 1.5},  {0, 1, 1, 2},        {0, 1, -1.2, 2.44}, {50, 100, 0, 1},
    {1e6, 1e8, 3, 30}, {0, 1, 0, 1 + 1e-9}, {8, 2, 0.1, 1.9},   {3, 1, 0.7, 4.2},
};

/// The four numbers, with 1e-9 of the deviation to the r-th power.
void expectMoments(const Cumulants &got, const Moments &m, bool all) {
  const double sd = m.deviation();
  EXPECT_NEAR(got.k1, m.mean, 1e-9 * sd + 1e-15 * std::abs(m.mean));
  EXPECT_NEAR(got.k2 / m.variance, 1, 1e-9);
  if (!all)
    return;
  const Moments g = moments(got);
  EXPECT_NEAR(g.skewness, m.skewness, 1e-9 * (1 + std::abs(m.skewness)));
  EXPECT_NEAR(g.kurtosis, m.kurtosis, 1e-9 * m.kurtosis);
}

void expectLaw(const Distribution &law, const Moments &m) {
  const double sd = std::max(m.deviation(), 1e-300);
  const double step = 1e-12 * sd + 1e-15 * std::abs(m.mean);
  double before = -inf;
  for (const double p : {1e-10, 0.001, 0.05, 0.3, 0.5, 0.7, 0.95, 0.999, 1 - 1e-10}) {
    const double x = law.quantile(p);
    ASSERT_TRUE(std::isfinite(x)) << p;
    EXPECT_GE(x, before - step);
    before = x;
    // The smallest place with this much below: enough at it, not more just under it.
    EXPECT_GE(law.cdf(x + 1e-9 * sd), p * (1 - 1e-9)) << p;
    EXPECT_LE(law.cdf(x - 1e-9 * sd - 1e-15 * std::abs(x)), p * (1 + 1e-9)) << p;
    EXPECT_NEAR(law.upperQuantile(1 - p), x, 1e-6 * sd) << p;
    EXPECT_NEAR(law.cdf(x) + law.survival(x), 1, 1e-12) << p;
  }
  const Range r = law.support();
  EXPECT_LE(r.low, law.quantile(1e-10));
  EXPECT_GE(r.high, law.quantile(1 - 1e-10));
  EXPECT_EQ(law.cdf(-inf), 0);
  EXPECT_EQ(law.survival(inf), 0);
  EXPECT_EQ(law.cdf(inf), 1);
  const std::vector<double> knots = law.knots();
  EXPECT_TRUE(std::is_sorted(knots.begin(), knots.end()));
  double below = 0, above = 1;
  for (int i = -250; i <= 250; ++i) {
    const double t = m.mean + i * sd / 50;
    const std::optional<double> f = law.density(t);
    EXPECT_TRUE(!f || (*f >= 0 && !std::isnan(*f))) << t;
    // Rises, but for rounding of places and of sums.
    EXPECT_GE(law.cdf(t), below * (1 - 1e-12) - 1e-15) << t;
    EXPECT_LE(law.survival(t), above * (1 + 1e-12) + 1e-15) << t;
    below = law.cdf(t), above = law.survival(t);
  }
}

} // namespace

TEST(Families, KeepTheirPromises) {
  for (const Family &family : families()) {
    int fitted = 0;
    for (const Moments &m : pairs) {
      SCOPED_TRACE(testing::Message()
                   << family.name << " skewness " << m.skewness << " kurtosis " << m.kurtosis);
      const Result<DistributionPtr> law = family.fit(m, {-inf, inf});
      if (!law) {
        EXPECT_FALSE(law.error().text.empty());
        continue;
      }
      ++fitted;
      expectLaw(**law, m);
      expectMoments(integrateCumulants(**law), m, family.exact);
    }
    const bool onlyConstants = std::string(family.name) == "point";
    EXPECT_GT(fitted, onlyConstants ? -1 : 2) << family.name;
  }
}

TEST(Families, RefuseImpossibleMoments) {
  const Moments impossible[] = {
      {0, 1, 0, 0.5},   {0, 1, 3, 9},     {0, -1, 0, 3},    {NAN, 1, 0, 3},  {0, NAN, 0, 3},
      {0, 1, 0, NAN},   {0, 1, NAN, 3},   {inf, 1, 0, 3},   {0, inf, 0, 3},  {0, 1, -inf, 3},
      {0, 0, 1, 3},     {0, 1, 1e200, 3}, {0, 1, 0, inf},   {-inf, 1, 0, 3}, {0, 1, inf, inf},
      {0, inf, 0, inf}, {0, 0, 0, 0.5},   {0, 1, 0, 1e200}, {0, 1, 2, -5},   {NAN, NAN, NAN, NAN}};
  for (const Family &family : families())
    for (const Moments &m : impossible) {
      const Result<DistributionPtr> law = family.fit(m, {-inf, inf});
      const bool constant = m.variance == 0 && std::string(family.name) == "point";
      EXPECT_TRUE(constant || !law) << family.name << " " << m.skewness << " " << m.kurtosis;
      if (!law)
        EXPECT_FALSE(law.error().text.empty());
    }
}

TEST(Families, OnlyAPointHasNoSpread) {
  for (const Family &family : families()) {
    const Result<DistributionPtr> law = family.fit({5, 0, 0, 3}, {-inf, inf});
    if (std::string(family.name) == "point")
      EXPECT_TRUE(law);
    else if (law)
      ADD_FAILURE() << family.name;
    else
      EXPECT_NE(law.error().text.find("the variance is 0"), std::string::npos) << family.name;
  }
}

TEST(Families, PlaceScaleAndMirrorChangeNothingElse) {
  const Moments shapes[] = {
      {0, 1, 0, 3}, {0, 1, 0.5, 2.6}, {0, 1, 1, 4.8}, {0, 1, 2, 9}, {0, 1, 1, 2}};
  const struct {
    double mean, deviation;
  } frames[] = {{0, 1e-140}, {0, 1e140}, {1e6, 1}, {-3e-7, 1e-9}};
  for (const Family &family : families())
    for (const Moments &shape : shapes) {
      const Result<DistributionPtr> law = family.fit(shape, {-inf, inf});
      if (!law)
        continue;
      SCOPED_TRACE(testing::Message()
                   << family.name << " " << shape.skewness << " " << shape.kurtosis);
      const double ps[] = {1e-6, 0.1, 0.45, 0.9, 0.9999};
      const Result<DistributionPtr> mirror =
          family.fit({0, 1, -shape.skewness, shape.kurtosis}, {-inf, inf});
      ASSERT_TRUE(mirror) << mirror.error().text;
      for (const double p : ps)
        EXPECT_NEAR((*mirror)->upperQuantile(p), -(*law)->quantile(p), 1e-9);
      for (const auto &[mean, deviation] : frames) {
        const Result<DistributionPtr> there =
            family.fit({mean, deviation * deviation, shape.skewness, shape.kurtosis}, {-inf, inf});
        ASSERT_TRUE(there) << there.error().text;
        for (const double p : ps)
          EXPECT_NEAR(((*there)->quantile(p) - mean) / deviation, (*law)->quantile(p), 1e-9)
              << mean;
      }
    }
}

TEST(Families, APointIsOneValue) {
  const Result<DistributionPtr> law = fitPoint({7, 0, 0, 3}, {-inf, inf});
  ASSERT_TRUE(law);
  EXPECT_EQ((*law)->quantile(0.3), 7);
  EXPECT_EQ((*law)->upperQuantile(0.3), 7);
  EXPECT_EQ(integrateCumulants(**law), (Cumulants{7, 0, 0, 0}));
}

TEST(Families, TwoValuesHaveTheirWeights) {
  // P(10) = 1/5, P(0) = 4/5: mean 2, variance 16, skewness 1.5, kurtosis 3.25
  const DistributionPtr law = *fitTwoPoint({2, 16, 1.5, 3.25}, {-inf, inf});
  EXPECT_NEAR(law->quantile(0.79), 0, 1e-14);
  EXPECT_NEAR(law->quantile(0.81), 10, 1e-14);
  EXPECT_NEAR(law->survival(5), 0.2, 1e-15);
  // A rare large value keeps the digits of its probability.
  const double s = 1e6;
  const DistributionPtr rare = *fitTwoPoint({0, 1, s, 1 + s * s}, {-inf, inf});
  EXPECT_NEAR(rare->survival(1) * s * s, 1, 1e-9);
  EXPECT_FALSE(fitTwoPoint({0, 1, 0, 3}, {-inf, inf}));
}
