// Base64 (RFC 4648).
#pragma once

#include <string>
#include <string_view>

namespace quincunx {

/// With padding, on one line.
std::string base64(std::string_view bytes);

} // namespace quincunx
