// Base64 of floats in the byte order that the page reads.
#include "Packed.h"

#include "report/layout/Base64.h"

#include <bit>
#include <cstdint>

namespace quincunx {

namespace {

template <class Bits> void append(std::string &bytes, Bits bits) {
  for (size_t i = 0; i < sizeof bits; ++i)
    bytes += static_cast<char>(bits >> 8 * i & 0xff);
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
