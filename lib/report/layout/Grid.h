// Numbers for people and aligned columns, measured in columns of the terminal and not in bytes.
#pragma once

#include "quincunx/estimate/ConfidenceIntervals.h"
#include "quincunx/report/Display.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace quincunx {

/// Five significant digits, small whole numbers in full: "12", "0.25", "1234567", "1.2346e9",
/// "open"; "?" where it is not known.
std::string figure(double x);
/// `x` with so many significant digits.
double rounded(double x, int digits);
/// Is that a unit of time ("ns" to "s")?
bool isTime(const std::string &unit);
/// The unit of time of which there is at least one in `x`, and how many of it are in one of `unit`.
std::pair<double, const char *> suitedUnit(double x, const std::string &unit);
/// "1234", ">= 1234" where the corpus is too small, "open" among stopped runs.
std::string figure(const Percentile &q);
/// "low .. high", open ends as "open".
std::string figure(const Interval &i);
/// The same with four significant digits: what people compare, where JSON has the rest.
std::string shortFigure(double x);
std::string shortFigure(Percentile q);
std::string shortFigure(const Interval &i);
/// "12.3 %".
std::string percent(double share);
/// Words in lines of at most `most` columns, 0: one line; a longer word stands alone.
std::vector<std::string> wrapped(const std::string &text, size_t most);
/// What is wider than `most`, cut in the middle, so that its start and its end stay.
std::string cutInTheMiddle(const std::string &text, size_t most, const std::string &gap);
/// The same of a name that may have its place behind it, "name (file:line)": the file goes first,
/// and what stands behind the last "::", or space, stays as long as there is room for it.
std::string cutName(const std::string &text, size_t most, const std::string &gap);

/// A table that is too wide for its reader is cut where it is text: what columns of figures leave
/// of the line is for the names beside them. Where that is too little, the table comes in parts,
/// one below the other, and each has the names again.
class Grid {
public:
  /// The last `left` columns are set flush left, the others flush right. What of strangers stands
  /// in a cell is escaped before.
  Grid(std::vector<std::string> headings, size_t left);
  void add(std::vector<std::string> row);
  /// The last column holds sentences, which go on in the next line and are not cut.
  void holdsSentences() { wraps = true; }
  /// Only in front of these columns a new part may begin.
  void isDividedAt(std::vector<size_t> columns) { divisions = std::move(columns); }
  /// The headings in bold when `display` has colours.
  void print(std::ostream &out, const Display &display, const std::string &indent = "") const;

private:
  std::vector<size_t> widths() const;
  std::vector<std::vector<size_t>> parts(const std::vector<size_t> &widths, size_t least,
                                         size_t room) const;
  void printRow(const std::vector<std::string> &row, const std::vector<size_t> &which,
                const std::vector<size_t> &widths, const Display &display,
                const std::string &indent, std::ostream &out) const;

  std::vector<std::vector<std::string>> rows;
  size_t leftFrom;
  std::vector<size_t> names; ///< columns that each part has: those flush left, or else the first
  bool wraps = false;
  std::vector<size_t> divisions; ///< empty: anywhere
};

} // namespace quincunx
