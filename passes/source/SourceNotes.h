// What the note of a part of a frontend's block holds: written in NoteSourceBlocks.cpp, read in
// SourceBodies.cpp.
#pragma once

#include "IrFlow.h"

#include "llvm/IR/DebugInfoMetadata.h"

namespace quincunx {

/// The operands of a note. `lines`: places, one for each line; `successors`: notes; `calls`: pairs
/// of a place and the note of the entry block of what is called there (null: not known); `entry`:
/// the note of the entry block of the same function; `decider`: null, or the place of the call
/// whose result decides which way the block is left; `cases`: null, or the note of a switch's
/// default and behind it, for each case, its value and note; `jump`: null, or the place of the
/// unconditional jump at the end, where no other jump to the same block has it; `rest`: null, or
/// the note of the part of the block behind this one, which is its successor; `doubt`: null, or the
/// place of the call that ends it and may not come back; `returns`: null, or the note itself where
/// the function returns behind it.
enum class NoteField : unsigned {
  lines,
  successors,
  calls,
  entry,
  decider,
  cases,
  jump,
  rest,
  doubt,
  returns
};
inline constexpr unsigned noteFields = 10;

/// Is what stands behind the call executed as often as what stands before it, or maybe not?
bool isDoubtful(const llvm::CallBase &call, MayNotReturn mayNotReturn);

/// Discriminators come into places after the notes at -O0 and before them else, and make no other
/// place (their blocks of a file are in the file around).
inline bool samePlace(const llvm::DILocation &a, const llvm::DILocation &b) {
  return a.getLine() == b.getLine() && a.getColumn() == b.getColumn() &&
         a.getFile() == b.getFile() &&
         a.getScope()->getNonLexicalBlockFileScope() == b.getScope()->getNonLexicalBlockFileScope();
}

/// An operand that may be null.
template <class T> const T *optionalField(const llvm::MDNode &note, NoteField which) {
  return llvm::cast_or_null<T>(note.getOperand(static_cast<unsigned>(which)).get());
}

inline const llvm::MDNode &field(const llvm::MDNode &note, NoteField which) {
  return llvm::cast<llvm::MDNode>(*note.getOperand(static_cast<unsigned>(which)));
}

} // namespace quincunx
