// Where such a loop is left by an exception to where others lead as well, nobody says that it ends:
// what it did since it was last told of is taken as behind it.
#include "SerialLoops.h"

#include "Waits.h"
#include "quincunx/abi/strands.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <map>
#include <set>

namespace quincunx {

namespace {

constexpr const char *serialTag =
    "quincunx.serial"; ///< of the operands: what happens, to which loop
enum class Moment : uint32_t { begin, round, end, endWithin };

/// Do the names at the end of a path say this?
bool endsWith(llvm::StringRef path, llvm::StringRef names) {
  return path.consume_back(names) && (path.empty() || llvm::sys::path::is_separator(path.back()) ||
                                      llvm::sys::path::is_separator(names.front()));
}

struct Known {
  llvm::DominatorTree &tree;
  llvm::LoopInfo &loops;
};

/// Where something that is to happen on an edge can; null: nowhere.
llvm::Instruction *placeOn(llvm::BasicBlock &from, llvm::BasicBlock &to, const Known &known) {
  llvm::Instruction *end = from.getTerminator();
  if (end->getNumSuccessors() == 1)
    return end;
  if (to.getUniquePredecessor() == &from && to.getFirstInsertionPt() != to.end())
    return &*to.getFirstInsertionPt();
  if (llvm::isa<llvm::IndirectBrInst, llvm::CallBrInst>(end))
    return nullptr;
  return &*llvm::SplitEdge(&from, &to, &known.tree, &known.loops)->getFirstInsertionPt();
}

class Marker {
public:
  explicit Marker(llvm::ArrayRef<SourceLine> l) : lines(l) {}

  void mark(llvm::Function &f) {
    llvm::DominatorTree tree(f);
    llvm::LoopInfo info(tree);
    for (const llvm::Loop *l : info.getLoopsInPreorder())
      if (const llvm::DebugLoc begin = l->getStartLoc(); begin && !isOfTeam(*l) && isNamed(*begin))
        mark(*l, begin, {tree, info});
  }

  /// Lines of the module's own file at which nothing was found.
  void refuse(llvm::Module &m) const {
    for (size_t i = 0; i < lines.size(); ++i) {
      if (found.contains(i) || !endsWith(m.getSourceFileName(), lines[i].file))
        continue;
      std::string text =
          "quincunx: no loop begins at " + lines[i].file + ":" + std::to_string(lines[i].line);
      std::string there;
      if (const auto at = begun.find(lines[i].file); at != begun.end())
        for (const unsigned line : at->second)
          there += (there.empty() ? "; they begin at lines " : ", ") + std::to_string(line);
      m.getContext().emitError(text + there);
    }
  }

private:
  /// Is it what Clang makes of a loop that a team shares?
  static bool isOfTeam(const llvm::Loop &l) { return l.getHeader()->getName().starts_with("omp."); }

  bool isNamed(const llvm::DILocation &at) {
    bool named = false;
    for (size_t i = 0; i < lines.size(); ++i)
      if (endsWith(at.getFilename(), lines[i].file)) {
        begun[lines[i].file].insert(at.getLine());
        if (lines[i].line == at.getLine())
          found.insert(i), named = true;
      }
    return named;
  }

  void mark(const llvm::Loop &l, const llvm::DebugLoc &begin, const Known &known) {
    const uint32_t number = ++last;
    llvm::BasicBlock &header = *l.getHeader();
    llvm::SmallVector<llvm::BasicBlock *, 4> entries;
    for (llvm::BasicBlock *b : llvm::predecessors(&header))
      if (!l.contains(b))
        entries.push_back(b);
    llvm::SmallVector<llvm::Loop::Edge, 4> exits;
    l.getExitEdges(exits);
    llvm::SmallVector<llvm::BasicBlock *, 4> latches;
    l.getLoopLatches(latches);
    for (llvm::BasicBlock *b : latches)
      say(b->getTerminator(), Moment::round, number, b->getTerminator()->getDebugLoc());
    for (llvm::BasicBlock *b : entries)
      say(placeOn(*b, header, known), Moment::begin, number, begin);
    llvm::SmallPtrSet<llvm::BasicBlock *, 4> pads;
    for (const auto &[from, to] : exits) {
      const bool isWhole = l.isLoopLatch(from) || isEndOfLoop(*to);
      auto *of = const_cast<llvm::BasicBlock *>(from);
      if (!to->isEHPad())
        say(placeOn(*of, *to, known), isWhole ? Moment::end : Moment::endWithin, number, begin);
      else if (isLeftTo(l, *to) && pads.insert(to).second)
        say(&*to->getFirstInsertionPt(), Moment::endWithin, number, begin);
    }
  }

  /// Does control come there when the condition of a loop does not hold? What Clang calls it tells:
  /// with `for (;;)` the first block of a loop is that of its body.
  static bool isEndOfLoop(const llvm::BasicBlock &b) {
    for (const char *name : {"for.end", "for.cond.cleanup", "while.end", "do.end"})
      if (b.getName().starts_with(name))
        return true;
    return false;
  }

  /// Do exceptions come there from this loop alone?
  static bool isLeftTo(const llvm::Loop &l, const llvm::BasicBlock &pad) {
    return pad.getFirstInsertionPt() != pad.end() &&
           llvm::all_of(llvm::predecessors(&pad),
                        [&](const llvm::BasicBlock *b) { return l.contains(b); });
  }

  static void say(llvm::Instruction *before, Moment what, uint32_t loop,
                  const llvm::DebugLoc &where) {
    if (before == nullptr)
      return;
    llvm::IRBuilder<> at(before);
    at.SetCurrentDebugLocation(where);
    markAs(at, serialTag, {at.getInt32(static_cast<uint32_t>(what)), at.getInt32(loop)});
  }

  llvm::ArrayRef<SourceLine> lines;
  uint32_t last = 0;                               ///< number, of the module
  std::set<size_t> found;                          ///< indices of lines
  std::map<std::string, std::set<unsigned>> begun; ///< lines, by the file as it was named
};

} // namespace

void markSerialLoops(llvm::Module &m, llvm::ArrayRef<SourceLine> lines) {
  if (lines.empty())
    return;
  Marker marker(lines);
  for (llvm::Function &f : m)
    if (!f.isDeclaration())
      marker.mark(f);
  marker.refuse(m);
}

bool isSerialMark(const llvm::CallBase &call) {
  return call.getOperandBundle(serialTag).has_value();
}

void refuseSerialLoops(llvm::Function &f) {
  llvm::SmallVector<llvm::CallInst *, 4> marks;
  for (llvm::Instruction &i : llvm::instructions(f))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&i); call != nullptr && isSerialMark(*call))
      marks.push_back(call);
  if (marks.empty())
    return;
  f.getContext().diagnose(llvm::DiagnosticInfoUnsupported(
      f,
      "quincunx records no iterations here: of coroutines, functions that setjmp returns to and "
      "those that are left out it knows no clock",
      marks.front()->getDebugLoc(), llvm::DS_Warning));
  for (llvm::CallInst *mark : marks)
    mark->eraseFromParent();
}

/// Inlined copies of a loop in one function share their room: none is within another.
llvm::Value *SerialLoopCalls::roomFor(llvm::Function &f, uint64_t loop) {
  llvm::Value *&room = rooms[{&f, loop}];
  if (room != nullptr)
    return room;
  llvm::IRBuilder<> at(&*f.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  auto *type = llvm::ArrayType::get(at.getInt64Ty(), sizeof(qx_serial_loop) / sizeof(uint64_t));
  room = at.CreateAlloca(type);
  at.CreateStore(llvm::Constant::getNullValue(type), room);
  return room;
}

void SerialLoopCalls::call(llvm::IRBuilder<> &at, const llvm::CallInst &mark) {
  const llvm::OperandBundleUse said = *mark.getOperandBundle(serialTag);
  const auto number = [&](size_t i) {
    return llvm::cast<llvm::ConstantInt>(said.Inputs[i])->getZExtValue();
  };
  llvm::Module &m = *at.GetInsertBlock()->getModule();
  llvm::SmallVector<llvm::Value *, 2> operands{
      roomFor(*at.GetInsertBlock()->getParent(), number(1))};
  const char *name = QX_STRAND_SERIAL_ENDS;
  switch (const auto what = static_cast<Moment>(number(0))) {
  case Moment::begin:
    name = QX_STRAND_SERIAL_BEGINS;
    break;
  case Moment::round:
    name = QX_STRAND_SERIAL_ROUND;
    break;
  case Moment::end:
  case Moment::endWithin:
    operands.push_back(at.getInt32(what == Moment::endWithin ? 1 : 0));
  }
  at.CreateCall(hiddenFunction(m, name, operands), operands);
}

} // namespace quincunx
