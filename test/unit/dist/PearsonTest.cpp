// Pearson's system: golden quantiles, Boost's laws as an oracle, and random moments over the whole
// admissible plane.
#include "quincunx/dist/Pearson.h"

#include "Csv.h"
#include "quincunx/base/Text.h"
#include "quincunx/dist/Families.h"

#include <array>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/inverse_gamma.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

DistributionPtr fit(const Moments &m) {
  const Result<DistributionPtr> law = fitPearson(m, {-inf, inf});
  EXPECT_TRUE(law) << exact(m.skewness) << " " << exact(m.kurtosis) << " "
                   << (law ? "" : law.error().text);
  return law ? *law : nullptr;
}

} // namespace

TEST(Pearson, GoldenQuantiles) {
  const std::vector<Row> rows = readCsv("pearson.csv");
  ASSERT_EQ(rows.size(), 14u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("type"));
    const Moments m{std::stod(r.at("mean")), std::stod(r.at("var")), std::stod(r.at("skew")),
                    std::stod(r.at("kurt"))};
    const DistributionPtr law = fit(m);
    ASSERT_TRUE(law);
    const std::string type = r.at("type").substr(0, r.at("type").find('-'));
    EXPECT_EQ(type == "0b" ? "0" : type, name(pearsonParameters(m).type));
    const std::pair<double, std::string> quantiles[] = {
        {0.001, "q001"}, {0.1, "q10"}, {0.5, "q50"}, {0.9, "q90"}, {0.99, "q99"}};
    for (const auto &[p, column] : quantiles)
      EXPECT_NEAR(law->quantile(p), std::stod(r.at(column)), 1e-12 * m.deviation()) << column;
    EXPECT_NEAR(law->upperQuantile(0.001), std::stod(r.at("q999")), 1e-12 * m.deviation());
  }
}

TEST(Pearson, TailsAgreeWithBoost) {
  // Shapes of every kind; moments from Boost's law, tails relative to their own size.
  const auto check = [](const auto &boostLaw, const char *type) {
    namespace bm = boost::math;
    const Moments m{bm::mean(boostLaw), bm::variance(boostLaw), bm::skewness(boostLaw),
                    bm::kurtosis(boostLaw)};
    SCOPED_TRACE(testing::Message() << type << " " << m.skewness << " " << m.kurtosis);
    EXPECT_STREQ(name(pearsonParameters(m).type), type);
    const DistributionPtr law = fit(m);
    ASSERT_TRUE(law);
    for (const double p : {1e-12, 1e-6, 0.01, 0.3, 0.5}) {
      // Next to a finite end with a pole, places themselves have too few digits.
      if (p < 0.01 && std::string(type) == "I" && m.kurtosis < 2)
        continue;
      const double low = bm::quantile(boostLaw, p),
                   high = bm::quantile(bm::complement(boostLaw, p));
      EXPECT_NEAR(law->cdf(low) / p, 1, 1e-8);
      EXPECT_NEAR(law->survival(high) / p, 1, 1e-8);
      EXPECT_NEAR(law->upperQuantile(p), high, 1e-8 * m.deviation());
      EXPECT_NEAR(*law->density(high) / bm::pdf(boostLaw, high), 1, 1e-8);
    }
  };
  check(boost::math::beta_distribution<>(2, 5), "I");
  check(boost::math::beta_distribution<>(40, 900), "I");
  check(boost::math::beta_distribution<>(0.5, 0.75), "I");
  check(boost::math::beta_distribution<>(3, 3), "II");
  check(boost::math::gamma_distribution<>(3), "III");
  check(boost::math::gamma_distribution<>(1e4), "III");
  check(boost::math::inverse_gamma_distribution<>(9, 20), "V");
  check(boost::math::students_t_distribution<>(7), "VII");
}

TEST(Pearson, EveryAdmissiblePairHasItsLaw) {
  // Skewness 1e-5 to 10 of both signs, kurtosis from a millionth above the least possible to 100
  // times it.
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> U(0, 1);
  const int pairs = std::getenv("QUINCUNX_FULL") ? 1000000 : 10000;
  std::array<int, 9> seen{};
  int wrong = 0;
  for (int i = 0; i < pairs && wrong < 5; ++i) {
    const double s =
        U(random) < 0.1 ? 0 : (U(random) < 0.5 ? -1 : 1) * std::pow(10, U(random) * 6 - 5);
    const Moments m{0, 1, s, (1 + s * s) * (1 + std::pow(10, U(random) * 8 - 6))};
    const PearsonParameters p = pearsonParameters(m);
    ++seen[static_cast<size_t>(p.type)];
    const Result<DistributionPtr> law = fitPearson(m, {-inf, inf});
    ASSERT_TRUE(law) << exact(s) << " " << exact(m.kurtosis) << " " << law.error().text;
    double before = -inf;
    bool good = true;
    for (const double u : {1e-9, 1e-3, 0.1, 0.5, 0.9, 0.999, 1 - 1e-9}) {
      const double x = (*law)->quantile(u);
      const double again =
          u < 0.5 ? (*law)->quantile((*law)->cdf(x)) : (*law)->upperQuantile((*law)->survival(x));
      // Between two piles of mass the cdf is so flat that its own rounding moves the place.
      const double rounding = 4 * std::numeric_limits<double>::epsilon() / *(*law)->density(x);
      good = good && x >= before && std::abs(again - x) < 1e-9 + rounding &&
             (*law)->cdf(x) + (*law)->survival(x) < 1 + 1e-12;
      before = x;
    }
    // The tail x^-tail of the survival; next to x^-4 the fourth moment lies beyond 1e300.
    const double tail = p.type == PearsonType::IV || p.type == PearsonType::VII ? 2 * p.first - 1
                        : p.type == PearsonType::VI                             ? p.second
                                                                                : inf;
    const Cumulants k = integrateCumulants(**law), want = cumulants(m);
    good = good && std::abs(k.k1) < 1e-9 && std::abs(k.k2 - 1) < 1e-9 &&
           std::abs(k.k3 - want.k3) < 1e-9 * (1 + std::abs(s)) &&
           (tail < 4.2 || std::abs(k.k4 - want.k4) < 1e-9 * m.kurtosis);
    EXPECT_TRUE(good) << exact(s) << " " << exact(m.kurtosis) << " " << name(p.type);
    wrong += !good;
  }
  // Every type that is not a line in the plane was met.
  for (const PearsonType t :
       {PearsonType::I, PearsonType::II, PearsonType::IV, PearsonType::VI, PearsonType::VII})
    EXPECT_GT(seen[static_cast<size_t>(t)], pairs / 1000) << name(t);
}

TEST(Pearson, CdfRises) {
  const Moments table[] = {{0, 1, 0.6, 2.9}, {0, 1, 1, 2.2}, {0, 1, 0.5, 4}, {0, 1, -2, 11}};
  for (const Moments &m : table) {
    const DistributionPtr law = fit(m);
    double below = 0, above = 1;
    for (double t = -8; t < 8; t += 0.001) {
      ASSERT_GE(law->cdf(t), below - 1e-15) << t;
      ASSERT_LE(law->survival(t), above + 1e-15) << t;
      below = law->cdf(t), above = law->survival(t);
    }
  }
}

TEST(Pearson, TailsAreProbabilities) {
  // Nearly all mass is at one end, so that masses of many panels add up to 1 with rounding.
  const Moments table[] = {{10, 4, 1000, 1e77}, {10, 4, -1000, 1e77}, {10, 4, 300, 1e6}};
  for (const Moments &m : table) {
    const DistributionPtr law = fit(m);
    std::vector<double> places, below, above;
    for (int i = -300; i <= 300; ++i)
      places.push_back(m.mean + std::copysign(std::exp(std::abs(i) / 2.0 - 10), i));
    below.resize(places.size()), above.resize(places.size());
    law->tails(places, {below, above});
    for (size_t i = 0; i < places.size(); ++i)
      for (const double p : {below[i], above[i], law->cdf(places[i]), law->survival(places[i])})
        EXPECT_TRUE(p >= 0 && p <= 1) << places[i] << " " << exact(p);
  }
}

TEST(Pearson, NextToALimitTheLawIsNearlyTheLimit) {
  // A kurtosis or skewness a hair beside gamma, inverse gamma and normal laws.
  const double s = 1.2649110640673518, v = 1.763834207376393727;
  const struct {
    Moments limit;
  } table[] = {{{0, 1, s, 5.4}}, {{0, 1, v, 9.8}}, {{0, 1, 0, 3}}};
  for (const auto &[m] : table)
    for (const double h : {1e-6, 1e-9, 1e-12, -1e-6, -1e-9, -1e-12}) {
      const DistributionPtr law = fit(m), near = fit({0, 1, m.skewness, m.kurtosis + h});
      for (const double p : {0.001, 0.2, 0.9, 0.999})
        EXPECT_NEAR(near->quantile(p), law->quantile(p), 3 * std::abs(h) + 1e-12) << h;
    }
}

TEST(Pearson, RefusesWhatNoLawHas) {
  const struct {
    Moments m;
    const char *reason;
  } table[] = {{{0, 1, 0, 0.9}, "no law has kurtosis 0.9"},
               {{0, 1, 2, 4.9}, "no law has kurtosis 4.9"},
               {{0, -1, 0, 3}, "the variance is negative"},
               {{0, 0, 0, 3}, "the variance is 0"},
               {{NAN, 1, 0, 3}, "the moments are not finite"},
               {{0, 1, inf, 3}, "the moments are not finite"},
               {{0, 1, 0, inf}, "the moments are not finite"},
               {{0, 1, 0, 1e200}, "kurtosis is too large"},
               {{0, 1, 1e99, 1.1e198}, "kurtosis is too large"}};
  for (const auto &[m, reason] : table) {
    const Result<DistributionPtr> law = fitPearson(m, {-inf, inf});
    ASSERT_FALSE(law) << reason;
    EXPECT_NE(law.error().text.find(reason), std::string::npos) << law.error().text;
  }
}
