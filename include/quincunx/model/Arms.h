// The arms of branches by where they lead.
#pragma once

#include "quincunx/map/Map.h"

namespace quincunx {

/// The line that an arm of `branch` leads to, in the text that the branch stands in: the first one
/// of the block behind the edge, or behind blocks without lines that go on in one way only. 0: none
/// is known.
uint32_t lineBehind(const Function &f, const Branch &branch, uint32_t edge);

/// Where all ways on from each block meet first; noIndex: nowhere in the function. Ways that end
/// (abort, an exception) meet no others, unless all do.
std::vector<uint32_t> joinsOf(const Function &f);
/// The blocks that arms of `branch` pass before they meet. `joins`: of all blocks.
std::vector<uint32_t> untilJoin(const Function &f, const Branch &branch,
                                const std::vector<uint32_t> &joins);

} // namespace quincunx
