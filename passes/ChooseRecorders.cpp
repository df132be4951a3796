// Which branches and loops get recorders. A loop: unless its trips are constant. A branch:
// conditional, in a loop, unless it leaves that loop and is evaluated once in every iteration:
// then its runs are the trips, if those are recorded apart for each such exit. Both only where the
// loop's entries and exits can hold code: jumps to computed addresses cannot be split, nor can
// handlers of exceptions that are loop headers. It inserts nothing (Recorders.cpp).
#include "Recorders.h"

#include "quincunx/abi.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace quincunx {

namespace {

/// Code for recorders in a function with more branches takes the code generator minutes.
constexpr size_t maxBranches = 1000;

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

bool isTwoWay(const llvm::BasicBlock &b) {
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(b.getTerminator());
  return branch != nullptr && branch->isConditional() &&
         branch->getSuccessor(0) != branch->getSuccessor(1);
}

/// The ways out of a loop.
class Exits {
public:
  Exits(llvm::Loop &loop, llvm::LoopInfo &loops, const llvm::DominatorTree &dominators)
      : l(loop), tree(dominators) {
    llvm::SmallVector<llvm::BasicBlock *, 8> exiting;
    l.getExitingBlocks(exiting);
    for (llvm::BasicBlock *b : exiting)
      if (leaves(*b))
        all.push_back(b);
    for (llvm::BasicBlock *b : all)
      if (loops.getLoopFor(b) == &l && isTwoWay(*b) && isAlways(*b))
        inOrder.push_back(b);
    llvm::sort(inOrder, [&](const llvm::BasicBlock *a, const llvm::BasicBlock *b) {
      return tree.properlyDominates(a, b);
    });
  }

  /// The blocks of the branches whose runs are the trips, each before those that it dominates.
  const std::vector<llvm::BasicBlock *> &regular() const { return inOrder; }
  size_t count() const { return all.size(); }

  /// One number for each regular exit, and one for all others between two of them. `name` is called
  /// for each number with its block, or null.
  template <class Name>
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> number(const Name &name) const {
    llvm::DenseMap<const llvm::BasicBlock *, uint32_t> numbers;
    uint32_t next = 0;
    for (size_t passed = 0; passed <= inOrder.size(); ++passed) {
      bool others = false;
      for (const llvm::BasicBlock *b : all)
        if (!llvm::is_contained(inOrder, b) && passedBefore(*b) == passed)
          numbers[b] = next, others = true;
      if (others)
        name(nullptr), ++next;
      if (passed < inOrder.size())
        name(inOrder[passed]), numbers[inOrder[passed]] = next++;
    }
    return numbers;
  }

private:
  /// Not only for a while, as a coroutine does.
  bool leaves(const llvm::BasicBlock &b) const {
    return llvm::any_of(llvm::successors(&b), [&](const llvm::BasicBlock *to) {
      return !l.contains(to) && !isSuspension(b, *to);
    });
  }
  /// Is it evaluated once per iteration, and wherever else the loop is left, is it known whether it
  /// was in that iteration?
  bool isAlways(const llvm::BasicBlock &b) const {
    llvm::SmallVector<llvm::BasicBlock *, 4> latches;
    l.getLoopLatches(latches);
    if (!llvm::all_of(latches, [&](const llvm::BasicBlock *to) { return tree.dominates(&b, to); }))
      return false;
    llvm::SmallPtrSet<const llvm::BasicBlock *, 16> behind{l.getHeader()};
    llvm::SmallVector<const llvm::BasicBlock *, 16> todo{&b};
    while (!todo.empty())
      for (const llvm::BasicBlock *to : llvm::successors(todo.pop_back_val()))
        if (l.contains(to) && behind.insert(to).second)
          todo.push_back(to);
    behind.erase(l.getHeader());
    return llvm::all_of(all, [&](const llvm::BasicBlock *x) {
      return x == &b || tree.dominates(&b, x) || !behind.contains(x);
    });
  }
  size_t passedBefore(const llvm::BasicBlock &x) const {
    return static_cast<size_t>(llvm::count_if(
        inOrder, [&](const llvm::BasicBlock *b) { return tree.properlyDominates(b, &x); }));
  }

  const llvm::Loop &l;
  const llvm::DominatorTree &tree;
  std::vector<llvm::BasicBlock *> all, inOrder;
};

/// Goes over the loops, then over the branches, and gives out words.
class Chooser {
public:
  Chooser(IrFlow &fl, Analyses &a, llvm::DominatorTree &dominators, uint32_t &stateWords)
      : flow(fl), known(a), tree(dominators), state(stateWords), all(fl.loops.size()),
        holds(fl.loops.size()) {
    for (uint32_t b = 0; b < flow.blocks.size(); ++b)
      numberOf[flow.blocks[b]] = b;
  }

  Recorded choose() {
    for (uint32_t i = 0; i < all.size(); ++i) {
      all[i].header = flow.loops[i]->getHeader();
      holds[i] = canHold(*flow.loops[i]);
      enterBlock(i);
      chooseTrips(i);
      chooseRuns(i);
    }
    closeBlock();
    return {std::move(all), std::move(blocks)};
  }

private:
  /// Loops come with all that are in them behind them, so their words do. The block is asked for
  /// before the outermost loop that has a place for that.
  void enterBlock(uint32_t i) {
    const uint32_t parent = flow.map.loops[i].parent;
    if (parent != noIndex && blocks[all[parent].block].header != nullptr) {
      assert(all[parent].block + 1 == blocks.size() && "loops stand in preorder");
      all[i].block = all[parent].block;
      return;
    }
    closeBlock();
    all[i].block = static_cast<uint32_t>(blocks.size());
    blocks.push_back({flow.map.recorderWords, 0, noIndex, holds[i] ? all[i].header : nullptr});
  }
  void closeBlock() {
    if (blocks.empty())
      return;
    RecordedBlock &b = blocks.back();
    b.words = flow.map.recorderWords - b.first;
    assert(b.words <= QX_BLOCK_MOST && "there are not so many branches");
    if (b.words > 0)
      b.state = state++;
  }
  /// The next word, in the block of a loop.
  uint32_t next(uint32_t i) const { return flow.map.recorderWords - blocks[all[i].block].first; }

  void chooseTrips(uint32_t i) {
    llvm::Loop &l = *flow.loops[i];
    Loop &out = flow.map.loops[i];
    const Exits exits(l, known.loops, tree);
    if (known.evolution != nullptr &&
        llvm::isa<llvm::SCEVConstant>(known.evolution->getBackedgeTakenCount(&l))) {
      if (exits.count() == 1) // then its runs are constant, too
        for (const llvm::BasicBlock *b : exits.regular())
          leaves[b] = noIndex;
      return;
    }
    if (exits.count() == 0 || (!holds[i] && !out.derivedTrips))
      return;
    all[i].trips = next(i);
    out.recorder = flow.map.recorderWords;
    all[i].exits = exits.number([&](const llvm::BasicBlock *b) {
      out.exits.push_back(b != nullptr ? numberOf[b] : noIndex);
      flow.map.recorderWords += QX_BINS;
    });
    for (const llvm::BasicBlock *b : exits.regular())
      leaves[b] = i;
  }

  void chooseRuns(uint32_t i) {
    llvm::Loop &l = *flow.loops[i];
    for (size_t n = 0; n < flow.map.branches.size(); ++n) {
      Branch &b = flow.map.branches[n];
      llvm::BasicBlock *block = flow.blocks[b.block];
      if (known.loops.getLoopFor(block) != &l || !isTwoWay(*block))
        continue;
      if (const auto at = leaves.find(block); at != leaves.end()) {
        b.leaves = at->second;
        b.leavesOnTrue = b.leaves != noIndex &&
                         !l.contains(block->getTerminator()->getSuccessor(flow.onTrue[n]));
      } else if (holds[i]) {
        if (all[i].branches.empty())
          all[i].runs = next(i);
        all[i].branches.push_back({block, flow.onTrue[n]});
        b.recorder = flow.map.recorderWords;
        flow.map.recorderWords += QX_RUN_WORDS;
      }
    }
  }

  IrFlow &flow;
  Analyses &known;
  llvm::DominatorTree &tree;
  uint32_t &state;
  std::vector<RecordedLoop> all;
  std::vector<RecordedBlock> blocks;
  std::vector<bool> holds;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> numberOf; ///< in the map
  /// Branches without a recorder: the loop whose trips say it, or none for constant ones.
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> leaves;
};

} // namespace

bool isSuspension(const llvm::BasicBlock &from, const llvm::BasicBlock &to) {
  const auto *choice = llvm::dyn_cast<llvm::SwitchInst>(from.getTerminator());
  if (choice == nullptr || choice->getDefaultDest() != &to)
    return false;
  const auto *suspend = llvm::dyn_cast<llvm::IntrinsicInst>(choice->getCondition());
  return suspend != nullptr && suspend->getIntrinsicID() == llvm::Intrinsic::coro_suspend;
}

Recorded chooseRecorders(IrFlow &flow, Analyses &known, llvm::DominatorTree &tree,
                         uint32_t &state) {
  if (flow.map.branches.size() > maxBranches)
    return {};
  return Chooser(flow, known, tree, state).choose();
}

} // namespace quincunx
