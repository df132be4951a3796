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

TEST(Recorders, LengthsHaveTheirBins) {
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

TEST(Recorders, BinsFollowEachOtherWithoutGaps) {
  for (uint32_t b = 0; b < QX_BINS; ++b) {
    EXPECT_EQ(qx_bin(qx_bin_low(b)), b);
    if (b > 0)
      EXPECT_EQ(qx_bin(qx_bin_low(b) - 1), b - 1);
  }
}

TEST(Recorders, LengthsLieOnBothSidesOfAWord) {
  EXPECT_EQ(qx_signed_bin(0), 0);
  for (const int64_t r : {int64_t{1}, int64_t{15}, int64_t{16}, int64_t{1000}, INT64_MAX}) {
    EXPECT_EQ(qx_signed_bin(r), int64_t{qx_bin(static_cast<uint64_t>(r))});
    EXPECT_EQ(qx_signed_bin(-r), -qx_signed_bin(r));
  }
  EXPECT_EQ(qx_signed_bin(INT64_MIN), -int64_t{QX_BINS - 1});
}

TEST(Recorders, ABranchHasFourHistograms) {
  Function f;
  Branch branch;
  branch.recorder = 3;
  std::vector<uint64_t> words(3 + QX_RUN_WORDS);
  const auto word = [&](uint32_t center, int64_t bin) -> uint64_t & {
    return words[static_cast<size_t>(3 + center + bin)];
  };
  word(QX_ENDED_TRUE, 0) = 7;
  word(QX_ENDED_TRUE, 5) = 2;
  word(QX_ENDED_TRUE, QX_BINS - 1) = 6;
  word(QX_ENDED_FALSE, 0) = 9;
  word(QX_ENDED_FALSE, -16) = 4;
  word(QX_ENDED_FALSE, -int64_t{QX_BINS - 1}) = 8;
  word(QX_CUT, 0) = 3;
  word(QX_CUT, QX_BINS - 1) = 1;
  word(QX_CUT, -1) = 15;
  word(QX_CUT, -int64_t{QX_BINS - 1}) = 5;
  const BranchRuns r = branchRuns(f, branch, words);
  EXPECT_EQ(r.firstFalse, 7u);
  EXPECT_EQ(r.firstTrue, 9u);
  EXPECT_EQ(r.endedTrue, (Histogram{{5, 5, 2}, {7u << 25, UINT64_MAX, 6}}));
  EXPECT_EQ(r.endedFalse, (Histogram{{16, 19, 4}, {7u << 25, UINT64_MAX, 8}}));
  EXPECT_EQ(r.cutTrue, (Histogram{{7u << 25, UINT64_MAX, 1}}));
  EXPECT_EQ(r.cutFalse, (Histogram{{1, 1, 15}, {7u << 25, UINT64_MAX, 5}}));
}

TEST(Recorders, NoTripsAreTripsToo) {
  Loop loop;
  loop.recorder = 0;
  loop.exits = {noIndex};
  std::vector<uint64_t> words(QX_BINS);
  words[0] = 5;
  words[20] = 1;
  EXPECT_EQ(loopTrips(loop, words), (Histogram{{0, 0, 5}, {32, 39, 1}}));
}

TEST(Recorders, TripsOfAllExitsAddUp) {
  Loop loop;
  loop.recorder = 1;
  loop.exits = {noIndex, 7};
  std::vector<uint64_t> words(1 + 2 * QX_BINS);
  words[1 + 3] = 5, words[1 + 9] = 1;
  words[1 + QX_BINS + 3] = 2, words[1 + QX_BINS + 4] = 6;
  EXPECT_EQ(loopTrips(loop, words), (Histogram{{3, 3, 7}, {4, 4, 6}, {9, 9, 1}}));
}

// while (...) { if (A) break; if (B) break; if (C) return; }, all of which leave, B and C in blocks
// 1 and 2; A is in an if, so it has a recorder of its own.
TEST(Recorders, RunsOfWhatLeavesTheLoopFollowFromTrips) {
  Function f;
  f.loops.emplace_back();
  f.loops[0].recorder = 0;
  f.loops[0].exits = {noIndex, 1, 2};
  Branch b;
  b.block = 1;
  b.leaves = 0;
  b.leavesOnTrue = true;
  std::vector<uint64_t> words(3 * QX_BINS);
  words[0] = 10, words[4] = 11, words[16] = 12;                          // left by A: before B
  words[QX_BINS] = 20, words[QX_BINS + 1] = 21, words[QX_BINS + 3] = 22; // by B
  words[2 * QX_BINS] = 30, words[2 * QX_BINS + 3] = 31, words[2 * QX_BINS + 16] = 32; // behind it
  const BranchRuns r = branchRuns(f, b, words);
  EXPECT_EQ(r.firstTrue, 20u);
  EXPECT_EQ(r.firstFalse, 11u + 12 + 21 + 22 + 30 + 31 + 32);
  EXPECT_TRUE(r.endedTrue.empty());
  EXPECT_EQ(r.endedFalse, (Histogram{{1, 1, 21}, {3, 3, 22}}));
  EXPECT_EQ(r.cutTrue, (Histogram{{1, 1, 63}}));
  EXPECT_EQ(r.cutFalse, (Histogram{{1, 1, 30}, {4, 4, 11 + 31}, {16, 19, 12}, {17, 20, 32}}));
  b.leavesOnTrue = false;
  const BranchRuns mirror = branchRuns(f, b, words);
  EXPECT_EQ(mirror.firstFalse, r.firstTrue);
  EXPECT_EQ(mirror.firstTrue, r.firstFalse);
  EXPECT_EQ(mirror.endedTrue, r.endedFalse);
  EXPECT_EQ(mirror.cutFalse, r.cutTrue);
  EXPECT_EQ(mirror.cutTrue, r.cutFalse);
}

} // namespace
} // namespace quincunx
