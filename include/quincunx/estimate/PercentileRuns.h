// The runs near a percentile of cost, as weights: what a profile at p99 is the mean of.
// Reference: docs/23-exports.md. It reads no runs.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/estimate/ObserveCorpus.h"

#include <vector>

namespace quincunx {

/// The percentile as a weighted mean of the costs of runs (Harrell and Davis, Biometrika 69, 1982),
/// as explain() takes p99; where costs are random given the run, of their means. One weight per
/// run; they add up to 1. `percentile`: which of reportedPercentiles. An error where the runs do
/// not reach it, or where runs that were stopped do.
Result<std::vector<double>> percentileRuns(const CountedRuns &counted, size_t percentile);

} // namespace quincunx
