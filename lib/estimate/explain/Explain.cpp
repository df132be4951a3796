// All that is said about why runs differ, put together.
// The idea: the cost of a run is linear in its counts, so a covariance with it, a difference of
// means and a derivative of a percentile each are one vector of weights per run; the matrix turns
// it into a number per column (CountMatrix::perColumn), and flow carries that to every function and
// line (Attribution). Where costs were fitted to times, what a run counted costs as much as its
// scale says (BlockCosts::scale), so weights are multiplied with that. Only what branches decided
// (Decisions) needs the runs one by one.
#include "quincunx/estimate/Explain.h"

#include "Carriers.h"
#include "Clusters.h"
#include "Contrasts.h"
#include "Decisions.h"
#include "PercentileWeights.h"
#include "Rest.h"
#include "TotalShares.h"
#include "UncountedCalls.h"
#include "quincunx/estimate/SummaryStatistics.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

constexpr size_t slowestShown = 5;

/// What all parts of the explanation start from.
struct Basis {
  std::vector<Cumulants> runs;
  std::vector<double> costs, weights; ///< weights add up to 1
  double effective = 0, mean = 0, between = 0, within = 0;
  std::vector<double> meanCounts;  ///< per column
  std::vector<double> priced;      ///< the same of counts times scales
  std::vector<double> covariances; ///< of these with the cost of the run
  double variance() const { return between + within; }
};

/// CountMatrix::perColumn of weights that go with so high a power of the scale.
std::vector<double> perColumn(const BlockCosts &costs, std::vector<double> weights, int power) {
  for (size_t d = 0; d < weights.size() && costs.isScaled(); ++d)
    weights[d] *= std::pow(costs.scale(d), power);
  return costs.matrix().perColumn(weights);
}

Basis basisOf(const BlockCosts &costs) {
  const CountMatrix &matrix = costs.matrix();
  Basis b;
  b.runs = costs.runs();
  double sum = 0;
  for (size_t d = 0; d < b.runs.size(); ++d) {
    b.costs.push_back(b.runs[d].k1);
    b.weights.push_back(matrix.rows[d].weight);
    sum += b.weights.back();
  }
  b.effective = static_cast<double>(effectiveSize(b.weights));
  for (size_t d = 0; d < b.runs.size(); ++d) {
    b.weights[d] /= sum;
    b.mean += b.weights[d] * b.costs[d];
    b.within += b.weights[d] * b.runs[d].k2;
  }
  std::vector<double> centred;
  for (size_t d = 0; d < b.runs.size(); ++d) {
    centred.push_back(b.weights[d] * (b.costs[d] - b.mean));
    b.between += centred[d] * (b.costs[d] - b.mean);
  }
  // What rounding leaves of equal costs is no variance.
  if (b.between <= 1e-24 * b.mean * b.mean)
    b.between = 0;
  b.meanCounts = matrix.perColumn(b.weights);
  b.priced = costs.isScaled() ? perColumn(costs, b.weights, 1) : b.meanCounts;
  double excess = 0; // of their sum over 0
  for (size_t d = 0; d < centred.size(); ++d) {
    excess += centred[d] * (costs.scale(d) - 1);
    centred[d] *= costs.scale(d);
  }
  b.covariances = matrix.perColumn(centred, b.meanCounts);
  for (size_t c = 0; c < b.covariances.size(); ++c)
    b.covariances[c] += excess * b.meanCounts[c];
  return b;
}

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

void shareVarianceAndMean(const Basis &b, const BlockCosts &costs, const Attribution &parts,
                          Explained &out) {
  const double variance = out.variance;
  const PerPart covariance = parts.of(b.covariances), mean = parts.of(b.priced);
  const PerPart within = b.within > 0 ? parts.of(perColumn(costs, b.weights, 2), 1)
                                      : PerPart{std::vector<double>(out.functions.size(), 0.0),
                                                {},
                                                std::vector<double>(parts.lines().size(), 0.0),
                                                {}};
  const auto shares = [&](const std::vector<double> &cov, const std::vector<double> &random,
                          const std::vector<double> &average) {
    std::vector<Shares> all;
    for (size_t i = 0; i < cov.size(); ++i)
      all.push_back({ratio((b.between > 0 ? cov[i] : 0) + random[i], variance),
                     ratio(random[i], variance), ratio(average[i], b.mean), 0});
    return all;
  };
  out.functionShares = shares(covariance.functionCosts, within.functionCosts, mean.functionCosts);
  out.lineShares = shares(covariance.lineCosts, within.lineCosts, mean.lineCosts);
}

/// What runs cost outside of functions, as the last of these.
void addOutside(const Basis &b, const BlockCosts &costs, std::span<const double> p99Weights,
                Explained &out) {
  const std::vector<double> unattributed = costs.unattributed();
  if (unattributed.empty())
    return;
  double covariance = 0, mean = 0, p99 = 0;
  for (size_t d = 0; d < unattributed.size(); ++d) {
    covariance += b.weights[d] * (b.costs[d] - b.mean) * unattributed[d];
    mean += b.weights[d] * unattributed[d];
    p99 += p99Weights[d] * unattributed[d];
  }
  out.functions.emplace_back().name = unattributedName;
  out.functionShares.push_back(
      {ratio(covariance, out.variance), 0, ratio(mean, b.mean), ratio(p99, out.p99)});
}

void shareP99(const Basis &b, const BlockCosts &costs, const FunctionRows &rows,
              std::span<const size_t> order, Explained &out) {
  const PercentileWeights w =
      percentileWeights(b.runs, b.weights, order, b.effective, *out.observed.law, 0.99);
  out.p99 = w.value;
  const std::vector<double> k1 = perColumn(costs, w.mean, 1);
  for (size_t f = 0; f < out.functions.size(); ++f)
    out.functionShares[f].p99 = ratio(rows.dot(f, 0, k1), w.value);
  const std::vector<double> k2 =
      b.within > 0 ? perColumn(costs, w.variance, 2) : std::vector<double>{};
  for (size_t f = 0; f < out.functions.size() && !k2.empty(); ++f)
    out.functionShares[f].p99 += ratio(rows.dot(f, 1, k2), w.value);
  addOutside(b, costs, w.mean, out);
}

Tail tailOf(const Basis &b, const BlockCosts &costs, const Attribution &parts,
            std::span<const size_t> order) {
  Tail tail;
  tail.runs = tailRuns(costs.matrix(), b.costs, order);
  if (tail.runs.empty())
    return tail;
  tail.from = b.costs[tail.runs.front()];
  for (const size_t d : tail.runs)
    tail.from = std::min(tail.from, b.costs[d]);
  const std::vector<size_t> rest(order.begin() + static_cast<std::ptrdiff_t>(tail.runs.size()),
                                 order.end());
  tail.contrast = contrast(parts, meanCounts(costs, tail.runs), meanCounts(costs, rest));
  return tail;
}

void findGroups(const Basis &b, const BlockCosts &costs, const Attribution &parts,
                std::span<const size_t> order, Explained &out) {
  const std::vector<size_t> finished = finishedRuns(costs.matrix(), order);
  std::vector<double> values, weights;
  for (const size_t d : finished) {
    values.push_back(b.costs[d]);
    weights.push_back(b.weights[d]);
  }
  out.modes = findModes(values, weights);
  out.groups = clustersOf(out.modes, costs, parts, b.costs, finished);
}

void findSlowest(const Basis &b, const BlockCosts &costs, const Attribution &parts,
                 std::span<const size_t> order, Explained &out) {
  const CountMatrix &matrix = costs.matrix();
  out.median = medianRun(matrix, order);
  const MeanCounts median = meanCounts(costs, {&out.median, 1});
  for (size_t i = 0; i < std::min(slowestShown, order.size()); ++i)
    if (isCensored(matrix.rows[order[i]].outcome) || b.costs[order[i]] > b.costs[out.median])
      out.slowest.push_back(
          {order[i], contrast(parts, meanCounts(costs, order.subspan(i, 1)), median)});
}

} // namespace

Explained explain(Observed observed, const BlockCosts &costs, bool isFolded) {
  const CountMatrix &matrix = costs.matrix();
  const Basis b = basisOf(costs);
  const FunctionRows rows(costs, isFolded);
  const Attribution parts(costs, rows, b.meanCounts);
  const std::vector<size_t> order = costliestFirst(matrix, b.costs);
  Explained out;
  out.observed = std::move(observed);
  out.variance = b.variance();
  out.within = ratio(b.within, b.variance());
  for (size_t row = 0; row < rows.size(); ++row)
    out.functions.push_back(rows.place(row));
  out.lines = parts.lines();
  shareVarianceAndMean(b, costs, parts, out);
  shareP99(b, costs, rows, order, out);
  const CostOfRuns runs{b.weights, b.costs, b.mean, b.between, b.variance(), b.effective};
  const size_t root = rootOf(costs, out.observed.request);
  TotalCosts calls(matrix, costs.maps(), root);
  const TotalCosts::Costs totals = calls.solve(ownCosts(costs, 0));
  const CostOfCalls ofCalls{calls, totals, isKnown(calls, matrix.rows.size())};
  Decisions found = decisions(costs, parts, runs, ofCalls, b.meanCounts, b.priced, b.covariances);
  out.loops = std::move(found.loops);
  out.branches = std::move(found.branches);
  out.uncounted = uncountedCalls(costs, parts, b.meanCounts);
  out.tail = tailOf(b, costs, parts, order);
  out.totals = explainTotals(costs, rows, calls, totals, runs, out.tail.runs, root);
  const InputModel inputs = fitInputs(matrix, b.costs);
  out.inputs = explainInputs(costs, parts, inputs, out.tail.runs, ofCalls, root);
  out.rest = explainRest(costs, parts, inputs, b.costs, ofCalls, b.meanCounts);
  findGroups(b, costs, parts, order, out);
  findSlowest(b, costs, parts, order, out);
  return out;
}

} // namespace quincunx
