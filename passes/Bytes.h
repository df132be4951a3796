// How many bytes calls move: which argument or result says so, and counters of what is not
// constant.
#pragma once

#include "Counters.h"

namespace quincunx {

/// The function that a copy or fill of memory becomes a call of; empty where it becomes
/// instructions, or is something else.
llvm::StringRef memoryFunction(const llvm::CallBase &call);
/// Does its result say how many bytes it moved? Something is left to do after it then.
bool isCountedByResult(const llvm::CallBase &call);

/// Writes down what calls move (Call::bytes), and gives a counter to those of which the number
/// differs from call to call.
void chooseBytes(IrFlow &flow);
void insertBytes(const IrFlow &flow, Counters &counters);

} // namespace quincunx
