// Recorded calls, as far as several estimates ask the same of them. Reference: docs/10-compiler.md.
#include "RecordedCalls.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// A function may have called another one: by name or by calling back so often in each run, or
/// through the pointers of a site.
struct PossibleCall {
  size_t from = 0, to = 0; ///< in CountMatrix::functions
  std::vector<double> times;
  size_t site = SIZE_MAX;
  uint32_t target = 0;
};

std::vector<PossibleCall> possibleCalls(const CountMatrix &matrix, const std::vector<Map> &maps,
                                        const CallCounts &calls) {
  std::vector<PossibleCall> all;
  for (uint32_t number = 0; number < calls.functionOf.size(); ++number) {
    const size_t f = calls.functionOf[number];
    if (f == SIZE_MAX)
      continue;
    const CountMatrix::Columns &own = matrix.functions[f];
    const FlowSolver flow(maps[own.map].functions[own.function]);
    for (CallCounts::Times &call : calls.timesByName(number, matrix, flow))
      all.push_back({f, call.callee, std::move(call.perRun)});
    for (uint32_t g = 0; g < calls.functionOf.size() && calls.callsOut(number); ++g)
      if (calls.isCalledBack(g))
        all.push_back({f, calls.functionOf[g], calls.calledBack(g)});
  }
  for (size_t s = 0; s < calls.sites.size(); ++s)
    for (uint32_t t = 0; t < calls.targets.size(); ++t)
      all.push_back({calls.functionOf[calls.sites[s].function],
                     calls.functionOf[calls.targets[t]],
                     {},
                     s,
                     t});
  return all;
}

bool isPossible(const PossibleCall &call, const CallCounts &calls, size_t run) {
  return call.site != SIZE_MAX ? calls.pointers()->isPossible(call.site, call.target, run)
                               : call.times[run] > 0;
}

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

std::vector<double> stopsOf(const CountMatrix &matrix, size_t f, const Function &function,
                            const FlowSolver &flow) {
  std::vector<double> ends;
  for (const Edge &e : function.edges)
    ends.push_back(e.kind == EdgeKind::stop ? 1 : 0);
  return matrix.perRun(f, flow.linear(std::vector<double>(function.blocks.size()), ends));
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
  const std::vector<PossibleCall> possible = possibleCalls(matrix, maps, calls);
  for (bool more = true; more;) {
    more = false;
    for (const PossibleCall &call : possible)
      for (size_t d = 0; d < runs; ++d)
        if (loses[call.to][d] && !loses[call.from][d] && isPossible(call, calls, d))
          loses[call.from][d] = more = true;
  }
  return loses;
}

} // namespace quincunx
