// See FileUri.h. Editors differ in which characters they encode, so all that may be is decoded.
#include "FileUri.h"

#include <cctype>
#include <charconv>

namespace quincunx {

std::optional<std::string> pathOfUri(std::string_view uri) {
  constexpr std::string_view scheme = "file://", host = "localhost";
  if (!uri.starts_with(scheme))
    return std::nullopt;
  uri.remove_prefix(scheme.size());
  if (uri.starts_with(host))
    uri.remove_prefix(host.size());
  if (!uri.starts_with('/'))
    return std::nullopt; // of another machine
  std::string path;
  for (size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      path += uri[i];
      continue;
    }
    const std::string_view digits = uri.substr(i + 1, 2);
    unsigned char byte = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() < 2 || error != std::errc() || end != digits.data() + 2 || byte == 0)
      return std::nullopt;
    path += static_cast<char>(byte);
    i += 2;
  }
  return path;
}

std::string uriOfPath(std::string_view path) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || std::string_view("-._~/").find(c) != std::string_view::npos)
      uri += c;
    else
      uri.append({'%', digits[byte >> 4], digits[byte & 15]});
  }
  return uri;
}

} // namespace quincunx
