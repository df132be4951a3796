// The arms of branches by where they lead.
#pragma once

#include "quincunx/map/Map.h"

namespace quincunx {

/// The line that an arm of `branch` leads to, in the text that the branch stands in: the first one
/// of the block behind the edge, or behind blocks without lines that go on in one way only. 0: none
/// is known.
uint32_t lineBehind(const Function &f, const Branch &branch, uint32_t edge);

} // namespace quincunx
