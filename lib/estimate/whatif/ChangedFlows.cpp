// Edge counts of functions, run by run, as they were and as changes left them.
// The idea: counts are derived once per function and run, when a change first asks for them.
// Reference: docs/17-what-if.md. What follows from a change is the chain's business
// (quincunx/model/Chain.h).
#include "ChangedFlows.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

std::vector<double> meanFlow(const std::vector<std::vector<double>> &perRun,
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

FunctionCounts ChangedFlows::counts(size_t f, size_t run) const {
  const CountMatrix &matrix = blocks.matrix();
  std::vector<uint64_t> counters;
  for (const uint32_t c : matrix.functions[f].counters)
    counters.push_back(
        c == noIndex ? 0 : static_cast<uint64_t>(std::llround(matrix.columns[c].at(run))));
  return blocks.flowSolver(f).counts(counters);
}

ChangedFlows::OfFunction &ChangedFlows::of(size_t f) {
  const auto [at, fresh] = known.try_emplace(f);
  if (!fresh)
    return at->second;
  for (size_t d = 0; d < blocks.matrix().rows.size(); ++d) {
    std::vector<double> &edges = at->second.was.emplace_back();
    for (const Count &e : counts(f, d).edges)
      edges.push_back(std::max(0.0, e.value)); // less than nothing: a child that was forked
  }
  at->second.is = at->second.was;
  return at->second;
}

} // namespace quincunx
