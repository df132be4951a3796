// Reading from bytes that nobody has checked: nothing is taken that is not there. It
// knows no format but that of single numbers and texts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>

namespace quincunx {

inline uint64_t saturatingAdd(uint64_t a, uint64_t b) {
  const uint64_t sum = a + b;
  return sum < a ? std::numeric_limits<uint64_t>::max() : sum;
}

/// The bytes not read yet.
struct Bytes {
  std::span<const uint8_t> left;

  bool take(size_t size, std::span<const uint8_t> &out) {
    if (size > left.size())
      return false;
    out = left.first(size);
    left = left.subspan(size);
    return true;
  }
  template <class T> bool read(T &out) {
    std::span<const uint8_t> bytes;
    if (!take(sizeof(T), bytes))
      return false;
    std::memcpy(&out, bytes.data(), sizeof(T));
    return true;
  }
  /// LEB128: seven bits per byte, least significant first; refuses what does not fit 64 bits.
  bool varint(uint64_t &out) {
    out = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      uint8_t byte = 0;
      if (!read(byte) || (shift == 63 && byte > 1))
        return false;
      out |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80)
        return true;
    }
    return false;
  }
  /// A name or path of the given length, without zero bytes.
  bool text(size_t size, std::string &out) {
    std::span<const uint8_t> bytes;
    if (!take(size, bytes) || std::find(bytes.begin(), bytes.end(), 0) != bytes.end())
      return false;
    out.assign(bytes.begin(), bytes.end());
    return true;
  }
};

} // namespace quincunx
