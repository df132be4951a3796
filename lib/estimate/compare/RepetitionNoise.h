// Whether a difference of two builds is more than repetitions of one input differ by.
#pragma once

#include "RunPairs.h"

#include <span>

namespace quincunx {

/// A cost in the runs of both builds; an empty one costs nothing.
struct CostSeries {
  std::vector<double> before, after; ///< per row of the matrix of that build
};

/// Means over the runs of each input.
struct PairedCosts {
  std::vector<double> before, after;
  double difference() const; ///< of the means over inputs
  double meanBefore() const, meanAfter() const;
};
/// Differences that are nothing but rounding are none.
PairedCosts pairedCosts(const CostSeries &costs, std::span<const RunPair> pairs);

class RepetitionNoise {
public:
  /// `pairs` must outlive it. `counted`: of all functions of the program.
  RepetitionNoise(std::span<const RunPair> pairs, std::span<const CostSeries> counted);

  Repeats kind() const { return repetition; }
  /// The probability that costs differ so much without an effect.
  double probability(const CostSeries &costs, const PairedCosts &paired) const;
  /// Of the difference of means: its standard deviation by repetitions.
  double deviation(const CostSeries &costs) const;
  /// Of one run from others of its input, relative: pooled over inputs.
  double relativeDeviation(const CostSeries &costs) const;
  /// That the costs of one input differ so much without an effect, by that deviation.
  double probability(const PairedCosts &all, size_t pair, double relative) const;

private:
  /// Of a difference that has mean 0 without an effect.
  struct Variance {
    double variance = 0, freedom = 0;
  };
  Variance varianceOf(const CostSeries &costs) const;
  double ofRareNoise(const PairedCosts &paired) const;
  double ofInputs(const PairedCosts &paired) const;

  std::span<const RunPair> pairs;
  Repeats repetition = Repeats::unknown;
  double repetitions = 0; ///< beyond the first, over all inputs
};

/// Holm's step-down probabilities: of any of so many tests, each at most 1.
std::vector<double> adjusted(std::span<const double> probabilities);

} // namespace quincunx
