// What the calls of one function cost in a run, each with all it called (record=calls): how many
// cost how much, in buckets, and the exact sum. Costs are in the units of Function::clock. It knows
// no estimate and no machine.
#pragma once

#include "quincunx/profile/Run.h"

namespace quincunx {

struct CallCosts {
  uint64_t calls = 0; ///< that ended, of recursive functions the outermost ones only
  double sum = 0;     ///< of their costs; exact up to 2^53
  std::map<uint32_t, uint64_t> buckets; ///< number of a bucket (abi/recorders.h), calls in it
  uint64_t cut = 0;                     ///< calls that may have cost more: see struct qx_jump
};

/// The calls of `f` in `counts` of its image; none when they were not recorded.
CallCosts callCosts(const Function &f, const ImageCounts &image);

/// The same without buckets.
struct CallTotals {
  uint64_t calls = 0, cut = 0;
  double sum = 0;
  uint32_t least = 0, most = 0; ///< buckets of the cheapest and the dearest call
};
CallTotals callTotals(const Function &f, const ImageCounts &image);

/// The costs in a bucket: from `low` to `high`, both included; infinite in the last one.
struct CostBucket {
  double low, high;
};
CostBucket costBucket(uint32_t bucket);

} // namespace quincunx
