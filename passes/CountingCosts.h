// What it costs to count an edge, and where a counter can be kept in a register meanwhile: what the
// choice of edges (lib/map/Placement) goes by.
#pragma once

#include "IrFlow.h"

#include "llvm/IR/Dominators.h"

namespace quincunx {

/// Per edge, the loop over which its counter would be kept in a register: a quiet one that the edge
/// runs through on every iteration; null: none.
std::vector<llvm::Loop *> localLoops(const IrFlow &flow, llvm::LoopInfo &loops,
                                     llvm::DominatorTree &tree);

/// Per edge, increments per call; infinity where it cannot be counted. `local`: as localLoops()
/// gives it.
std::vector<double> countingCosts(const IrFlow &flow, const std::vector<llvm::Loop *> &local);

} // namespace quincunx
