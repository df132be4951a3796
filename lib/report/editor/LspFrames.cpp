// Finds messages in bytes. Where a header makes no sense nobody knows how long its content is: what
// follows is taken for a header again.
#include "quincunx/report/LspFrames.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <charconv>

namespace quincunx {

namespace {

bool isField(std::string_view line, std::string_view name) {
  return line.size() > name.size() && line[name.size()] == ':' &&
         std::ranges::equal(line.substr(0, name.size()), name, [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
         });
}

/// Of a header without the empty line behind it.
Result<size_t> contentLength(std::string_view header) {
  for (std::string_view line : fields(header, '\n')) {
    if (!isField(line, "content-length"))
      continue;
    line.remove_prefix(line.find(':') + 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    size_t length = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), length);
    if (line.empty() || error != std::errc() || end != line.data() + line.size())
      return Error{"Content-Length is no number: " + escape(line)};
    return length;
  }
  return Error{"a header without Content-Length"};
}

} // namespace

std::optional<Result<std::string>> LspFrames::readHeader() {
  const size_t end = buffer.find("\r\n\r\n");
  if (end == std::string::npos || end > longestHeader) {
    if (buffer.size() <= longestHeader)
      return std::nullopt;
    buffer.clear();
    return Error{"a header without an end"};
  }
  const Result<size_t> read = contentLength(std::string_view(buffer).substr(0, end));
  buffer.erase(0, end + 4);
  if (!read)
    return read.error();
  if (*read > longestContent) {
    skipped = *read;
    return Error{"a message of " + std::to_string(*read) + " bytes is too long"};
  }
  length = *read;
  return std::nullopt;
}

std::optional<Result<std::string>> LspFrames::next() {
  const size_t left = std::min(skipped, buffer.size());
  buffer.erase(0, left);
  skipped -= left;
  if (!length && skipped == 0)
    if (auto wrong = readHeader())
      return wrong;
  if (!length || buffer.size() < *length)
    return std::nullopt;
  std::string content = buffer.substr(0, *length);
  buffer.erase(0, *length);
  length.reset();
  return content;
}

std::string lspFrame(std::string_view content) {
  return "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + std::string(content);
}

} // namespace quincunx
