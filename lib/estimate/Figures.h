// Private to lib/estimate: from one value per run to the figures that reports show.
#pragma once

#include "quincunx/dist/Mixture.h"
#include "quincunx/estimate/Observed.h"

namespace quincunx {

/// Figures of `parts`, one per run, and their law. `trust` is for that number of runs.
struct FiguredLaw {
  Figures figures;
  DistributionPtr law;
};
/// Costs that are random given the run; laws are compressed to `groups` parts.
Result<FiguredLaw> figure(std::span<const MixtureComponent> parts, const Trust &trust,
                          size_t groups = SIZE_MAX);
/// Constants given the run, of which the last `open` runs were stopped.
Result<FiguredLaw> figure(std::span<const double> values, size_t open, const Trust &trust);

/// The same, where they stand for different numbers of runs; no weights: all for one.
Result<FiguredLaw> figure(std::span<const double> values, std::span<const double> weights,
                          size_t open, const Trust &trust);

/// One part per run, in any order, of any weights.
Result<FiguredLaw> figureRuns(std::span<const MixtureComponent> runs);
/// Of so many runs that stand for equally many, figures would be known as well (Kish 1965).
uint64_t effective(std::span<const double> weights);

} // namespace quincunx
