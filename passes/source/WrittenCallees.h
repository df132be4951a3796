// What calls are called in the source: passes make other calls of those of known functions before
// the map is drawn (`printf` of a constant text becomes `puts`, `strcat` `strlen` and a copy).
#pragma once

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace quincunx {

/// Notes, before the first pass, which function of the C library a call is of. Metadata that LLVM
/// hands on to what it makes of the call.
void noteCallees(llvm::Module &m, llvm::ModuleAnalysisManager &manager);
/// The function that the source calls there; empty where nothing was noted.
llvm::StringRef writtenCallee(const llvm::CallBase &call);
/// Removes the note.
void dropCallee(llvm::Instruction &i);

} // namespace quincunx
