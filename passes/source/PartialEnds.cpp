// Ends of blocks that are left of a part of their executions, and are not believed.
// The idea: passes take over what an end decided into a branch before it (Arms.h), and lead who
// comes to a block that only jumps on to where that goes. What then still stands there was executed
// less often than in the source, and nothing else says so.
#include "SourceBodies.h"

#include "Arms.h"
#include "SourceNotes.h"
#include "SourceWays.h"

namespace quincunx {

namespace {

/// The first node from `n` on of which something is left, while there is one way.
uint32_t nextLeft(const SourceBody &body, uint32_t n) {
  for (size_t steps = 0; steps < body.nodes.size(); ++steps) {
    const SourceNode &node = body.nodes[n];
    if (node.code || node.end || node.out.size() != 1)
      break;
    n = body.arcs[node.out[0]].to;
  }
  return n;
}

} // namespace

/// What decided before a branch took that over is left in a part of its copies, if at all.
void SourceBodies::forgetJoined(SourceBody &body) const {
  llvm::SmallPtrSet<const llvm::MDNode *, 8> joined;
  for (const SourceNode &node : body.nodes)
    if (const auto found = held.find({node.notes.back(), body.calledAt}); found != held.end())
      for (const Held &h : found->second)
        if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(h.what);
            branch != nullptr && branch->isConditional())
          for (const llvm::MDNode *decider : joinedWith(*branch).deciders)
            joined.insert(decider);
  for (SourceNode &node : body.nodes)
    if (joined.contains(node.notes.back()))
      node.end.reset();
}

/// A block that only jumps is left to some of those that led to it: others go on at once.
void SourceBodies::forgetPassedBy(SourceBody &body) const {
  const auto ends = [&](uint32_t n) -> llvm::ArrayRef<Held> {
    const auto found = held.find({body.nodes[n].notes.back(), body.calledAt});
    return found == held.end() ? llvm::ArrayRef<Held>() : llvm::ArrayRef<Held>(found->second);
  };
  const auto holds = [&](uint32_t n, const llvm::BasicBlock *b) {
    return llvm::any_of(ends(n), [&](const Held &h) { return flow.blocks[h.block] == b; });
  };
  for (uint32_t n = 0; n < body.nodes.size(); ++n)
    for (const Held &h : ends(n)) {
      const auto *jump = llvm::dyn_cast<llvm::BranchInst>(h.what);
      if (jump == nullptr)
        continue;
      std::vector<std::pair<uint32_t, const llvm::BasicBlock *>> ways = waysOf(body, n, *jump);
      if (jump->isUnconditional() && body.nodes[n].out.size() == 1)
        ways = {{body.nodes[n].out[0], jump->getSuccessor(0)}};
      for (const auto &[arc, to] : ways) {
        const uint32_t next = nextLeft(body, body.arcs[arc].to);
        if (body.nodes[next].end && !body.nodes[next].code && !holds(next, to))
          body.nodes[next].end.reset();
      }
    }
}

} // namespace quincunx
