// Solves the counts of the frontend's blocks and writes them down by line.
// The idea: what enters a block leaves it, in the frontend's graph as in any other. Counts that
// can be read off what is left of the code (SourceBodies.cpp) are carried on to blocks of which
// nothing is left: the only way in or out that is missing is what the others lack. What stays
// unknown (one side of a branch that became a select) is left unknown, with the nearest block that
// alone leads there: where that was not executed, neither was this. Reference:
// docs/03-runs-kept-apart.md.
#include "SourceBodies.h"
#include "SourceNotes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

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
  size_t terms = 0;
  for (const auto &[term, n] : out)
    terms += static_cast<size_t>(std::abs(n));
  return terms > mostTerms ? MaybeCount() : out;
}

class Solver {
public:
  explicit Solver(SourceBody &b) : body(b) {}

  void solve() {
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t n = 0; n < body.nodes.size(); ++n) {
        SourceNode &node = body.nodes[n];
        changed |= balance(node.count, waysIn(n)) | balance(node.count, waysOut(n)) | join(n);
      }
    }
  }

private:
  using Ways = llvm::SmallVector<MaybeCount *, 4>;

  Ways waysIn(uint32_t n) {
    Ways all;
    for (const uint32_t a : body.nodes[n].in)
      all.push_back(&body.arcs[a].count);
    if (n == 0)
      all.push_back(&body.entered);
    return all;
  }
  Ways waysOut(uint32_t n) {
    Ways all;
    for (const uint32_t a : body.nodes[n].out)
      all.push_back(&body.arcs[a].count);
    return all;
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
      if (arm.in.size() == 1 && arm.out.size() == 1 && before != 0)
        before = body.arcs[arm.in[0]].from;
      if (from != noIndex && before != from)
        return false;
      from = before;
    }
    SourceNode &branch = body.nodes[from];
    if (branch.out.size() != node.in.size() || branch.count.has_value() == node.count.has_value())
      return false;
    (node.count ? branch.count : node.count) = node.count ? node.count : branch.count;
    return true;
  }

  SourceBody &body;
};

/// Gathers lines by the count that they have.
class Lines {
public:
  explicit Lines(Sources &s) : sources(s) {}

  void add(const SourceBody &body) {
    for (uint32_t n = 0; n < body.nodes.size(); ++n)
      for (const llvm::MDOperand &line : field(*body.nodes[n].note, NoteField::lines).operands())
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
    for (uint32_t at = n; at != 0 && body.nodes[at].in.size() == 1;) {
      at = body.arcs[body.nodes[at].in[0]].from;
      const SourceNode &before = body.nodes[at];
      if (!before.count)
        continue;
      // Executed at most as often as that one: on the same line it makes no difference.
      if (!holds(before, line))
        put(false, *before.count, body, line);
      return;
    }
    put(false, body.nodes[0].count ? *body.nodes[0].count : CountForm(), body, line);
  }

  static bool holds(const SourceNode &node, const llvm::DILocation &line) {
    return llvm::any_of(field(*node.note, NoteField::lines).operands(),
                        [&](const llvm::MDOperand &other) {
                          const auto &at = *llvm::cast<llvm::DILocation>(other);
                          return at.getLine() == line.getLine() && at.getFile() == line.getFile();
                        });
  }

  void put(bool known, const CountForm &count, const SourceBody &body,
           const llvm::DILocation &line) {
    const Location at = sources.at(
        llvm::DebugLoc(llvm::DILocation::get(line.getContext(), line.getLine(), 0, line.getScope(),
                                             const_cast<llvm::DILocation *>(body.calledAt))));
    groups[{known, count}].insert({at.line, at.scope});
  }

  Sources &sources;
  std::map<std::pair<bool, CountForm>, std::set<std::pair<uint32_t, uint32_t>>> groups;
};

/// Bodies of which nothing is left within others of which nothing is left: all calls of a function
/// are one body, or their number would grow by a factor with each call. What is called at several
/// depths is not known: one more body says so.
class NestedGone {
public:
  /// Is the body to be solved? Else another one stands for it.
  bool take(SourceBody &body, unsigned depth) {
    if (!body.gone || !body.caller->gone)
      return true;
    auto &[same, at] = taken[body.nodes[0].note];
    if (same != nullptr && !same->entered)
      return false;
    if (same != nullptr && at == depth) {
      same->entered = body.entered ? sum(*same->entered, *body.entered, 1) : MaybeCount();
      return false;
    }
    if (same != nullptr)
      body.entered.reset();
    same = &body;
    at = depth;
    return true;
  }

private:
  std::map<const llvm::MDNode *, std::pair<SourceBody *, unsigned>> taken; ///< by entry
};

} // namespace

SourceBlocks sourceBlocks(const llvm::Function &f, const IrFlow &flow, Sources &sources) {
  const llvm::MDNode *entry = f.getMetadata(blockKind);
  if (entry == nullptr || f.getSubprogram() == nullptr)
    return {};
  const SourceBodies bodies(f, flow);
  Lines lines(sources);
  std::vector<std::unique_ptr<SourceBody>> level;
  level.push_back(bodies.body(*entry, nullptr, nullptr));
  if (!bodies.maybeLooped())
    level[0]->entered = CountForm{{{true, 0}, 1}};
  std::vector<std::unique_ptr<SourceBody>> all;
  NestedGone nested;
  for (unsigned depth = 0; depth < mostDepth && !level.empty(); ++depth) {
    std::vector<std::unique_ptr<SourceBody>> next;
    for (std::unique_ptr<SourceBody> &body : level) {
      Solver(*body).solve();
      lines.add(*body);
      for (std::unique_ptr<SourceBody> &inner : bodies.inlined(*body))
        if (nested.take(*inner, depth))
          next.push_back(std::move(inner));
      all.push_back(std::move(body));
    }
    level = std::move(next);
  }
  return lines.finish();
}

} // namespace quincunx
