// A counter's address is the address of its word in the image plus this thread's distance, computed
// on integers: for the optimiser the result points into nothing it knows, which is the truth. One
// such base serves all words of a function, and instructions reach them from there. The
// distance never changes under a running function, so its load is invariant and ends up once on the
// paths that count. Position-independent code may run in threads that have no arena yet and asks
// for one on entry.
#include "Counters.h"

#include "quincunx/abi.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace quincunx {

bool isSharedCode(const llvm::Module &m) {
  return m.getPICLevel() != llvm::PICLevel::NotPIC && m.getPIELevel() == llvm::PIELevel::Default;
}

namespace {

bool isX86(const llvm::Module &m) {
  return llvm::Triple(m.getTargetTriple()).getArch() == llvm::Triple::x86_64;
}

llvm::GlobalVariable *distance(llvm::Module &m, const char *name) {
  if (auto *known = m.getNamedGlobal(name))
    return known;
  auto *v = new llvm::GlobalVariable(m, llvm::Type::getInt64Ty(m.getContext()), false,
                                     llvm::GlobalValue::ExternalLinkage, nullptr, name, nullptr,
                                     isSharedCode(m) ? llvm::GlobalValue::InitialExecTLSModel
                                                     : llvm::GlobalValue::LocalExecTLSModel);
  v->setVisibility(llvm::GlobalValue::HiddenVisibility);
  v->setDSOLocal(true);
  return v;
}

/// The root of the module's own type tree. Without one (-fno-strict-aliasing, or a function that
/// has no memory of its own) our kinds are told from each other only.
llvm::MDNode *aliasRoot(llvm::Function &f) {
  for (const llvm::BasicBlock &b : f)
    for (const llvm::Instruction &i : b) {
      const llvm::MDNode *tag = i.getMetadata(llvm::LLVMContext::MD_tbaa);
      if (tag == nullptr || tag->getNumOperands() < 3)
        continue;
      const auto *node = llvm::dyn_cast<llvm::MDNode>(tag->getOperand(1));
      while (node != nullptr && node->getNumOperands() >= 2) {
        const auto *parent = llvm::dyn_cast_or_null<llvm::MDNode>(node->getOperand(1).get());
        if (parent == nullptr)
          break;
        node = parent;
      }
      if (node != nullptr && node->getNumOperands() == 1)
        return const_cast<llvm::MDNode *>(node);
    }
  return llvm::MDBuilder(f.getContext()).createTBAARoot("quincunx");
}

/// Is it of the type of what libc calls in threads of its own (SIGEV_THREAD), void (union sigval)?
/// Such a union is passed as a pointer that may be undefined. In C++ so are other classes, but
/// names tell.
bool isNotified(const llvm::Function &f) {
  return f.getReturnType()->isVoidTy() && f.arg_size() == 1 && !f.isVarArg() &&
         f.getArg(0)->getType()->isPointerTy() &&
         !f.hasParamAttribute(0, llvm::Attribute::NoUndef) &&
         !f.getArg(0)->hasPassPointeeByValueCopyAttr() &&
         (!f.getName().starts_with("_Z") || f.getName().contains("6sigval"));
}

/// Asks for an arena.
llvm::CallInst *attach(llvm::IRBuilder<> &at, llvm::Function &f) {
  llvm::FunctionCallee attach = f.getParent()->getOrInsertFunction(
      QX_ATTACH_SYMBOL, llvm::FunctionType::get(at.getVoidTy(), false));
  auto *callee = llvm::cast<llvm::Function>(attach.getCallee());
  callee->setVisibility(llvm::GlobalValue::HiddenVisibility);
  callee->addFnAttr(llvm::Attribute::Cold);
  callee->setDoesNotThrow();
  llvm::CallInst *call = at.CreateCall(attach);
  call->setDoesNotThrow();
  if (llvm::DISubprogram *s = f.getSubprogram())
    call->setDebugLoc(llvm::DILocation::get(f.getContext(), 0, 0, s));
  return call;
}

} // namespace

llvm::MDNode *aliasTag(llvm::Function &f, llvm::StringRef kind) {
  llvm::MDBuilder md(f.getContext());
  auto *type = md.createTBAAScalarTypeNode(kind, aliasRoot(f));
  return md.createTBAAStructTagNode(type, type, 0);
}

Counters::Counters(llvm::Function &function, const Storage &s, Clock *c, bool again)
    : f(function), storage(s), clock(c), delta(distance(*function.getParent(), QX_DELTA_SYMBOL)),
      alias(aliasTag(function, "quincunx counter")),
      stateAlias(aliasTag(function, "quincunx state")),
      placeAlias(aliasTag(function, "quincunx place")),
      rereads(again && !function.hasOptNone() && isX86(*function.getParent()) &&
              function.getParent()->getCodeModel().value_or(llvm::CodeModel::Small) ==
                  llvm::CodeModel::Small),
      varies(function.isPresplitCoroutine() || isNotified(function)) {
  prologue = clock != nullptr ? clock->first() : nullptr;
  const bool shared = isSharedCode(*f.getParent());
  if (function.isPresplitCoroutine() || !(shared || varies))
    return;
  llvm::Instruction *place = &*f.getEntryBlock().getFirstInsertionPt();
  while (llvm::isa<llvm::AllocaInst>(place))
    place = place->getNextNode();
  llvm::IRBuilder<> at(place);
  // In an executable no load may come before the call: what is inlined takes the distance for
  // constant.
  llvm::Instruction *first = nullptr;
  if (shared)
    first = onEntry = at.CreateLoad(at.getInt64Ty(), at.CreateThreadLocalAddress(delta));
  else
    first = attach(at, f);
  if (prologue == nullptr)
    prologue = first;
}

void keepAllocas(llvm::BasicBlock &entry, llvm::BasicBlock &tail) {
  for (llvm::Instruction &i : llvm::make_early_inc_range(tail))
    if (auto *object = llvm::dyn_cast<llvm::AllocaInst>(&i);
        object != nullptr && llvm::isa<llvm::ConstantInt>(object->getArraySize()))
      object->moveBefore(entry, entry.getFirstInsertionPt());
}

/// if (distance == 0) { attach(); distance = load again; } right after the load on entry.
void Counters::attachOnEntry() {
  llvm::BasicBlock *entry = onEntry->getParent();
  llvm::IRBuilder<> at(onEntry->getNextNode());
  llvm::MDBuilder md(f.getContext());
  llvm::Value *isNull = at.CreateIsNull(onEntry);
  llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(isNull, at.GetInsertPoint(), false,
                                                            md.createUnlikelyBranchWeights());
  at.SetInsertPoint(then);
  attach(at, f);
  llvm::Value *second = at.CreateLoad(at.getInt64Ty(), at.CreateThreadLocalAddress(delta));
  llvm::BasicBlock *tail = then->getSuccessor(0);
  at.SetInsertPoint(&tail->front());
  llvm::PHINode *phi = at.CreatePHI(at.getInt64Ty(), 2);
  onEntry->replaceUsesWithIf(phi, [&](llvm::Use &u) { return u.getUser() != isNull; });
  phi->addIncoming(onEntry, entry);
  phi->addIncoming(second, then->getParent());
  keepAllocas(*entry, *tail);
}

/// An instruction that yields what only this thread knows, as the optimiser sees it: so the result
/// is shared between calls, and made again behind each. The code generator takes an address that it
/// can make again for constant, and keeps it in a register over calls, which the frame has to save.
llvm::Value *Counters::read(llvm::IRBuilder<> &at, const char *code, llvm::GlobalVariable *symbol) {
  auto *type = llvm::FunctionType::get(at.getInt64Ty(), {symbol->getType()}, false);
  llvm::CallInst *call =
      at.CreateCall(llvm::InlineAsm::get(type, code, "=r,i", /*hasSideEffects=*/false), {symbol});
  call->setOnlyReadsMemory();
  call->setDoesNotThrow();
  call->addFnAttr(llvm::Attribute::WillReturn);
  call->setMetadata(llvm::LLVMContext::MD_tbaa, placeAlias);
  return call;
}

/// The address of the first counter, a number.
llvm::Value *Counters::first(llvm::IRBuilder<> &at) {
  if (rereads) {
    const char *code = isSharedCode(*f.getParent())
                           ? "movq ${1:c}@GOTTPOFF(%rip), $0\n\tmovq %fs:($0), $0"
                           : "movq %fs:${1:c}@TPOFF, $0";
    return at.CreateAdd(read(at, "leaq ${1:c}(%rip), $0", storage.counters), read(at, code, delta));
  }
  llvm::Value *d = onEntry;
  if (d == nullptr) {
    auto *load = at.CreateLoad(at.getInt64Ty(), at.CreateThreadLocalAddress(delta));
    if (!varies)
      load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                        llvm::MDNode::get(f.getContext(), {}));
    d = load;
  }
  return at.CreateAdd(at.CreatePtrToInt(storage.counters, at.getInt64Ty()), d);
}

llvm::Value *Counters::word(llvm::IRBuilder<> &at, uint32_t index) {
  return at.CreateConstGEP1_64(at.getInt64Ty(), at.CreateIntToPtr(first(at), at.getPtrTy()), index);
}

llvm::Value *Counters::state(llvm::IRBuilder<> &at, uint32_t index) {
  auto *d =
      at.CreateLoad(at.getInt64Ty(),
                    at.CreateThreadLocalAddress(distance(*f.getParent(), QX_STATE_DELTA_SYMBOL)));
  if (!varies && !isSharedCode(*f.getParent())) // there it may be set on entry
    d->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(f.getContext(), {}));
  d->setMetadata(llvm::LLVMContext::MD_tbaa, stateAlias);
  llvm::Value *first = at.CreateAdd(at.CreatePtrToInt(storage.state, at.getInt64Ty()), d);
  return at.CreateConstGEP1_64(at.getInt64Ty(), at.CreateIntToPtr(first, at.getPtrTy()), index);
}

llvm::Value *Counters::loadState(llvm::IRBuilder<> &at, llvm::Value *word, llvm::Type *type) const {
  llvm::LoadInst *load = at.CreateAlignedLoad(type, word, llvm::Align(8));
  load->setMetadata(llvm::LLVMContext::MD_tbaa, stateAlias);
  return load;
}

void Counters::storeState(llvm::IRBuilder<> &at, llvm::Value *value, llvm::Value *word) const {
  llvm::StoreInst *store = at.CreateAlignedStore(value, word, llvm::Align(8));
  store->setMetadata(llvm::LLVMContext::MD_tbaa, stateAlias);
}

void Counters::tag(llvm::Instruction &access) const {
  access.setMetadata(llvm::LLVMContext::MD_tbaa, alias);
}

namespace {

/// One instruction, which no signal handler that counts the same comes in the middle of. With
/// optimisation the code generator makes one of load, add and store; at -O0 it leaves three, and
/// locks what is atomic, be it for one thread.
void growAtOnce(llvm::IRBuilder<> &at, llvm::Value *word, llvm::Value *amount) {
  auto *type = llvm::FunctionType::get(
      at.getVoidTy(), {word->getType(), amount->getType(), word->getType()}, false);
  llvm::CallInst *call = at.CreateCall(
      llvm::InlineAsm::get(type, "addq $1, $0", "=*m,er,*m,~{flags}", /*hasSideEffects=*/true),
      {word, amount, word});
  for (const unsigned pointer : {0u, 2u})
    call->addParamAttr(pointer, llvm::Attribute::get(at.getContext(), llvm::Attribute::ElementType,
                                                     at.getInt64Ty()));
  call->setDoesNotThrow();
}

} // namespace

void Counters::grow(llvm::IRBuilder<> &at, llvm::Value *word, llvm::Value *amount) const {
  if (f.hasOptNone() && isX86(*f.getParent()))
    return growAtOnce(at, word, amount);
  llvm::LoadInst *load = at.CreateAlignedLoad(at.getInt64Ty(), word, llvm::Align(8));
  tag(*load);
  tag(*at.CreateAlignedStore(at.CreateAdd(load, amount), word, llvm::Align(8)));
}

llvm::CallInst *Counters::callRuntime(llvm::IRBuilder<> &at, const char *name, llvm::Type *result,
                                      llvm::ArrayRef<llvm::Value *> arguments) const {
  llvm::SmallVector<llvm::Type *, 4> types;
  for (const llvm::Value *a : arguments)
    types.push_back(a->getType());
  llvm::Module &m = *f.getParent();
  auto *callee = llvm::cast<llvm::Function>(
      m.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false)).getCallee());
  if (!callee->hasHiddenVisibility()) {
    callee->setVisibility(llvm::GlobalValue::HiddenVisibility);
    callee->setDSOLocal(true);
    callee->setDoesNotThrow();
    callee->setWillReturn();
    callee->addFnAttr(llvm::Attribute::NoCallback);
    if (isX86(m))
      callee->setCallingConv(llvm::CallingConv::PreserveMost);
  }
  llvm::CallInst *call = at.CreateCall(callee, arguments);
  call->setDoesNotThrow();
  call->setCallingConv(callee->getCallingConv());
  if (llvm::DISubprogram *s = f.getSubprogram())
    call->setDebugLoc(llvm::DILocation::get(f.getContext(), 0, 0, s));
  return call;
}

llvm::Instruction *Counters::start(llvm::Instruction *place) const {
  return prologue != nullptr && place->getParent() == prologue->getParent() &&
                 !prologue->comesBefore(place)
             ? prologue->getNextNode()
             : place;
}

void Counters::add(uint32_t index, llvm::Instruction *place, llvm::Value *amount) {
  llvm::IRBuilder<> at(start(place));
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  grow(at, word(at, index), amount);
  if (clock != nullptr)
    clock->advance(at, index, amount);
}

void Counters::increment(uint32_t index, llvm::Instruction *place) {
  add(index, place, llvm::ConstantInt::get(llvm::Type::getInt64Ty(f.getContext()), 1));
}

void Counters::keepLocal(uint32_t index, llvm::Instruction *place, llvm::Loop &l) {
  llvm::IRBuilder<> at(&*f.getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst *sum = at.CreateAlloca(at.getInt64Ty());
  locals.push_back(sum);
  at.SetInsertPoint(l.getLoopPreheader()->getTerminator());
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  at.CreateStore(at.getInt64(0), sum);
  at.SetInsertPoint(place);
  at.SetCurrentDebugLocation(llvm::DebugLoc());
  at.CreateStore(at.CreateAdd(at.CreateLoad(at.getInt64Ty(), sum), at.getInt64(1)), sum);
  llvm::SmallVector<llvm::BasicBlock *, 4> exits;
  l.getUniqueExitBlocks(exits);
  for (llvm::BasicBlock *exit : exits) {
    llvm::Instruction *first = &*exit->getFirstInsertionPt();
    at.SetInsertPoint(first);
    at.SetCurrentDebugLocation(llvm::DebugLoc());
    add(index, first, at.CreateLoad(at.getInt64Ty(), sum));
  }
}

void Counters::finish() {
  if (onEntry != nullptr)
    attachOnEntry();
  if (clock != nullptr && clock->local() != nullptr)
    locals.push_back(clock->local());
  if (locals.empty())
    return;
  llvm::DominatorTree tree(f);
  llvm::PromoteMemToReg(locals, tree);
}

bool canCount(const IrFlow &flow, uint32_t edge, bool &needsBlock) {
  const IrEdge &e = flow.edges[edge];
  needsBlock = false;
  if (e.from == nullptr || e.to == nullptr || e.from->getUniqueSuccessor() == e.to ||
      e.to->getUniquePredecessor() == e.from)
    return true;
  needsBlock = true;
  return !e.to->isEHPad();
}

/// An edge of an indirect jump cannot be split: it is passed when the jump's address is its
/// block's.
void Counters::count(const IrFlow &flow, uint32_t edge) {
  const uint32_t index = flow.map.edges[edge].counter;
  const IrEdge &e = flow.edges[edge];
  bool needsBlock = false;
  auto *jump = e.from != nullptr && canCount(flow, edge, needsBlock) && needsBlock
                   ? llvm::dyn_cast<llvm::IndirectBrInst>(e.from->getTerminator())
                   : nullptr;
  if (jump == nullptr)
    return increment(index, placeOnEdge(flow, edge));
  llvm::IRBuilder<> at(jump);
  llvm::Value *passed = at.CreateICmpEQ(jump->getAddress(), llvm::BlockAddress::get(&f, e.to));
  add(index, jump, at.CreateZExt(passed, at.getInt64Ty()));
}

llvm::Instruction *placeOnEdge(const IrFlow &flow, uint32_t edge) {
  const IrEdge &e = flow.edges[edge];
  const EdgeKind kind = flow.map.edges[edge].kind;
  auto start = [](llvm::BasicBlock *b) { return &*b->getFirstInsertionPt(); };
  if (kind == EdgeKind::entry)
    return start(e.to);
  if (kind == EdgeKind::stop)
    return start(e.from); // whatever stops here is not come back from
  llvm::Instruction *last = e.from->getTerminator();
  if (kind == EdgeKind::leave)
    if (const llvm::Instruction *end = endOfFrame(*e.from))
      last = const_cast<llvm::Instruction *>(end);
  if (e.to == nullptr || e.from->getUniqueSuccessor() == e.to)
    return last;
  if (e.to->getUniquePredecessor() == e.from)
    return start(e.to);
  const unsigned which = llvm::GetSuccessorNumber(e.from, e.to);
  llvm::BasicBlock *between = llvm::SplitCriticalEdge(
      last, which, llvm::CriticalEdgeSplittingOptions().setMergeIdenticalEdges());
  assert(between != nullptr && "an edge was chosen that cannot be split");
  return between->getTerminator();
}

} // namespace quincunx
