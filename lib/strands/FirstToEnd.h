// Threads of which the first to end ends the others: speculation, where one answer is enough.
#pragma once

#include "quincunx/strands/Events.h"

#include <set>

namespace quincunx {

/// What a process would have written down whose threads that are begun at these sites end with the
/// first of them: the members of a team, and what one thread creates there before it joins one of
/// them. Each thread is taken to have a processor, and all to have worked to their own ends in
/// what was recorded. Fails where these threads do more than to work, for 1 % of it with locks;
/// where the library deals them what comes next; and where tasks are made at a site.
Result<ProcessStrands> endWithFirst(const ProcessStrands &strands, const std::set<uint32_t> &sites);

} // namespace quincunx
