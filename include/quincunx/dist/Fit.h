// Which law to take for four moments, and why. Reference: docs/09-percentiles-and-bounds.md.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/dist/Distribution.h"

#include <string>
#include <string_view>

namespace quincunx {

struct Fit {
  DistributionPtr law;
  std::string family; ///< a name of Families.def
  std::string why;    ///< one line for the reader of a report
};

/// The law of `family`, or of the one that is best for these moments when it is "auto". Refuses
/// names that are not in the table and moments the family cannot have.
Result<Fit> fitLaw(const Moments &m, Range range, std::string_view family = "auto");

} // namespace quincunx
