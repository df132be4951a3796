// How far a difference in time may be off because nobody timed the build after: prices are those of
// the build before.
#pragma once

#include "FunctionChanges.h"

namespace quincunx {

/// The standard deviation of the difference of the mean cost, by the prices of a calibration. Three
/// things are not known: what a function costs when it does more of one thing and less of another,
/// what new code costs, and what the compiler makes of code beside it. Their sizes are measured:
/// bench/compare_time.py, docs/21-compare-and-check.md.
double priceDeviation(const BuildPair &builds, std::span<const MatchedCosts> all);

} // namespace quincunx
