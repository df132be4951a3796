// Statistics of columns over some of the runs.
// The idea: all functions of a map share the runs that loaded it, in the order in which statistics
// take them. Reference: docs/03-runs-kept-apart.md. It does not know what functions are.
#include "UsedRuns.h"

#include <algorithm>

namespace quincunx {

namespace {
/// Compression of a function's parts when costs are random; the program's own law keeps every run.
constexpr size_t functionGroups = 128;
} // namespace

UsedRuns::UsedRuns(const std::vector<RunFigures> &all, const std::function<bool(size_t)> &isUsed)
    : runs(all), trust(0) {
  for (const bool censored : {false, true})
    for (size_t i = 0; i < runs.size(); ++i) {
      if (isCensored(runs[i].outcome) != censored || !isUsed(i))
        continue;
      numbers.push_back(i);
      weights.push_back(runs[i].weight);
      total += weights.back();
      open += censored;
    }
  if (std::ranges::adjacent_find(weights, std::not_equal_to<>()) == weights.end())
    weights.clear();
  trust = ConfidenceIntervals(weights.empty() ? numbers.size() : effectiveSize(weights));
}

namespace {
Result<SummaryStatistics> statisticsOf(const Result<SummarizedLaw> &law) {
  return law ? Result<SummaryStatistics>(law->statistics) : law.error();
}
} // namespace

Result<SummaryStatistics> UsedRuns::statistics(const Column &column) const {
  std::vector<double> values;
  values.reserve(numbers.size());
  for (const size_t i : numbers)
    values.push_back(column.at(i));
  return statisticsOf(summarize(values, weights, open, trust));
}

Result<SummaryStatistics> UsedRuns::costs(const FunctionColumns &k, bool constant) const {
  if (constant)
    return statistics(k.columns[0]);
  std::vector<MixtureComponent> parts;
  for (const size_t i : numbers) {
    const auto at = [&](size_t field) { return k.columns[field].at(i); };
    const bool stopped = isCensored(runs[i].outcome);
    parts.push_back({{at(0), at(3), at(4), at(5)}, runs[i].weight, stopped});
  }
  return statisticsOf(summarize(parts, trust, functionGroups));
}

} // namespace quincunx
