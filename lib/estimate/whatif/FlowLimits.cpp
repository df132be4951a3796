// Where counts do not tell what a change of flow leads to: out of the function without a return, or
// through pointers.
// Reference: docs/17-what-if.md.
#include "FlowChanges.h"

#include "BranchChange.h"
#include "quincunx/base/Text.h"
#include "quincunx/model/Arms.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// Of the cost there was: where less is open, it is not told.
constexpr double minOpen = 0.005;

/// Is there a way from the edge to a return?
bool returns(const Function &f, uint32_t edge) {
  std::vector<bool> seen(f.blocks.size());
  std::vector<uint32_t> open{edge};
  while (!open.empty()) {
    const Edge &e = f.edges[open.back()];
    open.pop_back();
    if (e.kind == EdgeKind::leave)
      return true;
    if (e.to == noIndex || seen[e.to])
      continue;
    seen[e.to] = true;
    for (uint32_t next = 0; next < f.edges.size(); ++next)
      if (f.edges[next].from == e.to)
        open.push_back(next);
  }
  return false;
}

} // namespace

std::string whereOf(const Change &c) {
  return escape(c.place.file) + ":" + std::to_string(c.place.line);
}

/// Outcomes that change must not lead out of what is looked at.
Status FlowChanges::comesBack(const BranchChange &step, const MeantBranch &meant) const {
  const Function &f = blocks.function(meant.function);
  bool moves = step.hasVariable();
  for (size_t d = 0; d < weights.size() && !moves; ++d) {
    const Result<double> far = step.distance(d, 1);
    if (!far)
      return far.error();
    moves = *far != 0;
  }
  for (const uint32_t arm : meant.branch.arms) {
    if (!moves || returns(f, arm))
      continue;
    const uint32_t line = lineBehind(f, meant.branch, arm);
    return Error{(line != 0 ? "the arm to line " + std::to_string(line) : "an arm") +
                 " of this branch never comes back (a throw, exit or jump): what follows stands "
                 "elsewhere, and counts do not tell it; ask about the branch or call that leads "
                 "here, or weight whole " +
                 places.several() + " with mix"};
  }
  return Done{};
}

/// What outcomes decide further on: more or less for each outcome that changes.
void FlowChanges::findChoices() {
  for (Decision &decision : decided) {
    BranchChange &step = *decision.step;
    decision.choices =
        inclusive.choicesBehind(step.function, decision.branch, flows.all().at(step.function).was);
    for (const InclusiveCosts::Choice &choice : decision.choices)
      for (size_t d = 0; d < step.direction.size(); ++d)
        for (size_t power = 0; power < powers; ++power) {
          const Cumulants more = inclusive.differenceOf(choice, power, d);
          step.slope[power][d] += more;
          if (const Result<double> far = step.distance(d, 1); far && !hasVariable())
            moved[power][d] += *far * more;
        }
    const bool open = std::any_of(decision.choices.begin(), decision.choices.end(),
                                  [](const auto &choice) { return !choice.isKnown; });
    if (open)
      warnings.push_back({"pointers", "a call through a pointer follows the branch at " +
                                          whereOf(step.change) +
                                          ", and its outcome may decide whom: " +
                                          (hasVariable() ? "figures take what counts suggest"
                                                         : "intervals hold the cheapest and the "
                                                           "dearest of those who may be called")});
  }
}

/// Costs of calls are known to errors that all runs share.
void FlowChanges::addContextErrors(double x, FlowEffect &effect) const {
  for (const std::unique_ptr<FlowChange> &step : steps) {
    std::vector<double> passes(blocks.function(step->function).edges.size());
    double all = 0;
    for (size_t d = 0; d < effect.weights.size(); ++d) {
      all += effect.weights[d];
      const Result<double> far = step->distance(d, x);
      for (size_t e = 0; far && e < step->direction[d].size(); ++e)
        passes[e] += effect.weights[d] * *far * step->direction[d][e];
    }
    for (double &n : passes)
      n /= all;
    effect.error = std::hypot(effect.error, inclusive.contextError(step->function, passes));
  }
}

/// Per run: what calls through pointers behind branches of which outcomes change may cost more or
/// less than is taken, as each outcome may decide whom they call.
std::vector<PointerTargets::Bounds> FlowChanges::decidedTargets() const {
  std::vector<PointerTargets::Bounds> sum(blocks.matrix().rows.size());
  for (const Decision &decision : decided)
    for (const InclusiveCosts::Choice &choice : decision.choices)
      for (size_t d = 0; d < sum.size(); ++d) {
        const Result<double> far = decision.step->distance(d, 1);
        if (!far || *far == 0)
          continue;
        const PointerTargets::Bounds range = inclusive.rangeOf(choice, *far, d);
        const double is = *far * inclusive.differenceOf(choice, 0, d).k1;
        sum[d].low += blocks.scale(d) * std::min(0.0, range.low - is);
        sum[d].high += blocks.scale(d) * std::max(0.0, range.high - is);
      }
  return sum;
}

std::vector<double> FlowChanges::moreOf(const ChangedFlows::OfFunction &flow, size_t run) {
  std::vector<double> passes;
  for (size_t e = 0; e < flow.is[run].size(); ++e)
    passes.push_back(flow.is[run][e] - flow.was[run][e]);
  return passes;
}

/// Per run: what calls of one function at several places may cost more or less than is taken.
std::vector<PointerTargets::Bounds> FlowChanges::placeRange() const {
  std::vector<PointerTargets::Bounds> sum(blocks.matrix().rows.size());
  for (const auto &[f, flow] : flows.all())
    for (size_t d = 0; d < sum.size(); ++d) {
      const PointerTargets::Bounds own = inclusive.placeRange(f, flow.was[d], moreOf(flow, d), d);
      sum[d].low += blocks.scale(d) * own.low;
      sum[d].high += blocks.scale(d) * own.high;
    }
  return sum;
}

/// Is it so wide that it is told?
bool FlowChanges::isWide(const std::vector<PointerTargets::Bounds> &open) const {
  const std::vector<Cumulants> costs = blocks.runs();
  double wide = 0, all = 0;
  for (size_t d = 0; d < open.size(); ++d)
    wide += weights[d] * (open[d].high - open[d].low), all += weights[d] * costs[d].k1;
  return wide > minOpen * all;
}

void FlowChanges::noteOnPlaces() {
  if (hasVariable())
    return;
  if (isWide(placeRange()))
    warnings.push_back({"places", "a function is called there and at other places, and neither "
                                  "counts nor records tell what its calls cost at each: they are "
                                  "taken to cost the same, intervals hold the least and the most "
                                  "that they may"});
  if (isWide(calledBackRange()))
    warnings.push_back({"called-back",
                        "code that was not counted is called there and calls functions of the "
                        "program back, and counts do not tell which of its calls do so how often: "
                        "comparisons are taken to be called by what sorts and searches with them, "
                        "all else to stay as it was; intervals hold the least and the most"});
}

std::vector<PointerTargets::Bounds> FlowChanges::range() const {
  if (hasVariable())
    return {};
  std::vector<PointerTargets::Bounds> sum = decidedTargets();
  const std::vector<PointerTargets::Bounds> apart = placeRange();
  for (size_t d = 0; d < sum.size(); ++d)
    sum[d].low += apart[d].low, sum[d].high += apart[d].high;
  const std::vector<PointerTargets::Bounds> back = calledBackRange();
  for (size_t d = 0; d < sum.size(); ++d)
    sum[d].low += back[d].low, sum[d].high += back[d].high;
  for (size_t d = 0; d < followed.size(); ++d)
    sum[d].low += followed[d].low, sum[d].high += followed[d].high;
  if (inclusive.pointerCaller().empty()) {
    const auto isOpen = [](const auto &b) { return b.high > b.low; };
    return std::any_of(sum.begin(), sum.end(), isOpen) ? sum
                                                       : std::vector<PointerTargets::Bounds>();
  }
  for (const auto &[f, flow] : flows.all())
    for (size_t d = 0; d < sum.size(); ++d) {
      const std::vector<double> passes = moreOf(flow, d);
      const std::vector<Cumulants> perEdge = inclusive.edges(f, 0, d);
      double is = 0;
      for (size_t e = 0; e < passes.size(); ++e)
        is += passes[e] * perEdge[e].k1;
      const PointerTargets::Bounds own = inclusive.range(f, passes, d);
      sum[d].low += blocks.scale(d) * (own.low - is);
      sum[d].high += blocks.scale(d) * (own.high - is);
    }
  return sum;
}

} // namespace quincunx
