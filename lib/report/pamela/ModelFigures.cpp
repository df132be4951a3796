// Figures of what a model says: of a time that is known, or its bounds.
// The idea: percentiles are those of the law that the numbers carry, or of one that has their four
// moments. Reference: docs/12-pamela.md, "What it costs". It prints nothing.
#include "quincunx/report/Eval.h"

#include "quincunx/base/Text.h"
#include "quincunx/dist/Bounds.h"

#include <cmath>
#include <functional>
#include <limits>

namespace quincunx {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// "p99.9": 0.999.
std::optional<double> percentileNamed(std::string_view name) {
  double percent = 0;
  if (name.size() < 2 || name[0] != 'p' || !parseNumber(name.substr(1), percent) ||
      !(percent > 0 && percent < 100))
    return std::nullopt;
  return percent / 100;
}

double quantileOf(const pamela::RandomNumber &x, double p) {
  const Result<DistributionPtr> law = pamela::lawOf(x);
  return law ? (*law)->quantile(p) : none;
}

using QuantileFunction = std::function<double(double)>;

/// The quantiles of a number, or, where no law is known, the highest that mean and variance allow.
QuantileFunction atMost(const pamela::RandomNumber &x) {
  if (const Result<DistributionPtr> law = pamela::lawOf(x); law)
    return [law = *law](double p) { return law->quantile(p); };
  return [m = moments(x)](double p) { return cantelliQuantile(m, p); };
}

} // namespace

bool isFitted(const pamela::Evaluated &e) {
  return !e.T.isExact() || (e.upper && !(e.upper->path.isExact() && e.upper->wait.isExact()));
}

std::optional<double> figureOf(const pamela::RandomNumber &x, std::string_view name) {
  const Moments m = moments(x);
  if (name == "mean")
    return m.mean;
  if (name == "variance")
    return m.variance;
  if (name == "sd")
    return m.deviation();
  if (name == "skewness")
    return m.skewness;
  if (name == "kurtosis")
    return m.kurtosis;
  const std::optional<double> p = percentileNamed(name);
  return p ? std::optional(quantileOf(x, *p)) : std::nullopt;
}

double boundOf(const pamela::Evaluated &e, std::string_view name, bool above) {
  if (e.isTime())
    return figureOf(e.T, name).value_or(none);
  if (name == "mean")
    return !above ? e.T.k1 : e.upper ? e.upper->mean() : none;
  const std::optional<double> p = percentileNamed(name);
  return !p ? none : above ? upperQuantile(e, *p) : lowerQuantile(e, *p);
}

double lowerQuantile(const pamela::Evaluated &e, double p) {
  if (e.isTime() || e.T.isExact())
    return quantileOf(e.T, p);
  const Result<Range> least = quantileBounds(project(moments(e.T)).moments, p, Where::notNegative);
  return least ? least->low : quantileBounds({e.T.k1, e.T.k2, 0, 3}, p, Where::line)->low;
}

/// P(X + Y > x + y) <= P(X > x) + P(Y > y), however they hang together: the tail is divided
/// between both as it is best.
double upperQuantile(const pamela::Evaluated &e, double p) {
  if (e.isTime())
    return quantileOf(e.T, p);
  if (!e.upper)
    return none;
  const QuantileFunction path = atMost(e.upper->path), wait = atMost(e.upper->wait);
  if (e.upper->path.k2 == 0 || e.upper->wait.k2 == 0)
    return path(p) + wait(p);
  double least = std::numeric_limits<double>::infinity();
  for (const double share : {0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98})
    least = std::min(least, path(1 - share * (1 - p)) + wait(1 - (1 - share) * (1 - p)));
  return least;
}

} // namespace quincunx
