// How far a figure can be trusted that was estimated from D runs: 90 % intervals, open where D runs
// cannot bound it. Reference: docs/03-runs-kept-apart.md. All of it assumes that the
// runs were drawn independently, as inputs are in real use; nothing here can check that.
#pragma once

#include "quincunx/dist/Distribution.h"

#include <array>
#include <cstdint>

namespace quincunx {

inline constexpr double confidenceLevel = 0.90;

/// An infinite end is open: the runs do not bound it.
struct Interval {
  double low = 0, high = 0;
};

struct Percentile {
  double p = 0;
  double value = 0; ///< smallest t with P(T <= t) >= p; infinite: among the runs that were stopped
  bool atLeast = false; ///< D is too small to reach p: `value` is a lower bound
  Interval trust;
};

/// A figure, or a difference of two, with where it lies with 90 %.
struct IntervalEstimate {
  double value = 0;     ///< infinite: among the runs that were stopped
  bool atLeast = false; ///< a percentile beyond the runs that there are
  Interval trust;
};

inline constexpr std::array<double, 4> reportedPercentiles{0.5, 0.9, 0.99, 0.999};

/// Which of D sorted runs bound a quantile with 90 % confidence: P(X_(low) <= q_p) and P(q_p <=
/// X_(high)) are each at least 95 %, exactly. 0: no run does.
struct Ranks {
  uint64_t low = 0, high = 0;
};
Ranks quantileRanks(uint64_t d, double p);

/// The quantile ranks of the reported percentiles for one D, computed once.
class ConfidenceIntervals {
public:
  explicit ConfidenceIntervals(uint64_t d);
  /// `law` is the mixture over the D runs.
  std::array<Percentile, 4> percentiles(const Distribution &law) const;
  Percentile percentile(const Distribution &law, double p) const;
  /// mean +- t sd/sqrt(D); open both ways for D < 2.
  Interval mean(const Moments &m) const;
  /// Of the standard deviation, on the log scale with the kurtosis of the sample; open for D < 4.
  Interval deviation(const Moments &m) const;

private:
  Percentile between(const Distribution &law, double p, const Ranks &rank) const;

  uint64_t runs;
  std::array<Ranks, 4> ranks;
};

} // namespace quincunx
