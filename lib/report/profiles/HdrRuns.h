// The costs of runs as an HdrHistogram.
#pragma once

#include "HdrCounts.h"
#include "quincunx/estimate/Observed.h"

#include <string>
#include <vector>

namespace quincunx {

struct HdrRuns {
  HdrCounts counts;
  double wall = 0; ///< seconds, of all of them
  /// Lines for readers: what numbers are, and what may not hold.
  std::vector<std::string> comments;
};

/// Errors: there is no run; one costs more than such a histogram holds.
Result<HdrRuns> hdrRuns(const Observed &observed);

} // namespace quincunx
