// The thesis' beta form of a branch's share of true outcomes: its rates against golden ones, and
// what it claims of geometric and constant runs.
#include "published/Compare.h"

#include <cmath>
#include <random>

using namespace quincunx;
using namespace quincunx::test;
using namespace quincunx::published;

namespace {

TEST(BetaBranch, RatesAgreeWithGolden) {
  int checked = 0;
  for (const Row &row : readCsv("arp_rates.csv")) {
    const auto at = [&](const char *column) { return std::stod(row.at(column)); };
    SCOPED_TRACE(row.at("U") + " " + row.at("D"));
    const BetaBranch b = betaBranch({{at("u1"), at("u2")}, {at("d1"), at("d2")}});
    const double v = b.p.variance;
    EXPECT_NEAR(b.p.mean, at("l1"), 1e-14);
    EXPECT_NEAR(v, at("l2"), 1e-12 * (1 + at("l2"))); // (4.14b) is the right rate of variance
    EXPECT_NEAR(v, at("t2"), 1e-12 * (1 + at("t2")));
    EXPECT_NEAR(b.p.skewness * std::pow(v, 1.5), at("t3"), 1e-10 * (1 + std::abs(at("t3"))));
    EXPECT_NEAR((b.p.kurtosis - 3) * v * v, at("t4"), 1e-9 * (1 + std::abs(at("t4"))));
    ++checked;
  }
  EXPECT_GE(checked, 5);
}

TEST(BetaBranch, GeometricRunsAreBernoulli) { // (4.17), and a = b = 0: the beta law degenerates
  for (const double p : {0.1, 0.3, 0.5, 0.9}) {
    const double q = 1 - p;
    const BetaBranch b = betaBranch({{1 / q, p / (q * q)}, {1 / p, q / (p * p)}});
    EXPECT_NEAR(b.p.mean, p, 1e-14);
    EXPECT_NEAR(b.p.variance, p * q, 1e-14);
    EXPECT_NEAR(b.p.skewness, (1 - 2 * p) / std::sqrt(p * q), 1e-12);
    EXPECT_NEAR(b.p.kurtosis, (1 - 3 * p + 3 * p * p) / (p * q), 1e-12);
    EXPECT_NEAR(b.a, 0, 1e-14);
    EXPECT_NEAR(b.b, 0, 1e-14);
  }
}

TEST(BetaBranch, ConstantRunsHaveNoVariance) { // (4.18)
  const BetaBranch b = betaBranch({{4, 0}, {6, 0}});
  EXPECT_NEAR(b.p.mean, 0.4, 1e-15); // u/(d + u); the text has P_m = u/d
  EXPECT_EQ(b.p.variance, 0);
  EXPECT_EQ(b.p.skewness, 0);
  EXPECT_NEAR(b.p.kurtosis, 3, 1e-14);
}

// Skewness and kurtosis are the beta law's, not the runs': true third and fourth rates 16.9, -139.
TEST(BetaBranch, HigherRatesAreNotThoseOfTheRuns) {
  const BetaBranch b = betaBranch({{10, 90}, {20, 380}}); // geometric, 0.1 and 0.05
  const double v = b.p.variance;
  EXPECT_NEAR(b.p.skewness * std::pow(v, 1.5), 1.69, 0.005);
  EXPECT_NEAR((b.p.kurtosis - 3) * v * v, -20.8, 0.05);
}

// Whenever the branch is burstier than chance, a <= 0 and no law has the four moments.
TEST(BetaBranch, BurstyRunsAreOutside) {
  std::mt19937_64 random(20);
  std::uniform_real_distribution<double> mean(1, 30), ratio(0, 3);
  int bursty = 0;
  for (int i = 0; i < 20000; ++i) {
    const double u = mean(random), d = mean(random);
    const RunLengths runs{{u, ratio(random) * u * u}, {d, ratio(random) * d * d}};
    const BetaBranch b = betaBranch(runs);
    const double p = u / (u + d);
    if (b.p.variance <= p * (1 - p))
      continue;
    ++bursty;
    EXPECT_LT(b.a, 0);
    EXPECT_LT(b.p.kurtosis, 1 + b.p.skewness * b.p.skewness);
  }
  EXPECT_GT(bursty, 10000);
}

} // namespace
