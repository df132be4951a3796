// Waits of C++20 and of futures. What they wait for is an atomic in the header of the library,
// which no symbol can be put in the place of, and whoever finds it ready calls nobody. So the
// bodies of the library's own functions say it.
#pragma once

#include "Options.h"
#include "quincunx/abi/strands.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace quincunx {

/// Marks, before anything is inlined, where functions of libstdc++ wait for other threads or let
/// them go on: latches, barriers, semaphores, futures, std::atomic's wait and notify; and loops
/// that teams of OpenMP share (Loops.h), or that a build names (SerialLoops.h). A mark is an
/// intrinsic: no code and no block's, but memory stays as it is there.
class MarkWaitsPass : public llvm::PassInfoMixin<MarkWaitsPass> {
public:
  explicit MarkWaitsPass(std::vector<SourceLine> l) : loops(std::move(l)) {}
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; } ///< also at -O0 and for optnone

private:
  std::vector<SourceLine> loops;
};

/// Marks that this happens to an object so many times.
void markWait(llvm::IRBuilder<> &at, qx_strand_kind kind, llvm::Value *object, llvm::Value *amount);
/// Is it a mark, of this kind or of loops?
bool isMark(const llvm::CallBase &call);
/// Does it say that something of this kind happens?
bool isMarkOf(const llvm::CallBase &call, qx_strand_kind kind);
/// Does it say that a thread goes on behind others only if what it looked at was ready?
bool isMarkOfLook(const llvm::CallBase &call);
/// Marks something of this kind, with values.
void markAs(llvm::IRBuilder<> &at, const char *tag, llvm::ArrayRef<llvm::Value *> said);

/// A function of the runtime that takes these operands, and returns nothing.
llvm::FunctionCallee hiddenFunction(llvm::Module &m, const char *name,
                                    llvm::ArrayRef<llvm::Value *> operands);
/// Makes each mark a call of the runtime (QX_STRAND_SAYS), with what it says of.
void callMarkedWaits(llvm::Module &m);

} // namespace quincunx
