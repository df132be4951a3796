// A report for programs: one JSON object with "version", every figure at full precision, and the
// cost of every run, so that all of it can be computed again. Reference:
// docs/03-runs-kept-apart.md.
#pragma once

#include "quincunx/report/Terminal.h"

namespace quincunx {

/// `corpus` is the path as the reader gave it. `options.display` and `.utf8` do not matter.
Status printJson(const Observed &o, const std::string &corpus, const ReportOptions &options,
                 std::ostream &out);

/// Prints single calls in the same way.
Status printCallsJson(const ObservedCalls &o, const std::string &corpus,
                      const ReportOptions &options, std::ostream &out);

} // namespace quincunx
