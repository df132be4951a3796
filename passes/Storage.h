// The memory of a function's counters: zeros in sections of their own, and the record that
// describes them. Functions that may stand in several object files (inline functions, templates)
// share both under a name made of the function and its map, so that each is counted once and
// differently compiled copies stay apart.
#pragma once

#include "quincunx/map/Map.h"
#include "quincunx/map/SourceBlock.h"

#include "llvm/IR/GlobalVariable.h"

namespace quincunx {

/// What a function has in the sections of abi/symbols.h.
struct Storage {
  llvm::GlobalVariable *counters; ///< an array of 64-bit words
  llvm::GlobalVariable *state;    ///< the same; null: it has none
  llvm::GlobalVariable *map;
};

/// Emits the counters and the state of `f`, and its map. `stateWords`: how many it needs.
Storage emitStorage(llvm::Function &f, const Function &map, const SourceBlocks &sources,
                    uint32_t stateWords);

/// Words that a thread has once in a process, whichever image runs.
llvm::GlobalVariable *perThread(llvm::Module &m, const char *name, uint32_t words);

} // namespace quincunx
