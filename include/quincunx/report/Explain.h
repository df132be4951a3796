// Why runs differ, as text and as JSON: who makes the variance, what the costliest runs do, how p99
// hangs on each function. It computes nothing but order.
#pragma once

#include "quincunx/estimate/Explain.h"
#include "quincunx/report/Display.h"

#include <iosfwd>

namespace quincunx {

struct ExplainOptions {
  size_t top = 10; ///< rows of a table; 0: all
  Display display{};
};

void printExplained(const Explained &e, const ExplainOptions &options, std::ostream &out);
/// `corpus` is the path as the reader gave it.
Status printExplainedJson(const Explained &e, const std::string &corpus,
                          const ExplainOptions &options, std::ostream &out);

} // namespace quincunx
