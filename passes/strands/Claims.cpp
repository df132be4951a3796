// Values are followed forward, through variables (clang has not made values of them yet), and out
// of functions to where these are called. A comparison for equality is none of jobs: the last one
// to give an object up compares like that, and who waits with a ticket.
#include "Claims.h"

#include "Atomics.h"
#include "Waits.h"
#include "quincunx/abi/library_names.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <map>
#include <memory>
#include <set>

namespace quincunx {

namespace {

/// A counter, the number that it had, and whether that is ours now (null: it is).
struct Claim {
  llvm::Instruction *at;
  llvm::Value *counter, *number, *isOurs;
};

bool counts(const llvm::Instruction &i) {
  if (!i.getType()->isIntegerTy())
    return false;
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicRMWInst>(&i))
    return exchange->getOperation() == llvm::AtomicRMWInst::Add ||
           exchange->getOperation() == llvm::AtomicRMWInst::Sub;
  return countsAtomic(i);
}

/// Of what counts.
llvm::Value *counterOf(const llvm::Instruction &i) {
  const auto *exchange = llvm::dyn_cast<llvm::AtomicRMWInst>(&i);
  return exchange != nullptr ? const_cast<llvm::Value *>(exchange->getPointerOperand())
                             : atomicOf(i);
}

/// Is it that number and a constant?
bool isNext(const llvm::Value *value, const llvm::Value *number) {
  const auto *next = llvm::dyn_cast<llvm::BinaryOperator>(value);
  const auto *from =
      next != nullptr ? llvm::dyn_cast<llvm::LoadInst>(next->getOperand(0)) : nullptr;
  return from != nullptr && llvm::isa<llvm::ConstantInt>(next->getOperand(1)) &&
         (next->getOpcode() == llvm::Instruction::Add ||
          next->getOpcode() == llvm::Instruction::Sub) &&
         areAlike(from->getPointerOperand(), number);
}

/// Where a number is, if a call exchanges it for the next one, or fails.
llvm::Value *exchangesForNext(const llvm::Instruction &i) {
  if (!exchangesAtomic(i))
    return nullptr;
  const auto &call = llvm::cast<llvm::CallBase>(i);
  llvm::Value *number = call.getArgOperand(1);
  return llvm::isa<llvm::AllocaInst>(number) && isNext(call.getArgOperand(2), number) ? number
                                                                                      : nullptr;
}

/// Follows what is made of a counter's value.
class Follower {
public:
  bool decides(llvm::Instruction &counter) {
    begin();
    counted = counterOf(counter);
    push(&counter, counter.getParent(), false);
    return follow();
  }

  /// Of a number that is exchanged for the next one. Who has it does something with it: it is not
  /// how many there are of something.
  bool decides(llvm::Instruction &exchange, llvm::Value &number) {
    begin();
    bool isUsed = false;
    for (llvm::User *u : number.users())
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(u)) {
        push(load, exchange.getParent(), false);
        isUsed |= llvm::any_of(load->users(), [](const llvm::User *of) {
          return llvm::isa<llvm::CastInst, llvm::CallBase, llvm::StoreInst,
                           llvm::GetElementPtrInst>(of);
        });
      }
    return isUsed && follow();
  }

private:
  void begin() {
    seen.clear();
    left.clear();
    counted = nullptr;
    found = false;
  }

  bool follow() {
    while (!left.empty() && !found) {
      const Value next = left.back();
      left.pop_back();
      for (llvm::User *u : next.value->users())
        if (auto *i = llvm::dyn_cast<llvm::Instruction>(u))
          use(*i, next);
    }
    return found;
  }

  struct Value {
    llvm::Value *value;
    llvm::BasicBlock *from; ///< where it was counted, in the same function
    bool isCompared;        ///< it is what a comparison came to, or hangs on that
    bool isObject;          ///< it is the address of such a thing
  };

  void push(llvm::Value *value, llvm::BasicBlock *from, bool isCompared, bool isObject = false) {
    constexpr size_t most = 200;
    if (seen.size() < most && seen.insert({value, isCompared}).second)
      left.push_back({value, from, isCompared, isObject});
  }

  void use(llvm::Instruction &i, const Value &of) {
    if (const auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&i))
      push(&i, of.from, of.isCompared || compare->isRelational());
    else if (llvm::isa<llvm::CastInst, llvm::BinaryOperator, llvm::PHINode, llvm::SelectInst,
                       llvm::FreezeInst>(i))
      push(&i, of.from, of.isCompared);
    else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&i);
             store != nullptr && store->getValueOperand() == of.value)
      pushLoads(*store, of);
    else if (llvm::isa<llvm::ReturnInst>(i))
      pushCalls(*i.getFunction(), of.isCompared);
    else if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&i); of.isCompared && branch)
      decide(*branch, of.from);
    else if (of.isObject && llvm::isa<llvm::CallBase, llvm::LoadInst, llvm::GetElementPtrInst>(i))
      push(&i, of.from, true, llvm::isa<llvm::GetElementPtrInst>(i));
  }

  /// It decides whether the loop goes on, or, outside of loops, what a function returns.
  void decide(const llvm::BranchInst &branch, const llvm::BasicBlock *from) {
    llvm::Function &f = *const_cast<llvm::Function *>(branch.getFunction());
    const llvm::Loop *loop = loopsOf(f).getLoopFor(from);
    if (loop == nullptr)
      pushCalls(f, true);
    for (; loop != nullptr && !found; loop = loop->getParentLoop())
      found = loop->contains(&branch) && mayLeave(branch, *loop);
    const llvm::Loop *behind = loopsOf(f).getLoopFor(branch.getParent());
    found = found || (behind != nullptr && !behind->contains(from) && mayLeave(branch, *behind) &&
                      countsAgain(*behind));
  }

  /// The first number may be had before the loop: `for (i = next++; i < n; i = next++)`.
  bool countsAgain(const llvm::Loop &loop) const {
    for (const llvm::BasicBlock *block : loop.blocks())
      for (const llvm::Instruction &i : *block)
        if (counted != nullptr && counts(i) && areAlike(counterOf(i), counted))
          return true;
    return false;
  }

  void pushLoads(llvm::StoreInst &store, const Value &of) {
    const llvm::Value *to = store.getPointerOperand();
    for (llvm::Instruction &i : llvm::instructions(*store.getFunction()))
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&i);
          load != nullptr && areAlike(load->getPointerOperand(), to))
        push(load, of.from, of.isCompared);
    llvm::Value *object = store.getPointerOperand()->stripInBoundsConstantOffsets();
    if (of.isCompared && llvm::isa<llvm::AllocaInst>(object))
      push(object, of.from, true, true);
  }

  void pushCalls(llvm::Function &f, bool isCompared) {
    for (llvm::User *u : f.users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(u);
          call != nullptr && call->getCalledFunction() == &f) {
        push(call, call->getParent(), isCompared);
        if (isCompared && call->hasStructRetAttr())
          push(call->getArgOperand(0), call->getParent(), true, true);
      }
  }

  /// Can the loop be left from there, without beginning again?
  static bool mayLeave(const llvm::BranchInst &branch, const llvm::Loop &loop) {
    llvm::SmallVector<const llvm::BasicBlock *, 8> next(llvm::successors(branch.getParent()));
    std::set<const llvm::BasicBlock *> met;
    while (!next.empty()) {
      const llvm::BasicBlock *block = next.pop_back_val();
      if (!loop.contains(block))
        return true;
      if (block != loop.getHeader() && met.insert(block).second)
        next.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
    return false;
  }

  llvm::LoopInfo &loopsOf(llvm::Function &f) {
    std::unique_ptr<llvm::LoopInfo> &of = loops[&f];
    if (of == nullptr)
      of = std::make_unique<llvm::LoopInfo>(llvm::DominatorTree(f));
    return *of;
  }

  std::map<const llvm::Function *, std::unique_ptr<llvm::LoopInfo>> loops;
  std::set<std::pair<llvm::Value *, bool>> seen;
  llvm::SmallVector<Value, 16> left;
  llvm::Value *counted = nullptr; ///< the counter; null: a number that is exchanged
  bool found = false;
};

/// What a call exchanges for the next one.
llvm::Value *numberOf(const llvm::Instruction &exchange) {
  return llvm::cast<llvm::BinaryOperator>(llvm::cast<llvm::CallBase>(exchange).getArgOperand(2))
      ->getOperand(0);
}

} // namespace

void markClaims(llvm::Module &m) {
  Follower follower;
  llvm::SmallVector<Claim, 8> claims;
  for (llvm::Function &f : m)
    if (qx_is_of_library(f.getName().str().c_str()) == 0)
      for (llvm::Instruction &i : llvm::instructions(f)) {
        if (!canMark(i))
          continue;
        if (counts(i) && follower.decides(i))
          claims.push_back({&i, counterOf(i), &i, nullptr});
        else if (llvm::Value *number = exchangesForNext(i);
                 number != nullptr && follower.decides(i, *number))
          claims.push_back({&i, atomicOf(i), numberOf(i), &i});
      }
  for (const Claim &claim : claims) {
    llvm::IRBuilder<> at(&behind(*claim.at));
    at.SetCurrentDebugLocation(claim.at->getDebugLoc());
    llvm::Value *counter = claim.counter;
    if (claim.isOurs != nullptr)
      counter = at.CreateSelect(at.CreateIsNotNull(claim.isOurs), counter,
                                llvm::Constant::getNullValue(counter->getType()));
    markWait(at, QX_STRAND_CLAIM, counter, at.CreateSExtOrTrunc(claim.number, at.getInt64Ty()));
  }
}

} // namespace quincunx
