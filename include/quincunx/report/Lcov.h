// Counts of lines, functions and branches as a tracefile, for lcov, genhtml and whatever else shows
// coverage. Reference: docs/23-exports.md.
#pragma once

#include "quincunx/estimate/Coverage.h"

#include <iosfwd>

namespace quincunx {

void printLcov(const std::vector<FileCoverage> &files, std::ostream &out);

} // namespace quincunx
