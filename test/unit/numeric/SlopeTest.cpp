// Derivatives by differences: what they are where they are known, kinks, steps and ends.
#include "quincunx/numeric/Slope.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace quincunx;

namespace {
using F = std::function<std::optional<double>(double)>;
}

TEST(Slope, OfSmoothFunctions) {
  const struct {
    F f;
    double x, slope;
  } cases[] = {
      {[](double x) { return x * x * x; }, 2, 12},
      {[](double x) { return std::exp(x); }, -1, std::exp(-1)},
      {[](double x) { return 1 / x; }, 1e6, -1e-12},
      {[](double x) { return std::sin(x); }, 0, 1},
      {[](double x) { return std::sqrt(x); }, 1e-4, 50},
      {[](double) { return 7.0; }, 3, 0},
  };
  for (const auto &c : cases) {
    const Slope s = slopeAt(c.f, c.x);
    EXPECT_EQ(s.kind, Slope::Kind::smooth) << c.slope;
    EXPECT_NEAR(s.value, c.slope, 1e-8 * std::fabs(c.slope) + 1e-12);
    EXPECT_LE(std::fabs(s.value - c.slope), 10 * s.error + 1e-12 * std::fabs(c.slope) + 1e-15);
  }
}

TEST(Slope, OfAKink) {
  const Slope s = slopeAt([](double x) { return std::max(2 * x, 6 - x); }, 2);
  EXPECT_EQ(s.kind, Slope::Kind::kink);
  EXPECT_NEAR(s.below, -1, 1e-8);
  EXPECT_NEAR(s.above, 2, 1e-8);
}

TEST(Slope, OfSteps) {
  EXPECT_EQ(slopeAt([](double x) { return std::floor(x); }, 3).kind, Slope::Kind::step);
  EXPECT_EQ(slopeAt([](double x) { return std::floor(x) + x; }, 3).kind, Slope::Kind::step);
  EXPECT_EQ(slopeAt([](double x) { return std::floor(x); }, 3.5).kind, Slope::Kind::smooth);
}

TEST(Slope, AtAnEnd) {
  const F f = [](double x) { return x >= 1 ? std::optional(x * x) : std::nullopt; };
  const Slope s = slopeAt(f, 1);
  EXPECT_EQ(s.kind, Slope::Kind::above);
  EXPECT_NEAR(s.value, 2, 1e-8);
  EXPECT_EQ(slopeAt(f, 0.5).kind, Slope::Kind::none);
  EXPECT_EQ(slopeAt([](double x) { return x == 1 ? std::optional(1.0) : std::nullopt; }, 1).kind,
            Slope::Kind::none);
}
