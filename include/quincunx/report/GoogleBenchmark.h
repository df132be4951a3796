// Costs of runs and functions as Google Benchmark writes them, for its compare.py. Reference:
// docs/23-exports.md.
#pragma once

#include "quincunx/estimate/Observed.h"
#include "quincunx/report/FunctionNames.h"

#include <iosfwd>
#include <string>

namespace quincunx {

/// `program`: what was profiled. Its runs are the repetitions of a benchmark "run" (or "request"),
/// and functions have aggregates alone, of what they cost themselves per run. An error where costs
/// are no times.
Status printGoogleBenchmark(const Observed &observed, const FunctionNames &names,
                            const std::string &program, std::ostream &out);

} // namespace quincunx
