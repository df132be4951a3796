// Code for counters: where a thread's counters are, how one is incremented, kept in a register over
// a quiet loop, or added to by a loop's trip count. It does not choose which edges are counted.
#pragma once

#include "Clock.h"
#include "Flow.h"

#include "llvm/IR/IRBuilder.h"

namespace quincunx {

class Counters {
public:
  /// `storage`: the function's counters as an array of 64-bit words in QX_COUNTER_SECTION. With a
  /// clock, that advances with every counter.
  Counters(llvm::Function &f, llvm::GlobalVariable &storage, Clock *clock);
  /// Adds `amount` (64 bits) to counter `index` before `place`.
  void add(uint32_t index, llvm::Instruction *place, llvm::Value *amount);
  void increment(uint32_t index, llvm::Instruction *place);
  /// A local sum that starts at 0 before the loop and is added to the counter where the loop is
  /// left. `l` has a preheader and exits of its own.
  void keepLocal(uint32_t index, llvm::Instruction *place, llvm::Loop &l);
  /// The address of the function's first word. Not before the distance is known on entry.
  llvm::Value *words(llvm::IRBuilder<> &at);
  /// That of word `index`, or `further` words behind it.
  llvm::Value *word(llvm::IRBuilder<> &at, uint32_t index, llvm::Value *further = nullptr);
  /// Marks what touches counters only.
  void tag(llvm::Instruction &access) const;
  llvm::Value *load(llvm::IRBuilder<> &at, llvm::Value *word) const;
  void store(llvm::IRBuilder<> &at, llvm::Value *value, llvm::Value *word) const;
  void grow(llvm::IRBuilder<> &at, llvm::Value *word, llvm::Value *amount);
  /// `place`, or the first place after it where words can be reached.
  llvm::Instruction *start(llvm::Instruction *place) const;
  /// A variable of the frame that finish() turns into a register.
  void keepInRegister(llvm::AllocaInst *variable) { locals.push_back(variable); }
  /// Asks for an arena on entry where that is needed, and turns local sums into registers. Changes
  /// the entry block, so call it once, after everything was inserted.
  void finish();

private:
  void attachOnEntry();

  llvm::Function &f;
  llvm::GlobalVariable &storage;
  Clock *clock; ///< may be null
  llvm::GlobalVariable *delta;
  llvm::MDNode *alias = nullptr;         ///< TBAA: counters are no object of the program
  llvm::Instruction *prologue = nullptr; ///< nothing is counted before it
  llvm::LoadInst *onEntry = nullptr;     ///< the distance in shared code; null: loaded where needed
  bool migrates;                         ///< a coroutine may go on in another thread
  llvm::SmallVector<llvm::AllocaInst *, 8> locals;
};

/// Where code for an edge goes; splits the edge if it must.
llvm::Instruction *placeOnEdge(const Flow &flow, uint32_t edge);
/// Can an edge be counted at all, and does that need a new block?
bool canCount(const Flow &flow, uint32_t edge, bool &needsBlock);

} // namespace quincunx
