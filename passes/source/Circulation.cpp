// Draws a random flow: edges outside of a spanning tree get random numbers, those of the tree what
// their blocks then lack.
#include "Circulation.h"

namespace quincunx {

namespace {

/// A number without pattern (splitmix64); the same in every build.
uint64_t scrambled(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

} // namespace

Circulation::Circulation(const Function &flow)
    : edges(flow.edges.size()), blocks(flow.blocks.size()) {
  const auto outside = static_cast<uint32_t>(flow.blocks.size());
  const auto node = [&](uint32_t block) { return block == noIndex ? outside : block; };
  std::vector<std::vector<uint32_t>> touching(outside + 1);
  for (uint32_t e = 0; e < flow.edges.size(); ++e)
    for (const uint32_t end : {node(flow.edges[e].from), node(flow.edges[e].to)})
      touching[end].push_back(e);
  std::vector<uint32_t> order{outside}, toRoot(outside + 1, noIndex);
  std::vector<bool> seen(outside + 1), inTree(flow.edges.size());
  seen[outside] = true;
  for (size_t i = 0; i < order.size(); ++i)
    for (const uint32_t e : touching[order[i]])
      for (const uint32_t end : {node(flow.edges[e].from), node(flow.edges[e].to)})
        if (!seen[end]) {
          seen[end] = inTree[e] = true;
          toRoot[end] = e;
          order.push_back(end);
        }
  for (uint32_t e = 0; e < flow.edges.size(); ++e)
    if (!inTree[e])
      edges[e] = scrambled(e);
  for (size_t i = order.size(); i-- > 1;) {
    const uint32_t b = order[i];
    uint64_t surplus = 0; // what enters and does not leave, but for the edge to the root
    for (const uint32_t e : touching[b]) {
      surplus += node(flow.edges[e].to) == b ? edges[e] : 0;
      surplus -= node(flow.edges[e].from) == b ? edges[e] : 0;
    }
    edges[toRoot[b]] = node(flow.edges[toRoot[b]].from) == b ? surplus : -surplus;
  }
  for (uint32_t e = 0; e < flow.edges.size(); ++e)
    if (const uint32_t head = headOf(flow.edges[e]); head != noIndex)
      blocks[head] += edges[e];
}

uint64_t Circulation::of(const CountForm &form) const {
  uint64_t sum = 0;
  for (const auto &[term, times] : form)
    sum += static_cast<uint64_t>(static_cast<int64_t>(times)) *
           (term.first ? edges[term.second] : blocks[term.second]);
  return sum;
}

} // namespace quincunx
