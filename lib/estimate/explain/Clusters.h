// The groups that costs fall into, and what tells them apart.
#pragma once

#include "Attribution.h"

namespace quincunx {

/// Rows of the runs that finished, cheapest first. `order`: costliestFirst().
std::vector<size_t> finishedRuns(const CountMatrix &matrix, std::span<const size_t> order);

/// `modes`: of the costs of `finished`.
std::vector<Cluster> clustersOf(const Modes &modes, const BlockCosts &blocks,
                                const Attribution &parts, std::span<const double> costs,
                                std::span<const size_t> finished);

} // namespace quincunx
