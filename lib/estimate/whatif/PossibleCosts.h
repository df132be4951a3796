// Intervals that hold all that the cost of each run may be.
#pragma once

#include "estimate/counts/PointerTargets.h"
#include "estimate/scaling/PairedBootstrap.h"
#include "quincunx/estimate/WhatIf.h"

namespace quincunx {

/// Widens the intervals of `figures`, which are those `asked`, to the least and the most that runs
/// may cost: `range` is per run, less and more than they cost in `after`; empty: nothing is open.
Status holdRange(const std::vector<PointerTargets::Bounds> &range, const CostSample &before,
                 const CostSample &after, const std::vector<Statistic> &asked,
                 std::vector<Compared> &figures);

/// The same where each run may cost `more`, which each figure says as well (Compared::along).
Status holdAlong(const std::vector<double> &more, const CostSample &before, const CostSample &after,
                 const std::vector<Statistic> &asked, std::vector<Compared> &figures);

} // namespace quincunx
