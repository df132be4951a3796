// A program's own layer over threads: functions that only pass on what they wait for.
#pragma once

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"

namespace quincunx {

/// Notes, before anything is inlined, which small functions make one call that may synchronise, of
/// what they were given: `void Mutex::lock() { pthread_mutex_lock(&m); }`. Where that happens is
/// where they are called.
void noteWrappers(llvm::Module &m);
/// Linkage names of these.
llvm::StringSet<> wrappersOf(const llvm::Module &m);
void dropWrappers(llvm::Module &m);

} // namespace quincunx
