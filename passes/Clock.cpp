// A clock of block costs. Counters sit on some edges only; each is worth what all blocks cost that
// a call runs through on its account (lib/map/Placement, pathWeights). A frame adds that up in a
// register and puts it on the thread's clock when it ends, so caller and callee meet nowhere else.
// The difference of the clock between a frame's start and its end is the cost of the call with all
// it called. Of a recursive function only the outermost frame records: its place on the stack is
// remembered, and a remembered place below the present one is that of a frame that is gone
// (longjmp), so it does not matter how a frame ended. What a frame had used up when a longjmp or an
// exception passed through it is lost for its callers' sums; counters lose nothing. It knows no
// time and no machine but the weights of lib/map.
#include "Clock.h"

#include "Counters.h"
#include "quincunx/abi.h"
#include "quincunx/map/Placement.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace quincunx {

namespace {

llvm::GlobalVariable *clockOf(llvm::Module &m) {
  if (auto *known = m.getNamedGlobal(QX_CLOCK_SYMBOL))
    return known;
  const bool shared = isSharedCode(m);
  auto *v = new llvm::GlobalVariable(
      m, llvm::Type::getInt64Ty(m.getContext()), false, llvm::GlobalValue::ExternalLinkage, nullptr,
      QX_CLOCK_SYMBOL, nullptr,
      shared ? llvm::GlobalValue::InitialExecTLSModel : llvm::GlobalValue::LocalExecTLSModel);
  v->setDSOLocal(!shared); // an executable has it itself
  return v;
}

/// Is a call one stretch of one thread, so that a local sum can be kept?
bool mayStay(const llvm::Function &f, const Function &map) {
  return !f.isPresplitCoroutine() &&
         llvm::none_of(map.blocks, [](const Block &b) { return b.returnsTwice; });
}

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
llvm::Instruction *endOf(const Flow &flow, uint32_t edge) {
  if (flow.map.edges[edge].kind != EdgeKind::stop)
    return placeOnEdge(flow, edge);
  llvm::Instruction *last = flow.edges[edge].from->getTerminator();
  auto *call = llvm::dyn_cast_or_null<llvm::CallBase>(last->getPrevNode());
  return call != nullptr ? call : last;
}

} // namespace

void chooseCallWords(const llvm::Function &f, Function &map) {
  uint32_t size = 0;
  for (const Block &b : map.blocks)
    for (const ClassCount &c : b.mix)
      size += c.kind == Class::construct ? 0 : c.count;
  if ((map.loops.empty() && map.calls.empty() && size < 10) || !mayStay(f, map))
    return;
  map.callWords = map.counterCount;
  map.counterCount += QX_CALL_WORDS;
  map.recorderWords += QX_CALL_WORDS;
  for (uint32_t kind = 0; kind < classCount; ++kind)
    if (clockWeights[kind] != 0)
      map.clock.push_back({static_cast<Class>(kind), clockWeights[kind]});
}

Clock::Clock(llvm::Function &function, const Flow &fl)
    : f(function), flow(fl), worth(pathWeights(fl.map, blockCosts(fl.map))),
      clock(clockOf(*function.getParent())) {
  if (!mayStay(f, flow.map))
    return;
  llvm::IRBuilder<> at(startOf(f));
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  elapsed = at.CreateAlloca(at.getInt64Ty());
  zero = at.CreateStore(at.getInt64(0), elapsed);
}

llvm::Value *Clock::word(llvm::IRBuilder<> &at) const { return at.CreateThreadLocalAddress(clock); }

void Clock::advance(llvm::IRBuilder<> &at, uint32_t counter, llvm::Value *amount) {
  if (counter >= worth.size() || worth[counter] == 0)
    return;
  llvm::Value *where = elapsed != nullptr ? elapsed : word(at);
  llvm::Value *more = at.CreateMul(amount, at.getInt64(static_cast<uint64_t>(worth[counter])));
  at.CreateStore(at.CreateAdd(at.CreateLoad(at.getInt64Ty(), where), more), where);
}

void Clock::finish(Counters &counters, bool mayRecur) {
  if (elapsed == nullptr)
    return;
  const bool records = flow.map.callWords != none;
  if (records)
    begin(counters, mayRecur);
  for (uint32_t e = 0; e < flow.edges.size(); ++e) {
    const EdgeKind kind = flow.map.edges[e].kind;
    if (kind != EdgeKind::leave && kind != EdgeKind::unwind && kind != EdgeKind::stop)
      continue;
    llvm::Instruction *place = endOf(flow, e);
    llvm::IRBuilder<> at(place);
    at.SetCurrentDebugLocation(llvm::DebugLoc());
    llvm::Value *now = settle(at);
    if (records && kind != EdgeKind::stop)
      record(place, at.CreateSub(now, started), counters);
  }
}

/// The clock with what this frame has used up.
llvm::Value *Clock::settle(llvm::IRBuilder<> &at) const {
  llvm::Value *where = word(at);
  llvm::Value *now =
      at.CreateAdd(at.CreateLoad(at.getInt64Ty(), where), at.CreateLoad(at.getInt64Ty(), elapsed));
  at.CreateStore(now, where);
  return now;
}

void Clock::begin(Counters &counters, bool mayRecur) {
  llvm::IRBuilder<> at(counters.start(startOf(f)));
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  started = at.CreateLoad(at.getInt64Ty(), word(at));
  if (!mayRecur)
    return;
  llvm::Value *here = at.CreatePtrToInt(at.CreateAlloca(at.getInt8Ty()), at.getInt64Ty());
  llvm::Value *frame = counters.word(at, flow.map.callWords + QX_CALL_FRAME);
  llvm::Value *known = counters.load(at, frame);
  outermost = at.CreateICmpULT(known, here); // stacks grow downwards
  counters.store(at, at.CreateSelect(outermost, here, known), frame);
}

/// The bucket as qx_call_bucket() has it.
void Clock::record(llvm::Instruction *place, llvm::Value *cost, Counters &counters) const {
  if (outermost != nullptr) {
    llvm::MDBuilder md(f.getContext());
    place = llvm::SplitBlockAndInsertIfThen(outermost, place->getIterator(), false,
                                            md.createLikelyBranchWeights());
  }
  llvm::IRBuilder<> at(place);
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  const uint32_t words = flow.map.callWords;
  if (outermost != nullptr)
    counters.store(at, at.getInt64(0), counters.word(at, words + QX_CALL_FRAME));
  counters.grow(at, counters.word(at, words + QX_CALL_SUM), cost);
  llvm::Value *most = at.getInt64((1ull << QX_CALL_BITS) - 1);
  llvm::Value *known = at.CreateBinaryIntrinsic(llvm::Intrinsic::umin, cost, most);
  llvm::Value *zeros = at.CreateBinaryIntrinsic(
      llvm::Intrinsic::ctlz, at.CreateOr(known, at.getInt64(QX_CALL_PER_OCTAVE)), at.getInt1(true));
  llvm::Value *octave = at.CreateXor(zeros, at.getInt64(63)); // one instruction with ctlz
  llvm::Value *shift = at.CreateSub(octave, at.getInt64(6));
  llvm::Value *bucket = at.CreateAdd(at.CreateMul(shift, at.getInt64(QX_CALL_PER_OCTAVE)),
                                     at.CreateLShr(known, shift));
  counters.grow(at, counters.word(at, words + QX_CALL_BUCKETS, bucket), at.getInt64(1));
}

} // namespace quincunx
