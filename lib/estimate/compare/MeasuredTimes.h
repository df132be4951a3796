// Times of the plain programs of two builds.
#pragma once

#include "RepetitionNoise.h"

namespace quincunx {

/// Nothing unless both corpora have timings of inputs that are paired, each of its own program, by
/// one model of processor. `predicted`: costs of the program. An error when a corpus cannot be
/// read.
Result<std::optional<MeasuredChange>> measuredChange(const Corpus &before, const Corpus &after,
                                                     std::span<const RunPair> pairs,
                                                     const PairedCosts &predicted);

} // namespace quincunx
