// Code for counters: where a thread's counters and its state are, how one is incremented, kept in a
// register over a quiet loop, or added to by a loop's trip count. It does not choose which edges
// are counted.
#pragma once

#include "Clock.h"
#include "IrFlow.h"
#include "Storage.h"

#include "llvm/IR/IRBuilder.h"

namespace quincunx {

/// Marks accesses to a kind of memory that is no object of the program, and of no other kind.
llvm::MDNode *aliasTag(llvm::Function &f, llvm::StringRef kind);

class Counters {
public:
  /// With a clock, that advances with every counter. `again`: what leads to a counter
  /// is found again behind each call where that can be, so that no frame has to save it.
  Counters(llvm::Function &f, const Storage &storage, Clock *clock, bool again);
  /// Adds `amount` (64 bits) to counter `index` before `place`.
  void add(uint32_t index, llvm::Instruction *place, llvm::Value *amount);
  void increment(uint32_t index, llvm::Instruction *place);
  /// Counts how often an edge is passed.
  void count(const IrFlow &flow, uint32_t edge);
  /// A local sum that starts at 0 before the loop and is added to the counter where the loop is
  /// left. `l` has a preheader and exits of its own.
  void keepLocal(uint32_t index, llvm::Instruction *place, llvm::Loop &l);
  /// The address of a counter. Not before the distance is known on entry.
  llvm::Value *word(llvm::IRBuilder<> &at, uint32_t index);
  /// That of a word of state.
  llvm::Value *state(llvm::IRBuilder<> &at, uint32_t index);
  llvm::Value *loadState(llvm::IRBuilder<> &at, llvm::Value *word, llvm::Type *type) const;
  void storeState(llvm::IRBuilder<> &at, llvm::Value *value, llvm::Value *word) const;
  /// Adds to a counter, or to a word of a recorder, by its address.
  void grow(llvm::IRBuilder<> &at, llvm::Value *word, llvm::Value *amount) const;
  /// Marks what touches counters and recorders only.
  void tag(llvm::Instruction &access) const;
  /// A call of the runtime that keeps all registers where it can, as it is rarely made. The
  /// function's record goes along, which says what the others number.
  llvm::CallInst *callRuntime(llvm::IRBuilder<> &at, const char *name, llvm::Type *result,
                              llvm::ArrayRef<llvm::Value *> arguments) const;
  llvm::Value *map() const { return storage.map; }
  /// `place`, or the first place after it where words can be reached.
  llvm::Instruction *start(llvm::Instruction *place) const;
  /// A variable of the frame that finish() turns into a register.
  void keepInRegister(llvm::AllocaInst *variable) { locals.push_back(variable); }
  /// Asks for an arena on entry where that is needed, and turns local sums into registers. Changes
  /// the entry block, so call it once, after everything was inserted.
  void finish();

private:
  void attachOnEntry();
  llvm::Value *first(llvm::IRBuilder<> &at);
  llvm::Value *read(llvm::IRBuilder<> &at, const char *code, llvm::GlobalVariable *symbol);

  llvm::Function &f;
  Storage storage;
  Clock *clock; ///< may be null
  llvm::GlobalVariable *delta;
  llvm::MDNode *alias, *stateAlias, *placeAlias; ///< TBAA
  llvm::Instruction *prologue = nullptr;         ///< nothing is counted before it
  llvm::LoadInst *onEntry = nullptr; ///< the distance in shared code; null: loaded where needed
  bool rereads;                      ///< what leads to a counter, behind each call
  bool varies; ///< the distance: a coroutine may go on in another thread, or it is set on entry
  llvm::SmallVector<llvm::AllocaInst *, 8> locals;
};

/// Moves stack objects of fixed size from `tail` back to `entry`, where they must stay to be so,
/// after the entry block was split.
void keepAllocas(llvm::BasicBlock &entry, llvm::BasicBlock &tail);

/// Where code for an edge goes; splits the edge if it must.
llvm::Instruction *placeOnEdge(const IrFlow &flow, uint32_t edge);
/// Can an edge be counted at all, and does that need a new block?
bool canCount(const IrFlow &flow, uint32_t edge, bool &needsBlock);

} // namespace quincunx
