// Annotations of functions are entries of llvm.global.annotations: what is annotated, the text, and
// where.
#include "Annotations.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace quincunx {

llvm::StringRef annotationText(const llvm::Value *annotation) {
  const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(annotation->stripPointerCasts());
  const auto *text = global != nullptr && global->hasInitializer()
                         ? llvm::dyn_cast<llvm::ConstantDataArray>(global->getInitializer())
                         : nullptr;
  return text != nullptr && text->isCString() ? text->getAsCString() : "";
}

void forEachAnnotation(llvm::Module &m,
                       llvm::function_ref<void(llvm::Function &, llvm::StringRef text)> use) {
  const llvm::GlobalVariable *all = m.getNamedGlobal("llvm.global.annotations");
  const auto *list = all != nullptr && all->hasInitializer()
                         ? llvm::dyn_cast<llvm::ConstantArray>(all->getInitializer())
                         : nullptr;
  if (list == nullptr)
    return;
  for (const llvm::Use &entry : list->operands())
    if (const auto *fields = llvm::dyn_cast<llvm::ConstantStruct>(entry.get()))
      if (auto *f = llvm::dyn_cast<llvm::Function>(fields->getOperand(0)->stripPointerCasts()))
        use(*f, annotationText(fields->getOperand(1)));
}

} // namespace quincunx
