// What repetitions say of differences: tables of costs, and what they are taken for.
#include "lib/estimate/compare/RepetitionNoise.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quincunx {
namespace {

/// So many inputs, each run so often in both builds, row after row.
std::vector<RunPair> inputs(size_t number, size_t times) {
  std::vector<RunPair> pairs(number);
  for (size_t p = 0; p < number; ++p)
    for (size_t i = 0; i < times; ++i) {
      pairs[p].before.push_back(p * times + i);
      pairs[p].after.push_back(p * times + i);
    }
  return pairs;
}

TEST(RepetitionNoise, EqualRepetitionsMakeEachDifferenceAnEffect) {
  const std::vector<RunPair> pairs = inputs(2, 2);
  const CostSeries same{{5, 5, 7, 7}, {5, 5, 7, 7}}, other{{5, 5, 7, 7}, {5, 5, 7.5, 7.5}};
  const std::vector<CostSeries> all{same, other};
  const RepetitionNoise noise(pairs, all);
  EXPECT_EQ(noise.kind(), Repeats::exact);
  EXPECT_EQ(noise.probability(same, pairedCosts(same, pairs)), 1);
  EXPECT_EQ(noise.probability(other, pairedCosts(other, pairs)), 0);
  EXPECT_DOUBLE_EQ(pairedCosts(other, pairs).difference(), 0.25);
}

TEST(RepetitionNoise, RoundingIsNoDifference) {
  const std::vector<RunPair> pairs = inputs(1, 1);
  const CostSeries costs{{0.1 + 0.2}, {0.3}};
  EXPECT_EQ(pairedCosts(costs, pairs).difference(), 0);
}

// n = 1, r = 2 each: D = 11 - 10 = 1, Var = 2 / 2 + 2 / 2 = 2 with 2 degrees of freedom.
TEST(RepetitionNoise, NoisyCostsAreHeldAgainstStudentsLaw) {
  const std::vector<RunPair> pairs = inputs(1, 2);
  const CostSeries costs{{9, 11}, {10, 12}};
  const std::vector<CostSeries> all{costs};
  const RepetitionNoise noise(pairs, all);
  EXPECT_EQ(noise.kind(), Repeats::noisy);
  EXPECT_NEAR(noise.deviation(costs), std::sqrt(2.0), 1e-12);
  const double t = 1 / std::sqrt(2.0); // of two degrees: P(|T| >= t) = 1 - t / sqrt(2 + t^2)
  EXPECT_NEAR(noise.probability(costs, pairedCosts(costs, pairs)), 1 - t / std::sqrt(2 + t * t),
              1e-12);
}

// Never different in 4 repetitions beyond the first, in both pairs: min(2/6 x 1/5, 1/6 x 1/6) x 2.
TEST(RepetitionNoise, WhatNeverDifferedInANoisyProgramMayBeNoisySeldom) {
  const std::vector<RunPair> pairs = inputs(2, 2);
  const CostSeries noisy{{9, 11, 9, 11}, {9, 11, 9, 11}}, steady{{5, 5, 7, 7}, {6, 6, 8, 8}};
  const std::vector<CostSeries> all{noisy, steady};
  const RepetitionNoise noise(pairs, all);
  EXPECT_NEAR(noise.probability(steady, pairedCosts(steady, pairs)), 2.0 / 36, 1e-12);
}

TEST(RepetitionNoise, WithoutRepetitionsADifferenceHasToGoThroughTheInputs) {
  const std::vector<RunPair> pairs = inputs(4, 1);
  const CostSeries through{{1, 2, 3, 4}, {2, 3, 4, 5}}, seldom{{1, 2, 3, 4}, {1, 2, 3, 9}};
  const std::vector<CostSeries> all{through, seldom};
  const RepetitionNoise noise(pairs, all);
  EXPECT_EQ(noise.kind(), Repeats::unknown);
  EXPECT_EQ(noise.probability(through, pairedCosts(through, pairs)), 0);
  EXPECT_NEAR(noise.probability(seldom, pairedCosts(seldom, pairs)), 0.391, 0.001); // t = 1, 3 df
  const std::vector<RunPair> one = inputs(1, 1);
  EXPECT_EQ(RepetitionNoise(one, all).probability(seldom, {{4}, {9}}), 1);
}

// Holm: 0.01 x 3, 0.02 x 2, 0.9, never falling.
TEST(RepetitionNoise, ProbabilitiesAreOfAllTestsTogether) {
  const std::vector<double> alone{0.02, 0.9, 0.01};
  const std::vector<double> together = adjusted(alone);
  EXPECT_DOUBLE_EQ(together[0], 0.04);
  EXPECT_DOUBLE_EQ(together[1], 0.9);
  EXPECT_DOUBLE_EQ(together[2], 0.03);
}

} // namespace
} // namespace quincunx
