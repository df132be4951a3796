// Threads of which the first to end ends the others: speculation, where one answer is enough.
#pragma once

#include "quincunx/strands/Events.h"

#include <set>

namespace quincunx {

struct EndedWithFirst {
  ProcessStrands strands;
  /// The first of some threads worked less than 200 counts, and a thousandth of what another one of
  /// them did: so do those that begin when they are told to stop, as another one was first.
  bool hasHardlyWorked = false;
};

/// What a process would have written down whose threads that are begun at these sites end with the
/// first of them: the members of a team, and what one thread creates there before it joins one of
/// them. Each thread is taken to have a processor, and all to have worked to their own ends in
/// what was recorded. Fails where these threads do more than to work, for 1 % of it with locks;
/// where the library deals them what comes next; and where tasks are made at a site.
Result<EndedWithFirst> endWithFirst(const ProcessStrands &strands, const std::set<uint32_t> &sites);

} // namespace quincunx
