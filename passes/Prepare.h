// Small changes to a function's flow before its map is drawn, so that every edge that must be
// counted can be. None of them changes what the function does.
#pragma once

#include "IrFlow.h"
#include "Returns.h"

#include "llvm/IR/PassManager.h"

namespace quincunx {

/// The functions whose bodies are this module's own and may hold counters.
llvm::SmallVector<llvm::Function *, 0> instrumentable(llvm::Module &m);

/// Shapes the function: ways out of requests and calls in tail position get returns of their own,
/// unreachable blocks go, blocks end around calls that return twice and after those that may not
/// return, every invoke gets a landing pad of its own; quiet loops get preheaders and exits of
/// their own. Returns what LLVM finds out about the result, as readFlow() asks for it.
Analyses prepare(llvm::Function &f, llvm::FunctionAnalysisManager &manager, const Returns &returns);

/// A loop without calls and without loops in it: counters in it can be kept in registers.
bool isQuiet(const llvm::Loop &l);

} // namespace quincunx
