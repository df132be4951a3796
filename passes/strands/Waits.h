// Waits of C++20 and of futures. What they wait for is an atomic in the header of the library,
// which no symbol can be put in the place of, and whoever finds it ready calls nobody. So the
// bodies of the library's own functions say it.
#pragma once

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace quincunx {

/// Marks, before anything is inlined, where functions of libstdc++ wait for other threads or let
/// them go on: latches, barriers, semaphores, futures, std::atomic's wait and notify. A mark is an
/// intrinsic, which costs nothing and is no block's.
class MarkWaitsPass : public llvm::PassInfoMixin<MarkWaitsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; } ///< also at -O0 and for optnone
};

/// Moves marks of who notifies to before the atomic change of which he does: others may see that at
/// once. After inlining; what is not inlined keeps its place.
void placeWaitMarks(llvm::Module &m);

bool isWaitMark(const llvm::CallBase &call);

/// Makes each mark a call of the runtime (QX_STRAND_SAYS), with what it says of.
void callMarkedWaits(llvm::Module &m);

} // namespace quincunx
