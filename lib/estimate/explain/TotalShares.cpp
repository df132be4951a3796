// Shares by total cost.
// The idea: a total is a number per run like any cost, so its share is its covariance with the cost
// of the run. A way of calls f > g > h takes of the calls of g those that f made, which cost what
// calls in f do, and of these g's calls of h; at each function the callee that makes most of the
// variance is next, as long as that is half of what is left. Calls of a function by itself stay at
// it. Totals are of functions of the source (observe/SourceTotals) where that is quick and nothing
// is random within runs, else of those of which all was compiled by itself; ways are of what was
// compiled.
#include "TotalShares.h"

#include "estimate/observe/SourceTotals.h"
#include "quincunx/estimate/ObserveCorpus.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

using PerRun = TotalCosts::PerRun;
constexpr double worthFollowing = 0.5;

double covariance(const CostOfRuns &runs, std::span<const double> of) {
  double sum = 0;
  for (size_t d = 0; d < of.size(); ++d)
    sum += runs.weights[d] * (runs.costs[d] - runs.mean) * of[d];
  return sum;
}
double mean(const CostOfRuns &runs, std::span<const double> of) {
  double sum = 0;
  for (size_t d = 0; d < of.size(); ++d)
    sum += runs.weights[d] * of[d];
  return sum;
}
double share(double part, double of) { return of > 0 ? part / of : 0; }

/// Weights per run whose product with costs is the mean of the tail less that of the others.
PerRun tailWeights(const CostOfRuns &runs, std::span<const size_t> tail) {
  PerRun weights(runs.weights.size());
  double inside = 0;
  for (const size_t d : tail)
    inside += runs.weights[d];
  for (size_t d = 0; d < weights.size(); ++d)
    weights[d] = -runs.weights[d] / (1 - inside);
  for (const size_t d : tail)
    weights[d] = runs.weights[d] / inside;
  return weights;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t d = 0; d < a.size(); ++d)
    sum += a[d] * b[d];
  return sum;
}

/// How often a callee is called by `calls` calls of f that come from outside f.
PerRun passedOn(const TotalCosts &totals, size_t f, const PerRun &calls,
                const TotalCosts::Calls &to) {
  PerRun out(calls.size());
  for (size_t d = 0; d < out.size(); ++d) {
    double own = 0;
    for (const TotalCosts::Calls &c : totals.calls(f))
      own += c.callee == f ? c.times[d] : 0;
    const double outer = totals.entries(f)[d] - own;
    out[d] = outer > 0 ? calls[d] * to.times[d] / outer : 0;
  }
  return out;
}

std::vector<CallStep> heaviestPath(const TotalCosts &totals, const TotalCosts::Costs &costs,
                                   const CostOfRuns &runs, size_t root) {
  std::vector<CallStep> path{{root, share(covariance(runs, costs.total[root]), runs.between)}};
  PerRun calls = totals.entries(root);
  std::vector<bool> passed(costs.total.size());
  while (true) {
    const size_t f = path.back().function;
    passed[f] = true;
    CallStep next{TotalCosts::none, 0};
    PerRun nextCalls;
    for (const TotalCosts::Calls &to : totals.calls(f)) {
      if (passed[to.callee])
        continue;
      PerRun arrive = passedOn(totals, f, calls, to), cost = arrive;
      for (size_t d = 0; d < cost.size(); ++d)
        cost[d] = std::min(cost[d] * costs.ofCall(f, to.callee, d), costs.total[to.callee][d]);
      const double made = share(covariance(runs, cost), runs.between);
      if (made > next.variance) {
        next = {to.callee, made};
        nextCalls = std::move(arrive);
      }
    }
    if (next.function == TotalCosts::none || next.variance < worthFollowing * path.back().variance)
      return path;
    path.push_back(next);
    calls = std::move(nextCalls);
  }
}

/// Steps within one row are one.
std::vector<CallStep> byRow(const std::vector<CallStep> &path, const FunctionRows &rows) {
  std::vector<CallStep> out;
  for (const CallStep &step : path)
    if (const size_t row = rows.of(step.function); out.empty() || out.back().function != row)
      out.push_back({row, step.variance});
  return out;
}

} // namespace

ExplainedTotals explainTotals(const BlockCosts &blocks, const FunctionRows &rows, TotalCosts &calls,
                              const TotalCosts::Costs &costs, const CostOfRuns &runs,
                              std::span<const size_t> tail, size_t root) {
  ExplainedTotals out;
  out.unsolved = calls.unsolved();
  out.isConverted = calls.isConverted();
  if (!isKnown(calls, runs.costs.size()))
    return out;
  const PerRun beyond = tail.empty() ? PerRun{} : tailWeights(runs, tail);
  const double difference = dot(beyond, runs.costs);
  const bool isRandom = runs.variance > runs.between;
  const std::vector<PerRun> within =
      isRandom ? calls.solve(ownCosts(blocks, 1)).total : std::vector<PerRun>{};
  std::optional<SourceTotals> ofSource;
  if (!isRandom && costs.total.size() * runs.costs.size() <= quickTotals)
    ofSource.emplace(rows.sources(), blocks, calls, costs, true);
  for (size_t row = 0; row < rows.size(); ++row) {
    const FunctionFigures &place = rows.place(row);
    const std::vector<size_t> &compiled = rows.compiled(row);
    const bool isWhole = compiled.size() == 1 && !place.inlined && !place.isForeign;
    const PerRun *total = isWhole    ? &costs.total[compiled.front()]
                          : ofSource ? &ofSource->perRun(place.number)
                                     : nullptr;
    out.functions.emplace_back();
    if (total == nullptr || total->empty())
      continue;
    const double random = isRandom ? mean(runs, within[compiled.front()]) : 0;
    out.functions.back() = {share(covariance(runs, *total) + random, runs.variance),
                            difference != 0 ? dot(beyond, *total) / difference : 0,
                            share(mean(runs, *total), runs.mean),
                            isWhole ? calls.isRecorded(compiled.front())
                                    : ofSource->isRecorded(place.number)};
  }
  if (root != TotalCosts::none)
    out.path = byRow(heaviestPath(calls, costs, runs, root), rows);
  PerRun back(runs.costs.size());
  for (const TotalCosts::Calls &c : calls.callbacks())
    for (size_t d = 0; d < back.size(); ++d)
      back[d] += c.times[d] * costs.each[c.callee][d];
  out.callbacks = share(mean(runs, back), runs.mean);
  return out;
}

} // namespace quincunx
