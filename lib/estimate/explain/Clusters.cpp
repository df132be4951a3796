// From places where the costs of runs part to groups of runs.
// The idea: a group is compared with the one before it like any two groups of runs (Contrasts); as
// both have many runs, it can also be told how far apart they are, in deviations within them. What
// is known of the inputs stands beside it. It does not say what an input should have been.
#include "Clusters.h"

#include "Contrasts.h"
#include "quincunx/base/Parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quincunx {

namespace {

std::map<std::string, FeatureRange> rangesOf(const CountMatrix &matrix,
                                             std::span<const size_t> rows) {
  std::map<std::string, std::vector<double>> values;
  for (const size_t d : rows)
    for (const auto &[name, value] : matrix.rows[d].features)
      values[name].push_back(value);
  std::map<std::string, FeatureRange> out;
  for (auto &[name, all] : values) {
    std::sort(all.begin(), all.end());
    out[name] = {all.size(), all.front(), all[(all.size() - 1) / 2], all.back()};
  }
  return out;
}

struct Spread {
  double mean = 0, variance = 0;
};

Spread spreadOf(const CountMatrix &matrix, std::span<const size_t> rows,
                std::span<const double> values) {
  double sum = 0, mean = 0, variance = 0;
  for (const size_t d : rows) {
    sum += matrix.rows[d].weight;
    mean += matrix.rows[d].weight * values[d];
  }
  mean /= sum;
  for (const size_t d : rows)
    variance += matrix.rows[d].weight * (values[d] - mean) * (values[d] - mean) / sum;
  // What rounding leaves of equal costs is no variance.
  return {mean, variance > 1e-24 * mean * mean ? variance : 0};
}

double apart(const Spread &a, const Spread &b) {
  const double difference = a.mean - b.mean, within = (a.variance + b.variance) / 2;
  if (std::abs(difference) <= 1e-12 * (std::abs(a.mean) + std::abs(b.mean)))
    return 0;
  return within > 0 ? difference / std::sqrt(within)
                    : std::copysign(std::numeric_limits<double>::infinity(), difference);
}

Cluster groupOf(const CountMatrix &matrix, std::span<const double> costs,
                std::span<const size_t> rows) {
  Cluster g;
  g.runs.assign(rows.begin(), rows.end());
  g.low = costs[rows.front()];
  g.high = costs[rows.back()];
  g.mean = spreadOf(matrix, rows, costs).mean;
  for (const size_t d : rows)
    g.share += matrix.rows[d].weight;
  g.features = rangesOf(matrix, rows);
  return g;
}

} // namespace

std::vector<size_t> finishedRuns(const CountMatrix &matrix, std::span<const size_t> order) {
  std::vector<size_t> rows;
  for (size_t i = order.size(); i-- > 0;)
    if (!isCensored(matrix.rows[order[i]].outcome))
      rows.push_back(order[i]);
  return rows;
}

std::vector<Cluster> clustersOf(const Modes &modes, const BlockCosts &blocks,
                                const Attribution &parts, std::span<const double> costs,
                                std::span<const size_t> finished) {
  std::vector<Cluster> groups;
  if (modes.cuts.empty())
    return groups;
  const CountMatrix &matrix = blocks.matrix();
  const FunctionRows &rows = parts.functions();
  double weight = 0;
  for (size_t g = 0; g <= modes.cuts.size(); ++g) {
    const size_t from = g == 0 ? 0 : modes.cuts[g - 1];
    const size_t to = g == modes.cuts.size() ? finished.size() : modes.cuts[g];
    groups.push_back(groupOf(matrix, costs, finished.subspan(from, to - from)));
    weight += groups.back().share;
  }
  for (Cluster &g : groups)
    g.share /= weight;
  for (size_t g = 1; g < groups.size(); ++g) {
    groups[g].contrast =
        contrast(parts, meanCounts(blocks, groups[g].runs), meanCounts(blocks, groups[g - 1].runs));
    groups[g].apart.resize(groups[g].contrast.functions.size());
  }
  forEachParallel(groups.back().contrast.functions.size(), [&](size_t f) {
    const std::vector<double> own = f < rows.size() ? rows.perRun(f) : blocks.unattributed();
    for (size_t g = 1; g < groups.size(); ++g)
      groups[g].apart[f] =
          apart(spreadOf(matrix, groups[g].runs, own), spreadOf(matrix, groups[g - 1].runs, own));
  });
  return groups;
}

} // namespace quincunx
