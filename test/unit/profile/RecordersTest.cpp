// Bins of recorders, and histograms read from words.
#include "quincunx/profile/Recorders.h"

#include "quincunx/abi.h"

#include <gtest/gtest.h>

namespace quincunx {
namespace {

struct Bin {
  uint64_t length;
  uint32_t bin;
};

TEST(Recorders, lengthsHaveTheirBins) {
  const Bin table[] = {{0, 0},
                       {1, 1},
                       {15, 15},
                       {16, 16},
                       {19, 16},
                       {20, 17},
                       {31, 19},
                       {32, 20},
                       {39, 20},
                       {40, 21},
                       {(1 << 28) - 1, 111},
                       {7u << 25, 111},
                       {(7u << 25) - 1, 110},
                       {1u << 28, 111},
                       {1ull << 63, 111},
                       {UINT64_MAX, 111}};
  for (const Bin &b : table)
    EXPECT_EQ(qx_bin(b.length), b.bin) << b.length;
}

TEST(Recorders, binsFollowEachOtherWithoutGaps) {
  for (uint32_t b = 0; b < QX_BINS; ++b) {
    EXPECT_EQ(qx_bin(qx_bin_low(b)), b);
    if (b > 0)
      EXPECT_EQ(qx_bin(qx_bin_low(b) - 1), b - 1);
  }
}

TEST(Recorders, aBranchHasFourHistograms) {
  Branch branch;
  branch.recorder = 3;
  std::vector<uint64_t> words(3 + QX_RUN_WORDS);
  const auto word = [&](qx_run_kind kind, uint32_t bin) -> uint64_t & {
    return words[3 + kind * QX_BINS + bin];
  };
  word(QX_ENDED_TRUE, 0) = 7;
  word(QX_ENDED_TRUE, 5) = 2;
  word(QX_ENDED_FALSE, 0) = 9;
  word(QX_ENDED_FALSE, 16) = 4;
  word(QX_CUT_TRUE, 0) = 3;
  word(QX_CUT_TRUE, QX_BINS - 1) = 1;
  word(QX_CUT_FALSE, 1) = 15;
  const BranchRuns r = branchRuns(branch, words);
  EXPECT_EQ(r.firstFalse, 7u);
  EXPECT_EQ(r.firstTrue, 9u);
  EXPECT_EQ(r.notEvaluated, 3u);
  EXPECT_EQ(r.endedTrue, (Histogram{{5, 5, 2}}));
  EXPECT_EQ(r.endedFalse, (Histogram{{16, 19, 4}}));
  EXPECT_EQ(r.cutTrue, (Histogram{{7u << 25, UINT64_MAX, 1}}));
  EXPECT_EQ(r.cutFalse, (Histogram{{1, 1, 15}}));
}

TEST(Recorders, noTripsAreTripsToo) {
  Loop loop;
  loop.recorder = 0;
  std::vector<uint64_t> words(QX_BINS);
  words[0] = 5;
  words[20] = 1;
  EXPECT_EQ(loopTrips(loop, words), (Histogram{{0, 0, 5}, {32, 39, 1}}));
}

} // namespace
} // namespace quincunx
