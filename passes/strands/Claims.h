// Jobs that threads take from an atomic counter.
#pragma once

#include "llvm/IR/Module.h"

namespace quincunx {

/// Marks where a counter is counted by whoever does so, and whether he goes on in a loop hangs on
/// how its value compares: `while ((i = next++) < n)`, also where a function returns the value or
/// that. Before anything is inlined: uses of std::atomic are calls there.
void markClaims(llvm::Module &m);

} // namespace quincunx
