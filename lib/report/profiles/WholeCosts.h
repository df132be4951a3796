// Costs as whole numbers that add up.
#pragma once

#include "base/TimeUnits.h"
#include "quincunx/estimate/CostGraph.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

namespace quincunx {

class WholeCosts {
public:
  /// `time`: what one is, where costs are times.
  explicit WholeCosts(const CostGraph &graph, const std::string &time = "ps") {
    if (const std::optional<double> seconds = secondsIn(graph.unit))
      factor = *seconds / *secondsIn(time), one = time;
  }
  /// What one is.
  const std::string &unit() const { return one; }
  /// Of one more cost: what sums so far have not printed yet.
  int64_t next(double cost) {
    sum += cost;
    const int64_t before = printed;
    printed = alone(sum);
    return printed - before;
  }
  int64_t total() const { return printed; } ///< of all that next() gave
  int64_t alone(double cost) const { return number(factor * cost); }
  static int64_t number(double x) { return std::llround(std::min(std::max(x, -9e18), 9e18)); }

private:
  double factor = 1e3, sum = 0;
  std::string one = "mCost";
  int64_t printed = 0;
};

} // namespace quincunx
