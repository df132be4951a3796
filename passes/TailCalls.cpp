// The jump stays a jump: nothing is left to do after it, so whoever returns at last ends the calls
// of all. A jump stores where it goes; a function asks on entry whether something is handed over,
// one load and a branch, and takes it if the jump was to it. So it does not matter who jumps to
// whom through which pointer, or whether a function that is jumped to is counted at all. The rest
// is the runtime's (runtime/control/jumps.c). Coroutines take nothing over. A jump is what LLVM
// marks as a tail call; if it becomes a call in the end, all holds as well.
#include "TailCalls.h"

#include "quincunx/abi.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace quincunx {

llvm::CallInst *jumpOn(const IrFlow &flow, uint32_t edge, const Recursion &recursion) {
  if (flow.map.edges[edge].kind != EdgeKind::leave)
    return nullptr;
  const llvm::CallInst *call = tailCall(*flow.edges[edge].from);
  return call != nullptr && recursion.mayCallBack(*call) ? const_cast<llvm::CallInst *>(call)
                                                         : nullptr;
}

bool hasJumps(const IrFlow &flow, const Recursion &recursion) {
  for (uint32_t e = 0; e < flow.edges.size(); ++e)
    if (jumpOn(flow, e, recursion) != nullptr)
      return true;
  return false;
}

bool mayBeJumpedTo(const llvm::Function &f) {
  return !f.hasLocalLinkage() || llvm::any_of(f.uses(), [](const llvm::Use &use) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    return call == nullptr || !call->isCallee(&use) || call->isTailCall();
  });
}

/// The same for a frame and for what takes it over.
llvm::Value *TakenCalls::placeOfFrame(llvm::IRBuilder<> &at) const {
  const llvm::Triple target(f.getParent()->getTargetTriple());
  llvm::Value *place =
      target.isX86() || target.isAArch64()
          ? at.CreateIntrinsic(at.getPtrTy(), llvm::Intrinsic::addressofreturnaddress, {})
          : at.CreateIntrinsic(at.getPtrTy(), llvm::Intrinsic::frameaddress, {at.getInt32(0)});
  return at.CreatePtrToInt(place, at.getInt64Ty());
}

llvm::Value *TakenCalls::word(llvm::IRBuilder<> &at, size_t offset) const {
  llvm::Value *jump =
      at.CreateThreadLocalAddress(perThread(*f.getParent(), QX_JUMP_SYMBOL, sizeof(qx_jump) / 8));
  return at.CreateConstGEP1_64(at.getInt8Ty(), jump, offset);
}

void TakenCalls::take(llvm::Instruction *place) {
  llvm::IRBuilder<> at(place);
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  llvm::Type *i64 = at.getInt64Ty();
  llvm::Value *none = at.getInt64(0);
  llvm::Value *target = counters.loadState(at, word(at, offsetof(qx_jump, target)), i64);
  llvm::BasicBlock *entry = place->getParent();
  llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(
      at.CreateIsNotNull(target), place->getIterator(), false,
      llvm::MDBuilder(f.getContext()).createUnlikelyBranchWeights());
  keepAllocas(*entry, *place->getParent());
  at.SetInsertPoint(then);
  const bool may = !f.isPresplitCoroutine(); // else nobody's, from below: calls are cut
  counters.storeState(at, may ? placeOfFrame(at) : none, word(at, offsetof(qx_jump, here)));
  llvm::Value *taken = counters.callRuntime(at, QX_TAKE_SYMBOL, i64,
                                            {may ? at.CreatePtrToInt(&f, i64) : none, word(at, 0)});
  llvm::Value *number = counters.loadState(at, word(at, offsetof(qx_jump, chain)), i64);
  llvm::Value *same =
      state == noIndex
          ? nullptr
          : at.CreateICmpEQ(number,
                            counters.loadState(at, counters.state(at, state + QX_CALL_CHAIN), i64));
  at.SetInsertPoint(place->getParent(), place->getParent()->begin());
  const auto merge = [&](llvm::Value *otherwise, llvm::Value *value) -> llvm::Value * {
    llvm::PHINode *phi = at.CreatePHI(value->getType(), 2);
    phi->addIncoming(otherwise, entry);
    phi->addIncoming(value, then->getParent());
    return phi;
  };
  head = merge(none, taken);
  chain = merge(llvm::UndefValue::get(i64), number); // nobody looks where the head is 0
  if (same != nullptr)
    own = merge(at.getFalse(), same);
}

void TakenCalls::jump(llvm::IRBuilder<> &at, llvm::CallInst &call, llvm::Value *now,
                      llvm::Value *started, llvm::Value *joins) {
  llvm::Type *i64 = at.getInt64Ty();
  llvm::Value *words = llvm::ConstantPointerNull::get(at.getPtrTy());
  if (started != nullptr) {
    counters.storeState(at, at.CreatePtrToInt(counters.map(), i64),
                        counters.state(at, state + QX_CALL_MAP));
    llvm::Value *first = counters.state(at, state);
    words = joins != nullptr ? at.CreateSelect(joins, first, words) : first;
  }
  counters.storeState(at, placeOfFrame(at), word(at, offsetof(qx_jump, here)));
  counters.storeState(at, now, word(at, offsetof(qx_jump, now)));
  counters.callRuntime(at, QX_JUMPS_SYMBOL, at.getVoidTy(),
                       {words, started != nullptr ? started : at.getInt64(0), head, chain,
                        at.CreatePtrToInt(call.getCalledOperand(), i64), word(at, 0)});
}

void TakenCalls::end(llvm::Instruction *place, llvm::Value *now) {
  llvm::IRBuilder<> at(place);
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  at.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(
      at.CreateIsNotNull(head), place->getIterator(), false,
      llvm::MDBuilder(f.getContext()).createUnlikelyBranchWeights()));
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  counters.callRuntime(at, QX_END_SYMBOL, at.getVoidTy(), {head, chain, now});
}

} // namespace quincunx
