// Which arm of a branch is the one that the source calls true: the way into the then-part, into the
// body of a loop, on to the next condition of &&. The optimiser exchanges arms as it likes, so that
// the order in the IR does not say it.
#pragma once

#include "source/Conditions.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace quincunx {

/// Notes, where the frontend's blocks are still there with their names, what each arm of a branch
/// is, what each block held (source/SourceBlocks.h), and what calls are of
/// (source/WrittenCallees.h). Metadata, no instructions: what is compiled stays as it is.
class MarkArmsPass : public llvm::PassInfoMixin<MarkArmsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; } ///< also at -O0 and for optnone
};

/// The number of the successor that is the source's true arm of a conditional branch; nothing where
/// that was not noted, as of branches that passes made, where the branch may decide for another
/// statement, too, or where too little is left of both arms. In functions without places in the
/// source the IR's own order holds.
std::optional<unsigned> trueArm(const llvm::BranchInst &branch);

/// The note of the block that the true arm began with, where that is known.
const llvm::MDNode *trueSide(const llvm::BranchInst &branch);

/// What a branch decides, or may, beside the condition that it was made for.
struct Joined {
  Joins with = Joins::nothing;
  llvm::SmallVector<const llvm::MDNode *, 4> deciders; ///< the notes of what decided it before
};

/// Passes make one branch of two that have a target in common, and it goes on as often as both did.
Joined joinedWith(const llvm::BranchInst &branch);

/// Removes the notes, of arms, of blocks and of calls.
void dropArmMarks(llvm::Module &m);

} // namespace quincunx
