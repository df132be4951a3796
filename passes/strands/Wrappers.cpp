// A layer is as deep as it likes: what only calls such a function is one as well. Functions of
// which the address is taken may be where a thread begins, which nobody of the program calls.
#include "Wrappers.h"

#include "Strands.h"
#include "quincunx/abi/library_names.h"
#include "quincunx/abi/strands.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace quincunx {

namespace {

constexpr const char *notes = "quincunx.wrappers";

/// Is it a function that synchronises, and calls nothing else of the program?
bool synchronises(llvm::StringRef name) {
#define QX_NAME(function, parameters) #function,
  static const llvm::StringSet<> names{QX_INTERPOSED(QX_NAME) "pthread_create", "thrd_create"};
#undef QX_NAME
  return names.contains(name) || name.starts_with("_ZNSt18condition_variable") ||
         name.starts_with("_ZNSt6thread4joinEv");
}

/// The only call that may synchronise, but for those that do not return; null: there is none, or
/// there are several, or the function does more than to pass something on.
const llvm::CallBase *onlyWait(const llvm::Function &f, const Synchronising &synchronising) {
  constexpr unsigned most = 48; // instructions
  unsigned size = 0;
  const llvm::CallBase *only = nullptr;
  for (const llvm::Instruction &i : llvm::instructions(f)) {
    size += llvm::isa<llvm::DbgInfoIntrinsic>(i) ? 0 : 1;
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
    if (call == nullptr || !synchronising.may(*call) ||
        llvm::isa<llvm::UnreachableInst>(i.getParent()->getTerminator()))
      continue;
    if (only != nullptr || size > most)
      return nullptr;
    only = call;
  }
  return size <= most ? only : nullptr;
}

} // namespace

void noteWrappers(llvm::Module &m) {
  const Synchronising synchronising(m);
  llvm::StringSet<> known;
  const auto isWrapper = [&](const llvm::Function &f) {
    if (f.isDeclaration() || f.hasAddressTaken() || f.getName() == "main")
      return false;
    const llvm::CallBase *wait = onlyWait(f, synchronising);
    const llvm::Function *callee = wait != nullptr ? wait->getCalledFunction() : nullptr;
    if (callee == nullptr || wait->arg_empty() ||
        llvm::isa<llvm::GlobalValue>(llvm::getUnderlyingObject(wait->getArgOperand(0))))
      return false;
    return synchronises(callee->getName()) || known.contains(callee->getName());
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Function &f : m)
      if (!known.contains(f.getName()) && isWrapper(f))
        changed = known.insert(f.getName()).second;
  }
  if (known.empty())
    return;
  llvm::NamedMDNode *all = m.getOrInsertNamedMetadata(notes);
  for (const llvm::Function &f : m)
    if (known.contains(f.getName()) && qx_is_of_library(f.getName().str().c_str()) == 0)
      all->addOperand(
          llvm::MDNode::get(m.getContext(), llvm::MDString::get(m.getContext(), f.getName())));
}

llvm::StringSet<> wrappersOf(const llvm::Module &m) {
  llvm::StringSet<> names;
  if (const llvm::NamedMDNode *all = m.getNamedMetadata(notes))
    for (const llvm::MDNode *name : all->operands())
      names.insert(llvm::cast<llvm::MDString>(name->getOperand(0))->getString());
  return names;
}

void dropWrappers(llvm::Module &m) {
  if (llvm::NamedMDNode *all = m.getNamedMetadata(notes))
    all->eraseFromParent();
}

} // namespace quincunx
