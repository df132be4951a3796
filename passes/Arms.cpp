// Marks arms before the first pass, and finds them again after the early clean-up.
// The idea: Clang names blocks for what they are in the source (if.then, for.body, lor.lhs.false),
// and in its own output no two arms share a block. So each branch can note the blocks that only its
// true side and only its false side begin with, and the instructions in those blocks can note where
// they were. Blocks are folded and merged later, branches inverted, but the instructions that an
// arm still holds say which it was. Where both arms lost theirs nobody can say. It reads no syntax
// tree, so macros, templates and inlined copies need nothing of their own.
#include "Arms.h"

#include "source/Conditions.h"
#include "source/SourceBlocks.h"
#include "source/WrittenCallees.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace quincunx {

namespace {

/// Of a branch: blocks of its true side, of its false side, and the ways that it may be joined on.
constexpr const char *armsKind = "quincunx.arms";

using Blocks = llvm::SmallSetVector<const llvm::BasicBlock *, 8>;

/// What an arm is whose block is called so. Blocks of further conditions (land.lhs.true,
/// lor.lhs.false) say nothing: under a `!` they are what is false.
const llvm::StringSet<> &trueNames() {
  static const llvm::StringSet<> names = {
      "if.then", "land.rhs",   "lor.end",     "cond.true",   "for.body",
      "do.body", "while.body", "omp_if.then", "omp.if.then", "omp.inner.for.body"};
  return names;
}
const llvm::StringSet<> &falseNames() {
  static const llvm::StringSet<> names = {
      "if.else",     "if.end",           "land.end",         "lor.rhs",   "cond.false",
      "for.end",     "for.cond.cleanup", "do.end",           "while.end", "while.exit",
      "omp_if.else", "omp.if.else",      "omp.inner.for.end"};
  return names;
}
/// The successor that is the true arm in the frontend's output. Of `a && b` and `a || b` a and b
/// share one target, which is the same to both; so b tells what only leads from a to b and there.
std::optional<unsigned> namedTrue(const llvm::BranchInst &branch, unsigned depth = 0) {
  const llvm::BasicBlock *to[2] = {branch.getSuccessor(0), branch.getSuccessor(1)};
  const bool straight = isCalled(*to[0], trueNames()) || isCalled(*to[1], falseNames());
  const bool exchanged = isCalled(*to[1], trueNames()) || isCalled(*to[0], falseNames());
  if (straight != exchanged)
    return straight ? 0u : 1u;
  for (const unsigned i : {0u, 1u}) {
    const auto *next = llvm::dyn_cast<llvm::BranchInst>(to[i]->getTerminator());
    if (straight || depth == mostBlocks || next == nullptr || !next->isConditional() ||
        !decidesPart(*to[i]))
      continue;
    for (const unsigned shared : {0u, 1u})
      if (next->getSuccessor(shared) == to[1 - i])
        if (const std::optional<unsigned> arm = namedTrue(*next, depth + 1))
          return *arm == shared ? 1 - i : i;
  }
  return {};
}

/// The blocks that an arm begins with.
Blocks beginning(const llvm::BasicBlock &branch, const llvm::BasicBlock &arm) {
  Blocks found;
  llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 8> todo{
      {&branch, &arm}};
  while (!todo.empty() && found.size() < mostBlocks) {
    const auto [from, b] = todo.pop_back_val();
    if (found.insert(b))
      for (const llvm::BasicBlock *next : onward(*from, *b))
        todo.emplace_back(b, next);
  }
  return found;
}

/// Marks the branches of one function.
class Marker {
public:
  Marker(llvm::Function &function, const BlockNotes &known)
      : f(function), context(f.getContext()), notes(known) {}

  void mark() {
    for (llvm::BasicBlock &b : f)
      if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(b.getTerminator());
          branch != nullptr && branch->isConditional())
        if (const std::optional<unsigned> arm = namedTrue(*branch))
          mark(*branch, *arm);
  }

private:
  void mark(llvm::BranchInst &branch, unsigned arm) {
    const llvm::BasicBlock *yes = branch.getSuccessor(arm), *no = branch.getSuccessor(1 - arm);
    const Blocks after = beginning(*branch.getParent(), *yes),
                 otherwise = beginning(*branch.getParent(), *no);
    const auto only = [&](const Blocks &own, const Blocks &other, const llvm::BasicBlock *first) {
      llvm::SmallVector<llvm::Metadata *, 8> list;
      for (const llvm::BasicBlock *b : own)
        if (b == first || !other.contains(b))
          llvm::append_range(list, notes.find(b)->second);
      return llvm::MDNode::get(context, list);
    };
    llvm::SmallVector<llvm::Metadata *, 4> noted{only(after, otherwise, yes),
                                                 only(otherwise, after, no)};
    for (const JoinableWay &way : joinableWays(branch))
      noted.push_back(noteOf(way));
    branch.setMetadata(armsKind, llvm::MDNode::get(context, noted));
  }

  /// With what it may be joined, the notes of that, and those of the way's blocks.
  llvm::MDNode *noteOf(const JoinableWay &way) {
    llvm::SmallVector<llvm::Metadata *, 8> deciders, blocks;
    for (const llvm::BasicBlock *b : way.deciders)
      deciders.push_back(notes.find(b)->second.back());
    for (const llvm::BasicBlock *b : way.blocks)
      llvm::append_range(blocks, notes.find(b)->second);
    return llvm::MDNode::get(
        context, {llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                      llvm::Type::getInt8Ty(context), static_cast<unsigned>(way.with))),
                  llvm::MDNode::get(context, deciders), llvm::MDNode::get(context, blocks)});
  }

  llvm::Function &f;
  llvm::LLVMContext &context;
  const BlockNotes &notes;
};

/// Blocks that passes put between hold nothing of the frontend's.
const llvm::BasicBlock &withoutEmpty(const llvm::BasicBlock &arm) {
  const llvm::BasicBlock *b = &arm;
  for (unsigned i = 0; i < 4; ++i) {
    const llvm::Instruction *first = &*b->getFirstNonPHIOrDbg();
    if (first != b->getTerminator() || first->hasMetadata(blockKind) ||
        b->getSingleSuccessor() == nullptr)
      break;
    b = b->getSingleSuccessor();
  }
  return *b;
}

/// Does the arm hold anything from one of these blocks?
bool holds(const llvm::BasicBlock &arm, const llvm::MDNode &side) {
  return llvm::any_of(withoutEmpty(arm), [&](const llvm::Instruction &i) {
    const llvm::MDNode *note = i.getMetadata(blockKind);
    return note != nullptr && llvm::is_contained(side.operands(), note);
  });
}

/// Is what stands first in the arm from one of these blocks?
bool begins(const llvm::BasicBlock &arm, const llvm::MDNode &blocks) {
  for (const llvm::Instruction &i : withoutEmpty(arm))
    if (const llvm::MDNode *note = i.getMetadata(blockKind))
      return llvm::is_contained(blocks.operands(), note);
  return false;
}

/// Is what it tests something that passes made? What they only changed a little counts as that,
/// too.
bool isConditionNew(const llvm::BranchInst &branch) {
  const auto *value = llvm::dyn_cast<llvm::Instruction>(branch.getCondition());
  while (
      value != nullptr && !value->hasMetadata(blockKind) &&
      (llvm::isa<llvm::CastInst, llvm::FreezeInst>(value) ||
       llvm::PatternMatch::match(value, llvm::PatternMatch::m_Not(llvm::PatternMatch::m_Value()))))
    value = llvm::dyn_cast<llvm::Instruction>(value->getOperand(0));
  return value != nullptr && !value->hasMetadata(blockKind) && !llvm::isa<llvm::PHINode>(value);
}

} // namespace

llvm::PreservedAnalyses MarkArmsPass::run(llvm::Module &m, llvm::ModuleAnalysisManager &manager) {
  noteCallees(m, manager);
  const BlockNotes notes = noteSourceBlocks(m);
  for (llvm::Function &f : m)
    if (!f.isDeclaration())
      Marker(f, notes).mark();
  return llvm::PreservedAnalyses::all();
}

std::optional<unsigned> trueArm(const llvm::BranchInst &branch) {
  const llvm::MDNode *arms = branch.getMetadata(armsKind);
  if (arms == nullptr)
    return branch.getFunction()->getSubprogram() ? std::optional<unsigned>() : 0u;
  if (joinedWith(branch).with == Joins::statement)
    return {};
  const auto &yes = llvm::cast<llvm::MDNode>(*arms->getOperand(0)),
             &no = llvm::cast<llvm::MDNode>(*arms->getOperand(1));
  const llvm::BasicBlock &first = *branch.getSuccessor(0), &second = *branch.getSuccessor(1);
  const int evidence =
      (holds(first, yes) - holds(second, yes)) + (holds(second, no) - holds(first, no));
  if (evidence == 0)
    return {};
  return evidence > 0 ? 0u : 1u;
}

const llvm::MDNode *trueSide(const llvm::BranchInst &branch) {
  const llvm::MDNode *arms = branch.getMetadata(armsKind);
  if (arms == nullptr)
    return nullptr;
  const auto &yes = llvm::cast<llvm::MDNode>(*arms->getOperand(0));
  return llvm::cast<llvm::MDNode>(yes.getOperand(0).get());
}

Joined joinedWith(const llvm::BranchInst &branch) {
  const llvm::MDNode *arms = branch.getMetadata(armsKind);
  Joined joined;
  if (arms == nullptr || !isConditionNew(branch))
    return joined;
  for (const unsigned i : {2u, 3u}) {
    const auto &way = llvm::cast<llvm::MDNode>(*arms->getOperand(i));
    const auto &blocks = llvm::cast<llvm::MDNode>(*way.getOperand(2));
    if (llvm::any_of(llvm::successors(&branch),
                     [&](const llvm::BasicBlock *b) { return begins(*b, blocks); }))
      continue;
    const auto with = llvm::mdconst::extract<llvm::ConstantInt>(way.getOperand(0))->getZExtValue();
    joined.with = std::max(joined.with, static_cast<Joins>(with));
    for (const llvm::MDOperand &note : llvm::cast<llvm::MDNode>(*way.getOperand(1)).operands())
      joined.deciders.push_back(llvm::cast<llvm::MDNode>(note.get()));
  }
  return joined;
}

void dropArmMarks(llvm::Module &m) {
  for (llvm::Function &f : m) {
    f.setMetadata(blockKind, nullptr);
    for (llvm::Instruction &i : llvm::instructions(f)) {
      i.setMetadata(armsKind, nullptr);
      i.setMetadata(blockKind, nullptr);
      dropCallee(i);
    }
  }
}

} // namespace quincunx
