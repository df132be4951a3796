// What __attribute__((annotate)) says of functions.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"

namespace quincunx {

/// The text of an annotation.
llvm::StringRef annotationText(const llvm::Value *annotation);
void forEachAnnotation(llvm::Module &m,
                       llvm::function_ref<void(llvm::Function &, llvm::StringRef text)> use);

} // namespace quincunx
