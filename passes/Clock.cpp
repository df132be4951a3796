// A clock of block costs. Counters sit on some edges only; each is worth what all blocks cost that
// a call runs through on its account (lib/map/Placement, pathWeights). A frame adds that up in a
// register and puts it on the thread's clock when it ends, so caller and callee meet nowhere else.
// The difference of the clock between a frame's start and its end is the cost of the call with all
// it called. Of a recursive function only the outermost frame records: its place on the stack is
// remembered, and a remembered place at or below the present one is that of a frame that is gone
// (longjmp, an exception), so it does not matter how a frame ended. What a frame had used up when a
// longjmp or an exception passed through it is lost for its callers' sums; counters lose nothing.
// It knows no time, and no machine but the weights of ClockWeights.h.
#include "Clock.h"

#include "ClockWeights.h"
#include "TailCalls.h"
#include "assembly/Assembly.h"
#include "quincunx/abi.h"
#include "quincunx/map/Placement.h"
#include "strands/Strands.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace quincunx {

namespace {

/// What each block costs by the clock.
std::vector<uint64_t> blockCosts(const Function &map) {
  std::vector<uint64_t> costs;
  for (const Block &b : map.blocks) {
    costs.push_back(0);
    for (const ClassCount &c : b.mix)
      costs.back() += uint64_t{clockWeights[static_cast<size_t>(c.kind)]} * c.count;
  }
  return costs;
}

/// The place after the variables at the start of a function.
llvm::Instruction *startOf(llvm::Function &f) {
  llvm::Instruction *place = &*f.getEntryBlock().getFirstInsertionPt();
  while (llvm::isa<llvm::AllocaInst>(place))
    place = place->getNextNode();
  return place;
}

/// Where a frame has done all it does. A block that stops ends in a call that does not return.
llvm::Instruction *endOf(const IrFlow &flow, uint32_t edge) {
  if (flow.map.edges[edge].kind != EdgeKind::stop)
    return placeOnEdge(flow, edge);
  llvm::Instruction *last = flow.edges[edge].from->getTerminator();
  auto *call = llvm::dyn_cast_or_null<llvm::CallBase>(last->getPrevNode());
  return call != nullptr ? call : last;
}

struct Ending {
  llvm::Instruction *place;
  EdgeKind kind;
  llvm::CallInst *jump; ///< null: it returns, or throws
};

/// Where frames end, as the code stands before it is split.
std::vector<Ending> findEndings(const IrFlow &flow, const Recursion &recursion) {
  std::vector<Ending> endings;
  for (uint32_t e = 0; e < flow.edges.size(); ++e)
    if (const EdgeKind kind = flow.map.edges[e].kind;
        kind == EdgeKind::leave || kind == EdgeKind::unwind || kind == EdgeKind::stop)
      endings.push_back({endOf(flow, e), kind, jumpOn(flow, e, recursion)});
  return endings;
}

} // namespace

bool keepsClock(const llvm::Function &f) {
  return !f.isPresplitCoroutine() &&
         llvm::none_of(llvm::instructions(f), [](const llvm::Instruction &i) {
           const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
           return call != nullptr && returnsTwice(*call);
         });
}

uint32_t chooseCalls(const llvm::Function &f, IrFlow &flow, const Recursion &recursion) {
  Function &map = flow.map;
  uint32_t size = 0;
  for (const Block &b : map.blocks)
    for (const ClassCount &c : b.mix)
      size += c.kind == InstructionClass::construct ? 0 : c.count;
  const bool calls = !llvm::all_of(
      flow.calls, [](const llvm::CallBase *c) { return llvm::isa<llvm::IntrinsicInst>(c); });
  if ((map.loops.empty() && !calls && size < 10) || !keepsClock(f))
    return 0;
  const bool jumps = hasJumps(flow, recursion);
  map.callRecorder = map.recorderWords;
  map.recorderWords += QX_CALL_WORDS + (jumps ? 1 : 0);
  for (uint32_t kind = 0; kind < classCount; ++kind)
    if (clockWeights[kind] != 0)
      map.clock.push_back({static_cast<InstructionClass>(kind), clockWeights[kind]});
  return jumps ? QX_CALL_JUMP_WORDS : QX_CALL_STATE_WORDS;
}

/// What a block costs up to this call, itself included.
static uint64_t costUntil(const llvm::CallBase &call) {
  uint64_t sum = 0;
  for (const llvm::Instruction &i : *call.getParent()) {
    if (const auto *assembly = llvm::dyn_cast<llvm::CallBase>(&i);
        assembly != nullptr && assembly->isInlineAsm()) {
      const AssemblyCount holds = countAssembly(*assembly);
      for (uint32_t kind = 0; kind < classCount; ++kind)
        sum += uint64_t{clockWeights[kind]} * holds.mix[kind];
    } else if (const auto kind = classify(i); kind && !i.isDebugOrPseudoInst()) {
      sum += clockWeights[static_cast<size_t>(*kind)];
    }
    if (&i == &call)
      break;
  }
  return sum;
}

Clock::Clock(llvm::Function &function, const IrFlow &fl, const Synchronising *waits)
    : f(function), flow(fl), synchronising(waits), costs(blockCosts(fl.map)),
      worth(pathWeights(fl.map, costs)),
      clock(perThread(*function.getParent(), QX_CLOCK_SYMBOL, 1)),
      alias(aliasTag(function, "quincunx clock")) {
  if (!keepsClock(f))
    return;
  if (synchronising != nullptr)
    stops = findStops();
  llvm::IRBuilder<> at(startOf(f));
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  elapsed = at.CreateAlloca(at.getInt64Ty());
  zero = at.CreateStore(at.getInt64(0), elapsed);
}

/// A block that stops was counted to its end when it was entered.
std::vector<Clock::Stop> Clock::findStops() const {
  const std::vector<int64_t> potential = pathPotentials(flow.map, costs);
  std::vector<bool> isOver(flow.blocks.size(), false);
  for (const Edge &e : flow.map.edges)
    if (e.kind == EdgeKind::stop && e.counter != noIndex)
      isOver[e.from] = true;
  std::vector<Stop> found;
  for (uint32_t b = 0; b < flow.blocks.size(); ++b)
    for (llvm::Instruction &i : *flow.blocks[b]) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
      if (call == nullptr || !synchronising->may(*call))
        continue;
      const auto rest = static_cast<int64_t>(costs[b]) - static_cast<int64_t>(costUntil(*call));
      found.push_back(
          {call, (isOver[b] ? 0 : potential[b]) - rest, tailCall(*flow.blocks[b]) == call});
    }
  return found;
}

void Clock::settleBefore(const Stop &stop) const {
  llvm::IRBuilder<> at(stop.call);
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  synchronising->saySite(at, *stop.call);
  if (stop.ends) {
    stayOnStack(*stop.call);
    return;
  }
  const auto open = at.getInt64(static_cast<uint64_t>(stop.open));
  store(at, at.CreateAdd(load(at), at.CreateAdd(at.CreateLoad(at.getInt64Ty(), elapsed), open)));
  at.CreateStore(at.CreateNeg(open), elapsed);
}

llvm::Value *Clock::load(llvm::IRBuilder<> &at) const {
  llvm::LoadInst *now = at.CreateLoad(at.getInt64Ty(), at.CreateThreadLocalAddress(clock));
  now->setMetadata(llvm::LLVMContext::MD_tbaa, alias);
  return now;
}

void Clock::store(llvm::IRBuilder<> &at, llvm::Value *value) const {
  llvm::StoreInst *store = at.CreateStore(value, at.CreateThreadLocalAddress(clock));
  store->setMetadata(llvm::LLVMContext::MD_tbaa, alias);
}

void Clock::advance(llvm::IRBuilder<> &at, uint32_t counter, llvm::Value *amount) {
  if (counter >= worth.size() || worth[counter] == 0)
    return;
  llvm::Value *more = at.CreateMul(amount, at.getInt64(static_cast<uint64_t>(worth[counter])));
  if (elapsed != nullptr)
    at.CreateStore(at.CreateAdd(at.CreateLoad(at.getInt64Ty(), elapsed), more), elapsed);
  else
    store(at, at.CreateAdd(load(at), more));
}

void Clock::finish(Counters &counters, uint32_t state, const Recursion &recursion) {
  const std::vector<Ending> endings = findEndings(flow, recursion);
  for (const Stop &stop : stops) // before what ends the frame there
    settleBefore(stop);
  const bool records = flow.map.callRecorder != noIndex;
  const bool jumps = llvm::any_of(endings, [](const Ending &e) { return e.jump != nullptr; });
  std::optional<TakenCalls> taken;
  if (jumps || mayBeJumpedTo(f))
    taken.emplace(f, counters, jumps && records ? state : noIndex);
  begin(counters, records ? state : noIndex, recursion.mayRecur(f), taken ? &*taken : nullptr);
  if (f.isPresplitCoroutine())
    return;
  for (const Ending &e : endings) {
    llvm::IRBuilder<> at(e.place);
    at.SetCurrentDebugLocation(llvm::DebugLoc());
    llvm::Value *now = elapsed != nullptr ? settle(at) : load(at);
    if (e.jump != nullptr) {
      taken->jump(at, *e.jump, now, started, outermost);
    } else if (e.kind != EdgeKind::stop) {
      if (records)
        record(e.place, at.CreateSub(now, started), state, counters);
      if (taken)
        taken->end(e.place, now);
    }
  }
}

/// The clock with what this frame has used up.
llvm::Value *Clock::settle(llvm::IRBuilder<> &at) const {
  llvm::Value *now = at.CreateAdd(load(at), at.CreateLoad(at.getInt64Ty(), elapsed));
  store(at, now);
  return now;
}

void Clock::begin(Counters &counters, uint32_t state, bool mayRecur, TakenCalls *taken) {
  llvm::Instruction *place = counters.start(startOf(f));
  llvm::IRBuilder<> at(&*f.getEntryBlock().getFirstInsertionPt());
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  const bool nests = state != noIndex && mayRecur;
  llvm::Value *frame = nests ? at.CreateAlloca(at.getInt8Ty()) : nullptr;
  if (taken != nullptr)
    taken->take(place);
  at.SetInsertPoint(place);
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  if (state != noIndex)
    started = load(at);
  if (!nests)
    return;
  llvm::Value *here = at.CreatePtrToInt(frame, at.getInt64Ty());
  llvm::Value *word = counters.state(at, state + QX_CALL_FRAME);
  llvm::Value *known = counters.loadState(at, word, at.getInt64Ty());
  outermost = at.CreateICmpULE(known, here);           // stacks grow downwards
  if (taken != nullptr && taken->haveOwn() != nullptr) // jumps led back here
    outermost = at.CreateAnd(outermost, at.CreateNot(taken->haveOwn()));
  counters.storeState(at, at.CreateSelect(outermost, here, known), word);
}

/// The bucket as qx_call_bucket() has it, but that costs above all buckets are left to the runtime,
/// as are those in a bucket that is not ready.
void Clock::record(llvm::Instruction *place, llvm::Value *cost, uint32_t state,
                   Counters &counters) const {
  llvm::MDNode *likely = llvm::MDBuilder(f.getContext()).createLikelyBranchWeights();
  if (outermost != nullptr)
    place = llvm::SplitBlockAndInsertIfThen(outermost, place->getIterator(), false, likely);
  llvm::IRBuilder<> at(place);
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  if (outermost != nullptr)
    counters.storeState(at, at.getInt64(0), counters.state(at, state + QX_CALL_FRAME));
  llvm::Value *zeros = at.CreateBinaryIntrinsic(
      llvm::Intrinsic::ctlz, at.CreateOr(cost, at.getInt64(QX_CALL_PER_OCTAVE)), at.getInt1(true));
  llvm::Value *octave = at.CreateXor(zeros, at.getInt64(63)); // one instruction with ctlz
  llvm::Value *shift = at.CreateSub(octave, at.getInt64(6));
  llvm::Value *bucket = at.CreateAdd(at.CreateMul(shift, at.getInt64(QX_CALL_PER_OCTAVE)),
                                     at.CreateLShr(cost, shift));
  auto *ready = llvm::cast<llvm::LoadInst>(
      counters.loadState(at, counters.state(at, state + QX_CALL_READY), at.getInt64Ty()));
  ready->setAtomic(llvm::AtomicOrdering::Acquire);
  llvm::Instruction *hasWord = nullptr, *hasNone = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(at.CreateICmpULT(bucket, ready), place, &hasWord, &hasNone,
                                      likely);
  at.SetInsertPoint(hasWord);
  llvm::Value *block =
      counters.loadState(at, counters.state(at, state + QX_CALL_BLOCK), at.getPtrTy());
  counters.grow(at, block, cost);
  llvm::Value *from = at.CreateGEP(at.getInt64Ty(), block, bucket);
  counters.grow(at, at.CreateConstGEP1_64(at.getInt64Ty(), from, 1), at.getInt64(1));
  at.SetInsertPoint(hasNone);
  counters.callRuntime(
      at, QX_CALL_SYMBOL, at.getVoidTy(),
      {counters.state(at, state), counters.map(), at.getInt64(flow.map.callRecorder), cost});
}

} // namespace quincunx
