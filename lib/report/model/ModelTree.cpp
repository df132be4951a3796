// Walks a tree of regions from the function down.
// The idea: how often a region is executed follows from the edges that lead to it, so every line
// can say "so often per call, each time so much". Regions without cost (blocks that only jump) are
// left out. It computes no cost.
#include "ModelTree.h"

#include "quincunx/base/Text.h"
#include "quincunx/model/Loops.h"
#include "report/layout/Grid.h"

#include <algorithm>

namespace quincunx {

namespace {

class Walker {
public:
  Walker(const CallGraph &g, const ModelledTree &t, const Display &d,
         std::span<const std::string> l)
      : graph(g), f(*g.functions[t.number]), tree(t), display(d), labels(l) {}
  std::vector<TreeLine> run();

private:
  double weight(const EdgeSet &edges) const { return passes(edges, tree.executed.edges); }
  double share(double perCall, const Cumulants &cost) const {
    const double all = tree.costs[tree.regions.root].k1;
    return all != 0 ? perCall * cost.k1 / all : 0;
  }
  uint32_t lineOf(uint32_t region) const;
  uint32_t firstBlock(uint32_t region) const;
  std::string place(std::string what, uint32_t region, uint32_t line) const;
  void add(size_t depth, const char *kind, std::string what, uint32_t line, double n,
           const Cumulants &cost);
  void addCalls(uint32_t region, size_t depth);
  void addPointer(const ModelledCall &c, size_t depth);
  void walk(uint32_t region, size_t depth, double n);
  void walkSeries(const Region &r, size_t depth, double n);
  void walkBranch(uint32_t region, size_t depth, double n);
  void walkLoop(uint32_t region, size_t depth, double n);
  bool hasSeveralWaysOut(const Region &r) const;
  void walkGraph(uint32_t region, size_t depth, double n);

  const CallGraph &graph;
  const Function &f;
  const ModelledTree &tree;
  const Display &display;
  std::span<const std::string> labels;
  std::vector<TreeLine> lines;
};

/// Where a region begins; of a branch, what decides. None: nobody can say.
uint32_t Walker::firstBlock(uint32_t region) const {
  if (region == noIndex)
    return noIndex;
  const Region &r = tree.regions.all[region];
  if (r.kind == Region::Kind::block)
    return r.item;
  if (r.kind != Region::Kind::branch)
    return r.kind == Region::Kind::left || r.parts.empty() ? noIndex : firstBlock(r.parts.front());
  const Branch *branch = branchOf(f, r);
  return branch != nullptr ? branch->block : noIndex;
}

/// "loop %body line 12", as far as it is known.
std::string Walker::place(std::string what, uint32_t region, uint32_t line) const {
  const uint32_t block = labels.empty() ? noIndex : firstBlock(region);
  if (block != noIndex && !labels[block].empty())
    what.append(" ").append(escape(labels[block]));
  if (line != 0)
    what.append(" line ").append(std::to_string(line));
  return what;
}

/// The first line of the function's own text that the region executes.
uint32_t Walker::lineOf(uint32_t region) const {
  if (region == noIndex)
    return 0;
  const Region &r = tree.regions.all[region];
  if (r.kind == Region::Kind::block) {
    for (const Location &at : f.blocks[r.item].lines)
      if (at.scope == 0 && at.line != 0)
        return at.line;
    return 0;
  }
  if (r.kind != Region::Kind::left)
    for (const uint32_t part : r.parts)
      if (const uint32_t line = lineOf(part); line != 0)
        return line;
  for (const Link &l : r.links)
    if (const uint32_t line = lineOf(l.region); line != 0)
      return line;
  return 0;
}

void Walker::add(size_t depth, const char *kind, std::string what, uint32_t line, double n,
                 const Cumulants &cost) {
  const double perCall = n / tree.executed.entries;
  lines.push_back({depth, kind, std::move(what), line, perCall, cost, {}, 0, share(perCall, cost)});
}

/// What the block of a region calls and starts.
void Walker::addCalls(uint32_t region, size_t depth) {
  const uint32_t block = tree.regions.all[region].item;
  for (const ModelledCall &c : tree.calls) {
    if (c.block != block)
      continue;
    if (!c.among.empty()) {
      addPointer(c, depth);
      continue;
    }
    const Function &callee = *graph.functions[c.callee];
    std::string what = c.threads > 0 ? "fork " : "call ";
    what.append(display.function(callee.name));
    if (c.threads > 1)
      what.append(", ").append(figure(c.threads)).append(" threads until the last ends");
    lines.push_back({depth, c.threads > 0 ? "fork" : "call", std::move(what), 0, c.perCall, c.cost,
                     callee.name, c.threads,
                     c.threads > 0 ? 0 : share(c.perCall * c.share, c.cost)});
  }
}

/// A call through a pointer, and below it whom it calls.
void Walker::addPointer(const ModelledCall &c, size_t depth) {
  lines.push_back({depth,
                   "pointer",
                   "call through a pointer",
                   0,
                   c.perCall,
                   c.cost,
                   {},
                   0,
                   share(c.perCall, c.cost)});
  for (const ModelledCall::Target &t : c.among) {
    const std::string &name = graph.functions[t.callee]->name;
    std::string what = percent(t.share);
    what.append(" call ").append(display.function(name));
    const double perCall = c.perCall * t.share;
    lines.push_back(
        {depth + 1, "call", std::move(what), 0, perCall, t.cost, name, 0, share(perCall, t.cost)});
  }
}

void Walker::walkSeries(const Region &r, size_t depth, double n) {
  for (size_t i = 0; i < r.parts.size(); ++i) {
    Cumulants plain;
    const size_t first = i;
    while (i < r.parts.size() && tree.regions.all[r.parts[i]].kind == Region::Kind::block)
      plain += tree.costs[r.parts[i++]];
    if (i != first) {
      if (plain.k1 != 0)
        add(depth, "block", place("code", r.parts[first], lineOf(r.parts[first])),
            lineOf(r.parts[first]), n, plain);
      for (size_t b = first; b < i; ++b)
        addCalls(r.parts[b], depth + 1);
      if (i == r.parts.size())
        return;
    }
    walk(r.parts[i], depth, n);
  }
}

void Walker::walkBranch(uint32_t region, size_t depth, double n) {
  const Region &r = tree.regions.all[region];
  const Branch *branch = branchOf(f, r);
  const uint32_t line = branch && branch->at.scope == 0 ? branch->at.line : 0;
  const bool twoArms = r.item != noIndex && branch != nullptr && branch->senseKnown;
  add(depth, "branch", place(branch && branch->isSwitch ? "switch" : "branch", region, line), line,
      n, tree.costs[region]);
  for (size_t i = 0; i < r.links.size(); ++i) {
    const Link &l = r.links[i];
    const double times = weight(l.edges);
    if (times <= 0)
      continue;
    const char *kind = twoArms ? (i == 0 ? "true" : "false") : "arm";
    std::string what = place(kind, l.region, 0);
    what.append(" ").append(percent(times / n));
    add(depth + 1, kind, std::move(what), lineOf(l.region), times,
        l.region == noIndex ? Cumulants{} : tree.costs[l.region]);
    if (l.region == noIndex)
      continue;
    if (tree.regions.all[l.region].kind == Region::Kind::block)
      addCalls(l.region, depth + 2);
    else
      walk(l.region, depth + 2, times);
  }
}

void Walker::walkLoop(uint32_t region, size_t depth, double n) {
  const Region &r = tree.regions.all[region];
  const double back = weight(r.links[0].edges);
  uint32_t line = r.item != noIndex && f.loops[r.item].at.scope == 0 ? f.loops[r.item].at.line : 0;
  if (line == 0)
    line = lineOf(region);
  add(depth, "loop", place("loop", region, line) + ", " + figure(back / n) + " trips", line, n,
      tree.costs[region]);
  walk(r.parts[0], depth + 1, n + back);
  if (r.links[0].region != noIndex)
    walk(r.links[0].region, depth + 1, back);
}

/// Whether the loop of a graph was left by several edges.
bool Walker::hasSeveralWaysOut(const Region &r) const {
  if (r.item == noIndex)
    return true;
  const std::vector<bool> body = bodyOf(f, f.loops[r.item]);
  size_t ways = 0;
  for (size_t e = 0; e < f.edges.size(); ++e)
    if (const Edge &edge = f.edges[e]; edge.from != noIndex && body[edge.from])
      ways += (edge.to == noIndex || !body[edge.to]) && tree.executed.edges[e] > 0;
  return ways > 1;
}

/// Parts of a graph, in the order in which they were taken in.
void Walker::walkGraph(uint32_t region, size_t depth, double n) {
  const Region &r = tree.regions.all[region];
  const bool isLoop = r.kind == Region::Kind::exits;
  const auto count = static_cast<uint32_t>(r.parts.size());
  std::vector<double> visits(count, 0.0);
  visits[0] = n;
  double back = 0;
  for (const Link &l : r.links) {
    const double times = weight(l.edges);
    if (l.to < count)
      visits[l.to] += times;
    else if (isLoop && l.to == count)
      back += times;
  }
  visits[0] += back;
  uint32_t line = isLoop && r.item != noIndex && f.loops[r.item].at.scope == 0
                      ? f.loops[r.item].at.line
                      : lineOf(region);
  std::string what = place(isLoop ? "loop" : "flow", region, line);
  if (isLoop)
    what.append(", ").append(figure(back / n)).append(" trips");
  if (isLoop && hasSeveralWaysOut(r))
    what.append(", several ways out");
  add(depth, isLoop ? "loop" : "flow", std::move(what), line, n, tree.costs[region]);
  for (uint32_t p = 0; p < count; ++p) {
    if (visits[p] > 0)
      walk(r.parts[p], depth + 1, visits[p]);
    for (const Link &l : r.links)
      if (l.from == p && l.region != noIndex && weight(l.edges) > 0)
        walk(l.region, depth + 1, weight(l.edges));
  }
}

void Walker::walk(uint32_t region, size_t depth, double n) {
  if (n <= 0)
    return;
  const Region &r = tree.regions.all[region];
  switch (r.kind) {
  case Region::Kind::block:
    if (tree.costs[region].k1 != 0)
      add(depth, "block", place("code", region, lineOf(region)), lineOf(region), n,
          tree.costs[region]);
    addCalls(region, depth + 1);
    break;
  case Region::Kind::series:
    walkSeries(r, depth, n);
    break;
  case Region::Kind::branch:
    walkBranch(region, depth, n);
    break;
  case Region::Kind::loop:
    walkLoop(region, depth, n);
    break;
  case Region::Kind::exits:
  case Region::Kind::flow:
    walkGraph(region, depth, n);
    break;
  case Region::Kind::left: // its cost stands at the loop
    break;
  }
}

std::vector<TreeLine> Walker::run() {
  const double n = tree.executed.entries;
  add(0, "function", "one call", f.scopes[0].line, n, tree.costs[tree.regions.root]);
  walk(tree.regions.root, 1, n);
  return std::move(lines);
}

} // namespace

const Branch *branchOf(const Function &f, const Region &r) {
  if (r.item != noIndex)
    return &f.branches[r.item];
  const uint32_t edge = r.links.empty() || r.links[0].edges.empty() ? noIndex : r.links[0].edges[0];
  for (const Branch &b : f.branches)
    if (edge != noIndex && b.block == f.edges[edge].from)
      return &b;
  return nullptr;
}

std::vector<TreeLine> treeLines(const CallGraph &graph, const ModelledTree &tree,
                                const Display &display, std::span<const std::string> labels) {
  return Walker(graph, tree, display, labels).run();
}

} // namespace quincunx
