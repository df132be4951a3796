// Code for record=calls: a clock of block costs per thread, and at the end of a call one bucket and
// a sum of what it cost with all it called.
#pragma once

#include "IrFlow.h"

#include "llvm/IR/IRBuilder.h"

namespace quincunx {

class Counters;
class Recursion;
class Synchronising;
class TakenCalls;

/// Gives the function a recorder for the cost of its calls; none where nothing would be seen in it,
/// or where code may go on twice or in another thread. Returns how many state words it needs.
uint32_t chooseCalls(const llvm::Function &f, IrFlow &flow, const Recursion &recursion);

/// Is a call one stretch of one thread, so that a local sum can be kept? Not in coroutines, and
/// where setjmp() may return a second time.
bool keepsClock(const llvm::Function &f);

class Clock {
public:
  /// With `synchronising` the clock is right, and the site is said, before each such call.
  Clock(llvm::Function &f, const IrFlow &flow, const Synchronising *synchronising);

  /// Advances by what `amount` of a counter is worth.
  void advance(llvm::IRBuilder<> &at, uint32_t counter, llvm::Value *amount);
  /// Call once, after all counters were inserted: what a frame has used up goes to the clock where
  /// it ends; with a recorder (Function::callRecorder) the cost of the call is recorded. `state`:
  /// the first of its state words.
  void finish(Counters &counters, uint32_t state, const Recursion &recursion);
  /// A local variable that may be kept in a register, and what sets it to 0; null when there is
  /// none.
  llvm::AllocaInst *local() const { return elapsed; }
  llvm::Instruction *first() const { return zero; }

private:
  llvm::Value *word(llvm::IRBuilder<> &at) const;
  llvm::Value *load(llvm::IRBuilder<> &at) const;
  void store(llvm::IRBuilder<> &at, llvm::Value *value) const;
  void begin(Counters &counters, uint32_t state, bool mayRecur, TakenCalls *taken);
  llvm::Value *settle(llvm::IRBuilder<> &at) const;
  void record(llvm::Instruction *place, llvm::Value *cost, uint32_t state,
              Counters &counters) const;

  /// A call before which the clock has to be right.
  struct Stop {
    llvm::CallBase *call;
    int64_t open; ///< what the frame has done there beyond what was added up
    bool ends;    ///< the frame, which settles there anyway
  };
  std::vector<Stop> findStops() const;
  void settleBefore(const Stop &stop) const;

  llvm::Function &f;
  const IrFlow &flow;
  const Synchronising *const synchronising; ///< null: nothing stops
  const std::vector<uint64_t> costs;        ///< of blocks
  std::vector<Stop> stops;
  std::vector<int64_t> worth; ///< by how much the clock advances when a counter grows by 1
  llvm::GlobalVariable *clock;
  llvm::MDNode *alias;
  llvm::AllocaInst *elapsed = nullptr;
  llvm::Instruction *zero = nullptr;
  llvm::Value *started = nullptr;   ///< the clock on entry
  llvm::Value *outermost = nullptr; ///< no other frame of this function is active; null: always
};

} // namespace quincunx
