// Which functions may be active twice at once, and which calls may run the program's functions, as
// far as one module can tell.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace quincunx {

class Recursion {
public:
  explicit Recursion(llvm::Module &m);
  bool mayRecur(const llvm::Function &f) const { return recursive.contains(&f); }
  /// Is it in a cycle of calls by name?
  bool callsItself(const llvm::Function &f) const { return cycles.contains(&f); }
  /// False: it goes to memcpy or its like.
  bool mayCallBack(const llvm::CallBase &call) const {
    return !plain.contains(call.getCalledFunction());
  }

private:
  llvm::SmallPtrSet<const llvm::Function *, 32> recursive;
  llvm::SmallPtrSet<const llvm::Function *, 32> cycles; ///< of those, what is known to be
  llvm::SmallPtrSet<const llvm::Function *, 32> plain;  ///< of the library, calling nothing of ours
};

} // namespace quincunx
