// Follows an arm of a branch to the first line it executes, and all arms to where they meet: the
// immediate postdominator, as the dominators of the flow turned round.
#include "quincunx/model/Arms.h"

#include "Dominators.h"

namespace quincunx {

namespace {

/// The only edge out of a block; none: there are several, or it leaves the function.
uint32_t onlyWayOn(const Function &f, uint32_t block) {
  uint32_t found = noIndex;
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].from == block) {
      if (found != noIndex)
        return noIndex;
      found = e;
    }
  return found;
}

} // namespace

uint32_t lineBehind(const Function &f, const Branch &branch, uint32_t edge) {
  for (size_t steps = 0; edge != noIndex && steps < f.blocks.size(); ++steps) {
    const uint32_t block = headOf(f.edges[edge]);
    if (block == noIndex)
      return 0;
    for (const Location &at : f.blocks[block].lines)
      if (at.scope == branch.at.scope && at.line != 0)
        return at.line;
    if (!f.blocks[block].lines.empty()) // inlined code comes first
      return f.scopes[f.blocks[block].lines.front().scope].parent == branch.at.scope
                 ? f.scopes[f.blocks[block].lines.front().scope].callLine
                 : 0;
    edge = onlyWayOn(f, block);
  }
  return 0;
}

namespace {

/// Per block; UINT32_MAX where no way leads out.
std::vector<uint32_t> postdominators(const Function &f, bool onlyReturns) {
  const auto outside = static_cast<uint32_t>(f.blocks.size());
  Shape flow;
  flow.successors.resize(f.blocks.size() + 1);
  for (const Edge &e : f.edges)
    if (e.kind == EdgeKind::flow || e.kind == EdgeKind::leave ||
        (e.from != noIndex && !onlyReturns))
      flow.successors[e.from].push_back(e.to == noIndex ? outside : e.to);
  return dominators(reversed(flow), outside);
}

} // namespace

std::vector<uint32_t> joinsOf(const Function &f) {
  const std::vector<uint32_t> returning = postdominators(f, true), any = postdominators(f, false);
  std::vector<uint32_t> joins;
  for (size_t b = 0; b < f.blocks.size(); ++b) {
    const uint32_t join = returning[b] == UINT32_MAX ? any[b] : returning[b];
    joins.push_back(join < f.blocks.size() ? join : noIndex);
  }
  return joins;
}

std::vector<uint32_t> untilJoin(const Function &f, const Branch &branch,
                                const std::vector<uint32_t> &joins) {
  std::vector<std::vector<uint32_t>> after(f.blocks.size());
  for (const Edge &e : f.edges)
    if (e.kind == EdgeKind::flow)
      after[e.from].push_back(e.to);
  std::vector<bool> seen(f.blocks.size());
  std::vector<uint32_t> open, passed;
  for (const uint32_t arm : branch.arms)
    open.push_back(headOf(f.edges[arm]));
  while (!open.empty()) {
    const uint32_t b = open.back();
    open.pop_back();
    if (b == noIndex || b == joins[branch.block] || seen[b])
      continue;
    seen[b] = true;
    passed.push_back(b);
    open.insert(open.end(), after[b].begin(), after[b].end());
  }
  return passed;
}

} // namespace quincunx
