// Which calls may never come back to their frame, or more often than they were made. Code outside
// the module is trusted only where its attributes say that it returns and does not throw; functions
// of the module are examined.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace quincunx {

class Returns {
public:
  explicit Returns(const llvm::Module &m);
  /// May `call` end the frame it stands in, by exit, longjmp or an exception nobody here catches;
  /// or begin it in the middle, in a forked child?
  bool mayNotReturn(const llvm::CallBase &call) const;

private:
  bool bodyMayNotReturn(const llvm::Function &f) const;
  llvm::SmallPtrSet<const llvm::Function *, 32> safe; ///< bodies that always come back
};

} // namespace quincunx
