// The statistics of one quantity over the runs that reports show: moments, percentiles with their
// intervals, range. Reference: docs/03-runs-kept-apart.md. It does not know what the quantity is.
#pragma once

#include "quincunx/dist/Mixture.h"
#include "quincunx/estimate/ConfidenceIntervals.h"

#include <array>
#include <cstdint>
#include <span>

namespace quincunx {

/// One random quantity over the runs. Moments are those of the mixture itself (divided by D, not by
/// D - 1), so that anyone can compute them from the costs of the runs.
struct SummaryStatistics {
  uint64_t runs = 0;
  Moments moments;
  double deviation = 0;
  std::array<Percentile, 4> percentiles; ///< p50, p90, p99, p99.9
  /// The range of finished runs; 0 when there are none. Infinite where the cost of a run is random
  /// and has no largest value.
  double min = 0, max = 0;
  Interval meanInterval, deviationInterval; ///< 90 %
  Interval meanCounts; ///< where the mean lies because counts are intervals; exact: one point
};

/// Statistics of one quantity, and its law.
struct SummarizedLaw {
  SummaryStatistics statistics;
  DistributionPtr law;
};
/// Summarizes `parts`, one per run, of which costs are random given the run; laws are compressed to
/// `groups` parts. `trust` is for that number of runs.
Result<SummarizedLaw> summarize(std::span<const MixtureComponent> parts,
                                const ConfidenceIntervals &trust, size_t groups = SIZE_MAX);
/// Summarizes constants given the run, of which the last `open` runs were stopped.
Result<SummarizedLaw> summarize(std::span<const double> values, size_t open,
                                const ConfidenceIntervals &trust);
/// Summarizes constants that stand for different numbers of runs; no weights: all for one.
Result<SummarizedLaw> summarize(std::span<const double> values, std::span<const double> weights,
                                size_t open, const ConfidenceIntervals &trust);
/// Summarizes one part per run, in any order, of any weights.
Result<SummarizedLaw> summarizeRuns(std::span<const MixtureComponent> runs);
/// The number of runs of equal weight that would tell as much (Kish 1965).
uint64_t effectiveSize(std::span<const double> weights);

} // namespace quincunx
