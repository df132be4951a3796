// Branches whose outcomes follow from the indices of loops: `i % 4 == 0`, `i < k`, `j < i`.
// The idea: such a condition is made of indices (affine recurrences), arguments, constants and what
// was computed before all loops, by arithmetic alone; it is evaluated in every pass of loops whose
// trips are known in the same terms, or in every pass in which another branch like it went one way.
// Then how often each arm is taken is the same for every entry of the outermost loop that it hangs
// on. It does not find out how often, and takes no condition that is the same in all passes: calls
// decide that.
#include "IrFlow.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

namespace quincunx {

namespace {

/// Of what a number is made, when it is known from indices.
struct Made {
  bool known = true;
  llvm::SmallPtrSet<const llvm::Loop *, 4> indices;
  void with(const Made &other) {
    known = known && other.known;
    indices.insert(other.indices.begin(), other.indices.end());
  }
};

/// Instructions of a condition that are looked at.
constexpr size_t most = 64;

bool isArithmetic(const llvm::Instruction &i) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst,
                   llvm::SelectInst, llvm::FreezeInst>(i) ||
         (intrinsic != nullptr && intrinsic->doesNotAccessMemory() && !intrinsic->isConvergent());
}

} // namespace

class IndexBranches::Finder {
public:
  Finder(llvm::Function &f, llvm::LoopInfo &l, llvm::ScalarEvolution &s)
      : loops(l), evolution(s), dominators(f) {
    const llvm::ReversePostOrderTraversal<const llvm::Function *> order(&f);
    irreducible = llvm::containsIrreducibleCFG<const llvm::BasicBlock *>(order, l);
  }

  bool is(const llvm::BasicBlock &b) {
    const auto [at, isNew] = known.try_emplace(&b, false);
    if (isNew)
      known[&b] = find(b);
    return known[&b];
  }

private:
  bool find(const llvm::BasicBlock &b) {
    const auto *jump = llvm::dyn_cast<llvm::BranchInst>(b.getTerminator());
    const llvm::Loop *loop = loops.getLoopFor(&b);
    if (irreducible || jump == nullptr || !jump->isConditional() || loop == nullptr ||
        loop->isLoopExiting(&b))
      return false;
    left = most;
    Made of = value(jump->getCondition());
    if (of.indices.empty())
      return false;
    const llvm::BasicBlock *at = &b;
    for (size_t inside = 0; of.known; loop = loop->getParentLoop()) {
      if (loop == nullptr || !inEveryPass(*at, *loop))
        return false;
      of.with(recurrence(evolution.getBackedgeTakenCount(loop)));
      inside += of.indices.contains(loop);
      if (inside == of.indices.size())
        return of.known;
      at = loop->getLoopPreheader();
      if (at == nullptr)
        return false;
    }
    return false;
  }

  /// Or in those in which branches like it went one way.
  bool inEveryPass(const llvm::BasicBlock &b, const llvm::Loop &loop) {
    const llvm::BasicBlock *latch = loop.getLoopLatch();
    if (latch == nullptr)
      return false;
    if (dominators.dominates(&b, latch))
      return true;
    const llvm::BasicBlock *before = b.getSinglePredecessor();
    return before != nullptr && loops.getLoopFor(before) == &loop && is(*before);
  }

  Made value(const llvm::Value *v) {
    const auto *i = llvm::dyn_cast<llvm::Instruction>(v);
    if (i == nullptr || loops.getLoopFor(i->getParent()) == nullptr)
      return {};
    if (left == 0)
      return {false, {}};
    --left;
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(i)) {
      if (!evolution.isSCEVable(phi->getType()))
        return {false, {}};
      const auto *r =
          llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(const_cast<llvm::PHINode *>(phi)));
      return r != nullptr ? recurrence(r) : Made{false, {}};
    }
    Made of{isArithmetic(*i), {}};
    for (const llvm::Value *operand : i->operands())
      if (of.known)
        of.with(value(operand));
    return of;
  }

  Made recurrence(const llvm::SCEV *s) {
    struct Visitor {
      Finder &finder;
      Made of;
      bool follow(const llvm::SCEV *part) {
        if (const auto *r = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part)) {
          of.known = of.known && r->isAffine();
          of.indices.insert(r->getLoop());
        } else if (const auto *u = llvm::dyn_cast<llvm::SCEVUnknown>(part))
          of.with(finder.unknown(u->getValue()));
        else if (llvm::isa<llvm::SCEVCouldNotCompute>(part))
          of.known = false;
        return of.known;
      }
      bool isDone() const { return !of.known; }
    } visitor{*this, {}};
    llvm::visitAll(s, visitor);
    return visitor.of;
  }
  /// What evolution does not know is no recurrence either: a phi would ask for itself.
  Made unknown(const llvm::Value *v) {
    return llvm::isa<llvm::PHINode>(v) &&
                   loops.getLoopFor(llvm::cast<llvm::PHINode>(v)->getParent()) != nullptr
               ? Made{false, {}}
               : value(v);
  }

  llvm::LoopInfo &loops;
  llvm::ScalarEvolution &evolution;
  const llvm::DominatorTree dominators;
  bool irreducible = false;
  size_t left = 0; ///< instructions that may yet be looked at
  llvm::DenseMap<const llvm::BasicBlock *, bool> known;
};

IndexBranches::IndexBranches(llvm::Function &f, Analyses &analyses) {
  if (analyses.evolution != nullptr && !analyses.loops.empty())
    finder = std::make_unique<Finder>(f, analyses.loops, *analyses.evolution);
}
IndexBranches::~IndexBranches() = default;

bool IndexBranches::has(const llvm::BasicBlock &b) { return finder && finder->is(b); }

} // namespace quincunx
