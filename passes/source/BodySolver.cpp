// The idea: what enters a block leaves it, in the frontend's graph as in any other, but for calls
// that do not come back. Counts that can be read off what is left of the code (SourceBodies.cpp)
// are carried on to blocks of which nothing is left: the only way in or out that is missing is what
// the others lack. It knows no lines.
#include "BodySolver.h"

#include "SourceNotes.h"

namespace quincunx {

namespace {

/// Sums of more terms are not known: they would be long, and are rare.
constexpr size_t mostTerms = 16;

} // namespace

MaybeCount sum(const CountForm &a, const CountForm &b, int times) {
  CountForm out(a);
  for (const auto &[term, n] : b)
    if ((out[term] += times * n) == 0)
      out.erase(term);
  return out.size() > mostTerms ? MaybeCount() : out;
}

void BodySolver::solve() {
  for (uint32_t n = 0; n < body.nodes.size(); ++n)
    await(n);
  propagate();
  const std::vector<uint32_t> order = fromEntry();
  for (const uint32_t n : order) {
    SourceNode &node = body.nodes[n];
    if (node.code && (!node.count || !agree(node.count, *node.code))) {
      node.count = node.code;
      awaitAround(n);
    }
    propagate();
  }
  for (const uint32_t n : order) {
    if (body.nodes[n].end && fits(n))
      take(n);
    propagate();
  }
}

void BodySolver::learnNode(uint32_t node, const MaybeCount &count) {
  learn(body.nodes[node].count, count, node);
}

void BodySolver::learnArc(uint32_t arc, const MaybeCount &count) {
  learn(body.arcs[arc].count, count, body.arcs[arc].from);
}

std::vector<uint32_t> BodySolver::fromEntry() const {
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

bool BodySolver::agree(const MaybeCount &a, const CountForm &b) const {
  return !a || circulation.same(*a, b);
}

bool BodySolver::maybeJoined(const SourceNode &node) const {
  return llvm::any_of(node.in, [&](uint32_t a) {
    const SourceNode &from = body.nodes[body.arcs[a].from];
    return optionalField<llvm::MDNode>(*from.notes.back(), NoteField::cases) && !body.arcs[a].count;
  });
}

bool BodySolver::fits(uint32_t n) const {
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

void BodySolver::take(uint32_t n) {
  SourceNode &node = body.nodes[n];
  if (!node.count)
    node.count = node.end->count;
  for (const auto &[arc, count] : node.end->ways)
    if (!body.arcs[arc].count)
      body.arcs[arc].count = count;
  node.lines = node.end->lines;
  awaitAround(n);
}

void BodySolver::propagate() {
  while (!queue.empty()) {
    const uint32_t n = queue.front();
    queue.pop_front();
    waiting[n] = false;
    MaybeCount &count = body.nodes[n].count;
    if (balance(count, waysIn(n)) | balance(count, waysOut(n)) | join(n))
      awaitAround(n);
  }
}

void BodySolver::await(uint32_t n) {
  if (!waiting[n])
    queue.push_back(n);
  waiting[n] = true;
}

void BodySolver::awaitAround(uint32_t n) {
  await(n);
  for (const uint32_t a : body.nodes[n].in)
    await(body.arcs[a].from);
  for (const uint32_t a : body.nodes[n].out) {
    await(body.arcs[a].to);
    for (const uint32_t next : body.nodes[body.arcs[a].to].out)
      await(body.arcs[next].to);
  }
}

BodySolver::Ways BodySolver::waysIn(uint32_t n) {
  Ways all;
  for (const uint32_t a : body.nodes[n].in)
    all.push_back(&body.arcs[a].count);
  if (n == 0)
    all.push_back(&body.entered);
  return all;
}

BodySolver::Ways BodySolver::waysOut(uint32_t n) {
  Ways all;
  if (body.nodes[n].leaks)
    return all;
  for (const uint32_t a : body.nodes[n].out)
    all.push_back(&body.arcs[a].count);
  return all;
}

void BodySolver::learn(MaybeCount &what, const MaybeCount &count, uint32_t around) {
  if (what || !count)
    return;
  what = count;
  awaitAround(around);
  propagate();
}

bool BodySolver::balance(MaybeCount &total, const Ways &ways) {
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

bool BodySolver::join(uint32_t n) {
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

} // namespace quincunx
