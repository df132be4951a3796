// The table of families, and what all of them refuse.
// The idea: one check of the moments, in one place, with one wording. Reference:
// docs/09-percentiles-and-bounds.md. It chooses nothing (lib/dist/Fit.cpp).
#include "quincunx/dist/Families.h"

#include "quincunx/base/Text.h"

#include <cmath>

namespace quincunx {

std::span<const Family> families() {
  static const Family table[] = {
#define QUINCUNX_FAMILY(name, function, exact) {name, function, exact},
#include "quincunx/dist/Families.def"
#undef QUINCUNX_FAMILY
  };
  return table;
}

std::optional<Error> unfit(const Moments &m) {
  if (!std::isfinite(m.mean) || !std::isfinite(m.variance) || !std::isfinite(m.skewness) ||
      !std::isfinite(m.kurtosis))
    return Error{"the moments are not finite"};
  if (m.variance < 0)
    return Error{"the variance is negative"};
  if (!admissible(m))
    return Error{"no law has kurtosis " + exact(m.kurtosis) + " and skewness " + exact(m.skewness) +
                 ": it must be at least 1 + skewness^2"};
  if (m.variance == 0)
    return Error{"the variance is 0: the law is a point"};
  // Standardised places are multiplied by the deviation, and kurtosis enters as its square.
  if (m.kurtosis > 1e100)
    return Error{"the kurtosis is too large for a law to be tabulated"};
  return std::nullopt;
}

} // namespace quincunx
