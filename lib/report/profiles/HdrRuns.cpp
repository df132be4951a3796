// Costs as whole numbers, weights as whole times: differences of rounded sums, so that they add up.
#include "HdrRuns.h"

#include "WholeCosts.h"
#include "quincunx/base/Text.h"

#include <cmath>

namespace quincunx {

Result<HdrRuns> hdrRuns(const Observed &observed) {
  const std::optional<double> seconds = secondsIn(observed.unit);
  const double one = seconds ? *seconds / *secondsIn("ns") : 1;
  HdrRuns all;
  double weights = 0;
  int64_t counted = 0;
  for (const RunFigures &run : observed.runs) {
    const double cost = std::round(one * std::max(0.0, run.cost.k1));
    if (!(cost < static_cast<double>(HdrCounts::most)))
      return Error{"a run costs more than HdrHistogram's numbers hold (2^62)"};
    weights += run.weight; // numbers of runs are whole, and add up
    const int64_t times = WholeCosts::number(weights) - counted;
    counted += times;
    if (times > 0)
      all.counts.add(static_cast<uint64_t>(cost), static_cast<uint64_t>(times));
    all.wall += run.wall;
  }
  if (all.counts.all() == 0)
    return Error{"no run was counted"};
  all.comments.push_back((seconds ? "nanoseconds" : escape(observed.unit)) + " per " +
                         (observed.request.empty() ? "run" : "request") +
                         ", to three significant digits");
  if (observed.censored > 0)
    all.comments.push_back(std::to_string(observed.censored) +
                           " were stopped, and cost more than they have here");
  return all;
}

} // namespace quincunx
