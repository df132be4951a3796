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

/// "slower: mean +3.1 % (+2.9 .. +3.3 %), p50 +3.0 %, from parse (+3.4 %)".
std::string verdictLine(const Comparison &c, const Display &display);
/// "same", "faster", "slower" or "unknown".
const char *verdictName(ChangeVerdict v);
/// "+3.1 %", with more digits where one would show none; of what was 0 before "new".
std::string changePercent(double x);

void printComparison(const Comparison &c, const ComparedNames &names, const CompareOptions &options,
                     std::ostream &out);
Status printComparisonJson(const Comparison &c, const ComparedNames &names,
                           const CompareOptions &options, std::ostream &out);

} // namespace quincunx
