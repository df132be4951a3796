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

Result<FiguredLaw> figure(std::span<const Part> parts, const Trust &trust, size_t groups) {
  const std::vector<Part> fewer = parts.size() > groups
                                      ? compress(parts, groups)
                                      : std::vector<Part>(parts.begin(), parts.end());
  const Result<DistributionPtr> law = makeMixture(fewer);
  if (!law)
    return law.error();
  const Moments m = (*law)->moments();
  // The mean is known up to how the runs differ in their means; what is random within a run is
  // computed.
  double within = 0, weight = 0;
  for (const Part &p : parts) {
    within += p.weight * p.k.k2;
    weight += p.weight;
  }
  within /= weight;
  Moments between = m;
  between.variance = std::max(0.0, m.variance - within);
  Figures f = figuresOf(**law, m, between, trust, parts.size());
  bool first = true;
  for (const Part &p : parts)
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
  std::vector<Part> parts;
  for (size_t i = 0; i < values.size(); ++i)
    parts.push_back({{values[i], 0, 0, 0}, weights[i], i + open >= values.size()});
  return figure(parts, trust);
}

} // namespace quincunx
