// The pass: per function, shape the flow, write down its map, choose the counters
// (lib/map/Placement), insert them, and put map and counters into their sections. Functions that
// may stand in several object files (inline functions, templates) share map and counters under a
// name made of the function and its map, so that each is counted once and differently compiled
// copies stay apart. Runs early: after SROA, before the optimiser changes the shape of the source.
// See docs/10-compiler.md.
#include "Instrument.h"

#include "Counters.h"
#include "Predictor.h"
#include "Prepare.h"
#include "Recorders.h"
#include "Recursion.h"
#include "Requests.h"
#include "quincunx/abi.h"
#include "quincunx/map/Placement.h"

#include "Compat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Regex.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace quincunx {

namespace {

constexpr const char *moduleFlag = "quincunx";

/// Which functions a build wants, by name.
class Selection {
public:
  explicit Selection(const Options &o)
      : only(o.only.begin(), o.only.end()), skip(o.skip.begin(), o.skip.end()) {}
  bool wants(const llvm::Function &f) const {
    if (only.empty() && skip.empty())
      return true;
    const std::string object = f.getName().str(), source = llvm::demangle(object);
    const auto named = [&](const std::vector<llvm::Regex> &list) {
      return llvm::any_of(list,
                          [&](const llvm::Regex &r) { return r.match(object) || r.match(source); });
    };
    return (only.empty() || named(only)) && !named(skip);
  }

private:
  std::vector<llvm::Regex> only, skip;
};

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

class Instrumenter {
public:
  Instrumenter(llvm::Function &function, llvm::FunctionAnalysisManager &manager, const Returns &r,
               const Recursion &again, const Options &o)
      : f(function), analyses(manager), returns(r), recursion(again), options(o) {}

  /// False when the function cannot be measured.
  bool run() {
    optimised = !f.hasOptNone();
    Analyses known = prepare(f, analyses, returns, options.exact);
    auto &tree = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
    flow = readFlow(
        f, known, [&](const llvm::CallBase &c) { return returns.mayCut(c); }, options.exact);
    chooseLocals(known.loops, tree);
    if (!placeCounters(flow.map, costs()))
      return false;
    const uint32_t edgeCounters = flow.map.counterCount;
    if (options.blocks)
      for (Block &b : flow.map.blocks)
        b.counter = flow.map.counterCount++;
    if (options.predictor)
      predicted = choosePredicted(flow);
    if (options.runs)
      recorded = chooseRecorders(flow, known, tree, stateWords);
    if (options.calls)
      chooseCalls(f, flow.map);
    if (flow.map.callRecorder != none) {
      callState = stateWords;
      stateWords += QX_CALL_STATE_WORDS;
    }
    insert(emitStorage(), known, edgeCounters);
    dropMemoryPromises(f);
    return true;
  }

private:
  /// The loop over which a counter on this edge would be kept in a register: a quiet one that the
  /// edge runs through on every iteration.
  llvm::Loop *localLoop(uint32_t edge, llvm::LoopInfo &loops, llvm::DominatorTree &tree) {
    const FlowEdge &e = flow.edges[edge];
    bool needsBlock = false;
    if (e.from == nullptr || e.to == nullptr || e.counted != nullptr ||
        !canCount(flow, edge, needsBlock) || needsBlock)
      return nullptr;
    llvm::Loop *l = loops.getLoopFor(e.from);
    if (l == nullptr || l != loops.getLoopFor(e.to) || !isQuiet(*l) ||
        l->getLoopLatch() == nullptr || l->getLoopPreheader() == nullptr || !l->hasDedicatedExits())
      return nullptr;
    const llvm::BasicBlock *place = e.from->getUniqueSuccessor() == e.to ? e.from : e.to;
    const bool always = place == l->getHeader() ? e.from == l->getLoopLatch()
                                                : tree.dominates(place, l->getLoopLatch());
    return always ? l : nullptr;
  }

  void chooseLocals(llvm::LoopInfo &loops, llvm::DominatorTree &tree) {
    local.assign(flow.edges.size(), nullptr);
    if (optimised)
      for (uint32_t e = 0; e < flow.edges.size(); ++e)
        local[e] = localLoop(e, loops, tree);
  }

  double costOf(uint32_t edge) {
    bool needsBlock = false;
    if (!canCount(flow, edge, needsBlock))
      return std::numeric_limits<double>::infinity();
    const FlowEdge &e = flow.edges[edge];
    const double entries = loopEntries(e.counted != nullptr ? e.counted : local[edge]);
    if (e.counted != nullptr)
      return 1.5 * entries;
    if (local[edge] != nullptr)
      return e.frequency / 3 + 2 * entries;
    return e.frequency * (needsBlock ? 1.5 : 1.0);
  }
  double loopEntries(const llvm::Loop *l) {
    double sum = 0;
    if (l != nullptr)
      for (uint32_t e = 0; e < flow.edges.size(); ++e)
        if (flow.edges[e].to == l->getHeader() && flow.edges[e].from != nullptr &&
            !l->contains(flow.edges[e].from))
          sum += flow.edges[e].frequency;
    return sum;
  }
  std::vector<double> costs() {
    std::vector<double> all(flow.edges.size());
    for (uint32_t e = 0; e < all.size(); ++e)
      all[e] = costOf(e);
    return all;
  }

  Storage emitStorage();
  void insert(const Storage &storage, Analyses &known, uint32_t edgeCounters);

  llvm::Function &f;
  llvm::FunctionAnalysisManager &analyses;
  const Returns &returns;
  const Recursion &recursion;
  const Options &options;
  bool optimised = true;
  Flow flow;
  std::vector<llvm::Loop *> local;
  Recorded recorded;                    ///< empty without record=runs
  std::vector<PredictedSite> predicted; ///< empty without record=predictor
  uint32_t stateWords = 0, callState = none;
};

/// The counters, the state and the record that describes them, in their sections.
Storage Instrumenter::emitStorage() {
  llvm::Module &m = *f.getParent();
  llvm::LLVMContext &c = m.getContext();
  auto *i8 = llvm::Type::getInt8Ty(c);
  auto *i32 = llvm::Type::getInt32Ty(c);
  auto *i64 = llvm::Type::getInt64Ty(c);
  std::string body = encode(flow.map);
  uint64_t hash[2];
  qx_hash(body.data(), body.size(), hash);
  const auto bodySize = static_cast<uint32_t>(body.size());
  const uint32_t size = (sizeof(qx_function_header) + bodySize + 7) / 8 * 8;
  body.resize(size - sizeof(qx_function_header), '\0');

  const bool shared = f.hasComdat() || f.hasLinkOnceLinkage() || f.hasWeakLinkage();
  const std::string suffix = f.getName().str() + "." + llvm::utohexstr(hash[0], true);
  auto place = [&](llvm::GlobalVariable *v) {
    v->setAlignment(llvm::Align(8));
    if (shared) {
      v->setVisibility(llvm::GlobalValue::HiddenVisibility);
      v->setComdat(m.getOrInsertComdat("__quincunx_counters_" + suffix));
    }
  };
  const auto linkage =
      shared ? llvm::GlobalValue::LinkOnceODRLinkage : llvm::GlobalValue::InternalLinkage;
  // As `#pragma clang section bss`: all of it is zero and takes no bytes in the file. Sanitizers
  // leave alone what has a section of its own; this they must be told.
  auto zeros = [&](const char *name, const char *section, uint32_t n) {
    auto *type = llvm::ArrayType::get(i64, n);
    auto *v = new llvm::GlobalVariable(m, type, false, linkage,
                                       llvm::ConstantAggregateZero::get(type), name + suffix);
    v->addAttribute("bss-section", section);
    llvm::GlobalValue::SanitizerMetadata untouched;
    untouched.NoAddress = untouched.NoHWAddress = true;
    v->setSanitizerMetadata(untouched);
    place(v);
    return v;
  };
  auto *counters = zeros("__quincunx_counters_", QX_COUNTER_SECTION, flow.map.counterCount);
  auto *state = stateWords > 0 ? zeros("__quincunx_state_", QX_STATE_SECTION, stateWords) : nullptr;

  auto *bytes = llvm::ArrayType::get(i8, body.size());
  auto *type = llvm::StructType::get(c, {i32, i32, i64, i32, i32, i64, i64, i32, i32, bytes},
                                     /*isPacked=*/true);
  auto *record =
      new llvm::GlobalVariable(m, type, true, linkage, nullptr, "__quincunx_map_" + suffix);
  record->setSection(QX_MAP_SECTION);
  place(record);
  auto *field = llvm::ConstantExpr::getAdd(
      llvm::ConstantExpr::getPtrToInt(record, i64),
      llvm::ConstantInt::get(i64, offsetof(qx_function_header, counters)));
  auto *distance =
      llvm::ConstantExpr::getSub(llvm::ConstantExpr::getPtrToInt(counters, i64), field);
  auto number = [&](uint32_t n) { return llvm::ConstantInt::get(i32, n); };
  record->setInitializer(llvm::ConstantStruct::get(
      type, {number(QX_FUNCTION_MAGIC), number(size), distance, number(flow.map.counterCount),
             number(bodySize), llvm::ConstantInt::get(i64, hash[0]),
             llvm::ConstantInt::get(i64, hash[1]), number(flow.map.recorderWords), number(0),
             llvm::ConstantDataArray::getString(c, body, /*AddNull=*/false)}));
  llvm::appendToUsed(m, {record});
  return {counters, state, record};
}

/// The trips of a loop of which they are known in front of it, as 64 bits.
llvm::Value *expandTrips(const llvm::Loop &l, llvm::ScalarEvolution &evolution) {
  llvm::Instruction *before = l.getLoopPreheader()->getTerminator();
  llvm::SCEVExpander expander = compat::expander(evolution, before->getDataLayout());
  llvm::Type *i64 = llvm::Type::getInt64Ty(before->getContext());
  const llvm::SCEV *trips = evolution.getNoopOrZeroExtend(evolution.getBackedgeTakenCount(&l), i64);
  return expander.expandCodeFor(trips, i64, before);
}

/// Trip counts and local sums first, while the analyses still describe the code; then the other
/// edges, which may split blocks; then recorders; then what the predictor is told.
void Instrumenter::insert(const Storage &storage, Analyses &known, uint32_t edgeCounters) {
  std::optional<Clock> clock;
  if (options.calls)
    clock.emplace(f, flow);
  Counters counters(f, storage, clock ? &*clock : nullptr);
  for (uint32_t i = 0; i < flow.loops.size(); ++i) {
    if (!flow.map.loops[i].derivedTrips)
      continue;
    const llvm::Loop *l = flow.loops[i];
    const uint32_t counter = flow.map.edges[flow.map.loops[i].backEdges[0]].counter;
    const bool isRecorded = !recorded.loops.empty() && recorded.loops[i].trips != none;
    if (counter == none && !isRecorded)
      continue;
    llvm::Instruction *before = l->getLoopPreheader()->getTerminator();
    llvm::Value *trips = expandTrips(*l, *known.evolution);
    if (counter != none)
      counters.add(counter, before, trips);
    if (isRecorded)
      recorded.loops[i].known = trips, recorded.loops[i].place = before;
  }
  if (options.blocks)
    for (uint32_t b = 0; b < flow.blocks.size(); ++b)
      counters.increment(edgeCounters + b, &*flow.blocks[b]->getFirstInsertionPt());
  auto counterOf = [&](uint32_t e) {
    return flow.edges[e].counted != nullptr ? none : flow.map.edges[e].counter;
  };
  for (uint32_t e = 0; e < flow.edges.size(); ++e)
    if (counterOf(e) != none && local[e] != nullptr)
      counters.keepLocal(counterOf(e), placeOnEdge(flow, e), *local[e]);
  for (uint32_t e = 0; e < flow.edges.size(); ++e)
    if (counterOf(e) != none && local[e] == nullptr)
      counters.increment(counterOf(e), placeOnEdge(flow, e));
  if (clock)
    clock->finish(counters, callState, recursion.mayRecur(f));
  insertRecorders(f, recorded, counters, optimised);
  if (isRequest(f))
    insertRequest(f, *storage.counters, counters.start(&*f.getEntryBlock().getFirstInsertionPt()));
  insertPredictor(f, predicted, counters);
  counters.finish();
  analyses.invalidate(f, llvm::PreservedAnalyses::none());
}

} // namespace

std::string Options::setRecord(llvm::StringRef tiers) {
  llvm::SmallVector<llvm::StringRef, 4> words;
  llvm::SplitString(tiers, words, ",;");
  if (words.empty())
    words.push_back("");
  calls &= chosen;
  chosen = true;
  for (llvm::StringRef word : words)
    if (word == "calls")
      calls = true;
    else if (word == "runs")
      runs = true;
    else if (word == "predictor")
      predictor = true;
    else if (word == "blocks")
      blocks = true;
    else if (word == "exact")
      exact = true;
    else if (word != "counts")
      return "unknown record tier '" + (word.empty() ? "(nothing)" : word.str()) +
             "'; known: counts, calls, runs, predictor, blocks, exact";
  return "";
}

std::string Options::set(llvm::StringRef argument) {
  const auto [key, value] = argument.split('=');
  if (key == "record")
    return setRecord(value);
  if (key == "use" && !value.empty()) {
    use = value.str();
    return "";
  }
  if (key != "only" && key != "skip")
    return "unknown option '" + argument.str() +
           "'; known: -fplugin-arg-quincunx-record=counts|calls|runs|predictor|blocks|exact, "
           "only=REGEX, skip=REGEX, use=FILE";
  std::string reason;
  if (!llvm::Regex(value).isValid(reason))
    return key.str() + "=" + value.str() + " is not a regular expression: " + reason;
  (key == "only" ? only : skip).push_back(value.str());
  return "";
}

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
  const Returns returns(m);
  const Recursion recursion(m);
  const Selection selection(options);
  llvm::SmallVector<llvm::Function *, 64> todo;
  for (llvm::Function *f : instrumentable(m))
    if (selection.wants(*f))
      todo.push_back(f);
  for (llvm::Function *f : todo)
    if (!Instrumenter(*f, functions, returns, recursion, options).run())
      m.getContext().diagnose(llvm::DiagnosticInfoUnsupported(
          *f, "quincunx cannot count this function's jumps; it is left out", f->getSubprogram(),
          llvm::DS_Warning));
  return llvm::PreservedAnalyses::none();
}

} // namespace quincunx
