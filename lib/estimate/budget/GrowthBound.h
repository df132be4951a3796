// Does a cost grow with the size of the input no faster than a law says?
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/estimate/ConfidenceIntervals.h"

#include <span>

namespace quincunx {

struct GrowthBound {
  double power = 0; ///< n^power, or that times log n
  bool timesLog = false;
  double at(double n) const;
};

/// By how much runs of the larger half of the sizes cost more than the law says that was fitted to
/// the smaller half: relative, with its 90 % interval.
struct GrowthExcess {
  double value = 0;
  Interval interval;
  double smallest = 0, largest = 0; ///< sizes
};
/// More than that breaks a bound.
inline constexpr double growthTolerance = 0.05;
/// `y` of runs of sizes `n` > 0. An error where sizes tell nothing: less than 20 runs, less than
/// five sizes, or the largest not four times the smallest.
Result<GrowthExcess> growthExcess(const GrowthBound &bound, std::span<const double> n,
                                  std::span<const double> y);

} // namespace quincunx
