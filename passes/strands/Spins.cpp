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
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

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

/// Is it what an atomic or volatile number is compared with a constant by, in this loop, maybe
/// behind another condition?
bool isFlag(const llvm::Value *value, const llvm::Loop &loop, unsigned depth = 0) {
  constexpr unsigned most = 8;
  const auto *i = llvm::dyn_cast<llvm::Instruction>(value);
  if (i == nullptr || !loop.contains(i) || depth == most)
    return false;
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(i))
    return load->getType()->isIntegerTy() && (load->isAtomic() || load->isVolatile());
  const auto *compare = llvm::dyn_cast<llvm::ICmpInst>(i);
  if (compare != nullptr
          ? !compare->isEquality() || !llvm::isa<llvm::Constant>(compare->getOperand(1))
          : !llvm::isa<llvm::CastInst, llvm::FreezeInst, llvm::BinaryOperator, llvm::PHINode,
                       llvm::SelectInst>(i))
    return false;
  return llvm::any_of(i->operands(),
                      [&](const llvm::Use &of) { return isFlag(of, loop, depth + 1); });
}

/// Does a thread wait there for others, or give something to them?
bool synchronises(const llvm::Loop &loop) {
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &i : *block)
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&i)) {
        const llvm::Function *callee = call->getCalledFunction();
        const llvm::StringRef name = callee != nullptr ? callee->getName() : "";
        if ((isMark(*call) && !isMarkOfLook(*call)) || name.contains("pthread_") ||
            name.contains("condition_variable") || name.starts_with("sem_") ||
            name.starts_with("mtx_") || name.starts_with("cnd_") || name == "sched_yield")
          return true;
      }
  return false;
}

/// Where a loop that works ends as another thread says so: it has gone round as often as there was
/// time for.
using Edges = llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::BasicBlock *>, 4>;
void findStops(const llvm::Loop &loop, Edges &stops) {
  llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::BasicBlock *>, 4> exits;
  loop.getExitEdges(exits);
  for (const auto &[from, to] : exits)
    if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
        branch != nullptr && branch->isConditional() && isFlag(branch->getCondition(), loop) &&
        !synchronises(loop))
      stops.emplace_back(from, to);
}

/// Is it in the library, which says itself what it waits for?
bool isOfLibrary(const llvm::DILocation *where, const llvm::Function &in) {
  const llvm::DISubprogram *f = where != nullptr ? where->getScope()->getSubprogram() : nullptr;
  const std::string name = f != nullptr ? nameOf(*f) : in.getName().str();
  return qx_is_of_library(name.c_str()) != 0;
}

} // namespace

void markSpins(llvm::Module &m, llvm::FunctionAnalysisManager &analyses) {
  for (llvm::Function &f : m) {
    if (f.isDeclaration())
      continue;
    Edges stops;
    for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(f).getLoopsInPreorder()) {
      llvm::BasicBlock *latch = loop->getLoopLatch();
      llvm::Value *address = loop->isInnermost() && latch != nullptr ? awaitedBy(*loop) : nullptr;
      if (address == nullptr && !isOfLibrary(loop->getStartLoc().get(), f))
        findStops(*loop, stops);
      if (address != nullptr && isOfLibrary(latch->getTerminator()->getDebugLoc().get(), f))
        continue;
      const auto *where = llvm::dyn_cast_or_null<llvm::Instruction>(address);
      if (address == nullptr ||
          (where != nullptr && loop->contains(where) && latch != loop->getHeader() &&
           where->getParent() != loop->getHeader()))
        continue;
      llvm::IRBuilder<> at(latch->getTerminator());
      markWait(at, QX_STRAND_SPIN, address, at.getInt64(1));
    }
    for (const auto &[from, to] : stops) {
      llvm::IRBuilder<> at(llvm::SplitEdge(from, to)->getTerminator());
      at.SetCurrentDebugLocation(from->getTerminator()->getDebugLoc());
      markWait(at, QX_STRAND_SPIN, &f, at.getInt64(1));
    }
    if (!stops.empty())
      analyses.invalidate(f, llvm::PreservedAnalyses::none());
  }
}

} // namespace quincunx
