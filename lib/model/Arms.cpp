// Follows an arm of a branch to the first line it executes.
#include "quincunx/model/Arms.h"

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

} // namespace quincunx
