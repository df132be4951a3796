// What threads do with atomics that others wait for. Who notifies has changed one before, which
// others may see at once; who waits in a loop looks at it before, and goes on where he finds what
// he waits for. Neither is seen at the calls of notify and wait alone.
#pragma once

#include "llvm/IR/Function.h"

namespace quincunx {

/// Marks, in a function that notifies, the change before that; and in one that waits, where it
/// looks at the same atomic. Before anything is inlined: uses of std::atomic are calls there.
void markAtomics(llvm::Function &f);

} // namespace quincunx
