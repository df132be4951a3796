// The functions on pairs of doubles against those of <cmath> in long double.
#include "quincunx/numeric/Elementary.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace quincunx;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// Largest relative error over places of size up to `reach`, in units of 1e-16.
template <class Quick, class Exact>
double worst(Quick quick, Exact exact, double low, double high) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(low, high);
  double most = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = place(random), y = place(random);
    const Lanes got = quick(Lanes{x, y, x, y});
    for (const auto &[at, value] : {std::pair{x, got[0]}, std::pair{y, got[1]}}) {
      const long double want = exact(static_cast<long double>(at));
      most = std::max(most, static_cast<double>(std::abs((value - want) / want)) * 1e16);
    }
  }
  return most;
}

} // namespace

TEST(Elementary, CarriesTheDigitsOfDouble) {
  using T = long double;
  for (const double reach : {1e-3, 0.5, 5.0, 700.0}) {
    SCOPED_TRACE(reach);
    EXPECT_LT(worst(quickExp, [](T x) { return std::exp(x); }, -reach, reach), 2.5);
    EXPECT_LT(worst([](Lanes x) { return quickLog(x); }, [](T x) { return std::log(x); },
                    1e-3 * reach, reach),
              2.5);
    EXPECT_LT(
        worst(quickLog1p, [](T x) { return std::log1p(x); }, -reach / (1.01 + reach), reach), 5);
    EXPECT_LT(worst(quickExpm1MinusX, [](T x) { return std::expm1(x) - x; }, reach / 2, reach), 8);
    EXPECT_LT(worst(quickExpm1, [](T x) { return std::expm1(x); }, -reach, reach), 5);
    EXPECT_LT(worst(quickXMinusLog1p, [](T x) { return x - std::log1p(x); }, reach / 2, reach), 8);
  }
  for (const double x : {-3.0, -0.3, 0.2, 3.0})
    EXPECT_LT(worst([x](Lanes y) { return quickAtan2(y, lanes(x)); },
                    [x](T y) { return std::atan2(y, static_cast<T>(x)); }, -5, 5),
              5)
        << x;
}

TEST(Elementary, EndsAreWhatTheyShouldBe) {
  const Lanes e = quickExp(Lanes{-inf, inf}), far = quickExp(Lanes{-800, 710});
  EXPECT_EQ(e[0], 0);
  EXPECT_EQ(e[1], inf);
  EXPECT_EQ(far[0], 0);
  EXPECT_EQ(far[1], inf);
  const Lanes l = quickLog(Lanes{1, inf, 1, 1});
  EXPECT_EQ(l[0], 0);
  EXPECT_EQ(l[1], inf);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(quickExp(lanes(nan))[0]));
  EXPECT_TRUE(std::isnan(quickLog(lanes(nan))[0]));
}
