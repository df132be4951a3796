// Writes numbers for people, in aligned columns. The idea: five significant digits say more than a
// corpus can know, and percentiles are costs that runs had, so that whole numbers stay whole. Full
// precision is in the JSON report.
#include "Grid.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <ranges>

namespace quincunx {

std::string figure(double x) {
  if (std::isnan(x))
    return "?";
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

double rounded(double x, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return std::strtod(text, nullptr);
}

namespace {
constexpr std::pair<double, const char *> timeUnits[] = {
    {1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
} // namespace

bool isTime(const std::string &unit) {
  return std::ranges::any_of(timeUnits, [&](const auto &u) { return unit == u.second; });
}

std::pair<double, const char *> suitedUnit(double x, const std::string &unit) {
  double nanoseconds = 1;
  for (const auto &[size, name] : timeUnits)
    if (unit == name)
      nanoseconds = size;
  std::pair<double, const char *> out{nanoseconds, "ns"};
  for (const auto &[size, name] : timeUnits)
    if (x * nanoseconds >= size)
      out = {nanoseconds / size, name};
  return out;
}

std::string figure(const Percentile &q) {
  if (std::isinf(q.value))
    return "open";
  return (q.atLeast ? ">= " : "") + figure(q.value);
}

std::string figure(const Interval &i) { return figure(i.low) + " .. " + figure(i.high); }

std::string shortFigure(double x) { return figure(std::isfinite(x) ? rounded(x, 4) : x); }

std::string shortFigure(Percentile q) {
  if (std::isfinite(q.value))
    q.value = rounded(q.value, 4);
  return figure(q);
}

std::string shortFigure(const Interval &i) {
  return shortFigure(i.low) + " .. " + shortFigure(i.high);
}

std::string percent(double share) {
  if (!std::isfinite(share))
    return figure(share);
  char text[32]; // there is no "-0.0"
  std::snprintf(text, sizeof text, "%.1f %%", std::abs(share) < 0.0005 ? 0 : 100 * share);
  return text;
}

std::vector<std::string> wrapped(const std::string &text, size_t most) {
  std::vector<std::string> lines{""};
  for (const std::string_view word : fields(text, ' ')) {
    std::string &line = lines.back();
    if (line.empty())
      line = word;
    else if (most == 0 || columns(line) + 1 + columns(word) <= most)
      line.append(" ").append(word);
    else
      lines.emplace_back(word);
  }
  return lines;
}

namespace {

/// Each with what joins the one before.
std::vector<std::string> charactersOf(const std::string &text) {
  std::vector<std::string> characters;
  for (const char c : text) {
    const bool begins = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (begins || characters.empty())
      characters.emplace_back();
    characters.back() += c;
  }
  return characters;
}

std::string firstColumns(const std::string &text, size_t most) {
  std::string head;
  size_t used = 0;
  for (const std::string &c : charactersOf(text)) {
    if ((used += columns(c)) > most)
      break;
    head += c;
  }
  return head;
}

std::string lastColumns(const std::string &text, size_t most) {
  std::string tail;
  size_t used = 0;
  for (const std::string &c : charactersOf(text) | std::views::reverse) {
    if ((used += columns(c)) > most)
      break;
    tail.insert(0, c);
  }
  return tail;
}

/// Where what a function is called begins in a name: behind the last "::" or space.
size_t wordOf(const std::string &name) {
  const std::string before = name.substr(0, name.find_first_of("<("));
  const size_t scope = before.rfind("::"), space = before.rfind(' ');
  return scope != before.npos ? scope + 2 : space != before.npos ? space + 1 : 0;
}

/// As far as there is room the word stays, and in front of it what there is more room for.
std::string cutBeforeWord(const std::string &name, size_t most, const std::string &gap) {
  const size_t from = wordOf(name), kept = columns(gap) + columns(name.substr(from));
  if (columns(name) <= most || kept > most)
    return cutInTheMiddle(name.substr(columns(name) <= most ? 0 : from), most, gap);
  return firstColumns(name.substr(0, from), most - kept) + gap + name.substr(from);
}

} // namespace

std::string cutInTheMiddle(const std::string &text, size_t most, const std::string &gap) {
  if (columns(text) <= most)
    return text;
  const size_t kept = most - std::min(most, columns(gap)), front = kept / 2;
  return firstColumns(text, front) + gap + lastColumns(text, kept - front);
}

std::string cutName(const std::string &text, size_t most, const std::string &gap) {
  const size_t place = text.rfind(" ("), colon = text.rfind(':');
  const bool hasPlace = place != text.npos && colon != text.npos && place < colon &&
                        text.ends_with(')') &&
                        text.find_first_not_of("0123456789", colon + 1) == text.size() - 1;
  // What is cut may lie behind what the function is called.
  const size_t front = (most - std::min(most, columns(gap))) / 2;
  if (columns(text) <= most || !hasPlace ||
      columns(text.substr(0, std::min(place, text.find_first_of("<(")))) <= front)
    return cutInTheMiddle(text, most, gap);
  const std::string name = text.substr(0, place), line = text.substr(colon);
  const size_t least = columns(" (" + gap + line);
  if (columns(name) + least <= most)
    return name + " (" + gap +
           lastColumns(text.substr(place + 2, colon - place - 2), most - columns(name) - least) +
           line;
  if (least > most / 2)
    return cutBeforeWord(name, most, gap);
  return cutBeforeWord(name, most - least, gap) + " (" + gap + line;
}

namespace {

/// Names keep so many columns, or the table comes in parts.
constexpr size_t leastName = 20;
constexpr size_t betweenColumns = 2;

} // namespace

Grid::Grid(std::vector<std::string> headings, size_t left) : leftFrom(headings.size() - left) {
  for (size_t c = left == 0 ? 0 : leftFrom; c < (left == 0 ? 1 : headings.size()); ++c)
    names.push_back(c);
  add(std::move(headings));
}

void Grid::add(std::vector<std::string> row) {
  for (std::string &cell : row)
    cell = printable(cell);
  rows.push_back(std::move(row));
}

/// Widths of columns that are not cut.
std::vector<size_t> Grid::widths() const {
  std::vector<size_t> all(rows.front().size(), 0);
  for (const auto &row : rows)
    for (size_t c = 0; c < row.size(); ++c)
      all[c] = std::max(all[c], columns(row[c]));
  return all;
}

namespace {

size_t sumOf(const std::vector<size_t> &which, const std::vector<size_t> &widths) {
  size_t sum = 0;
  for (const size_t c : which)
    sum += widths[c] + betweenColumns;
  return sum;
}

} // namespace

/// Columns of figures, those of a part together; names have at least `least` columns beside them.
std::vector<std::vector<size_t>> Grid::parts(const std::vector<size_t> &widths, size_t least,
                                             size_t room) const {
  std::vector<std::vector<size_t>> all{{}};
  size_t used = least;
  const size_t first = names.front() == 0 ? names.size() : 0;
  for (size_t c = first; c < (first == 0 ? leftFrom : rows.front().size());) {
    std::vector<size_t> together;
    do
      together.push_back(c++);
    while (c < leftFrom && !divisions.empty() &&
           std::ranges::find(divisions, c) == divisions.end());
    const size_t needed = sumOf(together, widths);
    if (used + needed > room && !all.back().empty()) {
      all.emplace_back();
      used = least;
    }
    used += needed;
    all.back().insert(all.back().end(), together.begin(), together.end());
  }
  return all;
}

void Grid::printRow(const std::vector<std::string> &row, const std::vector<size_t> &which,
                    const std::vector<size_t> &widths, const Display &display,
                    const std::string &indent, std::ostream &out) const {
  const bool isHeading = &row == &rows.front();
  const size_t last = which.back();
  std::vector<std::string> lines{row[last]};
  if (wraps && columns(row[last]) > widths[last])
    lines = wrapped(row[last], widths[last]);
  for (size_t l = 0; l < lines.size(); ++l) {
    std::string line = indent;
    for (const size_t c : which) {
      const std::string cell = cutName(c == last ? lines[l]
                                       : l == 0  ? row[c]
                                                 : "",
                                       widths[c], display.gap());
      const std::string blank(widths[c] - columns(cell), ' ');
      line += (c == which.front() ? "" : std::string(betweenColumns, ' ')) +
              (c < leftFrom ? blank + cell : cell + blank);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << (display.colour && isHeading ? "\033[1m" + line + "\033[0m" : line) << "\n";
  }
}

void Grid::print(std::ostream &out, const Display &display, const std::string &indent) const {
  const std::vector<size_t> natural = widths();
  const size_t most = display.width == 0 ? SIZE_MAX / 2 : display.width + betweenColumns,
               room = most - std::min(most, indent.size());
  size_t least = 0;
  for (const size_t c : names)
    least += betweenColumns + (c < leftFrom ? natural[c] : std::min(natural[c], leastName));
  const auto all = parts(natural, least, room);
  for (size_t p = 0; p < all.size(); ++p) {
    std::vector<size_t> shown = natural;
    const size_t left = room - std::min(room, sumOf(all[p], natural));
    while (sumOf(names, shown) > left) { // the widest is cut first
      size_t &widest =
          shown[*std::ranges::max_element(names, {}, [&](size_t c) { return shown[c]; })];
      if (widest <= leastName / 2)
        break;
      --widest;
    }
    std::vector<size_t> which = all[p];
    which.insert(names.front() == 0 ? which.begin() : which.end(), names.begin(), names.end());
    if (p > 0)
      out << "\n";
    const auto isEmpty = [&](const std::vector<std::string> &row) {
      return std::ranges::all_of(all[p], [&](size_t c) { return row[c].empty(); });
    };
    for (const auto &row : rows)
      if (p == 0 || !isEmpty(row))
        printRow(row, which, shown, display, indent, out);
  }
}

} // namespace quincunx
