// Backwards from the back edges.
#include "quincunx/model/Loops.h"

#include <algorithm>

namespace quincunx {

std::vector<bool> bodyOf(const Function &f, const Loop &loop) {
  std::vector<std::vector<uint32_t>> before(f.blocks.size());
  for (const Edge &e : f.edges)
    if (e.kind == EdgeKind::flow)
      before[e.to].push_back(e.from);
  std::vector<bool> body(f.blocks.size());
  body[loop.header] = true;
  std::vector<uint32_t> open;
  for (const uint32_t e : loop.backEdges)
    open.push_back(f.edges[e].from);
  while (!open.empty()) {
    const uint32_t b = open.back();
    open.pop_back();
    if (b == noIndex || body[b])
      continue;
    body[b] = true;
    open.insert(open.end(), before[b].begin(), before[b].end());
  }
  return body;
}

std::vector<std::vector<bool>> bodiesOf(const Function &f) {
  std::vector<std::vector<bool>> bodies;
  for (const Loop &loop : f.loops)
    bodies.push_back(bodyOf(f, loop));
  return bodies;
}

bool isLoopCondition(const Function &f, const Branch &b,
                     const std::vector<std::vector<bool>> &bodies) {
  if (b.isSwitch)
    return false;
  for (size_t l = 0; l < f.loops.size(); ++l) {
    const Loop &loop = f.loops[l];
    const auto isBack = [&](uint32_t e) {
      return std::find(loop.backEdges.begin(), loop.backEdges.end(), e) != loop.backEdges.end();
    };
    const auto leaves = [&](uint32_t e) {
      return bodies[l][b.block] && (f.edges[e].to == noIndex || !bodies[l][f.edges[e].to]);
    };
    if ((b.block == loop.header || std::any_of(b.arms.begin(), b.arms.end(), isBack)) &&
        std::any_of(b.arms.begin(), b.arms.end(), leaves))
      return true;
  }
  return false;
}

} // namespace quincunx
