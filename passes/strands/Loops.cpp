// Clang numbers iterations from 0 and keeps the number in a variable that begins as the library's
// lower bound says; the block that counts it up is behind each iteration. What a mark holds is
// there anyway, so that nothing is counted that would not be: numbers are made, and memory is read,
// when marks become calls.
#include "Loops.h"

#include "Waits.h"
#include "quincunx/abi/strands.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace quincunx {

namespace {

constexpr const char *loopTag = "quincunx.loop";
enum class At : uint32_t {
  begin,     ///< schedule, chunk, the last iteration: its number, or the memory that has it
  given,     ///< is there something?, memory of the first, of the last, of the stride or null
  iteration, ///< its number
  end
};

using Operands = llvm::SmallVector<llvm::Value *, 5>;

/// The place of the loop, which the library's variables have that are set in front of the call;
/// that of the call is the directive's for some schedules and the loop's for others.
llvm::DebugLoc placeOf(const llvm::Instruction &call) {
  for (const llvm::Instruction *i = call.getPrevNode(); i != nullptr; i = i->getPrevNode())
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(i);
        store != nullptr && store->getPointerOperand()->getName().starts_with(".omp."))
      return store->getDebugLoc();
  return call.getDebugLoc();
}

void mark(llvm::Instruction *before, const llvm::Instruction &of, At what, Operands said) {
  llvm::IRBuilder<> at(before);
  at.SetCurrentDebugLocation(what == At::begin ? placeOf(of) : of.getDebugLoc());
  said.insert(said.begin(), at.getInt32(static_cast<uint32_t>(what)));
  markAs(at, loopTag, said);
}

/// The function of the library that is called, without its types; empty: it is none.
llvm::StringRef calledOf(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  llvm::StringRef name = callee != nullptr ? callee->getName() : "";
  return name.consume_front("__kmpc_") ? name : "";
}

/// How many bytes an iteration's number has, by the end of the function's name: "_4u".
llvm::Type *numberOf(const llvm::CallInst &call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  name.consume_back("u");
  return llvm::Type::getIntNTy(call.getContext(), name.ends_with("_8") ? 64 : 32);
}

/// Of the iterations of a loop, not of its distribution to teams of a league.
bool isOfTeam(const llvm::Value *schedule) {
  const auto *kind = llvm::dyn_cast<llvm::ConstantInt>(schedule);
  enum { distribute = 91, distributeStatic = 92 };
  return kind == nullptr ||
         (kind->getZExtValue() != distribute && kind->getZExtValue() != distributeStatic);
}

/// Where the library keeps the first iteration of what the thread is given.
llvm::Value *markCall(llvm::CallInst &call) {
  const llvm::StringRef name = calledOf(call);
  llvm::LLVMContext &c = call.getContext();
  llvm::Value *none = llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(c));
  if (name.starts_with("for_static_init_") && call.arg_size() == 9 &&
      isOfTeam(call.getArgOperand(2))) {
    llvm::Value *zero = llvm::ConstantInt::get(numberOf(call), 0);
    mark(&call, call, At::begin,
         {call.getArgOperand(2), call.getArgOperand(8), call.getArgOperand(5), zero});
    mark(call.getNextNode(), call, At::given,
         {llvm::ConstantInt::getTrue(c), call.getArgOperand(4), call.getArgOperand(5),
          call.getArgOperand(6), zero});
    return call.getArgOperand(4);
  }
  if (name.starts_with("dispatch_init_") && call.arg_size() == 7)
    mark(&call, call, At::begin,
         {call.getArgOperand(2), call.getArgOperand(6), call.getArgOperand(4),
          llvm::ConstantInt::get(numberOf(call), 0)});
  if (name.starts_with("dispatch_next_") && call.arg_size() == 6) {
    mark(call.getNextNode(), call, At::given,
         {&call, call.getArgOperand(3), call.getArgOperand(4), none,
          llvm::ConstantInt::get(numberOf(call), 0)});
    return call.getArgOperand(3);
  }
  return nullptr;
}

/// The variable that counts iterations: it begins as that memory says.
bool isCounter(const llvm::Value *variable, const llvm::SmallPtrSetImpl<llvm::Value *> &firsts) {
  return llvm::any_of(variable->users(), [&](const llvm::User *u) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(u);
    const auto *first =
        store != nullptr ? llvm::dyn_cast<llvm::LoadInst>(store->getValueOperand()) : nullptr;
    return first != nullptr && store->getPointerOperand() == variable &&
           firsts.contains(first->getPointerOperand());
  });
}

llvm::CallInst *asLoopMark(llvm::Instruction &i) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&i);
  return call != nullptr && isLoopMark(*call) ? call : nullptr;
}

Operands operandsOf(const llvm::CallInst &mark) {
  const llvm::OperandBundleUse bundle = *mark.getOperandBundle(loopTag);
  Operands said;
  for (const llvm::Use &operand : bundle.Inputs)
    said.push_back(operand.get());
  return said;
}
At kindOf(const Operands &said) {
  return static_cast<At>(llvm::cast<llvm::ConstantInt>(said[0])->getZExtValue());
}

/// Do all iterations of the loop around this do the same?
bool areAlike(const llvm::Loop &loop) {
  return loop.isInnermost() && llvm::all_of(loop.blocks(), [](const llvm::BasicBlock *b) {
           return llvm::all_of(*b, [](const llvm::Instruction &i) {
             const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
             return call == nullptr || llvm::isa<llvm::IntrinsicInst>(call);
           });
         });
}

} // namespace

void markLoops(llvm::Function &f) {
  llvm::SmallVector<llvm::CallInst *, 8> calls;
  for (llvm::Instruction &i : llvm::instructions(f))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&i);
        call != nullptr && !calledOf(*call).empty())
      calls.push_back(call);
  llvm::SmallPtrSet<llvm::Value *, 4> firsts;
  for (llvm::CallInst *call : calls) {
    if (llvm::Value *first = markCall(*call))
      firsts.insert(first);
    else if (calledOf(*call) == "for_static_fini" && !firsts.empty())
      mark(call, *call, At::end, {});
  }
  if (firsts.empty())
    return;
  for (llvm::BasicBlock &b : f)
    if (b.getName().starts_with("omp.inner.for.inc"))
      if (auto *number = llvm::dyn_cast<llvm::LoadInst>(&b.front());
          number != nullptr && isCounter(number->getPointerOperand(), firsts))
        mark(b.getTerminator(), *number, At::iteration, {number});
}

bool isLoopMark(const llvm::CallBase &call) {
  return call.getIntrinsicID() == llvm::Intrinsic::sideeffect &&
         call.getOperandBundle(loopTag).has_value();
}

void dropAlikeIterations(llvm::Module &m, llvm::FunctionAnalysisManager &analyses) {
  for (llvm::Function &f : m) {
    llvm::SmallVector<llvm::CallInst *, 4> marks;
    for (llvm::Instruction &i : llvm::instructions(f))
      if (llvm::CallInst *call = asLoopMark(i);
          call != nullptr && kindOf(operandsOf(*call)) == At::iteration)
        marks.push_back(call);
    for (llvm::CallInst *call : marks) {
      const llvm::Loop *loop =
          analyses.getResult<llvm::LoopAnalysis>(f).getLoopFor(call->getParent());
      if (loop == nullptr || areAlike(*loop))
        call->eraseFromParent();
    }
  }
}

void callMarkedLoop(llvm::IRBuilder<> &at, const llvm::CallInst &mark) {
  const Operands said = operandsOf(mark);
  llvm::Module &m = *at.GetInsertBlock()->getModule();
  const auto wide = [&](llvm::Value *v) { return at.CreateZExtOrTrunc(v, at.getInt64Ty()); };
  const auto read = [&](llvm::Value *memory) {
    return wide(at.CreateFreeze(at.CreateLoad(said.back()->getType(), memory)));
  };
  const auto call = [&](const char *name, Operands operands) {
    at.CreateCall(hiddenFunction(m, name, operands), operands);
  };
  switch (kindOf(said)) {
  case At::begin: {
    llvm::Value *last = said[3]->getType()->isPointerTy() ? read(said[3]) : wide(said[3]);
    call(QX_STRAND_LOOP_BEGINS, {said[1], wide(said[2]), at.CreateAdd(last, at.getInt64(1))});
    break;
  }
  case At::given: {
    const bool strides = !llvm::isa<llvm::ConstantPointerNull>(said[4]);
    call(QX_STRAND_LOOP_GIVEN, {at.CreateZExtOrTrunc(said[1], at.getInt32Ty()), read(said[2]),
                                read(said[3]), strides ? read(said[4]) : at.getInt64(0)});
    break;
  }
  case At::iteration:
    call(QX_STRAND_LOOP_DONE, {wide(said[1])});
    break;
  case At::end:
    call(QX_STRAND_LOOP_ENDS, {});
    break;
  }
}

} // namespace quincunx
