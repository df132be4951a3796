// Recorders (record=runs): lengths of runs of equal outcomes of branches in loops, and trips of
// loops, as histograms, in one block of words for each loop with all loops in it. What is recorded
// is chosen on the flow as the map shows it, after the counters were placed, and its code is
// inserted after theirs: what counters count does not depend on it.
#pragma once

#include "Counters.h"

#include "llvm/IR/Dominators.h"

namespace quincunx {

/// Words that a thread gets together.
struct RecordedBlock {
  uint32_t first = 0, words = 0; ///< among the function's recorders
  uint32_t state = noIndex;      ///< the state word that says where they are
  /// The header of the loop before which they are asked for; null: where they are needed.
  llvm::BasicBlock *header = nullptr;
};

/// A branch whose runs are recorded.
struct RecordedBranch {
  llvm::BasicBlock *block; ///< ends in it
  unsigned onTrue;         ///< the successor that is its true arm
};

/// What is recorded of one loop of the map.
struct RecordedLoop {
  llvm::BasicBlock *header = nullptr;
  uint32_t block = noIndex; ///< which block its words are in
  uint32_t trips = noIndex; ///< first word of the histograms of trips, in the block
  /// Which of them: by the block from which the loop is left.
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> exits;
  uint32_t runs = noIndex; ///< first word of the recorders of `branches`, one behind the other
  std::vector<RecordedBranch> branches;
  llvm::Value *known = nullptr;       ///< trips computed before the loop, of 64 bits,
  llvm::Instruction *place = nullptr; ///< before the jump into it; null: counted in the loop
};

struct Recorded {
  std::vector<RecordedLoop> loops; ///< parallel to the map's; empty: nothing is recorded
  std::vector<RecordedBlock> blocks;
};

/// Chooses branches and loops and gives them words in the map, from recorderWords on, and state
/// words from `state` on.
Recorded chooseRecorders(IrFlow &flow, Analyses &known, llvm::DominatorTree &tree, uint32_t &state);

/// Inserts the code for what was chosen, after all counters are in their places.
void insertRecorders(llvm::Function &f, const Recorded &recorded, Counters &counters,
                     bool optimised);

/// The exit of a loop through which a coroutine is suspended, not left.
bool isSuspension(const llvm::BasicBlock &from, const llvm::BasicBlock &to);

} // namespace quincunx
