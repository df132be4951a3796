// The flow of one function: its map (lib/map) together with the LLVM objects the map describes, so
// that counters land exactly where the map says. Built in one walk; nothing is inserted here.
#pragma once

#include "quincunx/map/Map.h"
#include "quincunx/map/SourceBlock.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Function.h"

#include <memory>
#include <optional>

namespace quincunx {

/// What an edge of the map is in the IR.
struct IrEdge {
  llvm::BasicBlock *from = nullptr, *to = nullptr; ///< null outside the function
  double frequency = 0;                            ///< estimated, 1 = once per call
  const llvm::Loop *counted = nullptr; ///< the backedge of a loop whose trips are computed on entry
};

struct IrFlow {
  Function map;
  SourceBlocks sources;                   ///< of the function's source, in terms of the map
  std::vector<llvm::BasicBlock *> blocks; ///< parallel to map.blocks
  std::vector<IrEdge> edges;              ///< parallel to map.edges
  std::vector<llvm::Loop *> loops;        ///< parallel to map.loops
  std::vector<llvm::CallBase *> calls;    ///< parallel to map.calls
  std::vector<unsigned> onTrue;           ///< parallel to map.branches: the successor of arms[0]
};

struct Analyses {
  llvm::LoopInfo &loops;
  llvm::BlockFrequencyInfo &frequencies;
  llvm::BranchProbabilityInfo &probabilities;
  llvm::ScalarEvolution *evolution; ///< null at -O0
  const llvm::TargetTransformInfo &target;
};

/// Whether this call may never come back to its frame: exit, longjmp, an exception passing through.
using MayNotReturn = llvm::function_ref<bool(const llvm::CallBase &)>;

/// Branches whose outcomes are known from the indices of loops (Branch::ofIndex).
class IndexBranches {
public:
  IndexBranches(llvm::Function &f, Analyses &analyses);
  ~IndexBranches();
  /// Is the one that ends `b` of that kind?
  bool has(const llvm::BasicBlock &b);

private:
  class Finder;
  std::unique_ptr<Finder> finder; ///< null where nothing is known of loops
};

IrFlow readFlow(llvm::Function &f, Analyses &analyses, MayNotReturn mayNotReturn);

/// A file's path as maps have it.
std::string fullPath(const llvm::DIFile &file);
/// A function's name as scopes have it.
std::string nameOf(const llvm::DISubprogram &function);

/// Gives functions of which debug locations have only the short name (without -g) their own, so
/// that code of them is theirs wherever it is inlined.
void nameSubprograms(llvm::Module &m);

/// Source lines of a function, kept while its map is built.
class Sources {
public:
  Sources(const llvm::Function &f, Function &map);
  Location at(const llvm::DebugLoc &where);
  Location discriminatedAt(const llvm::DebugLoc &where);

private:
  uint32_t file(const llvm::DIFile *file);
  uint32_t scope(const llvm::DILocation *where);
  uint32_t body(const llvm::DILocation *where);
  Function &map;
  llvm::DenseMap<const llvm::DIFile *, uint32_t> files;
  llvm::DenseMap<std::pair<const llvm::DISubprogram *, const llvm::DILocation *>, uint32_t> scopes;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> included; ///< by body and file
};

/// The class of an instruction; nothing when it costs nothing by itself.
std::optional<InstructionClass> classify(const llvm::Instruction &i);

/// A count of backedges as an expression in the function's arguments and outer indices; empty when
/// it depends on data that is not known on entry.
std::string tripExpression(const llvm::SCEV *trips, const llvm::LoopInfo &loops);

/// Code of a shared object: it may be opened by threads that exist already, and its visible symbols
/// may be another image's.
bool isSharedCode(const llvm::Module &m);

/// The call with which this block leaves the function: nothing may come after it, as it may take
/// over the frame. Null when there is none.
const llvm::CallInst *tailCall(const llvm::BasicBlock &b);
/// What ends a frame before its return does: that, or the end of a coroutine, behind which nothing
/// is left when it is resumed. Null when there is neither.
const llvm::Instruction *endOfFrame(const llvm::BasicBlock &b);

/// True for setjmp, fork and whatever else comes back more often than it was called.
bool returnsTwice(const llvm::CallBase &call);

} // namespace quincunx
