// Dispersion of costs of calls over runs.
// The idea: x_d, the mean of e_d calls of run d, has variance s^2/e_d when calls are independent,
// so sum e_d (x_d - x)^2/s^2 has mean D - 1, and is nearly chi-square with as many degrees of
// freedom as match its variance (Satterthwaite), which the kurtosis of calls makes fewer.
// Reference: Searle, Casella & McCulloch, Variance Components, 3.5. Costs that a machine adds at
// random are not in the counts, and are taken off s^2.
#include "CallDispersions.h"

#include "quincunx/estimate/Dispersion.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// Deviations that differ by less than this factor are near enough.
constexpr double nearEnough = 1.25;
/// Deviations below this share of the mean matter to nobody.
constexpr double noMatter = 0.01;

} // namespace

CallDispersions::CallDispersions(const std::vector<Map> &maps, const Prices &prices) {
  for (size_t m = 0; m < maps.size(); ++m) {
    mapOf[maps[m].hash] = m;
    priced.emplace_back(maps, m, prices);
    functions.emplace_back(maps[m].functions.size());
  }
}

void CallDispersions::OfFunction::add(const FunctionCost &cost, double scale) {
  const double e = cost.calls, d = scale * cost.k.k1 / e - mean;
  ++runs;
  calls += e;
  squares += e * e;
  inverse += 1 / e;
  mean += d * e / calls;
  away += e * d * (d - d * e / calls);
  random += scale * scale * cost.k.k2;
}

Status CallDispersions::add(const Run &run, double scale) {
  for (const ImageCounts &image : run.images) {
    const auto found = mapOf.find(image.map);
    if (found == mapOf.end())
      continue;
    const Result<std::span<const FunctionCost>> costs = priced[found->second].price(image);
    if (!costs)
      return costs.error();
    for (const FunctionCost &cost : *costs)
      if (cost.calls > 0)
        functions[found->second][cost.function].add(cost, scale);
  }
  return Done{};
}

const CallDispersions::OfFunction &CallDispersions::of(size_t number) const {
  size_t map = 0;
  for (; number >= functions[map].size(); ++map)
    number -= functions[map].size();
  return functions[map][number];
}

// E[sum e (x - mean)^2] = (D - 1) s^2 + n0 (D - 1) b^2 with b^2 between runs,
// n0 = (sum e - sum e^2/sum e)/(D - 1)
double CallDispersions::between(size_t number) const {
  const OfFunction &f = of(number);
  const double n0 = f.calls - f.squares / std::max(f.calls, 1.0);
  return f.runs >= 2 && n0 > 0 ? f.away / n0 : 0;
}

std::string CallDispersions::refuting(size_t number, const Cumulants &modelled, bool differ) const {
  const OfFunction &f = of(number);
  if (f.runs < 2)
    return "";
  const char *const varied = "calls differ more from run to run than independent ones would";
  const char *const balanced =
      "the calls of a run, or the passes of a loop, make up for each other";
  const double variance = modelled.k2 - f.random / f.calls, b = between(number);
  const double small = noMatter * f.mean;
  if (!(variance > small * small)) // the model has calls that cost alike
    return b > small * small && !differ ? varied : "";
  const double excess = modelled.k4 / (variance * variance) * f.inverse / f.runs;
  const double freedom = 2 * (f.runs - 1) / std::max(2 + excess, 0.1);
  const Interval phi = varianceInterval(f.away / variance / (f.runs - 1), freedom);
  if (phi.high < 1 / (nearEnough * nearEnough))
    return balanced;
  const bool beyond = phi.low > nearEnough * nearEnough && b > small * small;
  return beyond && !differ ? varied : "";
}

} // namespace quincunx
