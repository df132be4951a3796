// Which runs of two builds are of the same input.
#pragma once

#include "quincunx/estimate/Compare.h"
#include "quincunx/estimate/CountMatrix.h"

namespace quincunx {

/// Runs of one input: rows of the matrices of both builds, at least one of each.
struct RunPair {
  std::string label;
  std::vector<size_t> before, after;
};

struct RunPairs {
  std::vector<RunPair> pairs; ///< in the order of the runs before
  PairedRuns described;
};

/// Inputs are known by their labels; where a build has one label with several lists of arguments,
/// or runs have no label, by both, and the standard input. Matrices are of these runs. An error
/// when no input is in both builds, or runs cannot be read.
Result<RunPairs> pairRuns(const RunSource &before, const CountMatrix &countsBefore,
                          const RunSource &after, const CountMatrix &countsAfter);

} // namespace quincunx
