// Lopez et al. against exact makespans: right for constant tasks, wrong as documented for random
// ones.
#include "published/Compare.h"
#include "quincunx/numeric/Special.h"

#include <cmath>
#include <numeric>

using namespace quincunx;
using namespace quincunx::test;
using namespace quincunx::published;

namespace {

const MeanVariance constant{1, 0}, exponential{1, 1};

// Mean and variance of the largest number of tasks on one processor, as fractions.
TEST(Skeletons, ConstantTasksAreExact) { // proposition 2 with V[xi] = 0
  const struct {
    int n, m;
    double mean, variance;
  } rows[] = {{1, 4, 1, 0},
              {4, 2, 2.75, 0.4375},
              {8, 4, 3.5380859375, 0.62110805511474609375},
              {10, 3, 4.9265863943504547, 0.83365936797421161}};
  for (const auto &row : rows) {
    const MeanVariance y = parallelMap(constant, row.n, row.m);
    EXPECT_NEAR(y.mean, row.mean, 1e-9);
    EXPECT_NEAR(y.variance, row.variance, 1e-9);
  }
}

TEST(Skeletons, LargestShareIsALaw) {
  for (const auto &[n, m] : {std::pair{0, 3}, {1, 1}, {5, 1}, {7, 20}, {40, 3}}) {
    const std::vector<double> p = largestShare(n, m);
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
    EXPECT_EQ(p.size(), static_cast<size_t>(n) + 1);
  }
  EXPECT_NEAR(largestShare(2, 2)[1], 0.5, 1e-14);
  EXPECT_NEAR(largestShare(3, 3)[3], 3 / 27.0, 1e-14);
}

// Eight exponential tasks on four processors: 3.54 and 13.8 by proposition 2; exactly 4.245
// and 3.48.
TEST(Skeletons, RandomTasksAreNot) {
  const MeanVariance y = parallelMap(exponential, 8, 4);
  EXPECT_NEAR(y.mean, 3.538, 0.001);
  EXPECT_NEAR(y.variance, 13.76, 0.01);
  // Exactly, by the 30-digit convolution of all placements
  EXPECT_NEAR(y.mean / 4.244713410428522, 0.8335, 1e-3);
  EXPECT_NEAR(y.variance / 3.4779613, 3.956, 1e-3);
}

TEST(Skeletons, FixedPlacement) { // proposition 1
  const int placement[] = {2, 5, 1};
  const MeanVariance y = parallelMap({3, 4}, placement);
  EXPECT_EQ(y.mean, 15);
  EXPECT_EQ(y.variance, 100); // 5^2 4; the sum of five tasks has 20
  EXPECT_EQ(parallelMap({3, 4}, std::span<const int>{}).mean, 0);
}

TEST(Skeletons, Probability) { // lemma 3
  const auto gammaSum = [](int k, double t) { return gammaCdf(k, t); };
  // Two tasks on two processors: half the time both on one.
  const double t = 1.7;
  EXPECT_NEAR(parallelMapProbability(2, 2, t, gammaSum),
              0.5 * gammaCdf(1, t) + 0.5 * gammaCdf(2, t), 1e-14);
  // Exactly, half the time the last of two: F^2
  EXPECT_GT(parallelMapProbability(2, 2, t, gammaSum),
            0.5 * gammaCdf(1, t) * gammaCdf(1, t) + 0.5 * gammaCdf(2, t) + 0.05);
  EXPECT_EQ(parallelMapProbability(0, 2, 1, gammaSum), 1);
}

TEST(Skeletons, DivideAndConquer) { // lemma 4
  // On one processor it is the plain sum, but for the root's split and combine, which are left out:
  // arity 2 and depth 3 have 7 of each, and 6 are counted.
  const MeanVariance y = divideAndConquer(constant, {0.5, 0}, {0.25, 0}, 3, 2, 1);
  EXPECT_NEAR(y.mean, 8 + 6 * 0.75, 1e-12);
  EXPECT_NEAR(y.variance, 0, 1e-9);
  EXPECT_NEAR(divideAndConquer(constant, {0.5, 0}, {0.25, 0}, 1, 2, 1).mean, 2, 1e-12);
  EXPECT_NEAR(divideAndConquer({5, 2}, {1, 1}, {1, 1}, 0, 2, 3).mean, 5, 1e-12);
}

} // namespace
