// Which branches passes may join, found in the frontend's output.
// The idea: the way from an arm without another decision ends at the next branch. Passes join the
// two (`if (a) if (b)` becomes `if (a & b)`) where a way on from there comes to where the other arm
// leads.
#include "Conditions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"

namespace quincunx {

namespace {

/// What a block is called without the number that makes its name unique.
llvm::StringRef nameOf(const llvm::BasicBlock &b) { return b.getName().rtrim("0123456789"); }

const llvm::StringSet<> &conditionNames() {
  static const llvm::StringSet<> names = {"land.lhs.true", "land.rhs",   "land.end",
                                          "lor.lhs.false", "lor.rhs",    "lor.end",
                                          "cond.true",     "cond.false", "cond.end"};
  return names;
}

using Way = llvm::SmallSetVector<const llvm::BasicBlock *, 8>;

/// The blocks from an arm on that come without another decision, but for those where it is known
/// where the flow goes on when it comes from there.
Way wayFrom(const llvm::BasicBlock &branch, const llvm::BasicBlock &arm) {
  Way way;
  const llvm::BasicBlock *from = &branch, *b = &arm;
  for (size_t steps = 0; steps < mostBlocks; ++steps) {
    const llvm::SmallVector<const llvm::BasicBlock *, 2> next = onward(*from, *b);
    const bool isPassed = next.size() == 1 && b->getSingleSuccessor() == nullptr;
    if ((!isPassed && !way.insert(b)) || next.size() != 1)
      break;
    from = std::exchange(b, next.front());
  }
  return way;
}

bool meet(const Way &a, const Way &b) {
  return llvm::any_of(a, [&](const llvm::BasicBlock *x) { return b.contains(x); });
}

/// Looks for what a branch may be joined with on one of its ways, when it goes the other.
class Joinable {
public:
  Joinable(const llvm::BranchInst &b, const Way &w) : branch(b), other(w) {}

  llvm::SmallVector<const llvm::BasicBlock *, 4> deciders; ///< what it may be joined with

  /// A condition of several parts becomes one branch first: any of its parts may lead there.
  Joins on(const Way &arm) {
    if (arm.empty())
      return Joins::nothing;
    const llvm::BasicBlock &last = *arm.back();
    const auto *next = llvm::dyn_cast<llvm::BranchInst>(last.getTerminator());
    if (next == nullptr || next->isUnconditional() || next == &branch || meet(arm, other) ||
        seen.size() == mostBlocks || !seen.insert(&last).second)
      return Joins::nothing;
    const Way ways[2] = {wayFrom(last, *next->getSuccessor(0)),
                         wayFrom(last, *next->getSuccessor(1))};
    Joins behind = Joins::nothing;
    bool leadsThere = false;
    for (const unsigned i : {0u, 1u}) {
      const bool direct = meet(ways[i], other);
      const Joins from = direct ? on(ways[1 - i]) : onPart(ways[i]);
      leadsThere |= direct || from != Joins::nothing;
      behind = std::max(behind, from);
    }
    if (!leadsThere)
      return Joins::nothing;
    deciders.push_back(&last);
    return decidesPart(last) ? std::max(behind, Joins::ownCondition) : Joins::statement;
  }

private:
  Joins onPart(const Way &way) {
    return !way.empty() && decidesPart(*way.back()) ? on(way) : Joins::nothing;
  }

  const llvm::BranchInst &branch;
  const Way &other;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> seen;
};

} // namespace

bool isCalled(const llvm::BasicBlock &b, const llvm::StringSet<> &names) {
  return names.contains(nameOf(b));
}

bool decidesPart(const llvm::BasicBlock &b) { return isCalled(b, conditionNames()); }

llvm::SmallVector<const llvm::BasicBlock *, 2> onward(const llvm::BasicBlock &from,
                                                      const llvm::BasicBlock &b) {
  const auto *jump = llvm::dyn_cast<llvm::BranchInst>(b.getTerminator());
  if (jump == nullptr)
    return {};
  if (jump->isUnconditional())
    return {jump->getSuccessor(0)};
  if (!decidesPart(b))
    return {};
  // `a && b` as a value is false at once when a is.
  if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(jump->getCondition());
      phi != nullptr && phi->getParent() == &b && phi->getBasicBlockIndex(&from) >= 0)
    if (const auto *c = llvm::dyn_cast<llvm::ConstantInt>(phi->getIncomingValueForBlock(&from)))
      return {jump->getSuccessor(c->isZero() ? 1 : 0)};
  return {jump->getSuccessor(0), jump->getSuccessor(1)};
}

std::array<JoinableWay, 2> joinableWays(const llvm::BranchInst &branch) {
  const Way ways[2] = {wayFrom(*branch.getParent(), *branch.getSuccessor(0)),
                       wayFrom(*branch.getParent(), *branch.getSuccessor(1))};
  std::array<JoinableWay, 2> out;
  for (const unsigned i : {0u, 1u}) {
    Joinable joinable(branch, ways[1 - i]);
    out[i].with = joinable.on(ways[i]);
    out[i].deciders = std::move(joinable.deciders);
    out[i].blocks.assign(ways[i].begin(), ways[i].end());
  }
  return out;
}

} // namespace quincunx
