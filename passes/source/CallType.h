// Types of functions in maps (quincunx/map/CallType.h).
#pragma once

#include "llvm/IR/DerivedTypes.h"

#include <string>

namespace quincunx {

std::string callTypeOf(const llvm::FunctionType &type);

} // namespace quincunx
