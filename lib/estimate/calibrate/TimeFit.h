// Prices fitted to times of some of the runs of features.
#pragma once

#include "TimeFeatures.h"
#include "quincunx/estimate/InputTimes.h"

namespace quincunx {

struct TimeFit {
  double unit = 0;  ///< ns that a cost unit of the guess stands for
  double start = 0; ///< ns per run
  Coefficients coefficients;
  std::array<double, featureGroups> departures{}; ///< deviations of the coefficients of groups
  std::vector<double> predicted;                  ///< ns, of all runs of the features
  double logLikelihood = 0;                       ///< VarianceComponents::logLikelihood
  std::vector<double> leftOut; ///< of the runs it was fitted to: relative error without them
  /// Of the parts that were observed: what the fit says relative to what was observed, less 1; and
  /// the relative standard deviation with which it is known.
  std::vector<double> partErrors, partSpreads;
};

/// Gram matrices of features, which several fits share.
class TimeFitter {
public:
  /// `times`: ns, one per run of the features, which must outlive it.
  TimeFitter(const TimeFeatures &features, std::span<const double> times,
             const Stopwatch &stopwatch);
  /// From the runs `from`, numbers below features.runs(), and all parts that were observed.
  Result<TimeFit> fit(const std::vector<size_t> &from) const;

private:
  double knownNoise(size_t row) const;
  void judgeParts(const VarianceComponents &fitted, size_t runs, TimeFit &fit) const;
  void fitBase(const std::vector<size_t> &from, TimeFit &fit) const;
  Result<VarianceComponents> fitComponents(const std::vector<size_t> &from,
                                           const TimeFit &fit) const;

  const TimeFeatures &features;
  std::vector<double> times; ///< of rows
  Stopwatch stopwatch;
  std::array<Gram, featureGroups> grams; ///< in units of the guess
};

} // namespace quincunx
