// The text of a file as an editor has it, and which of its lines are still those that were
// compiled. A line that was changed is none of them any more; the others keep their number wherever
// they move. Positions are those of the protocol: lines and UTF-16 units from 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx {

struct DocumentPosition {
  size_t line = 0, character = 0;
};

class Document {
public:
  explicit Document(std::string_view text);

  size_t size() const { return lines.size(); } ///< lines; the last one has no end
  std::string_view line(size_t number) const;  ///< without its end
  std::string text() const;
  /// What lies behind the end of a line means its end, what lies behind the text the end of it.
  size_t byteAt(const DocumentPosition &position) const; ///< in its line
  size_t unitsOf(size_t line) const;

  /// Replaces what lies between two places.
  void replace(DocumentPosition from, DocumentPosition to, std::string_view with);
  void replaceAll(std::string_view with);

  /// It is what was compiled: lines are numbered from 1, but for our comments unless these count.
  void number(bool countsComments);
  /// Nobody knows what was compiled.
  void forgetNumbers();
  /// The number of a line as it was compiled; 0: it has none.
  uint32_t numberOf(size_t line) const { return numbers[line]; }
  /// By number, the line from 0; SIZE_MAX where it is gone.
  std::vector<size_t> linesByNumber() const;
  bool isEdited() const { return edited; } ///< since it was numbered
  /// It may be the text that was numbered: without our comments it is as long. Far cheaper than a
  /// digest of a large text at every pause in typing.
  bool mayBeAsNumbered() const { return sizeWithoutComments() == numberedSize; }

private:
  size_t sizeWithoutComments() const;
  void splice(size_t first, size_t count, std::vector<std::string> with);

  std::vector<std::string> lines; ///< with their ends
  std::vector<uint32_t> numbers;  ///< parallel
  bool edited = false;
  size_t numberedSize = 0;
};

} // namespace quincunx
