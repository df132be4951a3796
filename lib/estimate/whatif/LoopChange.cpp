// Another number of trips of a loop.
// The idea: the direction is the passes of iterations that come back, so that `factor - 1` of it is
// the change. Branches in the loop are drawn anew in further iterations, n p q D^2 of variance
// each, where their spread between runs does not refute that. Reference: docs/17-what-if.md.
// Further iterations are taken to be like those there were.
#include "LoopChange.h"

#include "BranchChange.h"
#include "quincunx/estimate/ConfidenceIntervals.h"
#include "quincunx/map/Symbolic.h"
#include "quincunx/model/Loops.h"
#include "quincunx/numeric/LineFit.h"
#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace quincunx {

namespace {

/// A factor this near to 1 is none.
constexpr double asItWas = 1e-12;

/// Of the differences between runs, the share from which on iterations are said to cost what a law
/// says; below, it is a second reading.
constexpr double minShare = 0.9;
/// How much worse than a power, in squares of what is left over, a line may be.
constexpr double maxWorse = 1.2;

/// Of the entries of a loop, how many did not end in it, where a call never returned (exit, abort,
/// longjmp, a kill): those would have ended there whatever came after. In maps of older builds a
/// frame that was lost may have been so at any call that can; it is shared among these as often as
/// they were made.
double shareLeft(const Function &f, const Loop &loop, const std::vector<bool> &body,
                 const FunctionCounts &counts) {
  double entered = 0, calls = 0, inside = 0, ended = 0;
  for (const uint32_t e : loop.entryEdges)
    entered += counts.edges[e].high;
  for (size_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].kind == EdgeKind::nonReturning && body[f.edges[e].from])
      ended += std::max(0.0, counts.edges[e].value);
  if (f.exact)
    return entered > 0 ? std::clamp(1 - ended / entered, 0.0, 1.0) : 1;
  for (size_t b = 0; b < body.size(); ++b)
    if (f.blocks[b].mayNotReturn) {
      const double times = std::max(0.0, counts.blocks[b].value);
      calls += times;
      inside += body[b] ? times : 0;
    }
  const double lost = std::max(0.0, counts.frames.lost);
  return entered > 0 && calls > 0 ? std::clamp(1 - lost * inside / calls / entered, 0.0, 1.0) : 1;
}

/// Of one branch, per run: true outcomes and all.
struct Outcomes {
  std::vector<double> taken, n;
};

Outcomes outcomesOf(const Branch &branch, const std::vector<std::vector<double>> &flow) {
  Outcomes o;
  for (const std::vector<double> &edges : flow) {
    o.taken.push_back(edges[branch.arms[0]]);
    o.n.push_back(edges[branch.arms[0]] + edges[branch.arms[1]]);
  }
  return o;
}

/// Do both arms stay in the loop?
bool isInside(const Function &f, const Branch &branch, const std::vector<bool> &body) {
  return hasTwoArms(branch) && body[branch.block] &&
         std::all_of(branch.arms.begin(), branch.arms.end(), [&](uint32_t arm) {
           const uint32_t to = headOf(f.edges[arm]);
           return to != noIndex && body[to];
         });
}

/// Does it leave a loop?
bool isExit(const Function &f, const Branch &branch) {
  return std::ranges::any_of(f.loops, [&](const Loop &l) {
    const std::vector<bool> body = bodyOf(f, l);
    return body[branch.block] && std::ranges::any_of(branch.arms, [&](uint32_t arm) {
             const uint32_t to = headOf(f.edges[arm]);
             return to == noIndex || !body[to];
           });
  });
}

/// Per power and edge, the mean cost over all runs.
std::vector<std::vector<Cumulants>> usualCosts(size_t f, const BlockCosts &blocks,
                                               const InclusiveCosts &inclusive, size_t powers) {
  const size_t runs = blocks.matrix().rows.size();
  std::vector<std::vector<Cumulants>> all;
  for (size_t power = 0; power < powers; ++power) {
    std::vector<Cumulants> &sum = all.emplace_back(blocks.function(f).edges.size());
    for (size_t d = 0; d < runs; ++d) {
      const std::vector<Cumulants> own = inclusive.edges(f, power, d);
      for (size_t e = 0; e < own.size(); ++e)
        sum[e] += (1 / static_cast<double>(runs)) * own[e];
    }
  }
  return all;
}

/// Does the loop test behind its body, so that an entry is an iteration that does not come back?
/// Then a source of its back edges leaves it, too, and its header does not.
bool testsBehind(const Function &f, const Loop &loop, const std::vector<bool> &body) {
  const auto leaves = [&](uint32_t block) {
    return std::any_of(f.edges.begin(), f.edges.end(), [&](const Edge &e) {
      return e.from == block && e.kind == EdgeKind::flow && !body[headOf(e)];
    });
  };
  const auto isLatch = [&](uint32_t e) { return leaves(f.edges[e].from); };
  return std::any_of(loop.backEdges.begin(), loop.backEdges.end(), isLatch) &&
         (!leaves(loop.header) ||
          std::any_of(loop.backEdges.begin(), loop.backEdges.end(),
                      [&](uint32_t e) { return f.edges[e].from == loop.header; }));
}

std::vector<uint32_t> into(const Function &f, uint32_t block) {
  std::vector<uint32_t> edges;
  for (uint32_t e = 0; e < f.edges.size(); ++e)
    if (headOf(f.edges[e]) == block)
      edges.push_back(e);
  return edges;
}

/// Shares of a loop of which iterations come back that else would end the entry at its test.
std::vector<double> comingBack(const Function &f, const Loop &loop, const std::vector<bool> &body,
                               std::vector<double> shares) {
  for (const uint32_t back : loop.backEdges)
    for (size_t e = 0; e < f.edges.size(); ++e)
      if (f.edges[e].from == f.edges[back].from && f.edges[e].kind == EdgeKind::flow &&
          !body[headOf(f.edges[e])])
        shares[back] += std::exchange(shares[e], 0.0);
  return shares;
}

} // namespace

LoopChange::LoopChange(const Change &what, size_t f, uint32_t index, const BlockCosts &blocks,
                       ChangedFlows &flows)
    : FlowChange(what, f), loop(index) {
  const Function &code = blocks.function(f);
  const Loop &changed = code.loops[loop];
  const std::vector<bool> body = bodyOf(code, changed);
  first = testsBehind(code, changed, body) ? 1 : 0;
  Chain chain(code);
  const std::vector<std::vector<double>> &flow = flows.of(f).is;
  const std::vector<double> mean = meanFlow(flow, blocks.matrix().rows);
  for (size_t d = 0; d < flow.size(); ++d) {
    const std::vector<double> &edges = flow[d];
    const auto passes = [&](const std::vector<uint32_t> &which) {
      return std::accumulate(which.begin(), which.end(), 0.0,
                             [&](double sum, uint32_t e) { return sum + edges[e]; });
    };
    repeats.push_back(passes(changed.backEdges));
    entered.push_back(passes(changed.entryEdges));
    const double goesOn = shareLeft(code, changed, body, flows.counts(f, d));
    // Where it tests behind its body and no entry came back, the iteration of an entry is like
    // those that are asked for.
    const std::vector<double> shares = chain.shares(edges, mean);
    const bool isOnce = first == 1 && !change.scales && repeats.back() <= 0;
    const std::vector<double> ways = isOnce ? comingBack(code, changed, body, shares) : shares;
    const std::vector<double> leaves = chain.leaving(ways, changed, body);
    std::vector<double> &to = direction.emplace_back(edges.size(), 0.0);
    for (size_t e = 0; e < edges.size() && !leaves.empty(); ++e) {
      const uint32_t from = code.edges[e].from, head = headOf(code.edges[e]);
      if (from != noIndex && head != noIndex && body[from] && body[head])
        to[e] = goesOn * (head == changed.header ? edges[e] : edges[e] * (1 - leaves[head]));
    }
    for (const uint32_t e : changed.backEdges)
      if (isOnce && !leaves.empty())
        to[e] = goesOn * ways[e] * passes(into(code, code.edges[e].from));
    double &all = further.emplace_back(0.0);
    for (const uint32_t e : changed.backEdges)
      all += to[e];
  }
}

/// Variance n p q D^2 of each branch, D as in all runs together. The loop's own exits are left out:
/// their outcomes are its trips.
void LoopChange::priceNoise(const BlockCosts &blocks, ChangedFlows &flows,
                            const InclusiveCosts &inclusive, size_t powers) {
  const size_t runs = blocks.matrix().rows.size();
  noise.assign(2 * powers - 1, std::vector<double>(runs));
  const Function &f = blocks.function(function);
  const auto &was = flows.of(function).was;
  const std::vector<double> mean = meanFlow(was, blocks.matrix().rows);
  const auto perEdge = usualCosts(function, blocks, inclusive, powers);
  const std::vector<bool> body = bodyOf(f, f.loops[loop]);
  Chain chain(f);
  const std::vector<double> shares = chain.shares(mean, mean);
  for (const Branch &branch : f.branches) {
    if (!isInside(f, branch, body))
      continue;
    const Outcomes o = outcomesOf(branch, was);
    const Dispersion phi = dispersion(o.taken, o.n);
    if (phi.refuted() || phi.p <= 0 || phi.p >= 1)
      continue;
    const std::vector<double> to = directionOf(f, branch, chain, shares).edges;
    std::vector<double> difference(powers, 0.0);
    for (size_t power = 0; power < powers; ++power)
      for (size_t e = 0; e < to.size(); ++e)
        difference[power] += to[e] * perEdge[power][e].k1;
    for (size_t i = 0; i < powers; ++i)
      for (size_t j = 0; j < powers; ++j)
        for (size_t d = 0; d < runs; ++d)
          if (o.n[d] > 0)
            noise[i + j][d] +=
                o.taken[d] * (o.n[d] - o.taken[d]) / o.n[d] * difference[i] * difference[j];
  }
  boundNoise();
}

/// Where a law says what iterations cost, branches in them make no more than it leaves over: an
/// inner loop up to the index is no row of independent outcomes.
void LoopChange::boundNoise() {
  double left = 0, made = 0;
  for (size_t d = 0; d < further.size() && grows(); ++d)
    if (further[d] > 0) {
      const double away = slope[0][d].k1 - further[d] * law->at(perEntry(d));
      left += away * away, made += noise[0][d];
    }
  for (std::vector<double> &term : noise)
    for (double &of : term)
      of *= made > left ? left / made : 1;
}

double IterationGrowth::at(double trips) const {
  return isLine ? start + slope * trips : slope * std::pow(trips, power);
}

/// Calls may do anything; so may what is decided in it, unless that came out alike each time.
Iterations LoopChange::iterationsOf(const Function &f,
                                    const std::vector<std::vector<double>> &flow) const {
  const std::vector<bool> body = bodyOf(f, f.loops[loop]);
  const std::string index = "i" + std::to_string(loop);
  bool isKnown = std::ranges::none_of(f.calls, [&](const Call &c) { return body[c.block]; });
  for (uint32_t inner = 0; inner < f.loops.size(); ++inner) {
    if (inner == loop || !body[f.loops[inner].header])
      continue;
    const Result<Symbolic> trips = Symbolic::parse(f.loops[inner].trips);
    const std::vector<std::string> of = trips ? trips->unknowns() : std::vector<std::string>{"@"};
    if (std::ranges::find(of, index) != of.end())
      return Iterations::growing;
    isKnown = isKnown && std::ranges::none_of(of, [](const std::string &unknown) {
                return unknown.starts_with('@'); // computed, maybe in this loop
              });
  }
  for (const Branch &branch : f.branches)
    if (isInside(f, branch, body) && branch.leaves == noIndex && !isExit(f, branch)) {
      const Outcomes o = outcomesOf(branch, flow);
      for (size_t d = 0; d < o.n.size(); ++d)
        isKnown = isKnown && (o.taken[d] == 0 || o.taken[d] == o.n[d]);
    }
  return isKnown ? Iterations::alike : Iterations::unknown;
}

void LoopChange::findGrowth(const BlockCosts &blocks, ChangedFlows &flows) {
  kind = iterationsOf(blocks.function(function), flows.of(function).was);
  const std::vector<CountMatrix::Row> &rows = blocks.matrix().rows;
  LineFit line, power;
  std::vector<std::pair<double, double>> points;
  for (size_t d = 0; d < rows.size(); ++d)
    if (const double each = further[d] > 0 ? slope[0][d].k1 / further[d] : 0;
        each > 0 && repeats[d] > 0 && rows[d].weight > 0) {
      points.emplace_back(perEntry(d), each);
      line.add(perEntry(d), each);
      power.add(std::log(perEntry(d)), std::log(each));
    }
  if (power.count() < minFollowing || power.slope() <= minSlopeRatio * power.slopeError() ||
      !isSpread(points))
    return;
  const auto left = [&](const IterationGrowth &g) {
    double sum = 0;
    for (const auto &[trips, each] : points)
      sum += std::pow(std::log(each / g.at(trips)), 2);
    return sum;
  };
  law = IterationGrowth{false,
                        0,
                        std::exp(power.at(0)),
                        power.slope(),
                        power.explained(),
                        power.slopeError() / power.slope()};
  IterationGrowth straight{true,          line.at(0), line.slope(),
                           power.slope(), 0,          line.slopeError() / line.slope()};
  if (line.slope() <= 0 || line.at(0) < 0 || left(straight) > maxWorse * left(*law))
    return;
  straight.share = 1 - (1 - law->share) * left(straight) / std::max(1e-300, left(*law));
  law = straight;
}

bool LoopChange::grows() const {
  return law && law->share >= minShare && kind != Iterations::alike;
}

bool LoopChange::holds(const LoopChange &other, const BlockCosts &blocks) const {
  const Function &f = blocks.function(function);
  return function == other.function && loop != other.loop &&
         bodyOf(f, f.loops[loop])[f.loops[other.loop].header];
}

double LoopChange::factor(size_t run, double x) const {
  if (change.scales)
    return valueAt(x);
  const double more = (valueAt(x) - first) * entered[run];
  if (repeats[run] <= 0) // `further` are those of the iteration that there was
    return further[run] > 0 ? 1 + more / further[run] : 1;
  return more / repeats[run];
}

double LoopChange::dearer(size_t run, double x) const {
  const double value = factor(run, x);
  return grows() && perEntry(run) > 0
             ? value * (law->at(perEntry(run) * value) / law->at(perEntry(run)) - 1)
             : 0;
}

void LoopChange::addError(double x, FlowEffect &effect) const {
  double more = 0, weight = 0;
  for (size_t d = 0; d < repeats.size(); ++d) {
    more += effect.weights[d] * dearer(d, x) * slopeAt(d, x);
    weight += effect.weights[d];
  }
  if (more != 0)
    effect.error = std::hypot(effect.error, normalQuantile((1 + confidenceLevel) / 2) * law->error *
                                                std::fabs(more / weight));
}

Result<double> LoopChange::distance(size_t run, double x) const {
  if (!change.scales && valueAt(x) < first)
    return Error{"the loop tests behind its body, which is executed at least once"};
  if (!change.scales && entered[run] > 0 && further[run] <= 0 && valueAt(x) > first)
    return comesBack() ? Error{"there are runs in which the loop never comes back, so that further "
                               "iterations have no cost there: write *="}
                       : Error{"the loop comes back in no run, so that nothing tells what an "
                               "iteration costs: record runs in which it does"};
  return factor(run, x) - 1;
}

void LoopChange::addVariance(double x, FlowEffect &effect) const {
  for (size_t d = 0; d < direction.size(); ++d) {
    const double value = factor(d, x);
    if (std::fabs(value - 1) <= asItWas) // nothing is drawn anew
      continue;
    double sum = 0, power = 1;
    for (const auto &term : noise) {
      sum += power * term[d];
      power *= x;
    }
    effect.within[d] += value * sum;
    effect.redrawn[d] += value * value * sum;
  }
}

} // namespace quincunx
