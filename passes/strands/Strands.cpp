// The runtime cannot define libc's names for those only who ask for strands: a linker takes its
// object for anybody who calls one of them. So each object of those who ask defines all of them,
// weakly and once for all, as jumps to the runtime. Which calls synchronise is found as Returns
// does: every body is quiet until one of its calls is not.
#include "Strands.h"

#include "IrFlow.h"
#include "Storage.h"
#include "Waits.h"
#include "Wrappers.h"
#include "quincunx/abi/library_names.h"
#include "quincunx/abi/strands.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/TargetParser/Triple.h"

namespace quincunx {

Synchronising::Synchronising(const llvm::Module &m) : wrappers(wrappersOf(m)) {
  const llvm::TargetLibraryInfoImpl functions{llvm::Triple(m.getTargetTriple())};
  const llvm::TargetLibraryInfo library(functions);
  for (const llvm::Function &f : m)
    if (llvm::LibFunc known = llvm::NotLibFunc;
        f.isDeclaration() ? library.getLibFunc(f, known) && f.doesNotThrow() && !f.isVarArg()
                          : !f.isInterposable())
      quiet.insert(&f);
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Function &f : m)
      if (quiet.contains(&f) && llvm::any_of(llvm::instructions(f), [&](const auto &i) {
            const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
            return call != nullptr && may(*call);
          }))
        changed = quiet.erase(&f);
  }
}

bool Synchronising::may(const llvm::CallBase &call) const {
  if (isMark(call))
    return true;
  if (llvm::isa<llvm::IntrinsicInst>(call) || call.isInlineAsm() || call.onlyReadsMemory())
    return false;
  const auto *callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  return callee == nullptr || !quiet.contains(callee);
}

namespace {

bool isDirective(const llvm::DILocation &at) {
  const llvm::DISubprogram *of = at.getScope()->getSubprogram();
  return of != nullptr && of->getName().contains(QX_CODE_OF_DIRECTIVE);
}

/// Linkage name of the function that the code at this location is of, inlined or not.
std::string functionAt(const llvm::DILocation &at) {
  const llvm::DISubprogram *f = at.getScope()->getSubprogram();
  return f != nullptr ? nameOf(*f) : "";
}

llvm::FunctionType *typeOf(llvm::LLVMContext &c, llvm::StringRef parameters) {
  llvm::SmallVector<llvm::Type *, 4> types;
  for (const char kind : parameters)
    types.push_back(kind == 'p'   ? static_cast<llvm::Type *>(llvm::PointerType::getUnqual(c))
                    : kind == 'i' ? llvm::Type::getInt32Ty(c)
                                  : llvm::Type::getInt64Ty(c));
  return llvm::FunctionType::get(llvm::Type::getInt32Ty(c), types, false);
}

/// A jump from the name to what is in its place.
void define(llvm::Module &m, const char *name, llvm::FunctionType *type) {
  auto *f = llvm::dyn_cast<llvm::Function>(m.getOrInsertFunction(name, type).getCallee());
  if (f == nullptr || !f->isDeclaration())
    return;
  auto *real = llvm::cast<llvm::Function>(
      m.getOrInsertFunction(QX_INTERPOSED_PREFIX + std::string(name), f->getFunctionType())
          .getCallee());
  real->setVisibility(llvm::GlobalValue::HiddenVisibility);
  real->setDSOLocal(true);
  f->setSubprogram(nullptr); // that of a declaration
  f->setLinkage(llvm::GlobalValue::WeakAnyLinkage);
  f->setComdat(m.getOrInsertComdat(QX_INTERPOSED_PREFIX));
  llvm::IRBuilder<> at(llvm::BasicBlock::Create(m.getContext(), "", f));
  llvm::SmallVector<llvm::Value *, 4> arguments;
  for (llvm::Argument &a : f->args())
    arguments.push_back(&a);
  llvm::CallInst *call = at.CreateCall(real, arguments);
  call->setTailCallKind(llvm::CallInst::TCK_MustTail);
  f->getReturnType()->isVoidTy() ? at.CreateRetVoid() : at.CreateRet(call);
}

} // namespace

bool Synchronising::passesOn(const std::string &function) const {
  return qx_is_of_library(function.c_str()) != 0 || wrappers.contains(function);
}

void Synchronising::saySite(llvm::IRBuilder<> &at, const llvm::CallBase &call) const {
  const llvm::DILocation *where = call.getDebugLoc();
  while (where != nullptr && where->getInlinedAt() != nullptr && passesOn(functionAt(*where)))
    where = where->getInlinedAt();
  const bool isInlined =
      where != nullptr && where->getInlinedAt() != nullptr && !isDirective(*where);
  const std::string name = isInlined ? functionAt(*where) : call.getFunction()->getName().str();
  if (passesOn(name))
    return;
  const uint32_t line = where != nullptr ? where->getLine() : 0;
  llvm::GlobalVariable *site = perThread(*at.GetInsertBlock()->getModule(), QX_SITE_SYMBOL, 1);
  at.CreateStore(at.getInt64(qx_strand_site(name.data(), name.size(), line)),
                 at.CreateThreadLocalAddress(site));
}

void stayOnStack(llvm::CallBase &call) {
  const llvm::StringRef name = call.getFunction()->getName();
  auto *last = llvm::dyn_cast<llvm::CallInst>(&call);
  if (last != nullptr && !last->isMustTailCall() &&
      (name.contains(".omp_outlined") || name.contains(".omp_task_entry.")))
    last->setTailCallKind(llvm::CallInst::TCK_NoTail);
}

void interpose(llvm::Module &m) {
  llvm::LLVMContext &c = m.getContext();
#define QX_DEFINE(name, parameters) define(m, #name, typeOf(c, parameters));
  QX_INTERPOSED(QX_DEFINE)
#undef QX_DEFINE
  auto *pointer = llvm::PointerType::getUnqual(c);
  define(m, QX_OMPT_START,
         llvm::FunctionType::get(pointer, {llvm::Type::getInt32Ty(c), pointer}, false));
  auto *type = llvm::Type::getInt8Ty(c);
  auto *asked = new llvm::GlobalVariable(m, type, true, llvm::GlobalValue::WeakODRLinkage,
                                         llvm::ConstantInt::get(type, 0), QX_STRANDS_SYMBOL);
  asked->setVisibility(llvm::GlobalValue::HiddenVisibility);
  asked->setComdat(m.getOrInsertComdat(QX_INTERPOSED_PREFIX));
}

} // namespace quincunx
