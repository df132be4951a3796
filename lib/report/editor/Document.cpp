// A text that is edited line by line. The idea: of the lines that an edit replaces, those at both
// ends that are the same as before are the same lines, so that one rule serves edits of a character
// and texts that are sent whole.
#include "Document.h"

#include "quincunx/report/Annotate.h"

#include <algorithm>
#include <iterator>

namespace quincunx {

namespace {

/// Ends are \n, \r\n or \r; behind the last one is one more line, which may be empty.
std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t from = 0;;) {
    size_t end = text.find_first_of("\r\n", from);
    if (end == std::string_view::npos) {
      lines.emplace_back(text.substr(from));
      return lines;
    }
    end += text.substr(end, 2) == "\r\n" ? 2 : 1;
    lines.emplace_back(text.substr(from, end - from));
    from = end;
  }
}

bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
/// UTF-16 units of the character that begins with this byte.
size_t unitsOfByte(char c) {
  return isContinuation(c) ? 0 : static_cast<unsigned char>(c) >= 0xF0 ? 2 : 1;
}

} // namespace

Document::Document(std::string_view text) : lines(linesOf(text)), numbers(lines.size(), 0) {}

std::string_view Document::line(size_t number) const {
  const std::string_view whole = lines[number];
  return whole.substr(0, whole.find_last_not_of("\r\n") + 1);
}

std::string Document::text() const {
  std::string out;
  for (const std::string &l : lines)
    out += l;
  return out;
}

size_t Document::byteAt(const DocumentPosition &position) const {
  const std::string_view in = line(position.line);
  size_t units = 0;
  for (size_t at = 0; at < in.size(); ++at)
    if ((units += unitsOfByte(in[at])) > position.character)
      return at;
  return in.size();
}

size_t Document::unitsOf(size_t number) const {
  size_t units = 0;
  for (const char c : line(number))
    units += unitsOfByte(c);
  return units;
}

void Document::replace(DocumentPosition from, DocumentPosition to, std::string_view with) {
  const auto within = [&](DocumentPosition p) {
    return p.line < lines.size() ? p : DocumentPosition{lines.size() - 1, SIZE_MAX};
  };
  from = within(from), to = within(to);
  if (to.line < from.line || (to.line == from.line && to.character < from.character))
    std::swap(from, to);
  std::string text = lines[from.line].substr(0, byteAt(from));
  text += with;
  text += std::string_view(lines[to.line]).substr(byteAt(to));
  std::vector<std::string> fresh = linesOf(text);
  if (to.line + 1 < lines.size() && fresh.back().empty())
    fresh.pop_back(); // it is the line behind `to`
  splice(from.line, to.line - from.line + 1, std::move(fresh));
}

void Document::replaceAll(std::string_view with) { splice(0, lines.size(), linesOf(with)); }

void Document::splice(size_t first, size_t count, std::vector<std::string> with) {
  size_t front = 0, back = 0;
  const size_t most = std::min(count, with.size());
  while (front < most && with[front] == lines[first + front])
    ++front;
  while (back < most - front && with[with.size() - 1 - back] == lines[first + count - 1 - back])
    ++back;
  if (front == count && front == with.size())
    return; // the same text
  const auto at = static_cast<std::ptrdiff_t>(first + front),
             end = static_cast<std::ptrdiff_t>(first + count - back);
  const auto fresh = static_cast<std::ptrdiff_t>(front),
             freshEnd = static_cast<std::ptrdiff_t>(with.size() - back);
  lines.erase(lines.begin() + at, lines.begin() + end);
  lines.insert(lines.begin() + at, std::make_move_iterator(with.begin() + fresh),
               std::make_move_iterator(with.begin() + freshEnd));
  numbers.erase(numbers.begin() + at, numbers.begin() + end);
  numbers.insert(numbers.begin() + at, static_cast<size_t>(freshEnd - fresh), 0);
  edited = true;
}

void Document::number(bool countsComments) {
  uint32_t last = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool counts = countsComments || !isComment(lines[i]);
    numbers[i] = counts ? ++last : 0;
  }
  edited = false;
  numberedSize = sizeWithoutComments();
}

size_t Document::sizeWithoutComments() const {
  size_t size = 0;
  for (const std::string &l : lines)
    size += isComment(l) ? 0 : l.size();
  return size;
}

void Document::forgetNumbers() {
  std::ranges::fill(numbers, 0);
  edited = false;
}

std::vector<size_t> Document::linesByNumber() const {
  const auto last = std::ranges::max_element(numbers);
  std::vector<size_t> out(*last + 1, SIZE_MAX);
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != 0)
      out[numbers[i]] = i;
  return out;
}

} // namespace quincunx
