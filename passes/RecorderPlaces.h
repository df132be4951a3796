// Where the code of recorders goes: loops are shaped for it, and the places are noted before any of
// it is inserted, as analyses describe the code only until then.
#pragma once

#include "Recorders.h"

namespace quincunx {

/// A block to which the loop is left, and from nowhere else; the first word for trips that end
/// there.
struct RecorderExit {
  llvm::BasicBlock *block;
  llvm::Value *trips;
};

/// A loop as it stands now, shaped to hold code. Blocks will be split, jumps and the heads of exits
/// stay.
struct RecorderPlace {
  const RecordedLoop *what;
  llvm::Instruction *before; ///< the jump into the loop
  std::vector<llvm::Instruction *> branches, latches;
  std::vector<RecorderExit> exits;
  bool innermost;
};

struct RecorderPlaces {
  std::vector<RecorderPlace> loops;
  /// Per block of words, the jump before which they are asked for; null: where they are needed.
  std::vector<llvm::Instruction *> words;
};

/// Shapes the loops of `f` that need it.
RecorderPlaces placeRecorders(llvm::Function &f, const Recorded &recorded);

} // namespace quincunx
