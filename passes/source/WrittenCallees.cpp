// The note is one of `!annotation`, the metadata that instruction combining, which knows the
// library, copies from a call to all that it makes of it. Nothing else reads a word that begins as
// ours do.
#include "WrittenCallees.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace quincunx {

namespace {

constexpr llvm::StringLiteral prefix = "quincunx.callee ";

/// What follows the prefix; empty where it is another annotation.
llvm::StringRef noteIn(const llvm::Metadata *operand) {
  const auto *text = llvm::dyn_cast<llvm::MDString>(operand);
  return text != nullptr && text->getString().starts_with(prefix)
             ? text->getString().drop_front(prefix.size())
             : llvm::StringRef();
}

} // namespace

void noteCallees(llvm::Module &m, llvm::ModuleAnalysisManager &manager) {
  auto &functions = manager.getResult<llvm::FunctionAnalysisManagerModuleProxy>(m).getManager();
  for (llvm::Function &f : m) {
    if (f.isDeclaration())
      continue;
    const auto &library = functions.getResult<llvm::TargetLibraryAnalysis>(f);
    for (llvm::Instruction &i : llvm::instructions(f)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
      llvm::LibFunc known;
      if (call != nullptr && library.getLibFunc(*call, known))
        call->addAnnotationMetadata((prefix + call->getCalledFunction()->getName()).str());
    }
  }
}

llvm::StringRef writtenCallee(const llvm::CallBase &call) {
  if (const llvm::MDNode *all = call.getMetadata(llvm::LLVMContext::MD_annotation))
    for (const llvm::MDOperand &operand : all->operands())
      if (const llvm::StringRef name = noteIn(operand); !name.empty())
        return name;
  return {};
}

void dropCallee(llvm::Instruction &i) {
  const llvm::MDNode *all = i.getMetadata(llvm::LLVMContext::MD_annotation);
  if (all == nullptr)
    return;
  llvm::SmallVector<llvm::Metadata *, 4> others;
  for (const llvm::MDOperand &operand : all->operands())
    if (noteIn(operand).empty())
      others.push_back(operand);
  i.setMetadata(llvm::LLVMContext::MD_annotation,
                others.empty() ? nullptr : llvm::MDNode::get(i.getContext(), others));
}

} // namespace quincunx
