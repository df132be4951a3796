// Reads counts of the frontend's blocks off the code that is left of them.
// The idea: an instruction with effects is executed as often as its block was in the source; so is
// the end of a block, unless it was threaded past, and its arms are the ways on. A block that calls
// what may not come back is several, of which those behind are executed as often as it did. Where
// code was duplicated none of its places comes before the other, and they add up; where a body was
// inlined in the middle of a block the first place counts. Pure instructions say nothing, as they
// can be moved to where they are needed. It solves nothing (SourceBlocks.cpp).
#include "SourceBodies.h"

#include "Arms.h"
#include "SourceNotes.h"
#include "SourceWays.h"

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

/// Does a body of this entry stand around, or is this one?
bool stands(const SourceBody &in, const llvm::MDNode &entry) {
  const SourceBody *b = &in;
  while (b != nullptr && b->nodes[0].notes.front() != &entry)
    b = b->caller;
  return b != nullptr;
}

/// Calls `f` with the note and the place of each call of a node, and the entry of what is called.
template <class F> void forCalls(const SourceNode &node, F f) {
  for (const llvm::MDNode *note : node.notes) {
    const llvm::MDNode &calls = field(*note, NoteField::calls);
    for (unsigned i = 0; i + 1 < calls.getNumOperands(); i += 2)
      f(*note, *llvm::cast<llvm::DILocation>(calls.getOperand(i)),
        llvm::cast_or_null<llvm::MDNode>(calls.getOperand(i + 1).get()));
  }
}

/// Where a body was inlined of which nothing is left.
const llvm::DILocation *goneCall(const SourceBody &in, const llvm::DILocation &call) {
  return llvm::DILocation::getDistinct(call.getContext(), call.getLine(), call.getColumn(),
                                       call.getScope(),
                                       const_cast<llvm::DILocation *>(in.calledAt));
}

} // namespace

SourceBodies::SourceBodies(const llvm::Function &f, const IrFlow &f2, MayNotReturn cut)
    : flow(f2), own(f.getMetadata(blockKind)), looped(mayBeLooped(f, own)),
      tree(const_cast<llvm::Function &>(f)), onward(f2.blocks.size()), mayNotReturn(cut) {
  for (uint32_t b = 0; b < flow.blocks.size(); ++b)
    index[flow.blocks[b]] = b;
  for (uint32_t e = 0; e < flow.edges.size(); ++e) {
    const Edge &edge = flow.map.edges[e];
    if (edge.kind == EdgeKind::flow)
      edges[{flow.edges[e].from, flow.edges[e].to}] = e;
    if (edge.from != noIndex && edge.kind != EdgeKind::nonReturning && edge.kind != EdgeKind::stop)
      onward[edge.from].push_back(e);
  }
  for (uint32_t b = 0; b < flow.blocks.size(); ++b)
    for (const llvm::Instruction &i : *flow.blocks[b])
      collect(i, b);
}

/// Does the instruction stay where it is executed as often as in the source?
bool SourceBodies::stays(const llvm::Instruction &i) const {
  if (llvm::isa<llvm::IntrinsicInst>(i) && !llvm::isa<llvm::MemIntrinsic>(i))
    return false;
  if (llvm::isa<llvm::ReturnInst>(i))
    return !looped;
  if (!i.isTerminator() || i.getNumSuccessors() > 1)
    return i.mayHaveSideEffects() || i.isTerminator();
  // Equal jumps at the end of both arms become one in front of them: it has the note of one of
  // them, but the place of none.
  const llvm::MDNode *note = i.getMetadata(blockKind);
  const auto *jump = note ? optionalField<llvm::DILocation>(*note, NoteField::jump) : nullptr;
  return jump != nullptr && i.getDebugLoc() && samePlace(*jump, *i.getDebugLoc().get());
}

void SourceBodies::collect(const llvm::Instruction &i, uint32_t block) {
  const llvm::DILocation *at = i.getDebugLoc().get();
  const llvm::MDNode *note = i.getMetadata(blockKind);
  for (const llvm::DILocation *up = at; up != nullptr && up->getInlinedAt() != nullptr;
       up = up->getInlinedAt())
    inlinedAt[up->getInlinedAt()->getInlinedAt()].insert({up->getInlinedAt(), nullptr});
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&i); call != nullptr && note == nullptr)
    if (const auto *callee =
            llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts()))
      merged.insert(callee->getMetadata(blockKind));
  const bool isKept = note != nullptr && (at != nullptr || &field(*note, NoteField::entry) == own);
  collectDoubt(i, block, isKept);
  if (!isKept)
    return;
  const llvm::DILocation *calledAt = at != nullptr ? at->getInlinedAt() : nullptr;
  if (calledAt != nullptr)
    inlinedAt[calledAt->getInlinedAt()][calledAt] = &field(*note, NoteField::entry);
  if (stays(i))
    held[{note, calledAt}].push_back({block, at != nullptr ? at->getLine() : 0, &i});
}

void SourceBodies::collectDoubt(const llvm::Instruction &i, uint32_t block, bool isKept) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
  if (call != nullptr ? !isDoubtful(*call, mayNotReturn) : !llvm::isa<llvm::ResumeInst>(i))
    return;
  const llvm::DILocation *at = i.getDebugLoc().get();
  if (call != nullptr && isKept)
    doubtful[{i.getMetadata(blockKind), at != nullptr ? at->getInlinedAt() : nullptr}].push_back(
        {block, 0, &i});
  else if (at == nullptr || at->getLine() == 0 || at->getColumn() == 0) // merged: of several
    doubtAnywhere |= call != nullptr || at == nullptr;
  else if (call != nullptr)
    unnoted[at->getInlinedAt()].push_back({block, at->getLine(), &i});
  for (; at != nullptr && at->getInlinedAt() != nullptr; at = at->getInlinedAt())
    left.insert(at->getInlinedAt());
}

/// May the call that ends this part not have come back?
bool SourceBodies::leaks(const llvm::MDNode &note, const llvm::DILocation *calledAt) const {
  if (doubtful.contains({&note, calledAt}))
    return true;
  const auto *call = optionalField<llvm::DILocation>(note, NoteField::doubt);
  if (call == nullptr)
    return optionalField<llvm::MDNode>(note, NoteField::rest) != nullptr;
  if (const auto into = inlinedAt.find(calledAt); into != inlinedAt.end())
    for (const auto &[at, entry] : into->second)
      if (left.contains(at) && samePlace(*at, *call))
        return true;
  if (const auto made = unnoted.find(calledAt);
      made != unnoted.end() && llvm::any_of(made->second, [&](const Held &h) {
        return samePlace(*h.what->getDebugLoc().get(), *call);
      }))
    return true;
  const auto isThere = [&](const Held &h) {
    return llvm::isa<llvm::CallBase>(h.what) && h.what->getDebugLoc() &&
           samePlace(*h.what->getDebugLoc().get(), *call);
  };
  const auto found = held.find({&note, calledAt});
  return doubtAnywhere && (found == held.end() || llvm::none_of(found->second, isThere));
}

/// How many bodies stand in place of calls at this place?
unsigned SourceBodies::standIn(const llvm::DILocation &call,
                               const llvm::DILocation *calledAt) const {
  const auto into = inlinedAt.find(calledAt);
  return into == inlinedAt.end()
             ? 0
             : static_cast<unsigned>(llvm::count_if(
                   into->second, [&](const auto &body) { return samePlace(*body.first, call); }));
}

/// How often the call that ends this part came back, by what leads on from what is left of it.
std::optional<CountForm> SourceBodies::comesBack(const llvm::MDNode &note,
                                                 const llvm::DILocation *calledAt,
                                                 const std::vector<Held> &made) const {
  std::vector<Held> copies = made;
  if (const auto found = doubtful.find({&note, calledAt}); found != doubtful.end())
    llvm::append_range(copies, found->second);
  const auto *call = optionalField<llvm::DILocation>(note, NoteField::doubt);
  if (copies.empty() || (call != nullptr && standIn(*call, calledAt) != 0))
    return {};
  CountForm form;
  for (const Held &h : copies) {
    if (endOfFrame(*flow.blocks[h.block]) == h.what) // the frame ended before
      return {};
    // A call of a body that was inlined where exceptions are caught is an invoke now.
    const auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(h.what);
    for (const uint32_t e : onward[h.block])
      if (invoke == nullptr || flow.edges[e].to == invoke->getNormalDest())
        form[{true, e}] = 1;
  }
  return form;
}

/// By note: calls without one that can only have been made of a call there.
SourceBodies::MadeCalls SourceBodies::madeCalls(const SourceBody &body) const {
  MadeCalls out;
  const auto found = unnoted.find(body.calledAt);
  if (found == unnoted.end())
    return out;
  for (const Held &h : found->second) {
    llvm::SmallVector<const llvm::MDNode *, 2> from;
    for (const SourceNode &node : body.nodes)
      forCalls(node,
               [&](const llvm::MDNode &note, const llvm::DILocation &call, const llvm::MDNode *) {
                 if (samePlace(call, *h.what->getDebugLoc().get()))
                   from.push_back(&note);
               });
    if (from.size() == 1)
      out[from.front()].push_back(h);
  }
  return out;
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
      out->nodes.push_back(nodeFrom(note, calledAt));
    return it->second;
  };
  numberOf(entry);
  for (uint32_t n = 0; n < out->nodes.size(); ++n) {
    const llvm::MDNode &end = *out->nodes[n].notes.back();
    for (const llvm::MDOperand &next : field(end, NoteField::successors).operands()) {
      const uint32_t to = numberOf(*llvm::cast<llvm::MDNode>(next));
      out->nodes[n].out.push_back(static_cast<uint32_t>(out->arcs.size()));
      out->nodes[to].in.push_back(static_cast<uint32_t>(out->arcs.size()));
      out->arcs.push_back({n, to, {}});
    }
  }
  const MadeCalls made = madeCalls(*out);
  for (uint32_t n = 0; n < out->nodes.size(); ++n)
    read(*out, n, made);
  forgetJoined(*out);
  forgetPassedBy(*out);
  return out;
}

/// The node that begins with this part.
SourceNode SourceBodies::nodeFrom(const llvm::MDNode &first,
                                  const llvm::DILocation *calledAt) const {
  SourceNode node;
  for (const llvm::MDNode *part = &first; part != nullptr && !node.leaks;
       part = optionalField<llvm::MDNode>(*part, NoteField::rest)) {
    node.notes.push_back(part);
    node.leaks = leaks(*part, calledAt);
  }
  return node;
}

LineCounts SourceBodies::byLine(const std::vector<Held> &code) const {
  std::map<unsigned, std::vector<Held>> lines;
  for (const Held &h : code)
    if (h.line != 0)
      lines[h.line].push_back(h);
  LineCounts out;
  for (const auto &[line, own] : lines)
    out[line] = executions(own);
  return out;
}

void SourceBodies::read(SourceBody &body, uint32_t n, const MadeCalls &made) const {
  SourceNode &node = body.nodes[n];
  std::vector<Held> code, madeHere;
  for (const llvm::MDNode *note : node.notes) {
    if (const auto found = held.find({note, body.calledAt}); found != held.end())
      llvm::append_range(code, found->second);
    const auto found = made.find(note);
    madeHere = found != made.end() ? found->second : std::vector<Held>();
    llvm::append_range(code, madeHere);
  }
  const llvm::MDNode &end = *node.notes.back();
  if (optionalField<llvm::MDNode>(end, NoteField::rest) != nullptr)
    body.arcs[node.out[0]].count = comesBack(end, body.calledAt, madeHere);
  if (code.empty())
    return;
  std::vector<Held> effects;
  llvm::copy_if(code, std::back_inserter(effects),
                [](const Held &h) { return !h.what->isTerminator(); });
  if (!effects.empty())
    node.code = executions(effects);
  node.lines = byLine(effects);
  // Where an inlined call decides, the end may be passed by: its result needs no branch again.
  const auto *decider = optionalField<llvm::DILocation>(end, NoteField::decider);
  if (effects.size() < code.size() && (decider == nullptr || decides(body, n, *decider)))
    node.end = readEnd(body, n, code);
}

BlockEnd SourceBodies::readEnd(const SourceBody &body, uint32_t n,
                               const std::vector<Held> &code) const {
  BlockEnd end;
  std::vector<Held> copies;
  llvm::copy_if(code, std::back_inserter(copies),
                [](const Held &h) { return h.what->isTerminator(); });
  end.count = executions(copies);
  end.lines = byLine(code);
  std::map<uint32_t, size_t> told; // by arc: copies
  for (const Held &h : copies)
    for (const auto &[arc, to] : waysOf(body, n, *h.what)) {
      end.ways[arc][{true, edges.lookup({flow.blocks[h.block], to})}] = 1;
      ++told[arc];
    }
  std::erase_if(end.ways, [&](const auto &way) { return told[way.first] != copies.size(); });
  return end;
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

/// Is the call at this place, in the block of which the node is the end, still one?
bool SourceBodies::decides(const SourceBody &body, uint32_t n, const llvm::DILocation &call) const {
  const SourceNode &node = body.nodes[n];
  if (llvm::any_of(node.notes,
                   [&](const llvm::MDNode *note) { return survives(body, *note, call); }))
    return true;
  const auto isBefore = [&](uint32_t a) {
    return optionalField<llvm::MDNode>(*body.nodes[body.arcs[a].from].notes.back(),
                                       NoteField::rest) == node.notes.front();
  };
  return node.in.size() == 1 && isBefore(node.in[0]) &&
         decides(body, body.arcs[node.in[0]].from, call);
}

std::vector<InlinedCall> SourceBodies::inlined(const SourceBody &in) const {
  std::vector<InlinedCall> out;
  const auto into = inlinedAt.find(in.calledAt);
  if (into == inlinedAt.end())
    return out;
  std::map<const llvm::DILocation *, std::vector<uint32_t>> callers;
  Inlined entries = into->second;
  for (uint32_t n = 0; n < in.nodes.size(); ++n)
    forCalls(in.nodes[n],
             [&](const llvm::MDNode &, const llvm::DILocation &call, const llvm::MDNode *callee) {
               for (auto &[at, entry] : entries)
                 if (samePlace(*at, call)) {
                   callers[at].push_back(n);
                   if (entry == nullptr)
                     entry = callee;
                 }
             });
  for (const auto &[at, entry] : entries) {
    if (entry == nullptr)
      continue;
    out.push_back({entry, at});
    const std::vector<uint32_t> &from = callers[at];
    if (from.empty() || !llvm::all_equal(from))
      continue;
    out.back().from = from.front();
    const SourceNode &node = in.nodes[from.front()];
    const llvm::MDNode &end = *node.notes.back();
    const auto *last = optionalField<llvm::DILocation>(end, NoteField::doubt);
    const auto isLeft = [&](const llvm::MDNode *note) { return survives(in, *note, *at); };
    out.back().isAlone =
        from.size() == 1 && standIn(*at, in.calledAt) == 1 && llvm::none_of(node.notes, isLeft);
    if (out.back().isAlone && node.leaks && !node.out.empty() && last != nullptr &&
        samePlace(*last, *at))
      out.back().onward = node.out[0]; // that of an invoke, too
  }
  return out;
}

std::vector<GoneCall> SourceBodies::gone(const SourceBody &in) const {
  std::vector<GoneCall> out;
  const auto into = inlinedAt.find(in.calledAt);
  for (const SourceNode &node : in.nodes)
    forCalls(node, [&](const llvm::MDNode &note, const llvm::DILocation &call,
                       const llvm::MDNode *callee) {
      if (callee == nullptr || callee == own || merged.contains(callee) || stands(in, *callee) ||
          survives(in, note, call))
        return;
      if (into == inlinedAt.end() || llvm::none_of(into->second, [&](const auto &body) {
            return samePlace(*body.first, call);
          }))
        out.push_back({callee, goneCall(in, call), node.count});
    });
  return out;
}

} // namespace quincunx
