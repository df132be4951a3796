// Base64 (RFC 4648) of floats in the byte order that the page reads.
#include "Packed.h"

#include <bit>
#include <cstdint>

namespace quincunx {

namespace {

template <class Bits> void append(std::string &bytes, Bits bits) {
  for (size_t i = 0; i < sizeof bits; ++i)
    bytes += static_cast<char>(bits >> 8 * i & 0xff);
}

std::string base64(const std::string &bytes) {
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

} // namespace

std::string packed(std::span<const double> numbers, Precision precision) {
  std::string bytes;
  for (const double x : numbers)
    if (precision == Precision::single)
      append(bytes, std::bit_cast<uint32_t>(static_cast<float>(x)));
    else
      append(bytes, std::bit_cast<uint64_t>(x));
  return (precision == Precision::single ? "f" : "d") + base64(bytes);
}

} // namespace quincunx
