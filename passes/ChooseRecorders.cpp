// Which branches and loops get recorders. A branch: conditional, in a loop, unless it is the loop's
// only exit and evaluated in every iteration, because then its runs are the trips. A loop: unless
// its trips are constant. Both only where the loop's entries and exits can hold code: jumps to
// computed addresses cannot be split, nor can handlers of exceptions that are loop headers. It
// inserts nothing (Recorders.cpp).
#include "Recorders.h"

#include "quincunx/abi.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace quincunx {

namespace {

/// Code for recorders in a function with more branches takes the code generator minutes.
constexpr size_t mostBranches = 1000;

bool isIndirect(const llvm::BasicBlock &b) {
  const llvm::Instruction *last = b.getTerminator();
  return llvm::isa<llvm::IndirectBrInst>(last) || llvm::isa<llvm::CallBrInst>(last);
}

/// In a coroutine: does a suspension not show which way is which?
bool hidesSuspension(const llvm::Loop &l) {
  if (!l.getHeader()->getParent()->isPresplitCoroutine())
    return false;
  for (const llvm::BasicBlock *b : l.blocks())
    for (const llvm::Instruction &i : *b)
      if (const auto *s = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
          s != nullptr && s->getIntrinsicID() == llvm::Intrinsic::coro_suspend &&
          !(s->hasOneUse() && llvm::isa<llvm::SwitchInst>(*s->user_begin())))
        return true;
  return false;
}

/// Can code be put before the loop and on all its exits, and only there?
bool canHold(const llvm::Loop &l) {
  if (l.getHeader()->isEHPad() || hidesSuspension(l))
    return false;
  for (const llvm::BasicBlock *p : llvm::predecessors(l.getHeader()))
    if (isIndirect(*p)) // from outside: no place to start; from inside: none to count a trip
      return false;
  llvm::SmallDenseMap<const llvm::BasicBlock *, bool> suspends; // per exit
  for (const llvm::BasicBlock *b : l.blocks())
    for (const llvm::BasicBlock *to : llvm::successors(b)) {
      if (l.contains(to))
        continue;
      const bool suspension = isSuspension(*b, *to);
      const bool fresh = suspends.try_emplace(to, suspension).second;
      if ((!fresh && suspends[to] != suspension) || (to->isEHPad() && !to->isLandingPad()))
        return false;
      if (isIndirect(*b) && llvm::any_of(llvm::predecessors(to),
                                         [&](const llvm::BasicBlock *p) { return !l.contains(p); }))
        return false;
    }
  return true;
}

/// The block whose branch is the loop's only exit, if it is evaluated in every iteration.
const llvm::BasicBlock *onlyExit(const llvm::Loop &l, llvm::DominatorTree &tree) {
  const llvm::BasicBlock *exiting = l.getExitingBlock();
  if (exiting == nullptr)
    return nullptr;
  llvm::SmallVector<llvm::BasicBlock *, 4> latches;
  l.getLoopLatches(latches);
  const bool always = llvm::all_of(
      latches, [&](const llvm::BasicBlock *latch) { return tree.dominates(exiting, latch); });
  return always ? exiting : nullptr;
}

bool isTwoWay(const llvm::BasicBlock &b) {
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(b.getTerminator());
  return branch != nullptr && branch->isConditional() &&
         branch->getSuccessor(0) != branch->getSuccessor(1);
}

} // namespace

bool isSuspension(const llvm::BasicBlock &from, const llvm::BasicBlock &to) {
  const auto *choice = llvm::dyn_cast<llvm::SwitchInst>(from.getTerminator());
  if (choice == nullptr || choice->getDefaultDest() != &to)
    return false;
  const auto *suspend = llvm::dyn_cast<llvm::IntrinsicInst>(choice->getCondition());
  return suspend != nullptr && suspend->getIntrinsicID() == llvm::Intrinsic::coro_suspend;
}

std::vector<RecordedLoop> chooseRecorders(Flow &flow, Analyses &known, llvm::DominatorTree &tree) {
  Function &map = flow.map;
  if (map.branches.size() > mostBranches)
    return {};
  std::vector<RecordedLoop> all(flow.loops.size());
  std::vector<std::vector<uint32_t>> branches(all.size());
  std::vector<const llvm::BasicBlock *> sameAsTrips(all.size(), nullptr);
  std::vector<bool> holds(all.size()), tripsVary(all.size());
  llvm::DenseMap<const llvm::Loop *, uint32_t> number;
  for (uint32_t i = 0; i < all.size(); ++i) {
    llvm::Loop &l = *flow.loops[i];
    number[&l] = i;
    all[i].header = l.getHeader();
    holds[i] = canHold(l);
    const bool constant = known.evolution != nullptr &&
                          llvm::isa<llvm::SCEVConstant>(known.evolution->getBackedgeTakenCount(&l));
    tripsVary[i] = !constant && (holds[i] || map.loops[i].derivedTrips);
    if (constant || tripsVary[i])
      sameAsTrips[i] = onlyExit(l, tree);
  }
  for (uint32_t b = 0; b < map.branches.size(); ++b) {
    llvm::BasicBlock *block = flow.blocks[map.branches[b].block];
    const llvm::Loop *l = known.loops.getLoopFor(block);
    if (l == nullptr || !isTwoWay(*block) || !holds[number[l]] || sameAsTrips[number[l]] == block)
      continue;
    branches[number[l]].push_back(b);
    all[number[l]].branches.push_back(block);
  }
  const uint32_t first = map.counterCount;
  uint32_t &next = map.counterCount;
  for (uint32_t i = 0; i < all.size(); ++i) {
    if (tripsVary[i]) {
      all[i].trips = map.loops[i].recorder = next;
      next += QX_BINS;
    }
    if (!branches[i].empty())
      all[i].runs = next;
    for (const uint32_t b : branches[i]) {
      map.branches[b].recorder = next;
      next += QX_RUN_WORDS;
    }
  }
  map.recorderWords += next - first;
  return all;
}

} // namespace quincunx
