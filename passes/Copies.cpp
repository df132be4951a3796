// See Copies.h. A function of that name and type that the module defines is the program's own, and
// left alone; so are calls through pointers, and numbers of system calls that are not constants.
#include "Copies.h"

#include "quincunx/abi.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace quincunx {

namespace {

llvm::FunctionCallee hook(llvm::Module &m, const char *name, llvm::FunctionType *type) {
  llvm::FunctionCallee callee = m.getOrInsertFunction(name, type);
  auto *f = llvm::cast<llvm::Function>(callee.getCallee());
  f->setVisibility(llvm::GlobalValue::HiddenVisibility);
  f->setDSOLocal(true);
  return callee;
}

/// Calls of libc's function of this name, of which the number and kinds of arguments are known.
llvm::SmallVector<llvm::CallInst *, 4> callsOf(llvm::Module &m, const char *name,
                                               unsigned parameters, bool isVarArg) {
  llvm::SmallVector<llvm::CallInst *, 4> calls;
  const llvm::Function *f = m.getFunction(name);
  if (f == nullptr || !f->isDeclaration() || f->arg_size() != parameters ||
      f->isVarArg() != isVarArg || !f->getReturnType()->isIntegerTy())
    return calls;
  for (const llvm::User *u : f->users())
    if (const auto *call = llvm::dyn_cast<llvm::CallInst>(u);
        call != nullptr && call->getCalledFunction() == f)
      calls.push_back(const_cast<llvm::CallInst *>(call));
  return calls;
}

} // namespace

bool copiesProcess(const llvm::CallBase &call) {
  enum Number { clone = 56, fork = 57, clone3 = 435 }; // of x86-64 Linux, which alone is recorded
  const llvm::Function *callee = call.getCalledFunction();
  if (callee == nullptr)
    return false;
  const auto *number = callee->getName() == "syscall" && call.arg_size() > 0
                           ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0))
                           : nullptr;
  return callee->getName() == "fork" || callee->getName() == "_Fork" ||
         (number != nullptr &&
          (number->equalsInt(clone) || number->equalsInt(fork) || number->equalsInt(clone3)));
}

/// The runtime cannot name _Fork, which older libraries do not have; so it is an argument.
void watchCopies(llvm::Module &m) {
  for (llvm::CallInst *call : callsOf(m, "_Fork", 0, false)) {
    auto *pointer = llvm::PointerType::getUnqual(m.getContext());
    auto *type = llvm::FunctionType::get(call->getType(), {pointer}, false);
    llvm::CallInst *made = llvm::CallInst::Create(
        hook(m, QX_FORK_SYMBOL, type), {call->getCalledOperand()}, "", call->getIterator());
    made->setDebugLoc(call->getDebugLoc());
    call->replaceAllUsesWith(made);
    call->eraseFromParent();
  }
  for (llvm::CallInst *call : callsOf(m, "clone", 4, true))
    call->setCalledFunction(hook(m, QX_CLONE_SYMBOL, call->getFunctionType()));
  for (llvm::CallInst *call : callsOf(m, "syscall", 1, true))
    if (copiesProcess(*call))
      call->setCalledFunction(hook(m, QX_SYSCALL_SYMBOL, call->getFunctionType()));
}

} // namespace quincunx
