// Folding loops, and what is lost.
#include "quincunx/parallel/FoldedLoop.h"

#include "Descriptions.h"

#include <cmath>
#include <numeric>
#include <random>

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

namespace {
double normal(std::mt19937_64 &random) { // Box and Muller
  const double u = (static_cast<double>(random() >> 11) + 1) * 0x1p-53;
  const double v = static_cast<double>(random() >> 11) * 0x1p-53;
  return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
}
/// A trend times a lognormal law, and a hundredth of the iterations a hundred times dearer.
std::vector<double> uneven(size_t n) {
  std::mt19937_64 random(5);
  std::vector<double> costs(n);
  for (size_t i = 0; i < n; ++i)
    costs[i] = (1 + 3.0 * static_cast<double>(i) / static_cast<double>(n)) *
               std::exp(normal(random)) * (random() % 100 == 0 ? 100 : 1);
  return costs;
}
std::vector<double> again(const FoldedLoop &f, uint64_t seed = 1) {
  const Result<std::vector<double>> costs = unfold(f, seed);
  EXPECT_TRUE(costs) << (costs ? "" : costs.error().text);
  return costs ? *costs : std::vector<double>{};
}
double sum(const std::vector<double> &x) { return std::accumulate(x.begin(), x.end(), 0.0); }
} // namespace

TEST(FoldedLoop, KeepsSumsAndTheDearest) {
  const std::vector<double> costs = uneven(1000);
  const FoldedLoop f = fold(costs, 10, 7);
  ASSERT_EQ(f.segments.size(), 10u);
  ASSERT_EQ(f.dear.size(), 7u);
  const std::vector<double> back = again(f);
  ASSERT_EQ(back.size(), costs.size());
  for (size_t s = 0; s < 10; ++s)
    EXPECT_NEAR(std::accumulate(back.begin() + static_cast<long>(100 * s),
                                back.begin() + static_cast<long>(100 * s + 100), 0.0),
                std::accumulate(costs.begin() + static_cast<long>(100 * s),
                                costs.begin() + static_cast<long>(100 * s + 100), 0.0),
                1e-9);
  for (const DearIteration &i : f.dear)
    EXPECT_EQ(back[i.index], costs[i.index]);
  EXPECT_EQ(*std::max_element(back.begin(), back.end()),
            *std::max_element(costs.begin(), costs.end()));
  EXPECT_EQ(again(f, 1), back);
  EXPECT_NE(again(f, 2), back);
}

TEST(FoldedLoop, BinsAreOctavesBelowTheDearest) {
  const FoldedLoop f = fold(std::vector<double>{64, 33, 32, 16.5, 0, 1e-9}, 1, 0);
  EXPECT_EQ(f.segments[0].top, 64);
  EXPECT_EQ(f.segments[0].histogram[15], 2u);
  EXPECT_EQ(f.segments[0].histogram[14], 2u);
  EXPECT_EQ(f.segments[0].histogram[0], 2u);
}

TEST(FoldedLoop, EqualIterationsAreKept) {
  EXPECT_EQ(again(fold(std::vector<double>(50, 3.0), 4, 0)), std::vector<double>(50, 3.0));
  EXPECT_EQ(again(fold(std::vector<double>(50, 0.0), 4, 3)), std::vector<double>(50, 0.0));
  EXPECT_TRUE(again(fold(std::vector<double>{}, 4, 3)).empty());
}

// What schedules make of it: 10^4 iterations in 64 segments with the 64 dearest. The order of all
// together is not enough, and neither are sums (docs/27-parallel.md).
TEST(FoldedLoop, SchedulesTakeAsLong) {
  const std::vector<double> costs = uneven(10000);
  const std::vector<double> back = again(fold(costs, 64, 64));
  EXPECT_NEAR(sum(back) / sum(costs), 1, 1e-12);
  const auto error = [&](const std::vector<double> &other, Schedule s, uint64_t chunk, uint32_t p) {
    return timeOf(parallelLoop(other, s, chunk), threads(p)) /
               timeOf(parallelLoop(costs, s, chunk), threads(p)) -
           1;
  };
  for (const uint32_t p : {2u, 8u, 64u}) {
    EXPECT_NEAR(error(back, Schedule::fixed, 0, p), 0, 0.06) << p;
    EXPECT_NEAR(error(back, Schedule::queue, 1, p), 0, 0.01) << p;
    EXPECT_NEAR(error(back, Schedule::queue, 10, p), 0, 0.04) << p;
    EXPECT_NEAR(error(back, Schedule::guided, 1, p), 0, 0.04) << p;
  }
  EXPECT_LT(error(again(fold(costs, 1, 64)), Schedule::fixed, 0, 2), -0.05) << "order is lost";
}

TEST(FoldedLoop, RefusesCountsThatDoNotAgree) {
  FoldedLoop f = fold(std::vector<double>{1, 2, 3, 4}, 2, 1);
  f.segments[0].count = 3;
  EXPECT_EQ(unfold(f, 1).error().text,
            "a segment has fewer iterations in its histogram than it counts");
  f.segments[0].count = 1;
  EXPECT_EQ(unfold(f, 1).error().text,
            "a segment has more iterations in its histogram than it counts");
  f = fold(std::vector<double>{1, 2, 3, 4}, 2, 1);
  f.dear[0].index = 9;
  f.segments[1].histogram[15] = 2;
  EXPECT_EQ(unfold(f, 1).error().text, "an iteration is kept that the loop has not");
}
