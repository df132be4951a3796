// Whom calls through pointers call, where what a run decides hides what an outcome decides.
#include "../../../lib/estimate/counts/PointerTargets.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

using namespace quincunx;
using PerRun = PointerTargets::PerRun;

namespace {
/// All sites may call each function.
std::vector<PointerTargets::Sites> callersOf(const std::vector<PerRun> &calls,
                                             const std::vector<PerRun> &entries) {
  PointerTargets::Sites all(calls.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return std::vector(entries.size(), all);
}
} // namespace

TEST(PointerTargets, WhatARunDecidesIsNotKnownOfThePartsOfASite) {
  // One more call a run, of one of five, which counts do not tell from those that follow a branch.
  std::mt19937_64 random(36);
  std::vector<PerRun> calls(2), entries(7);
  for (int d = 0; d < 200; ++d) {
    double trues = 0;
    for (int i = 0; i < 30; ++i)
      trues += random() % 100 < 15 ? 1 : 0;
    const uint64_t kind = random() % 5;
    calls[0].push_back(trues * 31 / 30);
    calls[1].push_back((30 - trues) * 31 / 30);
    entries[0].push_back(trues);
    entries[1].push_back(30 - trues);
    for (uint64_t k = 0; k < 5; ++k)
      entries[2 + k].push_back(k == kind ? 1 : 0);
  }
  const PointerTargets targets(calls, entries, callersOf(calls, entries));
  EXPECT_FALSE(targets.isKnown(0));
  const std::vector<double> costs{1000, 100, 170000, 2000, 2000, 2000, 2000, 0};
  const auto cost = [&](size_t site, size_t run, bool most) {
    double sum = 0;
    for (const auto &[target, share] : targets.extreme(site, run, costs, most))
      sum += share * costs[target];
    return sum;
  };
  for (size_t d = 0; d < 200; ++d)
    if (calls[0][d] > 0) { // an outcome more calls the first in place of the second
      EXPECT_LE(cost(0, d, false) - cost(1, d, true), 900 * 30.0 / 31 + 1e-6) << d;
      EXPECT_GE(cost(0, d, true) - cost(1, d, false), 900 * 30.0 / 31 - 1e-6) << d;
    }
}

TEST(PointerTargets, KnownSharesAreTheirOwnExtremes) {
  // Where 1 - (1 - x) is above x by rounding, as for 0.3, their least is above their most.
  for (int percent = 1; percent < 100; ++percent) {
    std::vector<PerRun> calls(1), entries(2);
    for (int d = 1; d <= 20; ++d) {
      calls[0].push_back(100 * d);
      entries[0].push_back(percent * d);
      entries[1].push_back((100 - percent) * d);
    }
    const PointerTargets targets(calls, entries, callersOf(calls, entries));
    ASSERT_TRUE(targets.isKnown(0));
    for (const bool most : {false, true}) {
      double sum = 0;
      for (const auto &[target, share] : targets.extreme(0, 3, {{500.0, 700.0, 0.0}}, most))
        sum += share * (target == 0 ? 500 : 700);
      EXPECT_NEAR(sum, 700 - 2 * percent, 1e-9);
    }
  }
}

TEST(PointerTargets, TypesTellWhatCountsDoNot) {
  // Both sites are as often in all runs, and so are both targets.
  std::vector<PerRun> calls(2), entries(2);
  for (int d = 1; d <= 20; ++d)
    for (auto *of : {&calls[0], &calls[1], &entries[0], &entries[1]})
      of->push_back(100 * d);
  const PointerTargets open(calls, entries, callersOf(calls, entries));
  EXPECT_FALSE(open.isKnown(0));
  const PointerTargets told(calls, entries, {{0}, {1}});
  for (size_t site = 0; site < 2; ++site) {
    EXPECT_TRUE(told.isKnown(site));
    ASSERT_EQ(told.of(site).size(), 1u);
    EXPECT_EQ(told.of(site)[0].target, site);
    EXPECT_DOUBLE_EQ(told.of(site)[0].value[7], 1);
  }
}

TEST(PointerTargets, EntriesAreCalledFromSomewhere) {
  // Most of what the sites call differs from run to run, so that no regression holds.
  std::mt19937_64 random(8);
  std::vector<PerRun> calls(3), entries(4);
  for (int d = 0; d < 100; ++d) {
    double all[4] = {0, 0, 0, 0};
    for (auto &site : calls) {
      const uint64_t first = random() % 50, second = random() % 50;
      site.push_back(static_cast<double>(first + second));
      all[random() % 4] += static_cast<double>(first);
      all[random() % 4] += static_cast<double>(second);
    }
    for (size_t t = 0; t < 4; ++t)
      entries[t].push_back(all[t]);
  }
  const PointerTargets targets(calls, entries, callersOf(calls, entries));
  for (size_t d = 0; d < 100; ++d) {
    double called[5] = {0, 0, 0, 0, 0};
    for (size_t s = 0; s < 3; ++s) {
      double whole = 0;
      for (const PointerTargets::Share &share : targets.of(s)) {
        called[share.target] += share.value[d] * calls[s][d];
        whole += share.value[d];
      }
      EXPECT_NEAR(whole, 1, 1e-9) << d;
    }
    for (size_t t = 0; t < 4; ++t)
      EXPECT_NEAR(called[t], entries[t][d], 1e-4 * (1 + entries[t][d])) << d << " " << t;
  }
}
