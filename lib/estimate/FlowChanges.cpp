// Changes of how often things are executed.
// The idea: a change moves the flow of each run along a direction that keeps conservation. For a
// branch it is what one more true outcome in place of a false one leads to, z = visits(true) -
// visits(false): to have p' instead of p, n (p' - p) / (1 - (p' - p) z_branch) of them. For a loop
// it is the passes of iterations that come back. What a direction costs, callees included, times
// how far one goes, is the change of the run's cost, whatever the length of the way. Outcomes are
// drawn anew, so what was random in them must not be scaled with the rest: the within/between
// split,
//   Var' = E[w'] + max(0, Var(mu') - E[w (dmu'/dmu)^2])
// with w of independent outcomes, where phi does not refute that. Reference: docs/17-what-if.md.
// Shares of other branches stay as they are: it cannot know that outcomes hang together.
#include "FlowChanges.h"

#include "Notes.h"
#include "quincunx/base/Text.h"
#include "quincunx/estimate/Dispersion.h"
#include "quincunx/model/Loops.h"
#include "quincunx/numeric/LineFit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quincunx {

namespace {

/// Runs, and standard errors of a slope, from which on something is said to follow something else.
constexpr double fewestAlong = 10, sureSlope = 3;
/// Of the cost there was: less is not told.
constexpr double leastAlong = 0.005;

std::vector<double> meanOf(const std::vector<std::vector<double>> &perRun,
                           const std::vector<CountMatrix::Row> &rows) {
  std::vector<double> sum(perRun.front().size(), 0.0);
  double weight = 0;
  for (size_t d = 0; d < perRun.size(); ++d) {
    weight += rows[d].weight;
    for (size_t e = 0; e < sum.size(); ++e)
      sum[e] += rows[d].weight * perRun[d][e];
  }
  for (double &s : sum)
    s /= weight;
  return sum;
}

/// What one more true outcome in place of a false one leads to; `again`: how much more often the
/// branch is evaluated after it. Empty where some flow would never end.
std::vector<double> directionOf(const Function &f, const Branch &branch, Chain &chain,
                                const std::vector<double> &shares, double &again) {
  std::vector<double> start(f.blocks.size(), 0.0), direction(f.edges.size(), 0.0);
  for (const size_t arm : {size_t{0}, size_t{1}})
    if (const uint32_t to = headOf(f.edges[branch.arms[arm]]); to != noIndex)
      start[to] += arm == 0 ? 1 : -1;
  const std::vector<double> z = chain.visits(shares, start);
  if (z.empty())
    return {};
  for (size_t e = 0; e < f.edges.size(); ++e)
    if (f.edges[e].from != noIndex)
      direction[e] = z[f.edges[e].from] * shares[e];
  direction[branch.arms[0]] += 1;
  direction[branch.arms[1]] -= 1;
  again = z[branch.block];
  return direction;
}

/// Of the entries of a loop, how many did not end in it, where a call never returned (exit, abort,
/// longjmp, a kill): those would have ended there whatever came after. A frame that was lost may
/// have been so at any call that can; it is shared among these as often as they were made.
double shareLeft(const Function &f, const Loop &loop, const std::vector<bool> &body,
                 const FunctionCounts &counts) {
  double entered = 0, calls = 0, inside = 0;
  for (const uint32_t e : loop.entryEdges)
    entered += counts.edges[e].high;
  for (size_t b = 0; b < body.size(); ++b)
    if (f.blocks[b].mayNotReturn) {
      const double times = std::max(0.0, counts.blocks[b].value);
      calls += times;
      inside += body[b] ? times : 0;
    }
  const double lost = std::max(0.0, counts.frames.lost);
  return entered > 0 && calls > 0 ? std::clamp(1 - lost * inside / calls / entered, 0.0, 1.0) : 1;
}

/// p (1 - p), from the share of true ones among n outcomes.
double unbiased(double share, double n) { return share * (1 - share) * n / std::max(1.0, n - 1); }

bool hasTwoArms(const Branch &b) {
  return !b.isSwitch && b.arms.size() == 2 && b.arms[0] != b.arms[1];
}

std::string words(const Dispersion &d) {
  return "phi = " + brief(d.phi, 3) + " (" + brief(d.trust.low, 3) + " .. " +
         brief(d.trust.high, 3) + ")";
}

std::string where(const Change &c) {
  return escape(c.place.file) + ":" + std::to_string(c.place.line);
}

const char *const inProportion = "other branches keep their shares, calls what they cost per run";

} // namespace

FlowChanges::FlowChanges(const BlockCosts &b, const CostChanges &costs, const Places &p)
    : blocks(b), places(p), powers(costs.powers()), flows(b), inclusive(b, costs) {}

FlowChanges::Step FlowChanges::branchStep(const Spot &spot, Chain &chain, const Change &change) {
  const Function &f = blocks.function(spot.function);
  const Branch &branch = f.branches[spot.index];
  const std::vector<std::vector<double>> &flow = flows.of(spot.function).is;
  const std::vector<double> usual = meanOf(flow, blocks.matrix().rows);
  Step step;
  step.change = change;
  step.function = spot.function;
  for (const std::vector<double> &edges : flow) {
    const double trues = edges[branch.arms[0]], n = trues + edges[branch.arms[1]];
    double again = 0;
    step.n.push_back(n);
    step.p.push_back(n > 0 ? trues / n : 0);
    step.direction.push_back(n > 0
                                 ? directionOf(f, branch, chain, chain.shares(edges, usual), again)
                                 : std::vector<double>{});
    step.again.push_back(again);
  }
  return step;
}

Result<Applied> FlowChanges::applyBranch(const Change &change) {
  const Result<std::vector<Spot>> spots = places.branches(change.place);
  if (!spots)
    return spots.error();
  const size_t runs = blocks.matrix().rows.size();
  std::vector<double> n(runs), trues(runs);
  std::vector<Step> own;
  for (const Spot &spot : *spots) {
    Chain chain(blocks.function(spot.function));
    own.push_back(branchStep(spot, chain, change));
    for (size_t d = 0; d < runs; ++d) {
      n[d] += own.back().n[d];
      trues[d] += own.back().n[d] * own.back().p[d];
    }
  }
  const Dispersion phi = dispersion(trues, n);
  for (Step &step : own) {
    step.independent = !phi.refuted();
    step.usual = phi.p;
    if (Status s = take(std::move(step)); !s)
      return s.error();
  }
  if (phi.refuted())
    warnings.push_back({"dispersion", "outcomes of the branch at " + where(change) +
                                          " are not independent, " + words(phi) +
                                          ": only the expected change is taken, its variance is a "
                                          "guess"});
  const double evaluated = std::accumulate(n.begin(), n.end(), 0.0) / static_cast<double>(runs);
  return Applied{
      change.text,
      (own.size() == 1 ? "the branch is" : plural(own.size(), "", "branches there are")) +
          " true in " + brief(100 * phi.p, 3) + " % of " + brief(evaluated) +
          " evaluations per run, " + words(phi),
      std::string(phi.refuted()       ? "expected flow; "
                  : phi.trust.low > 1 ? "runs differ in this by more than chance; "
                                      : "independent outcomes; ") +
          inProportion};
}

FlowChanges::Step FlowChanges::loopStep(const Spot &spot, Chain &chain, const Change &change) {
  const Function &f = blocks.function(spot.function);
  const Loop &loop = f.loops[spot.index];
  const std::vector<bool> body = bodyOf(f, loop);
  const std::vector<std::vector<double>> &flow = flows.of(spot.function).is;
  const std::vector<double> usual = meanOf(flow, blocks.matrix().rows);
  Step step;
  step.change = change;
  step.function = spot.function;
  step.loop = spot.index;
  for (size_t d = 0; d < flow.size(); ++d) {
    const std::vector<double> &edges = flow[d];
    double &trips = step.trips.emplace_back(0.0);
    for (const uint32_t e : loop.backEdges)
      trips += edges[e];
    const double goesOn = shareLeft(f, loop, body, flows.counts(spot.function, d));
    const std::vector<double> leaves = chain.leaving(chain.shares(edges, usual), loop, body);
    std::vector<double> direction(edges.size(), 0.0);
    for (size_t e = 0; e < edges.size() && !leaves.empty(); ++e) {
      const uint32_t from = f.edges[e].from, to = headOf(f.edges[e]);
      if (from != noIndex && to != noIndex && body[from] && body[to])
        direction[e] = goesOn * (to == loop.header ? edges[e] : edges[e] * (1 - leaves[to]));
    }
    step.direction.push_back(std::move(direction));
  }
  return step;
}

Result<Applied> FlowChanges::applyLoop(const Change &change) {
  if (!change.scales)
    return Error{"trips change by a factor: write *="};
  const Result<std::vector<Spot>> spots = places.loops(change.place);
  if (!spots)
    return spots.error();
  double trips = 0, entered = 0;
  for (const Spot &spot : *spots) {
    const Function &f = blocks.function(spot.function);
    const Loop &loop = f.loops[spot.index];
    Chain chain(f);
    const std::vector<double> usual = meanOf(flows.of(spot.function).is, blocks.matrix().rows);
    for (const uint32_t e : loop.backEdges)
      trips += usual[e];
    for (const uint32_t e : loop.entryEdges)
      entered += usual[e];
    if (Status s = take(loopStep(spot, chain, change)); !s)
      return s.error();
  }
  return Applied{
      change.text,
      (spots->size() == 1 ? "the loop is" : plural(spots->size(), "", "loops there are")) +
          " entered " + brief(entered) + " times per run and comes back " + brief(trips) + " times",
      std::string("further iterations are like those there were; ") + inProportion};
}

Result<Applied> FlowChanges::apply(const Change &change) {
  const bool variable = !change.variable.empty();
  if (!steps.empty() && (variable || hasVariable()))
    return Error{"a change of p or trips with a variable stands alone among changes of these"};
  return change.target == Change::Target::trips ? applyLoop(change) : applyBranch(change);
}

/// The share of true outcomes that a run is to have. A factor that is possible for all runs
/// together makes at most all outcomes of one run true.
double FlowChanges::target(const Step &step, size_t run, double value) {
  return step.change.scales ? std::min(1.0, step.p[run] * value) : value;
}

/// How far to go along the direction in a run.
Result<double> FlowChanges::distance(const Step &step, size_t run, double x) const {
  const double value = step.change.value.k1 * (step.change.variable.empty() ? 1 : x);
  if (step.change.target == Change::Target::trips)
    return value - 1;
  if (step.n[run] <= 0)
    return 0.0;
  const double p = step.p[run], to = target(step, run, value);
  if (const double all = step.change.scales ? value * step.usual : value; all > 1)
    return Error{"the probability would be " + brief(all)};
  const double back = 1 - (to - p) * step.again[run];
  if (step.direction[run].empty() || back <= 1e-9)
    return Error{"a loop would never end"};
  return step.n[run] * (to - p) / back;
}

/// Moves the flow of all runs, or leaves that to at() where the change has a variable.
Status FlowChanges::take(Step step) {
  Flows::OfFunction &flow = flows.of(step.function);
  for (size_t d = 0; d < flow.is.size() && step.change.variable.empty(); ++d) {
    const Result<double> far = distance(step, d, 1);
    if (!far)
      return far.error();
    for (size_t e = 0; e < step.direction[d].size(); ++e)
      flow.is[d][e] = std::max(0.0, flow.is[d][e] + *far * step.direction[d][e]);
  }
  steps.push_back(std::move(step));
  return Done{};
}

Cumulants FlowChanges::cost(const Step &step, size_t power, size_t run) const {
  Cumulants sum;
  if (step.direction[run].empty())
    return sum;
  const std::vector<Cumulants> perEdge = inclusive.edges(step.function, power, run);
  for (size_t e = 0; e < perEdge.size(); ++e)
    sum += step.direction[run][e] * perEdge[e];
  return sum;
}

/// Per power and edge, in all runs together.
std::vector<std::vector<Cumulants>> FlowChanges::usualCosts(size_t f) const {
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

namespace {

/// Of one branch, per run: true outcomes and all.
struct Outcomes {
  std::vector<double> trues, n;
};

Outcomes outcomesOf(const Branch &branch, const std::vector<std::vector<double>> &flow) {
  Outcomes o;
  for (const std::vector<double> &edges : flow) {
    o.trues.push_back(edges[branch.arms[0]]);
    o.n.push_back(edges[branch.arms[0]] + edges[branch.arms[1]]);
  }
  return o;
}

/// Both arms stay in the loop.
bool isInside(const Function &f, const Branch &branch, const std::vector<bool> &body) {
  return hasTwoArms(branch) && body[branch.block] &&
         std::all_of(branch.arms.begin(), branch.arms.end(), [&](uint32_t arm) {
           const uint32_t to = headOf(f.edges[arm]);
           return to != noIndex && body[to];
         });
}

} // namespace

/// The variance that branches in the loop of a step make in each run: n p q D^2 each, D as in all
/// runs together. The loop's own exits are left out: their outcomes are its trips.
void FlowChanges::priceNoise(Step &step) {
  const size_t runs = blocks.matrix().rows.size();
  step.noise.assign(2 * powers - 1, std::vector<double>(runs));
  const Function &f = blocks.function(step.function);
  const auto &was = flows.of(step.function).was;
  const std::vector<double> usual = meanOf(was, blocks.matrix().rows);
  const auto perEdge = usualCosts(step.function);
  const std::vector<bool> body = bodyOf(f, f.loops[step.loop]);
  Chain chain(f);
  const std::vector<double> shares = chain.shares(usual, usual);
  for (const Branch &branch : f.branches) {
    if (!isInside(f, branch, body))
      continue;
    const Outcomes o = outcomesOf(branch, was);
    const Dispersion phi = dispersion(o.trues, o.n);
    if (phi.refuted() || phi.p <= 0 || phi.p >= 1)
      continue;
    double again = 0;
    const auto direction = directionOf(f, branch, chain, shares, again);
    std::vector<double> difference(powers, 0.0);
    for (size_t power = 0; power < powers; ++power)
      for (size_t e = 0; e < direction.size(); ++e)
        difference[power] += direction[e] * perEdge[power][e].k1;
    for (size_t i = 0; i < powers; ++i)
      for (size_t j = 0; j < powers; ++j)
        for (size_t d = 0; d < runs; ++d)
          if (o.n[d] > 0)
            step.noise[i + j][d] +=
                o.trues[d] * (o.n[d] - o.trues[d]) / o.n[d] * difference[i] * difference[j];
  }
}

void FlowChanges::finish() {
  const size_t runs = blocks.matrix().rows.size();
  moved.assign(powers, std::vector<Cumulants>(runs));
  if (steps.empty())
    return;
  inclusive.compute(flows);
  if (const std::string &caller = inclusive.pointerCaller(); !caller.empty())
    warnings.push_back({"pointers", places.sourceName(caller) +
                                        " calls through pointers: it is not known whom, so that "
                                        "each such call is taken to cost the average of its run"});
  for (Step &step : steps) {
    step.slope.assign(powers, std::vector<Cumulants>(runs));
    for (size_t power = 0; power < powers; ++power)
      for (size_t d = 0; d < runs; ++d)
        step.slope[power][d] = cost(step, power, d);
    if (step.change.target == Change::Target::trips)
      priceNoise(step);
  }
  for (const auto &[f, flow] : flows.all())
    for (size_t power = 0; power < powers && !hasVariable(); ++power)
      for (size_t d = 0; d < runs; ++d) {
        const std::vector<Cumulants> perEdge = inclusive.edges(f, power, d);
        for (size_t e = 0; e < perEdge.size(); ++e)
          moved[power][d] += (flow.is[d][e] - flow.was[d][e]) * perEdge[e];
      }
}

void FlowChanges::addVariance(const Step &step, double x, FlowEffect &effect) const {
  const double value = step.change.value.k1 * (step.change.variable.empty() ? 1 : x);
  for (size_t d = 0; d < step.direction.size(); ++d) {
    if (step.change.target == Change::Target::trips) {
      double noise = 0, factor = 1;
      for (const auto &term : step.noise) {
        noise += factor * term[d];
        factor *= x;
      }
      effect.within[d] += value * noise;
      effect.carried[d] += value * value * noise;
      continue;
    }
    const double n = step.n[d], p = step.p[d], to = target(step, d, value);
    if (n <= 0 || !step.independent)
      continue;
    const double back = 1 - (to - p) * step.again[d];
    double difference = 0, factor = 1;
    for (const auto &slopes : step.slope) {
      difference += factor * slopes[d].k1;
      factor *= x;
    }
    difference /= back;
    double spread = to * (1 - to);
    if (step.change.scales) { // cost as a function of the share there was has the slope value n' D
      const double slope = value * n / back * difference, noise = unbiased(p, n) / n;
      effect.carried[d] += slope * slope * noise;
      spread = std::max(0.0, spread + value * value * noise);
    }
    effect.within[d] += n / back * spread * difference * difference;
  }
}

Result<FlowEffect> FlowChanges::at(double x) const {
  const size_t runs = blocks.matrix().rows.size();
  FlowEffect effect{moved, std::vector<double>(runs), std::vector<double>(runs)};
  for (const Step &step : steps) {
    for (size_t d = 0; d < runs && hasVariable(); ++d) {
      const Result<double> far = distance(step, d, x);
      if (!far)
        return far.error();
      for (size_t power = 0; power < powers; ++power)
        effect.delta[power][d] += *far * step.slope[power][d];
    }
    addVariance(step, x, effect);
  }
  for (size_t d = 0; d < runs && blocks.isScaled(); ++d) {
    const double scale = blocks.scale(d);
    for (std::vector<Cumulants> &delta : effect.delta)
      delta[d] = scaled(scale, delta[d]);
    effect.within[d] *= scale * scale;
    effect.carried[d] *= scale * scale;
  }
  return effect;
}

std::optional<Along> FlowChanges::along(const std::vector<Cumulants> &costs) const {
  LineFit line;
  std::vector<double> rest(costs.size()), factor(costs.size());
  for (size_t d = 0; d < costs.size(); ++d) {
    double trips = 0, inside = 0, more = 0;
    for (const Step &step : steps) {
      if (step.loop == noIndex || hasVariable())
        return {};
      trips += step.trips[d];
      inside += blocks.scale(d) * step.slope[0][d].k1;
      more += step.change.value.k1 * step.trips[d];
    }
    rest[d] = costs[d].k1 - inside;
    factor[d] = trips > 0 ? more / trips : 1;
    if (trips > 0 && rest[d] > 0 && blocks.matrix().rows[d].weight > 0)
      line.add(std::log(trips), std::log(rest[d]));
  }
  if (line.count() < fewestAlong || line.slope() <= sureSlope * line.slopeError())
    return {};
  Along out{line.slope(), std::vector<double>(costs.size())};
  double more = 0, sum = 0;
  for (size_t d = 0; d < costs.size(); ++d) {
    if (rest[d] > 0)
      out.more[d] = rest[d] * (std::pow(factor[d], out.power) - 1);
    more += out.more[d], sum += costs[d].k1;
  }
  return std::fabs(more) > leastAlong * sum ? std::optional(out) : std::nullopt;
}

} // namespace quincunx
