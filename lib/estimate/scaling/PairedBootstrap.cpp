// Differences between two worlds that have their runs in common.
// The idea: draw the runs again with replacement, the same in both worlds, and look at how the
// difference of each figure spreads (Efron's bootstrap); costs are kept per run, so that nothing is
// run again. A percentile is read off the staircase of the drawn runs; where costs are random given
// the run it is read off the law of all runs, at the level that is as far from the one asked for as
// the drawn runs below are from it (Bahadur). One density would not do: where runs have narrow laws
// of their own it is any number. What too few runs lie beyond is open.
// Reference: docs/17-what-if.md. It cannot know whether the runs stand for real use.
#include "PairedBootstrap.h"
#include "base/Infinity.h"

#include "quincunx/base/Text.h"
#include "quincunx/estimate/SummaryStatistics.h"
#include "quincunx/numeric/Special.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

namespace quincunx {

namespace {

constexpr size_t draws = 400;
/// A variance that is less than this share of the mean squared is what is left of a difference.
constexpr double roundedAway = 1e-18;
/// Runs beyond a percentile from which on the bootstrap says something about it; runs at all, for
/// mean and deviation.
constexpr double minBeyond = 3, minRuns = 8;
/// Percentiles are read off so many places, up to so many standard errors of their level away.
constexpr size_t levels = 64;
constexpr double farthest = 4, leastLevel = 1e-6;
/// Of a sum of weights.
constexpr double rounding = 1e-9;

/// One world under weights of its runs.
class BootstrapSampler {
public:
  BootstrapSampler(const CostSample &w, const std::vector<Statistic> &asked, size_t runs);
  /// Figures when run d counts drawn[d] times.
  void figures(const std::vector<uint32_t> &drawn, std::vector<double> &out);

private:
  double percentile(size_t which, double total) const;

  const CostSample &world;
  const std::vector<Statistic> &asked;
  std::vector<size_t> order;                ///< of parts, by cost, stopped ones last
  std::vector<double> weight, cost, spread; ///< of parts in that order
  std::vector<uint32_t> run;
  std::vector<double> usual; ///< per run: CostSample::reweigh() of each run once
  std::vector<double> upTo;  ///< sums of drawn weights
  double closed = 0;         ///< weight of parts that were not stopped
  /// Where a share is reached exactly, as one that was asked for is in every sample, a percentile
  /// may as well be the next value: it is in every other sample.
  bool ofAbove = true;
  double centre = 0;
  /// Per figure, where costs are random: percentiles at even levels, `far` below and above the one
  /// that is asked for, and of each part P(T <= that one).
  struct Smooth {
    double far = 0;
    std::vector<double> quantile, below;
  };
  std::vector<Smooth> smooth;
};

BootstrapSampler::BootstrapSampler(const CostSample &w, const std::vector<Statistic> &a,
                                   size_t runs)
    : world(w), asked(a) {
  for (size_t i = 0; i < w.parts.size(); ++i)
    order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) {
    const MixtureComponent &x = w.parts[i], &y = w.parts[j];
    return x.open != y.open ? y.open : x.k.k1 < y.k.k1;
  });
  for (const size_t i : order) {
    weight.push_back(w.parts[i].weight);
    cost.push_back(w.parts[i].k.k1);
    spread.push_back(w.parts[i].k.k2);
    run.push_back(w.run[i]);
  }
  const std::vector<uint32_t> once(runs, 1);
  usual = w.reweigh ? w.reweigh(once) : std::vector<double>(runs, 1.0);
  upTo.resize(order.size());
  centre = w.law->moments().mean;
  smooth.resize(a.size());
  for (size_t f = 0; f < a.size(); ++f) {
    if (a[f].kind != Statistic::Kind::percentile)
      continue;
    const double q = w.law->quantile(a[f].p);
    // Steps have order statistics; one that lies among stopped runs has none.
    if (!std::isfinite(q) || w.law->density(q).value_or(0) <= 0)
      continue;
    smooth[f].far = farthest * std::sqrt(a[f].p * (1 - a[f].p) / static_cast<double>(w.runs));
    for (size_t i = 0; i <= levels; ++i) {
      const double level =
          a[f].p + smooth[f].far * (2 * static_cast<double>(i) / static_cast<double>(levels) - 1);
      smooth[f].quantile.push_back(w.law->quantile(std::clamp(level, leastLevel, 1 - leastLevel)));
    }
    for (const size_t i : order) {
      const MixtureComponent &p = w.parts[i];
      smooth[f].below.push_back(p.open       ? 0
                                : p.k.k2 > 0 ? ComponentLaw(p.k).cdf(q)
                                             : static_cast<double>(p.k.k1 <= q));
    }
  }
}

double BootstrapSampler::percentile(size_t which, double total) const {
  const Smooth &s = smooth[which];
  const double p = asked[which].p;
  if (!s.quantile.empty()) {
    double below = 0, before = 0;
    for (size_t i = 0; i < upTo.size(); before = upTo[i++])
      below += (upTo[i] - before) * s.below[i];
    if (ofAbove && std::fabs(p - below / total) <= rounding)
      return s.quantile[levels / 2 + 1];
    const double at =
        std::clamp(((p - below / total) / s.far + 1) / 2, 0.0, 1.0) * static_cast<double>(levels);
    const size_t i = std::min(static_cast<size_t>(at), levels - 1);
    const double from = s.quantile[i], to = s.quantile[i + 1];
    return std::isfinite(to) ? from + (at - static_cast<double>(i)) * (to - from) : inf;
  }
  if (closed < p * total)
    return inf;
  auto at = std::lower_bound(upTo.begin(), upTo.end(), p * total * (1 - rounding));
  if (ofAbove && *at <= p * total * (1 + rounding) && *at < closed)
    at = std::upper_bound(at, upTo.end(), *at);
  return cost[static_cast<size_t>(at - upTo.begin())];
}

void BootstrapSampler::figures(const std::vector<uint32_t> &drawn, std::vector<double> &out) {
  double total = 0, first = 0, second = 0;
  closed = 0;
  ofAbove = !ofAbove;
  const std::vector<double> fresh = world.reweigh ? world.reweigh(drawn) : usual;
  if (fresh.size() != usual.size()) {
    std::fill(out.begin(), out.end(), inf);
    return;
  }
  for (size_t i = 0; i < order.size(); ++i) {
    const uint32_t of = run[i];
    const double w = weight[i] * drawn[of] * (usual[of] > 0 ? fresh[of] / usual[of] : 0),
                 d = cost[i] - centre;
    total += w;
    first += w * d;
    second += w * (d * d + spread[i]);
    upTo[i] = total;
    if (!world.parts[order[i]].open)
      closed = total;
  }
  for (size_t f = 0; f < asked.size(); ++f)
    switch (asked[f].kind) {
    case Statistic::Kind::mean:
      out[f] = centre + first / total;
      break;
    case Statistic::Kind::deviation:
      out[f] = std::sqrt(std::max(0.0, second / total - first / total * (first / total)));
      break;
    case Statistic::Kind::percentile:
      out[f] = total > 0 ? percentile(f, total) : inf;
      break;
    }
}

/// The 5 % and 95 % of what was drawn, about `value`; stretched as Student's law is, since small
/// samples know their own spread badly.
Interval intervalOf(std::vector<double> drawn, double value, double runs) {
  for (const double x : drawn)
    if (!std::isfinite(x))
      return {-inf, inf};
  std::sort(drawn.begin(), drawn.end());
  const double tail = (1 - confidenceLevel) / 2;
  const auto at = [&](double p) {
    return drawn[static_cast<size_t>(p * static_cast<double>(drawn.size() - 1) + 0.5)];
  };
  const double stretch =
      studentQuantile(runs - 1, 1 - tail) / normalQuantile(1 - tail) * std::sqrt(runs / (runs - 1));
  return {value + stretch * (std::min(at(tail), value) - value),
          value + stretch * (std::max(at(1 - tail), value) - value)};
}

/// Calls take() with how often each run is drawn, time after time; the same for every sample.
template <class Take> void drawAgain(size_t runs, Take take) {
  std::mt19937_64 random(1); // the same question has the same answer
  std::vector<uint32_t> times(runs);
  for (size_t i = 0; i < draws; ++i) {
    std::fill(times.begin(), times.end(), 0u);
    for (size_t d = 0; d < runs; ++d)
      ++times[static_cast<size_t>((random() >> 32) * runs >> 32)];
    take(times);
  }
}

/// Per figure, its values when runs are drawn again.
std::vector<std::vector<double>> figuresDrawn(const CostSample &w,
                                              const std::vector<Statistic> &asked, size_t runs) {
  BootstrapSampler sampler(w, asked, runs);
  std::vector<std::vector<double>> drawn(asked.size());
  std::vector<double> x(asked.size());
  drawAgain(runs, [&](const std::vector<uint32_t> &times) {
    sampler.figures(times, x);
    for (size_t f = 0; f < asked.size(); ++f)
      drawn[f].push_back(x[f]);
  });
  return drawn;
}

/// Are there runs enough for the bootstrap, and beyond the percentile? Where weights depend on the
/// runs, those beyond may be few that weigh much.
bool isBounded(const CostSample &w, const Statistic &a) {
  auto equal = static_cast<double>(w.runs);
  if (equal < minRuns || a.kind != Statistic::Kind::percentile)
    return equal >= minRuns;
  double beyond = equal * std::min(a.p, 1 - a.p);
  if (w.reweigh) {
    const double q = w.law->quantile(a.p);
    double sum[2] = {0, 0}, squares[2] = {0, 0};
    for (const MixtureComponent &p : w.parts) {
      // Where a cost is random, its run lies on both sides.
      const double below = p.open ? 0 : p.k.k2 > 0 ? ComponentLaw(p.k).cdf(q) : double(p.k.k1 <= q);
      for (const bool above : {false, true}) {
        const double weight = p.weight * (above ? 1 - below : below);
        sum[above] += weight, squares[above] += weight * weight;
      }
    }
    for (const bool above : {false, true})
      beyond = std::min(beyond, squares[above] > 0 ? sum[above] * sum[above] / squares[above] : 0);
  }
  return beyond >= minBeyond - 1e-9;
}

std::string percentileName(double p) {
  char text[32];
  std::snprintf(text, sizeof text, "p%.10g", 100 * p);
  return text;
}

} // namespace

std::vector<Statistic> statisticsAsked(const std::vector<double> &percentiles) {
  std::vector<Statistic> all;
  for (const double p : percentiles)
    all.push_back({Statistic::Kind::percentile, p, percentileName(p)});
  all.push_back({Statistic::Kind::mean, 0, "mean"});
  all.push_back({Statistic::Kind::deviation, 0, "sd"});
  return all;
}

Result<CostSample> CostSample::make(std::vector<MixtureComponent> parts, std::vector<uint32_t> run,
                                    size_t groups) {
  CostSample w;
  bool steps = !parts.empty();
  std::vector<double> weights;
  for (MixtureComponent &p : parts) {
    if (p.k.k2 <= roundedAway * p.k.k1 * p.k.k1)
      p.k = {p.k.k1, 0, 0, 0};
    steps = steps && p.k.k2 == 0 && p.weight == parts.front().weight && !p.open;
  }
  if (run.empty())
    for (uint32_t d = 0; d < parts.size(); ++d)
      run.push_back(d);
  for (size_t i = 0; i < parts.size(); ++i) {
    weights.resize(std::max<size_t>(weights.size(), run[i] + 1));
    weights[run[i]] += parts[i].weight;
  }
  w.runs = effectiveSize(weights);
  std::vector<double> values;
  if (steps)
    for (const MixtureComponent &p : parts)
      values.push_back(p.k.k1);
  const Result<DistributionPtr> law = steps                   ? makeSteps(values)
                                      : parts.size() > groups ? makeMixture(compress(parts, groups))
                                                              : makeMixture(parts);
  if (!law)
    return law.error();
  w.law = *law;
  w.parts = std::move(parts);
  w.run = std::move(run);
  return w;
}

double valueOf(const CostSample &w, const Statistic &a) {
  switch (a.kind) {
  case Statistic::Kind::mean:
    return w.law->moments().mean;
  case Statistic::Kind::deviation:
    return w.law->moments().deviation();
  case Statistic::Kind::percentile:
    break;
  }
  return w.law->quantile(a.p);
}

IntervalEstimate figureOf(const CostSample &w, const Statistic &a) {
  const ConfidenceIntervals trust(w.runs);
  const Moments m = w.law->moments();
  if (a.kind == Statistic::Kind::deviation)
    return {m.deviation(), false, trust.deviation(m)};
  if (a.kind == Statistic::Kind::percentile) {
    const Percentile q = trust.percentile(*w.law, a.p);
    return {q.value, q.atLeast, q.trust};
  }
  // The mean is known up to how the runs differ in their means; what is random within a run is
  // computed.
  double within = 0, weight = 0;
  for (const MixtureComponent &p : w.parts) {
    within += p.weight * p.k.k2;
    weight += p.weight;
  }
  Moments between = m;
  between.variance = std::max(0.0, m.variance - within / weight);
  Interval of = trust.mean(between);
  // Student's interval knows nothing of costs, which are not negative, nor is their mean.
  if (std::isfinite(of.low) &&
      std::ranges::all_of(w.parts, [](const MixtureComponent &p) { return p.k.k1 >= 0; }))
    of.low = std::max(of.low, 0.0);
  return {m.mean, false, of};
}

Interval hull(const Interval &a, const Interval &b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Interval bootstrapInterval(std::vector<double> drawn, const IntervalEstimate &of,
                           const Statistic &a, double runs) {
  const bool bounded = runs >= minRuns && (a.kind != Statistic::Kind::percentile ||
                                           runs * std::min(a.p, 1 - a.p) >= minBeyond - 1e-9);
  if (!bounded || !std::isfinite(of.value))
    return {-inf, inf};
  return intervalOf(std::move(drawn), of.value, runs);
}

std::vector<Interval> intervalsOf(const CostSample &w, const std::vector<Statistic> &asked,
                                  size_t runs) {
  std::vector<Interval> out(asked.size(), {-inf, inf});
  if (static_cast<double>(w.runs) < minRuns)
    return out;
  std::vector<std::vector<double>> drawn = figuresDrawn(w, asked, runs);
  for (size_t f = 0; f < asked.size(); ++f) {
    const double value = valueOf(w, asked[f]);
    if (isBounded(w, asked[f]) && std::isfinite(value))
      out[f] = intervalOf(std::move(drawn[f]), value, static_cast<double>(w.runs));
  }
  return out;
}

namespace {
/// `of` of the figures after and before.
template <class Of>
std::vector<IntervalEstimate> contrasts(const CostSample &before, const CostSample &after,
                                        const std::vector<Statistic> &asked, size_t runs, Of of) {
  std::vector<IntervalEstimate> out;
  for (const Statistic &a : asked)
    out.push_back({of(valueOf(after, a), valueOf(before, a)), false, {-inf, inf}});
  const auto equal = static_cast<double>(std::min(before.runs, after.runs));
  if (equal < minRuns)
    return out;
  std::vector<std::vector<double>> drawn = figuresDrawn(after, asked, runs);
  const std::vector<std::vector<double>> first = figuresDrawn(before, asked, runs);
  for (size_t f = 0; f < asked.size(); ++f) {
    for (size_t i = 0; i < draws; ++i)
      drawn[f][i] = of(drawn[f][i], first[f][i]);
    if (isBounded(before, asked[f]) && isBounded(after, asked[f]) && std::isfinite(out[f].value))
      out[f].trust = intervalOf(std::move(drawn[f]), out[f].value, equal);
  }
  return out;
}

double relativeChange(double after, double before) {
  return after == before ? 0 : after / before - 1;
}
} // namespace

std::vector<IntervalEstimate> differences(const CostSample &before, const CostSample &after,
                                          const std::vector<Statistic> &asked, size_t runs) {
  return contrasts(before, after, asked, runs, std::minus<>());
}

std::vector<IntervalEstimate> relativeChanges(const CostSample &before, const CostSample &after,
                                              const std::vector<Statistic> &asked, size_t runs) {
  return contrasts(before, after, asked, runs, relativeChange);
}

IntervalEstimate meanShare(std::span<const double> difference, std::span<const double> whole) {
  const size_t runs = whole.size();
  const auto share = [&](std::span<const uint32_t> times) {
    double part = 0, all = 0;
    for (size_t d = 0; d < runs; ++d) {
      part += times[d] * difference[d];
      all += times[d] * whole[d];
    }
    return part == 0 ? 0 : part / all;
  };
  IntervalEstimate out{share(std::vector<uint32_t>(runs, 1)), false, {-inf, inf}};
  if (static_cast<double>(runs) < minRuns || !std::isfinite(out.value))
    return out;
  std::vector<double> drawn;
  drawAgain(runs, [&](std::span<const uint32_t> times) { drawn.push_back(share(times)); });
  out.trust = intervalOf(std::move(drawn), out.value, static_cast<double>(runs));
  return out;
}

} // namespace quincunx
