// What functions were measured or predicted to cost, as optimization remarks at the functions; and
// budgets that are broken, as warnings where they are written.
#pragma once

#include "llvm/IR/PassManager.h"

#include <string>
#include <vector>

namespace quincunx {

/// Reads what `quincunx model --summary` and `quincunx check --summary` wrote. Changes nothing.
class RemarksPass : public llvm::PassInfoMixin<RemarksPass> {
public:
  explicit RemarksPass(std::vector<std::string> paths) : files(std::move(paths)) {}
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; } ///< also at -O0 and for optnone

private:
  std::vector<std::string> files;
};

} // namespace quincunx
