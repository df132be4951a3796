// Threads that come to one of several locks at one place.
#pragma once

#include "StrandGraph.h"

#include <set>

namespace quincunx {

/// If they take work from each other there, who took what was chance, and is kept: what such a
/// thread works in the mean over what the busiest of them does; 1: there are none.
double evennessAtLocks(const std::vector<StrandThread> &all, const StrandGraph &graph,
                       const std::set<uint64_t> &owned);

} // namespace quincunx
