// What it costs to count an edge, by the compiler's guess of how often it is passed.
#include "CountingCosts.h"

#include "Counters.h"
#include "Prepare.h"

#include <limits>

namespace quincunx {

namespace {

llvm::Loop *localLoop(const IrFlow &flow, uint32_t edge, llvm::LoopInfo &loops,
                      llvm::DominatorTree &tree) {
  const IrEdge &e = flow.edges[edge];
  bool needsBlock = false;
  if (e.from == nullptr || e.to == nullptr || e.counted != nullptr ||
      !canCount(flow, edge, needsBlock) || needsBlock)
    return nullptr;
  llvm::Loop *l = loops.getLoopFor(e.from);
  if (l == nullptr || l != loops.getLoopFor(e.to) || !isQuiet(*l) || l->getLoopLatch() == nullptr ||
      l->getLoopPreheader() == nullptr || !l->hasDedicatedExits())
    return nullptr;
  const llvm::BasicBlock *place = e.from->getUniqueSuccessor() == e.to ? e.from : e.to;
  const bool always = place == l->getHeader() ? e.from == l->getLoopLatch()
                                              : tree.dominates(place, l->getLoopLatch());
  return always ? l : nullptr;
}

/// How often a loop is entered.
double entriesOf(const IrFlow &flow, const llvm::Loop *l) {
  double sum = 0;
  if (l != nullptr)
    for (const IrEdge &e : flow.edges)
      if (e.to == l->getHeader() && e.from != nullptr && !l->contains(e.from))
        sum += e.frequency;
  return sum;
}

double costOf(const IrFlow &flow, uint32_t edge, const llvm::Loop *local) {
  bool needsBlock = false;
  if (!canCount(flow, edge, needsBlock))
    return std::numeric_limits<double>::infinity();
  const IrEdge &e = flow.edges[edge];
  const double entries = entriesOf(flow, e.counted != nullptr ? e.counted : local);
  if (e.counted != nullptr)
    return 1.5 * entries;
  if (local != nullptr)
    return e.frequency / 3 + 2 * entries;
  return e.frequency * (needsBlock ? 1.5 : 1.0);
}

} // namespace

std::vector<llvm::Loop *> localLoops(const IrFlow &flow, llvm::LoopInfo &loops,
                                     llvm::DominatorTree &tree) {
  std::vector<llvm::Loop *> local(flow.edges.size());
  for (uint32_t e = 0; e < flow.edges.size(); ++e)
    local[e] = localLoop(flow, e, loops, tree);
  return local;
}

std::vector<double> countingCosts(const IrFlow &flow, const std::vector<llvm::Loop *> &local) {
  std::vector<double> all(flow.edges.size());
  for (uint32_t e = 0; e < all.size(); ++e)
    all[e] = costOf(flow, e, local[e]);
  return all;
}

} // namespace quincunx
