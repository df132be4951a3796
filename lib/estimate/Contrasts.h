// Private to lib/estimate: what one group of runs does that another does not.
#pragma once

#include "Parts.h"

namespace quincunx {

/// Mean counts per run of some runs, one per column. `rows` is not empty.
std::vector<double> meanCounts(const CountMatrix &matrix, std::span<const size_t> rows);

/// Of mean counts of one group against those of another; both one per column.
Contrast contrast(const Parts &parts, std::span<const double> group, std::span<const double> rest);

/// Rows, costliest first: those that were stopped cost more than any that was not.
std::vector<size_t> costliestFirst(const CountMatrix &matrix, std::span<const double> costs);

/// `order`: costliestFirst(). The runs above p99, but at least 5, and of few runs a tenth; runs of
/// one cost are taken all or not at all.
std::vector<size_t> tailRuns(const CountMatrix &matrix, std::span<const double> costs,
                             std::span<const size_t> order);

/// The run with half of the weight at or below it.
size_t medianRun(const CountMatrix &matrix, std::span<const size_t> order);

} // namespace quincunx
