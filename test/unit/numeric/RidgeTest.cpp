// Ridge regression in the space of observations, against that in the space of coefficients.
#include "quincunx/numeric/Ridge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace quincunx {
namespace {

/// One coefficient: sum(x y) / (sum(x x) + noise^2 / variance).
double slopeOf(const std::vector<double> &x, const std::vector<double> &y, double variance, double noise) {
  double xx = noise * noise / variance, xy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xx += x[i] * x[i];
    xy += x[i] * y[i];
  }
  return xy / xx;
}

RidgeProblem problemOf(const std::vector<double> &x, const std::vector<double> &y, double variance) {
  RidgeProblem p{{}, y, {}};
  for (const double a : x)
    for (const double b : x)
      p.products.push_back(variance * a * b);
  return p;
}

double coefficientOf(const Ridge &r, const std::vector<double> &x, double variance) {
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i)
    sum += variance * x[i] * r.weights[i];
  return sum;
}

TEST(RidgeTest, OneCoefficientIsThatOfTheNormalEquation) {
  const std::vector<double> x{1, 2, -3, 0.5, 4}, y{2.1, 3.8, -6.2, 1.3, 7.9};
  for (const double noise : {0.01, 0.3, 2.0})
    EXPECT_NEAR(coefficientOf(ridge(problemOf(x, y, 0.7), std::vector{noise}), x, 0.7), slopeOf(x, y, 0.7, noise), 1e-12);
}

TEST(RidgeTest, LeavingOutIsWhatTheOthersTell) {
  const std::vector<double> x{1, 2, -3, 0.5, 4}, y{2.1, 3.8, -6.2, 1.3, 7.9};
  RidgeProblem p = problemOf(x, y, 0.7);
  p.groups = {{0, 3}, {1}, {2, 4}};
  const std::vector<double> off = leftOutOf(p, 0.3);
  for (const std::vector<size_t> &group : p.groups) {
    std::vector<double> otherX, otherY;
    for (size_t i = 0; i < x.size(); ++i)
      if (std::ranges::count(group, i) == 0) {
        otherX.push_back(x[i]);
        otherY.push_back(y[i]);
      }
    const double slope = slopeOf(otherX, otherY, 0.7, 0.3);
    for (const size_t i : group)
      EXPECT_NEAR(off[i], y[i] - slope * x[i], 1e-12) << i;
  }
}

// The less observations are to be believed, the more noise leaves them off least.
TEST(RidgeTest, NoiseIsThatOfWhatIsLeftOut) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> x, exact, chance;
  for (size_t i = 0; i < 40; ++i) {
    x.push_back(normal(random));
    exact.push_back(2 * x.back());
    chance.push_back(normal(random));
  }
  const std::vector<double> noises{0.01, 0.1, 1, 10};
  for (const bool isChance : {false, true}) {
    RidgeProblem p = problemOf(x, isChance ? chance : exact, 1);
    for (size_t i = 0; i < x.size(); ++i)
      p.groups.push_back({i});
    EXPECT_EQ(ridge(p, noises).noise, isChance ? 10 : 0.01);
  }
}

} // namespace
} // namespace quincunx
