// Reads counts of the frontend's blocks off the code that is left of them.
// The idea: an instruction with effects is executed as often as its block was in the source; so is
// the end of a block, and its arms are the ways on. Where code was duplicated none of its places
// comes before the other, and they add up; where a body was inlined in the middle of a block the
// first place counts. Pure instructions say nothing, as they can be moved to where they are needed.
// It solves nothing (SourceBlocks.cpp).
#include "SourceBodies.h"

#include "Arms.h"
#include "SourceNotes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"

namespace quincunx {

namespace {

/// Does a function whose blocks begin so call itself, or has such a call become a jump?
bool mayBeLooped(const llvm::Function &f, const llvm::MDNode *entry) {
  if (f.hasOptNone())
    return false;
  if (llvm::any_of(f, [](const auto &b) { return b.getName().starts_with("tailrecurse"); }))
    return true;
  llvm::SmallSetVector<const llvm::MDNode *, 32> blocks;
  if (entry != nullptr)
    blocks.insert(entry);
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (llvm::is_contained(field(*blocks[i], NoteField::calls).operands(), entry))
      return true;
    for (const llvm::MDOperand &next : field(*blocks[i], NoteField::successors).operands())
      blocks.insert(llvm::cast<llvm::MDNode>(next));
  }
  return false;
}

bool samePlace(const llvm::DILocation &a, const llvm::DILocation &b) {
  return a.getLine() == b.getLine() && a.getColumn() == b.getColumn() &&
         a.getScope() == b.getScope();
}

/// Does a body of this entry stand around, or is this one?
bool stands(const SourceBody &in, const llvm::MDNode &entry) {
  const SourceBody *b = &in;
  while (b != nullptr && b->nodes[0].note != &entry)
    b = b->caller;
  return b != nullptr;
}

/// Where a body was inlined of which nothing is left.
const llvm::DILocation *goneCall(const SourceBody &in, const llvm::DILocation &call) {
  return llvm::DILocation::getDistinct(call.getContext(), call.getLine(), call.getColumn(),
                                       call.getScope(),
                                       const_cast<llvm::DILocation *>(in.calledAt));
}

} // namespace

SourceBodies::SourceBodies(const llvm::Function &f, const IrFlow &f2)
    : flow(f2), own(f.getMetadata(blockKind)), looped(mayBeLooped(f, own)),
      tree(const_cast<llvm::Function &>(f)) {
  for (uint32_t b = 0; b < flow.blocks.size(); ++b)
    index[flow.blocks[b]] = b;
  for (uint32_t e = 0; e < flow.edges.size(); ++e)
    if (flow.map.edges[e].kind == EdgeKind::flow)
      edges[{flow.edges[e].from, flow.edges[e].to}] = e;
  for (uint32_t b = 0; b < flow.blocks.size(); ++b)
    for (const llvm::Instruction &i : *flow.blocks[b])
      collect(i, b);
}

/// Does the instruction stay where it is executed as often as in the source?
bool SourceBodies::stays(const llvm::Instruction &i) const {
  if (llvm::isa<llvm::IntrinsicInst>(i) && !llvm::isa<llvm::MemIntrinsic>(i))
    return false;
  return i.isTerminator() ? !looped || !llvm::isa<llvm::ReturnInst>(i) : i.mayHaveSideEffects();
}

void SourceBodies::collect(const llvm::Instruction &i, uint32_t block) {
  const llvm::DILocation *at = i.getDebugLoc().get();
  const llvm::MDNode *note = i.getMetadata(blockKind);
  for (const llvm::DILocation *up = at; up != nullptr && up->getInlinedAt() != nullptr;
       up = up->getInlinedAt())
    inlinedAt[up->getInlinedAt()->getInlinedAt()].try_emplace(up->getInlinedAt(), nullptr);
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&i); call != nullptr && note == nullptr)
    if (const auto *callee =
            llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts()))
      merged.insert(callee->getMetadata(blockKind));
  if (note == nullptr || (at == nullptr && &field(*note, NoteField::entry) != own))
    return;
  const llvm::DILocation *calledAt = at != nullptr ? at->getInlinedAt() : nullptr;
  if (calledAt != nullptr)
    inlinedAt[calledAt->getInlinedAt()][calledAt] = &field(*note, NoteField::entry);
  if (stays(i))
    held[{note, calledAt}].push_back({block, at != nullptr ? at->getLine() : 0, &i});
}

/// Of the places of a block's code those that come first; they exclude each other.
CountForm SourceBodies::executions(const std::vector<Held> &all) const {
  CountForm form;
  for (const Held &h : all)
    if (llvm::none_of(all, [&](const Held &other) {
          return other.block != h.block &&
                 tree.dominates(flow.blocks[other.block], flow.blocks[h.block]);
        }))
      form[{false, h.block}] = 1;
  return form;
}

std::unique_ptr<SourceBody> SourceBodies::body(const llvm::MDNode &entry, const SourceBody *caller,
                                               const llvm::DILocation *calledAt) const {
  auto out = std::make_unique<SourceBody>();
  out->caller = caller;
  out->calledAt = calledAt;
  llvm::DenseMap<const llvm::MDNode *, uint32_t> number;
  const auto numberOf = [&](const llvm::MDNode &note) {
    const auto [it, fresh] = number.try_emplace(&note, out->nodes.size());
    if (fresh)
      out->nodes.push_back({&note, {}, {}, {}, {}});
    return it->second;
  };
  numberOf(entry);
  for (uint32_t n = 0; n < out->nodes.size(); ++n)
    for (const llvm::MDOperand &next :
         field(*out->nodes[n].note, NoteField::successors).operands()) {
      const uint32_t to = numberOf(*llvm::cast<llvm::MDNode>(next));
      out->nodes[n].out.push_back(static_cast<uint32_t>(out->arcs.size()));
      out->nodes[to].in.push_back(static_cast<uint32_t>(out->arcs.size()));
      out->arcs.push_back({n, to, {}});
    }
  for (uint32_t n = 0; n < out->nodes.size(); ++n)
    read(*out, n);
  return out;
}

void SourceBodies::read(SourceBody &body, uint32_t n) const {
  SourceNode &node = body.nodes[n];
  const auto found = held.find({node.note, body.calledAt});
  if (found == held.end())
    return;
  std::vector<Held> code = found->second;
  // Where an inlined call decides, the end may be passed by: its result needs no branch again.
  const llvm::Metadata *decider =
      node.note->getOperand(static_cast<unsigned>(NoteField::decider)).get();
  if (decider != nullptr && !survives(body, *node.note, *llvm::cast<llvm::DILocation>(decider)))
    std::erase_if(code, [](const Held &h) { return h.what->isTerminator(); });
  if (code.empty())
    return;
  node.count = executions(code);
  std::map<unsigned, std::vector<Held>> lines;
  for (const Held &h : code) {
    if (h.line != 0)
      lines[h.line].push_back(h);
    if (h.what->isTerminator() && h.what->getNumSuccessors() == 2)
      readArms(body, n, h);
  }
  for (const auto &[line, own] : lines)
    node.lines[line] = executions(own);
}

/// The ways on from a block whose end, or one copy of it, is left.
void SourceBodies::readArms(SourceBody &body, uint32_t n, const Held &end) const {
  const SourceNode &node = body.nodes[n];
  const llvm::BasicBlock *b = flow.blocks[end.block];
  const llvm::BasicBlock *to[2] = {end.what->getSuccessor(0), end.what->getSuccessor(1)};
  if (node.out.size() != 2 || to[0] == to[1])
    return;
  unsigned first = 0; // the successor that is out[0]
  if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(end.what)) {
    const std::optional<unsigned> arm = trueArm(*branch);
    const llvm::MDNode *yes = trueSide(*branch);
    if (!arm || yes == nullptr)
      return;
    first = body.nodes[body.arcs[node.out[0]].to].note == yes ? *arm : 1 - *arm;
  } else if (!llvm::isa<llvm::InvokeInst>(end.what)) {
    return;
  }
  for (const unsigned i : {0u, 1u}) {
    std::optional<CountForm> &count = body.arcs[node.out[i]].count;
    if (!count)
      count.emplace();
    (*count)[{true, edges.lookup({b, to[i == 0 ? first : 1 - first]})}] = 1;
  }
}

/// Is the call at this place still one?
bool SourceBodies::survives(const SourceBody &in, const llvm::MDNode &note,
                            const llvm::DILocation &call) const {
  const auto found = held.find({&note, in.calledAt});
  return found != held.end() && llvm::any_of(found->second, [&](const Held &h) {
           return llvm::isa<llvm::CallBase>(h.what) && h.what->getDebugLoc() &&
                  samePlace(*h.what->getDebugLoc().get(), call);
         });
}

std::vector<std::unique_ptr<SourceBody>> SourceBodies::inlined(const SourceBody &in) const {
  std::vector<std::unique_ptr<SourceBody>> out;
  std::map<const llvm::DILocation *, std::vector<const SourceNode *>> callers;
  std::map<const llvm::DILocation *, const llvm::MDNode *> entries;
  llvm::SmallPtrSet<const llvm::DILocation *, 8> gone;
  if (const auto into = inlinedAt.find(in.calledAt); into != inlinedAt.end())
    entries = into->second;
  for (const SourceNode &node : in.nodes) {
    const llvm::MDNode &calls = field(*node.note, NoteField::calls);
    for (unsigned i = 0; i + 1 < calls.getNumOperands(); i += 2) {
      const auto &call = *llvm::cast<llvm::DILocation>(calls.getOperand(i));
      const auto *callee = llvm::cast_or_null<llvm::MDNode>(calls.getOperand(i + 1).get());
      bool found = survives(in, *node.note, call);
      for (auto &[at, entry] : entries)
        if (samePlace(*at, call)) {
          found = true;
          callers[at].push_back(&node);
          if (entry == nullptr)
            entry = callee;
        }
      if (!found && callee != nullptr && !merged.contains(callee) && !stands(in, *callee)) {
        const llvm::DILocation *at = goneCall(in, call);
        entries[at] = callee;
        callers[at].push_back(&node);
        gone.insert(at);
      }
    }
  }
  for (const auto &[at, entry] : entries) {
    if (entry == nullptr)
      continue;
    out.push_back(body(*entry, &in, at));
    out.back()->gone = gone.contains(at);
    const std::vector<const SourceNode *> &from = callers[at];
    if (!from.empty() && llvm::all_equal(from))
      out.back()->entered = from.front()->count;
  }
  return out;
}

} // namespace quincunx
