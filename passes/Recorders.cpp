// Code for recorders. The state of a branch is one number in the frame: r > 0, r times true so far;
// r < 0, -r times false; 0, not evaluated since the loop was entered. Recursion and threads are
// right because nothing is shared.
//
//   before the loop      r = 0
//   on the true edge     if (r > 0) ++r; else { ++endedFalse[r]; r = 1; }     false: mirrored
//   on exits             ++cut[r]
//
// where [r] is the bin of r around a word (abi/recorders.h). Words come in blocks, which a thread
// gets before it runs through an outermost loop for the first time. Trips: a number that is 0
// before the loop, one more on backedges, and recorded on exits, in the histogram of the way out;
// or computed before the loop. Short lengths are recorded in place, but in huge functions. In
// innermost loops states are registers; over outer loops those cost more than they save. Where
// there are many, turns and exits are calls, so that the code for each does not grow and an exit
// costs no more than what was evaluated. Which branches and loops: ChooseRecorders.cpp.
#include "Recorders.h"

#include "Compat.h"
#include "Prepare.h"
#include "RecorderPlaces.h"
#include "quincunx/abi.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

namespace quincunx {

namespace {

/// From here on a function's recorders are calls.
constexpr size_t hugeFunction = 500;
/// The most states times exits that are recorded in place.
constexpr size_t maxInPlace = 64, fewInPlace = 16;

/// A place in the middle of a block, opened for code with branches of its own.
class Opened {
public:
  explicit Opened(llvm::Instruction *before)
      : at(before->getContext()), rest(before->getParent()->splitBasicBlock(before)) {
    llvm::BasicBlock *head = rest->getSinglePredecessor();
    head->getTerminator()->eraseFromParent();
    at.SetInsertPoint(head);
  }
  ~Opened() { at.CreateBr(rest); }
  Opened(const Opened &) = delete;
  Opened &operator=(const Opened &) = delete;

  llvm::BasicBlock *block() {
    return llvm::BasicBlock::Create(at.getContext(), "", rest->getParent(), rest);
  }
  /// Ends the code with a way to `to` and goes on in `then`.
  void jump(llvm::BasicBlock *to, llvm::BasicBlock *then) {
    at.CreateBr(to);
    at.SetInsertPoint(then);
  }
  llvm::IRBuilder<> at;

private:
  llvm::BasicBlock *rest;
};

/// A block of its own on the way from a jump to one of its targets; gives its end. What the source
/// wishes for a loop (unroll, vectorize, ...) stands on the jump back to its header and goes along.
llvm::Instruction *between(llvm::Instruction *jump, llvm::BasicBlock *to,
                           const llvm::BasicBlock *header) {
  llvm::BasicBlock *from = jump->getParent();
  llvm::BasicBlock *b = llvm::BasicBlock::Create(from->getContext(), "", from->getParent(), to);
  llvm::Instruction *end = llvm::BranchInst::Create(to, b);
  for (unsigned i = 0; i < jump->getNumSuccessors(); ++i)
    if (jump->getSuccessor(i) == to)
      jump->setSuccessor(i, b);
  for (llvm::PHINode &phi : to->phis()) {
    const int first = phi.getBasicBlockIndex(from);
    phi.setIncomingBlock(static_cast<unsigned>(first), b);
    for (int other; (other = phi.getBasicBlockIndex(from)) >= 0;) // several arms of a switch
      phi.removeIncomingValue(static_cast<unsigned>(other), false);
  }
  if (to == header) {
    end->setMetadata(llvm::LLVMContext::MD_loop, jump->getMetadata(llvm::LLVMContext::MD_loop));
    jump->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
  }
  return end;
}

class RecorderInserter {
public:
  RecorderInserter(llvm::Function &function, Counters &c, bool optimise)
      : f(function), counters(c), optimised(optimise), coroutine(f.isPresplitCoroutine()) {
    size_t branches = 0;
    for (const llvm::Instruction &i : llvm::instructions(f)) {
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&i))
        twice |= returnsTwice(*call);
      branches += llvm::isa<llvm::BranchInst>(i) && i.getNumSuccessors() == 2;
      byCalls |= llvm::isa<llvm::IndirectBrInst>(i);
    }
    byCalls |= !optimised || branches > hugeFunction;
  }

  void insert(const Recorded &recorded) {
    const RecorderPlaces places = placeRecorders(f, recorded);
    for (const RecordedBlock &b : recorded.blocks)
      blocks.push_back({&b, nullptr});
    for (size_t i = 0; i < blocks.size(); ++i)
      if (places.words[i] != nullptr) {
        Opened o(places.words[i]);
        blocks[i].words = ask(o, *blocks[i].what);
      }
    for (const RecorderPlace &p : places.loops)
      record(p);
    for (const RecordedLoop &l : recorded.loops)
      if (l.known != nullptr) {
        Opened o(l.place);
        llvm::Value *most = o.at.getInt64(INT64_MAX);
        llvm::Value *trips = o.at.CreateBinaryIntrinsic(llvm::Intrinsic::umin, l.known, most);
        tally(o, l, o.at.getInt64(l.trips), trips, Sign::positive, !byCalls);
      }
  }

private:
  /// Variables of one loop in the frame.
  struct States {
    std::vector<llvm::Value *> runs; ///< of each branch
    llvm::Value *trips = nullptr;    ///< null: not counted
    llvm::Value *list = nullptr;     ///< null: turns and exits are recorded in place
  };

  void record(const RecorderPlace &p) {
    const RecordedLoop &l = *p.what;
    const size_t limit = p.innermost ? maxInPlace : fewInPlace;
    const bool inPlace = !byCalls && l.branches.size() * p.exits.size() <= limit;
    const bool registers = inPlace && p.innermost && !twice && !coroutine;
    inMemory = !registers;
    States states;
    llvm::IRBuilder<> at(p.before);
    at.SetCurrentDebugLocation(llvm::DebugLoc());
    if (l.trips != noIndex && l.known == nullptr)
      reset(at, states.trips = variable(registers));
    if (inPlace)
      for (size_t i = 0; i < l.branches.size(); ++i)
        reset(at, states.runs.emplace_back(variable(registers)));
    else if (!l.branches.empty())
      makeList(p.before, states, l.branches.size());
    if (states.trips != nullptr)
      for (llvm::Instruction *latch : p.latches)
        countTrip(latch, l.header, states.trips);
    for (size_t i = 0; i < l.branches.size(); ++i)
      for (const bool arm : {true, false}) {
        const unsigned onTrue = l.branches[i].onTrue;
        llvm::BasicBlock *to = p.branches[i]->getSuccessor(arm ? onTrue : 1 - onTrue);
        outcome(between(p.branches[i], to, l.header), arm, l, i, states);
      }
    for (const RecorderExit &exit : p.exits)
      leave(exit, l, states);
  }

  /// The words of a block.
  llvm::Value *ask(Opened &o, const RecordedBlock &b) {
    llvm::IRBuilder<> &at = o.at;
    llvm::Value *word = counters.state(at, b.state);
    llvm::Value *known = counters.loadState(at, word, at.getPtrTy());
    llvm::BasicBlock *before = at.GetInsertBlock(), *unknown = o.block(), *after = o.block();
    at.CreateCondBr(at.CreateIsNull(known), unknown, after,
                    llvm::MDBuilder(f.getContext()).createUnlikelyBranchWeights());
    at.SetInsertPoint(unknown);
    llvm::CallInst *asked =
        counters.callRuntime(at, QX_RECORDER_SYMBOL, at.getPtrTy(),
                             {word, counters.map(), at.getInt64(b.first), at.getInt64(b.words)});
    o.jump(after, after);
    llvm::PHINode *there = at.CreatePHI(at.getPtrTy(), 2);
    there->addIncoming(known, before);
    there->addIncoming(asked, unknown);
    return there;
  }
  /// Those of the block of a loop: in a coroutine, which may go on in another thread, asked for
  /// where they are needed.
  llvm::Value *wordsOf(Opened &o, const RecordedLoop &l) {
    const Block &b = blocks[l.block];
    return b.words != nullptr ? b.words : ask(o, *b.what);
  }

  static uint32_t recorder(const RecordedLoop &l, size_t branch) { // in the block
    return l.runs + static_cast<uint32_t>(branch) * QX_RUN_WORDS;
  }

  llvm::Value *variable(bool isRegister) {
    llvm::IRBuilder<> at(&*f.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst *v = at.CreateAlloca(at.getInt64Ty());
    if (isRegister)
      counters.keepInRegister(v);
    return v;
  }

  void reset(llvm::IRBuilder<> &at, llvm::Value *v) { at.CreateStore(at.getInt64(0), v, inMemory); }

  /// States behind the number of those that are not 0, in front of which their numbers will be. An
  /// exit leaves them at 0 again; where there may be other ways out, they are set before the loop.
  void makeList(llvm::Instruction *before, States &states, size_t n) {
    llvm::IRBuilder<> start(&*f.getEntryBlock().getFirstInsertionPt());
    start.SetCurrentDebugLocation(llvm::DebugLoc());
    auto *type = llvm::ArrayType::get(start.getInt64Ty(), (n + 1) / 2 + 1 + n);
    llvm::AllocaInst *whole = start.CreateAlloca(type);
    whole->setAlignment(llvm::Align(8));
    states.list = start.CreateConstInBoundsGEP2_64(type, whole, 0, (n + 1) / 2);
    for (size_t i = 0; i < n; ++i)
      states.runs.push_back(
          start.CreateConstInBoundsGEP1_64(start.getInt64Ty(), states.list, 1 + i));
    llvm::IRBuilder<> at(before);
    at.SetCurrentDebugLocation(llvm::DebugLoc());
    (twice || coroutine ? at : start)
        .CreateMemSet(states.list, at.getInt8(0), 8 * (1 + n), llvm::Align(8), inMemory);
  }

  void countTrip(llvm::Instruction *latch, llvm::BasicBlock *header, llvm::Value *trips) {
    llvm::IRBuilder<> at(latch->getNumSuccessors() == 1 ? latch : between(latch, header, header));
    at.SetCurrentDebugLocation(llvm::DebugLoc());
    at.CreateStore(at.CreateAdd(load(at, trips), at.getInt64(1)), trips, inMemory);
  }

  void outcome(llvm::Instruction *edge, bool arm, const RecordedLoop &l, size_t i,
               const States &states) {
    Opened o(edge);
    llvm::IRBuilder<> &at = o.at;
    llvm::Value *state = states.runs[i], *r = load(at, state), *zero = at.getInt64(0);
    llvm::Value *same = arm ? at.CreateICmpSGT(r, zero) : at.CreateICmpSLT(r, zero);
    llvm::BasicBlock *more = o.block(), *other = o.block(), *after = o.block();
    at.CreateCondBr(same, more, other);
    at.SetInsertPoint(more);
    at.CreateStore(at.CreateAdd(r, at.getInt64(arm ? 1 : -1ull)), state, inMemory);
    o.jump(after, other);
    const bool inPlace = !byCalls && l.branches.size() <= maxInPlace;
    if (states.list != nullptr) { // the first outcome, if not all turns
      if (inPlace) {
        llvm::BasicBlock *first = o.block(), *further = o.block();
        at.CreateCondBr(at.CreateIsNull(r), first, further);
        at.SetInsertPoint(first);
        turn(o, arm, l, i, states);
        o.jump(after, further);
      } else {
        turn(o, arm, l, i, states);
        o.jump(after, after);
        return;
      }
    }
    tally(o, l, at.getInt64(recorder(l, i) + (arm ? QX_ENDED_FALSE : QX_ENDED_TRUE)), r,
          arm ? Sign::negative : Sign::positive, true);
    at.CreateStore(at.getInt64(arm ? 1 : -1ull), state, inMemory);
    o.jump(after, after);
  }
  void turn(Opened &o, bool arm, const RecordedLoop &l, size_t i, const States &states) {
    llvm::Value *words = wordsOf(o, l);
    call(o.at, QX_TURN_SYMBOL,
         {words, o.at.getInt64(l.runs), states.list, o.at.getInt64(arm ? i : ~i)});
  }

  void leave(const RecorderExit &exit, const RecordedLoop &l, const States &states) {
    Opened o(&*exit.block->getFirstInsertionPt());
    llvm::IRBuilder<> &at = o.at;
    if (states.trips != nullptr)
      tally(o, l, exit.trips, load(at, states.trips), Sign::positive, !byCalls);
    if (states.list != nullptr) {
      llvm::Value *words = wordsOf(o, l);
      call(at, QX_CUT_SYMBOL, {words, at.getInt64(l.runs), states.list});
    } else {
      for (size_t i = 0; i < l.branches.size(); ++i)
        tally(o, l, at.getInt64(recorder(l, i) + QX_CUT), load(at, states.runs[i]), Sign::any,
              true);
    }
  }

  /// What is known of a length: not below 0, not above 0, or nothing.
  enum class Sign { positive, negative, any };

  /// ++block[word + qx_signed_bin(r)]: short ones in place. If r has that sign, the word is among
  /// those of the histogram, whatever r is.
  void tally(Opened &o, const RecordedLoop &l, llvm::Value *word, llvm::Value *r, Sign sign,
             bool inPlace) {
    llvm::IRBuilder<> &at = o.at;
    llvm::Value *words = wordsOf(o, l);
    if (!inPlace) {
      call(at, QX_TALLY_SYMBOL, {words, word, r});
      return;
    }
    constexpr int64_t end = QX_EXACT_BINS;
    llvm::Value *isShort =
        sign == Sign::positive ? at.CreateICmpULT(r, at.getInt64(end))
        : sign == Sign::negative
            ? at.CreateICmpSGT(r, at.getInt64(-end))
            : at.CreateICmpULT(at.CreateAdd(r, at.getInt64(end - 1)), at.getInt64(2 * end - 1));
    llvm::BasicBlock *exact = o.block(), *wide = o.block(), *after = o.block();
    at.CreateCondBr(isShort, exact, wide, likely());
    at.SetInsertPoint(exact);
    llvm::Value *from = at.CreateGEP(at.getInt64Ty(), words, r); // the constant last: an address
    counters.grow(at, at.CreateGEP(at.getInt64Ty(), from, word), at.getInt64(1));
    o.jump(after, wide);
    call(at, QX_TALLY_SYMBOL, {words, word, r});
    o.jump(after, after);
  }

  llvm::MDNode *likely() const {
    return llvm::MDBuilder(f.getContext()).createLikelyBranchWeights();
  }
  llvm::Value *load(llvm::IRBuilder<> &at, llvm::Value *state) {
    return at.CreateLoad(at.getInt64Ty(), state, inMemory);
  }

  /// Calls the runtime, which reads and writes what its arguments point to and nothing else.
  void call(llvm::IRBuilder<> &at, const char *name, llvm::ArrayRef<llvm::Value *> arguments) {
    llvm::CallInst *made = counters.callRuntime(at, name, at.getVoidTy(), arguments);
    llvm::Function &callee = *made->getCalledFunction();
    callee.setOnlyAccessesArgMemory();
    for (unsigned i = 0; i < arguments.size(); ++i)
      if (arguments[i]->getType()->isPointerTy())
        compat::setNoCapture(callee, i);
    counters.tag(*made);
  }

  llvm::Function &f;
  Counters &counters;
  const bool optimised, coroutine;
  bool twice = false; ///< a longjmp must not undo states
  /// States of the loop at hand are volatile: the optimiser, too, would keep hundreds of them in
  /// registers, and takes minutes over it.
  bool inMemory = false;
  bool byCalls = false; ///< nothing is recorded in place
  struct Block {
    const RecordedBlock *what;
    llvm::Value *words; ///< null: not asked for in one place
  };
  std::vector<Block> blocks;
};

} // namespace

void insertRecorders(llvm::Function &f, const Recorded &recorded, Counters &counters,
                     bool optimised) {
  const auto records = [](const RecordedLoop &l) {
    return l.trips != noIndex || l.runs != noIndex;
  };
  if (llvm::any_of(recorded.loops, records))
    RecorderInserter(f, counters, optimised).insert(recorded);
}

} // namespace quincunx
