// Conditions as the frontend made them: the blocks of `a && b`, and which branches passes may join.
// Clang names blocks for what they are in the source. What passes did join it does not know
// (Arms.h).
#pragma once

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Instructions.h"

#include <array>

namespace quincunx {

/// More blocks are not followed from an arm: enough for the longest conditions people write.
inline constexpr size_t mostBlocks = 32;

bool isCalled(const llvm::BasicBlock &b, const llvm::StringSet<> &names);

/// Does the block decide a part of a condition?
bool decidesPart(const llvm::BasicBlock &b);

/// Where the flow goes on from `b`, into which it came from `from`, as long as nothing but the
/// condition is decided.
llvm::SmallVector<const llvm::BasicBlock *, 2> onward(const llvm::BasicBlock &from,
                                                      const llvm::BasicBlock &b);

/// What passes may join a branch with: the other parts of its own condition, or the condition of
/// another statement, too.
enum class Joins : unsigned { nothing, ownCondition, statement };

/// The way from an arm without another decision.
struct JoinableWay {
  Joins with = Joins::nothing;
  llvm::SmallVector<const llvm::BasicBlock *, 4> deciders; ///< what it may be joined with
  llvm::SmallVector<const llvm::BasicBlock *, 8> blocks;
};

/// The ways from both successors of a branch in the frontend's output. To be joined, it and the
/// next one have a target in common and nothing that must be done is between them.
std::array<JoinableWay, 2> joinableWays(const llvm::BranchInst &branch);

} // namespace quincunx
