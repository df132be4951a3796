// Recorded calls, as far as several estimates ask the same of them. Reference: docs/10-compiler.md.
#include "RecordedCalls.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

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
  std::vector<std::pair<size_t, size_t>> mayCall; // caller, callee
  for (uint32_t number = 0; number < calls.functionOf.size(); ++number) {
    const size_t f = calls.functionOf[number];
    if (f == SIZE_MAX)
      continue;
    for (const CallCounts::Named &call : calls.named(number))
      mayCall.emplace_back(f, calls.functionOf[call.callee]);
    for (uint32_t g = 0; g < calls.functionOf.size() && calls.callsOut(number); ++g)
      if (const auto &back = calls.calledBack(g);
          std::any_of(back.begin(), back.end(), [](double n) { return n > 0; }))
        mayCall.emplace_back(f, calls.functionOf[g]);
  }
  for (const CallCounts::Site &site : calls.sites)
    for (const uint32_t target : calls.targets)
      mayCall.emplace_back(calls.functionOf[site.function], calls.functionOf[target]);
  for (bool more = true; more;) {
    more = false;
    for (const auto &[f, g] : mayCall)
      for (size_t d = 0; d < runs; ++d)
        if (loses[g][d] && !loses[f][d])
          loses[f][d] = more = true;
  }
  return loses;
}

} // namespace quincunx
