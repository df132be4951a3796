// Locks that are not there, or that are others.
#pragma once

#include "quincunx/strands/StrandDescription.h"

namespace quincunx {

/// Gives locks that are had at sites of `changes.unlocked` to nobody else, each time anew, and
/// those at sites of `changes.apart` to who comes there. Locks that are not `owned` stay. Events
/// keep their numbers and clocks. False: nothing is changed.
bool changeLocks(const StrandChanges &changes, const std::set<uint64_t> &owned,
                 std::vector<StrandThread> &threads);

} // namespace quincunx
