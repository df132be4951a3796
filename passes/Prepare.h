// Small changes to a function's flow before its map is drawn, so that every edge that must be
// counted can be. None of them changes what the function does.
#pragma once

#include "Returns.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace quincunx {

/// Gives every call in tail position a return of its own, as code generation would do later:
/// counters on a return that others share would come after the call, and it could not take over the
/// frame any more.
void exposeTailCalls(llvm::Function &f);

/// Removes unreachable blocks, splits around calls that return twice, makes edges of indirect jumps
/// splittable; with `exact`, ends a block after every call that may not return.
void splitBlocks(llvm::Function &f, const Returns &returns, bool exact);

/// A loop without calls and without loops in it: counters in it can be kept in registers.
bool isQuiet(const llvm::Loop &l);

/// Gives quiet loops a preheader and exits of their own.
void shapeQuietLoops(llvm::LoopInfo &loops, llvm::DominatorTree &tree);

} // namespace quincunx
