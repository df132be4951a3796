// Figures of one random quantity over the runs: moments of the mixture, percentiles with their
// intervals. The idea: moments and percentiles both come from the mixture itself; nothing is fitted
// to its moments. Reference: docs/03-runs-kept-apart.md. It does not know what the quantity is.
#include "Figures.h"

#include <algorithm>

namespace quincunx {

namespace {

Figures figuresOf(const Distribution &law, const Moments &m, const Moments &between,
                  const Trust &trust, uint64_t runs) {
  Figures f;
  f.runs = runs;
  f.moments = m;
  f.deviation = m.deviation();
  f.percentiles = trust.percentiles(law);
  f.meanTrust = trust.mean(between);
  f.deviationTrust = trust.deviation(m);
  f.meanCounts = {m.mean, m.mean};
  return f;
}

void takeRange(Figures &f, double value, bool first) {
  f.min = first ? value : std::min(f.min, value);
  f.max = first ? value : std::max(f.max, value);
}

} // namespace

Result<FiguredLaw> figure(std::span<const MixtureComponent> parts, const Trust &trust,
                          size_t groups) {
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
  Figures f = figuresOf(**law, m, between, trust, parts.size());
  bool first = true;
  for (const MixtureComponent &p : parts)
    if (!p.open) {
      takeRange(f, p.k.k1, first);
      first = false;
    }
  return FiguredLaw{f, *law};
}

Result<FiguredLaw> figure(std::span<const double> values, size_t open, const Trust &trust) {
  const Result<DistributionPtr> law = makeSteps(values, open);
  if (!law)
    return law.error();
  const Moments m = (*law)->moments();
  Figures f = figuresOf(**law, m, m, trust, values.size());
  for (size_t i = 0; i + open < values.size(); ++i)
    takeRange(f, values[i], i == 0);
  return FiguredLaw{f, *law};
}

Result<FiguredLaw> figure(std::span<const double> values, std::span<const double> weights,
                          size_t open, const Trust &trust) {
  if (weights.empty())
    return figure(values, open, trust);
  std::vector<MixtureComponent> parts;
  for (size_t i = 0; i < values.size(); ++i)
    parts.push_back({{values[i], 0, 0, 0}, weights[i], i + open >= values.size()});
  return figure(parts, trust);
}

uint64_t effective(std::span<const double> weights) {
  double sum = 0, squares = 0;
  for (const double x : weights) {
    sum += x;
    squares += x * x;
  }
  return squares > 0 ? static_cast<uint64_t>(sum * sum / squares + 0.5) : 0;
}

Result<FiguredLaw> figureRuns(std::span<const MixtureComponent> runs) {
  std::vector<double> weights;
  bool steps = true;
  for (const MixtureComponent &p : runs) {
    weights.push_back(p.weight);
    steps = steps && p.k.k2 == 0 && p.weight == runs.front().weight;
  }
  const Trust trust(effective(weights));
  if (!steps)
    return figure(runs, trust);
  std::vector<double> values;
  for (const bool open : {false, true})
    for (const MixtureComponent &p : runs)
      if (p.open == open)
        values.push_back(p.k.k1);
  const auto open =
      std::count_if(runs.begin(), runs.end(), [](const MixtureComponent &p) { return p.open; });
  return figure(values, static_cast<size_t>(open), trust);
}

} // namespace quincunx
