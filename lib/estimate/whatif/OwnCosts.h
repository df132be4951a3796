// What a function costs by itself, without what it calls: run by run, and what any one call of it
// costs at least and at most.
#pragma once

#include "CostChanges.h"
#include "quincunx/estimate/ConfidenceIntervals.h"

namespace quincunx {

struct OwnCosts {
  std::vector<std::vector<Cumulants>> perRun; ///< per power of the variable
  std::vector<double> clock;                  ///< per run, what the clock of record=calls charged
  Interval perCall;                           ///< without variables; an infinite end where it loops
  Interval price; ///< of a unit of the clock, over the blocks that cost anything
};

/// Of the `f`-th function of the matrix. `clock`: the weights of the clock.
OwnCosts ownCosts(const BlockCosts &blocks, const CostChanges &costs, size_t f,
                  const std::vector<ClassCount> &clock);

} // namespace quincunx
