// What functions were measured or predicted to cost, as optimization remarks at the functions.
#pragma once

#include "llvm/IR/PassManager.h"

#include <string>

namespace quincunx {

/// Reads what `quincunx model --summary` wrote. Changes nothing.
class RemarksPass : public llvm::PassInfoMixin<RemarksPass> {
public:
  explicit RemarksPass(std::string path) : file(std::move(path)) {}
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; } ///< also at -O0 and for optnone

private:
  std::string file;
};

} // namespace quincunx
