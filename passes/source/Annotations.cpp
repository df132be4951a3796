// Annotations of functions are entries of llvm.global.annotations: what is annotated, the text, and
// where.
#include "Annotations.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace quincunx {

namespace {

constexpr llvm::StringLiteral name = "llvm.global.annotations";

/// Null where there is none.
llvm::ConstantArray *listOf(const llvm::GlobalVariable *all) {
  return all != nullptr && all->hasInitializer()
             ? llvm::dyn_cast<llvm::ConstantArray>(
                   const_cast<llvm::Constant *>(all->getInitializer()))
             : nullptr;
}

llvm::StringRef textOf(const llvm::Value *annotation) {
  const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(annotation->stripPointerCasts());
  const auto *text = global != nullptr && global->hasInitializer()
                         ? llvm::dyn_cast<llvm::ConstantDataArray>(global->getInitializer())
                         : nullptr;
  return text != nullptr && text->isCString() ? text->getAsCString() : "";
}

} // namespace

void forEachAnnotation(llvm::Module &m,
                       llvm::function_ref<void(llvm::Function &, llvm::StringRef text)> use) {
  const llvm::ConstantArray *list = listOf(m.getNamedGlobal(name));
  if (list == nullptr)
    return;
  for (const llvm::Use &entry : list->operands())
    if (const auto *fields = llvm::dyn_cast<llvm::ConstantStruct>(entry.get()))
      if (auto *f = llvm::dyn_cast<llvm::Function>(fields->getOperand(0)->stripPointerCasts()))
        use(*f, textOf(fields->getOperand(1)));
}

void eraseAnnotations(llvm::Module &m, llvm::function_ref<bool(llvm::StringRef text)> isWanted) {
  llvm::GlobalVariable *all = m.getNamedGlobal(name);
  llvm::ConstantArray *list = listOf(all);
  if (list == nullptr)
    return;
  llvm::SmallVector<llvm::Constant *, 8> others;
  for (const llvm::Use &entry : list->operands())
    if (const auto *fields = llvm::dyn_cast<llvm::ConstantStruct>(entry.get());
        fields == nullptr || !isWanted(textOf(fields->getOperand(1))))
      others.push_back(llvm::cast<llvm::Constant>(entry.get()));
  if (others.size() == list->getNumOperands())
    return;
  if (!others.empty()) {
    auto *type = llvm::ArrayType::get(list->getType()->getElementType(), others.size());
    auto *rest = new llvm::GlobalVariable(m, type, all->isConstant(), all->getLinkage(),
                                          llvm::ConstantArray::get(type, others));
    rest->takeName(all);
    rest->setSection(all->getSection());
  }
  all->eraseFromParent();
  for (llvm::GlobalVariable &text : llvm::make_early_inc_range(m.globals()))
    if (text.hasPrivateLinkage() && text.getSection() == "llvm.metadata") {
      text.removeDeadConstantUsers();
      if (text.use_empty())
        text.eraseFromParent();
    }
}

} // namespace quincunx
