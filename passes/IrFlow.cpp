// One walk over a function that writes down its map. Blocks are numbered in the function's order,
// edges entry first, then by source block and successor; a switch arm is a distinct destination.
// The counters are placed afterwards (lib/map/Placement), on exactly these edges.
#include "IrFlow.h"

#include "Arms.h"
#include "Bytes.h"
#include "Compat.h"
#include "Copies.h"
#include "assembly/Assembly.h"
#include "source/CallType.h"
#include "source/SourceBlocks.h"
#include "source/WrittenCallees.h"
#include "strands/Waits.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace quincunx {

bool returnsTwice(const llvm::CallBase &call) {
  if (call.hasFnAttr(llvm::Attribute::ReturnsTwice))
    return true;
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return intrinsic->getIntrinsicID() == llvm::Intrinsic::coro_suspend ||
           intrinsic->getIntrinsicID() == llvm::Intrinsic::eh_sjlj_setjmp;
  return copiesProcess(call);
}

const llvm::Instruction *endOfFrame(const llvm::BasicBlock &b) {
  for (const llvm::Instruction &i : b)
    if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
        intrinsic != nullptr && intrinsic->getIntrinsicID() == llvm::Intrinsic::coro_end)
      return intrinsic;
  return tailCall(b);
}

const llvm::CallInst *tailCall(const llvm::BasicBlock &b) {
  if (const llvm::CallInst *must = b.getTerminatingMustTailCall())
    return must;
  const auto *end = llvm::dyn_cast<llvm::ReturnInst>(b.getTerminator());
  if (end == nullptr || end->getPrevNode() == nullptr)
    return nullptr;
  const auto *call = llvm::dyn_cast<llvm::CallInst>(end->getPrevNode());
  const bool passedOn = end->getReturnValue() == nullptr || end->getReturnValue() == call;
  return call != nullptr && call->isTailCall() && passedOn &&
                 !llvm::isa<llvm::IntrinsicInst>(call) && !call->isInlineAsm() &&
                 !returnsTwice(*call)
             ? call
             : nullptr;
}

namespace {

/// What a call that starts threads runs in them.
std::string startedBy(const llvm::CallBase &call, llvm::StringRef callee) {
  const unsigned argument = llvm::StringSwitch<unsigned>(callee)
                                .Case("pthread_create", 2)
                                .Case("thrd_create", 1)
                                .Case("__kmpc_fork_call", 2)
                                .Case("__kmpc_fork_teams", 2)
                                .Default(UINT_MAX);
  if (argument >= call.arg_size())
    return {};
  const auto *f = llvm::dyn_cast<llvm::Function>(call.getArgOperand(argument)->stripPointerCasts());
  return f != nullptr ? f->getName().str() : std::string();
}

class Walk {
public:
  Walk(llvm::Function &function, Analyses &a, MayNotReturn cut)
      : f(function), analyses(a), mayNotReturn(cut), sources(function, flow.map),
        indexBranches(function, a) {
    flow.map.name = f.getName().str();
    flow.map.type = callTypeOf(*f.getFunctionType());
    for (const llvm::GlobalAlias &alias : f.getParent()->aliases())
      if (alias.getAliasee()->stripPointerCastsAndAliases() == &f && alias.hasName())
        flow.map.aliases.push_back(alias.getName().str());
    flow.map.exact = true;
  }

  IrFlow finish() {
    for (llvm::BasicBlock &b : f) {
      index[&b] = static_cast<uint32_t>(flow.blocks.size());
      flow.blocks.push_back(&b);
    }
    for (llvm::BasicBlock &b : f)
      flow.map.blocks.push_back(block(b));
    addEdge(nullptr, &f.getEntryBlock(), EdgeKind::entry, 1);
    for (llvm::BasicBlock &b : f)
      leaveBlock(b);
    tellBranchesApart();
    uint32_t number = 0;
    for (llvm::Loop *loop : analyses.loops.getLoopsInPreorder()) {
      loopIndex[loop] = number++;
      flow.loops.push_back(loop);
      flow.map.loops.push_back(this->loop(*loop));
    }
    flow.sources = sourceBlocks(f, flow, sources, mayNotReturn);
    return std::move(flow);
  }

private:
  double frequency(const llvm::BasicBlock &b) {
    const auto entry = static_cast<double>(analyses.frequencies.getEntryFreq().getFrequency());
    const auto here = static_cast<double>(analyses.frequencies.getBlockFreq(&b).getFrequency());
    return entry > 0 ? here / entry : here;
  }

  Block block(llvm::BasicBlock &b) {
    Block out;
    llvm::MapVector<unsigned, uint32_t> mix;
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> lines;
    const bool stops = llvm::isa<llvm::UnreachableInst>(b.getTerminator());
    for (llvm::Instruction &i : b) {
      if (i.isDebugOrPseudoInst())
        continue;
      const std::optional<InstructionClass> kind = classify(i);
      if (kind)
        ++mix[static_cast<unsigned>(*kind)];
      if (kind == InstructionClass::call)
        ++mix[static_cast<unsigned>(InstructionClass::construct)];
      // A place without cost still shows in the source when it is the only thing there.
      if (i.getDebugLoc() && i.getDebugLoc().getLine() != 0 && !llvm::isa<llvm::PHINode>(i) &&
          !i.isLifetimeStartOrEnd()) {
        addLine(i.getDebugLoc(), lines, out);
      }
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&i)) {
        if (call->isInlineAsm())
          addAssembly(*call, b, mix);
        addCall(*call, b, out, stops);
      }
    }
    if (b.getTerminator()->getNumSuccessors() > 1 &&
        !llvm::isa<llvm::InvokeInst>(b.getTerminator()))
      ++mix[static_cast<unsigned>(InstructionClass::construct)];
    for (const auto &[kind, count] : mix)
      out.mix.push_back({static_cast<InstructionClass>(kind), count});
    std::sort(out.mix.begin(), out.mix.end(),
              [](const ClassCount &a, const ClassCount &c) { return a.kind < c.kind; });
    flow.map.guarded |= out.mayNotReturn || out.returnsTwice;
    return out;
  }

  /// `seen`: line, scope and discriminator of what `out` has.
  void addLine(const llvm::DebugLoc &where,
               std::set<std::tuple<uint32_t, uint32_t, uint32_t>> &seen, Block &out) {
    Location at = sources.discriminatedAt(where);
    at.column = 0;
    const auto known = seen.lower_bound({at.line, at.scope, 0});
    const bool isThere =
        known != seen.end() && std::get<0>(*known) == at.line && std::get<1>(*known) == at.scope;
    if (seen.insert({at.line, at.scope, at.discriminator}).second)
      (isThere ? out.again : out.lines).push_back(at);
  }

  void addAssembly(const llvm::CallBase &call, const llvm::BasicBlock &b,
                   llvm::MapVector<unsigned, uint32_t> &mix) {
    const AssemblyCount holds = countAssembly(call);
    for (unsigned kind = 0; kind < classCount; ++kind)
      if (holds.mix[kind] != 0)
        mix[kind] += holds.mix[kind];
    if (holds.estimated || holds.repeats)
      flow.map.assemblies.push_back(
          {index[&b], holds.estimated, holds.repeats, placed(call.getDebugLoc(), b)});
  }

  void addCall(llvm::CallBase &call, llvm::BasicBlock &b, Block &out, bool stops) {
    out.returnsTwice |= returnsTwice(call);
    // The end of a coroutine comes back where it was called, and not where it was resumed.
    out.mayNotReturn |= &call == endOfFrame(b) && llvm::isa<llvm::IntrinsicInst>(call) &&
                        !llvm::succ_empty(&b) && !stops;
    const llvm::StringRef memory = memoryFunction(call);
    if ((llvm::isa<llvm::IntrinsicInst>(call) && memory.empty()) || call.isInlineAsm())
      return;
    Call c;
    c.block = index[&b];
    c.callee = memory.str();
    if (const auto *callee = // an alias, too
        llvm::dyn_cast<llvm::GlobalValue>(call.getCalledOperand()->stripPointerCasts());
        callee != nullptr && memory.empty())
      c.callee = callee->getName().str();
    if (c.callee.empty())
      c.type = callTypeOf(*call.getFunctionType());
    if (const llvm::StringRef written = writtenCallee(call); written != c.callee)
      c.written = written.str();
    c.starts = startedBy(call, c.callee);
    c.mayNotReturn =
        mayNotReturn(call) && tailCall(b) != &call; // the frame has ended before a tail call
    c.at = sources.discriminatedAt(call.getDebugLoc());
    // A block that ends by stopping is counted on arrival: nothing more can be lost in it.
    out.mayNotReturn |= c.mayNotReturn && !stops;
    flow.map.calls.push_back(std::move(c));
    flow.calls.push_back(&call);
  }

  uint32_t addEdge(llvm::BasicBlock *from, llvm::BasicBlock *to, EdgeKind kind, double freq) {
    Edge e;
    e.from = from != nullptr ? index[from] : noIndex;
    e.to = to != nullptr ? index[to] : noIndex;
    e.kind = kind;
    flow.map.edges.push_back(e);
    flow.edges.push_back({from, to, freq, nullptr});
    return static_cast<uint32_t>(flow.map.edges.size() - 1);
  }

  void leaveBlock(llvm::BasicBlock &b) {
    const llvm::Instruction *last = b.getTerminator();
    const double freq = frequency(b);
    llvm::MapVector<llvm::BasicBlock *, uint32_t> to;
    for (llvm::BasicBlock *next : llvm::successors(&b))
      if (!to.contains(next)) {
        const auto p = analyses.probabilities.getEdgeProbability(&b, next);
        const double share = static_cast<double>(p.getNumerator()) / p.getDenominator();
        const uint32_t e = to[next] = addEdge(&b, next, EdgeKind::flow, freq * share);
        flow.map.edges[e].guess = static_cast<uint32_t>(std::lround(65535 * share));
      }
    if (to.empty())
      addEdge(&b, nullptr,
              llvm::isa<llvm::ReturnInst>(last)        ? EdgeKind::leave
              : llvm::isa<llvm::UnreachableInst>(last) ? EdgeKind::stop
                                                       : EdgeKind::unwind,
              freq);
    const Block &block = flow.map.blocks[index[&b]];
    if (block.returnsTwice)
      addEdge(nullptr, &b, EdgeKind::reentry, 0);
    if (block.mayNotReturn)
      addEdge(&b, nullptr, EdgeKind::nonReturning, 0);
    addBranch(b, to);
  }

  void addBranch(llvm::BasicBlock &b, const llvm::MapVector<llvm::BasicBlock *, uint32_t> &to) {
    const llvm::Instruction *last = b.getTerminator();
    const bool ends = last->getNumSuccessors() < 2 || llvm::isa<llvm::InvokeInst>(last);
    if (ends)
      return;
    Branch branch;
    branch.block = index[&b];
    branch.at = placed(last->getDebugLoc(), b);
    branch.isSwitch = last->getNumSuccessors() != 2 || !llvm::isa<llvm::BranchInst>(last);
    if (branch.isSwitch)
      for (const auto &arm : to)
        branch.arms.push_back(arm.second);
    unsigned onTrue = 0;
    if (!branch.isSwitch) {
      const std::optional<unsigned> arm = trueArm(*llvm::cast<llvm::BranchInst>(last));
      branch.senseKnown = arm.has_value();
      onTrue = arm.value_or(0);
      for (const unsigned i : {onTrue, 1 - onTrue})
        branch.arms.push_back(to.find(last->getSuccessor(i))->second);
    }
    if (!branch.isSwitch) {
      findLimit(branch, last, onTrue);
      branch.ofIndex = indexBranches.has(b);
    }
    flow.onTrue.push_back(onTrue);
    flow.map.branches.push_back(std::move(branch));
  }

  /// Of `x < c` and its kind, c > 1: what is one or none is no size.
  static void findLimit(Branch &branch, const llvm::Instruction *last, unsigned onTrue) {
    const auto *jump = llvm::dyn_cast<llvm::BranchInst>(last);
    const auto *compared =
        jump != nullptr ? llvm::dyn_cast<llvm::ICmpInst>(jump->getCondition()) : nullptr;
    if (compared == nullptr || !compared->isRelational())
      return;
    llvm::CmpInst::Predicate is = compared->getPredicate();
    const auto *c = llvm::dyn_cast<llvm::ConstantInt>(compared->getOperand(1));
    if (c == nullptr) {
      c = llvm::dyn_cast<llvm::ConstantInt>(compared->getOperand(0));
      is = compared->getSwappedPredicate();
    }
    if (c == nullptr || c->getBitWidth() > 64 || c->isMaxValue(compared->isSigned()) ||
        (compared->isSigned() && c->isNegative()))
      return;
    branch.belowOnTrue = (llvm::ICmpInst::isLT(is) || llvm::ICmpInst::isLE(is)) == (onTrue == 0);
    branch.limit =
        c->getZExtValue() + (llvm::ICmpInst::isLE(is) || llvm::ICmpInst::isGT(is) ? 1 : 0);
    if (branch.limit < 2)
      branch.limit = branch.belowOnTrue = 0;
  }

  /// Conditions of one `&&` have the place of all of it: then each takes that of what it tests.
  void tellBranchesApart() {
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, unsigned> standing;
    const auto place = [](const Location &l) { return std::tuple(l.line, l.column, l.scope); };
    for (const Branch &b : flow.map.branches)
      ++standing[place(b.at)];
    for (Branch &b : flow.map.branches) {
      const auto *jump = llvm::dyn_cast<llvm::BranchInst>(flow.blocks[b.block]->getTerminator());
      if (jump == nullptr || b.at.line == 0 || standing[place(b.at)] < 2)
        continue;
      const auto *test = llvm::dyn_cast<llvm::Instruction>(jump->getCondition());
      const Location at = test != nullptr ? sources.at(test->getDebugLoc()) : Location{};
      if (at.line == b.at.line && at.scope == b.at.scope && at.column != 0)
        b.at = at;
    }
  }

  /// A place, or where passes merged several to line 0 that of the last instruction of `b` that has
  /// one.
  Location placed(const llvm::DebugLoc &where, const llvm::BasicBlock &b) {
    if (where && where.getLine() != 0)
      return sources.at(where);
    for (const llvm::Instruction &i : llvm::reverse(b))
      if (const llvm::DebugLoc &at = i.getDebugLoc();
          at && at.getLine() != 0 && !i.isDebugOrPseudoInst())
        return sources.at(at);
    return sources.at(where);
  }

  Loop loop(llvm::Loop &l) {
    Loop out;
    out.header = index[l.getHeader()];
    if (const llvm::Loop *parent = l.getParentLoop())
      out.parent = loopIndex[parent];
    out.at = placed(l.getStartLoc(), *l.getHeader());
    for (uint32_t e = 0; e < flow.edges.size(); ++e)
      if (flow.edges[e].to == l.getHeader() && flow.map.edges[e].kind != EdgeKind::reentry)
        (flow.edges[e].from != nullptr && l.contains(flow.edges[e].from) ? out.backEdges
                                                                         : out.entryEdges)
            .push_back(e);
    if (analyses.evolution != nullptr) {
      const llvm::SCEV *trips = analyses.evolution->getBackedgeTakenCount(&l);
      out.trips = tripExpression(trips, analyses.loops);
      out.derivedTrips = out.backEdges.size() == 1 && computable(l, trips);
      if (out.derivedTrips)
        flow.edges[out.backEdges[0]].counted = &l;
    }
    return out;
  }

  /// May the count of backedges be added on entry instead of one by one? Only if nothing in the
  /// loop can end it otherwise, or asks for the clock, and the count is cheap.
  bool computable(llvm::Loop &l, const llvm::SCEV *trips) {
    llvm::BasicBlock *before = l.getLoopPreheader();
    if (llvm::isa<llvm::SCEVCouldNotCompute>(trips) || before == nullptr ||
        l.getExitingBlock() == nullptr || !trips->getType()->isIntegerTy() ||
        trips->getType()->getIntegerBitWidth() > 64)
      return false;
    for (const llvm::BasicBlock *b : l.blocks())
      for (const llvm::Instruction &i : *b)
        if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
            call != nullptr &&
            (!llvm::isa<llvm::IntrinsicInst>(i) || returnsTwice(*call) || isMark(*call)))
          return false;
    const llvm::Instruction *place = before->getTerminator();
    llvm::SCEVExpander expander =
        compat::expander(*analyses.evolution, f.getParent()->getDataLayout());
    return expander.isSafeToExpandAt(trips, place) &&
           !expander.isHighCostExpansion(trips, &l, llvm::SCEVCheapExpansionBudget,
                                         &analyses.target, place);
  }

  llvm::Function &f;
  Analyses &analyses;
  MayNotReturn mayNotReturn;
  IrFlow flow;
  Sources sources;
  IndexBranches indexBranches;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> index;
  llvm::DenseMap<const llvm::Loop *, uint32_t> loopIndex;
};

} // namespace

IrFlow readFlow(llvm::Function &f, Analyses &analyses, MayNotReturn mayNotReturn) {
  return Walk(f, analyses, mayNotReturn).finish();
}

} // namespace quincunx
