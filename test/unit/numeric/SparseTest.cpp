// Sparse systems against dense ones, with components of one and of several equations.
#include "quincunx/numeric/LinearSystem.h"
#include "quincunx/numeric/Sparse.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace quincunx;

namespace {

using Places = std::vector<std::pair<uint32_t, uint32_t>>;

struct Equations {
  Places places;
  std::vector<double> values;
  std::vector<double> dense; ///< row by row
};

/// Rows and columns are shuffled; those of one of `apart` parts have unknowns of it and of earlier ones.
Equations drawn(uint32_t n, uint32_t apart, std::mt19937_64 &random) {
  std::vector<uint32_t> place(n);
  for (uint32_t i = 0; i < n; ++i)
    place[i] = i;
  std::ranges::shuffle(place, random);
  std::uniform_real_distribution<double> value(-1, 1);
  Equations e;
  e.dense.resize(size_t{n} * n);
  const auto add = [&](uint32_t row, uint32_t column, double v) {
    e.places.emplace_back(place[row], place[column]);
    e.values.push_back(v);
    e.dense[size_t{place[row]} * n + place[column]] += v;
  };
  for (uint32_t i = 0; i < n; ++i) {
    add(i, i, 4 + value(random));
    const uint32_t end = n * (i * apart / n + 1) / apart; // of its part
    for (int k = 0; k < 3; ++k)
      add(i, static_cast<uint32_t>(random() % end), value(random)); // some come several times
  }
  return e;
}

TEST(Sparse, IsAsDense) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> value(-1, 1);
  for (const uint32_t n : {1u, 2u, 7u, 40u})
    for (const uint32_t apart : {1u, 3u, n}) {
      const Equations e = drawn(n, std::min(apart, n), random);
      SparseSystem system(n, e.places);
      ASSERT_TRUE(system.set(e.values));
      std::vector<std::vector<double>> right(3, std::vector<double>(n));
      for (double &b : right[0])
        b = value(random);
      right[1][random() % n] = 2; // most unknowns are 0
      const std::vector<std::vector<double>> all = system.solveAll(right);
      for (size_t i = 0; i < right.size(); ++i) {
        const Result<std::vector<double>> dense = solveLinear(e.dense, right[i]);
        ASSERT_TRUE(dense);
        EXPECT_EQ(system.solve(right[i]), all[i]);
        for (size_t x = 0; x < n; ++x)
          EXPECT_NEAR(all[i][x], (*dense)[x], 1e-12) << n << " " << apart;
      }
      EXPECT_EQ(all[2], right[2]) << "nothing of nothing";
    }
}

TEST(Sparse, HasOneSolutionOrNone) {
  const Places places{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}, {2, 0}};
  SparseSystem system(3, places);
  EXPECT_EQ(system.solve(std::vector<double>{1, 1, 1, 2, 4, -1}, std::vector<double>{3, 5, 2}),
            (std::vector<double>{1, 2, 0.75}));
  EXPECT_FALSE(system.set(std::vector<double>{1, 1, 1, 2, 0, -1})) << "an equation without its unknown";
  EXPECT_FALSE(system.set(std::vector<double>{1, 2, 2, 4, 1, -1})) << "two that say the same";
  EXPECT_TRUE(system.set(std::vector<double>{1, 1, 1, 2, 4, -1})) << "and again";
  EXPECT_TRUE(system.solve(std::vector<double>{NAN, 1, 1}).empty());
}

} // namespace
