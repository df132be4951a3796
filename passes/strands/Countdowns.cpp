// The comparison is found in the function that counts; who returns what it came to may be anywhere.
// Who gives up a reference is none of these: that may be done at any rate, and what the last one
// does then is to free it. Where zero is what the first one finds, and he leaves, as where two come
// to each node of a tree and the second one goes on, it is the others who go on behind those
// before.
#include "Countdowns.h"

#include "Atomics.h"
#include "Waits.h"
#include "quincunx/abi/library_names.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>
#include <set>
#include <vector>

namespace quincunx {

namespace {

/// A comparison with what a counter had when it was counted, and `more`.
struct Comparison {
  llvm::ICmpInst *at;
  int64_t more;
};

/// What is made of a counter's value in the same function, as the one that is counted there.
class Values {
public:
  std::vector<Comparison> comparisons(llvm::Instruction &counter) {
    found.clear();
    seen.clear();
    const auto *rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&counter);
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&counter);
    isDown = stepOf(counter) < 0;
    step = rmw != nullptr         ? rmw->getValOperand()
           : call->arg_size() > 1 ? call->getArgOperand(1)
                                  : nullptr;
    push(counter, isCountedFirst(counter) ? stepOf(counter) : 0);
    while (!left.empty()) {
      const auto [value, more] = left.back();
      left.pop_back();
      for (llvm::User *u : value->users())
        use(*u, *value, more);
    }
    return found;
  }

private:
  void push(llvm::Value &value, int64_t more) {
    constexpr size_t most = 32;
    if (seen.size() < most && seen.insert(&value).second)
      left.emplace_back(&value, more);
  }

  void use(llvm::User &u, const llvm::Value &value, int64_t more) {
    if (llvm::isa<llvm::CastInst, llvm::FreezeInst>(u)) {
      push(u, more);
    } else if (auto *op = llvm::dyn_cast<llvm::BinaryOperator>(&u)) {
      const unsigned opcode = op->getOpcode();
      const bool isSet = opcode == llvm::Instruction::Or || opcode == llvm::Instruction::And;
      const auto by = amountOf(*op->getOperand(op->getOperand(0) == &value ? 1 : 0));
      if (by && (opcode == llvm::Instruction::Add || isSet))
        push(*op, more + *by);
      else if (by && opcode == llvm::Instruction::Sub && op->getOperand(0) == &value)
        push(*op, more - *by);
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&u)) {
      followVariable(*store, value, more);
    } else if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&u)) {
      const llvm::Value *other = compare->getOperand(compare->getOperand(0) == &value ? 1 : 0);
      const bool isAtEnd = isDown && compare->isRelational() && llvm::isa<llvm::Constant>(other) &&
                           compare->getOperand(1) == other;
      if ((compare->isEquality() && !looksAtAtomic(*other)) || isAtEnd)
        found.push_back({compare, more});
    }
  }

  /// A constant, or as much as is counted.
  std::optional<int64_t> amountOf(const llvm::Value &value) const {
    if (const auto *known = llvm::dyn_cast<llvm::ConstantInt>(&value);
        known != nullptr && known->getBitWidth() <= 64)
      return known->getSExtValue();
    return step != nullptr && areAlike(&value, step) ? std::optional<int64_t>(1) : std::nullopt;
  }

  void followVariable(const llvm::StoreInst &store, const llvm::Value &value, int64_t more) {
    const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(store.getPointerOperand());
    if (store.getValueOperand() != &value || variable == nullptr)
      return;
    for (const llvm::User *u : variable->users())
      if (const auto *other = llvm::dyn_cast<llvm::StoreInst>(u);
          other != nullptr && other != &store)
        return;
    for (const llvm::User *u : variable->users())
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(u))
        push(*const_cast<llvm::LoadInst *>(load), more);
  }

  const llvm::Value *step = nullptr; ///< by how much it counts
  bool isDown = false;
  std::vector<Comparison> found;
  std::set<const llvm::Value *> seen;
  llvm::SmallVector<std::pair<llvm::Value *, int64_t>, 8> left;
};

/// Is the comparison true if both are equal, or what is counted down is below?
bool isTrueAtEnd(const llvm::ICmpInst &compare) {
  const llvm::CmpInst::Predicate is = compare.getPredicate();
  return is == llvm::CmpInst::ICMP_EQ || llvm::ICmpInst::isLT(is) || llvm::ICmpInst::isLE(is);
}

/// Where control comes from a comparison then; null: no branch hangs on it alone.
const llvm::BasicBlock *whereEqual(const llvm::ICmpInst &compare) {
  for (const llvm::User *u : compare.users())
    if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(u))
      return branch->getSuccessor(isTrueAtEnd(compare) ? 0 : 1);
  return nullptr;
}

/// Where control goes on from a block; what a variable says that was set before, as what is to be
/// done when scopes are left does, is followed.
const llvm::BasicBlock *nextOf(const llvm::BasicBlock &block, const llvm::StoreInst *set) {
  const auto *which = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
  if (which == nullptr)
    return block.getSingleSuccessor();
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(which->getCondition());
  const auto *value =
      set != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(set->getValueOperand()) : nullptr;
  return load != nullptr && value != nullptr &&
                 load->getPointerOperand() == set->getPointerOperand() &&
                 load->getType() == value->getType()
             ? which->findCaseValue(value)->getCaseSuccessor()
             : nullptr;
}

/// Is the function left there, and nothing done before?
bool leaves(const llvm::BasicBlock *block) {
  constexpr unsigned most = 6; // blocks
  const llvm::StoreInst *set = nullptr;
  for (unsigned k = 0; block != nullptr && k < most; ++k, block = nextOf(*block, set))
    for (const llvm::Instruction &i : *block) {
      if (llvm::isa<llvm::ReturnInst>(i))
        return true;
      if (llvm::isa<llvm::CallBase>(i) && !llvm::isa<llvm::IntrinsicInst>(i))
        return false;
      if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&i))
        set = store;
    }
  return false;
}

bool isOfFreeing(const llvm::Instruction &i) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
  const llvm::Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
  if (callee == nullptr || callee->isIntrinsic())
    return false;
  const llvm::StringRef name = callee->getName();
  return name.starts_with("_ZdlPv") || name.starts_with("_ZdaPv") || name.ends_with("D0Ev") ||
         name.ends_with("D1Ev") || name.ends_with("D2Ev") ||
         llvm::any_of(llvm::ArrayRef<const char *>{"free", "destroy", "delete", "dispose",
                                                   "release", "unref"},
                      [&](const char *word) { return name.contains_insensitive(word); });
}

/// Is something freed there, maybe behind a test whether it is there?
bool frees(const llvm::BasicBlock *block) {
  if (block == nullptr)
    return false;
  return llvm::any_of(*block, isOfFreeing) ||
         llvm::any_of(llvm::successors(block), [&](const llvm::BasicBlock *next) {
           return next->getSinglePredecessor() == block && llvm::any_of(*next, isOfFreeing);
         });
}

/// Whether who compares goes on behind the others; null: that says nothing about others.
llvm::Value *isBehindOthers(llvm::IRBuilder<> &at, const Comparison &c,
                            const llvm::Instruction &counter) {
  const bool isEqual = isTrueAtEnd(*c.at);
  const llvm::BasicBlock *equal = whereEqual(*c.at);
  if (frees(equal))
    return nullptr;
  const auto *with = llvm::dyn_cast<llvm::ConstantInt>(c.at->getOperand(1));
  if (stepOf(counter) > 0 && with != nullptr && with->getBitWidth() <= 64 &&
      with->getSExtValue() == c.more) // the first one finds zero
    return !leaves(equal) ? nullptr : isEqual ? at.CreateNot(c.at) : c.at;
  return isEqual ? c.at : at.CreateNot(c.at);
}

/// Where what who comes last does is done, and all go on.
void markEnd(const llvm::ICmpInst &compare, const llvm::Instruction &counter,
             const llvm::DominatorTree &dominators, const llvm::PostDominatorTree &behind) {
  const llvm::BasicBlock *from = compare.getParent(), *arm = whereEqual(compare);
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
  const auto *next = behind.getNode(from)->getIDom();
  llvm::BasicBlock *join = next != nullptr ? next->getBlock() : nullptr;
  if (branch == nullptr || !branch->isConditional() || branch->getCondition() != &compare ||
      arm->getSinglePredecessor() != from || join == nullptr || join == arm)
    return;
  for (llvm::BasicBlock *last : llvm::predecessors(join))
    if (dominators.dominates(arm, last) && last->getTerminator()->getNumSuccessors() == 1) {
      llvm::IRBuilder<> at(last->getTerminator());
      at.SetCurrentDebugLocation(compare.getDebugLoc());
      markWait(at, QX_STRAND_LAST_DID, counterOf(counter), at.getInt64(1));
    }
}

} // namespace

void markCountdowns(llvm::Module &m) {
  Values values;
  for (llvm::Function &f : m) {
    if (f.isDeclaration() || qx_is_of_library(f.getName().str().c_str()) != 0)
      continue;
    llvm::SmallVector<llvm::Instruction *, 8> counters;
    for (llvm::Instruction &i : llvm::instructions(f))
      if ((stepOf(i) != 0 || setsBits(i)) && canMark(i))
        counters.push_back(&i);
    if (counters.empty())
      continue;
    const llvm::DominatorTree dominators(f);
    const llvm::PostDominatorTree behind(f);
    for (llvm::Instruction *counter : counters) {
      bool isMarked = false;
      for (const Comparison &c : values.comparisons(*counter)) {
        llvm::IRBuilder<> at(c.at->getNextNode());
        at.SetCurrentDebugLocation(c.at->getDebugLoc());
        llvm::Value *isBehind = isBehindOthers(at, c, *counter);
        if (isBehind == nullptr)
          continue;
        markWait(at, QX_STRAND_CAME_LAST, counterOf(*counter),
                 at.CreateZExt(isBehind, at.getInt64Ty()));
        markEnd(*c.at, *counter, dominators, behind);
        isMarked = true;
      }
      if (!isMarked)
        continue;
      llvm::IRBuilder<> at(counter);
      at.SetCurrentDebugLocation(counter->getDebugLoc());
      markWait(at, QX_STRAND_COUNTED, counterOf(*counter), at.getInt64(1));
    }
  }
}

} // namespace quincunx
