// Mean costs of a corpus as a profile of callgrind: lines, functions and calls, for KCachegrind and
// callgrind_annotate. Costs are whole numbers there: picoseconds where the unit is a time, else
// thousandths of the unit. Reference: docs/23-exports.md.
#pragma once

#include "quincunx/estimate/CostGraph.h"
#include "quincunx/report/FunctionNames.h"

#include <iosfwd>

namespace quincunx {

/// `command`: what was profiled.
void printCallgrind(const CostGraph &graph, const FunctionNames &names, const std::string &command,
                    std::ostream &out);

} // namespace quincunx
