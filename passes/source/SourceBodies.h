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

/// A block of the frontend, or as much of it as is executed equally often: up to a call that did
/// not come back at times, and behind one.
struct SourceNode {
  llvm::SmallVector<const llvm::MDNode *, 1> notes; ///< of its parts, in their order
  std::vector<uint32_t> in, out;                    ///< in SourceBody::arcs
  std::optional<CountForm> code; ///< by the first of its code with effects that is left
  LineCounts lines;              ///< with code of their own that is left
  std::optional<BlockEnd> end;
  std::optional<CountForm> count; ///< once it is solved
  /// Ends it with a call that may not come back? Then less may leave than enters, or more.
  bool leaks = false;
};

/// One instance of a function's body.
struct SourceBody {
  std::vector<SourceNode> nodes; ///< [0] is the entry
  std::vector<SourceArc> arcs;
  const llvm::DILocation *calledAt = nullptr; ///< null: the function itself
  const SourceBody *caller = nullptr;
  std::optional<CountForm> entered;
  std::optional<CountForm> nearest; ///< where that is not known: 0 only where it is not entered
};

/// A call in place of which a body stands.
struct InlinedCall {
  const llvm::MDNode *callee; ///< the note of its entry
  const llvm::DILocation *at;
  uint32_t from = noIndex; ///< in SourceBody::nodes; noIndex: not known
  bool isAlone = false;    ///< at its place: the body is entered as often as `from` is
  /// Of `SourceBody::arcs` the one on which it goes on as often as the body returns, if so.
  uint32_t onward = noIndex;
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
  SourceBodies(const llvm::Function &f, const IrFlow &flow, MayNotReturn mayNotReturn);
  /// A body with what is directly known of its counts. `caller` null: the function itself.
  std::unique_ptr<SourceBody> body(const llvm::MDNode &entry, const SourceBody *caller,
                                   const llvm::DILocation *calledAt) const;
  /// Were calls of the function to itself made a loop, or may they be? Then its entries and returns
  /// are fewer than its source's.
  bool maybeLooped() const { return looped; }
  std::vector<InlinedCall> inlined(const SourceBody &in) const;
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
  void collectDoubt(const llvm::Instruction &i, uint32_t block, bool isKept);
  bool leaks(const llvm::MDNode &note, const llvm::DILocation *calledAt) const;
  unsigned standIn(const llvm::DILocation &call, const llvm::DILocation *calledAt) const;
  using MadeCalls = std::map<const llvm::MDNode *, std::vector<Held>>;
  MadeCalls madeCalls(const SourceBody &body) const;
  std::optional<CountForm> comesBack(const llvm::MDNode &note, const llvm::DILocation *calledAt,
                                     const std::vector<Held> &made) const;
  SourceNode nodeFrom(const llvm::MDNode &first, const llvm::DILocation *calledAt) const;
  void read(SourceBody &body, uint32_t node, const MadeCalls &made) const;
  void forgetJoined(SourceBody &body) const;
  void forgetPassedBy(SourceBody &body) const;
  BlockEnd readEnd(const SourceBody &body, uint32_t node, const std::vector<Held> &code) const;
  CountForm executions(const std::vector<Held> &held) const;
  LineCounts byLine(const std::vector<Held> &code) const;
  bool survives(const SourceBody &in, const llvm::MDNode &note, const llvm::DILocation &call) const;
  bool decides(const SourceBody &body, uint32_t node, const llvm::DILocation &call) const;

  const IrFlow &flow;
  const llvm::MDNode *own;
  bool looped;
  llvm::DominatorTree tree;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> index;
  llvm::DenseMap<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, uint32_t> edges;
  std::vector<llvm::SmallVector<uint32_t, 2>> onward; ///< by block: edges that lead on
  std::map<Key, std::vector<Held>> held;
  MayNotReturn mayNotReturn;
  std::map<Key, std::vector<Held>> doubtful; ///< calls that may not come back
  /// Where bodies were inlined at that such a call, or an exception, may leave.
  llvm::SmallPtrSet<const llvm::DILocation *, 8> left;
  /// Calls that may not come back without a note, as passes made or merged them, by where they were
  /// inlined into.
  std::map<const llvm::DILocation *, std::vector<Held>> unnoted;
  bool doubtAnywhere = false; ///< is there one of which it is not known where it stood?
  /// Entries of what is called by calls that were merged with others and lost their notes.
  llvm::SmallPtrSet<const llvm::MDNode *, 8> merged;
  /// Where bodies were inlined at, and the entry of each if known; in the order of the code, as
  /// equal sources have equal maps.
  using Inlined = llvm::MapVector<const llvm::DILocation *, const llvm::MDNode *>;
  std::map<const llvm::DILocation *, Inlined> inlinedAt; ///< by where they were inlined into
};

} // namespace quincunx
