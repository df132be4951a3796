// What __attribute__((annotate)) says of functions.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"

namespace quincunx {

void forEachAnnotation(llvm::Module &m,
                       llvm::function_ref<void(llvm::Function &, llvm::StringRef text)> use);
/// Those, of whatever, with such a text.
void eraseAnnotations(llvm::Module &m, llvm::function_ref<bool(llvm::StringRef text)> isWanted);

} // namespace quincunx
