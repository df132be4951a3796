// The maps of the functions of a module as the instrumentation would write them, or as it did.
#pragma once

#include "MappedFunction.h"
#include "quincunx/base/Result.h"

#include "llvm/IR/PassManager.h"

namespace quincunx {

/// Reads the maps of all functions that can be counted, in the module's order; the module stays as
/// it is. An error when the module holds records that cannot be read.
Result<std::vector<MappedFunction>> readMaps(const llvm::Module &m,
                                             llvm::FunctionAnalysisManager &manager);

} // namespace quincunx
