// Solves the counts of the frontend's blocks and writes them down by line.
// The idea: what enters a block leaves it, in the frontend's graph as in any other. Counts that
// can be read off what is left of the code (SourceBodies.cpp) are carried on to blocks of which
// nothing is left: the only way in or out that is missing is what the others lack. What stays
// unknown (one side of a branch that became a select) is left unknown, with the nearest block that
// alone leads there: where that was not executed, neither was this. Reference:
// docs/03-runs-kept-apart.md.
#include "Circulation.h"
#include "SourceBodies.h"
#include "SourceNotes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <deque>

namespace quincunx {

namespace {

/// Sums of more terms are not known: they would be long, and are rare.
constexpr size_t mostTerms = 16;
/// Bodies inlined into bodies are followed so deep.
constexpr unsigned mostDepth = 16;

using MaybeCount = std::optional<CountForm>;

/// `a` + `times` x `b`; nothing when it is too long.
MaybeCount sum(const CountForm &a, const CountForm &b, int times) {
  CountForm out(a);
  for (const auto &[term, n] : b)
    if ((out[term] += times * n) == 0)
      out.erase(term);
  return out.size() > mostTerms ? MaybeCount() : out;
}

class Solver {
public:
  Solver(SourceBody &b, const Circulation &c)
      : body(b), circulation(c), waiting(b.nodes.size(), false) {}

  /// Blocks are believed one by one, from the entry on. What is left of one tells its count; but
  /// copies of its end may have been threaded past, which shows where the count is known otherwise.
  void solve() {
    for (uint32_t n = 0; n < body.nodes.size(); ++n)
      await(n);
    propagate();
    for (const uint32_t n : fromEntry()) {
      SourceNode &node = body.nodes[n];
      if (node.code && (!node.count || !agree(node.count, *node.code))) {
        node.count = node.code;
        awaitAround(n);
      }
      if (node.end && fits(n))
        take(n);
      propagate();
    }
  }

  /// Is told the count of a node, or of an arc.
  void learnNode(uint32_t node, const MaybeCount &count) {
    learn(body.nodes[node].count, count, node);
  }
  void learnArc(uint32_t arc, const MaybeCount &count) {
    learn(body.arcs[arc].count, count, body.arcs[arc].from);
  }

private:
  using Ways = llvm::SmallVector<MaybeCount *, 4>;

  /// Nodes before those that they lead to, but for loops.
  std::vector<uint32_t> fromEntry() const {
    std::vector<uint32_t> order;
    std::vector<bool> seen(body.nodes.size());
    std::vector<std::pair<uint32_t, size_t>> path{{0, 0}}; // node, next of its arcs
    seen[0] = true;
    while (!path.empty()) {
      auto &[n, next] = path.back();
      if (next == body.nodes[n].out.size()) {
        order.push_back(n);
        path.pop_back();
      } else if (const uint32_t to = body.arcs[body.nodes[n].out[next++]].to; !seen[to]) {
        seen[to] = true;
        path.emplace_back(to, 0);
      }
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

  bool agree(const MaybeCount &a, const CountForm &b) const {
    return !a || circulation.same(*a, b);
  }

  /// Was the way to the block a case that may have been joined with an equal one?
  bool maybeJoined(const SourceNode &node) const {
    return llvm::any_of(node.in, [&](uint32_t a) {
      const SourceNode &from = body.nodes[body.arcs[a].from];
      return optionalField<llvm::MDNode>(*from.notes.back(), NoteField::cases) &&
             !body.arcs[a].count;
    });
  }

  /// Does the end say nothing else than what is known?
  bool fits(uint32_t n) const {
    const SourceNode &node = body.nodes[n];
    if (node.out.size() == 1 && maybeJoined(node))
      return false;
    MaybeCount all = CountForm();
    for (const auto &[arc, count] : node.end->ways) {
      const SourceNode &to = body.nodes[body.arcs[arc].to];
      if (!agree(body.arcs[arc].count, count) || (to.in.size() == 1 && !agree(to.code, count)))
        return false;
      all = all ? sum(*all, count, 1) : all;
    }
    if (all && !node.leaks && !node.out.empty() && node.end->ways.size() == node.out.size() &&
        !agree(all, node.end->count))
      return false;
    return agree(node.count, node.end->count);
  }

  void take(uint32_t n) {
    SourceNode &node = body.nodes[n];
    if (!node.count)
      node.count = node.end->count;
    for (const auto &[arc, count] : node.end->ways)
      if (!body.arcs[arc].count)
        body.arcs[arc].count = count;
    node.lines = node.end->lines;
    awaitAround(n);
  }

  void propagate() {
    while (!queue.empty()) {
      const uint32_t n = queue.front();
      queue.pop_front();
      waiting[n] = false;
      MaybeCount &count = body.nodes[n].count;
      if (balance(count, waysIn(n)) | balance(count, waysOut(n)) | join(n))
        awaitAround(n);
    }
  }

  void await(uint32_t n) {
    if (!waiting[n])
      queue.push_back(n);
    waiting[n] = true;
  }
  /// All that may follow from a node or its arcs.
  void awaitAround(uint32_t n) {
    await(n);
    for (const uint32_t a : body.nodes[n].in)
      await(body.arcs[a].from);
    for (const uint32_t a : body.nodes[n].out) {
      await(body.arcs[a].to);
      for (const uint32_t next : body.nodes[body.arcs[a].to].out)
        await(body.arcs[next].to);
    }
  }

  Ways waysIn(uint32_t n) {
    Ways all;
    for (const uint32_t a : body.nodes[n].in)
      all.push_back(&body.arcs[a].count);
    if (n == 0)
      all.push_back(&body.entered);
    return all;
  }
  /// None where they do not add up to the block.
  Ways waysOut(uint32_t n) {
    Ways all;
    if (body.nodes[n].leaks)
      return all;
    for (const uint32_t a : body.nodes[n].out)
      all.push_back(&body.arcs[a].count);
    return all;
  }

  void learn(MaybeCount &what, const MaybeCount &count, uint32_t around) {
    if (what || !count)
      return;
    what = count;
    awaitAround(around);
    propagate();
  }

  /// total = sum of the ways: gives the one that is not known. Was there one?
  static bool balance(MaybeCount &total, const Ways &ways) {
    const auto unknown = llvm::count_if(ways, [](const MaybeCount *w) { return !w->has_value(); });
    if (ways.empty() || unknown + (total ? 0 : 1) != 1)
      return false;
    MaybeCount known = CountForm();
    for (const MaybeCount *way : ways)
      if (known && *way)
        known = sum(*known, **way, 1);
    if (!known)
      return false;
    if (!total)
      return (total = known).has_value();
    MaybeCount &way = **llvm::find_if(ways, [](const MaybeCount *w) { return !w->has_value(); });
    return (way = sum(*total, *known, -1)).has_value();
  }

  /// The ways of a branch that come together at once are the branch's count.
  bool join(uint32_t n) {
    SourceNode &node = body.nodes[n];
    if (node.in.size() < 2 || n == 0)
      return false;
    uint32_t from = noIndex;
    for (const uint32_t a : node.in) {
      uint32_t before = body.arcs[a].from;
      const SourceNode &arm = body.nodes[before];
      if (arm.in.size() == 1 && arm.out.size() == 1 && before != 0 && !arm.leaks)
        before = body.arcs[arm.in[0]].from;
      if (from != noIndex && before != from)
        return false;
      from = before;
    }
    SourceNode &branch = body.nodes[from];
    if (branch.leaks || branch.out.size() != node.in.size() ||
        branch.count.has_value() == node.count.has_value())
      return false;
    (node.count ? branch.count : node.count) = node.count ? node.count : branch.count;
    awaitAround(from);
    return true;
  }

  SourceBody &body;
  const Circulation &circulation;
  std::deque<uint32_t> queue;
  std::vector<bool> waiting; ///< is the node in the queue?
};

/// The nearest node with a known count that alone leads to `n`, or none.
uint32_t nearest(const SourceBody &body, uint32_t n) {
  for (uint32_t at = n; at != 0 && body.nodes[at].in.size() == 1;) {
    at = body.arcs[body.nodes[at].in[0]].from;
    if (body.nodes[at].count)
      return at;
  }
  return noIndex;
}
/// Of all of a body.
const MaybeCount &around(const SourceBody &body) {
  return body.nodes[0].count ? body.nodes[0].count : body.nearest;
}

/// Gathers lines by the count that they have.
class Lines {
public:
  explicit Lines(Sources &s) : sources(s) {}

  void add(const SourceBody &body) {
    for (uint32_t n = 0; n < body.nodes.size(); ++n)
      for (const llvm::MDNode *note : body.nodes[n].notes)
        for (const llvm::MDOperand &line : field(*note, NoteField::lines).operands())
          add(body, n, *llvm::cast<llvm::DILocation>(line));
  }

  SourceBlocks finish() const {
    SourceBlocks out;
    for (const auto &[count, lines] : groups) {
      SourceBlock s;
      s.known = count.first;
      for (const auto &[term, times] : count.second)
        for (int i = 0; i < std::abs(times); ++i)
          s.terms.push_back({term.second, term.first, times < 0});
      for (const auto &[line, scope] : lines)
        s.lines.push_back({line, 0, scope});
      out.push_back(std::move(s));
    }
    return out;
  }

private:
  void add(const SourceBody &body, uint32_t n, const llvm::DILocation &line) {
    const SourceNode &node = body.nodes[n];
    const auto own = node.lines.find(line.getLine());
    if (own != node.lines.end())
      return put(true, own->second, body, line);
    if (node.count)
      return put(true, *node.count, body, line);
    const uint32_t before = nearest(body, n);
    // Executed at most as often as that one: on the same line it makes no difference.
    if (before == noIndex)
      put(false, around(body).value_or(CountForm()), body, line);
    else if (!holds(body.nodes[before], line))
      put(false, *body.nodes[before].count, body, line);
  }

  static bool holds(const SourceNode &node, const llvm::DILocation &line) {
    return llvm::any_of(node.notes, [&](const llvm::MDNode *note) {
      return llvm::any_of(field(*note, NoteField::lines).operands(),
                          [&](const llvm::MDOperand &other) {
                            const auto &at = *llvm::cast<llvm::DILocation>(other);
                            return at.getLine() == line.getLine() && at.getFile() == line.getFile();
                          });
    });
  }

  /// Does the frontend call it from a `co_await` or `co_yield`? Its lines are executed there.
  static bool waits(const llvm::DILocation &at) {
    return at.getScope()->getSubprogram()->getLinkageName().contains(".__await_suspend_wrapper__");
  }

  void put(bool known, CountForm count, const SourceBody &body, const llvm::DILocation &line) {
    if (waits(line)) {
      known = true;
      count.clear();
    }
    const Location at = sources.at(
        llvm::DebugLoc(llvm::DILocation::get(line.getContext(), line.getLine(), 0, line.getScope(),
                                             const_cast<llvm::DILocation *>(body.calledAt))));
    groups[{known, count}].insert({at.line, at.scope});
  }

  Sources &sources;
  std::map<std::pair<bool, CountForm>, std::set<std::pair<uint32_t, uint32_t>>> groups;
};

/// Follows calls of which nothing is left. Their counts are all that is known of the bodies, so one
/// is solved for all calls of a function together (one more for calls of which the count is not
/// known): as many as there are functions, not as there are paths of calls.
class GoneBodies {
public:
  GoneBodies(const SourceBodies &b, const Circulation &c, Lines &l)
      : bodies(b), circulation(c), lines(l) {}

  void add(const SourceBody &in) {
    for (GoneCall &call : bodies.gone(in))
      calls[call.callee].push_back(std::move(call));
  }

  /// Callers first.
  void solve() {
    const auto direct = llvm::to_vector(llvm::make_first_range(calls));
    for (const llvm::MDNode *callee : direct)
      visit(calls[callee].front());
    for (const llvm::MDNode *callee : llvm::reverse(order)) {
      if (calls[callee].empty()) // its callers are never entered
        continue;
      MaybeCount entered = CountForm();
      bool allKnown = true;
      for (const GoneCall &call : calls[callee]) {
        const bool known = call.count && entered && !recursive.contains(callee);
        allKnown &= known;
        entered = known ? sum(*entered, *call.count, 1) : entered;
      }
      const llvm::DILocation *at = calls[callee].front().at;
      if (entered && !entered->empty())
        solve(*callee, at, entered);
      if (!entered || !allKnown)
        solve(*callee, at, {});
    }
  }

private:
  void solve(const llvm::MDNode &callee, const llvm::DILocation *at, const MaybeCount &entered) {
    const auto body = bodies.body(callee, nullptr, at);
    body->entered = entered;
    Solver(*body, circulation).solve();
    lines.add(*body);
    add(*body);
  }

  /// Orders functions, each behind those that it calls.
  void visit(const GoneCall &call) {
    if (!seen.insert(call.callee).second)
      return;
    open.insert(call.callee);
    for (const GoneCall &inner : bodies.gone(*bodies.body(*call.callee, nullptr, call.at))) {
      if (open.contains(inner.callee))
        recursive.insert(inner.callee);
      visit(inner);
    }
    open.erase(call.callee);
    order.push_back(call.callee);
  }

  const SourceBodies &bodies;
  const Circulation &circulation;
  Lines &lines;
  llvm::MapVector<const llvm::MDNode *, std::vector<GoneCall>> calls; ///< by what is called
  std::vector<const llvm::MDNode *> order;
  llvm::SmallPtrSet<const llvm::MDNode *, 16> seen, open, recursive;
};

/// Solves a function and, by their callers, the bodies that stand in it. Behind a call that may not
/// come back its body says how often it did.
class StandingBodies {
public:
  StandingBodies(const SourceBodies &b, const Circulation &c, Lines &l, GoneBodies &g)
      : bodies(b), circulation(c), lines(l), gone(g) {}

  void solve(SourceBody &body, unsigned depth) {
    Solver solver(body, circulation);
    solver.solve();
    std::vector<InlinedCall> calls = bodies.inlined(body);
    while (!calls.empty() && depth + 1 < mostDepth) {
      const auto isReached = [&](const InlinedCall &c) {
        return c.from != noIndex && body.nodes[c.from].count;
      };
      auto next = llvm::find_if(calls, isReached);
      next = next == calls.end() ? calls.begin() : next;
      const InlinedCall call = *next;
      calls.erase(next);
      const std::unique_ptr<SourceBody> inner = bodies.body(*call.callee, &body, call.at);
      if (call.from != noIndex) {
        inner->entered = body.nodes[call.from].count;
        const uint32_t before = nearest(body, call.from);
        inner->nearest = before == noIndex ? around(body) : body.nodes[before].count;
      }
      solve(*inner, depth + 1);
      if (call.isAlone)
        solver.learnNode(call.from, inner->entered);
      if (call.onward != noIndex)
        solver.learnArc(call.onward, returned(*inner));
    }
    lines.add(body);
    gone.add(body);
  }

private:
  static MaybeCount returned(const SourceBody &body) {
    MaybeCount all = CountForm();
    for (const SourceNode &node : body.nodes)
      if (all && optionalField<llvm::MDNode>(*node.notes.back(), NoteField::returns))
        all = node.count ? sum(*all, *node.count, 1) : MaybeCount();
    return all;
  }

  const SourceBodies &bodies;
  const Circulation &circulation;
  Lines &lines;
  GoneBodies &gone;
};

} // namespace

SourceBlocks sourceBlocks(const llvm::Function &f, const IrFlow &flow, Sources &sources,
                          MayNotReturn mayNotReturn) {
  const llvm::MDNode *entry = f.getMetadata(blockKind);
  if (entry == nullptr || f.getSubprogram() == nullptr)
    return {};
  const SourceBodies bodies(f, flow, mayNotReturn);
  const Circulation circulation(flow.map);
  Lines lines(sources);
  GoneBodies gone(bodies, circulation, lines);
  const std::unique_ptr<SourceBody> own = bodies.body(*entry, nullptr, nullptr);
  if (!bodies.maybeLooped())
    own->entered = CountForm{{{true, 0}, 1}};
  StandingBodies(bodies, circulation, lines, gone).solve(*own, 0);
  gone.solve();
  return lines.finish();
}

} // namespace quincunx
