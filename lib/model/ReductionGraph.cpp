// The graph that reduce() shrinks: made from a function, changed edge by edge.
#include "ReductionGraph.h"

#include <algorithm>

namespace quincunx {

namespace {

/// The block that a block goes on in, where a call that may not return ended it and nothing else
/// did; noIndex: none.
std::vector<uint32_t> continuations(const Function &f) {
  std::vector<uint32_t> in(f.blocks.size()), out(in.size()), next(in.size(), noIndex);
  for (const Edge &e : f.edges) {
    if (e.to != noIndex)
      ++in[e.to];
    if (e.from != noIndex && e.kind != EdgeKind::nonReturning)
      ++out[e.from];
  }
  for (const Edge &e : f.edges)
    if (e.kind == EdgeKind::flow && e.from != e.to && f.blocks[e.from].mayNotReturn &&
        out[e.from] == 1 && in[e.to] == 1)
      next[e.from] = e.to;
  return next;
}

} // namespace

// Calls that did not return are no ways: else each loop would have a way out at every call in it.
ReductionGraph::ReductionGraph(const Function &f) {
  const std::vector<uint32_t> next = continuations(f);
  std::vector<uint32_t> node(f.blocks.size(), noIndex);
  nodes.resize(firstBlock + f.blocks.size());
  waiting.resize(nodes.size());
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    addRegion({Region::Kind::block, b, {}, {}});
  std::vector<bool> continues(f.blocks.size());
  for (const uint32_t b : next)
    if (b != noIndex)
      continues[b] = true;
  for (uint32_t b = 0; b < f.blocks.size(); ++b) {
    Node &n = nodes[firstBlock + b];
    n.alive = !continues[b];
    n.block = n.region = b;
    std::vector<uint32_t> chain;
    for (uint32_t at = b; n.alive && at != noIndex; at = next[at]) {
      node[at] = firstBlock + b;
      chain.push_back(at);
    }
    if (n.alive)
      n.region = series(chain);
  }
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    switch (const quincunx::Edge &edge = f.edges[e]; edge.kind) {
    case EdgeKind::entry:
      addEdge(entry, node[edge.to], noIndex, {e}, {e});
      break;
    case EdgeKind::reentry:
    case EdgeKind::nonReturning:
      break;
    case EdgeKind::flow:
      if (next[edge.from] != edge.to)
        addEdge(node[edge.from], node[edge.to], noIndex, {e}, {e});
      break;
    default:
      addEdge(node[edge.from], exit, noIndex, {e}, {e});
    }
}

uint32_t ReductionGraph::addRegion(Region r) {
  regions.all.push_back(std::move(r));
  return static_cast<uint32_t>(regions.all.size() - 1);
}

uint32_t ReductionGraph::series(const std::vector<uint32_t> &parts) {
  Region r;
  r.kind = Region::Kind::series;
  for (const uint32_t p : parts) {
    if (p == noIndex)
      continue;
    if (Region &part = regions.all[p]; part.kind == Region::Kind::series) {
      r.parts.insert(r.parts.end(), part.parts.begin(), part.parts.end());
      part.parts = {};
    } else
      r.parts.push_back(p);
  }
  if (r.parts.size() < 2)
    return r.parts.empty() ? noIndex : r.parts[0];
  return addRegion(std::move(r));
}

void ReductionGraph::touch(uint32_t n) {
  if (waiting[n] || !nodes[n].alive)
    return;
  waiting[n] = true;
  work.push_back(n);
}

void ReductionGraph::addEdge(uint32_t from, uint32_t to, uint32_t region, EdgeSet edges,
                             EdgeSet last) {
  const auto e = static_cast<uint32_t>(graph.size());
  std::sort(last.begin(), last.end());
  graph.push_back({from, to, region, std::move(edges), std::move(last)});
  nodes[from].out.push_back(e);
  nodes[to].in.push_back(e);
  touch(from);
  touch(to);
}

void ReductionGraph::removeEdge(uint32_t e) {
  graph[e].alive = false;
  std::erase(nodes[graph[e].from].out, e);
  std::erase(nodes[graph[e].to].in, e);
  touch(graph[e].from);
  touch(graph[e].to);
}

void ReductionGraph::removeNode(uint32_t n) {
  while (!nodes[n].in.empty())
    removeEdge(nodes[n].in.back());
  while (!nodes[n].out.empty())
    removeEdge(nodes[n].out.back());
  nodes[n].alive = false;
}

Shape ReductionGraph::shape() const {
  Shape s;
  s.successors.resize(nodes.size());
  for (const Edge &e : graph)
    if (e.alive)
      s.successors[e.from].push_back(e.to);
  return s;
}

Regions ReductionGraph::tidy() {
  std::vector<bool> used(regions.all.size());
  if (regions.root != noIndex)
    used[regions.root] = true;
  for (size_t i = regions.all.size(); i-- > 0;) {
    if (!used[i])
      continue;
    for (const uint32_t part : regions.all[i].parts)
      used[part] = true;
    for (const Link &l : regions.all[i].links)
      if (l.region != noIndex)
        used[l.region] = true;
  }
  Regions kept;
  std::vector<uint32_t> number(regions.all.size(), noIndex);
  for (size_t i = 0; i < regions.all.size(); ++i) {
    if (!used[i])
      continue;
    Region &r = regions.all[i];
    for (uint32_t &part : r.parts)
      part = number[part];
    for (Link &l : r.links)
      l.region = l.region == noIndex ? noIndex : number[l.region];
    number[i] = static_cast<uint32_t>(kept.all.size());
    kept.all.push_back(std::move(r));
  }
  kept.root = regions.root == noIndex ? noIndex : number[regions.root];
  return kept;
}

} // namespace quincunx
