// A program whose times are known to the last digit: counts, what every block really takes, and the
// times of its runs, for tests of calibrations.
#pragma once

#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/estimate/Calibrate.h"
#include "quincunx/estimate/Observed.h"

#include "Synthetic.h"

#include <cmath>
#include <gtest/gtest.h>
#include <optional>
#include <random>

namespace quincunx::test {

/// The loop with misses simulated: of its branch (counter 3), and of the memory that arm A touches
/// (counters 4 to 8: l2Hit, l3Hit, memoryAccess, prefetchedLine, pageWalk).
inline Function loopWithMisses(const std::string &name) {
  Function f = loopWithBranch(name);
  f.counterCount = 9;
  Branch &branch = f.branches.emplace_back();
  branch.block = 1;
  branch.isSwitch = true;
  branch.arms = {2, 3, 4};
  branch.misses = 3;
  f.blocks[2].memory = 4;
  return f;
}

/// ns per simulated miss.
struct PerMiss {
  double mispredict = 0, far = 0;
};

struct TimedProgramData {
  /// Three functions of the same code, two of them of the same name.
  std::vector<Map> maps;
  /// ns per execution, by function and block: entry, header, A, B, exit.
  std::vector<std::vector<double>> truth{
      {1, 0.5, 2, 0.7, 0.3}, {2, 0.5, 6, 0.7, 0.3}, {2, 0.5, 2, 2.5, 0.3}};
  double start = 2e5; ///< ns
  std::vector<quincunx::Run> runs;
  CountMatrix matrix;
  std::vector<TimedRun> times;

  /// `noise`: deviation of the logarithm of a time. Runs differ up to thirtyfold. `others`: so many
  /// more functions, whose prices differ e-fold.
  TimedProgramData(size_t count, uint64_t seed, double noise = 0,
                   std::optional<PerMiss> perMiss = {}, size_t others = 0) {
    const auto loop = [&](const char *name) {
      return perMiss ? loopWithMisses(name) : loopWithBranch(name);
    };
    std::vector<Function> functions{loop("work"), loop("twin"), loop("twin")};
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> logarithm(std::log(2e4), std::log(6e5));
    std::normal_distribution<double> normal;
    for (size_t f = 0; f < others; ++f) {
      const double price = std::exp(normal(random));
      functions.push_back(loop(("other" + std::to_string(f)).c_str()));
      truth.push_back({2 * price, 0.5 * price, 2 * price, 0.7 * price, 0.3 * price});
    }
    maps = {mapOf(functions)};
    for (size_t d = 0; d < count; ++d) {
      std::vector<uint64_t> counters;
      double time = start;
      for (const std::vector<double> &t : truth) {
        const double trips = std::exp(logarithm(random)), share = 0.2 + 0.6 * uniform(random);
        const auto a = static_cast<uint64_t>(trips * share), b = static_cast<uint64_t>(trips) - a;
        counters.insert(counters.end(), {1, a, b});
        const auto x = static_cast<double>(a), y = static_cast<double>(b);
        time += t[0] + t[4] + (1 + x + y) * t[1] + x * t[2] + y * t[3];
        if (!perMiss)
          continue;
        const auto mispredicted = static_cast<uint64_t>(trips * 0.3 * uniform(random)),
                   far = static_cast<uint64_t>(x * 0.1 * uniform(random));
        counters.insert(counters.end(), {mispredicted, 0, far, 0, 0, 0});
        time += static_cast<double>(mispredicted) * perMiss->mispredict +
                static_cast<double>(far) * perMiss->far;
      }
      runs.push_back(runOf("r" + std::to_string(d), maps[0], counters));
      times.push_back({d, time * std::exp(noise * normal(random))});
    }
    CountMatrixBuilder builder(maps, runs.size());
    for (const quincunx::Run &run : runs)
      EXPECT_TRUE(builder.add(run));
    Result<CountMatrix> built = builder.finish();
    EXPECT_TRUE(built);
    matrix = std::move(*built);
  }

  /// From the first `count` runs.
  Result<Calibration> calibrated(size_t count, const Stopwatch &how = {0.001, 0, {}}) const {
    return calibrate(matrix, maps, *machineByName("x86-64"), std::span(times).first(count), how);
  }

private:
  static double uniform(std::mt19937_64 &random) {
    return std::uniform_real_distribution<double>()(random);
  }
};

/// What reports say of its runs.
inline Observed observed(const TimedProgramData &p, const Machine &m) {
  Observer o(p.maps, m, p.runs.size());
  for (const quincunx::Run &run : p.runs)
    EXPECT_TRUE(o.add(run));
  Result<Observed> r = o.finish();
  EXPECT_TRUE(r);
  return std::move(*r);
}

} // namespace quincunx::test
