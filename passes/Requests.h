// Functions whose calls are requests: found by their annotation, shaped so that every way out can
// hold code, and given the calls of the runtime that begin and end a request. What is counted, and
// where, is not changed by it.
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class GlobalVariable;
class Instruction;
} // namespace llvm

namespace quincunx {

/// Notes which functions are marked, and keeps them from being inlined: a call of theirs is a frame
/// of its own. Before any inliner, because annotations are known by module only.
class MarkRequestsPass : public llvm::PassInfoMixin<MarkRequestsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

bool isRequest(const llvm::Function &f);

/// Warns of marked functions that cannot be requests, and takes their marks away.
void refuseRequests(llvm::Module &m);

/// Makes calls in tail position plain ones and lets exceptions that pass through come by a landing
/// pad. Before the function's map is drawn.
void openWaysOut(llvm::Function &f);

/// Inserts the calls: on entry before `start`, and where the frame ends, behind all that counts.
/// `counters`: the function's own.
void insertRequest(llvm::Function &f, llvm::GlobalVariable &counters, llvm::Instruction *start);

} // namespace quincunx
