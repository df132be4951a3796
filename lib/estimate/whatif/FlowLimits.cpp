// Where counts do not tell what a change of flow leads to: out of the function without a return, or
// through pointers.
// Reference: docs/17-what-if.md.
#include "FlowChanges.h"

#include "BranchChange.h"
#include "quincunx/model/Arms.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

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
                 "here, or weight whole runs with mix"};
  }
  return Done{};
}

/// Per run: what calls through pointers behind branches of which outcomes change may cost more or
/// less, as each outcome may decide whom they call.
std::vector<double> FlowChanges::decidedTargets() const {
  std::vector<double> sum(blocks.matrix().rows.size());
  for (const auto &[step, branch] : decided)
    for (size_t d = 0; d < sum.size(); ++d)
      if (const Result<double> far = step->distance(d, 1); far && *far != 0)
        sum[d] += blocks.scale(d) * std::fabs(*far) *
                  inclusive.choiceBehind(step->function, branch,
                                         flows.all().at(step->function).was[d], d);
  return sum;
}

std::vector<PointerTargets::Bounds> FlowChanges::pointerRange() const {
  if (hasVariable())
    return {};
  const std::vector<double> choice = decidedTargets();
  const bool chosen = std::any_of(choice.begin(), choice.end(), [](double c) { return c > 0; });
  if (inclusive.pointerCaller().empty() && !chosen)
    return {};
  std::vector<PointerTargets::Bounds> sum(choice.size());
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
    sum[d] = {sum[d].low - is - choice[d], sum[d].high - is + choice[d]};
  }
  return sum;
}

} // namespace quincunx
