// Costs of runs and functions as metrics in the text format of OpenMetrics, for Prometheus and its
// kind. Reference: docs/23-exports.md.
#pragma once

#include "quincunx/estimate/Observed.h"
#include "quincunx/report/FunctionNames.h"

#include <iosfwd>
#include <string>

namespace quincunx {

/// `program`: what was profiled. Times are in seconds, other costs in their unit. Sums of functions
/// add up to that of the program.
void printOpenMetrics(const Observed &observed, const FunctionNames &names,
                      const std::string &program, std::ostream &out);

} // namespace quincunx
