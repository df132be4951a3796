// Which functions may be active twice at once, as far as one module can tell.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

namespace quincunx {

class Recursion {
public:
  explicit Recursion(llvm::Module &m);
  bool mayRecur(const llvm::Function &f) const { return recursive.contains(&f); }

private:
  llvm::SmallPtrSet<const llvm::Function *, 32> recursive;
};

} // namespace quincunx
