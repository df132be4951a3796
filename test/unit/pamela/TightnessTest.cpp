// How far the bound is below the time: random models as in the text (van Gemund, section 2.3,
// figure 3), N = 100 coarse tasks in a random series-parallel graph, each a long sequence of
// accesses to M resources, each of which is as likely as the others. T^l / T is looked at by theta.
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/pamela/Simulate.h"

#include "Models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

using namespace quincunx;
using namespace quincunx::pamela;
using namespace quincunx::pamela::test;

namespace {

constexpr size_t tasks = 100, accesses = 100;

class Graphs {
public:
  explicit Graphs(uint64_t seed) : random(seed) {}

  /// M is 2 ... 100, each as often; graphs of any depth, from all parallel to all in series.
  Model next() {
    last = random;
    return made(num(1));
  }
  /// The last one with other times of all accesses.
  Model again(const Tree &time) {
    random = last;
    return made(time);
  }
  size_t resources = 0;

private:
  double unit() { return std::ldexp(static_cast<double>(random() >> 11), -53); }
  Model made(const Tree &time) {
    resources = 2 + below(99);
    uses.clear();
    for (size_t r = 0; r < resources; ++r)
      uses.push_back(use(fcfs(static_cast<double>(r)), time));
    inSeries = unit();
    return model(graph(tasks));
  }
  size_t below(size_t n) { return static_cast<size_t>(unit() * static_cast<double>(n)); }
  Tree graph(size_t n) {
    if (n == 1) {
      std::vector<Tree> all(accesses);
      std::generate(all.begin(), all.end(), [&] { return uses[below(resources)]; });
      return sequence(std::move(all));
    }
    const size_t first = 1 + below(n - 1);
    std::vector<Tree> both{graph(first), graph(n - first)};
    return unit() < inSeries ? sequence(std::move(both)) : parallel(std::move(both));
  }

  std::mt19937_64 random, last;
  std::vector<Tree> uses;
  double inSeries = 0;
};

struct Ratios {
  size_t count = 0;
  double sum = 0, least = 1;
  double mean() const { return sum / static_cast<double>(count); }
  void add(double ratio) {
    ++count;
    sum += ratio;
    least = std::min(least, ratio);
  }
};

} // namespace

TEST(PamelaTightness, TheBoundIsWeakestWherePathAndContentionMeet) {
  // By theta in steps of 1/2 about -2 ... 2, and next to 0 by the number of resources.
  std::array<Ratios, 9> byTheta;
  Ratios few, many;
  Graphs graphs(1);
  for (size_t models = 0; models < 1000;) {
    const Model m = graphs.next();
    const Result<Evaluated> bound = evaluate(m, {});
    ASSERT_TRUE(bound) << bound.error().message();
    if (std::fabs(bound->theta) >= 2.25)
      continue;
    const Result<Simulated> time = simulate(m);
    ASSERT_TRUE(time) << time.error().message();
    const double ratio = bound->T.k1 / time->moments.mean;
    ASSERT_LE(ratio, 1 + 1e-12);
    byTheta[static_cast<size_t>(std::lround(2 * bound->theta) + 4)].add(ratio);
    if (std::fabs(bound->theta) < 0.25 && graphs.resources <= 5)
      few.add(ratio);
    if (std::fabs(bound->theta) < 0.25 && graphs.resources >= 20)
      many.add(ratio);
    ++models;
  }
  // What docs/12-pamela.md shows.
  const double shown[] = {0.95, 0.91, 0.85, 0.74, 0.65, 0.73, 0.84, 0.91, 0.95};
  for (size_t i = 0; i < byTheta.size(); ++i) {
    SCOPED_TRACE((static_cast<double>(i) - 4) / 2);
    EXPECT_GE(byTheta[i].count, 10u);
    EXPECT_NEAR(byTheta[i].mean(), shown[i], 0.02);
    EXPECT_GT(byTheta[i].least, 0.5);
  }
  EXPECT_LT(byTheta[4].least, 0.6);
  EXPECT_GT(byTheta[0].least, 0.9);
  EXPECT_GT(byTheta[8].least, 0.9);
  // The more resources there are, the weaker it is.
  EXPECT_GE(few.count, 5u);
  EXPECT_GT(few.mean(), many.mean() + 0.05);
}

// The text: "T^l = 0.5 T on average" at theta = 0. That is so when times of accesses are
// exponential (a closed network with as many jobs as servers has 2 - 1/M of its bound); constant
// times wait less for each other.
TEST(PamelaTightness, AtItsWeakestTheBoundIsAboutHalf) {
  Ratios constant, exponential;
  Graphs graphs(1);
  while (constant.count < 40) {
    const Model m = graphs.next();
    const Result<Evaluated> bound = evaluate(m, {});
    ASSERT_TRUE(bound) << bound.error().message();
    if (std::fabs(bound->theta) >= 0.1)
      continue;
    const Model random = graphs.again(law("exponential", {1}));
    SimulateOptions options;
    options.replications = 3;
    const Result<Simulated> time = simulate(m), randomTime = simulate(random, options);
    ASSERT_TRUE(time && randomTime);
    constant.add(bound->T.k1 / time->moments.mean);
    exponential.add(bound->T.k1 / randomTime->moments.mean);
  }
  EXPECT_NEAR(constant.mean(), 0.625, 0.02);
  EXPECT_NEAR(exponential.mean(), 0.55, 0.02);
  EXPECT_GT(exponential.least, 0.45);
}
