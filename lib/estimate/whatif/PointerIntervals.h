// Intervals that hold whatever calls through pointers may call.
#pragma once

#include "FlowChanges.h"
#include "estimate/scaling/PairedBootstrap.h"
#include "quincunx/estimate/WhatIf.h"

namespace quincunx {

/// Widens the intervals of `figures`, which are those `asked`, to the cheapest and the dearest of
/// whom calls through pointers may call, run by run.
Status holdPointers(const FlowChanges &flow, const CostSample &before, const CostSample &after,
                    const std::vector<Statistic> &asked, std::vector<Compared> &figures);

} // namespace quincunx
