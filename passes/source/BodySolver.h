// Solves the counts of one body's blocks from what is directly known of them.
#pragma once

#include "Circulation.h"
#include "SourceBodies.h"

#include <deque>

namespace quincunx {

using MaybeCount = std::optional<CountForm>;

/// `a` + `times` x `b`; nothing when it is too long.
MaybeCount sum(const CountForm &a, const CountForm &b, int times);

class BodySolver {
public:
  BodySolver(SourceBody &b, const Circulation &c)
      : body(b), circulation(c), waiting(b.nodes.size(), false) {}
  /// Blocks are believed one by one, from the entry on. What is left of one tells its count; but
  /// copies of its end may have been threaded past, which shows where the count is known otherwise.
  void solve();
  /// Is told the count of a node, or of an arc.
  void learnNode(uint32_t node, const MaybeCount &count);
  void learnArc(uint32_t arc, const MaybeCount &count);

private:
  using Ways = llvm::SmallVector<MaybeCount *, 4>;
  /// Nodes before those that they lead to, but for loops.
  std::vector<uint32_t> fromEntry() const;
  bool agree(const MaybeCount &a, const CountForm &b) const;
  /// Was the way to the block a case that may have been joined with an equal one?
  bool maybeJoined(const SourceNode &node) const;
  /// Does the end say nothing else than what is known?
  bool fits(uint32_t n) const;
  void take(uint32_t n);
  void propagate();
  void await(uint32_t n);
  /// All that may follow from a node or its arcs.
  void awaitAround(uint32_t n);
  Ways waysIn(uint32_t n);
  /// None where they do not add up to the block.
  Ways waysOut(uint32_t n);
  void learn(MaybeCount &what, const MaybeCount &count, uint32_t around);
  /// total = sum of the ways: gives the one that is not known. Was there one?
  static bool balance(MaybeCount &total, const Ways &ways);
  /// The ways of a branch that come together at once are the branch's count.
  bool join(uint32_t n);
  SourceBody &body;
  const Circulation &circulation;
  std::deque<uint32_t> queue;
  std::vector<bool> waiting; ///< is the node in the queue?
};

} // namespace quincunx
