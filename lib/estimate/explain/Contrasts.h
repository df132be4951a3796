// What one group of runs does that another does not.
#pragma once

#include "Attribution.h"

namespace quincunx {

/// Mean counts per run of some runs, one per column: as they are, and times BlockCosts::scale of
/// each run, which makes them linear in costs; empty: the same.
struct MeanCounts {
  std::vector<double> counts, priced;
  std::optional<double> unattributed; ///< mean of BlockCosts::unattributed
};
/// `rows` is not empty.
MeanCounts meanCounts(const BlockCosts &costs, std::span<const size_t> rows);

/// Of one group against another. What they cost outside of functions is the last of its functions,
/// where anything is.
Contrast contrast(const Attribution &parts, const MeanCounts &group, const MeanCounts &rest);

/// Rows, costliest first: those that were stopped cost more than any that was not.
std::vector<size_t> costliestFirst(const CountMatrix &matrix, std::span<const double> costs);

/// `order`: costliestFirst(). The runs above p99, but at least 5, and of few runs a tenth; runs of
/// one cost are taken all or not at all.
std::vector<size_t> tailRuns(const CountMatrix &matrix, std::span<const double> costs,
                             std::span<const size_t> order);

/// The run with half of the weight at or below it.
size_t medianRun(const CountMatrix &matrix, std::span<const size_t> order);

} // namespace quincunx
