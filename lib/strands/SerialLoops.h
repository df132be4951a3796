// Loops that one thread went through, as if a team shared them.
#pragma once

#include "quincunx/strands/Events.h"

#include <set>

namespace quincunx {

/// What a process would have written down that has `threads` of a team go through each of these
/// loops, by the site where they begin; those within one, or within a team, are the thread's own,
/// as OpenMP has no teams in teams unless it is told to. All iterations are with who did them,
/// until they are dealt anew. Each thread that comes to such loops has others of its own for them.
/// Fails where a thread does more in iterations than to work and to have locks, and where loops
/// begin too often for so many threads.
Result<ProcessStrands> shareSerialLoops(const ProcessStrands &strands,
                                        const std::set<uint32_t> &sites, uint32_t threads);

/// Without what is told of other loops than these.
ProcessStrands onlySerialLoops(const ProcessStrands &strands, const std::set<uint32_t> &sites);

} // namespace quincunx
