// Runs as comma-separated values, for spreadsheets and statistics. Reference: docs/23-exports.md.
#pragma once

#include "quincunx/estimate/Observed.h"
#include "quincunx/estimate/RunCounters.h"
#include "quincunx/report/FunctionNames.h"

#include <iosfwd>

namespace quincunx {

/// A row for each run: its cost, its wall time, its features, and its counters (one for each of
/// `observed.runs`; none: no columns).
void printRunsCsv(const Observed &observed, const RunCounters &counters, const FunctionNames &names,
                  std::ostream &out);

} // namespace quincunx
