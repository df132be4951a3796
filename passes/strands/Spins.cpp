// A loop that compares and exchanges until that succeeds is none unless what it expects and writes
// is the same each time: an update that nobody got in between of needs no other turn.
#include "Spins.h"

#include "IrFlow.h"
#include "Waits.h"
#include "quincunx/abi/library_names.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace quincunx {

namespace {

/// The address of what is looked at; null: it does not look.
llvm::Value *lookedAt(llvm::Instruction &i) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&i))
    return load->isAtomic() || load->isVolatile() ? load->getPointerOperand() : nullptr;
  if (auto *swap = llvm::dyn_cast<llvm::AtomicRMWInst>(&i))
    return swap->getOperation() == llvm::AtomicRMWInst::Xchg ? swap->getPointerOperand() : nullptr;
  if (auto *swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i))
    return llvm::isa<llvm::Constant>(swap->getCompareOperand()) &&
                   llvm::isa<llvm::Constant>(swap->getNewValOperand())
               ? swap->getPointerOperand()
               : nullptr;
  return nullptr;
}

/// Does it nothing but to let time pass, or say something to the compiler?
bool isPause(const llvm::CallBase &call) {
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return intrinsic->arg_empty() || intrinsic->isAssumeLikeIntrinsic() ||
           !intrinsic->mayWriteToMemory();
  const llvm::Function *callee = call.getCalledFunction();
  return call.isInlineAsm() ? call.arg_empty()
                            : callee != nullptr && callee->getName() == "sched_yield";
}

/// Does it change nothing but what it looks at?
bool isQuiet(llvm::Instruction &i) {
  if (lookedAt(i) != nullptr)
    return true;
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&i))
    return isPause(*call) && !isMark(*call);
  return !i.mayWriteToMemory();
}

/// The variable on which it hangs whether the loop is left; null: on none of that kind, or the loop
/// does more, or each turn goes on from the one before, as where one computes and looks meanwhile
/// whether it is still asked for.
llvm::Value *awaitedBy(const llvm::Loop &loop) {
  constexpr size_t most = 64; // values
  if (llvm::isa<llvm::PHINode>(loop.getHeader()->front()))
    return nullptr;
  llvm::SmallSetVector<llvm::Value *, 16> why;
  for (llvm::BasicBlock *block : loop.blocks()) {
    for (llvm::Instruction &i : *block)
      if (!isQuiet(i))
        return nullptr;
    const auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (branch != nullptr && branch->isConditional() && loop.isLoopExiting(block))
      why.insert(branch->getCondition());
  }
  for (size_t k = 0; k < why.size() && why.size() < most; ++k)
    if (auto *i = llvm::dyn_cast<llvm::Instruction>(why[k]); i != nullptr && loop.contains(i)) {
      if (llvm::Value *address = lookedAt(*i))
        return address;
      why.insert(i->op_begin(), i->op_end());
    }
  return nullptr;
}

/// Is it in the library, which says itself what it waits for?
bool isOfLibrary(const llvm::Instruction &i) {
  const llvm::DILocation *where = i.getDebugLoc();
  const llvm::DISubprogram *f = where != nullptr ? where->getScope()->getSubprogram() : nullptr;
  const std::string name = f != nullptr ? nameOf(*f) : i.getFunction()->getName().str();
  return qx_is_of_library(name.c_str()) != 0;
}

} // namespace

void markSpins(llvm::Module &m, llvm::FunctionAnalysisManager &analyses) {
  for (llvm::Function &f : m) {
    if (f.isDeclaration())
      continue;
    for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(f).getLoopsInPreorder()) {
      llvm::BasicBlock *latch = loop->getLoopLatch();
      if (!loop->isInnermost() || latch == nullptr || isOfLibrary(*latch->getTerminator()))
        continue;
      llvm::Value *address = awaitedBy(*loop);
      const auto *where = llvm::dyn_cast_or_null<llvm::Instruction>(address);
      if (address == nullptr ||
          (where != nullptr && loop->contains(where) && latch != loop->getHeader() &&
           where->getParent() != loop->getHeader()))
        continue;
      llvm::IRBuilder<> at(latch->getTerminator());
      markWait(at, QX_STRAND_SPIN, address, at.getInt64(1));
    }
  }
}

} // namespace quincunx
