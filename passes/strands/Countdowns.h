// What the last of several threads does, who finds that he is it by an atomic counter.
#pragma once

#include "llvm/IR/Module.h"

namespace quincunx {

/// Marks where a counter is counted and its value compared for equality: who finds it there goes on
/// behind all who counted before (`if (left.fetch_sub(1) == 1)`, `if (++done == n)`). Before
/// anything is inlined, as for claims.
void markCountdowns(llvm::Module &m);

} // namespace quincunx
