// Notes the blocks of the frontend's output before the first pass. A note is a distinct node of
// metadata on the instructions of its block; passes that merge or speculate instructions drop it,
// those that inline or move whole blocks keep it. Notes of a function hang together by their
// successors, so that blocks of which nothing is left are still known. It changes no code.
#include "SourceBlocks.h"

#include "SourceNotes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace quincunx {

namespace {

using Operands = llvm::SmallVector<llvm::Metadata *, 8>;

/// Does the frontend add this where a scope is left? That is no statement.
bool leavesScope(const llvm::Instruction &i) {
  if (i.isLifetimeStartOrEnd())
    return true;
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&i))
    return load->getPointerOperand()->getName().starts_with("cleanup.dest");
  return i.isTerminator() && i.getParent()->getName().starts_with("cleanup");
}

/// Is it the end of `a && b`? Where a decides, it will be passed by.
bool decidesByPhi(const llvm::Instruction &i) {
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&i);
  return branch != nullptr && branch->isConditional() &&
         llvm::isa<llvm::PHINode>(branch->getCondition());
}

/// The place of an instruction that stands in the source for something that is executed.
llvm::DILocation *placeOf(const llvm::Instruction &i) {
  llvm::DILocation *at = i.getDebugLoc().get();
  const bool none = llvm::isa<llvm::PHINode>(i) || i.isDebugOrPseudoInst() || at == nullptr ||
                    at->getLine() == 0 || at->getInlinedAt() != nullptr || leavesScope(i);
  return none ? nullptr : at;
}

Operands linesOf(const llvm::BasicBlock &b) {
  llvm::SmallSetVector<std::pair<unsigned, const llvm::DIFile *>, 8> seen;
  Operands lines;
  for (const llvm::Instruction &i : b)
    if (llvm::DILocation *at = placeOf(i))
      if (seen.insert({at->getLine(), at->getFile()}))
        lines.push_back(at);
  return lines;
}

Operands callsOf(const llvm::BasicBlock &b, const BlockNotes &notes) {
  Operands calls;
  for (const llvm::Instruction &i : b) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
    llvm::DILocation *at = call != nullptr ? placeOf(i) : nullptr;
    if (at == nullptr || llvm::isa<llvm::IntrinsicInst>(i) || call->isInlineAsm())
      continue;
    const auto *callee =
        llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
    calls.push_back(at);
    calls.push_back(callee != nullptr && !callee->isDeclaration()
                        ? notes.lookup(&callee->getEntryBlock())
                        : nullptr);
  }
  return calls;
}

/// The place of the call that the branch at the end of a block tests.
llvm::DILocation *deciderOf(const llvm::BasicBlock &b) {
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(b.getTerminator());
  if (branch == nullptr || branch->isUnconditional())
    return nullptr;
  const auto *value = llvm::dyn_cast<llvm::Instruction>(branch->getCondition());
  while (value != nullptr && (llvm::isa<llvm::CastInst>(value) || value->isBinaryOp() ||
                              llvm::isa<llvm::CmpInst>(value)))
    value = llvm::dyn_cast<llvm::Instruction>(value->getOperand(0));
  return value != nullptr && llvm::isa<llvm::CallBase>(value) ? placeOf(*value) : nullptr;
}

llvm::MDNode *casesOf(const llvm::BasicBlock &b, const BlockNotes &notes) {
  const auto *jump = llvm::dyn_cast<llvm::SwitchInst>(b.getTerminator());
  if (jump == nullptr)
    return nullptr;
  Operands cases{notes.lookup(jump->getDefaultDest())};
  for (const auto &c : jump->cases()) {
    cases.push_back(llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(b.getContext(), c.getCaseValue()->getValue())));
    cases.push_back(notes.lookup(c.getCaseSuccessor()));
  }
  return llvm::MDNode::get(b.getContext(), cases);
}

llvm::DILocation *jumpOf(const llvm::BasicBlock &b) {
  const llvm::BasicBlock *to = b.getSingleSuccessor();
  llvm::DILocation *at = to != nullptr ? b.getTerminator()->getDebugLoc().get() : nullptr;
  if (at == nullptr || at->getLine() == 0)
    return nullptr;
  for (const llvm::BasicBlock *other : llvm::predecessors(to))
    if (const llvm::DILocation *there = other->getTerminator()->getDebugLoc().get();
        other != &b && there != nullptr && samePlace(*at, *there))
      return nullptr;
  return at;
}

void fill(llvm::MDNode &note, const llvm::BasicBlock &b, const BlockNotes &notes) {
  llvm::LLVMContext &context = b.getContext();
  Operands next;
  for (const llvm::BasicBlock *to : llvm::successors(&b))
    if (!llvm::is_contained(next, notes.lookup(to)))
      next.push_back(notes.lookup(to));
  const auto put = [&](NoteField which, llvm::Metadata *what) {
    note.replaceOperandWith(static_cast<unsigned>(which), what);
  };
  put(NoteField::lines, llvm::MDNode::get(context, linesOf(b)));
  put(NoteField::successors, llvm::MDNode::get(context, next));
  put(NoteField::calls, llvm::MDNode::get(context, callsOf(b, notes)));
  put(NoteField::entry, notes.lookup(&b.getParent()->getEntryBlock()));
  put(NoteField::decider, deciderOf(b));
  put(NoteField::cases, casesOf(b, notes));
  put(NoteField::jump, jumpOf(b));
}

} // namespace

BlockNotes noteSourceBlocks(llvm::Module &m) {
  BlockNotes notes;
  const llvm::SmallVector<llvm::Metadata *, noteFields> empty(noteFields, nullptr);
  for (llvm::Function &f : m)
    for (llvm::BasicBlock &b : f)
      notes[&b] = llvm::MDNode::getDistinct(m.getContext(), empty);
  for (llvm::Function &f : m) {
    if (!f.isDeclaration())
      f.setMetadata(blockKind, notes.lookup(&f.getEntryBlock()));
    for (llvm::BasicBlock &b : f) {
      llvm::MDNode *note = notes.lookup(&b);
      fill(*note, b, notes);
      for (llvm::Instruction &i : b)
        if (!llvm::isa<llvm::PHINode>(i) && !i.isDebugOrPseudoInst() && !decidesByPhi(i))
          i.setMetadata(blockKind, note);
    }
  }
  return notes;
}

} // namespace quincunx
