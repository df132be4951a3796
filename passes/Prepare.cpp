// See Prepare.h. Splitting a block changes nothing at run time once the optimiser has merged it
// again.
#include "Prepare.h"

#include "Flow.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace quincunx {

namespace {

/// A call directly followed by the return it must be joined with.
bool isMustTail(const llvm::CallBase &call) { return call.isMustTailCall(); }

void splitAfter(llvm::CallBase &call) {
  if (call.isTerminator() || call.getNextNode()->isTerminator() || isMustTail(call))
    return;
  llvm::SplitBlock(call.getParent(), call.getNextNode());
}

void splitAround(llvm::CallBase &call) {
  if (call.isTerminator())
    return;
  llvm::BasicBlock *block = call.getParent();
  if (&*block->getFirstNonPHIIt() != &call || block->isEntryBlock())
    block = llvm::SplitBlock(block, &call);
  if (call.getNextNode() != block->getTerminator() ||
      block->getTerminator()->getNumSuccessors() != 1)
    llvm::SplitBlock(block, call.getNextNode());
}

} // namespace

void splitBlocks(llvm::Function &f, const Returns &returns, bool exact) {
  llvm::removeUnreachableBlocks(f);
  bool indirect = false;
  llvm::SmallVector<llvm::CallBase *, 8> twice, doubtful;
  for (llvm::Instruction &i : llvm::instructions(f)) {
    indirect |= llvm::isa<llvm::IndirectBrInst>(i);
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&i)) {
      if (returnsTwice(*call))
        twice.push_back(call);
      else if (exact && returns.mayCut(*call))
        doubtful.push_back(call);
    }
  }
  if (indirect)
    llvm::SplitIndirectBrCriticalEdges(f, /*IgnoreBlocksWithoutPHI=*/false);
  for (llvm::CallBase *call : twice)
    splitAround(*call);
  for (llvm::CallBase *call : doubtful)
    splitAfter(*call);
}

bool isQuiet(const llvm::Loop &l) {
  if (!l.getSubLoops().empty())
    return false;
  for (const llvm::BasicBlock *b : l.blocks()) {
    if (b->isEHPad() || llvm::isa<llvm::IndirectBrInst>(b->getTerminator()) ||
        llvm::isa<llvm::CallBrInst>(b->getTerminator()))
      return false;
    for (const llvm::Instruction &i : *b)
      if (llvm::isa<llvm::CallBase>(i) && !llvm::isa<llvm::IntrinsicInst>(i))
        return false;
  }
  return true;
}

void shapeQuietLoops(llvm::LoopInfo &loops, llvm::DominatorTree &tree) {
  for (llvm::Loop *l : loops.getLoopsInPreorder()) {
    if (!isQuiet(*l))
      continue;
    if (l->getLoopPreheader() == nullptr)
      llvm::InsertPreheaderForLoop(l, &tree, &loops, nullptr, /*PreserveLCSSA=*/false);
    llvm::formDedicatedExitBlocks(l, &tree, &loops, nullptr, /*PreserveLCSSA=*/false);
  }
}

} // namespace quincunx
