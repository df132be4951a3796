// Groups of values: found where there are some, and not where there is one hump.
#include "quincunx/estimate/Modes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

using namespace quincunx;

namespace {

using Draw = std::function<double(std::mt19937_64 &)>;

double uniform(std::mt19937_64 &r) { return std::ldexp(static_cast<double>((r() >> 11) + 1), -53); }
double normal(std::mt19937_64 &r) {
  return std::sqrt(-2 * std::log(uniform(r))) * std::cos(6.283185307179586 * uniform(r));
}
double poisson(std::mt19937_64 &r, double mean) {
  double n = 0;
  for (double p = uniform(r); p > std::exp(-mean); p *= uniform(r))
    ++n;
  return n;
}

Modes modesOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return findModes(values, std::vector<double>(values.size(), 1.0));
}

/// How many of 200 samples of n values are parted.
size_t parted(size_t n, const Draw &draw) {
  size_t count = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(1000 * n + seed);
    std::vector<double> values;
    for (size_t i = 0; i < n; ++i)
      values.push_back(draw(random));
    count += !modesOf(values).cuts.empty();
  }
  return count;
}

} // namespace

TEST(Modes, OneHumpIsNotParted) {
  // One hump on a logarithmic scale where all values are positive.
  const std::pair<const char *, Draw> laws[] = {
      {"uniform", [](auto &r) { return 5 + uniform(r); }},
      {"log-uniform", [](auto &r) { return std::exp(9 * uniform(r)); }},
      {"normal", [](auto &r) { return 1000 + 50 * normal(r); }},
      {"log-normal", [](auto &r) { return std::exp(10 + 2 * normal(r)); }},
      {"exponential", [](auto &r) { return -std::log(uniform(r)); }},
      {"Pareto", [](auto &r) { return std::pow(uniform(r), -1.0); }},
      {"triangular", [](auto &r) { return 3 + uniform(r) + uniform(r); }},
      {"negative", [](auto &r) { return normal(r); }},
      {"sizes, counted", [](auto &r) { return std::floor(20 + 10 * std::exp(normal(r))); }},
      {"a lattice", [](auto &r) { return 100 + 7 * std::floor(12 * uniform(r)); }},
      {"few of many", [](auto &r) { return 4000 + 30 * poisson(r, 6); }},
      {"mostly the same",
       [](auto &r) { return uniform(r) < 0.6 ? 50 : 50 * std::exp(0.6 * uniform(r)); }},
      {"a long tail", [](auto &r) { return uniform(r) < 0.98 ? 100 + normal(r) : 5000; }},
  };
  for (const size_t n : {30u, 300u})
    for (const auto &[name, draw] : laws)
      EXPECT_LE(parted(n, draw), 7u) << name << " " << n << ": one in a hundred are allowed";
}

TEST(Modes, TwoHumpsAreParted) {
  const std::pair<const char *, Draw> laws[] = {
      {"halves", [](auto &r) { return (uniform(r) < 0.5 ? 1000 : 2000) + 100 * normal(r); }},
      {"a sixth",
       [](auto &r) { return (uniform(r) < 0.84 ? 1e4 : 1e5) * std::exp(0.1 * normal(r)); }},
      {"a quarter, wide",
       [](auto &r) { return (uniform(r) < 0.75 ? 1e4 : 1e5) * std::exp(0.3 * normal(r)); }},
      {"wide and narrow",
       [](auto &r) { return uniform(r) < 0.5 ? 10 + 0.01 * normal(r) : 20 + normal(r); }},
      {"decades", [](auto &r) { return -std::log(uniform(r)) * (uniform(r) < 0.5 ? 1 : 1e5); }},
      {"heaps",
       [](auto &r) { return (uniform(r) < 0.5 ? 100 : 500) + std::floor(4 * uniform(r)); }},
      {"two values", [](auto &r) { return uniform(r) < 0.7 ? 100.0 : 101.0; }},
  };
  for (const auto &[name, draw] : laws)
    EXPECT_GE(parted(300, draw), 198u) << name;
}

TEST(Modes, PartsBetweenTheHumps) {
  std::mt19937_64 random(4);
  std::vector<double> values;
  for (int i = 0; i < 90; ++i)
    values.push_back(1000 + 50 * normal(random));
  for (int i = 0; i < 60; ++i)
    values.push_back(5000 + 300 * normal(random));
  for (int i = 0; i < 150; ++i)
    values.push_back(40000 + 900 * normal(random));
  EXPECT_EQ(modesOf(values).cuts, (std::vector<size_t>{90, 150}));
}

TEST(Modes, FewValuesAreGroups) {
  std::vector<double> values(10, 7.0);
  values.insert(values.end(), 40, 8.0);
  values.insert(values.end(), 50, 900.0);
  EXPECT_EQ(modesOf(values).cuts, (std::vector<size_t>{10, 50}));
  EXPECT_TRUE(modesOf(std::vector<double>(100, 3.0)).cuts.empty());
  values.assign(98, 7.0);
  values.insert(values.end(), 2, 90.0);
  EXPECT_TRUE(modesOf(values).cuts.empty()) << "two of a hundred are a tail";
  EXPECT_TRUE(modesOf({1, 2, 3}).cuts.empty());
}

TEST(Modes, TheCriticalValueIsThatOfTheUniformLaw) {
  for (const size_t n : {30u, 100u, 1000u}) {
    size_t above = 0, draws = n > 500 ? 400 : 2000;
    for (unsigned seed = 0; seed < draws; ++seed) {
      std::mt19937_64 random(seed);
      std::vector<double> values;
      for (size_t i = 0; i < n; ++i)
        values.push_back(uniform(random) - 1); // not positive: no logarithm
      const Modes m = modesOf(values);
      above += m.excess > m.critical;
    }
    const double share = static_cast<double>(above) / static_cast<double>(draws);
    EXPECT_LE(share, 0.0175) << n;
    if (n <= 100)
      EXPECT_GE(share, 0.0005) << n << ": so large a value would find nothing";
  }
}

TEST(Modes, WeightsCount) {
  // As many requests as four times as many of equal weight would be, and no more sure of it.
  std::mt19937_64 random(8);
  std::vector<double> values;
  for (int i = 0; i < 100; ++i)
    values.push_back((i < 50 ? 10 : 30) + normal(random));
  std::sort(values.begin(), values.end());
  const Modes equal = findModes(values, std::vector<double>(100, 1.0));
  EXPECT_EQ(equal.cuts, (std::vector<size_t>{50}));
  const Modes same = findModes(values, std::vector<double>(100, 4.0));
  EXPECT_EQ(same.critical, equal.critical);
  std::vector<double> unequal(100, 1.0);
  unequal[0] = 50;
  EXPECT_GT(findModes(values, unequal).critical, 2 * equal.critical);
}
