// Uses are known by the names of libstdc++'s members, atomics by how they are come by: two places
// name one where they read the same variables and call the same functions. Of std::atomic_ref the
// object is another one for each thread, so that notify and wait alone are seen.
#include "Atomics.h"

#include "Waits.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <cstdlib>
#include <memory>
#include <string>

namespace quincunx {

namespace {

/// What a member of std::atomic and its kind is called; empty: it is none, or a constructor.
std::string memberOf(const llvm::Instruction &i) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
  const llvm::Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
  if (callee == nullptr || callee->arg_empty() || !callee->getArg(0)->getType()->isPointerTy())
    return {};
  llvm::StringRef name = callee->getName();
  if (!name.consume_front("_ZN"))
    return {};
  name.consume_front("V");
  name.consume_front("K");
  if (!llvm::any_of(llvm::ArrayRef<const char *>{"St13__atomic_baseI", "St6atomicI",
                                                 "St11atomic_flag", "St14__atomic_floatI"},
                    [&](const char *of) { return name.starts_with(of); }))
    return {};
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(callee->getName().str().c_str()) || !demangler.isFunction() ||
      demangler.isCtorOrDtor())
    return {};
  const std::unique_ptr<char, void (*)(void *)> base(
      demangler.getFunctionBaseName(nullptr, nullptr), std::free);
  return base != nullptr ? base.get() : "";
}

bool isAny(llvm::StringRef member, llvm::ArrayRef<const char *> of) {
  return llvm::is_contained(of, member);
}
bool notifies(llvm::StringRef member) { return isAny(member, {"notify_one", "notify_all"}); }
bool waits(llvm::StringRef member) { return member == "wait"; }
bool saysNothing(llvm::StringRef member) {
  return member.empty() || notifies(member) || waits(member) || member == "is_lock_free";
}
/// Those that exchange or compare as well, whether that succeeds or not.
bool changes(llvm::StringRef member) {
  return !saysNothing(member) && !isAny(member, {"load", "test"}) &&
         !member.starts_with("operator "); // to a value
}
bool looks(llvm::StringRef member) {
  return !saysNothing(member) && !isAny(member, {"store", "clear", "operator="});
}

/// Is it known what its value says (Countdowns.h)?
bool isCounted(const llvm::Instruction &i) {
  const auto *mark = llvm::dyn_cast_or_null<llvm::CallBase>(i.getPrevNode());
  return mark != nullptr && isMarkOf(*mark, QX_STRAND_COUNTED);
}

void markAt(llvm::Instruction &before, qx_strand_kind kind, llvm::Instruction &use) {
  llvm::IRBuilder<> at(&before);
  at.SetCurrentDebugLocation(use.getDebugLoc());
  markWait(at, kind, atomicOf(use), at.getInt64(1));
}

/// The last change, on the only way to who notifies, of what he notifies about; null: none is seen.
llvm::Instruction *changeBefore(llvm::Instruction &notify) {
  llvm::Instruction *at = &notify;
  for (unsigned blocks = 0; blocks < 4; ++blocks) {
    llvm::BasicBlock *block = at->getParent();
    while (at != &block->front()) {
      at = at->getPrevNode();
      if (changes(memberOf(*at)) && areAlike(atomicOf(*at), atomicOf(notify)))
        return at;
    }
    if (block->getSinglePredecessor() == nullptr)
      break;
    at = block->getSinglePredecessor()->getTerminator();
  }
  return nullptr;
}

} // namespace

bool areAlike(const llvm::Value *a, const llvm::Value *b, unsigned depth) {
  const auto *x = llvm::dyn_cast<llvm::Instruction>(a), *y = llvm::dyn_cast<llvm::Instruction>(b);
  if (a == b || x == nullptr || y == nullptr || depth == 8)
    return a == b;
  return !llvm::isa<llvm::PHINode, llvm::AllocaInst>(x) && x->isSameOperationAs(y) &&
         std::equal(x->op_begin(), x->op_end(), y->op_begin(),
                    [&](const llvm::Use &u, const llvm::Use &v) {
                      return areAlike(u.get(), v.get(), depth + 1);
                    });
}

llvm::Value *atomicOf(const llvm::Instruction &use) {
  return llvm::cast<llvm::CallBase>(use).getArgOperand(0);
}

int64_t stepOf(const llvm::Instruction &i) {
  if (!i.getType()->isIntegerTy())
    return 0;
  bool adds = false;
  const llvm::Value *by = nullptr;
  if (const auto *rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&i)) {
    adds = rmw->getOperation() == llvm::AtomicRMWInst::Add;
    if (!adds && rmw->getOperation() != llvm::AtomicRMWInst::Sub)
      return 0;
    by = rmw->getValOperand();
  } else {
    const std::string member = memberOf(i);
    adds = isAny(member, {"fetch_add", "operator++", "operator+="});
    if (!adds && !isAny(member, {"fetch_sub", "operator--", "operator-="}))
      return 0;
    if (!isAny(member, {"operator++", "operator--"}))
      by = llvm::cast<llvm::CallBase>(i).getArgOperand(1);
  }
  const auto *known = llvm::dyn_cast_or_null<llvm::ConstantInt>(by);
  const int64_t step = known != nullptr && known->getBitWidth() <= 64 ? known->getSExtValue() : 1;
  return adds ? step : -step;
}

bool setsBits(const llvm::Instruction &i) {
  if (const auto *rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&i))
    return rmw->getOperation() == llvm::AtomicRMWInst::Or ||
           rmw->getOperation() == llvm::AtomicRMWInst::And;
  return i.getType()->isIntegerTy() && isAny(memberOf(i), {"fetch_or", "fetch_and"});
}

bool isCountedFirst(const llvm::Instruction &i) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
  if (call == nullptr)
    return false;
  const llvm::StringRef name = call->getCalledFunction()->getName();
  return isAny(memberOf(i), {"operator+=", "operator-="}) || name.ends_with("ppEv") ||
         name.ends_with("mmEv");
}

llvm::Value *counterOf(const llvm::Instruction &i) {
  const llvm::Value *of = nullptr;
  if (const auto *change = llvm::dyn_cast<llvm::AtomicRMWInst>(&i))
    of = change->getPointerOperand();
  else if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i))
    of = exchange->getPointerOperand();
  return of != nullptr ? const_cast<llvm::Value *>(of) : atomicOf(i);
}

bool looksAtAtomic(const llvm::Value &value) {
  const auto *i = llvm::dyn_cast<llvm::Instruction>(&value);
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  return i != nullptr && (load != nullptr ? load->isAtomic() : !memberOf(*i).empty());
}

bool exchangesAtomic(const llvm::Instruction &i) {
  return isAny(memberOf(i), {"compare_exchange_weak", "compare_exchange_strong"});
}

bool setsAtomic(const llvm::Instruction &i) { return memberOf(i) == "exchange"; }
bool setsFlag(const llvm::Instruction &i) { return memberOf(i) == "test_and_set"; }
bool storesAtomic(const llvm::Instruction &i) {
  return isAny(memberOf(i), {"store", "clear", "operator="});
}

bool canMark(const llvm::Instruction &i) {
  if (const auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&i))
    return invoke->getNormalDest()->getSinglePredecessor() != nullptr;
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&i);
  return call == nullptr || !call->isMustTailCall();
}

llvm::Instruction &behind(llvm::Instruction &i) {
  if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(&i))
    return *invoke->getNormalDest()->getFirstInsertionPt();
  return *i.getNextNode();
}

void markAtomics(llvm::Function &f) {
  llvm::SmallVector<llvm::Instruction *, 8> changed, seen, waiting;
  for (llvm::Instruction &i : llvm::instructions(f))
    if (const std::string member = memberOf(i); notifies(member)) {
      if (llvm::Instruction *change = changeBefore(i))
        changed.push_back(change);
    } else if (waits(member)) {
      waiting.push_back(&i);
    }
  for (llvm::Instruction &i : llvm::instructions(f))
    if (!waiting.empty() && looks(memberOf(i)) && !i.use_empty() && !isCounted(i) && canMark(i) &&
        llvm::any_of(waiting, [&](const llvm::Instruction *wait) {
          return areAlike(atomicOf(i), atomicOf(*wait));
        }))
      seen.push_back(&i);
  for (llvm::Instruction *change : changed)
    markAt(*change, QX_STRAND_DONE, *change);
  for (llvm::Instruction *look : seen)
    markAt(behind(*look), QX_STRAND_AWAIT, *look);
}

} // namespace quincunx
