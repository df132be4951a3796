// Solves conservation of flow on the spanning tree that lib/map/Placement left unmeasured. A block
// with one unknown edge determines it; taken in that order ("peeling" leaves) the whole tree is
// solved in one pass, and the same order backwards gives a weighted sum of counts as a linear form
// in the counters.
//
// Lost frames: in a guarded function one equation is redundant. It is left out at one block, the
// root. The base solution has all losses at the root; a frame lost at block b instead changes the
// edges on the tree path from b to the root by one each, so every count lies between the extremes
// over the blocks where a frame can be lost. See docs/06-loops-and-exits.md. It does not guess
// where frames were lost.
#include "quincunx/model/Counts.h"

#include <algorithm>
#include <cassert>

namespace quincunx {

namespace {

/// The order in which unmeasured edges are determined: `edge` by the equation of `block`.
struct Step {
  uint32_t edge, block;
};

/// The block an edge leads to the start of; extra arrivals come back in its middle.
uint32_t headOf(const Edge &e) { return e.kind == EdgeKind::again ? none : e.to; }

struct Incidence {
  std::vector<std::vector<uint32_t>> in, out; ///< edges per block, self loops left out
};

Incidence incidence(const Function &f) {
  Incidence g{std::vector<std::vector<uint32_t>>(f.blocks.size()),
              std::vector<std::vector<uint32_t>>(f.blocks.size())};
  for (uint32_t e = 0; e < f.edges.size(); ++e) {
    const Edge &edge = f.edges[e];
    if (edge.from == edge.to)
      continue; // adds as much to both sides of its block
    if (edge.from != none)
      g.out[edge.from].push_back(e);
    if (edge.to != none)
      g.in[edge.to].push_back(e);
  }
  return g;
}

std::vector<Step> solvingOrder(const Function &f, const Incidence &g) {
  std::vector<uint32_t> unknown(f.blocks.size(), 0);
  std::vector<bool> known(f.edges.size());
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    known[e] = f.edges[e].counter != none;
  std::vector<uint32_t> ready;
  for (uint32_t b = 0; b < f.blocks.size(); ++b) {
    for (const auto *side : {&g.in[b], &g.out[b]})
      unknown[b] += static_cast<uint32_t>(
          std::count_if(side->begin(), side->end(), [&](uint32_t e) { return !known[e]; }));
    if (unknown[b] == 1)
      ready.push_back(b);
  }
  std::vector<Step> order;
  while (!ready.empty()) {
    const uint32_t b = ready.back();
    ready.pop_back();
    if (unknown[b] != 1)
      continue; // solved from the other end meanwhile: the root of its tree
    for (const auto *side : {&g.in[b], &g.out[b]})
      for (const uint32_t e : *side)
        if (!known[e]) {
          known[e] = true;
          order.push_back({e, b});
          unknown[b] = 0;
          const uint32_t other = f.edges[e].from == b ? f.edges[e].to : f.edges[e].from;
          if (other != none && --unknown[other] == 1)
            ready.push_back(other);
        }
  }
  return order;
}

/// What a frame lost at block b, instead of at the root, does to a weighted sum of edges, per
/// block. Takes the gradient with respect to edges and moves it to the measured ones.
std::vector<double> pullBack(const Function &f, const Incidence &g, const std::vector<Step> &order,
                             std::vector<double> &gradient) {
  std::vector<double> lost(f.blocks.size(), 0.0);
  for (auto step = order.rbegin(); step != order.rend(); ++step) {
    const double slope = gradient[step->edge];
    if (slope == 0)
      continue;
    const bool leaves = f.edges[step->edge].from == step->block;
    const double sign = leaves ? slope : -slope;
    for (const uint32_t e : g.in[step->block])
      if (e != step->edge)
        gradient[e] += sign;
    for (const uint32_t e : g.out[step->block])
      if (e != step->edge)
        gradient[e] -= sign;
    lost[step->block] = -sign;
  }
  return lost;
}

std::vector<double> solve(const Function &f, const Incidence &g, const std::vector<Step> &order,
                          std::span<const uint64_t> counters) {
  std::vector<double> flow(f.edges.size(), 0.0);
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].counter != none)
      flow[e] = static_cast<double>(counters[f.edges[e].counter]);
  for (const Step &step : order) {
    double net = 0;
    for (const uint32_t e : g.in[step.block])
      net += flow[e];
    for (const uint32_t e : g.out[step.block])
      net -= flow[e];
    flow[step.edge] = f.edges[step.edge].from == step.block ? net : -net;
  }
  return flow;
}

Frames framesOf(const Function &f, const std::vector<double> &flow) {
  Frames frames;
  double again = 0, cut = 0;
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    switch (f.edges[e].kind) {
    case EdgeKind::flow:
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
    case EdgeKind::cut:
      cut += flow[e];
      break;
    case EdgeKind::again:
      again += flow[e];
      break;
    }
  frames.lost =
      f.exact ? cut : frames.entered + again - frames.left - frames.unwound - frames.stopped;
  return frames;
}

/// Frames that were active in a parent when it forked may return in the child without having
/// entered there. Those that called fork themselves come back through their own `again` edge.
void inherit(const Function &f, const Incidence &g, const std::vector<Step> &order,
             const std::vector<double> &flow, std::span<const uint64_t> inherited, Frames &frames) {
  if (inherited.empty() || !f.guarded || f.exact)
    return;
  double again = 0;
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].kind == EdgeKind::again)
      again += flow[e];
  const Frames before = framesOf(f, solve(f, g, order, inherited));
  frames.inherited = std::max(0.0, before.lost - std::max(0.0, again));
  frames.lost += frames.inherited;
}

struct Range {
  double low, high;
};

/// Extremes of `lost` over the blocks where a frame can be lost.
Range extremes(const Function &f, const std::vector<double> &lost) {
  Range r{0, 0};
  bool first = true;
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    if (f.blocks[b].mayCut) {
      r.low = first ? lost[b] : std::min(r.low, lost[b]);
      r.high = first ? lost[b] : std::max(r.high, lost[b]);
      first = false;
    }
  return r;
}

Count spread(double base, Range perFrame, const Frames &frames) {
  // More frames came back than went in only where the program broke the rules of C; keep the bounds
  // sane.
  const double lost = std::max(0.0, frames.lost);
  Count c;
  c.low = base + lost * perFrame.low - frames.inherited * perFrame.high;
  c.high = base + lost * perFrame.high - frames.inherited * perFrame.low;
  c.value = c.low + (c.high - c.low) / 2;
  return c;
}

/// Widens edges and blocks by what lost frames allow. One walk to the root per block that can lose
/// one.
void widen(const Function &f, const std::vector<Step> &order, FunctionCounts &counts) {
  std::vector<uint32_t> stepOf(f.blocks.size(), none);
  for (uint32_t i = 0; i < order.size(); ++i)
    stepOf[order[i].block] = i;
  const size_t edges = f.edges.size();
  std::vector<Range> range(edges + f.blocks.size(), Range{0, 0});
  std::vector<uint32_t> seen(range.size(), 0);
  std::vector<double> change(f.blocks.size(), 0.0);
  uint32_t cutBlocks = 0;
  auto note = [&](size_t item, double by) {
    Range &r = range[item];
    r = seen[item]++ == 0 ? Range{by, by} : Range{std::min(r.low, by), std::max(r.high, by)};
  };
  for (uint32_t b = 0; b < f.blocks.size(); ++b) {
    if (!f.blocks[b].mayCut)
      continue;
    ++cutBlocks;
    std::vector<uint32_t> touched;
    for (uint32_t at = b; at != none && stepOf[at] != none;) {
      const uint32_t e = order[stepOf[at]].edge;
      const bool leaves = f.edges[e].from == at;
      const double by = leaves ? -1 : 1;
      note(e, by);
      const uint32_t head = headOf(f.edges[e]);
      if (head != none) {
        change[head] += by;
        touched.push_back(head);
      }
      at = leaves ? f.edges[e].to : f.edges[e].from;
    }
    for (const uint32_t head : touched)
      if (change[head] != 0) {
        note(edges + head, change[head]);
        change[head] = 0;
      }
  }
  auto apply = [&](Count &c, size_t item) {
    Range r = range[item];
    if (seen[item] < cutBlocks)
      r = {std::min(r.low, 0.0), std::max(r.high, 0.0)};
    c = spread(c.value, r, counts.frames);
    c.low = std::max(0.0, c.low);
    c.value = c.low + (c.high - c.low) / 2;
  };
  for (size_t e = 0; e < edges; ++e)
    if (f.edges[e].counter == none)
      apply(counts.edges[e], e);
  for (size_t b = 0; b < f.blocks.size(); ++b)
    apply(counts.blocks[b], edges + b);
}

} // namespace

FunctionCounts deriveCounts(const Function &f, std::span<const uint64_t> counters,
                            std::span<const uint64_t> inherited) {
  assert(counters.size() == f.counterCount && "counters of one function");
  const Incidence g = incidence(f);
  const std::vector<Step> order = solvingOrder(f, g);
  const std::vector<double> flow = solve(f, g, order, counters);
  FunctionCounts counts;
  counts.frames = framesOf(f, flow);
  inherit(f, g, order, flow, inherited, counts.frames);
  counts.blocks.resize(f.blocks.size());
  for (uint32_t e = 0; e < f.edges.size(); ++e) {
    counts.edges.push_back({flow[e], flow[e], flow[e]});
    if (const uint32_t head = headOf(f.edges[e]); head != none)
      counts.blocks[head].value += flow[e];
  }
  for (Count &c : counts.blocks)
    c.low = c.high = c.value;
  const Frames &fr = counts.frames;
  if (f.guarded && !f.exact && (fr.lost != 0 || fr.inherited != 0))
    widen(f, order, counts);
  return counts;
}

Frames countFrames(const Function &f, std::span<const uint64_t> counters,
                   std::span<const uint64_t> inherited) {
  assert(counters.size() == f.counterCount && "counters of one function");
  const Incidence g = incidence(f);
  const std::vector<Step> order = solvingOrder(f, g);
  const std::vector<double> flow = solve(f, g, order, counters);
  Frames frames = framesOf(f, flow);
  inherit(f, g, order, flow, inherited, frames);
  return frames;
}

namespace {

/// Weights per counter of a weighted sum of edges; `lost` as pullBack gives it.
std::vector<double> toCounters(const Function &f, std::vector<double> gradient,
                               std::vector<double> &lost) {
  const Incidence g = incidence(f);
  lost = pullBack(f, g, solvingOrder(f, g), gradient);
  std::vector<double> perCounter(f.counterCount, 0.0);
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].counter != none)
      perCounter[f.edges[e].counter] += gradient[e];
  return perCounter;
}

} // namespace

Linear linearForm(const Function &f, std::span<const double> blockWeights) {
  assert(blockWeights.size() == f.blocks.size() && "one weight per block");
  std::vector<double> gradient(f.edges.size(), 0.0), lost;
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (const uint32_t head = headOf(f.edges[e]); head != none)
      gradient[e] = blockWeights[head];
  Linear form;
  form.perCounter = toCounters(f, std::move(gradient), lost);
  if (f.guarded && !f.exact) {
    const Range r = extremes(f, lost);
    form.lostLow = r.low;
    form.lostHigh = r.high;
  }
  return form;
}

FrameForms frameForms(const Function &f) {
  std::vector<double> entered(f.edges.size(), 0.0), lost(f.edges.size(), 0.0), ignored;
  for (uint32_t e = 0; e < f.edges.size(); ++e) {
    const EdgeKind kind = f.edges[e].kind;
    entered[e] = kind == EdgeKind::entry ? 1 : 0;
    if (f.exact)
      lost[e] = kind == EdgeKind::cut ? 1 : 0;
    else if (kind == EdgeKind::entry || kind == EdgeKind::again)
      lost[e] = 1;
    else if (kind != EdgeKind::flow)
      lost[e] = -1;
  }
  return {toCounters(f, std::move(entered), ignored), toCounters(f, std::move(lost), ignored)};
}

Count Linear::around(double base, const Frames &frames) const {
  return spread(base, {lostLow, lostHigh}, frames);
}

Count Linear::at(std::span<const uint64_t> counters, const Frames &frames) const {
  double base = 0;
  for (size_t i = 0; i < perCounter.size(); ++i)
    base += perCounter[i] * static_cast<double>(counters[i]);
  return around(base, frames);
}

} // namespace quincunx
