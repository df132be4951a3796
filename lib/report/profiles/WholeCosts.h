// Costs as whole numbers that add up.
#pragma once

#include "quincunx/estimate/CostGraph.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace quincunx {

class WholeCosts {
public:
  explicit WholeCosts(const CostGraph &graph) {
    for (const auto &[name, picoseconds] :
         {std::pair{"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}})
      if (graph.unit == name)
        factor = picoseconds, isTime = true;
  }
  /// What one is.
  std::string unit() const { return isTime ? "ps" : "mCost"; }
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
  bool isTime = false;
  int64_t printed = 0;
};

} // namespace quincunx
