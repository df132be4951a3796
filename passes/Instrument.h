// The instrumentation pass: writes the map of every function and puts the counters it asks for.
#pragma once

#include "llvm/IR/PassManager.h"

#include <string>

namespace quincunx {

/// What to record, from -fplugin-arg-quincunx-record= or quincunx<record=...>.
struct Options {
  bool blocks = false; ///< for tests: a counter in every block besides
  bool exact = false;  ///< counters after calls that may not return

  /// Reads "counts,blocks,exact" (also with ';'); gives the word it does not know, or nothing.
  std::string set(llvm::StringRef record);
};

class InstrumentPass : public llvm::PassInfoMixin<InstrumentPass> {
public:
  explicit InstrumentPass(Options o) : options(o) {}
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; } ///< also at -O0 and for optnone

private:
  Options options;
};

} // namespace quincunx
