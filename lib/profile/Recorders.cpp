// Words of recorders as histograms. The layout and the bins are those of abi/recorders.h.
#include "quincunx/profile/Recorders.h"

#include "quincunx/abi.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace quincunx {

namespace {

/// The bins that stand in word `center` and behind it, or before it, as a histogram.
Histogram read(std::span<const uint64_t> words, uint32_t center, bool mirrored) {
  Histogram bins;
  for (uint32_t b = 0; b < QX_BINS; ++b)
    if (const uint64_t count = words[mirrored ? center - b : center + b]; count != 0)
      bins.push_back({qx_bin_low(b), b + 1 < QX_BINS ? qx_bin_low(b + 1) - 1 : UINT64_MAX, count});
  return bins;
}

/// The count of length 0, taken away.
uint64_t takeZero(Histogram &all) {
  if (all.empty() || all.front().low != 0)
    return 0;
  const uint64_t count = all.front().count;
  all.erase(all.begin());
  return count;
}

void add(Histogram &sum, const Histogram &more) {
  for (const Lengths &l : more) {
    const auto at = std::lower_bound(sum.begin(), sum.end(), l, [](const auto &a, const auto &b) {
      return std::pair(a.low, a.high) < std::pair(b.low, b.high);
    });
    if (at != sum.end() && at->low == l.low && at->high == l.high)
      at->count += l.count;
    else
      sum.insert(at, l);
  }
}

Histogram oneMore(Histogram h) {
  for (Lengths &l : h)
    ++l.low, l.high += l.high < UINT64_MAX ? 1 : 0;
  return h;
}

BranchRuns own(uint32_t first, std::span<const uint64_t> all) {
  const std::span<const uint64_t> words = all.subspan(first, QX_RUN_WORDS);
  BranchRuns runs;
  runs.endedTrue = read(words, QX_ENDED_TRUE, false);
  runs.endedFalse = read(words, QX_ENDED_FALSE, true);
  runs.cutTrue = read(words, QX_CUT, false);
  runs.cutFalse = read(words, QX_CUT, true);
  runs.firstFalse = takeZero(runs.endedTrue);
  runs.firstTrue = takeZero(runs.endedFalse);
  takeZero(runs.cutTrue);
  takeZero(runs.cutFalse); // the same word
  return runs;
}

/// With t backedges taken, the branch let the loop go on t times; once more if the loop was then
/// left further behind. It left the loop itself at most once.
BranchRuns fromTrips(const Loop &loop, const Branch &b, std::span<const uint64_t> words) {
  BranchRuns runs;
  auto &ended = b.leavesOnTrue ? runs.endedFalse : runs.endedTrue;
  auto &cut = b.leavesOnTrue ? runs.cutFalse : runs.cutTrue;
  auto &firstStays = b.leavesOnTrue ? runs.firstFalse : runs.firstTrue;
  auto &firstLeaves = b.leavesOnTrue ? runs.firstTrue : runs.firstFalse;
  uint64_t left = 0;
  bool behind = false;
  for (size_t i = 0; i < loop.exits.size(); ++i) {
    Histogram stays = read(words, loop.recorder + static_cast<uint32_t>(i) * QX_BINS, false);
    const bool itself = loop.exits[i] == b.block;
    for (const Lengths &l : stays) {
      if (l.low > 0 || behind)
        firstStays += l.count;
      else if (itself)
        firstLeaves += l.count;
      left += itself ? l.count : 0;
    }
    if (behind)
      stays = oneMore(std::move(stays));
    takeZero(stays);
    add(itself ? ended : cut, stays);
    behind |= itself;
  }
  if (left > 0)
    (b.leavesOnTrue ? runs.cutTrue : runs.cutFalse).push_back({1, 1, left});
  return runs;
}

} // namespace

BranchRuns branchRuns(const Function &f, const Branch &branch, std::span<const uint64_t> words) {
  assert(hasRuns(branch) && "a branch whose runs were recorded");
  return branch.recorder != noIndex ? own(branch.recorder, words)
                                    : fromTrips(f.loops[branch.leaves], branch, words);
}

Histogram loopTrips(const Loop &loop, std::span<const uint64_t> words) {
  assert(loop.recorder != noIndex && "a loop whose trips were recorded");
  Histogram all;
  for (size_t i = 0; i < loop.exits.size(); ++i)
    add(all, read(words, loop.recorder + static_cast<uint32_t>(i) * QX_BINS, false));
  return all;
}

} // namespace quincunx
