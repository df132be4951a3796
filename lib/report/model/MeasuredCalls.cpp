// Measured calls beside the model. The idea: what was measured is the law of the very calls that
// the model is of, so where the deviations agree the assumptions carry, and where they do not they
// are refuted, whatever the counts of whole runs say.
#include "MeasuredCalls.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

/// Deviations that differ by less than this share agree.
constexpr double agree = 0.25;

/// The relative standard error of a deviation is sqrt((kurtosis - 1)/(4 n)); 1.64 of them are 90 %.
bool agrees(double is, const SummaryStatistics &measured) {
  const double n = static_cast<double>(measured.runs);
  const double error = 1.64 * std::sqrt(std::max(0.0, measured.moments.kurtosis - 1) / (4 * n));
  const double rounding = 1e-9 * measured.moments.mean;
  return is <= (1 + agree + error) * measured.deviationInterval.high + rounding &&
         is >= measured.deviationInterval.low / (1 + agree + error) - rounding;
}

} // namespace

const FunctionFigures *measuredOf(const ModelReport &m, uint32_t number) {
  if (m.measured == nullptr)
    return nullptr;
  const Function &f = *m.graph.functions[number];
  const FunctionFigures place = placeOf(f, m.graph.imageOf[number]);
  for (const FunctionFigures &c : m.measured->functions)
    if (c.image == place.image && c.name == place.name && c.file == place.file &&
        c.line == place.line)
      return &c;
  return nullptr;
}

std::string refutedIn(const ModelReport &m, const ModelledFunction &f) {
  const FunctionFigures *measured = measuredOf(m, f.number);
  if (m.model.guessed || f.cost.endless || measured == nullptr)
    return f.refuted;
  if (agrees(std::sqrt(std::max(0.0, f.cost.inclusive.k2)), measured->cost))
    return "";
  return f.refuted.empty() ? "calls that were measured have another spread" : f.refuted;
}

} // namespace quincunx
