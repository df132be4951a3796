// The pass: per function, shape the flow, write down its map, choose the counters
// (lib/map/Placement), put map and counters into their sections (Storage), and insert them. Each
// stage works on what the one before gives. Runs early: after SROA, before the optimiser changes
// the shape of the source. See docs/10-compiler.md.
#include "Instrument.h"

#include "Arms.h"
#include "Bytes.h"
#include "Copies.h"
#include "Counters.h"
#include "CountingCosts.h"
#include "Predictor.h"
#include "Prepare.h"
#include "Recorders.h"
#include "Recursion.h"
#include "Requests.h"
#include "quincunx/abi.h"
#include "quincunx/map/Placement.h"
#include "source/SourceBudgets.h"
#include "strands/Loops.h"
#include "strands/SerialLoops.h"
#include "strands/Spins.h"
#include "strands/Strands.h"
#include "strands/Waits.h"
#include "strands/Wrappers.h"

#include "Compat.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/TargetParser/Triple.h"

namespace quincunx {

namespace {

/// Counters write memory, also in functions that promised not to touch any.
void dropMemoryPromises(llvm::Function &f) {
  auto drop = [](auto &thing) {
    thing.removeFnAttr(llvm::Attribute::Memory);
    thing.removeFnAttr(llvm::Attribute::Speculatable);
  };
  drop(f);
  for (llvm::User *u : f.users())
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(u);
        call != nullptr && call->getCalledOperand() == &f)
      drop(*call);
}

/// What is counted and recorded besides the counters of edges.
struct Extras {
  uint32_t blockCounters = 0;           ///< record=blocks: the first of one per block
  std::vector<PredictedSite> predicted; ///< empty without record=predictor
  Recorded recorded;                    ///< empty without record=runs
  uint32_t stateWords = 0;
  uint32_t callState = 0; ///< the first of the clock's
};

class Instrumenter {
public:
  Instrumenter(llvm::Function &function, llvm::FunctionAnalysisManager &manager, const Returns &r,
               const Recursion &again, const Synchronising *waits, const Options &o)
      : f(function), analyses(manager), returns(r), recursion(again), synchronising(waits),
        options(o), optimised(!function.hasOptNone()) {}

  /// False when the function cannot be measured.
  bool run() {
    Analyses known = prepare(f, analyses, returns);
    auto &tree = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
    IrFlow flow =
        readFlow(f, known, [&](const llvm::CallBase &c) { return returns.mayNotReturn(c); });
    const std::vector<llvm::Loop *> local = optimised
                                                ? localLoops(flow, known.loops, tree)
                                                : std::vector<llvm::Loop *>(flow.edges.size());
    if (!placeCounters(flow.map, countingCosts(flow, local)))
      return false;
    Extras extras = chooseExtras(flow, known, tree);
    addBudgets(*f.getParent(), flow.map);
    const Storage storage = emitStorage(f, flow.map, flow.sources, extras.stateWords);
    insert(flow, local, extras, storage, known);
    dropMemoryPromises(f);
    return true;
  }

private:
  Extras chooseExtras(IrFlow &flow, Analyses &known, llvm::DominatorTree &tree);
  void insert(const IrFlow &flow, const std::vector<llvm::Loop *> &local, Extras &extras,
              const Storage &storage, Analyses &known);

  llvm::Function &f;
  llvm::FunctionAnalysisManager &analyses;
  const Returns &returns;
  const Recursion &recursion;
  const Synchronising *synchronising; ///< null without record=strands
  const Options &options;
  const bool optimised;
};

/// Chooses what else is counted and recorded, and gives it its counters and words in the map.
Extras Instrumenter::chooseExtras(IrFlow &flow, Analyses &known, llvm::DominatorTree &tree) {
  Extras extras;
  extras.blockCounters = flow.map.counterCount;
  if (options.blocks)
    for (Block &b : flow.map.blocks)
      b.counter = flow.map.counterCount++;
  if (options.predictor)
    extras.predicted = choosePredicted(flow);
  chooseBytes(flow);
  if (options.runs)
    extras.recorded = chooseRecorders(flow, known, tree, extras.stateWords);
  if (options.calls) {
    extras.callState = extras.stateWords;
    extras.stateWords += chooseCalls(f, flow, recursion);
  }
  return extras;
}

/// The trips of a loop of which they are known in front of it, as 64 bits.
llvm::Value *expandTrips(const llvm::Loop &l, llvm::ScalarEvolution &evolution) {
  llvm::Instruction *before = l.getLoopPreheader()->getTerminator();
  llvm::SCEVExpander expander = compat::expander(evolution, before->getDataLayout());
  llvm::Type *i64 = llvm::Type::getInt64Ty(before->getContext());
  const llvm::SCEV *trips = evolution.getNoopOrZeroExtend(evolution.getBackedgeTakenCount(&l), i64);
  return expander.expandCodeFor(trips, i64, before);
}

/// Counts loops of which the trips are known in front of them, there.
void insertTrips(const IrFlow &flow, Recorded &recorded, Counters &counters,
                 llvm::ScalarEvolution *evolution) {
  for (uint32_t i = 0; i < flow.loops.size(); ++i) {
    if (!flow.map.loops[i].derivedTrips)
      continue;
    const llvm::Loop *l = flow.loops[i];
    const uint32_t counter = flow.map.edges[flow.map.loops[i].backEdges[0]].counter;
    const bool isRecorded = !recorded.loops.empty() && recorded.loops[i].trips != noIndex;
    if (counter == noIndex && !isRecorded)
      continue;
    llvm::Instruction *before = l->getLoopPreheader()->getTerminator();
    llvm::Value *trips = expandTrips(*l, *evolution);
    if (counter != noIndex)
      counters.add(counter, before, trips);
    if (isRecorded)
      recorded.loops[i].known = trips, recorded.loops[i].place = before;
  }
}

void insertEdgeCounters(const IrFlow &flow, const std::vector<llvm::Loop *> &local,
                        Counters &counters) {
  auto counterOf = [&](uint32_t e) {
    return flow.edges[e].counted != nullptr ? noIndex : flow.map.edges[e].counter;
  };
  for (uint32_t e = 0; e < flow.edges.size(); ++e)
    if (counterOf(e) != noIndex && local[e] != nullptr)
      counters.keepLocal(counterOf(e), placeOnEdge(flow, e), *local[e]);
  for (uint32_t e = 0; e < flow.edges.size(); ++e)
    if (counterOf(e) != noIndex && local[e] == nullptr)
      counters.count(flow, e);
}

/// Do frames have to stay small, and is two registers a large part of them? With more blocks a
/// function needs all registers that a frame saves, and the more counters would be found again.
bool needsSmallFrames(const llvm::Function &f, const IrFlow &flow, const Recursion &recursion) {
  enum { few = 32 };
  return recursion.callsItself(f) && flow.map.blocks.size() <= few;
}

/// Trip counts and local sums first, while the analyses still describe the code; then the other
/// edges, which may split blocks; then recorders; then what the predictor is told, and bytes.
void Instrumenter::insert(const IrFlow &flow, const std::vector<llvm::Loop *> &local,
                          Extras &extras, const Storage &storage, Analyses &known) {
  std::optional<Clock> clock;
  if (options.calls)
    clock.emplace(f, flow, synchronising);
  Counters counters(f, storage, clock ? &*clock : nullptr, needsSmallFrames(f, flow, recursion));
  insertTrips(flow, extras.recorded, counters, known.evolution);
  if (options.blocks)
    for (uint32_t b = 0; b < flow.blocks.size(); ++b)
      counters.increment(extras.blockCounters + b, &*flow.blocks[b]->getFirstInsertionPt());
  insertEdgeCounters(flow, local, counters);
  if (clock)
    clock->finish(counters, extras.callState, recursion);
  insertRecorders(f, extras.recorded, counters, optimised);
  if (isRequest(f))
    insertRequest(f, *storage.counters, counters.start(&*f.getEntryBlock().getFirstInsertionPt()));
  insertPredictor(f, extras.predicted, counters);
  insertBytes(flow, counters);
  counters.finish();
  analyses.invalidate(f, llvm::PreservedAnalyses::none());
}

} // namespace

llvm::PreservedAnalyses InstrumentPass::run(llvm::Module &m, llvm::ModuleAnalysisManager &manager) {
  if (m.getModuleFlag(moduleFlag) !=
      nullptr) // the pass may be registered twice, or run again at link time
    return llvm::PreservedAnalyses::all();
  if (m.getNamedGlobal("__llvm_profile_raw_version") != nullptr) {
    m.getContext().emitError(
        "quincunx: -fprofile-generate counts the same edges; use one or the other");
    return llvm::PreservedAnalyses::all();
  }
  const llvm::Triple target(m.getTargetTriple());
  if (!target.isOSBinFormatELF() || target.isAMDGPU() || target.isNVPTX())
    return llvm::PreservedAnalyses::all(); // code for a device: there is no runtime there
  m.addModuleFlag(llvm::Module::Max, moduleFlag, QX_ABI_VERSION);
  auto &functions = manager.getResult<llvm::FunctionAnalysisManagerModuleProxy>(m).getManager();
  refuseRequests(m);
  if (options.strands) {
    dropAlikeIterations(m, functions);
    markSpins(m, functions);
  }
  const Returns returns(m);
  const Recursion recursion(m);
  const std::optional<Synchronising> synchronising =
      options.strands ? std::optional<Synchronising>(m) : std::nullopt;
  const Selection selection(options);
  llvm::SmallVector<llvm::Function *, 64> todo;
  for (llvm::Function *f : instrumentable(m))
    if (selection.wants(*f))
      todo.push_back(f);
  if (options.strands)
    for (llvm::Function &f : m)
      if (!llvm::is_contained(todo, &f) || !keepsClock(f))
        refuseSerialLoops(f);
  for (llvm::Function *f : todo)
    if (!Instrumenter(*f, functions, returns, recursion, synchronising ? &*synchronising : nullptr,
                      options)
             .run())
      m.getContext().diagnose(llvm::DiagnosticInfoUnsupported(
          *f, "quincunx cannot count this function's jumps; it is left out", f->getSubprogram(),
          llvm::DS_Warning));
  watchCopies(m);
  if (options.strands) {
    callMarkedWaits(m);
    dropWrappers(m);
    interpose(m);
  }
  dropArmMarks(m);
  dropBudgets(m);
  return llvm::PreservedAnalyses::none();
}

} // namespace quincunx
