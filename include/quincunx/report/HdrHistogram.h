// Costs of runs as histograms of HdrHistogram: its table of percentiles, and its log. Reference:
// docs/23-exports.md.
#pragma once

#include "quincunx/estimate/Observed.h"

#include <iosfwd>

namespace quincunx {

/// Values are whole numbers, kept to three significant digits: nanoseconds, or cost units. Runs
/// that were stopped have what they cost until then, which a comment says. Errors: there is no run;
/// one costs more than such a histogram holds.
Status printHdrPercentiles(const Observed &observed, std::ostream &out);
Status printHdrLog(const Observed &observed, std::ostream &out);

} // namespace quincunx
