// Recorded calls, as far as several estimates ask the same of them. Reference: docs/10-compiler.md.
#include "RecordedCalls.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace quincunx {

namespace {

/// Who may have called whom in a run.
class MayCall {
public:
  struct Edge {
    size_t from = 0, to = 0;   ///< in CountMatrix::functions
    std::vector<double> times; ///< per run; empty: through the pointers of a site
    size_t site = 0;
    uint32_t target = 0;
  };

  MayCall(const CountMatrix &matrix, const std::vector<Map> &maps, const CallCounts &c) : calls(c) {
    for (uint32_t number = 0; number < calls.functionOf.size(); ++number)
      if (calls.functionOf[number] != SIZE_MAX) {
        addNamed(matrix, maps, number);
        addBack(number);
      }
    for (size_t s = 0; s < calls.sites.size(); ++s)
      for (uint32_t t = 0; t < calls.targets.size(); ++t)
        all.push_back({calls.functionOf[calls.sites[s].function],
                       calls.functionOf[calls.targets[t]],
                       {},
                       s,
                       t});
  }

  const std::vector<Edge> &edges() const { return all; }
  bool in(const Edge &e, size_t run) const {
    return e.times.empty() ? calls.sites[e.site].times[run] > 0 &&
                                 calls.pointers()->bounds(e.site, e.target, run).high > 0
                           : e.times[run] > 0;
  }

private:
  void addNamed(const CountMatrix &matrix, const std::vector<Map> &maps, uint32_t number) {
    const size_t f = calls.functionOf[number];
    const Function &function =
        maps[matrix.functions[f].map].functions[matrix.functions[f].function];
    std::map<size_t, std::vector<double>> blocks; // per callee
    for (const CallCounts::Named &call : calls.named(number))
      blocks.try_emplace(calls.functionOf[call.callee], function.blocks.size(), 0.0)
          .first->second[call.block] = 1;
    if (blocks.empty())
      return;
    const FlowSolver flow(function);
    for (const auto &[callee, weights] : blocks)
      all.push_back({f, callee, matrix.perRun(f, flow.linear(weights)), 0, 0});
  }
  void addBack(uint32_t number) {
    for (uint32_t g = 0; g < calls.functionOf.size() && calls.callsOut(number); ++g)
      if (calls.isCalledBack(g))
        all.push_back({calls.functionOf[number], calls.functionOf[g], calls.calledBack(g), 0, 0});
  }

  const CallCounts &calls;
  std::vector<Edge> all;
};

} // namespace

std::vector<ClassCount> recordingClock(const CountMatrix &matrix, const std::vector<Map> &maps) {
  const auto clockOf = [](const Map &map) {
    for (const Function &f : map.functions)
      if (f.callRecorder != noIndex && f.followsJumps)
        return f.clock;
    return std::vector<ClassCount>{};
  };
  std::vector<ClassCount> clock;
  for (size_t f = 0; f < matrix.functions.size(); ++f) {
    const uint32_t map = matrix.functions[f].map;
    if (f > 0 && map == matrix.functions[f - 1].map)
      continue;
    const std::vector<ClassCount> own = clockOf(maps[map]);
    if (f > 0 && own != clock)
      return {};
    clock = own;
  }
  return clock;
}

std::vector<double> clockCosts(const Function &function, const std::vector<ClassCount> &clock) {
  std::vector<double> costs;
  for (const Block &block : function.blocks) {
    double &cost = costs.emplace_back(0.0);
    for (const ClassCount &own : block.mix)
      for (const ClassCount &weight : clock)
        cost += own.kind == weight.kind ? static_cast<double>(own.count) * weight.count : 0;
  }
  return costs;
}

std::vector<double> framesLost(const CountMatrix &matrix, size_t f, const FlowSolver &flow) {
  std::vector<double> lost = matrix.perRun(f, {flow.frameForms().lost, {}});
  bool any = false;
  for (double &n : lost) {
    n = std::fabs(n) < 0.5 ? 0 : n; // below 0 in forked children
    any = any || n != 0;
  }
  return any ? lost : std::vector<double>{};
}

std::vector<std::vector<bool>> losesUnder(const CountMatrix &matrix, const std::vector<Map> &maps,
                                          const CallCounts &calls) {
  const size_t functions = matrix.functions.size(), runs = matrix.rows.size();
  std::vector<std::vector<bool>> loses(functions, std::vector<bool>(runs));
  bool any = false;
  for (size_t f = 0; f < functions; ++f) {
    const CountMatrix::Columns &own = matrix.functions[f];
    const FlowSolver flow(maps[own.map].functions[own.function]);
    const std::vector<double> lost = framesLost(matrix, f, flow);
    for (size_t d = 0; d < lost.size(); ++d)
      loses[f][d] = lost[d] != 0;
    any = any || !lost.empty();
  }
  if (!any)
    return {};
  const MayCall mayCall(matrix, maps, calls);
  for (bool more = true; more;) {
    more = false;
    for (const MayCall::Edge &e : mayCall.edges())
      for (size_t d = 0; d < runs; ++d)
        if (loses[e.to][d] && !loses[e.from][d] && mayCall.in(e, d))
          loses[e.from][d] = more = true;
  }
  return loses;
}

} // namespace quincunx
