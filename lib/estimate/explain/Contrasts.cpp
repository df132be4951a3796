// Groups of runs against each other.
// The idea: a difference of two mean costs is a sum over functions, or lines, of differences of
// their mean costs; the share of each is what it has to do with it. No law is assumed. With few
// runs in a group the differences are those of these runs, and say little of others.
#include "Contrasts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quincunx {

namespace {

constexpr size_t minTail = 5;
constexpr double tailShare = 0.01, largestShare = 0.1;

double weightOf(const CountMatrix &matrix) {
  double sum = 0;
  for (const CountMatrix::Row &row : matrix.rows)
    sum += row.weight;
  return sum;
}

/// Up to what rounding does to means.
bool equal(double a, double b) { return std::abs(a - b) <= 1e-12 * (std::abs(a) + std::abs(b)); }

std::vector<Contrast::Item> items(std::span<const double> cost, std::span<const double> rest,
                                  std::span<const double> executed,
                                  std::span<const double> executedRest, double difference) {
  std::vector<Contrast::Item> all;
  for (size_t i = 0; i < cost.size(); ++i) {
    const double same = equal(cost[i], rest[i]) ? cost[i] : rest[i],
                 often = equal(executed[i], executedRest[i]) ? executed[i] : executedRest[i];
    all.push_back(
        {cost[i], same, executed[i], often, difference != 0 ? (cost[i] - same) / difference : 0});
  }
  return all;
}

} // namespace

MeanCounts meanCounts(const BlockCosts &costs, std::span<const size_t> rows) {
  const CountMatrix &matrix = costs.matrix();
  const auto meanOf = [&](bool isCost) {
    const auto scale = [&](size_t d) { return isCost ? costs.scale(d) : 1; };
    std::vector<double> mean, weights(matrix.rows.size(), 0.0);
    if (rows.size() == 1) {
      mean = matrix.row(rows.front());
      for (double &m : mean)
        m *= scale(rows.front());
      return mean;
    }
    double sum = 0;
    for (const size_t d : rows) {
      sum += matrix.rows[d].weight;
      weights[d] = matrix.rows[d].weight * scale(d);
    }
    mean = matrix.perColumn(weights);
    for (double &m : mean) // divided here, so that what every run counts once is once on average
      m /= sum;
    return mean;
  };
  MeanCounts out{meanOf(false), costs.isScaled() ? meanOf(true) : std::vector<double>{}, {}};
  double sum = 0, weight = 0;
  const std::vector<double> unattributed = costs.unattributed();
  for (const size_t d : rows) {
    sum += unattributed.empty() ? 0 : matrix.rows[d].weight * unattributed[d];
    weight += matrix.rows[d].weight;
  }
  if (!unattributed.empty())
    out.unattributed = sum / weight;
  return out;
}

namespace {
PerPart partsOf(const Attribution &parts, const MeanCounts &mean) {
  PerPart out = parts.of(mean.counts);
  if (!mean.priced.empty()) {
    PerPart priced = parts.of(mean.priced);
    out.functionCosts = std::move(priced.functionCosts);
    out.lineCosts = std::move(priced.lineCosts);
  }
  if (mean.unattributed) {
    out.functionCosts.push_back(*mean.unattributed);
    out.functionCalls.push_back(1);
  }
  return out;
}
} // namespace

Contrast contrast(const Attribution &parts, const MeanCounts &group, const MeanCounts &rest) {
  const PerPart a = partsOf(parts, group), b = partsOf(parts, rest);
  Contrast out;
  out.cost = std::accumulate(a.functionCosts.begin(), a.functionCosts.end(), 0.0);
  out.rest = std::accumulate(b.functionCosts.begin(), b.functionCosts.end(), 0.0);
  const double difference = out.cost - out.rest;
  out.functions =
      items(a.functionCosts, b.functionCosts, a.functionCalls, b.functionCalls, difference);
  out.lines = items(a.lineCosts, b.lineCosts, a.lineCounts, b.lineCounts, difference);
  return out;
}

std::vector<size_t> costliestFirst(const CountMatrix &matrix, std::span<const double> costs) {
  std::vector<size_t> order(costs.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const CountMatrix::Row &x = matrix.rows[a], &y = matrix.rows[b];
    if (isCensored(x.outcome) != isCensored(y.outcome))
      return isCensored(x.outcome);
    return costs[a] != costs[b] ? costs[a] > costs[b] : x.identity < y.identity;
  });
  return order;
}

std::vector<size_t> tailRuns(const CountMatrix &matrix, std::span<const double> costs,
                             std::span<const size_t> order) {
  const double beyond = tailShare * weightOf(matrix) * (1 + 1e-12);
  const auto alike = [&](size_t a, size_t b) {
    return costs[a] == costs[b] &&
           isCensored(matrix.rows[a].outcome) == isCensored(matrix.rows[b].outcome);
  };
  size_t n = 0;
  for (double sum = 0; n < order.size(); ++n)
    if ((sum += matrix.rows[order[n]].weight) > beyond)
      break;
  const auto most = static_cast<size_t>(largestShare * static_cast<double>(order.size()));
  n = std::min(std::max(n, minTail), most);
  while (n > 0 && n < order.size() && alike(order[n - 1], order[n]))
    ++n;
  if (2 * n > order.size())
    return {};
  return {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n)};
}

size_t medianRun(const CountMatrix &matrix, std::span<const size_t> order) {
  const double half = 0.5 * weightOf(matrix);
  double sum = 0;
  for (size_t i = order.size(); i-- > 0;)
    if ((sum += matrix.rows[order[i]].weight) >= half * (1 - 1e-12))
      return order[i];
  return order.front();
}

} // namespace quincunx
