// Numbers for people and aligned columns, measured in columns of the terminal and not in bytes.
#pragma once

#include "quincunx/estimate/ConfidenceIntervals.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace quincunx {

/// Five significant digits, small whole numbers in full: "12", "0.25", "1234567", "1.2346e9",
/// "open".
std::string figure(double x);
/// "1234", ">= 1234" where the corpus is too small, "open" among stopped runs.
std::string figure(const Percentile &q);
/// "low .. high", open ends as "open".
std::string figure(const Interval &i);
/// "12.3 %".
std::string percent(double share);
class Grid {
public:
  /// The last `left` columns are set flush left, the others flush right. What of strangers stands
  /// in a cell is escaped before.
  Grid(std::vector<std::string> headings, size_t left);
  void add(std::vector<std::string> row);
  /// The headings in bold when `colour`.
  void print(std::ostream &out, bool colour, const std::string &indent = "") const;

private:
  std::vector<std::vector<std::string>> rows;
  size_t leftFrom;
};

} // namespace quincunx
