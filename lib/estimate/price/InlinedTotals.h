// What code of functions costs where it was inlined, with all it calls. What was compiled of them
// is not in it.
#pragma once

#include "estimate/counts/TotalCosts.h"
#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/map/SourceFunctions.h"

namespace quincunx {

/// What a function costs in some of its scopes, in each run, without what it calls.
TotalCosts::PerRun costInScopes(const BlockCosts &blocks, size_t f,
                                const std::vector<bool> &scopes);

struct InlinedTotal {
  /// Per run: what stands there, with what is inlined in it; what its calls cost, each as the
  /// average one of its run; and what all calls of these callees cost.
  TotalCosts::PerRun own, called, most;
  bool isAny = false;
};

/// `meant`: per number of `sources`. A function that was compiled and is meant has none.
InlinedTotal inlinedTotal(const BlockCosts &blocks, const SourceFunctions &sources,
                          const std::vector<bool> &meant);

} // namespace quincunx
