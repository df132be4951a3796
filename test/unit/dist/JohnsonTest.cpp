// Johnson's system: exact for lognormal laws, random moments over the whole plane, and the limits
// of what it fits.
#include "quincunx/base/Text.h"
#include "quincunx/dist/Families.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace quincunx;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr Range line{-inf, inf};

/// Moments of exp(sigma Z).
Moments lognormal(double sigma) {
  const double d = std::expm1(sigma * sigma), w = 1 + d;
  return {std::sqrt(w), w * d, (w + 2) * std::sqrt(d),
          w * w * w * w + 2 * w * w * w + 3 * w * w - 3};
}

/// The lognormal law's kurtosis at a skewness.
double lognormalKurtosis(double s) {
  double low = 0, high = 3;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (lognormal(middle).skewness < std::abs(s) ? low : high) = middle;
  }
  return lognormal(low).kurtosis;
}

/// The largest error of a moment by quadrature, in units of its size.
double error(const Distribution &law, const Moments &m) {
  const Cumulants k = integrateCumulants(law), want = cumulants(m);
  const double sd = m.deviation(), v = m.variance;
  return std::max({std::abs(k.k1 - want.k1) / sd, std::abs(k.k2 / v - 1),
                   std::abs(k.k3 - want.k3) / (v * sd * (1 + std::abs(m.skewness))),
                   std::abs(k.k4 - want.k4) / (v * v * m.kurtosis)});
}

/// That there is a law with these moments, its quantiles in order.
bool good(const Moments &m) {
  const Result<DistributionPtr> law = fitJohnson(m, line);
  if (!law || !(error(**law, m) < 1e-9))
    return false;
  double before = -inf;
  for (const double u : {1e-9, 1e-3, 0.1, 0.5, 0.9, 0.999, 1 - 1e-9}) {
    const double x = (*law)->quantile(u);
    if (!(x >= before && std::isfinite(x)))
      return false;
    before = x;
  }
  return true;
}

} // namespace

TEST(Johnson, LognormalIsExact) {
  for (const double sigma : {0.1, 0.25, 0.5, 1.0}) {
    const double w = std::exp(sigma * sigma);
    const Moments m{std::sqrt(w), w * (w - 1), (w + 2) * std::sqrt(w - 1),
                    w * w * w * w + 2 * w * w * w + 3 * w * w - 3};
    const Result<DistributionPtr> law = fitJohnson(m, line);
    ASSERT_TRUE(law) << law.error().text;
    for (const double z : {-3.0, -1.0, 0.0, 2.0, 3.5})
      EXPECT_NEAR((*law)->cdf(std::exp(sigma * z)) / (0.5 * std::erfc(-z / std::sqrt(2))), 1, 1e-8);
  }
}

TEST(Johnson, EveryPairHasItsLaw) {
  // Skewness 1e-5 to 100 of both signs; kurtosis from 1.2e-6 above the least possible to the
  // lognormal law's (bounded laws), and from there to 1e6 (unbounded ones).
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> U(0, 1);
  const int scale = std::getenv("QUINCUNX_FULL") ? 100 : 1;
  const int bounded = 300 * scale, unbounded = 3000 * scale;
  int wrong = 0;
  for (int i = 0; i < bounded + unbounded && wrong < 5; ++i) {
    const double s =
        U(random) < 0.1 ? 0 : (U(random) < 0.5 ? -1 : 1) * std::pow(10, U(random) * 7 - 5);
    const double least = 1 + s * s, lognormal = lognormalKurtosis(s);
    const double low = i < bounded ? 1.2e-6 * least : 1e-9 * lognormal,
                 high = i < bounded ? (lognormal - least) * (1 - 1e-8) : 1e6 - lognormal;
    const double above = low * std::pow(high / low, U(random));
    const Moments m{10, 4, s, (i < bounded ? least : lognormal) + above};
    const bool is = good(m);
    EXPECT_TRUE(is) << exact(s) << " " << exact(m.kurtosis);
    wrong += !is;
  }
}

TEST(Johnson, BesideTheLognormalLaw) {
  for (const double s : {0.0, 1e-6, 1e-3, -0.5, 1.0, 10.0, -170.0})
    for (double h = 0.1; h > 5e-10; h /= 10)
      for (const double side : {-h, h}) {
        const Moments m{1, 1, s, lognormalKurtosis(s) * (1 + side)};
        if (m.kurtosis > 1 + s * s)
          EXPECT_TRUE(good(m)) << s << " " << side;
      }
}

TEST(Johnson, SaysWhatItDoesNotFit) {
  // Next to two values, from 1.1e-6 above the least kurtosis down, and above a kurtosis of 1e6.
  const struct {
    double s, k;
    const char *reason;
  } table[] = {{0, 1 + 1e-6, "too near to two values"},
               {-1, 2 * (1 + 5e-7), "too near to two values"},
               {10, 101 * (1 + 1e-8), "too near to two values"},
               {0, 1, "too near to two values"},
               {0, 1.1e6, "a kurtosis above 1e6"},
               {900, 900 * 900 * 1.5, "a kurtosis above 1e6"}};
  for (const auto &[s, k, reason] : table) {
    const Result<DistributionPtr> law = fitJohnson({0, 1, s, k}, line);
    ASSERT_FALSE(law) << s << " " << k;
    EXPECT_NE(law.error().text.find(reason), std::string::npos) << law.error().text;
  }
}
