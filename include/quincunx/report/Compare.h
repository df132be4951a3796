// Two builds compared, as a verdict with tables for people, and at full precision for programs. It
// computes nothing that is not in the comparison. Reference: docs/21-compare-and-check.md.
#pragma once

#include "quincunx/estimate/Compare.h"
#include "quincunx/report/Display.h"

#include <iosfwd>
#include <string>

namespace quincunx {

/// The two builds, as the reader named them.
struct ComparedNames {
  std::string before, after;
};

struct CompareOptions {
  size_t top = 20; ///< functions and inputs to show, 0 for all
  Display display{};
};

void printComparison(const Comparison &c, const ComparedNames &names, const CompareOptions &options,
                     std::ostream &out);
Status printComparisonJson(const Comparison &c, const ComparedNames &names,
                           const CompareOptions &options, std::ostream &out);

} // namespace quincunx
