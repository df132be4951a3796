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
#include "ReductionGraph.h"

#include <algorithm>
#include <cassert>

namespace quincunx {

namespace {

void append(EdgeSet &to, const EdgeSet &more) { to.insert(to.end(), more.begin(), more.end()); }

class Reducer : ReductionGraph {
public:
  explicit Reducer(const Function &function) : ReductionGraph(function), f(function) {}
  Regions run();

private:
  void leadOutOfEndlessLoops();
  uint32_t branchOf(const std::vector<Link> &arms) const;
  uint32_t loopAt(uint32_t node, EdgeSet back) const;
  bool headsLoop(uint32_t node) const;
  bool joinParallel(uint32_t n);
  bool closeLoop(uint32_t n);
  bool shortcut(uint32_t n);
  void simplify();
  bool collapseLoops();
  std::vector<uint32_t> targetsOf(const std::vector<uint32_t> &leaving) const;
  void collapseLoop(uint32_t header, const std::vector<uint32_t> &members);
  void collapseFlow();
  EdgeSet takeIn(const std::vector<uint32_t> &members, Region &r, std::vector<uint32_t> &leaving,
                 bool loop);

  const Function &f;
};

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
  const Edge in = graph[nodes[n].in[0]], out = graph[nodes[n].out[0]];
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
    const Edge &edge = graph[e];
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
  std::vector<Edge> kept;
  for (const uint32_t e : arriving)
    kept.push_back(graph[e]);
  for (const uint32_t n : members)
    removeNode(n);
  nodes[header].alive = true;
  const uint32_t loop = nodes[header].region = addRegion(std::move(r));
  for (Edge &e : kept)
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
  std::vector<Edge> kept;
  for (const uint32_t e : nodes[first].in)
    if (std::find(members.begin(), members.end(), graph[e].from) == members.end())
      kept.push_back(graph[e]);
  for (const uint32_t n : members)
    removeNode(n);
  nodes[first].alive = true;
  nodes[first].region = addRegion(std::move(r));
  for (Edge &e : kept)
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

} // namespace

double passes(const EdgeSet &set, std::span<const double> edges) {
  double sum = 0;
  for (const uint32_t e : set)
    sum += std::max(0.0, edges[e]);
  return sum;
}

Regions reduce(const Function &f) { return Reducer(f).run(); }

} // namespace quincunx
