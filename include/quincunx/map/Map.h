// The flow of a program as compiled: functions, blocks with their instruction mix, edges with the
// counters that sit on them, branches, loops, calls and the source lines they come from. The pass
// writes one record per function (Encode.h), the linker collects them, and readers decode the bytes
// of an image (Image.h). A map knows nothing about what was counted (lib/profile) or what things
// cost (lib/cost).
#pragma once

#include "quincunx/map/InstructionClass.h"
#include "quincunx/map/Location.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace quincunx {

/// What accesses of a block met in the simulated caches; what hits the first level is not counted.
enum class Memory : uint8_t {
  l2Hit,          ///< lines of 64 bytes that missed the first-level cache and were in the second
  l3Hit,          ///< lines that missed both and were in the third level
  memoryAccess,   ///< lines that missed all three
  prefetchedLine, ///< lines that missed the first level as the next ones of a stream: they can be
                  ///< fetched ahead, wherever they are, and are not in those above
  pageWalk        ///< pages of 4 KiB that missed the second-level TLB
};
inline constexpr uint32_t memoryCounters = 5;

struct Block {
  std::vector<ClassCount> mix;
  std::vector<Location> lines; ///< distinct (line, scope) the block executes, first one first
  std::vector<Location> again; ///< of these, with other discriminators
  bool mayNotReturn = false;   ///< holds a call that may never return
  bool returnsTwice = false;   ///< ends in setjmp, fork or a coroutine suspension: may be left more
                               ///< often than entered
  uint32_t counter = noIndex;  ///< record=blocks: its own counter, within the function
  /// record=predictor: first of the memoryCounters counters, within the function, for what its
  /// loads and stores met, in the order of Memory
  uint32_t memory = noIndex;
  bool operator==(const Block &) const = default;
};

enum class EdgeKind : uint8_t {
  flow,         ///< from block to block
  entry,        ///< from outside to the entry block; from == noIndex
  leave,        ///< a return; to == noIndex
  unwind,       ///< an exception leaves the function here; to == noIndex
  stop,         ///< the block never ends normally (exit, abort, throw); to == noIndex
  nonReturning, ///< a call that did not return; to == noIndex, never measured
  reentry       ///< extra arrivals in a block that returns twice; from == noIndex, never measured
};

struct Edge {
  uint32_t from = noIndex, to = noIndex; ///< block indices
  EdgeKind kind = EdgeKind::flow;
  uint32_t counter = noIndex; ///< within the function; noIndex: derived from the others
  /// The compiler's guess of the share of the executions of `from` that go this way, of 65535;
  /// noIndex: not known (built before maps had it).
  uint32_t guess = noIndex;
  bool operator==(const Edge &) const = default;
};
/// The block an edge leads to the start of; none: out of the function, or back into the middle of
/// a block that returns twice.
inline uint32_t headOf(const Edge &e) { return e.kind == EdgeKind::reentry ? noIndex : e.to; }

/// A conditional branch (two arms) or a switch or indirect jump (arms by distinct destination).
struct Branch {
  uint32_t block = noIndex;
  bool isSwitch = false;
  /// Edges; for a branch {true, false}, equal when both go the same way. True is the arm into the
  /// then-part, into the body of a loop, on to the next condition of &&.
  std::vector<uint32_t> arms;
  /// record=runs: first of the QX_RUN_WORDS words, among the function's recorders, that hold the
  /// lengths of its runs
  uint32_t recorder = noIndex;
  /// record=runs: it leaves this loop, in which it is evaluated in every iteration, so that its
  /// runs follow from the trips (Loop::exits); it has no recorder then.
  uint32_t leaves = noIndex;
  bool leavesOnTrue = false;
  Location at;
  /// It compares a number with this constant above 1 (`n < 64`: 64, true below it; `n > 64`: 65,
  /// false below it); 0: it does not, or was built before maps had it.
  uint64_t limit = 0;
  bool belowOnTrue = false;
  /// record=predictor: counter, within the function, of evaluations of which the simulated
  /// predictor foretold another way
  uint32_t misses = noIndex;
  /// Of a branch: is arms[0] what the source calls true? If not, it is just one of the two.
  bool senseKnown = true;
  /// Its outcomes follow from the indices of loops around it, whose trips are known, and from what
  /// is the same in all of a call: there is no chance in how often each arm is taken. False where
  /// that is not known, as in maps that were built before they had it.
  bool ofIndex = false;
  bool operator==(const Branch &) const = default;
};

struct Loop {
  uint32_t header = noIndex;
  uint32_t parent = noIndex;        ///< index of the enclosing loop
  std::vector<uint32_t> entryEdges; ///< sum: times entered
  std::vector<uint32_t> backEdges;  ///< sum: further iterations
  std::string trips;         ///< backedges taken per entry as an expression, empty: data dependent
  bool derivedTrips = false; ///< no counter runs in it: counted as `trips` on entry
  /// record=runs: first of the QX_BINS words for each of `exits`, among the function's recorders,
  /// that hold backedges per entry
  uint32_t recorder = noIndex;
  /// The blocks of the branches that leave it (Branch::leaves), each behind those that are passed
  /// before it in an iteration; `noIndex`: all other exits that lie there.
  std::vector<uint32_t> exits;
  Location at;
  bool operator==(const Loop &) const = default;
};

/// Where the number of bytes comes from that goes with a call, and what it says.
enum class ByteSource : uint8_t {
  none,     ///< there is no such number
  argument, ///< it moves so many
  result,   ///< it says how many it moved
  limit     ///< it looks at so many at most
};

/// A call, or a copy or fill of memory that the compiler knows and leaves to the library.
struct Call {
  uint32_t block = noIndex;
  std::string callee;        ///< linkage name; empty: indirect
  bool mayNotReturn = false; ///< may never return
  Location at;
  /// Linkage name of what the callee runs in other threads (pthread_create, the fork of OpenMP);
  /// empty: it does not.
  std::string starts;
  /// record=predictor, of an indirect call: counter, within the function, of calls of which the
  /// simulated predictor foretold another callee
  uint32_t misses = noIndex;
  /// Linkage name of what the source calls, where a pass made another call of that (`puts` of
  /// `printf`); empty: `callee`, or built before maps had it.
  std::string written;
  ByteSource bytes = ByteSource::none; ///< also where built before maps had it
  /// Counter, within the function, of the bytes of all its calls; noIndex: each has as many.
  uint32_t byteCounter = noIndex;
  uint64_t constantBytes = 0; ///< of each; where there is no counter
  std::string type;           ///< of an indirect call, as it is made (CallType.h); empty: not known
  bool operator==(const Call &) const = default;
};

/// Inline assembly whose instructions in the mix of its block are not all that is executed.
struct Assembly {
  uint32_t block = noIndex;
  bool estimated = false; ///< statements that could not be read count one each
  bool repeats = false;   ///< a branch in it goes back: what is repeated counts once
  Location at;
  bool operator==(const Assembly &) const = default;
};

/// What somebody wrote at a function that it may cost (docs/22-budgets.md).
struct FunctionBudget {
  uint32_t scope = 0; ///< of a body of that function
  std::string text;
  uint32_t file = noIndex; ///< where it is written, an index into Function::files
  uint32_t line = 0;
  bool operator==(const FunctionBudget &) const = default;
};

struct Function {
  std::string name;          ///< linkage name
  uint32_t firstCounter = 0; ///< in the image's count vector
  uint32_t counterCount = 0;
  uint32_t firstRecorder = 0; ///< in the image's count vector: what record=runs and calls keep
  uint32_t recorderWords = 0;
  bool exact = false; ///< every call that may not return ends its block; not so in older builds
  /// Calls may end the frame here: entries and all ways out are measured on their own, so that
  /// frames which never returned are known (math: entered + reentered = left + unwound + stopped +
  /// lost).
  bool guarded = false;
  /// record=calls: the first of the QX_CALL_WORDS words, among the function's recorders, for the
  /// cost of its calls; noIndex: not recorded.
  uint32_t callRecorder = noIndex;
  /// Calls that end in a jump cost what it leads to as well; earlier builds recorded less.
  bool followsJumps = true;
  std::vector<ClassCount> clock; ///< what the clock behind them charged per class, if not 0
  std::vector<SourceFile> files;
  std::vector<Scope> scopes; ///< never empty; [0] is the function itself
  std::vector<Block> blocks; ///< [0] is the entry
  std::vector<Edge> edges;
  std::vector<Branch> branches;
  std::vector<Loop> loops; ///< parents before children
  std::vector<Call> calls;
  std::vector<Assembly> assemblies;
  std::vector<FunctionBudget> budgets; ///< of it and of what was inlined into it
  std::string type;                    ///< what it takes and returns (CallType.h); empty: not known
  std::vector<std::string> aliases;    ///< other linkage names that it has
  bool operator==(const Function &) const = default;
};

/// Functions of the source that a reader takes for one (map/FunctionGroups.h).
struct FunctionGroup {
  std::string name;       ///< what they are called together
  bool isForeign = false; ///< they are code of others, of which one alone is a group, too
};

/// The map of one image (executable or shared object).
struct Map {
  std::array<uint64_t, 2> hash{}; ///< of the section's bytes: the name by which records refer to it
  std::string path;               ///< of the image when read; not part of its identity
  uint32_t counterCount = 0;      ///< of all functions; behind them are the recorders
  uint32_t wordCount = 0;         ///< length of the count vector: both
  std::vector<Function> functions;
  std::vector<FunctionGroup> groups; ///< no map says so
};

} // namespace quincunx
