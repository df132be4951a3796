// Starts from the assumption that every function with a body here comes back, and takes that away
// until nothing changes: a body that stops, throws, forks or calls something doubtful is doubtful.
// Recursion is fine. A function that may be replaced at link time by another one is doubtful from
// the start.
#include "Returns.h"

#include "IrFlow.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace quincunx {

Returns::Returns(const llvm::Module &m) {
  for (const llvm::Function &f : m)
    if (!f.isDeclaration() && !f.isInterposable() && !f.hasFnAttribute(llvm::Attribute::Naked))
      safe.insert(&f);
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Function &f : m)
      if (safe.contains(&f) && bodyMayNotReturn(f)) {
        safe.erase(&f);
        changed = true;
      }
  }
}

bool Returns::bodyMayNotReturn(const llvm::Function &f) const {
  for (const llvm::Instruction &i : llvm::instructions(f)) {
    if (llvm::isa<llvm::ResumeInst>(i) || llvm::isa<llvm::CleanupReturnInst>(i) ||
        llvm::isa<llvm::CatchSwitchInst>(i))
      return true;
    // Behind a fork the child comes back, too, where its parent was called.
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
        call != nullptr && (returnsTwice(*call) || mayNotReturn(*call)))
      return true;
  }
  return false;
}

bool Returns::mayNotReturn(const llvm::CallBase &call) const {
  if (llvm::isa<llvm::IntrinsicInst>(call) || call.isInlineAsm())
    return call.doesNotReturn();
  if (returnsTwice(call)) // comes back at least once; its extra arrivals are counted
    return false;
  // An exception that leaves an invoke goes to its landing pad, which is an edge like any other.
  const bool staysOnThrow = call.doesNotThrow() || llvm::isa<llvm::InvokeInst>(call);
  if (call.hasFnAttr(llvm::Attribute::WillReturn) && staysOnThrow)
    return false;
  const auto *callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  return callee == nullptr || call.doesNotReturn() || !safe.contains(callee);
}

} // namespace quincunx
