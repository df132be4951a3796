// Changes of how often things are executed.
// The idea: a change moves the flow of each run along a direction that keeps conservation
// (BranchChange, LoopChange). What a direction costs, callees included, times how far one goes, is
// the change of the run's cost, whatever the length of the way. Outcomes are drawn anew, so what
// was random in them must not be scaled with the rest: the within/between split,
//   Var' = E[w'] + max(0, Var(mu') - E[w (dmu'/dmu)^2])
// with w of independent outcomes, where phi does not refute that. Reference: docs/17-what-if.md.
// Shares of other branches stay as they are: it cannot know that outcomes hang together.
#include "FlowChanges.h"

#include "BranchChange.h"
#include "MeantArm.h"
#include "estimate/figures/Notes.h"
#include "quincunx/base/Text.h"
#include "quincunx/numeric/LineFit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quincunx {

namespace {

/// Runs, and standard errors of a slope, from which on something is said to follow something else.
constexpr double minFollowing = 10, minSlopeRatio = 3;
/// Of the cost there was: less is not told.
constexpr double minEffect = 0.005;

std::string words(const Dispersion &d) {
  return "phi = " + brief(d.phi, 3) + " (" + brief(d.trust.low, 3) + " .. " +
         brief(d.trust.high, 3) + ")";
}

/// "is true", "go to line 9"
std::string whatItDoes(const Place &p, size_t branches) {
  if (p.arm == 0)
    return branches == 1 ? "is true" : "are true";
  return (branches == 1 ? "goes to line " : "go to line ") + std::to_string(p.arm);
}

std::string where(const Change &c) {
  return escape(c.place.file) + ":" + std::to_string(c.place.line);
}

const char *const inProportion = "other branches keep their shares, calls what they cost per run";

} // namespace

FlowChanges::FlowChanges(const BlockCosts &b, const CostChanges &costs, const NameResolver &p)
    : blocks(b), places(p), powers(costs.powers()), flows(b), inclusive(b, costs) {}

Result<AppliedChange> FlowChanges::applyBranch(const Change &change) {
  const Result<std::vector<ProgramElement>> spots = places.branches(change.place);
  if (!spots)
    return spots.error();
  const size_t runs = blocks.matrix().rows.size();
  std::vector<double> n(runs), taken(runs);
  std::vector<std::unique_ptr<BranchChange>> own;
  const Result<std::vector<MeantBranch>> meant = meantBranches(change.place, *spots, blocks);
  if (!meant)
    return meant.error();
  for (const MeantBranch &m : *meant) {
    own.push_back(std::make_unique<BranchChange>(change, m.function, m.branch, blocks, flows));
    own.back()->addOutcomes(n, taken);
  }
  const Dispersion phi = dispersion(taken, n);
  for (std::unique_ptr<BranchChange> &step : own) {
    step->judge(phi);
    if (Status s = take(std::move(step)); !s)
      return s.error();
  }
  if (phi.refuted())
    warnings.push_back({"dispersion", "outcomes of the branch at " + where(change) +
                                          " are not independent, " + words(phi) +
                                          ": only the expected change is taken, its variance is a "
                                          "guess"});
  const double evaluated = std::accumulate(n.begin(), n.end(), 0.0) / static_cast<double>(runs);
  return AppliedChange{
      change.text,
      (own.size() == 1 ? "the branch " : plural(own.size(), "", "branches there ")) +
          whatItDoes(change.place, own.size()) + " in " + brief(100 * phi.p, 3) + " % of " +
          brief(evaluated) + " evaluations per run, " + words(phi),
      std::string(phi.refuted()       ? "expected flow; "
                  : phi.trust.low > 1 ? "runs differ in this by more than chance; "
                                      : "independent outcomes; ") +
          inProportion};
}

Result<AppliedChange> FlowChanges::applyLoop(const Change &change) {
  if (!change.scales)
    return Error{"trips change by a factor: write *="};
  const Result<std::vector<ProgramElement>> spots = places.loops(change.place);
  if (!spots)
    return spots.error();
  double trips = 0, entered = 0;
  for (const ProgramElement &spot : *spots) {
    const Function &f = blocks.function(spot.function);
    const Loop &loop = f.loops[spot.index];
    const std::vector<double> usual = meanFlow(flows.of(spot.function).is, blocks.matrix().rows);
    for (const uint32_t e : loop.backEdges)
      trips += usual[e];
    for (const uint32_t e : loop.entryEdges)
      entered += usual[e];
    auto step = std::make_unique<LoopChange>(change, spot.function, spot.index, blocks, flows);
    LoopChange *const taken = step.get();
    if (Status s = take(std::move(step)); !s)
      return s.error();
    loops.push_back(taken);
  }
  return AppliedChange{
      change.text,
      (spots->size() == 1 ? "the loop is" : plural(spots->size(), "", "loops there are")) +
          " entered " + brief(entered) + " times per run and comes back " + brief(trips) + " times",
      std::string("further iterations are like those there were; ") + inProportion};
}

Result<AppliedChange> FlowChanges::apply(const Change &change) {
  const bool variable = !change.variable.empty();
  if (!steps.empty() && (variable || hasVariable()))
    return Error{"a change of p or trips with a variable stands alone among changes of these"};
  return change.target == Change::Target::trips ? applyLoop(change) : applyBranch(change);
}

/// Moves the flow of all runs, or leaves that to at() where the change has a variable.
Status FlowChanges::take(std::unique_ptr<FlowChange> step) {
  ChangedFlows::OfFunction &flow = flows.of(step->function);
  for (size_t d = 0; d < flow.is.size() && !step->hasVariable(); ++d) {
    const Result<double> far = step->distance(d, 1);
    if (!far)
      return far.error();
    for (size_t e = 0; e < step->direction[d].size(); ++e)
      flow.is[d][e] = std::max(0.0, flow.is[d][e] + *far * step->direction[d][e]);
  }
  steps.push_back(std::move(step));
  return Done{};
}

Cumulants FlowChanges::cost(const FlowChange &step, size_t power, size_t run) const {
  Cumulants sum;
  if (step.direction[run].empty())
    return sum;
  const std::vector<Cumulants> perEdge = inclusive.edges(step.function, power, run);
  for (size_t e = 0; e < perEdge.size(); ++e)
    sum += step.direction[run][e] * perEdge[e];
  return sum;
}

void FlowChanges::finish() {
  const size_t runs = blocks.matrix().rows.size();
  moved.assign(powers, std::vector<Cumulants>(runs));
  if (steps.empty())
    return;
  inclusive.compute(flows);
  if (const std::string &caller = inclusive.pointerCaller(); !caller.empty())
    warnings.push_back({"pointers", places.sourceName(caller) +
                                        " calls through pointers, and counts do not tell whom: "
                                        "intervals hold the cheapest and the dearest of those who "
                                        "may be called"});
  for (const std::unique_ptr<FlowChange> &step : steps) {
    step->slope.assign(powers, std::vector<Cumulants>(runs));
    for (size_t power = 0; power < powers; ++power)
      for (size_t d = 0; d < runs; ++d)
        step->slope[power][d] = cost(*step, power, d);
  }
  for (LoopChange *loop : loops)
    loop->priceNoise(blocks, flows, inclusive, powers);
  for (const auto &[f, flow] : flows.all())
    for (size_t power = 0; power < powers && !hasVariable(); ++power)
      for (size_t d = 0; d < runs; ++d) {
        const std::vector<Cumulants> perEdge = inclusive.edges(f, power, d);
        for (size_t e = 0; e < perEdge.size(); ++e)
          moved[power][d] += (flow.is[d][e] - flow.was[d][e]) * perEdge[e];
      }
}

std::vector<PointerTargets::Bounds> FlowChanges::pointerRange() const {
  if (inclusive.pointerCaller().empty() || hasVariable())
    return {};
  std::vector<PointerTargets::Bounds> sum(blocks.matrix().rows.size());
  for (const auto &[f, flow] : flows.all())
    for (size_t d = 0; d < sum.size(); ++d) {
      std::vector<double> passes;
      for (size_t e = 0; e < flow.is[d].size(); ++e)
        passes.push_back(flow.is[d][e] - flow.was[d][e]);
      const PointerTargets::Bounds own = inclusive.range(f, passes, d);
      sum[d].low += blocks.scale(d) * own.low;
      sum[d].high += blocks.scale(d) * own.high;
    }
  for (size_t d = 0; d < sum.size(); ++d) {
    const double is = blocks.scale(d) * moved[0][d].k1;
    sum[d] = {sum[d].low - is, sum[d].high - is};
  }
  return sum;
}

Result<FlowEffect> FlowChanges::at(double x) const {
  const size_t runs = blocks.matrix().rows.size();
  FlowEffect effect{moved, std::vector<double>(runs), std::vector<double>(runs)};
  for (const std::unique_ptr<FlowChange> &step : steps) {
    for (size_t d = 0; d < runs && hasVariable(); ++d) {
      const Result<double> far = step->distance(d, x);
      if (!far)
        return far.error();
      for (size_t power = 0; power < powers; ++power)
        effect.delta[power][d] += *far * step->slope[power][d];
    }
    step->addVariance(x, effect);
  }
  for (size_t d = 0; d < runs && blocks.isScaled(); ++d) {
    const double scale = blocks.scale(d);
    for (std::vector<Cumulants> &delta : effect.delta)
      delta[d] = scaled(scale, delta[d]);
    effect.within[d] *= scale * scale;
    effect.redrawn[d] *= scale * scale;
  }
  return effect;
}

std::optional<CovariateEffect>
FlowChanges::covariateEffect(const std::vector<Cumulants> &costs) const {
  if (hasVariable() || loops.size() != steps.size())
    return {};
  LineFit line;
  std::vector<double> rest(costs.size()), factor(costs.size());
  for (size_t d = 0; d < costs.size(); ++d) {
    double trips = 0, inside = 0, more = 0;
    for (const LoopChange *loop : loops) {
      trips += loop->trips(d);
      inside += blocks.scale(d) * loop->slope[0][d].k1;
      more += loop->change.value.k1 * loop->trips(d);
    }
    rest[d] = costs[d].k1 - inside;
    factor[d] = trips > 0 ? more / trips : 1;
    if (trips > 0 && rest[d] > 0 && blocks.matrix().rows[d].weight > 0)
      line.add(std::log(trips), std::log(rest[d]));
  }
  if (line.count() < minFollowing || line.slope() <= minSlopeRatio * line.slopeError())
    return {};
  CovariateEffect out{line.slope(), std::vector<double>(costs.size())};
  double more = 0, sum = 0;
  for (size_t d = 0; d < costs.size(); ++d) {
    if (rest[d] > 0)
      out.more[d] = rest[d] * (std::pow(factor[d], out.power) - 1);
    more += out.more[d], sum += costs[d].k1;
  }
  return std::fabs(more) > minEffect * sum ? std::optional(out) : std::nullopt;
}

} // namespace quincunx
