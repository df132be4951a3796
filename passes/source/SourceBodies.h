// What is left of the blocks of the frontend in a function after the clean-up: its own body and
// those inlined into it, each as a graph of the frontend's blocks with the counts that can be read
// off what is left.
#pragma once

#include "SourceBlocks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"

#include <map>
#include <memory>

namespace quincunx {

/// A sum of counts of edges and blocks of the map.
using CountForm = std::map<std::pair<bool, uint32_t>, int>; ///< (is edge, index): times

/// A way from block to block of the frontend.
struct SourceArc {
  uint32_t from, to; ///< in SourceBody::nodes
  std::optional<CountForm> count;
};

using LineCounts = std::map<unsigned, CountForm>;

/// What the end of a block says that is left, or its copies. Executions that were threaded past it
/// are missing.
struct BlockEnd {
  CountForm count;
  std::map<uint32_t, CountForm> ways; ///< by arc, of those that can be told from others
  LineCounts lines;                   ///< of the whole block
};

struct SourceNode {
  const llvm::MDNode *note;
  std::vector<uint32_t> in, out; ///< in SourceBody::arcs
  std::optional<CountForm> code; ///< by the first of its code with effects that is left
  LineCounts lines;              ///< with code of their own that is left
  std::optional<BlockEnd> end;
  std::optional<CountForm> count; ///< of its start, once it is solved
};

/// One instance of a function's body.
struct SourceBody {
  std::vector<SourceNode> nodes; ///< [0] is the entry
  std::vector<SourceArc> arcs;
  const llvm::DILocation *calledAt = nullptr; ///< null: the function itself
  const SourceBody *caller = nullptr;
  std::optional<CountForm> entered;
};

/// A call of which nothing is left, nor of the body that was inlined for it.
struct GoneCall {
  const llvm::MDNode *callee; ///< the note of its entry
  const llvm::DILocation *at; ///< where it would have been inlined
  std::optional<CountForm> count;
};

/// Everything of the frontend's blocks that the code of a function still tells.
class SourceBodies {
public:
  SourceBodies(const llvm::Function &f, const IrFlow &flow);
  /// A body with what is directly known of its counts. `caller` null: the function itself.
  std::unique_ptr<SourceBody> body(const llvm::MDNode &entry, const SourceBody *caller,
                                   const llvm::DILocation *calledAt) const;
  /// Were calls of the function to itself made a loop, or may they be? Then its entries and returns
  /// are fewer than its source's.
  bool maybeLooped() const { return looped; }
  /// The bodies that stand in place of calls in one (whose counts are solved).
  std::vector<std::unique_ptr<SourceBody>> inlined(const SourceBody &in) const;
  /// The calls in one that stand neither as calls nor as bodies.
  std::vector<GoneCall> gone(const SourceBody &in) const;

private:
  using Key = std::pair<const llvm::MDNode *, const llvm::DILocation *>; ///< note, inlined at
  struct Held {
    uint32_t block;
    unsigned line;
    const llvm::Instruction *what;
  };
  bool stays(const llvm::Instruction &i) const;
  void collect(const llvm::Instruction &i, uint32_t block);
  void read(SourceBody &body, uint32_t node) const;
  BlockEnd readEnd(const SourceBody &body, uint32_t node, const std::vector<Held> &code) const;
  CountForm executions(const std::vector<Held> &held) const;
  LineCounts byLine(const std::vector<Held> &code) const;
  bool survives(const SourceBody &in, const llvm::MDNode &note, const llvm::DILocation &call) const;

  const IrFlow &flow;
  const llvm::MDNode *own;
  bool looped;
  llvm::DominatorTree tree;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> index;
  llvm::DenseMap<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, uint32_t> edges;
  std::map<Key, std::vector<Held>> held;
  /// Entries of what is called by calls that were merged with others and lost their notes.
  llvm::SmallPtrSet<const llvm::MDNode *, 8> merged;
  /// Where bodies were inlined at, and the entry of each if known; in the order of the code, as
  /// equal sources have equal maps.
  using Inlined = llvm::MapVector<const llvm::DILocation *, const llvm::MDNode *>;
  std::map<const llvm::DILocation *, Inlined> inlinedAt; ///< by where they were inlined into
};

} // namespace quincunx
