// Other sizes of inputs.
// The idea: inside, the runs within 15 % of the size that is asked for stand for it, each scaled by
// (size / its own)^b, b the slope of log cost over log size among runs within a factor of two. The
// shape of the law is that of these runs; nothing is fitted to moments. Outside, each run keeps its
// deviation from a law of growth, which has to predict the larger half of the sizes from the
// smaller one first. Reference: docs/17-what-if.md.
#include "Resize.h"

#include "InputMix.h"
#include "estimate/figures/Notes.h"
#include "quincunx/base/Text.h"
#include "quincunx/numeric/LineFit.h"

#include <algorithm>
#include <cmath>

namespace quincunx {

namespace {

constexpr size_t minNear = 5;       ///< runs that can stand for a size
constexpr double maxOutside = 0.05; ///< share of the sizes asked for that may have fewer
constexpr size_t minForSlope = 8;
/// The runs that stand for each of many sizes.
constexpr size_t maxNear = 32;
/// Parts that the law of a sample of runs keeps apart, where costs are random.
constexpr size_t drawGroups = 128;

/// The nearest of them.
std::span<const Sized> nearest(std::span<const Sized> near, double size) {
  while (near.size() > maxNear)
    near = near.back().size - size > size - near.front().size ? near.first(near.size() - 1)
                                                              : near.subspan(1);
  return near;
}

std::span<const Sized> between(const std::vector<Sized> &all, double low, double high) {
  const auto less = [](const Sized &s, double x) { return s.size < x; };
  const auto more = [](double x, const Sized &s) { return x < s.size; };
  const auto from = std::lower_bound(all.begin(), all.end(), low, less);
  return {from, std::upper_bound(from, all.end(), high, more)};
}

/// Of log cost over log size about `size`; 0 where that cannot be told.
double slopeAt(const std::vector<Sized> &all, const std::vector<MixtureComponent> &parts,
               double size) {
  LineFit line;
  for (const Sized &s : between(all, size / 2, size * 2)) {
    const MixtureComponent &p = parts[s.run];
    if (p.k.k1 <= 0 || p.weight <= 0)
      continue;
    line.add(std::log(s.size), std::log(p.k.k1));
  }
  return line.count() < minForSlope ? 0 : line.slope();
}

/// The middle 90 %.
Interval middle(std::vector<double> drawn) {
  if (drawn.empty() ||
      std::any_of(drawn.begin(), drawn.end(), [](double x) { return !std::isfinite(x); }))
    return {-HUGE_VAL, HUGE_VAL};
  std::sort(drawn.begin(), drawn.end());
  const double tail = (1 - confidenceLevel) / 2, last = static_cast<double>(drawn.size() - 1);
  return {drawn[static_cast<size_t>(std::floor(tail * last))],
          drawn[static_cast<size_t>(std::ceil((1 - tail) * last))]};
}

} // namespace

std::vector<Sized> sizesOf(const std::vector<CountMatrix::Row> &rows, const std::string &feature) {
  std::vector<Sized> all;
  for (uint32_t d = 0; d < rows.size(); ++d)
    if (const auto at = rows[d].features.find(feature);
        at != rows[d].features.end() && at->second > 0)
      all.push_back({at->second, d});
  std::sort(all.begin(), all.end(), [](const Sized &a, const Sized &b) {
    return a.size != b.size ? a.size < b.size : a.run < b.run;
  });
  return all;
}

std::string sizesIn(const std::vector<CountMatrix::Row> &rows, const std::string &feature) {
  const std::vector<Sized> all = sizesOf(rows, feature);
  if (all.empty())
    return "no run has it";
  return plural(all.size(), "run has ", "runs have ") + escape(feature) + " from " +
         brief(all.front().size) + " to " + brief(all.back().size);
}

std::optional<Resized> resizeInside(const std::vector<Sized> &all,
                                    const std::vector<MixtureComponent> &parts,
                                    const SizeChange &change) {
  Resized out;
  double asked = 0, outside = 0;
  const auto place = [&](double size, double weight) {
    asked += weight;
    auto near = between(all, size * (1 - nearSize), size * (1 + nearSize));
    if (change.isFactor)
      near = nearest(near, size);
    double known = 0;
    for (const Sized &s : near)
      known += parts[s.run].weight;
    const bool inside = size >= all.front().size * (1 - 1e-12) &&
                        size <= all.back().size * (1 + 1e-12) && known > 0;
    if (near.size() < minNear || !inside) {
      outside += weight;
      return;
    }
    const double slope = slopeAt(all, parts, size);
    for (const Sized &s : near) {
      const MixtureComponent &p = parts[s.run];
      out.parts.push_back(
          {std::pow(size / s.size, slope) * p.k, weight * p.weight / known, p.open});
      out.run.push_back(s.run);
    }
  };
  if (change.isFactor)
    for (const Sized &s : all)
      place(change.value * s.size, parts[s.run].weight);
  else
    place(change.value, 1);
  if (outside > maxOutside * asked)
    return {};
  return out;
}

Result<Extrapolated> resizeOutside(const std::vector<Sized> &all, const CostSample &before,
                                   const std::vector<MixtureComponent> &parts,
                                   const SizeChange &change, const std::vector<Statistic> &asked,
                                   size_t groups) {
  std::vector<double> n, y, targets;
  std::vector<uint32_t> run;
  for (const Sized &s : all) {
    if (parts[s.run].open)
      return Error{"no size law for runs that were stopped: what they cost is not known"};
    n.push_back(s.size);
    y.push_back(parts[s.run].k.k1);
    targets.push_back(change.isFactor ? change.value * s.size : change.value);
    run.push_back(s.run);
  }
  // What is random in a cost grows with it.
  const auto grown = [&](uint32_t i, double cost) {
    MixtureComponent p = parts[run[i]];
    p.k = p.k.k1 > 0 ? cost / p.k.k1 * p.k : Cumulants{cost, 0, 0, 0};
    return p;
  };
  std::vector<std::vector<double>> after(asked.size()), moved(asked.size());
  const auto take = [&](const std::vector<uint32_t> &drawn, const std::vector<double> &costs) {
    std::vector<MixtureComponent> was, is;
    for (size_t i = 0; i < drawn.size(); ++i) {
      was.push_back(before.parts[run[drawn[i]]]);
      is.push_back(grown(drawn[i], costs[i]));
    }
    const Result<CostSample> one = CostSample::make(std::move(was), {}, drawGroups);
    const Result<CostSample> other = CostSample::make(std::move(is), {}, drawGroups);
    for (size_t f = 0; f < asked.size() && one && other; ++f) {
      after[f].push_back(valueOf(*other, asked[f]));
      moved[f].push_back(after[f].back() - valueOf(*one, asked[f]));
    }
  };
  Result<SizePrediction> predicted =
      predictAtSizes(n, y, targets, asked.empty() ? TakePrediction() : take);
  if (!predicted)
    return predicted.error();
  std::vector<MixtureComponent> to;
  for (uint32_t i = 0; i < run.size(); ++i)
    to.push_back(grown(i, predicted->costs[i]));
  Result<CostSample> world = CostSample::make(std::move(to), std::move(run), groups);
  if (!world)
    return world.error();
  Extrapolated out{std::move(*world), std::move(*predicted), {}, {}};
  for (size_t f = 0; f < asked.size(); ++f) {
    out.after.push_back(middle(std::move(after[f])));
    out.difference.push_back(middle(std::move(moved[f])));
  }
  return out;
}

} // namespace quincunx
