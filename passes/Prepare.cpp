// See Prepare.h. Splitting a block changes nothing at run time once the optimiser has merged it
// again.
#include "Prepare.h"

#include "Bytes.h"
#include "Requests.h"
#include "strands/Waits.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace quincunx {

namespace {

/// Splits a block behind an instruction. The jump between is of what was executed: the lines behind
/// it may not be.
llvm::BasicBlock *splitBehind(llvm::Instruction &last) {
  llvm::BasicBlock *before = last.getParent(),
                   *behind = llvm::SplitBlock(before, last.getNextNode());
  before->getTerminator()->setDebugLoc(last.getDebugLoc());
  return behind;
}

void splitAfter(llvm::CallBase &call) {
  if (!call.isTerminator() && !call.getNextNode()->isTerminator() && !call.isMustTailCall())
    splitBehind(call);
}

void splitAround(llvm::CallBase &call) {
  if (call.isTerminator())
    return;
  llvm::BasicBlock *block = call.getParent();
  if (&*block->getFirstNonPHIIt() != &call)
    block = splitBehind(*call.getPrevNode());
  else if (block->isEntryBlock())
    block = llvm::SplitBlock(block, &call);
  if (call.getNextNode() != block->getTerminator() ||
      block->getTerminator()->getNumSuccessors() != 1)
    splitBehind(call);
}

/// A call whose result is counted keeps its frame.
void keepFrames(llvm::Function &f) {
  for (const llvm::BasicBlock &b : f)
    if (const llvm::CallInst *call = tailCall(b); call != nullptr && isCountedByResult(*call))
      const_cast<llvm::CallInst *>(call)->setTailCallKind(llvm::CallInst::TCK_None);
}

/// Gives every call in tail position a return of its own, as code generation would do later:
/// counters on a return that others share would come after the call, and it could not take over the
/// frame any more.
void exposeTailCalls(llvm::Function &f) {
  for (llvm::BasicBlock &b : llvm::make_early_inc_range(f)) {
    auto *end = llvm::dyn_cast<llvm::ReturnInst>(b.getTerminator());
    if (end == nullptr || &*b.getFirstNonPHIOrDbg() != end)
      continue;
    // Folding removes predecessors, and with the last but one of them the phi.
    const auto valueFrom = [&](const llvm::BasicBlock *from) -> const llvm::Value * {
      const auto *phi = llvm::dyn_cast_or_null<llvm::PHINode>(end->getReturnValue());
      return phi != nullptr && phi->getParent() == &b ? phi->getIncomingValueForBlock(from)
                                                      : end->getReturnValue();
    };
    for (llvm::BasicBlock *from : llvm::to_vector(llvm::predecessors(&b))) {
      llvm::Instruction *jump = from->getTerminator();
      const auto *call = llvm::dyn_cast_or_null<llvm::CallInst>(jump->getPrevNode());
      if (jump->getNumSuccessors() == 1 && llvm::isa<llvm::BranchInst>(jump) && call != nullptr &&
          call->isTailCall() && !call->isMustTailCall() &&
          (end->getReturnValue() == nullptr || valueFrom(from) == call))
        llvm::FoldReturnIntoUncondBranch(end, &b, from);
    }
  }
}

/// Gives every invoke that leads to this landing pad one of its own: an edge to a pad cannot be
/// split.
void separateInvokes(llvm::BasicBlock &pad) {
  const llvm::SmallVector<llvm::BasicBlock *, 8> from(llvm::predecessors(&pad));
  if (from.size() < 2)
    return;
  llvm::LandingPadInst *landing = pad.getLandingPadInst();
  if (landing->getType()->isTokenTy()) // of which there is no phi: its edges cannot be counted
    return;
  llvm::BasicBlock *rest = llvm::SplitBlock(&pad, landing->getNextNode());
  for (llvm::PHINode &phi : llvm::make_early_inc_range(pad.phis())) {
    phi.moveBefore(*rest, rest->begin());
    phi.replaceIncomingBlockWith(from.front(), &pad);
  }
  auto *landed = llvm::PHINode::Create(landing->getType(), static_cast<unsigned>(from.size()));
  landed->insertBefore(rest->begin());
  landing->replaceAllUsesWith(landed);
  landed->addIncoming(landing, &pad);
  for (llvm::BasicBlock *invoker : llvm::drop_begin(from)) {
    auto *own = llvm::BasicBlock::Create(pad.getContext(), pad.getName(), pad.getParent(), rest);
    llvm::IRBuilder<> at(own);
    llvm::Instruction *copy = at.Insert(landing->clone());
    copy->dropUnknownNonDebugMetadata(); // it is not executed as often as what it copies
    at.CreateBr(rest)->setDebugLoc(landing->getDebugLoc());
    landed->addIncoming(copy, own);
    rest->replacePhiUsesWith(invoker, own);
    llvm::cast<llvm::InvokeInst>(invoker->getTerminator())->setUnwindDest(own);
  }
}

/// Removes unreachable blocks, ends blocks around calls that return twice and after those that may
/// not return, makes edges to landing pads and of indirect jumps splittable.
void splitBlocks(llvm::Function &f, const Returns &returns) {
  llvm::removeUnreachableBlocks(f);
  bool indirect = false;
  for (llvm::BasicBlock &b : llvm::make_early_inc_range(f))
    if (b.isLandingPad())
      separateInvokes(b);
  llvm::SmallVector<llvm::CallBase *, 8> twice, doubtful;
  for (llvm::Instruction &i : llvm::instructions(f)) {
    indirect |= llvm::isa<llvm::IndirectBrInst>(i);
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&i)) {
      if (returnsTwice(*call))
        twice.push_back(call);
      else if (returns.mayNotReturn(*call))
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

/// Gives quiet loops a preheader and exits of their own.
void shapeQuietLoops(llvm::LoopInfo &loops, llvm::DominatorTree &tree) {
  for (llvm::Loop *l : loops.getLoopsInPreorder()) {
    if (!isQuiet(*l))
      continue;
    if (l->getLoopPreheader() == nullptr)
      llvm::InsertPreheaderForLoop(l, &tree, &loops, nullptr, /*PreserveLCSSA=*/false);
    llvm::formDedicatedExitBlocks(l, &tree, &loops, nullptr, /*PreserveLCSSA=*/false);
  }
}

} // namespace

bool isQuiet(const llvm::Loop &l) {
  if (!l.getSubLoops().empty())
    return false;
  for (const llvm::BasicBlock *b : l.blocks()) {
    if (b->isEHPad() || llvm::isa<llvm::IndirectBrInst>(b->getTerminator()) ||
        llvm::isa<llvm::CallBrInst>(b->getTerminator()))
      return false;
    for (const llvm::Instruction &i : *b)
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
          call != nullptr &&
          (!llvm::isa<llvm::IntrinsicInst>(call) || returnsTwice(*call) || isMark(*call)))
        return false;
  }
  return true;
}

llvm::SmallVector<llvm::Function *, 0> instrumentable(llvm::Module &m) {
  llvm::SmallPtrSet<const llvm::Value *, 4> resolvers; // run before anything is ready
  for (const llvm::GlobalIFunc &i : m.ifuncs())
    resolvers.insert(i.getResolverFunction());
  llvm::SmallVector<llvm::Function *, 0> all;
  for (llvm::Function &f : m)
    if (!f.isDeclaration() && !f.hasAvailableExternallyLinkage() &&
        !f.hasFnAttribute(llvm::Attribute::Naked) &&
        !f.hasFnAttribute(llvm::Attribute::NoProfile) && !resolvers.contains(&f))
      all.push_back(&f);
  return all;
}

Analyses prepare(llvm::Function &f, llvm::FunctionAnalysisManager &manager,
                 const Returns &returns) {
  const bool optimised = !f.hasOptNone();
  if (isRequest(f))
    openWaysOut(f);
  exposeTailCalls(f);
  keepFrames(f);
  splitBlocks(f, returns);
  manager.invalidate(f, llvm::PreservedAnalyses::none());
  auto &loops = manager.getResult<llvm::LoopAnalysis>(f);
  if (optimised)
    shapeQuietLoops(loops, manager.getResult<llvm::DominatorTreeAnalysis>(f));
  return {loops, manager.getResult<llvm::BlockFrequencyAnalysis>(f),
          manager.getResult<llvm::BranchProbabilityAnalysis>(f),
          optimised ? &manager.getResult<llvm::ScalarEvolutionAnalysis>(f) : nullptr,
          manager.getResult<llvm::TargetIRAnalysis>(f)};
}

} // namespace quincunx
