// Branch records: what was recorded in bins against the outcomes themselves.
#include "quincunx/model/Recorded.h"

#include "quincunx/abi.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace quincunx {
namespace {

/// A branch, its loop entries' outcomes, and what a run records of them.
struct Recording {
  Function f;
  std::vector<uint64_t> words;
  FunctionCounts counts;
  RunLengths ofTrue, ofFalse; ///< the real lengths

  Recording() : words(QX_RUN_WORDS) {
    f.recorderWords = QX_RUN_WORDS;
    f.edges.resize(2);
    f.branches.emplace_back();
    f.branches[0].arms = {0, 1};
    f.branches[0].recorder = 0;
    counts.edges.resize(2);
  }
  uint64_t &word(uint32_t center, int64_t r) {
    return words[static_cast<size_t>(center + qx_signed_bin(r))];
  }
  /// One entry of the loop: runs of these lengths, of which the last is cut off.
  void enter(bool first, const std::vector<uint64_t> &runs) {
    ++word(runs.empty() ? QX_CUT : first ? QX_ENDED_FALSE : QX_ENDED_TRUE, 0);
    bool outcome = first;
    for (size_t i = 0; i < runs.size(); ++i, outcome = !outcome) {
      const bool cut = i + 1 == runs.size();
      const auto length = static_cast<int64_t>(runs[i]);
      ++word(cut ? QX_CUT : outcome ? QX_ENDED_TRUE : QX_ENDED_FALSE, outcome ? length : -length);
      RunLengths &all = outcome ? ofTrue : ofFalse;
      ++(cut ? all.cut : all.completed)[runs[i]];
      Count &c = counts.edges[outcome ? 0 : 1];
      c.value = c.low = c.high = c.value + static_cast<double>(runs[i]);
    }
  }
  Result<BranchRecord> record() const { return branchRecord(f, 0, words, counts); }
};

double sum(const RunLengths &lengths) {
  double total = 0;
  for (const auto *all : {&lengths.completed, &lengths.cut})
    for (const auto &[length, count] : *all)
      total += static_cast<double>(length) * static_cast<double>(count);
  return total;
}

std::map<uint32_t, uint64_t> binned(const std::map<uint64_t, uint64_t> &lengths) {
  std::map<uint32_t, uint64_t> bins;
  for (const auto &[length, count] : lengths)
    bins[qx_bin(length)] += count;
  return bins;
}

void expectSameBins(const RunLengths &a, const RunLengths &b) {
  EXPECT_EQ(binned(a.completed), binned(b.completed));
  EXPECT_EQ(binned(a.cut), binned(b.cut));
}

TEST(Recorded, ShortRunsAreThemselves) {
  Recording r;
  r.enter(true, {3, 1, 15});
  r.enter(false, {2});
  r.enter(false, {});
  const Result<BranchRecord> record = r.record();
  ASSERT_TRUE(record);
  EXPECT_EQ(record->ofTrue.completed, r.ofTrue.completed);
  EXPECT_EQ(record->ofTrue.cut, r.ofTrue.cut);
  EXPECT_EQ(record->ofFalse.completed, r.ofFalse.completed);
  EXPECT_EQ(record->ofFalse.cut, r.ofFalse.cut);
  EXPECT_EQ(record->n, 21u);
  EXPECT_EQ(record->taken, 18u);
  EXPECT_EQ(record->instances, 2u);
  EXPECT_EQ(record->firstTrue, 1u);
}

TEST(Recorded, LongRunsStayInTheirBinsAndAddUp) {
  std::mt19937_64 random(5);
  for (int repeat = 0; repeat < 300; ++repeat) {
    Recording r;
    const uint64_t most = uint64_t{1} << (1 + random() % 31); // some are in the last bin
    for (uint64_t entries = 1 + random() % 40; entries > 0; --entries) {
      std::vector<uint64_t> runs(random() % 6);
      for (uint64_t &n : runs)
        n = 1 + random() % most;
      r.enter(random() % 2 == 0, runs);
    }
    const Result<BranchRecord> record = r.record();
    ASSERT_TRUE(record);
    EXPECT_EQ(sum(record->ofTrue), static_cast<double>(record->taken));
    EXPECT_EQ(sum(record->ofFalse), static_cast<double>(record->n - record->taken));
    EXPECT_EQ(record->taken, static_cast<uint64_t>(r.counts.edges[0].value));
    expectSameBins(record->ofTrue, r.ofTrue);
    expectSameBins(record->ofFalse, r.ofFalse);
  }
}

TEST(Recorded, CountsThatDoNotFitTakeTheNearerEnd) {
  Recording r;
  r.enter(true, {17, 3, 35});
  for (const double taken : {0.0, 1e9}) {
    r.counts.edges[0].value = taken;
    const Result<BranchRecord> record = r.record();
    ASSERT_TRUE(record);
    EXPECT_EQ(sum(record->ofTrue), taken == 0 ? 16 + 32 : 19 + 39);
  }
}

TEST(Recorded, TheModelTakesWhatWasRecorded) {
  // Geometric runs: the renewal model must say Bernoulli, to the accuracy of 100000 outcomes.
  std::mt19937_64 random(2);
  Recording r;
  for (int entry = 0; entry < 100; ++entry) {
    std::vector<uint64_t> runs;
    bool first = false, last = false;
    for (int i = 0; i < 1000; ++i) {
      const bool outcome = random() % 10 < 9;
      if (runs.empty() || outcome != last)
        runs.push_back(0);
      if (i == 0)
        first = outcome;
      ++runs.back();
      last = outcome;
    }
    r.enter(first, runs);
  }
  const Result<BranchRecord> record = r.record();
  ASSERT_TRUE(record);
  const Result<Rate> rate = renewalRate(*record);
  ASSERT_TRUE(rate);
  EXPECT_NEAR(rate->perExecution.k1, 0.9, 0.005);
  EXPECT_NEAR(rate->perExecution.k2, 0.09, 0.006);
}

TEST(Recorded, WhatCannotBeIsAnError) {
  Recording r;
  r.word(QX_ENDED_TRUE, 1) = UINT64_MAX;
  EXPECT_FALSE(r.record());
  r.word(QX_ENDED_TRUE, 1) = 0;
  EXPECT_TRUE(r.record());
  r.counts.edges[1].value = NAN;
  EXPECT_FALSE(r.record());
  r.counts.edges[1].value = 0;
  r.f.branches[0].recorder = noIndex;
  EXPECT_FALSE(r.record());
}

} // namespace
} // namespace quincunx
