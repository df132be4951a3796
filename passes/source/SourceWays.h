// Where the ways on from a block of the frontend lead in what is left of it.
#pragma once

#include "SourceBodies.h"

namespace quincunx {

/// Of the arcs of a node those that one successor of its end stands for, and for no other.
std::vector<std::pair<uint32_t, const llvm::BasicBlock *>>
waysOf(const SourceBody &body, uint32_t node, const llvm::Instruction &end);

} // namespace quincunx
