// Values are followed forward, through variables (clang has not made values of them yet), and out
// of functions to where these are called. A comparison for equality is none of jobs: the last one
// to give an object up compares like that, and who waits with a ticket. Flags are told from locks
// by which one it is: another one each time, which nobody there takes back.
#include "Claims.h"

#include "Atomics.h"
#include "Waits.h"
#include "quincunx/abi/library_names.h"

#include "llvm/ADT/SetVector.h"
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

/// Where a counter is counted; the variable with the number that it is expected to have (null: it
/// is counted whatever it has).
struct Claim {
  llvm::Instruction *at;
  llvm::Value *expected;
};

/// What an exchange replaces if it is what was expected; null: it is none of that kind.
llvm::Value *expectedBy(const llvm::Instruction &i) {
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i)) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(exchange->getCompareOperand());
    return load != nullptr ? const_cast<llvm::Value *>(load->getPointerOperand()) : nullptr;
  }
  return exchangesAtomic(i) ? llvm::cast<llvm::CallBase>(i).getArgOperand(1) : nullptr;
}

llvm::Value *replacementOf(const llvm::Instruction &exchange) {
  const auto *raw = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&exchange);
  return raw != nullptr ? const_cast<llvm::Value *>(raw->getNewValOperand())
                        : llvm::cast<llvm::CallBase>(exchange).getArgOperand(2);
}

/// What is written to a variable of a function.
llvm::SmallVector<llvm::Value *, 4> writtenTo(const llvm::AllocaInst &variable) {
  llvm::SmallVector<llvm::Value *, 4> values;
  for (const llvm::User *u : variable.users())
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(u);
        store != nullptr && store->getPointerOperand() == &variable)
      values.push_back(const_cast<llvm::Value *>(store->getValueOperand()));
  return values;
}

/// Goes back through what a value is made of, with variables of the function, until `isIt`.
template <class IsIt> bool isMadeOf(llvm::Value *value, IsIt isIt) {
  constexpr size_t most = 64;
  llvm::SmallSetVector<llvm::Value *, 16> of;
  of.insert(value);
  for (size_t k = 0; k < of.size() && of.size() < most; ++k) {
    if (isIt(*of[k]))
      return true;
    if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(of[k]))
      for (llvm::Value *written : writtenTo(*variable))
        of.insert(written);
    else if (auto *i = llvm::dyn_cast<llvm::Instruction>(of[k]))
      of.insert(i->op_begin(), i->op_end());
  }
  return false;
}

/// The variable with a number, if it is exchanged for one that is made of it: the next one.
llvm::Value *exchangesForNext(const llvm::Instruction &i) {
  llvm::Value *number = expectedBy(i);
  if (number == nullptr || !llvm::isa<llvm::AllocaInst>(number) ||
      !replacementOf(i)->getType()->isIntegerTy())
    return nullptr;
  const bool isNext =
      isMadeOf(replacementOf(i), [&](const llvm::Value &v) { return &v == number; });
  return isNext ? number : nullptr;
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
        if (counted != nullptr && stepOf(i) != 0 && areAlike(counterOf(i), counted))
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

/// A constant, or a variable in which nothing else is written, but for what was found instead.
bool isConstant(llvm::Value *value) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(value))
    value = const_cast<llvm::Value *>(load->getPointerOperand());
  if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(value)) {
    const auto written = writtenTo(*variable);
    return !written.empty() &&
           llvm::all_of(written, llvm::IsaPred<llvm::ConstantInt, llvm::ExtractValueInst>);
  }
  return llvm::isa<llvm::ConstantInt>(value);
}

/// The flag that is set there, always to the same; null: it is no flag.
llvm::Value *flagOf(const llvm::Instruction &i) {
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicRMWInst>(&i))
    return exchange->getOperation() == llvm::AtomicRMWInst::Xchg &&
                   isConstant(const_cast<llvm::Value *>(exchange->getValOperand()))
               ? counterOf(i)
               : nullptr;
  if (llvm::Value *expected = expectedBy(i))
    return isConstant(expected) && isConstant(replacementOf(i)) ? counterOf(i) : nullptr;
  const bool isSet = setsAtomic(i) && isConstant(llvm::cast<llvm::CallBase>(i).getArgOperand(1));
  return isSet || setsFlag(i) ? atomicOf(i) : nullptr;
}

/// Is it counted up or down there?
bool isStepped(const llvm::AllocaInst &variable, const llvm::Loop &loop) {
  return llvm::any_of(variable.users(), [&](const llvm::User *u) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(u);
    const auto *next = store != nullptr && loop.contains(store)
                           ? llvm::dyn_cast<llvm::BinaryOperator>(store->getValueOperand())
                           : nullptr;
    const auto *from =
        next != nullptr ? llvm::dyn_cast<llvm::LoadInst>(next->getOperand(0)) : nullptr;
    return from != nullptr && from->getPointerOperand() == &variable;
  });
}

/// Does somebody there set it back?
bool isSetBack(llvm::Value *flag, const llvm::Function &f) {
  return llvm::any_of(llvm::instructions(f), [&](const llvm::Instruction &i) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&i);
    return store != nullptr ? areAlike(store->getPointerOperand(), flag)
                            : storesAtomic(i) && areAlike(atomicOf(i), flag);
  });
}

bool isCallOf(const llvm::Instruction &i, llvm::StringRef name) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName() == name;
}

/// `single nowait`: who comes there first does it, and nobody waits for him.
bool isSingleNowait(const llvm::Instruction &i) {
  if (!isCallOf(i, "__kmpc_single"))
    return false;
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(i.getParent()->getTerminator());
  return branch != nullptr && branch->isConditional() &&
         llvm::none_of(*branch->getSuccessor(1), [](const llvm::Instruction &behind) {
           return isCallOf(behind, "__kmpc_barrier") || isCallOf(behind, "__kmpc_copyprivate");
         });
}

/// Is it a flag that is another one each time around the loop, and not set back there?
bool isOneOfMany(llvm::Value *flag, const llvm::Function &f, const llvm::Loop &loop) {
  return !isSetBack(flag, f) && isMadeOf(flag, [&](const llvm::Value &v) {
    const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&v);
    return variable != nullptr && isStepped(*variable, loop);
  });
}

/// Does who has one go on to the next, and is the loop left where its condition says so? Who looks
/// for a slot that is free leaves it with the first.
bool triesAll(const llvm::Loop &loop) {
  llvm::SmallVector<llvm::BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return llvm::all_of(exiting, [&](const llvm::BasicBlock *block) {
    return block == loop.getHeader() || block == loop.getLoopLatch() ||
           llvm::isa<llvm::InvokeInst>(block->getTerminator());
  });
}

/// Whether one has it.
llvm::Value *isFlagOurs(llvm::Instruction &i, llvm::IRBuilder<> &at) {
  if (llvm::isa<llvm::AtomicCmpXchgInst>(i))
    return at.CreateExtractValue(&i, 1);
  return exchangesAtomic(i) || isSingleNowait(i) ? at.CreateIsNotNull(&i) : at.CreateIsNull(&i);
}

/// Jobs that have flags: `if (!taken[k].exchange(true))`, of the next one each time around a loop;
/// and `single nowait` in one. One place stands for all of its flags; who comes out of the loop has
/// found that none is left.
void markFlags(llvm::Function &f) {
  llvm::SmallVector<llvm::Instruction *, 4> flags;
  for (llvm::Instruction &i : llvm::instructions(f))
    if (canMark(i) && !i.use_empty() && (isSingleNowait(i) || flagOf(i) != nullptr))
      flags.push_back(&i);
  if (flags.empty())
    return;
  const llvm::DominatorTree dominators(f);
  const llvm::LoopInfo loops(dominators);
  llvm::erase_if(flags, [&](const llvm::Instruction *i) {
    const llvm::Loop *loop = loops.getLoopFor(i->getParent());
    return loop == nullptr || !triesAll(*loop) ||
           !(isSingleNowait(*i) || isOneOfMany(flagOf(*i), f, *loop));
  });
  for (llvm::Instruction *i : flags) {
    llvm::IRBuilder<> at(&behind(*i));
    at.SetCurrentDebugLocation(i->getDebugLoc());
    auto *place = new llvm::GlobalVariable(*f.getParent(), at.getInt8Ty(), false,
                                           llvm::GlobalValue::PrivateLinkage, at.getInt8(0),
                                           "quincunx.flags");
    llvm::Value *none = llvm::Constant::getNullValue(place->getType());
    markWait(at, QX_STRAND_CLAIM, at.CreateSelect(isFlagOurs(*i, at), place, none), at.getInt64(0));
    const llvm::Loop *loop = loops.getLoopFor(i->getParent());
    for (llvm::BasicBlock *exit : llvm::successors(loop->getHeader())) {
      if (llvm::any_of(llvm::predecessors(exit), [&](auto *b) { return !loop->contains(b); }) ||
          loop->contains(exit))
        continue;
      at.SetInsertPoint(&*exit->getFirstInsertionPt());
      at.SetCurrentDebugLocation(i->getDebugLoc());
      markWait(at, QX_STRAND_CLAIM, place, at.getInt64(0));
    }
  }
}

} // namespace

void markClaims(llvm::Module &m) {
  Follower follower;
  llvm::SmallVector<Claim, 8> claims;
  for (llvm::Function &f : m) {
    if (f.isDeclaration() || qx_is_of_library(f.getName().str().c_str()) != 0)
      continue;
    markFlags(f);
    for (llvm::Instruction &i : llvm::instructions(f)) {
      if (!canMark(i))
        continue;
      if (stepOf(i) != 0 && follower.decides(i))
        claims.push_back({&i, nullptr});
      else if (llvm::Value *number = exchangesForNext(i);
               number != nullptr && follower.decides(i, *number))
        claims.push_back({&i, number});
    }
  }
  for (const Claim &claim : claims) {
    llvm::IRBuilder<> at(&behind(*claim.at));
    at.SetCurrentDebugLocation(claim.at->getDebugLoc());
    llvm::Value *counter = counterOf(*claim.at), *number = claim.at;
    if (claim.expected != nullptr) {
      auto *raw = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(claim.at);
      llvm::Value *isOurs = raw != nullptr ? at.CreateExtractValue(raw, 1) : claim.at;
      counter = at.CreateSelect(at.CreateIsNotNull(isOurs), counter,
                                llvm::Constant::getNullValue(counter->getType()));
      number = raw != nullptr ? raw->getCompareOperand()
                              : at.CreateLoad(replacementOf(*claim.at)->getType(), claim.expected);
    }
    markWait(at, QX_STRAND_CLAIM, counter, at.CreateSExtOrTrunc(number, at.getInt64Ty()));
  }
}

} // namespace quincunx
