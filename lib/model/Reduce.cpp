// From a flow graph to a tree of regions.
// The idea: nodes and edges both carry regions. Three rules shrink the graph: a node with one edge
// in and one out becomes part of an edge (series), edges that lead from the same node to the same
// node become one (branch), an edge from a node to itself becomes part of it (loop). Where none
// applies, the innermost natural loop becomes one node, with the cost given each way out on the
// edges that leave; where there is no such loop, the smallest part with one entry and one exit
// becomes a node. The whole function has one entry and one exit, so this ends with a single edge.
// It never copies a node. It knows no counts.
#include "quincunx/model/Region.h"

#include "Dominators.h"

#include <algorithm>
#include <cassert>

namespace quincunx {

namespace {

struct GraphEdge {
  uint32_t from = noIndex, to = noIndex, region = noIndex;
  EdgeSet edges; ///< by which it is entered
  EdgeSet last;  ///< by which it arrives
  bool alive = true;
};
struct Node {
  uint32_t region = noIndex;
  std::vector<uint32_t> in, out; ///< edges
  uint32_t block = noIndex;      ///< the header, when it is one: where it was entered at first
  bool alive = true;
};

void append(EdgeSet &to, const EdgeSet &more) { to.insert(to.end(), more.begin(), more.end()); }

class Reducer {
public:
  explicit Reducer(const Function &f);
  Regions run();

private:
  enum : uint32_t { entry, exit, firstBlock };

  uint32_t addRegion(Region r);
  uint32_t series(std::initializer_list<uint32_t> parts);
  void addEdge(uint32_t from, uint32_t to, uint32_t region, EdgeSet edges, EdgeSet last);
  void removeEdge(uint32_t e);
  void removeNode(uint32_t n);
  void leadOutOfEndlessLoops();
  uint32_t branchOf(const std::vector<Link> &arms) const;
  uint32_t loopAt(uint32_t node, EdgeSet back) const;
  bool headsLoop(uint32_t node) const;
  bool joinParallel(uint32_t n);
  bool closeLoop(uint32_t n);
  bool shortcut(uint32_t n);
  void simplify();
  Shape shape() const;
  bool collapseLoops();
  std::vector<uint32_t> targetsOf(const std::vector<uint32_t> &leaving) const;
  void collapseLoop(uint32_t header, const std::vector<uint32_t> &members);
  void collapseFlow();
  EdgeSet takeIn(const std::vector<uint32_t> &members, Region &r, std::vector<uint32_t> &leaving,
                 bool loop);
  void touch(uint32_t n);
  Regions tidy();

  const Function &f;
  Regions regions;
  std::vector<Node> nodes;
  std::vector<GraphEdge> graph;
  std::vector<uint32_t> work; ///< nodes to be looked at
  std::vector<bool> waiting;
};

Reducer::Reducer(const Function &function) : f(function) {
  nodes.resize(firstBlock + f.blocks.size());
  waiting.resize(nodes.size());
  for (uint32_t b = 0; b < f.blocks.size(); ++b) {
    Region r;
    r.item = b;
    nodes[firstBlock + b].region = addRegion(std::move(r));
    nodes[firstBlock + b].block = b;
  }
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    switch (const Edge &edge = f.edges[e]; edge.kind) {
    case EdgeKind::entry:
      addEdge(entry, firstBlock + edge.to, noIndex, {e}, {e});
      break;
    case EdgeKind::reentry:
      break;
    case EdgeKind::flow:
      addEdge(firstBlock + edge.from, firstBlock + edge.to, noIndex, {e}, {e});
      break;
    default:
      addEdge(firstBlock + edge.from, exit, noIndex, {e}, {e});
    }
}

uint32_t Reducer::addRegion(Region r) {
  regions.all.push_back(std::move(r));
  return static_cast<uint32_t>(regions.all.size() - 1);
}

/// Series within series are one.
uint32_t Reducer::series(std::initializer_list<uint32_t> parts) {
  Region r;
  r.kind = Region::Kind::series;
  for (const uint32_t p : parts) {
    if (p == noIndex)
      continue;
    if (Region &part = regions.all[p]; part.kind == Region::Kind::series) {
      r.parts.insert(r.parts.end(), part.parts.begin(), part.parts.end());
      part.parts.clear();
    } else
      r.parts.push_back(p);
  }
  if (r.parts.size() < 2)
    return r.parts.empty() ? noIndex : r.parts[0];
  return addRegion(std::move(r));
}

void Reducer::touch(uint32_t n) {
  if (waiting[n] || !nodes[n].alive)
    return;
  waiting[n] = true;
  work.push_back(n);
}

void Reducer::addEdge(uint32_t from, uint32_t to, uint32_t region, EdgeSet edges, EdgeSet last) {
  const auto e = static_cast<uint32_t>(graph.size());
  std::sort(last.begin(), last.end());
  graph.push_back({from, to, region, std::move(edges), std::move(last)});
  nodes[from].out.push_back(e);
  nodes[to].in.push_back(e);
  touch(from);
  touch(to);
}

void Reducer::removeEdge(uint32_t e) {
  graph[e].alive = false;
  std::erase(nodes[graph[e].from].out, e);
  std::erase(nodes[graph[e].to].in, e);
  touch(graph[e].from);
  touch(graph[e].to);
}

void Reducer::removeNode(uint32_t n) {
  while (!nodes[n].in.empty())
    removeEdge(nodes[n].in.back());
  while (!nodes[n].out.empty())
    removeEdge(nodes[n].out.back());
  nodes[n].alive = false;
}

/// The branch of the map whose two arms these are, arms[0] if true.
uint32_t Reducer::branchOf(const std::vector<Link> &arms) const {
  if (arms.size() != 2 || arms[0].edges.size() != 1 || arms[1].edges.size() != 1)
    return noIndex;
  for (uint32_t b = 0; b < f.branches.size(); ++b)
    if (const Branch &branch = f.branches[b]; !branch.isSwitch && branch.arms.size() == 2 &&
                                              branch.arms[0] == arms[0].edges[0] &&
                                              branch.arms[1] == arms[1].edges[0])
      return b;
  return noIndex;
}

/// The loop of the map with this header and these edges back.
uint32_t Reducer::loopAt(uint32_t node, EdgeSet back) const {
  std::sort(back.begin(), back.end());
  for (uint32_t l = 0; l < f.loops.size(); ++l)
    if (f.loops[l].header == nodes[node].block) {
      EdgeSet all = f.loops[l].backEdges;
      std::sort(all.begin(), all.end());
      return all == back ? l : noIndex;
    }
  return noIndex;
}

bool Reducer::headsLoop(uint32_t node) const {
  return std::any_of(f.loops.begin(), f.loops.end(),
                     [&](const Loop &l) { return l.header == nodes[node].block; });
}

/// Edges from n to one other node become one.
bool Reducer::joinParallel(uint32_t n) {
  std::vector<uint32_t> &out = nodes[n].out;
  for (size_t i = 0; i < out.size(); ++i) {
    const uint32_t to = graph[out[i]].to;
    std::vector<uint32_t> same;
    for (const uint32_t e : out)
      if (graph[e].to == to)
        same.push_back(e);
    if (same.size() < 2)
      continue;
    // The order of edges is that of the map: a branch's true arm comes first.
    std::sort(same.begin(), same.end(),
              [&](uint32_t a, uint32_t b) { return graph[a].edges < graph[b].edges; });
    Region r;
    r.kind = Region::Kind::branch;
    EdgeSet all, last;
    for (const uint32_t e : same) {
      r.links.push_back({0, 0, graph[e].region, graph[e].edges});
      append(all, graph[e].edges);
      append(last, graph[e].last);
    }
    if (branchOf({r.links.rbegin(), r.links.rend()}) != noIndex)
      std::reverse(r.links.begin(), r.links.end());
    r.item = branchOf(r.links);
    std::sort(all.begin(), all.end());
    for (const uint32_t e : same)
      removeEdge(e);
    addEdge(n, to, addRegion(std::move(r)), std::move(all), std::move(last));
    return true;
  }
  return false;
}

/// An edge from n to itself: n is executed once more than the edge.
bool Reducer::closeLoop(uint32_t n) {
  const auto self = std::find_if(nodes[n].out.begin(), nodes[n].out.end(),
                                 [&](uint32_t e) { return graph[e].to == n; });
  if (self == nodes[n].out.end())
    return false;
  const uint32_t e = *self;
  Region r;
  r.kind = Region::Kind::loop;
  r.item = loopAt(n, graph[e].last);
  if (r.item == noIndex && headsLoop(n))
    return false; // it has other ways back, and is one loop with them
  r.parts = {nodes[n].region};
  r.links = {{0, 0, graph[e].region, graph[e].edges}, {0, 1, noIndex, {}}};
  removeEdge(e);
  for (const uint32_t out : nodes[n].out)
    append(r.links[1].edges, graph[out].edges);
  if (nodes[n].region == noIndex)
    r.parts = {addRegion({Region::Kind::series, noIndex, {}, {}})};
  nodes[n].region = addRegion(std::move(r));
  return true;
}

/// A node with one edge in and one out is part of the way.
bool Reducer::shortcut(uint32_t n) {
  if (n < firstBlock || nodes[n].in.size() != 1 || nodes[n].out.size() != 1)
    return false;
  const GraphEdge in = graph[nodes[n].in[0]], out = graph[nodes[n].out[0]];
  if (in.from == n)
    return false;
  const uint32_t region = series({in.region, nodes[n].region, out.region});
  removeNode(n);
  addEdge(in.from, out.to, region, in.edges, out.last);
  return true;
}

void Reducer::simplify() {
  while (!work.empty()) {
    const uint32_t n = work.back();
    work.pop_back();
    waiting[n] = false;
    while (nodes[n].alive && (joinParallel(n) || closeLoop(n) || shortcut(n)))
      ;
  }
}

/// The graph as it is now.
Shape Reducer::shape() const {
  Shape s;
  s.successors.resize(nodes.size());
  for (const GraphEdge &e : graph)
    if (e.alive)
      s.successors[e.from].push_back(e.to);
  return s;
}

/// Every strongly connected part that cannot be left gets an edge that leaves it.
void Reducer::leadOutOfEndlessLoops() {
  for (;;) {
    const std::vector<bool> ends = reaching(shape(), exit), begins = reachable(shape(), entry);
    uint32_t header = noIndex;
    for (uint32_t n = firstBlock; n < nodes.size() && header == noIndex; ++n)
      if (begins[n] && !ends[n])
        header = n;
    if (header == noIndex)
      return;
    for (const Loop &l : f.loops) // rather at a header
      if (begins[firstBlock + l.header] && !ends[firstBlock + l.header]) {
        header = firstBlock + l.header;
        break;
      }
    addEdge(header, exit, noIndex, {}, {});
  }
}

/// Moves `members`, of which the first is the entry, into `r`: parts, and links between them. Edges
/// that lead out go to `leaving`; those to the entry are the way back when it is a `loop`, by the
/// edges that are returned.
EdgeSet Reducer::takeIn(const std::vector<uint32_t> &members, Region &r,
                        std::vector<uint32_t> &leaving, bool loop) {
  const auto numberOf = [&](uint32_t node) {
    return static_cast<uint32_t>(std::find(members.begin(), members.end(), node) - members.begin());
  };
  const auto count = static_cast<uint32_t>(members.size());
  EdgeSet back;
  for (const uint32_t n : members) {
    if (nodes[n].region == noIndex)
      nodes[n].region = addRegion({Region::Kind::series, noIndex, {}, {}});
    r.parts.push_back(nodes[n].region);
  }
  for (uint32_t i = 0; i < count; ++i)
    for (const uint32_t e : nodes[members[i]].out) {
      const uint32_t to = numberOf(graph[e].to);
      if (to == count) {
        leaving.push_back(e);
        continue;
      }
      r.links.push_back({i, loop && to == 0 ? count : to, graph[e].region, graph[e].edges});
      if (to == 0)
        append(back, graph[e].last);
    }
  return back;
}

/// The nodes that edges lead to, ascending.
std::vector<uint32_t> Reducer::targetsOf(const std::vector<uint32_t> &leaving) const {
  std::vector<uint32_t> targets;
  for (const uint32_t e : leaving)
    targets.push_back(graph[e].to);
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

/// The loop becomes one node; what it costs given a way out stands on the edges that leave.
void Reducer::collapseLoop(uint32_t header, const std::vector<uint32_t> &members) {
  Region r;
  r.kind = Region::Kind::exits;
  std::vector<uint32_t> leaving, arriving;
  r.item = loopAt(header, takeIn(members, r, leaving, true));
  const auto count = static_cast<uint32_t>(members.size());
  const std::vector<uint32_t> targets = targetsOf(leaving);
  std::vector<EdgeSet> ways(targets.size()), last(targets.size());
  for (const uint32_t e : leaving) {
    const GraphEdge &edge = graph[e];
    const auto way = static_cast<uint32_t>(
        std::lower_bound(targets.begin(), targets.end(), edge.to) - targets.begin());
    uint32_t from = 0;
    while (members[from] != edge.from)
      ++from;
    r.links.push_back({from, count + 1 + way, edge.region, edge.edges});
    append(ways[way], edge.edges);
    append(last[way], edge.last);
  }
  for (const uint32_t e : nodes[header].in)
    if (std::find(members.begin(), members.end(), graph[e].from) == members.end())
      arriving.push_back(e);
  std::vector<GraphEdge> kept;
  for (const uint32_t e : arriving)
    kept.push_back(graph[e]);
  for (const uint32_t n : members)
    removeNode(n);
  nodes[header].alive = true;
  const uint32_t loop = nodes[header].region = addRegion(std::move(r));
  for (GraphEdge &e : kept)
    addEdge(e.from, header, e.region, std::move(e.edges), std::move(e.last));
  for (uint32_t way = 0; way < targets.size(); ++way) {
    const uint32_t left =
        targets.size() == 1 ? noIndex : addRegion({Region::Kind::left, way, {loop}, {}});
    addEdge(header, targets[way], left, std::move(ways[way]), std::move(last[way]));
  }
}

/// The innermost natural loops, if there is one.
bool Reducer::collapseLoops() {
  const Shape now = shape();
  const std::vector<std::vector<uint32_t>> loops = innermostLoops(now, dominators(now, entry));
  for (const std::vector<uint32_t> &members : loops)
    collapseLoop(members[0], members);
  return !loops.empty();
}

void Reducer::collapseFlow() {
  const std::vector<uint32_t> members = smallestPart(shape(), entry, exit);
  assert(members.size() > 1 && "the whole function has one entry and one exit");
  const uint32_t first = members[0];
  Region r;
  r.kind = Region::Kind::flow;
  std::vector<uint32_t> leaving;
  takeIn(members, r, leaving, false);
  const auto count = static_cast<uint32_t>(members.size());
  const uint32_t target = graph[leaving[0]].to;
  EdgeSet out, last;
  for (const uint32_t e : leaving) {
    const auto from = static_cast<uint32_t>(
        std::find(members.begin(), members.end(), graph[e].from) - members.begin());
    r.links.push_back({from, count, graph[e].region, graph[e].edges});
    append(out, graph[e].edges);
    append(last, graph[e].last);
  }
  std::vector<GraphEdge> kept;
  for (const uint32_t e : nodes[first].in)
    if (std::find(members.begin(), members.end(), graph[e].from) == members.end())
      kept.push_back(graph[e]);
  for (const uint32_t n : members)
    removeNode(n);
  nodes[first].alive = true;
  nodes[first].region = addRegion(std::move(r));
  for (GraphEdge &e : kept)
    addEdge(e.from, first, e.region, std::move(e.edges), std::move(e.last));
  std::sort(out.begin(), out.end());
  addEdge(first, target, noIndex, std::move(out), std::move(last));
}

Regions Reducer::run() {
  leadOutOfEndlessLoops();
  const std::vector<bool> begins = reachable(shape(), entry);
  for (uint32_t n = firstBlock; n < nodes.size(); ++n)
    if (!begins[n])
      removeNode(n);
  for (simplify(); nodes[entry].out.size() != 1 || graph[nodes[entry].out[0]].to != exit;
       simplify())
    if (!collapseLoops())
      collapseFlow();
  regions.root = graph[nodes[entry].out[0]].region;
  return tidy();
}

/// Leaves out what became part of something else.
Regions Reducer::tidy() {
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

} // namespace

double passes(const EdgeSet &set, std::span<const double> edges) {
  double sum = 0;
  for (const uint32_t e : set)
    sum += std::max(0.0, edges[e]);
  return sum;
}

Regions reduce(const Function &f) { return Reducer(f).run(); }

} // namespace quincunx
