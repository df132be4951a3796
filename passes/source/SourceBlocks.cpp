// Writes down the counts of the frontend's blocks by line.
// The idea: counts are solved body by body (BodySolver.cpp), callers first, and what came back from
// one is told to its caller. What stays unknown (one side of a branch that became a select) is left
// unknown, with the nearest block that alone leads there: where that was not executed, neither was
// this. Reference: docs/03-runs-kept-apart.md.
#include "BodySolver.h"
#include "SourceNotes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace quincunx {

namespace {

/// Bodies inlined into bodies are followed so deep.
constexpr unsigned mostDepth = 16;

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
    BodySolver(*body, circulation).solve();
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
    BodySolver solver(body, circulation);
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
