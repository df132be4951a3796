// The instrumentation pass: writes the map of every function and puts the counters it asks for.
#pragma once

#include "Options.h"

#include "llvm/IR/PassManager.h"

namespace quincunx {

/// Flag of modules that are instrumented.
constexpr const char *moduleFlag = "quincunx";

class InstrumentPass : public llvm::PassInfoMixin<InstrumentPass> {
public:
  explicit InstrumentPass(Options o) : options(o) {}
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; } ///< also at -O0 and for optnone

private:
  Options options;
};

} // namespace quincunx
