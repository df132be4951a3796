// What a change of flow does to calls of a function that lead back to it.
// The idea: the equations of InclusiveCosts.cpp take every call for the average one of its run,
// however deep it is. Recursion that ends by depth, or by a problem that shrinks, is not like that:
// calls further down make fewer calls. Where a change makes calls more or less often that lead
// back, what comes of it is open. Reference: docs/17-what-if.md. It does not know how deep calls
// are, which counts do not tell.
#include "FlowChanges.h"
#include "Rounding.h"
#include "estimate/change/Composition.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {
/// Of the calls of a function: where fewer of them lead back, these hardly lead to more of them.
constexpr double minBack = 0.005;
} // namespace

/// Is `to` called by calls of `from`, or under them? Of nodes that were looked into.
bool InclusiveCosts::leadsTo(uint32_t from, uint32_t to) const {
  std::set<uint32_t> seen{from};
  std::vector<uint32_t> open{from};
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    if (at == to)
      return true;
    std::vector<uint32_t> next;
    if (isSite(at))
      next = candidates(at - calls->graph.functions.size());
    for (const Times &times : nodes.at(at).calls)
      next.push_back(times.first);
    for (const uint32_t callee : next)
      if (nodes.contains(callee) && seen.insert(callee).second)
        open.push_back(callee);
  }
  return false;
}

std::vector<double> InclusiveCosts::callsBack(size_t f) const {
  const uint32_t number = numberOf(f);
  std::vector<double> perBlock(blocks.function(f).blocks.size());
  for (const CallCounts::Named &call : calls->named(number))
    if (!call.times && leadsTo(call.callee, number))
      perBlock[call.block] += 1;
  for (size_t s = 0; s < calls->sites.size(); ++s)
    if (calls->sites[s].function == number && leadsTo(nodeOf(s), number))
      for (const auto &[block, times] : calls->sites[s].perBlock)
        perBlock[block] += times;
  return perBlock;
}

/// Whether the way of `step` makes calls more or less often that lead back to its function, where
/// these are not rare.
bool FlowChanges::movesBack(const FlowChange &step) const {
  const Function &f = blocks.function(step.function);
  const std::vector<double> back = inclusive.callsBack(step.function);
  const ChangedFlows::OfFunction &flow = flows.all().at(step.function);
  double entries = 0, calls = 0, more = 0;
  for (size_t d = 0; d < step.direction.size(); ++d) {
    const Result<double> far = step.distance(d, 1);
    double along = 0;
    for (size_t e = 0; e < f.edges.size(); ++e) {
      entries += f.edges[e].kind == EdgeKind::entry ? weights[d] * flow.was[d][e] : 0;
      const uint32_t to = headOf(f.edges[e]);
      calls += to != noIndex ? weights[d] * flow.was[d][e] * back[to] : 0;
      if (to != noIndex && !step.direction[d].empty())
        along += step.direction[d][e] * back[to];
    }
    more += weights[d] * std::fabs((far && !step.hasVariable() ? *far : 1) * along);
  }
  return calls > minBack * entries && more > rounding * calls;
}

Status FlowChanges::findRecursion() {
  for (const std::unique_ptr<FlowChange> &step : steps) {
    if (!movesBack(*step))
      continue;
    recursive = true;
    const std::string name = places.sourceName(blocks.function(step->function).name);
    const std::string why = "calls that lead back to " + name +
                            " would be more or less often, and how deep calls go counts do not "
                            "tell";
    const std::string help = "; weight whole " + places.several() + " with mix, or ask for a size";
    if (hasVariable())
      return about(step->change, Error{why + ", so that it is no question for a sweep" + help});
    if (inclusive.isEndless())
      return about(step->change,
                   Error{why + ": were they as often further down, they would never end" + help});
    const Note note{"recursion", why + ": all are taken to be the average call of their run, " +
                                     "which they are not where recursion ends by depth or as "
                                     "problems shrink, so that intervals are open" +
                                     help};
    if (std::none_of(warnings.begin(), warnings.end(),
                     [&](const Note &n) { return n.text == note.text; }))
      warnings.push_back(note);
  }
  return Done{};
}

} // namespace quincunx
