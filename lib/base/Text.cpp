// Escaping, numbers, fields and tables. The idea of escape(): a label may come from a stranger's
// corpus or be a file name with an escape sequence in it, and may be as large as a file, so only
// what can be seen on a terminal passes, and no more of it than a line can show. What does not pass
// stays recognisable. Text is UTF-8; what its characters are, and how wide, is the Unicode
// Character Database's (utf8proc). No locale, no line wrapping.
#include "quincunx/base/Text.h"

#include "quincunx/base/Md5.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <ctime>
#include <utf8proc.h>

namespace quincunx {

namespace {

/// A code point and the bytes it takes; -1: a byte that is not UTF-8 here.
struct Point {
  int32_t code = -1;
  size_t bytes = 1;
};

Point pointAt(std::string_view text, size_t at) {
  const auto *bytes = reinterpret_cast<const utf8proc_uint8_t *>(text.data()) + at;
  if (*bytes < 0x80)
    return {*bytes, 1};
  utf8proc_int32_t code = -1;
  const auto taken =
      utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size() - at), &code);
  return taken > 0 ? Point{code, static_cast<size_t>(taken)} : Point{};
}

/// Not so are control characters (C0, DEL, C1), separators of lines, what turns the direction of
/// writing, joins, hides or tags, and what has no meaning.
bool isVisible(int32_t code) {
  if (code < 0x80)
    return code >= 0x20 && code != 0x7f;
  switch (utf8proc_category(code)) {
  case UTF8PROC_CATEGORY_CC:
  case UTF8PROC_CATEGORY_CF:
  case UTF8PROC_CATEGORY_CN:
  case UTF8PROC_CATEGORY_ZL:
  case UTF8PROC_CATEGORY_ZP:
    return false;
  default:
    return utf8proc_get_property(code)->ignorable == 0;
  }
}

size_t columnsOf(Point point) {
  return point.code < 0x80 ? 1 : static_cast<size_t>(utf8proc_charwidth(point.code));
}

/// What a character takes of what may be shown: one that takes no column counts as well.
size_t shareOf(Point point) { return std::max<size_t>(columnsOf(point), 1); }

int hexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// All of `text`; the ASCII characters in `kept` stay as they are.
std::string escaped(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Point point = pointAt(text, at);
    const bool isKept =
        point.code >= 0 && point.code < 0x80 && kept.find(text[at]) != std::string_view::npos;
    if (isKept || (isVisible(point.code) && point.code != '\\'))
      out += text.substr(at, point.bytes);
    else if (point.code == '\\')
      out += "\\\\";
    else if (point.code == '\t' || point.code == '\n' || point.code == '\r')
      out += point.code == '\t' ? "\\t" : point.code == '\n' ? "\\n" : "\\r";
    else
      for (size_t i = 0; i < point.bytes; ++i)
        (out += "\\x") += hexDigits({reinterpret_cast<const uint8_t *>(&text[at + i]), 1});
    at += point.bytes;
  }
  return out;
}

/// The same, cut; of what is too long only the ends are escaped.
std::string escapedAndCut(std::string_view text, std::string_view kept, size_t most,
                          std::string_view gap) {
  const size_t end = 4 * most; // no character has more than four bytes
  if (text.size() <= 2 * end)
    return cut(escaped(text, kept), most, gap);
  return cut(escaped(text.substr(0, end), kept) + escaped(text.substr(text.size() - end), kept),
             most, gap);
}

/// Stands for what is cut out of a name; other names have another.
std::string gapOf(std::string_view name) { return "...#" + hex(md5(name)).substr(0, 8) + "..."; }

bool looksNumeric(const std::string &cell) {
  double ignored = 0;
  return cell.empty() || cell == "-" || cell == "inf" || cell == "-inf" || cell == "nan" ||
         parseNumber(cell, ignored);
}

} // namespace

std::string escape(std::string_view text, size_t most) {
  const bool mayBeCut = text.size() > most / 4; // no byte becomes more than four
  return escapedAndCut(text, "", most, mayBeCut ? gapOf(text) : "");
}

std::string escapeWhole(std::string_view text) { return escaped(text, ""); }

std::string printable(std::string_view text, size_t most, std::string_view kept) {
  return escapedAndCut(text, kept, most, "...");
}

std::string cut(std::string text, size_t most, std::string_view gap) {
  if (text.size() <= most) // no character is wider than it is long
    return text;
  size_t all = 0;
  for (size_t at = 0; at < text.size();) {
    const Point point = pointAt(text, at);
    all += shareOf(point);
    at += point.bytes;
  }
  if (all <= most)
    return text;
  const size_t front = most / 4, back = most - std::min(most, front + gap.size());
  size_t head = 0, tail = 0; // where the front ends and the end begins
  for (size_t before = 0; all - before > back;) {
    const Point point = pointAt(text, tail);
    before += shareOf(point);
    tail += point.bytes;
    if (before <= front)
      head = tail;
  }
  return text.replace(head, tail - head, gap);
}

size_t columns(std::string_view text) {
  size_t all = 0;
  for (size_t at = 0; at < text.size();) {
    const Point point = pointAt(text, at);
    all += columnsOf(point);
    at += point.bytes;
  }
  return all;
}

std::string unescape(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    const char next = text[at] == '\\' && at + 1 < text.size() ? text[at + 1] : '\0';
    if (next == '\\' || next == 't' || next == 'n' || next == 'r') {
      out += next == 't' ? '\t' : next == 'n' ? '\n' : next == 'r' ? '\r' : '\\';
      ++at;
    } else if (next == 'x' && at + 3 < text.size() && hexDigit(text[at + 2]) >= 0 &&
               hexDigit(text[at + 3]) >= 0) {
      out += static_cast<char>(hexDigit(text[at + 2]) * 16 + hexDigit(text[at + 3]));
      at += 3;
    } else {
      out += text[at];
    }
  }
  return out;
}

std::string validUtf8(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const Point point = pointAt(text, at);
    out += point.code < 0 ? "\xef\xbf\xbd" : text.substr(at, point.bytes);
    at += point.bytes;
  }
  return out;
}

std::string hexDigits(std::span<const uint8_t> bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string out;
  for (const uint8_t b : bytes)
    (out += digits[b >> 4]) += digits[b & 15];
  return out;
}

std::string jsonString(std::string_view text) {
  std::string out = "\"";
  for (char c : validUtf8(text)) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      (out += "\\u00") += hexDigits({reinterpret_cast<const uint8_t *>(&c), 1});
    else
      out += c;
  }
  return out + '"';
}

std::string exact(double value) {
  if (std::isnan(value))
    return "nan"; // without a sign, so that equal data give equal bytes
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end.ptr};
}

bool parseNumber(std::string_view text, double &value) {
  if (text.starts_with('+') && !text.starts_with("+-"))
    text.remove_prefix(1);
  double parsed = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (end.ec != std::errc{} || end.ptr != text.data() + text.size() || !std::isfinite(parsed))
    return false;
  value = parsed;
  return true;
}

std::vector<std::string_view> fields(std::string_view line, char separator) {
  std::vector<std::string_view> out;
  for (size_t from = 0;;) {
    const size_t to = line.find(separator, from);
    out.push_back(line.substr(from, to - from));
    if (to == std::string_view::npos)
      return out;
    from = to + 1;
  }
}

std::string fileName(std::string_view path) {
  while (path.size() > 1 && path.back() == '/')
    path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos || path == "/" ? path
                                                                    : path.substr(slash + 1));
}

Table::Table(std::vector<std::string> headings) : rows{std::move(headings)} {}

void Table::add(std::vector<std::string> row) {
  row.resize(rows.front().size());
  for (std::string &cell : row)
    cell = printable(cell);
  rows.push_back(std::move(row));
}

std::string Table::text() const {
  const size_t count = rows.front().size();
  std::vector<size_t> width(count, 0);
  std::vector<bool> right(count, rows.size() > 1);
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < count; ++c) {
      width[c] = std::max(width[c], columns(rows[r][c]));
      right[c] = right[c] && (r == 0 || looksNumeric(rows[r][c]));
    }
  std::string out;
  for (const auto &row : rows) {
    std::string line;
    for (size_t c = 0; c < count; ++c) {
      const std::string blanks(width[c] - columns(row[c]), ' ');
      line += (c == 0 ? "" : "  ") + (right[c] ? blanks + row[c] : row[c] + blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string dateText(double seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  char text[32] = "-";
  if (seconds > 0 && ::localtime_r(&time, &parts))
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
  return text;
}

} // namespace quincunx
