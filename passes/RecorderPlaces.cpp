// Shapes loops for recorders, inner ones first.
#include "RecorderPlaces.h"

#include "quincunx/abi.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace quincunx {

namespace {

using ShapedLoop = std::pair<llvm::Loop *, const RecordedLoop *>;

/// Gives the loops that need it a block in front and exits of their own, inner loops first: an
/// exit from both then stays one for the outer loop.
std::vector<ShapedLoop> shapeLoops(const std::vector<RecordedLoop> &all, llvm::DominatorTree &tree,
                                   llvm::LoopInfo &loops) {
  std::vector<ShapedLoop> shaped;
  for (auto l = all.rbegin(); l != all.rend(); ++l)
    if (l->runs != noIndex || (l->trips != noIndex && l->known == nullptr)) {
      llvm::Loop *loop = loops.getLoopFor(l->header);
      assert(loop != nullptr && loop->getHeader() == l->header && "counters keep loops");
      if (loop->getLoopPreheader() == nullptr)
        llvm::InsertPreheaderForLoop(loop, &tree, &loops, nullptr, /*PreserveLCSSA=*/false);
      llvm::formDedicatedExitBlocks(loop, &tree, &loops, nullptr, /*PreserveLCSSA=*/false);
      shaped.emplace_back(loop, &*l);
    }
  return shaped;
}

/// Per block of words, the loop before which they are asked for, with a block in front of it;
/// null: they are asked for where they are needed.
std::vector<llvm::Loop *> shapeOutermost(const std::vector<RecordedBlock> &blocks, bool coroutine,
                                         llvm::DominatorTree &tree, llvm::LoopInfo &loops) {
  std::vector<llvm::Loop *> outermost;
  for (const RecordedBlock &b : blocks) {
    const bool isNeeded = b.words > 0 && b.header != nullptr && !coroutine;
    llvm::Loop *loop = isNeeded ? loops.getLoopFor(b.header) : nullptr;
    if (loop != nullptr && loop->getLoopPreheader() == nullptr)
      llvm::InsertPreheaderForLoop(loop, &tree, &loops, nullptr, /*PreserveLCSSA=*/false);
    outermost.push_back(loop);
  }
  return outermost;
}

/// The first word for trips of a loop that is left for this block: the blocks that leave have
/// theirs.
llvm::Value *tripsAt(llvm::BasicBlock &exit, const RecordedLoop &l) {
  if (l.trips == noIndex)
    return nullptr;
  llvm::SmallVector<llvm::BasicBlock *, 8> from(llvm::predecessors(&exit));
  llvm::SmallVector<llvm::Constant *, 8> words;
  for (const llvm::BasicBlock *b : from) {
    assert(l.exits.contains(b) && "all ways out were numbered");
    words.push_back(llvm::ConstantInt::get(llvm::Type::getInt64Ty(exit.getContext()),
                                           l.trips + uint64_t{QX_BINS} * l.exits.lookup(b)));
  }
  if (llvm::all_equal(words))
    return words.front();
  llvm::IRBuilder<> at(&exit, exit.begin());
  llvm::PHINode *phi = at.CreatePHI(at.getInt64Ty(), static_cast<unsigned>(from.size()));
  for (size_t i = 0; i < from.size(); ++i)
    phi->addIncoming(words[i], from[i]);
  return phi;
}

/// Where the code of a loop's recorders goes.
RecorderPlace placeOf(const llvm::Loop &loop, const RecordedLoop &what) {
  assert(loop.getLoopPreheader() != nullptr && loop.hasDedicatedExits() &&
         "only loops that can hold code were chosen");
  RecorderPlace p;
  p.what = &what;
  p.before = loop.getLoopPreheader()->getTerminator();
  p.innermost = loop.isInnermost();
  for (const RecordedBranch &b : what.branches)
    p.branches.push_back(b.block->getTerminator());
  llvm::SmallVector<llvm::BasicBlock *, 4> latches, exits;
  loop.getLoopLatches(latches);
  for (llvm::BasicBlock *b : latches) // a switch may jump back by several arms
    if (!llvm::is_contained(p.latches, b->getTerminator()))
      p.latches.push_back(b->getTerminator());
  loop.getUniqueExitBlocks(exits);
  for (llvm::BasicBlock *exit : exits)
    if (llvm::none_of(llvm::predecessors(exit),
                      [&](const llvm::BasicBlock *from) { return isSuspension(*from, *exit); }))
      p.exits.push_back({exit, tripsAt(*exit, what)});
  return p;
}

} // namespace

RecorderPlaces placeRecorders(llvm::Function &f, const Recorded &recorded) {
  llvm::DominatorTree tree(f);
  llvm::LoopInfo loops(tree);
  const std::vector<ShapedLoop> shaped = shapeLoops(recorded.loops, tree, loops);
  const std::vector<llvm::Loop *> outermost =
      shapeOutermost(recorded.blocks, f.isPresplitCoroutine(), tree, loops);
  RecorderPlaces places;
  for (const auto &[loop, what] : shaped)
    places.loops.push_back(placeOf(*loop, *what));
  for (llvm::Loop *loop : outermost)
    places.words.push_back(loop != nullptr ? loop->getLoopPreheader()->getTerminator() : nullptr);
  return places;
}

} // namespace quincunx
