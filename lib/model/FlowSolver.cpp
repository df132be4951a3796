// Solves conservation of flow on the spanning tree that lib/map/Placement left unmeasured, in the
// order of FlowPlan.h. The same order backwards gives a weighted sum of counts as a linear form in
// the counters.
//
// Lost frames: in a guarded function every tree of unmeasured edges has one equation more than it
// needs. It is left out at one block, the root, where it shows how many frames the tree lost. The
// base solution has all losses at the root; a frame lost at block b instead changes the edges on
// the tree path from b to the root by one each, so every count lies between the extremes over the
// tree's blocks where a frame can be lost. See docs/06-loops-and-exits.md. It does not guess where
// frames were lost.
#include "quincunx/model/FlowSolver.h"

#include "FlowPlan.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <ranges>

namespace quincunx {

namespace {

/// What a frame lost at block b, instead of at the root, does to a weighted sum of edges, per
/// block. Takes the gradient with respect to edges and moves it to the measured ones.
std::vector<double> transpose(const FlowPlan &plan, std::vector<double> &gradient) {
  const auto &[f, g, terms, order, trees] = plan;
  std::vector<double> lost(f.blocks.size(), 0.0);
  for (const SolvingStep &step : std::views::reverse(order)) {
    const double slope = gradient[step.edge];
    if (slope == 0)
      continue;
    const bool leaves = f.edges[step.edge].from == step.block;
    const double sign = leaves ? slope : -slope;
    for (const uint32_t e : g.in[step.block])
      if (e != step.edge)
        gradient[e] += sign;
    for (const uint32_t e : g.out[step.block])
      if (e != step.edge)
        gradient[e] -= sign;
    lost[step.block] = -sign;
  }
  return lost;
}

double netFlow(const FlowPlan &plan, uint32_t block, const std::vector<double> &flow) {
  double net = 0;
  for (const uint32_t e : plan.g.in[block])
    net += flow[e];
  for (const uint32_t e : plan.g.out[block])
    net -= flow[e];
  return net;
}

template <class Value>
std::vector<double> solve(const FlowPlan &plan, std::span<const Value> counters) {
  const Function &f = plan.f;
  assert(counters.size() == f.counterCount && "counters of one function");
  std::vector<double> flow(f.edges.size(), 0.0);
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].counter != noIndex)
      flow[e] = static_cast<double>(counters[f.edges[e].counter]);
  for (const SolvingStep &step : plan.order) {
    double net = 0;
    for (uint32_t t = step.in; t < step.out; ++t)
      net += flow[plan.terms[t]];
    for (uint32_t t = step.out; t < step.end; ++t)
      net -= flow[plan.terms[t]];
    flow[step.edge] = step.leaves ? net : -net;
  }
  return flow;
}

Frames framesOf(const FlowPlan &plan, const std::vector<double> &flow) {
  const Function &f = plan.f;
  Frames frames;
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    switch (f.edges[e].kind) {
    case EdgeKind::flow:
    case EdgeKind::reentry:
      break;
    case EdgeKind::entry:
      frames.entered += flow[e];
      break;
    case EdgeKind::leave:
      frames.left += flow[e];
      break;
    case EdgeKind::unwind:
      frames.unwound += flow[e];
      break;
    case EdgeKind::stop:
      frames.stopped += flow[e];
      break;
    case EdgeKind::nonReturning:
      frames.lost += flow[e];
      break;
    }
  if (!f.guarded || f.exact)
    return frames;
  for (const uint32_t root : plan.trees.roots) {
    frames.lostIn.push_back(netFlow(plan, root, flow));
    frames.lost += frames.lostIn.back();
  }
  return frames;
}

/// Frames that were active in a parent when it forked may return in the child without having
/// entered there. The one that called fork itself comes back through its own edge of reentry.
void inherit(const FlowPlan &plan, std::span<const uint64_t> inherited, Frames &frames) {
  if (inherited.empty() || frames.lostIn.empty())
    return;
  const Frames before = framesOf(plan, solve(plan, inherited));
  for (size_t t = 0; t < frames.lostIn.size(); ++t) {
    frames.inheritedIn.push_back(std::max(0.0, before.lostIn[t]));
    frames.lostIn[t] += frames.inheritedIn[t];
    frames.inherited += frames.inheritedIn[t];
  }
  frames.lost += frames.inherited;
}

using PerFrame = LinearForm::PerFrame;

/// Extremes of `lost` over the blocks of each tree where a frame can be lost.
std::vector<PerFrame> extremes(const FlowPlan &plan, const std::vector<double> &lost) {
  std::vector<PerFrame> all(plan.trees.roots.size());
  std::vector<bool> seen(all.size());
  for (uint32_t b = 0; b < plan.f.blocks.size(); ++b) {
    const uint32_t tree = plan.trees.of[b];
    if (tree == noIndex || !plan.f.blocks[b].mayNotReturn)
      continue;
    PerFrame &r = all[tree];
    r = seen[tree] ? PerFrame{std::min(r.low, lost[b]), std::max(r.high, lost[b])}
                   : PerFrame{lost[b], lost[b]};
    seen[tree] = true;
  }
  return all;
}

/// Adds what the frames lost in one tree allow.
void addLost(Count &c, PerFrame perFrame, const Frames &frames, size_t tree) {
  // More frames came back than went in only where the program broke the rules of C; keep the
  // bounds sane.
  const double lost = std::max(0.0, frames.lostIn[tree]);
  const double inherited = frames.inheritedIn.empty() ? 0 : frames.inheritedIn[tree];
  c.low += lost * perFrame.low - inherited * perFrame.high;
  c.high += lost * perFrame.high - inherited * perFrame.low;
}

/// Changes of edges and blocks (numbered behind the edges) by one frame lost at `from` instead of
/// at the root of its tree.
template <class Note>
void walkToRoot(const FlowPlan &plan, const std::vector<uint32_t> &stepOf, uint32_t from,
                Note note) {
  std::vector<std::pair<uint32_t, double>> heads;
  for (uint32_t at = from; stepOf[at] != noIndex;) {
    const uint32_t e = plan.order[stepOf[at]].edge;
    const Edge &edge = plan.f.edges[e];
    const bool leaves = edge.from == at;
    const double by = leaves ? -1 : 1;
    note(e, by);
    // The path enters a block at most twice in a row: two edges may have the same head.
    if (const uint32_t head = headOf(edge); head != noIndex) {
      if (!heads.empty() && heads.back().first == head)
        heads.back().second += by;
      else
        heads.emplace_back(head, by);
    }
    at = leaves ? edge.to : edge.from;
  }
  for (const auto &[head, by] : heads)
    if (by != 0)
      note(plan.f.edges.size() + head, by);
}

/// Widens edges and blocks by what lost frames allow.
void widen(const FlowPlan &plan, FunctionCounts &counts) {
  const Function &f = plan.f;
  std::vector<uint32_t> stepOf(f.blocks.size(), noIndex);
  for (uint32_t i = 0; i < plan.order.size(); ++i)
    stepOf[plan.order[i].block] = i;
  const size_t edges = f.edges.size();
  std::vector<PerFrame> range(edges + f.blocks.size());
  std::vector<uint32_t> seen(range.size(), 0), treeOf(range.size(), noIndex);
  std::vector<uint32_t> places(plan.trees.roots.size(), 0);
  for (uint32_t b = 0; b < f.blocks.size(); ++b) {
    const uint32_t tree = plan.trees.of[b];
    if (tree == noIndex || !f.blocks[b].mayNotReturn)
      continue;
    ++places[tree];
    walkToRoot(plan, stepOf, b, [&](size_t item, double by) {
      PerFrame &r = range[item];
      r = seen[item]++ == 0 ? PerFrame{by, by}
                            : PerFrame{std::min(r.low, by), std::max(r.high, by)};
      treeOf[item] = tree;
    });
  }
  for (size_t item = 0; item < range.size(); ++item) {
    const uint32_t tree = treeOf[item];
    if (tree == noIndex)
      continue;
    PerFrame r = range[item];
    if (seen[item] < places[tree])
      r = {std::min(r.low, 0.0), std::max(r.high, 0.0)};
    Count &c = item < edges ? counts.edges[item] : counts.blocks[item - edges];
    addLost(c, r, counts.frames, tree);
    c.low = std::max(0.0, c.low);
    c.value = c.low + (c.high - c.low) / 2;
  }
}

} // namespace

FlowSolver::FlowSolver(const Function &f) : plan(std::make_unique<const FlowPlan>(f)) {}
FlowSolver::FlowSolver(FlowSolver &&) noexcept = default;
FlowSolver::~FlowSolver() = default;

namespace {

/// Means and weighted sums are rounded: what is left where they cancel is nothing.
void dropResidue(const FlowPlan &plan, std::vector<double> &flow) {
  constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
  std::vector<double> terms(flow.size(), 0.0); // of each edge: what was added and taken off
  for (size_t e = 0; e < flow.size(); ++e)
    terms[e] = plan.f.edges[e].counter != noIndex ? std::abs(flow[e]) : 0;
  for (const SolvingStep &step : plan.order) {
    double sum = 0;
    for (const auto *edges : {&plan.g.in[step.block], &plan.g.out[step.block]})
      for (const uint32_t e : *edges)
        sum += e != step.edge ? terms[e] : 0;
    terms[step.edge] = sum;
    if (std::abs(flow[step.edge]) <= rounding * sum)
      flow[step.edge] = 0;
  }
}

} // namespace

FlowValues FlowSolver::flow(std::span<const double> perCounter) const {
  const Function &f = plan->f;
  FlowValues flow{solve(*plan, perCounter), std::vector<double>(f.blocks.size(), 0.0)};
  dropResidue(*plan, flow.edges);
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (const uint32_t head = headOf(f.edges[e]); head != noIndex)
      flow.blocks[head] += flow.edges[e];
  return flow;
}

FunctionCounts FlowSolver::counts(std::span<const uint64_t> counters,
                                  std::span<const uint64_t> inherited) const {
  const Function &f = plan->f;
  const std::vector<double> flow = solve(*plan, counters);
  FunctionCounts counts;
  counts.frames = framesOf(*plan, flow);
  inherit(*plan, inherited, counts.frames);
  counts.blocks.resize(f.blocks.size());
  counts.edges.reserve(f.edges.size());
  for (uint32_t e = 0; e < f.edges.size(); ++e) {
    counts.edges.push_back({flow[e], flow[e], flow[e]});
    if (const uint32_t head = headOf(f.edges[e]); head != noIndex)
      counts.blocks[head].value += flow[e];
  }
  for (Count &c : counts.blocks)
    c.low = c.high = c.value;
  if (f.guarded && !f.exact && (counts.frames.lost != 0 || counts.frames.inherited != 0))
    widen(*plan, counts);
  return counts;
}

Frames FlowSolver::frames(std::span<const uint64_t> counters,
                          std::span<const uint64_t> inherited) const {
  Frames frames = framesOf(*plan, solve(*plan, counters));
  inherit(*plan, inherited, frames);
  return frames;
}

namespace {

/// Weights per counter of a weighted sum of edges; `lost` as transpose() gives it.
std::vector<double> toCounters(const FlowPlan &plan, std::vector<double> gradient,
                               std::vector<double> &lost) {
  const Function &f = plan.f;
  lost = transpose(plan, gradient);
  std::vector<double> perCounter(f.counterCount, 0.0);
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].counter != noIndex)
      perCounter[f.edges[e].counter] += gradient[e];
  return perCounter;
}

} // namespace

LinearForm FlowSolver::linear(std::span<const double> blockWeights,
                              std::span<const double> edgeWeights) const {
  const Function &f = plan->f;
  assert(blockWeights.size() == f.blocks.size() && "one weight per block");
  assert((edgeWeights.empty() || edgeWeights.size() == f.edges.size()) && "one weight per edge");
  std::vector<double> gradient(edgeWeights.begin(), edgeWeights.end()), lost;
  gradient.resize(f.edges.size());
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (const uint32_t head = headOf(f.edges[e]); head != noIndex)
      gradient[e] += blockWeights[head];
  LinearForm form;
  form.perCounter = toCounters(*plan, std::move(gradient), lost);
  if (f.guarded && !f.exact)
    form.lost = extremes(*plan, lost);
  return form;
}

FrameForms FlowSolver::frameForms() const {
  const Function &f = plan->f;
  std::vector<double> entered(f.edges.size(), 0.0), lost(f.edges.size(), 0.0), ignored;
  for (uint32_t e = 0; e < f.edges.size(); ++e) {
    const EdgeKind kind = f.edges[e].kind;
    entered[e] = kind == EdgeKind::entry ? 1 : 0;
    if (f.exact)
      lost[e] = kind == EdgeKind::nonReturning ? 1 : 0;
    else if (kind == EdgeKind::entry || kind == EdgeKind::reentry)
      lost[e] = 1;
    else if (kind != EdgeKind::flow)
      lost[e] = -1;
  }
  return {toCounters(*plan, std::move(entered), ignored),
          toCounters(*plan, std::move(lost), ignored)};
}

Count LinearForm::around(double base, const Frames &frames) const {
  Count c{base, base, base};
  for (size_t t = 0; t < lost.size() && t < frames.lostIn.size(); ++t)
    addLost(c, lost[t], frames, t);
  c.value = c.low + (c.high - c.low) / 2;
  return c;
}

Count LinearForm::at(std::span<const uint64_t> counters, const Frames &frames) const {
  double base = 0;
  for (size_t i = 0; i < perCounter.size(); ++i)
    base += perCounter[i] * static_cast<double>(counters[i]);
  return around(base, frames);
}

} // namespace quincunx
