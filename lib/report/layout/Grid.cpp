// Writes numbers for people, in aligned columns. The idea: five significant digits say more than a
// corpus can know, and percentiles are costs that runs had, so that whole numbers stay whole. Full
// precision is in the JSON report.
#include "Grid.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

namespace quincunx {

std::string figure(double x) {
  if (std::isinf(x))
    return "open";
  char text[64];
  const double a = std::abs(x);
  if (a < 1e7 && (x == std::floor(x) || a >= 99999.5))
    std::snprintf(text, sizeof text, "%.0f", x);
  else if (a >= 1e-4 && a < 99999.5)
    std::snprintf(text, sizeof text, "%.5g", x);
  else
    std::snprintf(text, sizeof text, "%.4e", x);
  std::string s = text;
  if (s == "-0")
    return "0";
  const size_t e = s.find('e');
  if (e == std::string::npos)
    return s;
  // "1.5000e+09" becomes "1.5e9".
  std::string mantissa = s.substr(0, e), exponent = std::to_string(std::stoi(s.substr(e + 1)));
  if (mantissa.find('.') != std::string::npos)
    mantissa.erase(std::min(mantissa.find_last_not_of("0.") + 1, mantissa.size()));
  return mantissa + "e" + exponent;
}

std::string figure(const Percentile &q) {
  if (std::isinf(q.value))
    return "open";
  return (q.atLeast ? ">= " : "") + figure(q.value);
}

std::string figure(const Interval &i) { return figure(i.low) + " .. " + figure(i.high); }

std::string percent(double share) {
  char text[32]; // there is no "-0.0"
  std::snprintf(text, sizeof text, "%.1f %%", std::abs(share) < 0.0005 ? 0 : 100 * share);
  return text;
}

Grid::Grid(std::vector<std::string> headings, size_t left) : leftFrom(headings.size() - left) {
  add(std::move(headings));
}

void Grid::add(std::vector<std::string> row) {
  for (std::string &cell : row)
    cell = printable(cell);
  rows.push_back(std::move(row));
}

void Grid::print(std::ostream &out, bool colour, const std::string &indent) const {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const auto &row : rows)
    for (size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], columns(row[c]));
  for (size_t r = 0; r < rows.size(); ++r) {
    std::string line = indent;
    for (size_t c = 0; c < rows[r].size(); ++c) {
      const std::string blank(widths[c] - columns(rows[r][c]), ' ');
      line += (c == 0 ? "" : "  ") + (c < leftFrom ? blank + rows[r][c] : rows[r][c] + blank);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << (colour && r == 0 ? "\033[1m" + line + "\033[0m" : line) << "\n";
  }
}

} // namespace quincunx
