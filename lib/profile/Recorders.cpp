// Words of recorders as histograms. The layout and the bins are those of abi.h.
#include "quincunx/profile/Recorders.h"

#include "quincunx/abi.h"

#include <cassert>

namespace quincunx {

Histogram readHistogram(std::span<const uint64_t> words) {
  assert(words.size() == QX_BINS && "a whole histogram");
  Histogram bins;
  for (uint32_t b = 0; b < QX_BINS; ++b)
    if (words[b] != 0)
      bins.push_back(
          {qx_bin_low(b), b + 1 < QX_BINS ? qx_bin_low(b + 1) - 1 : UINT64_MAX, words[b]});
  return bins;
}

BranchRuns branchRuns(const Branch &branch, std::span<const uint64_t> counters) {
  assert(branch.recorder != none && "a branch whose runs were recorded");
  BranchRuns runs;
  const auto take = [&](qx_run_kind kind, uint64_t &zero) {
    Histogram all = readHistogram(counters.subspan(branch.recorder + kind * QX_BINS, QX_BINS));
    if (!all.empty() && all.front().low == 0) {
      zero = all.front().count;
      all.erase(all.begin());
    }
    return all;
  };
  uint64_t nothing = 0;
  runs.endedTrue = take(QX_ENDED_TRUE, runs.firstFalse);
  runs.endedFalse = take(QX_ENDED_FALSE, runs.firstTrue);
  runs.cutTrue = take(QX_CUT_TRUE, runs.notEvaluated);
  runs.cutFalse = take(QX_CUT_FALSE, nothing);
  return runs;
}

Histogram loopTrips(const Loop &loop, std::span<const uint64_t> counters) {
  assert(loop.recorder != none && "a loop whose trips were recorded");
  return readHistogram(counters.subspan(loop.recorder, QX_BINS));
}

} // namespace quincunx
