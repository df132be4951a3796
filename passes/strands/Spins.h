// Loops in which a thread looks again and again for what another one does.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace quincunx {

/// Marks, in loops that do nothing but to read an atomic or volatile variable, or to exchange it,
/// until it has changed, where they go round; and where loops that work end because such a variable
/// has changed. Behind the inlining of small functions: std::atomic's
/// are calls before that.
void markSpins(llvm::Module &m, llvm::FunctionAnalysisManager &analyses);

} // namespace quincunx
