// What the note of a frontend's block holds: written in NoteSourceBlocks.cpp, read in
// SourceBodies.cpp.
#pragma once

#include "llvm/IR/DebugInfoMetadata.h"

namespace quincunx {

/// The operands of a note. `lines`: places, one for each line; `successors`: notes; `calls`: pairs
/// of a place and the note of the entry block of what is called there (null: not known); `entry`:
/// the note of the entry block of the same function; `decider`: null, or the place of the call
/// whose result decides which way the block is left.
enum class NoteField : unsigned { lines, successors, calls, entry, decider };

inline const llvm::MDNode &field(const llvm::MDNode &note, NoteField which) {
  return llvm::cast<llvm::MDNode>(*note.getOperand(static_cast<unsigned>(which)));
}

} // namespace quincunx
