// Paths as URIs (RFC 8089, RFC 3986).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quincunx {

/// None: it is of no file on this machine, or a percent sign is not followed by two digits.
std::optional<std::string> pathOfUri(std::string_view uri);
/// Of an absolute path.
std::string uriOfPath(std::string_view path);

} // namespace quincunx
