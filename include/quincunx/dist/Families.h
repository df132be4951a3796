// The families that are fitted to four moments, one line each in Families.def. Reference:
// docs/09-percentiles-and-bounds.md. Which one to take is dist/Fit.h.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/dist/Distribution.h"

#include <optional>
#include <span>

namespace quincunx {

/// A law of a family with moments `m`, or the reason why there is none. `range` is where the cost
/// can lie; only families that can respect it do so.
using FitFunction = Result<DistributionPtr>(const Moments &m, Range range);

#define QUINCUNX_FAMILY(name, function, exact) FitFunction function;
#include "quincunx/dist/Families.def"
#undef QUINCUNX_FAMILY

struct Family {
  const char *name;
  FitFunction *fit;
  bool exact; ///< the law has all four moments; else those it can have
};
std::span<const Family> families();

/// Why no family with a spread can have these moments: not finite, impossible, or a variance of 0.
std::optional<Error> unfit(const Moments &m);

} // namespace quincunx
