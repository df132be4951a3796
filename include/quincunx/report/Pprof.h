// Costs of a corpus as a profile of pprof. Reference: docs/23-exports.md. It is not compressed,
// which readers take as well.
#pragma once

#include "quincunx/estimate/CostGraph.h"
#include "quincunx/report/FunctionNames.h"

#include <iosfwd>

namespace quincunx {

/// Costs are whole numbers: nanoseconds where the unit is a time, else thousandths of the unit.
void printPprof(const CostGraph &graph, const FunctionNames &names, std::ostream &out);

} // namespace quincunx
