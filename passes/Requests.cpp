// See Requests.h. A request begins when a marked function is entered and ends when that frame does,
// by whichever way; the runtime knows by the frame's place which of several marked frames is the
// outermost (runtime/requests/). A musttail call takes over the frame, so the request ends before
// it. Frames that end without coming by here (longjmp, exit) are noticed by the runtime.
#include "Requests.h"

#include "quincunx/abi.h"
#include "source/Annotations.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/EscapeEnumerator.h"

namespace quincunx {

namespace {

constexpr const char *attribute = "quincunx-request";

void mark(llvm::Function &f) {
  f.addFnAttr(attribute);
  f.removeFnAttr(llvm::Attribute::AlwaysInline);
  f.addFnAttr(llvm::Attribute::NoInline);
}

void refuse(llvm::Function &f, const char *why) {
  f.removeFnAttr(attribute);
  f.getContext().diagnose(
      llvm::DiagnosticInfoUnsupported(f, why, f.getSubprogram(), llvm::DS_Warning));
}

/// A function of the runtime's that may read every counter.
llvm::FunctionCallee hook(llvm::Module &m, const char *name, llvm::ArrayRef<llvm::Type *> types) {
  llvm::Type *nothing = llvm::Type::getVoidTy(m.getContext());
  llvm::FunctionCallee callee =
      m.getOrInsertFunction(name, llvm::FunctionType::get(nothing, types, false));
  auto *f = llvm::cast<llvm::Function>(callee.getCallee());
  f->setVisibility(llvm::GlobalValue::HiddenVisibility);
  f->setDSOLocal(true);
  f->setDoesNotThrow();
  return callee;
}

void call(llvm::IRBuilder<> &at, llvm::FunctionCallee callee,
          llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::CallInst *made = at.CreateCall(callee, arguments);
  made->setDoesNotThrow();
  if (llvm::DISubprogram *s = made->getFunction()->getSubprogram())
    made->setDebugLoc(llvm::DILocation::get(s->getContext(), 0, 0, s));
}

/// The mark by which the runtime knows the function. As shared between objects as its counters.
llvm::GlobalVariable *markOf(llvm::GlobalVariable &counters) {
  llvm::Module &m = *counters.getParent();
  auto *pointer = llvm::PointerType::getUnqual(m.getContext());
  auto *type = llvm::StructType::get(m.getContext(), {pointer, pointer});
  auto *known = llvm::ConstantPointerNull::get(pointer);
  auto *v = new llvm::GlobalVariable(m, type, false, counters.getLinkage(),
                                     llvm::ConstantStruct::get(type, {&counters, known}),
                                     counters.getName() + ".request");
  v->setVisibility(counters.getVisibility());
  v->setComdat(counters.getComdat());
  return v;
}

/// That of the module's language, so that bodies which catch can still be inlined.
void setPersonality(llvm::Function &f) {
  if (f.hasPersonalityFn() || f.doesNotThrow())
    return;
  for (const llvm::Function &other : *f.getParent())
    if (other.hasPersonalityFn())
      return f.setPersonalityFn(other.getPersonalityFn());
}

} // namespace

llvm::PreservedAnalyses MarkRequestsPass::run(llvm::Module &m, llvm::ModuleAnalysisManager &) {
  forEachAnnotation(m, [](llvm::Function &f, llvm::StringRef text) {
    if (text == QX_REQUEST_ANNOTATION)
      mark(f);
  });
  return llvm::PreservedAnalyses::none();
}

bool isRequest(const llvm::Function &f) { return f.hasFnAttribute(attribute); }

void refuseRequests(llvm::Module &m) {
  for (llvm::Function &f : m)
    if (f.isDeclaration() || !isRequest(f))
      continue;
    else if (f.hasFnAttribute(llvm::Attribute::Naked))
      refuse(f, "a naked function cannot be a quincunx request; the mark is ignored");
    else if (f.hasFnAttribute(llvm::Attribute::NoProfile))
      refuse(f, "a function that is not counted cannot be a quincunx request; the mark is ignored");
    else if (f.isPresplitCoroutine())
      refuse(f, "a coroutine cannot be a quincunx request, as it may go on in another thread; the "
                "mark is ignored");
}

void openWaysOut(llvm::Function &f) {
  for (llvm::Instruction &i : llvm::instructions(f))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&i);
        call != nullptr && call->isTailCall() && !call->isMustTailCall())
      call->setTailCall(false);
  setPersonality(f);
  llvm::EscapeEnumerator ways(f, "request.left");
  while (ways.Next() != nullptr)
    ;
}

void insertRequest(llvm::Function &f, llvm::GlobalVariable &counters, llvm::Instruction *start) {
  llvm::Module &m = *f.getParent();
  llvm::IRBuilder<> at(&*f.getEntryBlock().getFirstInsertionPt());
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  llvm::AllocaInst *frame = at.CreateAlloca(at.getInt8Ty());
  at.SetInsertPoint(start);
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  call(at, hook(m, QX_REQUEST_SYMBOL, {at.getPtrTy(), at.getPtrTy()}), {markOf(counters), frame});
  llvm::FunctionCallee done = hook(m, QX_REQUEST_DONE_SYMBOL, {at.getPtrTy()});
  for (llvm::BasicBlock &b : f) {
    llvm::Instruction *end = b.getTerminator();
    if (!llvm::isa<llvm::ReturnInst>(end) && !llvm::isa<llvm::ResumeInst>(end))
      continue;
    if (llvm::CallInst *must = b.getTerminatingMustTailCall())
      end = must;
    at.SetInsertPoint(end);
    at.SetCurrentDebugLocation(llvm::DebugLoc());
    call(at, done, {frame});
  }
}

} // namespace quincunx
