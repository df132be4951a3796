// Changes of how often things are executed.
// The idea: a change moves the flow of each run along a direction that keeps conservation
// (BranchChange, LoopChange). What a direction costs, callees included, times how far one goes, is
// the change of the run's cost, whatever the length of the way. Outcomes are drawn anew, so what
// was random in them must not be scaled with the rest: the within/between split,
//   Var' = E[w'] + max(0, Var(mu') - E[w (dmu'/dmu)^2])
// with w of independent outcomes, where phi does not refute that. Reference: docs/17-what-if.md.
// Shares of other branches stay as they are: it cannot know that outcomes hang together.
#include "FlowChanges.h"

#include "estimate/figures/Notes.h"
#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quincunx {

namespace {

/// Of a variance.
constexpr double roundedVariance = 1e-9;
/// Independent outcomes that would make this much of the variance there is are refuted.
constexpr double maxRedrawn = 1.15;

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

std::string inProportion(const NameResolver &places) {
  return "other branches keep their shares, calls what they cost per " + places.observed();
}

} // namespace

FlowChanges::FlowChanges(const BlockCosts &b, const CostChanges &costs, const NameResolver &p,
                         bool within)
    : blocks(b), places(p), powers(costs.powers()), flows(b), inclusive(b, costs),
      staysWithin(within) {
  for (const CountMatrix::Row &row : blocks.matrix().rows)
    weights.push_back(row.weight);
}

Result<AppliedChange> FlowChanges::applyBranch(const Change &change) {
  const Result<std::vector<ProgramElement>> spots = places.branches(change.place);
  if (!spots)
    return spots.error();
  std::vector<BranchOutcomes::Copy> copies;
  std::vector<std::unique_ptr<BranchChange>> own;
  const Result<std::vector<MeantBranch>> meant = meantBranches(change.place, *spots, blocks);
  if (!meant)
    return meant.error();
  for (const MeantBranch &m : *meant) {
    own.push_back(
        std::make_unique<BranchChange>(change, m.function, m.branch, blocks, flows, copies));
    decided.push_back({own.back().get(), m.branch, {}});
  }
  const auto outcomes =
      std::make_shared<const BranchOutcomes>(std::move(copies), weights, staysWithin);
  const Dispersion &phi = outcomes->dispersion();
  branches.push_back(own.front().get());
  const size_t spotted = own.size();
  for (size_t i = 0; i < own.size(); ++i) {
    std::unique_ptr<BranchChange> &step = own[i];
    step->judge(outcomes);
    if (Status s = comesBack(*step, (*meant)[i]); !s)
      return s.error();
    if (Status s = take(std::move(step)); !s)
      return s.error();
  }
  if (change.variable.empty()) {
    const Result<double> reached = branches.back()->reached(1);
    if (!reached)
      return reached.error();
    if (outcomes->isEitherWay(*reached))
      either = whereOf(change);
    if (outcomes->isMix(*reached))
      warnings.push_back(
          {"one-outcome",
           places.several() + " had one outcome of the branch at " + whereOf(change) +
               " each and are weighted by that, as with a mix of other inputs; what the same "
               "inputs would cost with the other outcome none of them tells, and intervals do not "
               "hold it"});
    const std::vector<double> factor = outcomes->weights(*reached);
    for (size_t d = 0; d < weights.size(); ++d)
      weights[d] *= factor[d];
  }
  if (phi.refuted())
    warnings.push_back({"dispersion", "outcomes of the branch at " + whereOf(change) +
                                          " are not independent, " + words(phi) +
                                          ": only the expected change is taken, its variance is a "
                                          "guess"});
  return AppliedChange{
      change.text,
      (spotted == 1 ? "the branch " : plural(spotted, "", "branches there ")) +
          whatItDoes(change.place, spotted) + " in " + brief(100 * outcomes->share(), 3) +
          " % of " + counted(outcomes->evaluations(), "evaluation") + " per " + places.observed() +
          ", " + words(phi),
      (phi.refuted()                   ? std::string("expected flow; ")
       : outcomes->differBetweenRuns() ? places.several() + " differ in this: they are weighted; "
       : phi.trust.low > 1             ? places.several() + " differ in this by more than chance; "
                                       : std::string("independent outcomes; ")) +
          inProportion(places)};
}

Result<AppliedChange> FlowChanges::applyLoop(const Change &change) {
  const Result<std::vector<ProgramElement>> spots = places.loops(change.place);
  if (!spots)
    return spots.error();
  double trips = 0, entered = 0;
  bool behind = false;
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
    behind = behind || taken->testsBehindBody();
  }
  const char *const asked =
      !change.scales ? "; asked for are iterations of its body for each entry"
      : behind && trips <= 0
          ? "; trips are returns to its head, of which there are none: '= N' asks for N iterations"
      : behind ? "; trips are returns to its head, an entry has an iteration more"
               : "";
  return AppliedChange{
      change.text,
      (spots->size() == 1 ? "the loop is" : plural(spots->size(), "", "loops there are")) +
          " entered " + counted(entered, "time") + " per " + places.observed() +
          (spots->size() == 1 ? " and comes back " : " and come back ") + counted(trips, "time") +
          asked,
      std::string("further iterations cost what those there were do, or as a note says; ") +
          inProportion(places)};
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

Status FlowChanges::finish() {
  const size_t runs = blocks.matrix().rows.size();
  moved.assign(powers, std::vector<Cumulants>(runs));
  if (steps.empty())
    return Done{};
  inclusive.compute(flows);
  if (Status s = findRecursion(); !s)
    return s;
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
  findGrowth();
  for (LoopChange *loop : loops)
    loop->priceNoise(blocks, flows, inclusive, powers);
  findChoices();
  for (const auto &[f, flow] : flows.all())
    for (size_t power = 0; power < powers && !hasVariable(); ++power)
      for (size_t d = 0; d < runs; ++d) {
        const std::vector<Cumulants> perEdge = inclusive.edges(f, power, d);
        for (size_t e = 0; e < perEdge.size(); ++e)
          moved[power][d] += (flow.is[d][e] - flow.was[d][e]) * perEdge[e];
      }
  noteOnPlaces();
  findSides();
  holdAlike();
  return Done{};
}

/// Iterations that cost more the more there are, as where inner loops run up to the index.
void FlowChanges::findGrowth() {
  for (LoopChange *loop : loops) {
    loop->findGrowth(blocks, flows);
    for (const LoopChange *other : loops)
      if (loop->holds(*other, blocks))
        loop->forgetGrowth();
  }
  for (const LoopChange *loop : loops)
    if (loop->grows())
      warnings.push_back(
          {"growth",
           "an iteration of the loop at " + whereOf(loop->change) +
               " costs more where an entry has more of them, as its trips to the power " +
               brief(loop->growth()->power, 3) + " (" + brief(100 * loop->growth()->share, 3) +
               " % of the differences between " + places.several() + "): " +
               (loop->iterations() == Iterations::growing
                    ? "so it does here"
                    : "so it is told here; where that is of the inputs, and not of how "
                      "many come before it, figures are too high" +
                          std::string(hasVariable() ? "" : ", and intervals hold both"))});
}

/// Where runs alone say that iterations grow, these may be what they were.
void FlowChanges::holdAlike() {
  for (const LoopChange *loop : loops)
    if (!hasVariable() && loop->grows() && loop->iterations() != Iterations::growing) {
      followed.resize(blocks.matrix().rows.size());
      for (size_t d = 0; d < followed.size(); ++d) {
        const double dearer = blocks.scale(d) * loop->dearer(d, 1) * loop->slope[0][d].k1;
        followed[d].low -= std::max(0.0, dearer);
        followed[d].high -= std::min(0.0, dearer);
      }
    }
}

Status FlowChanges::addWeights(double x, FlowEffect &effect) const {
  std::vector<std::pair<const BranchChange *, double>> to;
  for (const BranchChange *branch : branches) {
    const Result<double> reached = branch->reached(x);
    if (!reached)
      return reached.error();
    const std::vector<double> w = branch->outcomes().weights(*reached);
    bool moves = false;
    for (size_t d = 0; d < w.size(); ++d) {
      effect.weights[d] *= w[d];
      moves = moves || w[d] != 1;
    }
    if (moves)
      effect.rarerRuns = std::min(effect.rarerRuns, branch->outcomes().rarerRuns());
    if (branch->isCalibrated())
      to.emplace_back(branch, *reached);
  }
  if (!to.empty())
    effect.redraw = [to](std::span<const uint32_t> times) {
      std::vector<double> product(times.size(), 1.0);
      for (const auto &[branch, reached] : to) {
        const std::vector<double> w =
            branch->outcomes().weights(reached, times, branch->change.scales);
        if (w.empty())
          return w;
        for (size_t d = 0; d < product.size(); ++d)
          product[d] *= w[d];
      }
      return product;
    };
  return Done{};
}

Result<FlowEffect> FlowChanges::at(double x) const {
  const size_t runs = blocks.matrix().rows.size();
  FlowEffect effect;
  effect.delta = moved;
  effect.within.resize(runs);
  effect.redrawn.resize(runs);
  effect.weights.assign(runs, 1.0);
  if (Status s = addWeights(x, effect); !s)
    return s.error();
  for (const std::unique_ptr<FlowChange> &step : steps) {
    for (size_t d = 0; d < runs && hasVariable(); ++d) {
      const Result<double> far = step->distance(d, x);
      if (!far)
        return far.error();
      for (size_t power = 0; power < powers; ++power)
        effect.delta[power][d] += *far * step->slope[power][d];
    }
    step->addVariance(x, effect);
    step->addError(x, effect);
  }
  addContextErrors(x, effect);
  for (const LoopChange *loop : loops)
    for (size_t d = 0; d < runs && loop->grows(); ++d)
      for (size_t power = 0; power < powers; ++power)
        effect.delta[power][d] += loop->dearer(d, x) * loop->slope[power][d];
  for (size_t d = 0; d < runs && blocks.isScaled(); ++d) {
    const double scale = blocks.scale(d);
    for (std::vector<Cumulants> &delta : effect.delta)
      delta[d] = scaled(scale, delta[d]);
    effect.within[d] *= scale * scale;
    effect.redrawn[d] *= scale * scale;
  }
  return effect;
}

bool FlowEffect::spread(const std::vector<double> &perRun, std::vector<Cumulants> &costs) const {
  double weight = 0, inside = 0, anew = 0, mean = 0, variance = 0;
  for (size_t d = 0; d < costs.size(); ++d) {
    weight += perRun[d];
    inside += perRun[d] * within[d];
    anew += perRun[d] * redrawn[d];
    mean += perRun[d] * costs[d].k1;
  }
  inside /= weight, anew /= weight, mean /= weight;
  for (size_t d = 0; d < costs.size(); ++d)
    variance += perRun[d] / weight * (costs[d].k1 - mean) * (costs[d].k1 - mean);
  if (anew > maxRedrawn * variance)
    return false;
  const double more = inside + std::max(0.0, variance - anew) - variance;
  if (std::fabs(more) <= roundedVariance * variance) // runs stay as they are
    return true;
  for (size_t d = 0; d < costs.size(); ++d)
    if (more > 0)
      costs[d].k2 += more / inside * within[d];
    else if (more < 0)
      costs[d].k1 = mean + std::sqrt(std::max(0.0, 1 + more / variance)) * (costs[d].k1 - mean);
  return true;
}

} // namespace quincunx
