// How often the lines of the source were executed, by the counts of the flow after the clean-up.
// The clean-up merges and drops code, and with it the places of statements that were executed all
// the same. So blocks are noted before it, as the frontend made them, and found again in what is
// left of them.
#pragma once

#include "IrFlow.h"

#include "llvm/ADT/DenseMap.h"

namespace quincunx {

/// The notes of the frontend's blocks, each those of its parts: one behind each call that may not
/// come back. Every instruction has that of its part.
using BlockNotes = llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<llvm::MDNode *, 1>>;
inline constexpr const char *blockKind = "quincunx.block";

/// Notes of every part of a block its lines, what it leads to, and what it calls. Metadata, no
/// instructions: what is compiled stays as it is.
BlockNotes noteSourceBlocks(llvm::Module &m);

/// The lines of the blocks that `f` was made of, with their counts in edges and blocks of
/// `flow.map`; nothing where no notes were made.
SourceBlocks sourceBlocks(const llvm::Function &f, const IrFlow &flow, Sources &sources,
                          MayNotReturn mayNotReturn);

} // namespace quincunx
