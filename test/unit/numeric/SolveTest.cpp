// Roots of increasing functions, smooth, jumping and flat.
#include "quincunx/numeric/Solve.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace quincunx;

TEST(Solve, WithAndWithoutSlope) {
  for (const double start : {-5.0, 0.1, 1.0, 9.0}) {
    EXPECT_NEAR(solve([](double x) { return Curve{x * x * x - 2, 3 * x * x}; }, 0, 2, start),
                std::cbrt(2), 1e-15);
    EXPECT_NEAR(solve([](double x) { return Curve{std::expm1(x) - 1e-9}; }, -1, 1, start),
                std::log1p(1e-9), 1e-22);
  }
}

TEST(Solve, TheJumpItself) {
  EXPECT_NEAR(solve([](double x) { return Curve{x < 0.3 ? -1.0 : 1.0}; }, 0, 1, 0.5), 0.3, 1e-15);
  // Flat on both sides of the root, and a slope that misleads.
  EXPECT_NEAR(solve([](double x) { return Curve{std::tanh(1e4 * (x - 0.7)), 1e-3}; }, 0, 1, 0), 0.7,
              1e-15);
}
