// Maximum entropy: two modes, random moments inside and outside of what it fits, ranges.
#include "quincunx/base/Text.h"
#include "quincunx/dist/Families.h"
#include "quincunx/dist/Fit.h"
#include "quincunx/dist/Mixture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>

using namespace quincunx;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr Range line{-inf, inf};

/// That a law of mean 0 and variance 1 has these moments by quadrature.
bool hasMoments(const Distribution &law, double s, double k) {
  const Moments got = moments(integrateCumulants(law));
  return std::abs(got.mean) < 1e-9 && std::abs(got.variance - 1) < 1e-9 &&
         std::abs(got.skewness - s) < 1e-9 * (1 + std::abs(s)) &&
         std::abs(got.kurtosis / k - 1) < 1e-9;
}

} // namespace

TEST(MaxEntropy, TwoModes) {
  // 0.7 N(10, 1) + 0.3 N(16, 1): percentiles better than Pearson's.
  const std::vector<DistributionPtr> parts{*fitNormal({10, 1, 0, 3}, line),
                                           *fitNormal({16, 1, 0, 3}, line)};
  const DistributionPtr truth = *makeWeighted(parts, std::vector<double>{0.7, 0.3});
  const Moments m = truth->moments();
  const Result<Fit> fit = fitLaw(m, line);
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->family, "maxent");
  for (const double p : {0.5, 0.9, 0.99})
    EXPECT_NEAR(fit->law->quantile(p), truth->quantile(p), 0.05 * m.deviation()) << p;
}

TEST(MaxEntropy, EveryPairInsideItsRegion) {
  // |skewness| <= 3 and a kurtosis 0.15 to 45 above the least possible: always a law. From 0.001 to
  // 200 above: a law with these moments, or a reason.
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> U(0, 1);
  const int inside = std::getenv("QUINCUNX_FULL") ? 20000 : 400, outside = inside / 2;
  int wrong = 0;
  for (int i = 0; i < inside + outside && wrong < 5; ++i) {
    const double s = U(random) < 0.1 ? 0 : 6 * U(random) - 3;
    const double low = i < inside ? 0.15 : 0.001, high = i < inside ? 45 : 200;
    const double k = 1 + s * s + low * std::pow(high / low, U(random));
    const Result<DistributionPtr> law = fitMaxEntropy({0, 1, s, k}, line);
    const bool good = law          ? hasMoments(**law, s, k)
                      : i < inside ? false
                                   : !law.error().text.empty();
    EXPECT_TRUE(good) << exact(s) << " " << exact(k) << " " << (law ? "" : law.error().text);
    wrong += !good;
  }
}

TEST(MaxEntropy, KeepsToItsRange) {
  const DistributionPtr law = *fitMaxEntropy({1, 1, 1.5, 5.5}, {0, inf});
  EXPECT_NEAR(law->support().low, 0, 1e-12);
  EXPECT_TRUE(hasMoments(**fitMaxEntropy({0, 1, 1.5, 5.5}, {-1, inf}), 1.5, 5.5));
  const struct {
    Moments m;
    Range range;
    const char *reason;
  } table[] = {
      // Of a law on [0, inf) with mean and deviation 1 the skewness is at least 0.
      {{1, 1, -0.5, 3}, {0, inf}, "no law with these moments within its range"},
      {{1, 1, 0, 3}, {2, 9}, "the mean is not inside the range"},
      {{1, 1, 0, 3}, {-inf, 1}, "the mean is not inside the range"},
      {{0, 1, 0, 300}, line, "no law with these moments within its range"},
      {{0, 1, 0, 1.001}, line, "modes with nothing in between"},
  };
  for (const auto &[m, range, reason] : table) {
    const Result<DistributionPtr> none = fitMaxEntropy(m, range);
    ASSERT_FALSE(none) << reason;
    EXPECT_NE(none.error().text.find(reason), std::string::npos) << none.error().text;
  }
}
