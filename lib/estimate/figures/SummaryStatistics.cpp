// Summarizes one quantity over the runs: moments of the mixture, percentiles with their intervals.
// The idea: moments and percentiles both come from the mixture itself; nothing is fitted to its
// moments. Reference: docs/03-runs-kept-apart.md. It does not know what the quantity is.
#include "quincunx/estimate/SummaryStatistics.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

SummaryStatistics statisticsOf(const Distribution &law, const Moments &m, const Moments &between,
                               const ConfidenceIntervals &trust, uint64_t runs) {
  SummaryStatistics f;
  f.runs = runs;
  f.moments = m;
  f.deviation = m.deviation();
  f.percentiles = trust.percentiles(law);
  f.meanInterval = trust.mean(between);
  f.deviationInterval = trust.deviation(m);
  f.meanCounts = {m.mean, m.mean};
  return f;
}

void takeRange(SummaryStatistics &f, const Range &range, bool first) {
  f.min = first ? range.low : std::min(f.min, range.low);
  f.max = first ? range.high : std::max(f.max, range.high);
}

/// Student's interval knows nothing of costs, which are not negative, nor is their mean.
void keepPositive(SummaryStatistics &f) {
  if (f.min >= 0 && std::isfinite(f.meanInterval.low))
    f.meanInterval.low = std::max(f.meanInterval.low, 0.0);
}

/// Where the cost of a run lies; one with a positive mean is no less than 0.
Range rangeOf(const Cumulants &k) {
  if (!(k.k2 > 0))
    return {k.k1, k.k1};
  const Range law = ComponentLaw(k).support();
  return {k.k1 > 0 ? std::max(law.low, 0.0) : law.low, law.high};
}

} // namespace

Result<SummarizedLaw> summarize(std::span<const MixtureComponent> parts,
                                const ConfidenceIntervals &trust, size_t groups) {
  const std::vector<MixtureComponent> fewer =
      parts.size() > groups ? compress(parts, groups)
                            : std::vector<MixtureComponent>(parts.begin(), parts.end());
  const Result<DistributionPtr> law = makeMixture(fewer);
  if (!law)
    return law.error();
  const Moments m = (*law)->moments();
  // The mean is known up to how the runs differ in their means; what is random within a run is
  // computed.
  double within = 0, weight = 0;
  for (const MixtureComponent &p : parts) {
    within += p.weight * p.k.k2;
    weight += p.weight;
  }
  within /= weight;
  Moments between = m;
  between.variance = std::max(0.0, m.variance - within);
  SummaryStatistics f = statisticsOf(**law, m, between, trust, parts.size());
  bool first = true;
  for (const MixtureComponent &p : parts)
    if (!p.open) {
      takeRange(f, rangeOf(p.k), first);
      first = false;
    }
  keepPositive(f);
  return SummarizedLaw{f, *law};
}

Result<SummarizedLaw> summarize(std::span<const double> values, size_t open,
                                const ConfidenceIntervals &trust) {
  const Result<DistributionPtr> law = makeSteps(values, open);
  if (!law)
    return law.error();
  const Moments m = (*law)->moments();
  SummaryStatistics f = statisticsOf(**law, m, m, trust, values.size());
  for (size_t i = 0; i + open < values.size(); ++i)
    takeRange(f, {values[i], values[i]}, i == 0);
  keepPositive(f);
  return SummarizedLaw{f, *law};
}

Result<SummarizedLaw> summarize(std::span<const double> values, std::span<const double> weights,
                                size_t open, const ConfidenceIntervals &trust) {
  if (weights.empty())
    return summarize(values, open, trust);
  std::vector<MixtureComponent> parts;
  for (size_t i = 0; i < values.size(); ++i)
    parts.push_back({{values[i], 0, 0, 0}, weights[i], i + open >= values.size()});
  return summarize(parts, trust);
}

uint64_t effectiveSize(std::span<const double> weights) {
  double sum = 0, squares = 0;
  for (const double x : weights) {
    sum += x;
    squares += x * x;
  }
  return squares > 0 ? static_cast<uint64_t>(sum * sum / squares + 0.5) : 0;
}

Result<SummarizedLaw> summarizeRuns(std::span<const MixtureComponent> runs) {
  std::vector<double> weights;
  bool steps = true;
  for (const MixtureComponent &p : runs) {
    weights.push_back(p.weight);
    steps = steps && p.k.k2 == 0 && p.weight == runs.front().weight;
  }
  const ConfidenceIntervals trust(effectiveSize(weights));
  if (!steps)
    return summarize(runs, trust);
  std::vector<double> values;
  for (const bool open : {false, true})
    for (const MixtureComponent &p : runs)
      if (p.open == open)
        values.push_back(p.k.k1);
  const auto open =
      std::count_if(runs.begin(), runs.end(), [](const MixtureComponent &p) { return p.open; });
  return summarize(values, static_cast<size_t>(open), trust);
}

} // namespace quincunx
