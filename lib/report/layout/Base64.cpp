// Bytes as text: three bytes are four digits. It reads none.
#include "Base64.h"

#include <cstdint>

namespace quincunx {

std::string base64(std::string_view bytes) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t three = 0;
    for (size_t j = 0; j < 3; ++j)
      three = three << 8 | (i + j < bytes.size() ? static_cast<uint8_t>(bytes[i + j]) : 0u);
    for (size_t j = 0; j < 4; ++j)
      out += i + j <= bytes.size() ? digits[three >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

} // namespace quincunx
