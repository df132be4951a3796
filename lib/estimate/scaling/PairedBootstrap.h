// The costs of the same runs in two worlds, figures of each, and intervals of their differences,
// which are narrower than those of the figures because the runs are the same.
#pragma once

#include "quincunx/dist/Mixture.h"
#include "quincunx/estimate/ConfidenceIntervals.h"

#include <functional>
#include <span>
#include <vector>

namespace quincunx {

/// Weights of runs when run d is drawn times[d] times; empty: those that are drawn do not tell.
using ReweighRuns = std::function<std::vector<double>(std::span<const uint32_t> times)>;

/// The law of a cost over the runs, of which one may have several parts.
struct CostSample {
  std::vector<MixtureComponent> parts;
  std::vector<uint32_t> run; ///< per part
  DistributionPtr law;
  uint64_t runs = 0; ///< so many equal runs would tell as much
  /// Weights that `parts` have of how its runs are; none: they are what was asked for.
  ReweighRuns reweigh;

  /// `run` empty: one part per run. Where costs are random, more than `groups` parts are merged in
  /// the law.
  static Result<CostSample> make(std::vector<MixtureComponent> parts,
                                 std::vector<uint32_t> run = {}, size_t groups = SIZE_MAX);
};

/// A figure: a percentile, the mean or the standard deviation.
struct Statistic {
  enum class Kind : uint8_t { percentile, mean, deviation } kind = Kind::percentile;
  double p = 0;
  std::string name;
};
std::vector<Statistic> statisticsAsked(const std::vector<double> &percentiles);

double valueOf(const CostSample &w, const Statistic &a);
IntervalEstimate figureOf(const CostSample &w, const Statistic &a);
/// The smallest interval that holds both.
Interval hull(const Interval &a, const Interval &b);
/// The middle 90 % of what a figure was over samples of `runs` runs; open where these are too few
/// to bound it.
Interval bootstrapInterval(std::vector<double> drawn, const IntervalEstimate &of,
                           const Statistic &a, double runs);
/// 90 % intervals of the figures of a law whose weights depend on how its runs are; `runs`: how
/// many are drawn.
std::vector<Interval> intervalsOf(const CostSample &w, const std::vector<Statistic> &asked,
                                  size_t runs);
/// Of the figures after less those before; `runs`: those that both worlds have.
std::vector<IntervalEstimate> differences(const CostSample &before, const CostSample &after,
                                          const std::vector<Statistic> &asked, size_t runs);
/// The same of the figures after over those before, less 1.
std::vector<IntervalEstimate> relativeChanges(const CostSample &before, const CostSample &after,
                                              const std::vector<Statistic> &asked, size_t runs);
/// Of what one part of the cost differs by from run to run (`difference`), over the mean of the
/// whole: both per run.
IntervalEstimate meanShare(std::span<const double> difference, std::span<const double> whole);

} // namespace quincunx
