// See Predictor.h. A call stands right before what it tells of, with the values that this will use.
// It reads and writes counters and memory of the runtime's own, so it keeps its place among its
// kind and the optimiser may still work around it. A site is named by its function (a static
// one with its file) and its number there, so that it has the same name in every build, whatever
// else is recorded. Not told:
// branches whose outcome is known, the switch behind a coroutine's suspension, and accesses that
// cannot be expressed: other address spaces, and variables that are registers by decree
// (swifterror). What is simulated: runtime/simulated/; docs/13-machines.md.
#include "Predictor.h"

#include "Compat.h"
#include "quincunx/abi.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace quincunx {

static_assert(memoryCounters == QX_MEMORY_COUNTERS &&
              static_cast<uint32_t>(Memory::l2Hit) == QX_L2_HIT &&
              static_cast<uint32_t>(Memory::l3Hit) == QX_L3_HIT &&
              static_cast<uint32_t>(Memory::memoryAccess) == QX_MEMORY_ACCESS &&
              static_cast<uint32_t>(Memory::prefetchedLine) == QX_PREFETCHED_LINE &&
              static_cast<uint32_t>(Memory::pageWalk) == QX_PAGE_WALK);

namespace {

/// What a jump or an indirect call decides by; null when there is nothing to foretell.
llvm::Value *decisionOf(llvm::Instruction &i) {
  llvm::Value *by = nullptr;
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(&i))
    by = branch->isConditional() ? branch->getCondition() : nullptr;
  else if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&i))
    by = choice->getCondition();
  else if (auto *jump = llvm::dyn_cast<llvm::IndirectBrInst>(&i))
    by = jump->getAddress();
  else if (auto *call = llvm::dyn_cast<llvm::CallBase>(&i))
    by = call->isInlineAsm() ? nullptr : call->getCalledOperand();
  if (by == nullptr || llvm::isa<llvm::Constant>(by))
    return nullptr;
  const auto *suspension = llvm::dyn_cast<llvm::IntrinsicInst>(by);
  return suspension != nullptr && returnsTwice(*suspension) ? nullptr : by;
}

/// Memory that an instruction reads or writes.
struct Access {
  llvm::Value *address, *bytes;
};

llvm::SmallVector<Access, 2> accessesOf(llvm::Instruction &i) {
  llvm::SmallVector<Access, 2> all;
  auto *i64 = llvm::Type::getInt64Ty(i.getContext());
  const auto add = [&](llvm::Value *address, llvm::Value *bytes) {
    if (address->getType()->getPointerAddressSpace() == 0 && !address->isSwiftError())
      all.push_back({address, bytes});
  };
  const auto typed = [&](llvm::Value *address, llvm::Type *type) {
    const llvm::TypeSize size = i.getModule()->getDataLayout().getTypeStoreSize(type);
    add(address, llvm::ConstantInt::get(i64, size.getKnownMinValue()));
  };
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&i))
    typed(load->getPointerOperand(), load->getType());
  else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&i))
    typed(store->getPointerOperand(), store->getValueOperand()->getType());
  else if (auto *change = llvm::dyn_cast<llvm::AtomicRMWInst>(&i))
    typed(change->getPointerOperand(), change->getType());
  else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i))
    typed(exchange->getPointerOperand(), exchange->getCompareOperand()->getType());
  else if (auto *memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&i)) {
    if (auto *copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(memory))
      add(copy->getRawSource(), copy->getLength());
    add(memory->getRawDest(), memory->getLength());
  }
  return all;
}

class Inserter {
public:
  Inserter(llvm::Function &function, Counters &c) : f(function), counters(c) {}

  void insert(const PredictedSite &site) {
    llvm::Instruction &i = *site.what;
    llvm::Value *target = decisionOf(i);
    if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&i))
      target = wayOf(*choice);
    llvm::IRBuilder<> at(counters.start(&i));
    at.SetCurrentDebugLocation(llvm::DebugLoc());
    llvm::Value *word = counters.word(at, site.counter);
    for (const Access &a : accessesOf(i))
      call(at, QX_ACCESS_SYMBOL, {word, a.address, at.CreateZExtOrTrunc(a.bytes, at.getInt64Ty())});
    if (target == nullptr)
      return;
    llvm::Value *name = at.getInt64(qx_fold(f.getGUID() ^ number++, 0x9e3779b97f4a7c15ull));
    if (llvm::isa<llvm::BranchInst>(i)) {
      call(at, QX_BRANCH_SYMBOL, {word, name, at.CreateZExt(target, at.getInt32Ty())});
      return;
    }
    if (target->getType()->isPointerTy())
      target = at.CreatePtrToInt(target, at.getInt64Ty());
    call(at, QX_TARGET_SYMBOL, {word, name, target});
  }

private:
  /// The number of the destination that a switch is about to take: the same switch before it, to
  /// blocks that meet again.
  llvm::Value *wayOf(llvm::SwitchInst &choice) {
    llvm::BasicBlock *head = choice.getParent(), *tail = llvm::SplitBlock(head, &choice);
    llvm::LLVMContext &context = f.getContext();
    auto *i64 = llvm::Type::getInt64Ty(context);
    llvm::IRBuilder<> at(head->getTerminator());
    at.SetCurrentDebugLocation(llvm::DebugLoc());
    llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> ways;
    llvm::PHINode *phi = llvm::PHINode::Create(i64, choice.getNumSuccessors(), "", tail->begin());
    const auto way = [&](llvm::BasicBlock *to) {
      auto [known, fresh] = ways.try_emplace(to, nullptr);
      if (fresh) {
        known->second = llvm::BasicBlock::Create(context, "", &f, tail);
        llvm::BranchInst::Create(tail, known->second);
        phi->addIncoming(llvm::ConstantInt::get(i64, ways.size()), known->second);
      }
      return known->second;
    };
    llvm::SwitchInst *before =
        at.CreateSwitch(choice.getCondition(), way(choice.getDefaultDest()), choice.getNumCases());
    for (const auto &c : choice.cases())
      before->addCase(c.getCaseValue(), way(c.getCaseSuccessor()));
    head->getTerminator()->eraseFromParent();
    return phi;
  }

  /// Calls the runtime, which does not read what addresses point to.
  void call(llvm::IRBuilder<> &at, const char *name, llvm::ArrayRef<llvm::Value *> arguments) {
    llvm::SmallVector<llvm::Type *, 3> types;
    for (const llvm::Value *a : arguments)
      types.push_back(a->getType());
    auto *callee = llvm::cast<llvm::Function>(
        f.getParent()
            ->getOrInsertFunction(name, llvm::FunctionType::get(at.getVoidTy(), types, false))
            .getCallee());
    if (!callee->hasHiddenVisibility()) {
      callee->setVisibility(llvm::GlobalValue::HiddenVisibility);
      callee->setDSOLocal(true);
      callee->setDoesNotThrow();
      callee->setWillReturn();
      callee->addFnAttr(llvm::Attribute::NoCallback);
      callee->setOnlyAccessesInaccessibleMemOrArgMem();
      compat::setNoCapture(*callee, 0);
      if (types[1]->isPointerTy()) {
        compat::setNoCapture(*callee, 1);
        callee->addParamAttr(1, llvm::Attribute::ReadNone);
      }
    }
    llvm::CallInst *made = at.CreateCall(callee, arguments);
    made->setDoesNotThrow();
    if (llvm::DISubprogram *s = f.getSubprogram())
      made->setDebugLoc(llvm::DILocation::get(f.getContext(), 0, 0, s));
  }

  llvm::Function &f;
  Counters &counters;
  uint64_t number = 0; ///< of the next site that is named
};

} // namespace

std::vector<PredictedSite> choosePredicted(IrFlow &flow) {
  std::vector<PredictedSite> sites;
  Function &map = flow.map;
  const auto decides = [&](llvm::Instruction &i, uint32_t &misses) {
    if (decisionOf(i) == nullptr)
      return;
    misses = map.counterCount++;
    sites.push_back({&i, misses});
  };
  for (Branch &b : map.branches)
    decides(*flow.blocks[b.block]->getTerminator(), b.misses);
  for (size_t c = 0; c < map.calls.size(); ++c)
    if (map.calls[c].callee.empty())
      decides(*flow.calls[c], map.calls[c].misses);
  for (size_t b = 0; b < map.blocks.size(); ++b)
    for (llvm::Instruction &i : *flow.blocks[b])
      if (!accessesOf(i).empty()) {
        uint32_t &first = map.blocks[b].memory;
        if (first == noIndex) {
          first = map.counterCount;
          map.counterCount += memoryCounters;
        }
        sites.push_back({&i, first});
      }
  return sites;
}

void insertPredictor(llvm::Function &f, const std::vector<PredictedSite> &sites,
                     Counters &counters) {
  Inserter inserter(f, counters);
  for (const PredictedSite &site : sites)
    inserter.insert(site);
}

} // namespace quincunx
