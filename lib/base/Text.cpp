// Escaping, numbers, fields and tables. The idea of escape(): a label may come from a stranger's
// corpus or be a file name with an escape sequence in it, so only what is harmless on a terminal
// passes, and what does not pass stays recognisable and can be read back. Text is UTF-8; each code
// point counts as one column, which is wrong for wide scripts and good enough for tables. No
// locale, no line wrapping.
#include "quincunx/base/Text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace quincunx {

namespace {

/// A decoded code point and the bytes it took; `bytes` 0: not UTF-8 here.
struct Point {
  uint32_t code = 0;
  size_t bytes = 0;
};

Point pointAt(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  uint32_t code = byte(at);
  if (code < 0x80)
    return {code, 1};
  size_t length = code >= 0xf0 && code <= 0xf4   ? 4
                  : code >= 0xe0 && code <= 0xef ? 3
                  : code >= 0xc2 && code <= 0xdf ? 2
                                                 : 0;
  if (length == 0 || at + length > text.size())
    return {};
  code &= 0xffu >> (length + 1);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80)
      return {};
    code = code << 6 | (byte(at + i) & 0x3fu);
  }
  const bool tooLong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (tooLong || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
    return {};
  return {code, length};
}

/// Control characters (C0, DEL, C1), line separators and what turns the direction of writing.
bool isHarmful(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
         code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

void appendHex(std::string &out, const char *format, unsigned value) {
  char digits[16];
  std::snprintf(digits, sizeof digits, format, value);
  out += digits;
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

size_t columns(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

bool looksNumeric(const std::string &cell) {
  double ignored = 0;
  return cell.empty() || cell == "-" || cell == "inf" || cell == "-inf" || cell == "nan" ||
         parseNumber(cell, ignored);
}

} // namespace

std::string escape(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const Point point = pointAt(text, at);
    const size_t bytes = std::max<size_t>(point.bytes, 1);
    if (point.bytes != 0 && point.code == '\\')
      out += "\\\\";
    else if (point.bytes != 0 && !isHarmful(point.code))
      out += text.substr(at, bytes);
    else if (point.code == '\t' || point.code == '\n' || point.code == '\r')
      out += point.code == '\t' ? "\\t" : point.code == '\n' ? "\\n" : "\\r";
    else
      for (size_t i = 0; i < bytes; ++i)
        appendHex(out, "\\x%02x", static_cast<unsigned char>(text[at + i]));
    at += bytes;
  }
  return out;
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
    const size_t bytes = pointAt(text, at).bytes;
    if (bytes == 0)
      out += "\xef\xbf\xbd";
    else
      out += text.substr(at, bytes);
    at += std::max<size_t>(bytes, 1);
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
      appendHex(out, "\\u%04x", static_cast<unsigned char>(c));
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

} // namespace quincunx
