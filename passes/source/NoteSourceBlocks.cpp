// Notes the blocks of the frontend's output before the first pass. A note is a distinct node of
// metadata on the instructions of its block; passes that merge or speculate instructions drop it,
// those that inline or move whole blocks keep it. Notes of a function hang together by their
// successors, so that blocks of which nothing is left are still known. Behind a call that may not
// come back, or more often than it was made, begins another part of the block with its own note, as
// it is executed as often as the call comes back. It changes no code.
#include "SourceBlocks.h"

#include "Returns.h"
#include "SourceNotes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
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

/// Where an exception lands Clang takes it up at the end of the function.
bool takesUp(const llvm::Instruction &i) {
  const llvm::LandingPadInst *pad = i.getParent()->getLandingPadInst();
  return pad != nullptr && pad->getDebugLoc() && i.getDebugLoc() &&
         !i.getFunction()->isPresplitCoroutine() &&
         samePlace(*pad->getDebugLoc().get(), *i.getDebugLoc().get());
}

/// The place of an instruction that stands in the source for something that is executed.
llvm::DILocation *placeOf(const llvm::Instruction &i) {
  llvm::DILocation *at = i.getDebugLoc().get();
  const bool none = llvm::isa<llvm::PHINode>(i) || i.isDebugOrPseudoInst() || at == nullptr ||
                    at->getLine() == 0 || at->getInlinedAt() != nullptr || leavesScope(i);
  return none ? nullptr : at;
}

/// Of a coroutine the call that begins or ends its frame; null in others.
llvm::IntrinsicInst *frameCall(llvm::Function &f, llvm::Intrinsic::ID which) {
  if (f.isPresplitCoroutine())
    for (llvm::Instruction &i : llvm::instructions(f))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
          call != nullptr && call->getIntrinsicID() == which)
        return call;
  return nullptr;
}

/// What a coroutine does to be one has the place of its declaration, and is that only where it
/// begins.
const llvm::DILocation *declaration(llvm::Function &f) {
  const llvm::IntrinsicInst *end = frameCall(f, llvm::Intrinsic::coro_end);
  return end != nullptr ? end->getDebugLoc().get() : nullptr;
}

/// Parameters are copied into the frame where a coroutine begins; Clang gives that the place of the
/// first `co_yield` or `co_await`.
void placeCopies(llvm::Function &f) {
  if (llvm::IntrinsicInst *begin = frameCall(f, llvm::Intrinsic::coro_begin))
    for (llvm::Instruction &i : *begin->getParent())
      if (i.getDebugLoc())
        i.setDebugLoc(begin->getDebugLoc());
}

/// A part of a block, up to a doubtful call or to the end.
struct Part {
  llvm::BasicBlock *block;
  llvm::SmallVector<llvm::Instruction *, 16> code;
  const llvm::CallBase *doubtful = nullptr;
};

llvm::SmallVector<Part, 1> partsOf(llvm::BasicBlock &b, MayNotReturn mayNotReturn) {
  llvm::SmallVector<Part, 1> parts{{&b, {}}};
  for (llvm::Instruction &i : b) {
    parts.back().code.push_back(&i);
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
    if (call == nullptr || !isDoubtful(*call, mayNotReturn))
      continue;
    parts.back().doubtful = call;
    if (!i.isTerminator() && !llvm::isa<llvm::UnreachableInst>(i.getNextNode()))
      parts.push_back({&b, {}});
  }
  return parts;
}

using LinesSeen = llvm::SmallSetVector<std::pair<unsigned, const llvm::DIFile *>, 8>;

/// A line is executed as often as the first part with code of it.
Operands linesOf(const Part &part, const llvm::DILocation *declared, LinesSeen &seen) {
  Operands lines;
  for (const llvm::Instruction *i : part.code)
    if (llvm::DILocation *at = placeOf(*i))
      if (!takesUp(*i) &&
          (declared == nullptr || part.block->isEntryBlock() || !samePlace(*declared, *at)))
        if (seen.insert({at->getLine(), at->getFile()}))
          lines.push_back(at);
  return lines;
}

llvm::MDNode *entryNote(const llvm::BasicBlock &b, const BlockNotes &notes) {
  return notes.find(&b)->second.front();
}

Operands callsOf(const Part &part, const BlockNotes &notes) {
  Operands calls;
  for (const llvm::Instruction *instruction : part.code) {
    const llvm::Instruction &i = *instruction;
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
    llvm::DILocation *at = call != nullptr ? placeOf(i) : nullptr;
    if (at == nullptr || llvm::isa<llvm::IntrinsicInst>(i) || call->isInlineAsm())
      continue;
    const auto *callee =
        llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
    calls.push_back(at);
    calls.push_back(callee != nullptr && !callee->isDeclaration()
                        ? entryNote(callee->getEntryBlock(), notes)
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
  Operands cases{entryNote(*jump->getDefaultDest(), notes)};
  for (const auto &c : jump->cases()) {
    cases.push_back(llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(b.getContext(), c.getCaseValue()->getValue())));
    cases.push_back(entryNote(*c.getCaseSuccessor(), notes));
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

Operands successorsOf(const llvm::BasicBlock &b, const BlockNotes &notes) {
  Operands next;
  for (const llvm::BasicBlock *to : llvm::successors(&b))
    if (!llvm::is_contained(next, entryNote(*to, notes)))
      next.push_back(entryNote(*to, notes));
  return next;
}

/// Fills the notes of a block, in the order of its parts.
class Writer {
public:
  Writer(llvm::Function &function, const BlockNotes &all)
      : f(function), notes(all), declared(declaration(f)) {}

  void fill(llvm::BasicBlock &b, MayNotReturn mayNotReturn) {
    LinesSeen seen;
    const llvm::SmallVector<llvm::MDNode *, 1> &own = notes.find(&b)->second;
    const llvm::SmallVector<Part, 1> parts = partsOf(b, mayNotReturn);
    for (size_t p = 0; p < parts.size(); ++p) {
      fill(*own[p], parts[p], seen);
      if (p + 1 < parts.size())
        lead(*own[p], *own[p + 1]);
      else
        end(*own[p], b);
      for (llvm::Instruction *i : parts[p].code)
        if (!llvm::isa<llvm::PHINode>(i) && !i->isDebugOrPseudoInst() && !decidesByPhi(*i))
          i->setMetadata(blockKind, own[p]);
    }
  }

private:
  static void put(llvm::MDNode &note, NoteField which, llvm::Metadata *what) {
    note.replaceOperandWith(static_cast<unsigned>(which), what);
  }
  llvm::MDNode *list(const Operands &all) const { return llvm::MDNode::get(f.getContext(), all); }

  void fill(llvm::MDNode &note, const Part &part, LinesSeen &seen) const {
    put(note, NoteField::lines, list(linesOf(part, declared, seen)));
    put(note, NoteField::calls, list(callsOf(part, notes)));
    put(note, NoteField::entry, entryNote(f.getEntryBlock(), notes));
    if (part.doubtful != nullptr)
      put(note, NoteField::doubt, part.doubtful->getDebugLoc().get());
  }
  void lead(llvm::MDNode &note, llvm::MDNode &rest) const {
    put(note, NoteField::successors, list({&rest}));
    put(note, NoteField::rest, &rest);
  }
  void end(llvm::MDNode &note, const llvm::BasicBlock &b) const {
    put(note, NoteField::successors, list(successorsOf(b, notes)));
    put(note, NoteField::decider, deciderOf(b));
    put(note, NoteField::cases, casesOf(b, notes));
    put(note, NoteField::jump, jumpOf(b));
    if (llvm::isa<llvm::ReturnInst>(b.getTerminator()))
      put(note, NoteField::returns, &note);
  }

  llvm::Function &f;
  const BlockNotes &notes;
  const llvm::DILocation *declared; ///< null: it is no coroutine
};

} // namespace

bool isDoubtful(const llvm::CallBase &call, MayNotReturn mayNotReturn) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  return (intrinsic != nullptr && intrinsic->getIntrinsicID() == llvm::Intrinsic::coro_end) ||
         returnsTwice(call) || mayNotReturn(call);
}

BlockNotes noteSourceBlocks(llvm::Module &m) {
  BlockNotes notes;
  const Returns returns(m);
  const auto mayNotReturn = [&](const llvm::CallBase &c) { return returns.mayNotReturn(c); };
  const llvm::SmallVector<llvm::Metadata *, noteFields> empty(noteFields, nullptr);
  for (llvm::Function &f : m)
    for (llvm::BasicBlock &b : f)
      for (size_t parts = partsOf(b, mayNotReturn).size(); parts > 0; --parts)
        notes[&b].push_back(llvm::MDNode::getDistinct(m.getContext(), empty));
  for (llvm::Function &f : m) {
    if (f.isDeclaration())
      continue;
    placeCopies(f);
    f.setMetadata(blockKind, entryNote(f.getEntryBlock(), notes));
    Writer writer(f, notes);
    for (llvm::BasicBlock &b : f)
      writer.fill(b, mayNotReturn);
  }
  return notes;
}

} // namespace quincunx
