// Do calls of a function cost, from run to run, what independent calls would? Reference:
// docs/07-calls.md.
#pragma once

#include "estimate/price/PricedMap.h"
#include "quincunx/base/Result.h"

#include <map>
#include <string>

namespace quincunx {

/// Takes what every function cost by itself in each run, which the counts say exactly, and holds it
/// against the model of one call. It tests sums over a run: with one run, or where a run has very
/// many calls, it can tell little of a single one.
class CallDispersions {
public:
  /// Both must outlive it.
  CallDispersions(const std::vector<Map> &maps, const Prices &prices);
  /// An error when the run contradicts its map. `scale`: of its costs.
  Status add(const Run &run, double scale);
  /// Why calls of a function (`number` over all maps) are not independent with the cumulants
  /// `modelled` of one call by itself: their sums over runs have a deviation that differs by more
  /// than a quarter (90 %), and where it is larger the mean of a call differs between runs by more
  /// than a hundredth. Empty: nothing says so. `differ`: the model has calls differ between runs
  /// already.
  std::string refuting(size_t number, const Cumulants &modelled, bool differ) const;
  /// The variance between runs of the mean cost of a call; 0 where there are less than two.
  double between(size_t number) const;

private:
  /// Per run e calls of mean cost x; sums over runs of e, e^2, 1/e and e (x - mean)^2.
  struct OfFunction {
    double runs = 0, calls = 0, squares = 0, inverse = 0, mean = 0, away = 0;
    double random = 0; ///< variance that the machine adds to a run, summed
    void add(const FunctionCost &cost, double scale);
  };

  std::map<Hash, size_t> mapOf;
  std::vector<PricedMap> priced;
  std::vector<std::vector<OfFunction>> functions; ///< per map
  const OfFunction &of(size_t number) const;
};

} // namespace quincunx
