// Calls of functions that were not counted, by name.
#pragma once

#include "Attribution.h"

namespace quincunx {

/// `meanCounts`: per column. Most calls first, those that never happened left out.
std::vector<UncountedCall> uncountedCalls(const BlockCosts &costs, const Attribution &parts,
                                          std::span<const double> meanCounts);

} // namespace quincunx
