// What record=runs left in a run: histograms of the lengths of runs of equal outcomes of branches,
// and of the trips of loops. Lengths below 16 are exact, longer ones are known to a quarter of a
// power of two. It says what was recorded and draws no conclusion (lib/model/Recorded).
#pragma once

#include "quincunx/map/Map.h"

#include <span>
#include <vector>

namespace quincunx {

/// How many lengths were recorded from `low` to `high`, both included.
struct Lengths {
  uint64_t low = 0, high = 0, count = 0;
  bool operator==(const Lengths &) const = default;
};
/// Bins that were hit, in ascending order; the last there is ends at UINT64_MAX.
using Histogram = std::vector<Lengths>;

/// The runs of one branch within entries of its loop, from 1 on.
struct BranchRuns {
  Histogram endedTrue, endedFalse; ///< another outcome followed
  Histogram cutTrue, cutFalse;     ///< the loop was left
  uint64_t firstTrue = 0;          ///< entries of the loop whose first outcome was true
  uint64_t firstFalse = 0;
};

/// Has the branch runs: its own recorder, or a loop's trips that say the same?
inline bool hasRuns(const Branch &b) { return b.recorder != noIndex || b.leaves != noIndex; }
/// `words`: the function's recorders in a run (Function::recorderWords). The branch has runs.
/// Where they follow from trips, ranges may begin and end one later than bins do.
BranchRuns branchRuns(const Function &f, const Branch &branch, std::span<const uint64_t> words);
/// Backedges per entry of the loop, from 0 on, whatever way it was left. The loop has a recorder.
Histogram loopTrips(const Loop &loop, std::span<const uint64_t> words);

} // namespace quincunx
