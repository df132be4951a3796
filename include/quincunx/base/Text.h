// Text for people and for files: escaping what comes from strangers, shortest exact numbers, fields
// of a line, aligned tables. Everything that prints a label, a path or an argument goes through
// escape(). It does not know what the text is about, wraps no lines and does no locale.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx {

/// Printable on one line of any terminal and readable back: control characters, bidirectional
/// overrides and bytes that are not UTF-8 become \t \n \r or \xNN, a backslash becomes two.
std::string escape(std::string_view text);
/// The inverse of escape(); a backslash that starts nothing known stays.
std::string unescape(std::string_view text);
/// `text` with every byte that is not part of valid UTF-8 replaced by U+FFFD.
std::string validUtf8(std::string_view text);
/// A JSON string literal with its quotes; bytes that are not UTF-8 are replaced as in validUtf8().
std::string jsonString(std::string_view text);
/// Two lower-case hex digits for each byte.
std::string hexDigits(std::span<const uint8_t> bytes);

/// The shortest decimal that reads back as the same double: "0.1", "1e+300", "inf", "nan".
std::string exact(double value);
/// The whole text as a finite number; false (value untouched) for anything else.
bool parseNumber(std::string_view text, double &value);

/// Pieces between separators; never empty ("" is one empty field).
std::vector<std::string_view> fields(std::string_view line, char separator);
/// What follows the last slash ("dir/" gives "dir"); the text itself when there is none.
std::string fileName(std::string_view path);

/// Rows in aligned columns, two spaces between them. A column whose cells (but the heading) are all
/// numbers, "-" or empty is set flush right. Cells are printed as given: escape them first.
class Table {
public:
  explicit Table(std::vector<std::string> headings);
  void add(std::vector<std::string> row);
  bool empty() const { return rows.size() <= 1; }
  /// One line per row, no trailing blanks, the headings first.
  std::string text() const;

private:
  std::vector<std::vector<std::string>> rows;
};

} // namespace quincunx
