// Runs as comma-separated values, for spreadsheets and statistics. Reference: docs/23-exports.md.
#pragma once

#include "quincunx/estimate/Observed.h"

#include <iosfwd>

namespace quincunx {

/// A row for each run: its cost, its wall time, its features.
void printRunsCsv(const Observed &observed, std::ostream &out);

} // namespace quincunx
