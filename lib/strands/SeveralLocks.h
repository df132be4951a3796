// Threads that come to one of several locks at one place, or are made at one, and work unevenly.
#pragma once

#include "StrandGraph.h"

#include <set>

namespace quincunx {

/// If they take work from each other there, who took what was chance, and is kept: what such a
/// thread works in the mean over what the busiest of them does; 1: there are none.
double evennessAtLocks(const std::vector<StrandThread> &all, const StrandGraph &graph,
                       const std::set<uint64_t> &owned);

/// The same of threads of the process that were made at one place, where half of them hardly worked
/// beside the busiest: they may have found nothing left, by what is not recorded. Of `graph` these
/// are the first.
double evennessOfIdle(const std::vector<StrandThread> &process, const StrandGraph &graph);

} // namespace quincunx
