// Text for people and for files: what comes from strangers escaped and cut, shortest exact numbers,
// fields of a line, aligned tables. Everything that prints a label, a path or an argument goes
// through escape(). It does not know what the text is about, wraps no lines and does no locale.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx {

/// Columns that a name, a label or a path takes of a line at most, and a sentence, a cell of a
/// table or a line of a source, in which there are several.
inline constexpr size_t mostShown = 200, mostSaid = 2000;

/// For people, on one line of any terminal: what cannot be seen (control and format characters,
/// line separators, what no one has assigned) and bytes that are not UTF-8 become \t \n \r or \xNN,
/// a backslash becomes two; cut() to `most`, with eight digits of the MD5 of the text in the gap,
/// so that other texts with the same ends look different.
std::string escape(std::string_view text, size_t most = mostShown);
/// For programs: the same, whole, so that it can be read back.
std::string escapeWhole(std::string_view text);
/// The inverse of escapeWhole(); a backslash that starts nothing known stays.
std::string unescape(std::string_view text);
/// For sentences, which may hold what was escaped before: the characters in `kept` stay as they
/// are. The gap is "...", and the time does not grow with the text.
std::string printable(std::string_view text, size_t most = mostSaid, std::string_view kept = "\\");
/// Of text that is printable the first quarter, the gap and its end, where it takes more than
/// `most` columns or has more characters.
std::string cut(std::string text, size_t most, std::string_view gap = "...");
/// Columns of a terminal that it takes: wide characters two, combining ones none.
size_t columns(std::string_view text);
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
/// numbers, "-" or empty is set flush right. What of strangers stands in a cell is escaped before.
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

/// "2026-02-01 17:30", in the time zone of whoever looks, of seconds since the epoch; "-" of 0.
std::string dateText(double seconds);

} // namespace quincunx
