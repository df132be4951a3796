// The rules of the three answers.
// The idea: a figure in counts is that of the inputs that ran. Run again they count the same, up to
// what the program does not repeat, which runs of one input tell: v = m (1 + e), with the variance
// of e pooled over inputs (alike, and weighed by what they cost) and its upper 95 % bound taken;
// what a figure makes of it is drawn. Five deviations on either side decide nothing, so that
// another job does not answer otherwise, where the bound is what an earlier one counted, too (3.5
// of the difference of two). A figure in time is one of inputs drawn from others like them, as in
// reports, and prices are known up to what a calibration misses: widths add as roots of squares,
// and the first of them shrinks as 1/sqrt(runs). Reference: docs/22-budgets.md.
#include "Decision.h"
#include "base/Infinity.h"

#include "estimate/figures/Notes.h"
#include "estimate/scaling/PairedBootstrap.h"
#include "quincunx/base/Text.h"
#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace quincunx {

namespace {

using Figure = Budget::Figure;
using Parts = std::vector<MixtureComponent>;

constexpr size_t draws = 200;
constexpr double deviations = 5; ///< of what does not repeat
constexpr double mostRuns = 1e6; ///< that anybody may be asked for
/// Rounding of sums must not break a budget.
constexpr double rounding = 1e-9;

double normalAt95() { return normalQuantile((1 + confidenceLevel) / 2); }

Statistic statisticOf(const Budget &b) {
  return {b.figure == Figure::mean        ? Statistic::Kind::mean
          : b.figure == Figure::deviation ? Statistic::Kind::deviation
                                          : Statistic::Kind::percentile,
          b.p, ""};
}

bool isExtreme(const Budget &b) { return b.figure == Figure::min || b.figure == Figure::max; }

double extreme(const Budget &b, const Parts &parts) {
  double out = b.figure == Figure::max ? -inf : inf;
  for (const MixtureComponent &p : parts) {
    const double x = p.open ? inf : p.k.k1;
    out = b.figure == Figure::max ? std::max(out, x) : std::min(out, x);
  }
  return out;
}

Result<double> valueOf(const Budget &b, const Parts &parts) {
  if (isExtreme(b))
    return extreme(b, parts);
  const Result<CostSample> sample = CostSample::make(parts);
  if (!sample)
    return sample.error();
  return quincunx::valueOf(*sample, statisticOf(b));
}

/// The parts with other means.
template <class Of> Parts withMeans(const Parts &parts, Of meanOf) {
  Parts out = parts;
  for (size_t i = 0; i < out.size(); ++i)
    out[i].k.k1 = meanOf(i);
  return out;
}

/// The 5 % quantile of a chi-squared law.
double chiSquaredAt5(double freedom) {
  double low = 0, high = freedom;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (gammaCdf(freedom / 2, middle / 2) < 0.05 ? low : high) = middle;
  }
  return high;
}

/// How much runs of one input differ: the upper 95 % bound of the relative standard deviation; none
/// where each ran once. It is taken for that of all inputs: an input's own, of two runs, would make
/// answers flicker. The larger of two is taken, of all inputs alike and of inputs weighed by what
/// they cost (Satterthwaite's degrees of freedom): where large inputs differ more, figures do.
std::optional<double> repeatSpread(const BudgetSample &sample) {
  std::map<std::string, std::vector<double>> byInput;
  for (size_t i = 0; i < sample.inputs.size(); ++i)
    if (!sample.parts[i].open)
      byInput[sample.inputs[i]].push_back(sample.parts[i].k.k1);
  const auto spread = [&](bool isWeighed) -> std::optional<double> {
    double squares = 0, weights = 0, weightsSquared = 0;
    for (const auto &[input, values] : byInput) {
      const double n = static_cast<double>(values.size());
      const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
      const double weight = isWeighed ? mean * mean : 1;
      for (const double v : values)
        squares += mean > 0 ? weight * (v / mean - 1) * (v / mean - 1) : 0;
      weights += weight * (n - 1);
      weightsSquared += weight * weight * (n - 1);
    }
    if (weights == 0)
      return {};
    const bool isExact = squares <= rounding * rounding * weights;
    const double freedom = weights * weights / weightsSquared;
    return isExact ? 0 : std::sqrt(squares / weights * freedom / chiSquaredAt5(freedom));
  };
  const std::optional<double> alike = spread(false);
  return alike ? std::max(*alike, spread(true).value_or(0)) : alike;
}

/// The standard deviation of the figure where every run differs by chance, relative.
Result<double> effectOfChance(const Budget &b, const Parts &parts, double spread) {
  std::mt19937_64 random(1); // the same corpus has the same answer
  std::normal_distribution<double> normal;
  double sum = 0, squares = 0;
  const Result<double> base = valueOf(b, parts);
  for (size_t i = 0; base && i < draws; ++i) {
    const Result<double> x =
        valueOf(b, withMeans(parts, [&](size_t d) {
                  return parts[d].k.k1 * std::max(0.0, 1 + spread * normal(random));
                }));
    if (!x)
      return x;
    if (!std::isfinite(*x))
      continue;
    sum += *x - *base, squares += (*x - *base) * (*x - *base);
  }
  if (!base)
    return base;
  const double n = static_cast<double>(draws);
  return std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n)));
}

/// The figure where each run has the least that it may have, and the most.
Result<Interval> extremesOf(const Budget &b, const BudgetSample &sample, double value) {
  if (std::ranges::all_of(sample.counts, [](const Interval &i) { return i.low == i.high; }))
    return Interval{value, value};
  const Result<double> low =
      valueOf(b, withMeans(sample.parts, [&](size_t i) { return sample.counts[i].low; }));
  const Result<double> high =
      valueOf(b, withMeans(sample.parts, [&](size_t i) { return sample.counts[i].high; }));
  if (!low || !high)
    return low ? high.error() : low.error();
  return Interval{std::min(*low, *high), std::max(*low, *high)};
}

/// Takes what was counted, and what of it does not repeat.
Status takeCounted(const Budget &b, const BudgetSample &sample, BudgetFigure &f) {
  const Result<Interval> open = extremesOf(b, sample, f.value);
  if (!open)
    return open.error();
  f.interval = *open;
  f.isAverage = sample.isAverage && open->low != open->high;
  const std::optional<double> spread = repeatSpread(sample);
  f.isRepeated = spread.has_value();
  if (spread.value_or(0) > 0) {
    const Result<double> chance = effectOfChance(b, sample.parts, *spread);
    if (!chance)
      return chance.error();
    f.chance = deviations * *chance;
    f.interval.low -= f.chance, f.interval.high += f.chance;
  }
  return Done{};
}

/// Takes the interval of inputs that were drawn from others.
Status takeSampled(const Budget &b, const BudgetSample &sample, BudgetFigure &f) {
  f.isCounted = false;
  if (!isExtreme(b) && !(sample.mean && b.figure == Figure::mean)) {
    const Result<CostSample> cost = CostSample::make(sample.parts);
    if (!cost)
      return cost.error();
    const IntervalEstimate e = figureOf(*cost, statisticOf(b));
    f.interval = e.trust;
    f.runs = cost->runs;
  }
  if (sample.isAverage) {
    const Result<Interval> open = extremesOf(b, sample, f.value);
    if (!open)
      return open.error();
    f.interval.low = std::min(f.interval.low, open->low);
    f.interval.high = std::max(f.interval.high, open->high);
    f.isAverage = open->low != open->high;
  }
  f.isOfSome = isExtreme(b) && sample.isSample;
  if (f.isOfSome)
    f.interval = b.figure == Figure::max ? Interval{f.value, inf} : Interval{0, f.value};
  f.sampling[0] = f.value - f.interval.low, f.sampling[1] = f.interval.high - f.value;
  return Done{};
}

void addPrices(BudgetFigure &f, double half) {
  f.prices = half;
  f.interval.low = f.value - std::hypot(f.value - f.interval.low, half);
  f.interval.high = f.value + std::hypot(f.interval.high - f.value, half);
}

/// What runs that were stopped would have cost is not known: at least what they had.
Status openAbove(const Budget &b, const BudgetSample &sample, BudgetFigure &f) {
  const bool any = std::ranges::any_of(sample.parts, [](const auto &p) { return p.open; });
  if (!any)
    return Done{};
  Parts closed = sample.parts;
  for (MixtureComponent &p : closed)
    p.open = false;
  const Result<double> least = valueOf(b, closed);
  if (!least)
    return least.error();
  const double low = b.figure == Figure::deviation ? 0 : *least;
  f.isStopped = true;
  // These runs are above all others at most.
  if (std::isfinite(f.value) && (b.figure == Figure::percentile || b.figure == Figure::min)) {
    f.interval.low = std::min(f.interval.low, low);
    return Done{};
  }
  f.interval = {std::isfinite(f.value) ? std::min(f.interval.low, low) : low, inf};
  f.chance = f.sampling[0] = f.sampling[1] = 0;
  return Done{};
}

} // namespace

Result<BudgetFigure> budgetFigure(const Budget &b, const BudgetSample &sample, bool isTime,
                                  PriceError error) {
  const Result<double> value = valueOf(b, sample.parts);
  if (!value)
    return value.error();
  BudgetFigure f;
  f.value = b.figure == Figure::mean && sample.mean ? *sample.mean : *value;
  f.scale = std::fabs(f.value);
  f.interval = {f.value, f.value};
  f.runs = sample.parts.size();
  if (Status s = isTime || sample.isSample ? takeSampled(b, sample, f) : takeCounted(b, sample, f);
      !s)
    return s.error();
  if (isTime && std::isfinite(f.value))
    addPrices(f, normalAt95() * error.relative * std::fabs(f.value));
  if (Status s = openAbove(b, sample, f); !s)
    return s.error();
  return f;
}

Result<BudgetFigure> budgetDifference(const Budget &b, const BudgetSample &before,
                                      const BudgetSample &after, bool isTime, PriceError error,
                                      bool paired) {
  BudgetSample multiple = before;
  for (MixtureComponent &p : multiple.parts)
    p.k = scaled(b.bound, p.k);
  for (Interval &i : multiple.counts)
    i = {b.bound * i.low, b.bound * i.high};
  if (multiple.mean)
    *multiple.mean *= b.bound;
  const Result<BudgetFigure> was = budgetFigure(b, multiple, isTime, {}),
                             is = budgetFigure(b, after, isTime, {});
  if (!was || !is)
    return was ? is.error() : was.error();
  BudgetFigure f = *is;
  f.value = is->value - was->value;
  f.isRepeated = is->isRepeated || was->isRepeated;
  f.isStopped = is->isStopped || was->isStopped;
  f.isOfSome = is->isOfSome || was->isOfSome;
  f.isAverage = is->isAverage || was->isAverage;
  f.chance = std::hypot(is->chance, was->chance);
  f.sampling[0] = std::hypot(is->value - is->interval.low, was->interval.high - was->value);
  f.sampling[1] = std::hypot(is->interval.high - is->value, was->value - was->interval.low);
  if (paired && isTime && !isExtreme(b)) {
    const Result<CostSample> first = CostSample::make(multiple.parts),
                             second = CostSample::make(after.parts);
    if (!first || !second)
      return first ? second.error() : first.error();
    const Interval trust =
        differences(*first, *second, {statisticOf(b)}, after.parts.size()).front().trust;
    f.sampling[0] = f.value - trust.low, f.sampling[1] = trust.high - f.value;
  }
  f.interval = {f.value - f.sampling[0], f.value + f.sampling[1]};
  if (isTime) // what both have in common is off by one factor
    addPrices(f, normalAt95() * error.relative *
                     std::fabs(is->value - (b.bound > 0 ? was->value / b.bound : 0)));
  if (std::isnan(f.value) || std::isnan(f.interval.low) || std::isnan(f.interval.high))
    f.value = 0, f.interval = {-inf, inf};
  return f;
}

BudgetAnswer answerOf(Budget::Comparison comparison, const Interval &figure, double bound) {
  const double slack = rounding * std::fabs(bound);
  const auto keeps = [&](double x) {
    switch (comparison) {
    case Budget::Comparison::below:
      return x < bound - slack;
    case Budget::Comparison::atMost:
      return x <= bound + slack;
    case Budget::Comparison::above:
      return x > bound + slack;
    case Budget::Comparison::atLeast:
      break;
    }
    return x >= bound - slack;
  };
  if (std::isnan(figure.low) || std::isnan(figure.high) || std::isnan(bound))
    return BudgetAnswer::cannotTell;
  const bool low = keeps(figure.low), high = keeps(figure.high);
  return low && high     ? BudgetAnswer::holds
         : !low && !high ? BudgetAnswer::broken
                         : BudgetAnswer::cannotTell;
}

// Of D runs order statistics bound a percentile from above where p^D <= 5 %. Widths shrink as
// 1/sqrt(D): d^2 = h^2 D / (D + more) + c^2.
std::string whatWouldDecide(const Budget &b, const BudgetFigure &f, double bound) {
  const bool above = bound > f.value;
  const double side = f.sampling[above], away = std::fabs(bound - f.value);
  if (f.isAverage)
    return "not all of it was recorded: functions that it calls are called elsewhere as well, or "
           "back by what was not counted; ask for self";
  if (f.isOfSome)
    return "not all requests were kept, and one that was not may be beyond";
  if (f.isStopped)
    return "runs that were stopped cost at least as much as was counted, and it is not known how "
           "much more";
  if (f.isCounted && f.chance > 0)
    return "runs of one input differ by chance, and the bound is within that";
  if (f.isCounted)
    return "calls did not return, and counts are intervals; build again to count exactly";
  if (f.prices > 0 && away <= f.prices * 1.0001)
    return "more runs would not tell: the bound is within what the calibration is off by, " +
           brief(100 * f.prices / f.scale, 2) + " %";
  const auto runs = static_cast<double>(f.runs);
  double more = 1;
  if (!std::isfinite(side)) {
    const double beyond = b.figure == Figure::percentile ? (above ? b.p : 1 - b.p) : 0;
    const double needed = beyond > 0 ? std::ceil(std::log(0.05) / std::log(beyond)) : 8;
    return "at least " + exact(std::max(1.0, needed - runs)) +
           " more runs would tell: " + exact(runs) + " are too few to bound it " +
           (above ? "above" : "below");
  }
  more = runs * (side * side / (away * away - f.prices * f.prices) - 1);
  if (!(more < mostRuns))
    return "the bound is too near for more runs to tell";
  return "about " + exact(std::max(1.0, std::ceil(more))) +
         (more <= 1 ? " more run would tell" : " more runs would tell");
}

} // namespace quincunx
