// Sections with a lock that come one behind another in a known order, as those that write results.
#pragma once

#include "CountedWaits.h"

namespace quincunx {

/// Nothing: it is no such order, as far as can be told. Who comes there waits for all before it.
std::optional<CountedWaits> turnsOf(const Condition &condition);

/// Where threads come for their turns, if they take these in rounds: nodes; else none.
std::set<uint32_t> roundsOf(const Condition &condition);

} // namespace quincunx
