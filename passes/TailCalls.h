// Code for record=calls around jumps to other functions: the cost of a call goes on in what its
// function jumps to, which has taken its frame over.
#pragma once

#include "Counters.h"
#include "Recursion.h"

namespace quincunx {

/// The call in tail position with which an edge leaves the function, unless what is called runs
/// nothing that is counted; null: none.
llvm::CallInst *jumpOn(const IrFlow &flow, uint32_t edge, const Recursion &recursion);
bool hasJumps(const IrFlow &flow, const Recursion &recursion);
/// May a frame of this function begin with a jump to it, as far as its module can tell?
bool mayBeJumpedTo(const llvm::Function &f);

/// The calls of others that a frame takes over on entry, hands over where it jumps, and ends where
/// it returns (struct qx_jump).
class TakenCalls {
public:
  /// `state`: the first of the function's QX_CALL_JUMP_WORDS; noIndex: its calls are not recorded,
  /// or it ends in no jumps.
  TakenCalls(llvm::Function &function, Counters &c, uint32_t words)
      : f(function), counters(c), state(words) {}

  /// Takes them over before `place`.
  void take(llvm::Instruction *place);
  /// Is a call of this function among them? Null: of a function without jumps.
  llvm::Value *haveOwn() const { return own; }
  /// Hands them over before the jump `call`, and with them the call at hand, if `joins` (null:
  /// always); without `started` the function has none that is recorded.
  void jump(llvm::IRBuilder<> &at, llvm::CallInst &call, llvm::Value *now, llvm::Value *started,
            llvm::Value *joins);
  /// Ends them before `place`.
  void end(llvm::Instruction *place, llvm::Value *now);

private:
  llvm::Value *placeOfFrame(llvm::IRBuilder<> &at) const;
  /// The address of a word of the thread's struct qx_jump.
  llvm::Value *word(llvm::IRBuilder<> &at, size_t offset) const;

  llvm::Function &f;
  Counters &counters;
  const uint32_t state;
  llvm::Value *head = nullptr, *chain = nullptr, *own = nullptr;
};

} // namespace quincunx
