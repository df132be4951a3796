// The law of what one function's calls cost, from the histogram and the exact sum of every run.
#pragma once

#include "quincunx/estimate/SummaryStatistics.h"
#include "quincunx/profile/Calls.h"

namespace quincunx {

/// A value for every call, in its bucket, such that the values of each run add up to the run's sum:
/// so all figures are those of one law, whose mean is exact. Where bucket and sum leave one value
/// only, or all calls of a run lie in one bucket and cost alike, it is exact; else it is off by
/// less than the bucket is wide, and a spread within one bucket of one run is not seen. Calls that
/// are cut may have cost anything above.
class CallLaw {
public:
  /// `unit`: what a unit of the clock cost in these calls; by other than 1 values that differ by
  /// less than 1.1 % are taken for one.
  void add(const CallCosts &run, double unit = 1);
  uint64_t calls() const { return values.n(); }
  uint64_t cut() const { return cutCalls; }
  /// Intervals of percentiles and of the deviation, least and most hold for certain.
  SummaryStatistics statistics() const;

private:
  struct Bucket {
    uint64_t calls = 0;
    double sum = 0;  ///< of values
    Interval within; ///< where each call's cost is
  };
  Percentile percentile(double p) const;

  std::map<double, Bucket> buckets; ///< by where they begin
  Sample values;
  uint64_t cutCalls = 0;
  double unknown = 0; ///< the most that squared errors of the values add up to
};

} // namespace quincunx
