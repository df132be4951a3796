// Variances of coefficients against made-up data in which they are known, and left-out errors
// against systems that are solved here without the observation.
#include "quincunx/numeric/VarianceComponents.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace quincunx {
namespace {

using Rows = std::vector<std::vector<double>>; ///< a feature: one value per observation

Gram gramOf(const Rows &features, size_t n) {
  Gram sum(n * n, 0.0);
  for (const std::vector<double> &x : features)
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j)
        sum[i * n + j] += x[i] * x[j];
  return sum;
}

/// Features of independent normal values; adds to `observed` what coefficients of that variance
/// make of them.
Gram group(size_t features, double variance, std::mt19937_64 &random,
           std::vector<double> &observed) {
  std::normal_distribution<double> normal;
  Rows x(features, std::vector<double>(observed.size()));
  for (std::vector<double> &feature : x) {
    const double coefficient = std::sqrt(variance) * normal(random);
    for (size_t i = 0; i < observed.size(); ++i) {
      feature[i] = normal(random);
      observed[i] += coefficient * feature[i];
    }
  }
  return gramOf(x, observed.size());
}

/// Solves a x = b by elimination.
std::vector<double> solved(Rows a, std::vector<double> b) {
  const size_t n = b.size();
  for (size_t k = 0; k < n; ++k)
    for (size_t i = 0; i < n; ++i)
      if (i != k) {
        const double factor = a[i][k] / a[k][k];
        for (size_t j = k; j < n; ++j)
          a[i][j] -= factor * a[k][j];
        b[i] -= factor * b[k];
      }
  for (size_t k = 0; k < n; ++k)
    b[k] /= a[k][k];
  return b;
}

} // namespace

TEST(VarianceComponents, KnownVariancesAreFound) {
  constexpr size_t n = 240, features = 50;
  constexpr double variances[] = {0.04, 0.004, 0}, noise = 0.1;
  for (const uint64_t seed : {1U, 2U, 3U}) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> observed(n, 0.0);
    std::vector<Gram> groups;
    for (const double v : variances)
      groups.push_back(group(features, v, random, observed));
    for (double &y : observed)
      y += std::sqrt(noise) * normal(random);
    const auto fit = fitVarianceComponents(groups, std::vector<double>{0.02, 0.02, 0.02, 0.02},
                                           observed, std::vector<double>(n, 1e-8));
    ASSERT_TRUE(fit) << fit.error().text;
    ASSERT_EQ(fit->variances.size(), 3u);
    // Of 50 coefficients the variance is known to 20 %, where there is no noise.
    EXPECT_NEAR(fit->variances[0], variances[0], 0.6 * variances[0]) << seed;
    EXPECT_NEAR(fit->variances[1], variances[1], 0.7 * variances[1]) << seed;
    EXPECT_LT(fit->variances[2], 0.05 * variances[0]) << "explains nothing, seed " << seed;
    EXPECT_NEAR(fit->noise, noise, 0.5 * noise) << seed;
  }
}

TEST(VarianceComponents, NoiseThatIsKnownIsNotFoundAgain) {
  constexpr size_t n = 200;
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  std::vector<double> observed(n, 0.0), known(n);
  const std::vector<Gram> groups{group(10, 0.04, random, observed)};
  for (size_t i = 0; i < n; ++i) {
    known[i] = i % 2 == 0 ? 1 : 0.01;
    observed[i] += std::sqrt(known[i]) * normal(random);
  }
  const auto fit = fitVarianceComponents(groups, std::vector<double>{0.04, 0.01}, observed, known);
  ASSERT_TRUE(fit);
  EXPECT_LT(fit->noise, 0.02);
}

TEST(VarianceComponents, LeftOutIsWhatTheOthersSay) {
  constexpr size_t n = 12;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> observed(n, 0.0), known;
  const std::vector<Gram> groups{group(4, 0.5, random, observed), group(30, 0.1, random, observed)};
  for (size_t i = 0; i < n; ++i) {
    known.push_back(0.01 * static_cast<double>(i + 1));
    observed[i] += 0.3 * normal(random);
  }
  const auto fit =
      fitVarianceComponents(groups, std::vector<double>{0.3, 0.3, 0.1}, observed, known);
  ASSERT_TRUE(fit);
  Rows v(n, std::vector<double>(n));
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j)
      for (size_t g = 0; g < groups.size(); ++g)
        v[i][j] += fit->variances[g] * groups[g][i * n + j];
    v[i][i] += known[i] + fit->noise;
  }
  const std::vector<double> dual = solved(v, observed);
  for (size_t out = 0; out < n; ++out) {
    EXPECT_NEAR(fit->dual[out], dual[out], 1e-9 * (1 + std::abs(dual[out])));
    Rows others;
    std::vector<double> rest, shared;
    for (size_t i = 0; i < n; ++i)
      if (i != out) {
        others.push_back(v[i]);
        others.back().erase(others.back().begin() + static_cast<ptrdiff_t>(out));
        rest.push_back(observed[i]);
        shared.push_back(v[out][i]);
      }
    const std::vector<double> a = solved(others, rest);
    double expected = 0;
    for (size_t i = 0; i < rest.size(); ++i)
      expected += shared[i] * a[i];
    EXPECT_NEAR(fit->leftOut[out], observed[out] - expected, 1e-8) << out;
  }
}

TEST(VarianceComponents, RefusesWhatCannotBeFitted) {
  const std::vector<double> expected{0.1, 0.1};
  const auto fit = [&](const std::vector<double> &observed) {
    const size_t n = observed.size();
    return fitVarianceComponents(std::vector<Gram>{Gram(n * n, 1.0)}, expected, observed,
                                 std::vector<double>(n, 1e-8));
  };
  EXPECT_TRUE(fit({1, 2, 3}));
  const auto few = fit({1, 2});
  ASSERT_FALSE(few);
  EXPECT_NE(few.error().text.find("three observations"), std::string::npos);
  for (const double bad : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    const auto wrong = fit({1, bad, 3});
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().text.find("not a number"), std::string::npos);
  }
}

TEST(VarianceComponents, TellHowLikelyTheyAre) {
  // One observation of each feature, and the last of none: V is diagonal.
  const std::vector<double> observed{0.3, -0.2, 0.1, 0.4}, known{0.01, 0.02, 0.03, 0.04};
  const std::vector<Gram> groups{gramOf({{1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}}, 4)};
  const std::vector<double> expected{0.05, 0.02};
  const auto fit = fitVarianceComponents(groups, expected, observed, known);
  ASSERT_TRUE(fit) << fit.error().text;
  double wanted = 0;
  for (size_t i = 0; i < 4; ++i) {
    const double x = i < 3 ? static_cast<double>(i + 1) : 0;
    const double v = x * x * fit->variances[0] + fit->noise + known[i];
    wanted -= (std::log(v) + observed[i] * observed[i] / v) / 2;
  }
  wanted -= (std::log(fit->variances[0]) + expected[0] / fit->variances[0]) / 2;
  wanted -= (std::log(fit->noise) + expected[1] / fit->noise) / 2;
  EXPECT_NEAR(fit->logLikelihood, wanted, 1e-9);
}

} // namespace quincunx
