// Loops whose trip counts are known better than the flow graph tells: measured ones, and counted
// ones with a break. What is known only as probabilities is elimination (Eliminate.h).
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/numeric/Moments.h"

#include <cstdint>
#include <span>

namespace quincunx {

/// One way out of a loop.
struct LoopExit {
  double weight = 0; ///< how often the loop was left here; only its share matters
  Cumulants trips;   ///< whole passes through the body before that
  Cumulants last;    ///< cost of the last pass, from the header to this exit
};

/// Cost of a loop whose trip counts were measured, per exit: the whole passes, then the last
/// partial one. Trip counts may have any law, but not depend on what the passes cost. A reason
/// instead: no exit was taken, or a number is not finite.
Result<Cumulants> measuredLoop(const Cumulants &body, std::span<const LoopExit> exits);

/// A loop of at most n iterations, each left early with probability b.
struct CountedLoop {
  uint64_t n = 0;
  double b = 0;
  Cumulants iteration; ///< cost of an iteration that goes on
  Cumulants breaking;  ///< cost of the iteration that breaks
  Cumulants after;     ///< cost once all n are done
};
struct CountedLoopCost {
  double completes = 0; ///< the probability that it is not left early
  Cumulants k;          ///< whichever way it ends
  Cumulants broken;     ///< given that it is left early; 0 when it never is
  Cumulants completed;  ///< given that it is not
};
/// Its cost, exactly, whatever n and b are; time does not depend on n. A reason instead: b is no
/// probability, or a number is not finite.
Result<CountedLoopCost> countedLoop(const CountedLoop &loop);

/// Cumulants of the number of failures before the first success in independent trials with chance b
/// of success, given that it comes within n trials; 0 < b <= 1, n >= 1. For b = 0, the limit: any
/// of the n alike.
Cumulants truncatedGeometric(uint64_t n, double b);

} // namespace quincunx
