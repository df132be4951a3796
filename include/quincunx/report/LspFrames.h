// Messages of the Language Server Protocol in a stream of bytes: a header with the length of the
// content, an empty line, the content. What is no message is told as such, and reading goes on
// behind it. Reference: microsoft.github.io/language-server-protocol, "Base Protocol".
#pragma once

#include "quincunx/base/Result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace quincunx {

class LspFrames {
public:
  /// Longer contents are skipped, longer headers are none. A source of 9 MB is sent whole.
  static constexpr size_t longestContent = size_t{256} << 20, longestHeader = 1 << 14;

  void add(std::string_view bytes) { buffer.append(bytes); }
  /// The next content, or what is wrong with the bytes in its place; none: it needs more of them.
  std::optional<Result<std::string>> next();

private:
  std::optional<Result<std::string>> readHeader();

  std::string buffer;
  std::optional<size_t> length; ///< of the content whose header was read
  size_t skipped = 0;           ///< bytes of a content that are still to be left out
};

/// A content with its header.
std::string lspFrame(std::string_view content);

} // namespace quincunx
