// Budgets that stand at functions in the source (docs/22-budgets.md): the Clang half writes each
// into an annotation, from which it comes into the map of the function, and into those of functions
// that it is inlined into, as it may have no code of its own then.
#pragma once

#include "quincunx/map/Map.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/PassManager.h"

#include <string>

namespace quincunx {

/// The text of an annotation: where it is written (file as the compiler was given it, line and
/// column), and what.
std::string budgetAnnotation(llvm::StringRef file, unsigned line, unsigned column,
                             llvm::StringRef text);

bool isBudgetAnnotation(llvm::StringRef annotation);

/// Keeps what annotations and names say of functions before they are inlined and gone.
struct NoteBudgetsPass : llvm::PassInfoMixin<NoteBudgetsPass> {
  llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; } ///< also at -O0
};

struct SourceBudget {
  llvm::StringRef function; ///< as the linker has it
  llvm::StringRef known;    ///< as debug locations have it
  llvm::DIFile *file;
  unsigned line, column;
  llvm::StringRef text;
};
/// Of the module, once they are noted.
void forEachBudget(const llvm::Module &m, llvm::function_ref<void(const SourceBudget &)> use);
/// Gives a map those of its scopes.
void addBudgets(const llvm::Module &m, Function &map);
/// Nobody needs them in the object.
void dropBudgets(llvm::Module &m);

} // namespace quincunx
