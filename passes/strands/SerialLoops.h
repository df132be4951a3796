// Loops that one thread goes through and whose iterations a build asks for (option loop=): what
// they take tells what threads would that share them.
#pragma once

#include "Options.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace quincunx {

/// Marks where loops that begin at these lines begin, have done an iteration and end, in the
/// frontend's code. An error where the module's own file has none there.
void markSerialLoops(llvm::Module &m, llvm::ArrayRef<SourceLine> lines);
bool isSerialMark(const llvm::CallBase &call);
/// Takes such marks out of a function that keeps no clock, with a warning.
void refuseSerialLoops(llvm::Function &f);

/// Calls the runtime for such marks, with room in the frame for what it knows of each loop.
class SerialLoopCalls {
public:
  void call(llvm::IRBuilder<> &at, const llvm::CallInst &mark);

private:
  llvm::Value *roomFor(llvm::Function &f, uint64_t loop);
  llvm::DenseMap<std::pair<llvm::Function *, uint64_t>, llvm::Value *> rooms;
};

} // namespace quincunx
