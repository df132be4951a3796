// The MD5 digest, by which compilers record in debug information which source they read. It tells
// versions of a file apart; it protects against nobody. Reference: RFC 1321.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace quincunx {

using Md5 = std::array<uint8_t, 16>;

Md5 md5(std::string_view bytes);
/// 32 lower-case hexadecimal digits.
std::string hex(const Md5 &digest);

} // namespace quincunx
