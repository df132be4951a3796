// Loops that the threads of a team share, as Clang hands them to OpenMP's library: which iterations
// a thread is given, and where it has done one. The library tells nobody (OMPT has no chunks).
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace quincunx {

/// Marks, in the frontend's code, where such loops begin, are dealt, go round and end.
void markLoops(llvm::Function &f);
bool isLoopMark(const llvm::CallBase &call);

/// Takes back the marks of iterations that are all alike: without loops and calls in them.
void dropAlikeIterations(llvm::Module &m, llvm::FunctionAnalysisManager &analyses);

/// Calls the runtime for such a mark, with what it says of.
void callMarkedLoop(llvm::IRBuilder<> &at, const llvm::CallInst &mark);

} // namespace quincunx
