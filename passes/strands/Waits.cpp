// Names are those of libstdc++ 11 to 14, whose functions are found by how they begin and by what is
// in them, as templates have their arguments between. libc++ waits in its shared library.
#include "Waits.h"

#include "Atomics.h"
#include "Claims.h"
#include "Countdowns.h"
#include "Instrument.h"
#include "Loops.h"
#include "SerialLoops.h"
#include "Wrappers.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace quincunx {

namespace {

constexpr const char *markName = "llvm.sideeffect";
constexpr const char *waitTag = "quincunx.wait"; ///< of the operands: kind, object, how many
constexpr uint64_t atFirst = UINT64_MAX; ///< one, when the thread comes there for the first time

enum class When : uint8_t { entered, left };
/// What happens how often.
enum class Amount : uint8_t {
  one,
  argument, ///< as the first one behind the object says
  result    ///< if the function returns true
};
/// Which functions say that something of this kind happens to their first argument.
struct Waiting {
  const char *begins, *holds;
  qx_strand_kind kind;
  When when;
  Amount amount = Amount::one;
};
constexpr Waiting known[] = {
    {"_ZNSt5latchC", "", QX_STRAND_LATCH, When::entered},
    {"_ZNSt5latch10count_down", "", QX_STRAND_DONE, When::entered},
    {"_ZNKSt5latch8try_wait", "", QX_STRAND_AWAIT, When::left, Amount::result},
    // Of futures, which are ready (1) or not.
    {"_ZNSt23__atomic_futex_unsignedILj2147483648EEC", "", QX_STRAND_LATCH, When::entered},
    {"_ZNSt23__atomic_futex_unsignedI", "19_M_store_notify_allE", QX_STRAND_DONE, When::entered},
    {"_ZNSt23__atomic_futex_unsignedI", "7_M_loadE", QX_STRAND_AWAIT, When::left, Amount::result},
    {"_ZNSt10stop_token13_Stop_state_t15_M_request_stop", "", QX_STRAND_DONE, When::entered},
    {"_ZNSt10stop_token13_Stop_state_t17_M_stop_requested", "", QX_STRAND_AWAIT, When::left,
     Amount::result},
    {"_ZSt21__atomic_wait_addressI", "", QX_STRAND_AWAIT, When::left},
    {"_ZSt23__atomic_wait_address_vI", "", QX_STRAND_CHANGE, When::left},
    {"_ZSt23__atomic_notify_addressI", "", QX_STRAND_DONE, When::entered},
    {"_ZNSt18__atomic_semaphoreC", "", QX_STRAND_SEMAPHORE, When::entered, Amount::argument},
    {"_ZNSt18__atomic_semaphore10_M_release", "", QX_STRAND_POST, When::entered, Amount::argument},
    {"_ZNSt18__atomic_semaphore10_M_acquire", "", QX_STRAND_TAKE, When::left},
    {"_ZNSt18__atomic_semaphore14_M_try_acquireE", "", QX_STRAND_TAKE, When::left, Amount::result},
    {"_ZNSt18__atomic_semaphore18_M_try_acquire_for", "", QX_STRAND_TAKE, When::left,
     Amount::result},
    {"_ZNSt18__atomic_semaphore20_M_try_acquire_until", "", QX_STRAND_TAKE, When::left,
     Amount::result},
    {"_ZNSt14__tree_barrierI", "E6arriveE", QX_STRAND_ARRIVE, When::entered, Amount::argument},
    {"_ZNSt14__tree_barrierI", "E15arrive_and_dropE", QX_STRAND_DROP, When::entered},
    {"_ZNKSt14__tree_barrierI", "E4waitE", QX_STRAND_PASS, When::left},
    // Who comes last does what is to be done for all, behind all; they go on behind that.
    {"_ZNSt14__tree_barrierI", "E9_M_arriveE", QX_STRAND_PASS, When::left, Amount::result},
    {"_ZNSt13__atomic_impl5storeI", "17__barrier_phase_t", QX_STRAND_DONE, When::entered},
    {"_ZNSt14__tree_barrierI", "EC2El", QX_STRAND_BARRIER, When::entered, Amount::argument},
};

/// Is it of a barrier for which nothing is to be done?
bool completesNothing(const Waiting &w, llvm::StringRef name) {
  return (w.kind == QX_STRAND_AWAIT || w.amount == Amount::result) &&
         name.contains("18__empty_completion");
}

const Waiting *waitingOf(llvm::StringRef name) {
  for (const Waiting &w : known)
    if (name.starts_with(w.begins) && name.contains(w.holds))
      return completesNothing(w, name) ? nullptr : &w;
  return nullptr;
}

llvm::Value *amountOf(llvm::IRBuilder<> &at, const Waiting &w, llvm::Function &f,
                      const llvm::Instruction *end) {
  if (w.amount == Amount::one)
    return at.getInt64(1);
  const auto *leaves = llvm::dyn_cast<llvm::ReturnInst>(end);
  llvm::Value *amount = w.amount == Amount::argument ? f.getArg(1) : leaves->getReturnValue();
  return at.CreateZExtOrTrunc(amount, at.getInt64Ty());
}

void mark(llvm::Function &f, const Waiting &w, llvm::Instruction *before) {
  llvm::IRBuilder<> at(before);
  if (llvm::DISubprogram *of = f.getSubprogram())
    at.SetCurrentDebugLocation(llvm::DILocation::get(f.getContext(), of->getLine(), 0, of));
  markWait(at, w.kind, f.getArg(0), amountOf(at, w, f, before));
}

/// Where variables in functions are initialised once: who does it, and who goes on behind him.
void markStatics(llvm::Module &m) {
  if (llvm::Function *release = m.getFunction("__cxa_guard_release"))
    for (llvm::User *u : release->users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(u);
          call != nullptr && call->getCalledOperand() == release) {
        llvm::IRBuilder<> at(call);
        markWait(at, QX_STRAND_DONE, call->getArgOperand(0), at.getInt64(1));
      }
  llvm::Function *acquire = m.getFunction("__cxa_guard_acquire");
  if (acquire == nullptr)
    return;
  for (llvm::User *u : acquire->users()) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(u);
    const auto *next = call != nullptr && call->getCalledOperand() == acquire
                           ? llvm::dyn_cast<llvm::BranchInst>(call->getParent()->getTerminator())
                           : nullptr;
    if (next == nullptr || !next->isConditional())
      continue;
    const auto *is = llvm::dyn_cast<llvm::ICmpInst>(next->getCondition());
    if (is == nullptr || is->getOperand(0) != call || is->getPredicate() != llvm::CmpInst::ICMP_NE)
      continue;
    const auto mark = [&](unsigned successor, qx_strand_kind kind, uint64_t amount) {
      llvm::IRBuilder<> at(&*next->getSuccessor(successor)->getFirstInsertionPt());
      at.SetCurrentDebugLocation(call->getDebugLoc());
      markWait(at, kind, call->getArgOperand(0), at.getInt64(amount));
    };
    mark(0, QX_STRAND_LATCH, 1);
    mark(1, QX_STRAND_AWAIT, atFirst);
  }
}

llvm::SmallVector<llvm::CallInst *, 16> marksOf(const llvm::Module &m) {
  llvm::SmallVector<llvm::CallInst *, 16> marks;
  if (const llvm::Function *marker = m.getFunction(markName))
    for (const llvm::User *u : marker->users())
      if (const auto *call = llvm::dyn_cast<llvm::CallInst>(u); call != nullptr && isMark(*call))
        marks.push_back(const_cast<llvm::CallInst *>(call));
  return marks;
}

/// Are there an object and an amount, of the types that they have in all versions?
bool fits(const llvm::Function &f, const Waiting &w) {
  if (f.arg_empty() || !f.getArg(0)->getType()->isPointerTy())
    return false;
  if (w.amount == Amount::argument)
    return f.arg_size() > 1 && f.getArg(1)->getType()->isIntegerTy();
  return w.amount != Amount::result || f.getReturnType()->isIntegerTy();
}

} // namespace

llvm::PreservedAnalyses MarkWaitsPass::run(llvm::Module &m, llvm::ModuleAnalysisManager &) {
  // The pass may be registered twice, or run again at link time.
  constexpr const char *marked = "quincunx.marked";
  if (m.getNamedMetadata(marked) != nullptr || m.getModuleFlag(moduleFlag) != nullptr)
    return llvm::PreservedAnalyses::all();
  m.getOrInsertNamedMetadata(marked);
  markClaims(m);
  markCountdowns(m);
  markStatics(m);
  markSerialLoops(m, loops);
  noteWrappers(m);
  for (llvm::Function &f : m) {
    markAtomics(f);
    markLoops(f);
    const Waiting *w = f.isDeclaration() ? nullptr : waitingOf(f.getName());
    if (w == nullptr || !fits(f, *w))
      continue;
    if (w->when == When::entered) {
      mark(f, *w, &*f.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      continue;
    }
    for (llvm::BasicBlock &b : f)
      if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(b.getTerminator());
          end != nullptr && b.getTerminatingMustTailCall() == nullptr)
        mark(f, *w, end);
  }
  return llvm::PreservedAnalyses::none();
}

void markAs(llvm::IRBuilder<> &at, const char *as, llvm::ArrayRef<llvm::Value *> said) {
  at.CreateCall(at.GetInsertBlock()->getModule()->getOrInsertFunction(markName, at.getVoidTy()), {},
                {llvm::OperandBundleDef(as, said)});
}

void markWait(llvm::IRBuilder<> &at, qx_strand_kind kind, llvm::Value *object,
              llvm::Value *amount) {
  markAs(at, waitTag, {at.getInt32(kind), object, amount});
}

bool isMark(const llvm::CallBase &call) {
  return call.getIntrinsicID() == llvm::Intrinsic::sideeffect &&
         (call.getOperandBundle(waitTag).has_value() || isLoopMark(call) || isSerialMark(call));
}

bool isMarkOf(const llvm::CallBase &call, qx_strand_kind kind) {
  if (!isMark(call))
    return false;
  const auto operands = call.getOperandBundle(waitTag);
  return operands.has_value() &&
         llvm::cast<llvm::ConstantInt>(operands->Inputs[0].get())->getZExtValue() == kind;
}

bool isMarkOfLook(const llvm::CallBase &call) {
  if (!isMark(call))
    return false;
  const auto operands = call.getOperandBundle(waitTag);
  return operands.has_value() && !llvm::isa<llvm::Constant>(operands->Inputs[2].get());
}

llvm::FunctionCallee hiddenFunction(llvm::Module &m, const char *name,
                                    llvm::ArrayRef<llvm::Value *> operands) {
  llvm::SmallVector<llvm::Type *, 4> types;
  for (const llvm::Value *v : operands)
    types.push_back(v->getType());
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(m.getContext()), types, false);
  llvm::FunctionCallee callee = m.getOrInsertFunction(name, type);
  auto *f = llvm::cast<llvm::Function>(callee.getCallee());
  f->setVisibility(llvm::GlobalValue::HiddenVisibility);
  f->setDSOLocal(true);
  return callee;
}

/// Goes on behind a test whether this thread comes to that variable for the first time; tells it
/// so.
static void onlyAtFirst(llvm::IRBuilder<> &at, const llvm::Value &variable) {
  llvm::Module &m = *at.GetInsertBlock()->getModule();
  llvm::Type *type = at.getInt8Ty();
  const std::string name = ("quincunx.came." + variable.getName()).str();
  llvm::GlobalVariable *came = m.getNamedGlobal(name);
  if (came == nullptr)
    came = new llvm::GlobalVariable(m, type, false, llvm::GlobalValue::InternalLinkage,
                                    llvm::ConstantInt::get(type, 0), name, nullptr,
                                    llvm::GlobalValue::GeneralDynamicTLSModel);
  llvm::Value *mine = at.CreateThreadLocalAddress(came);
  llvm::Value *isFirst = at.CreateICmpEQ(at.CreateLoad(type, mine), at.getInt8(0));
  at.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(isFirst, &*at.GetInsertPoint(), false));
  at.CreateStore(at.getInt8(1), mine);
}

void callMarkedWaits(llvm::Module &m) {
  SerialLoopCalls serial;
  for (llvm::CallInst *mark : marksOf(m)) {
    llvm::IRBuilder<> at(mark);
    if (isLoopMark(*mark) || isSerialMark(*mark)) {
      isLoopMark(*mark) ? callMarkedLoop(at, *mark) : serial.call(at, *mark);
      mark->eraseFromParent();
      continue;
    }
    llvm::SmallVector<llvm::Value *, 3> said;
    const llvm::OperandBundleUse operands = *mark->getOperandBundle(waitTag);
    for (const llvm::Use &operand : operands.Inputs)
      said.push_back(operand.get());
    if (const auto *amount = llvm::dyn_cast<llvm::ConstantInt>(said[2]);
        amount != nullptr && amount->getZExtValue() == atFirst) {
      onlyAtFirst(at, *said[1]);
      said[2] = at.getInt64(1);
    }
    at.CreateCall(hiddenFunction(m, QX_STRAND_SAYS, said), said);
    mark->eraseFromParent();
  }
}

} // namespace quincunx
