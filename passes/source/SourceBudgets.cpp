// See SourceBudgets.h. Noted budgets are nodes of a named metadata, as functions come and go: name
// as the linker has it, name as debug locations have it, file, line, column, text.
#include "SourceBudgets.h"

#include "Annotations.h"
#include "IrFlow.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace quincunx {

namespace {

constexpr llvm::StringLiteral firstWords = "quincunx::budget\n";
constexpr llvm::StringLiteral notes = "quincunx.budgets";

/// The folder in which the compiler worked, as debug information has it.
llvm::StringRef folderOf(const llvm::Function &f) {
  const llvm::DISubprogram *s = f.getSubprogram();
  return s != nullptr && s->getUnit() != nullptr ? s->getUnit()->getDirectory() : "";
}

void note(llvm::Function &f, llvm::StringRef annotation) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  annotation.split(parts, '\n', 3);
  unsigned line = 0, column = 0;
  if (parts.size() != 4 || parts[0].getAsInteger(10, line) || parts[1].getAsInteger(10, column))
    return;
  llvm::LLVMContext &context = f.getContext();
  const llvm::DISubprogram *s = f.getSubprogram();
  const auto number = [&](unsigned n) {
    return llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), n));
  };
  const auto text = [&](llvm::StringRef t) { return llvm::MDString::get(context, t); };
  llvm::MDNode *node = llvm::MDNode::get(
      context, {text(f.getName()), text(s != nullptr ? nameOf(*s) : f.getName().str()),
                llvm::DIFile::get(context, parts[2], folderOf(f)), number(line), number(column),
                text(parts[3])});
  f.getParent()->getOrInsertNamedMetadata(notes)->addOperand(node);
}

} // namespace

std::string budgetAnnotation(llvm::StringRef file, unsigned line, unsigned column,
                             llvm::StringRef text) {
  return (firstWords + llvm::Twine(line) + "\n" + llvm::Twine(column) + "\n" + file + "\n" + text)
      .str();
}

bool isBudgetAnnotation(llvm::StringRef annotation) { return annotation.starts_with(firstWords); }

llvm::PreservedAnalyses NoteBudgetsPass::run(llvm::Module &m, llvm::ModuleAnalysisManager &) {
  nameSubprograms(m);
  if (m.getNamedMetadata(notes) == nullptr) // it may run twice
    forEachAnnotation(m, [](llvm::Function &f, llvm::StringRef text) {
      if (text.consume_front(firstWords))
        note(f, text);
    });
  // They keep functions alive that are inlined everywhere: a budget must not.
  eraseAnnotations(m, isBudgetAnnotation);
  return llvm::PreservedAnalyses::none();
}

void forEachBudget(const llvm::Module &m, llvm::function_ref<void(const SourceBudget &)> use) {
  const llvm::NamedMDNode *all = m.getNamedMetadata(notes);
  if (all == nullptr)
    return;
  for (const llvm::MDNode *node : all->operands()) {
    const auto text = [&](unsigned i) {
      return llvm::cast<llvm::MDString>(node->getOperand(i))->getString();
    };
    const auto number = [&](unsigned i) {
      return static_cast<unsigned>(
          llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(i))->getZExtValue());
    };
    use({text(0), text(1), llvm::cast<llvm::DIFile>(node->getOperand(2)), number(3), number(4),
         text(5)});
  }
}

void addBudgets(const llvm::Module &m, Function &map) {
  forEachBudget(m, [&](const SourceBudget &b) {
    for (uint32_t s = 0; s < map.scopes.size(); ++s) {
      if (map.scopes[s].function != (s == 0 ? b.function : b.known))
        continue;
      FunctionBudget made{s, b.text.str(), 0, b.line};
      const std::string path = fullPath(*b.file);
      while (made.file < map.files.size() && map.files[made.file].path != path)
        ++made.file;
      if (made.file == map.files.size())
        map.files.push_back({path, {}});
      map.budgets.push_back(std::move(made));
      return;
    }
  });
}

void dropBudgets(llvm::Module &m) {
  if (llvm::NamedMDNode *all = m.getNamedMetadata(notes))
    all->eraseFromParent();
}

} // namespace quincunx
