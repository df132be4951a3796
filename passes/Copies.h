// Calls by which a program copies itself without fork(): _Fork, clone, and fork and clone as system
// calls by number. Libc runs no handlers there, so such calls go to the runtime, which does for
// them what it does around fork(). What is counted is not changed by it.
#pragma once

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace quincunx {

/// Does it come back in a copy of the process as well? fork, _Fork, and fork or clone by number.
bool copiesProcess(const llvm::CallBase &call);

/// Makes all such calls of the module calls of the runtime. After the maps are drawn, which name
/// what is called.
void watchCopies(llvm::Module &m);

} // namespace quincunx
