// MD5 after RFC 1321: four rounds of sixteen steps over blocks of 64 bytes. The additive constants
// are floor(2^32 |sin(i)|), computed once instead of copied. It takes whole texts, not streams.
#include "quincunx/base/Md5.h"

#include "quincunx/base/Text.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace quincunx {

namespace {

using State = std::array<uint32_t, 4>;

const std::array<uint32_t, 64> &sines() {
  static const std::array<uint32_t, 64> table = [] {
    std::array<uint32_t, 64> t{};
    for (size_t i = 0; i < t.size(); ++i)
      t[i] = static_cast<uint32_t>(
          std::floor(std::ldexp(std::abs(std::sin(static_cast<double>(i) + 1)), 32)));
    return t;
  }();
  return table;
}

uint32_t word(const unsigned char *p) {
  return uint32_t{p[0]} | uint32_t{p[1]} << 8 | uint32_t{p[2]} << 16 | uint32_t{p[3]} << 24;
}

void addBlock(State &state, const unsigned char *block) {
  static constexpr int shifts[4][4] = {
      {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  auto [a, b, c, d] = state;
  for (uint32_t i = 0; i < 64; ++i) {
    uint32_t f = 0, at = 0;
    switch (i / 16) {
    case 0:
      f = (b & c) | (~b & d), at = i;
      break;
    case 1:
      f = (d & b) | (~d & c), at = 5 * i + 1;
      break;
    case 2:
      f = b ^ c ^ d, at = 3 * i + 5;
      break;
    default:
      f = c ^ (b | ~d), at = 7 * i;
    }
    const uint32_t sum = a + f + sines()[i] + word(block + size_t{4} * (at % 16));
    a = d, d = c, c = b;
    b += std::rotl(sum, shifts[i / 16][i % 4]);
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

} // namespace

Md5 md5(std::string_view bytes) {
  State state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const auto *data = reinterpret_cast<const unsigned char *>(bytes.data());
  size_t at = 0;
  for (; bytes.size() - at >= 64; at += 64)
    addBlock(state, data + at);
  // The rest, a one bit, zeros, and the length in bits.
  std::array<unsigned char, 128> end{};
  const size_t rest = bytes.size() - at, size = rest < 56 ? 64 : 128;
  if (rest != 0)
    std::memcpy(end.data(), data + at, rest);
  end[rest] = 0x80;
  for (size_t i = 0; i < 8; ++i)
    end[size - 8 + i] = static_cast<unsigned char>(uint64_t{bytes.size()} * 8 >> (8 * i));
  for (size_t i = 0; i < size; i += 64)
    addBlock(state, end.data() + i);
  Md5 digest{};
  for (size_t i = 0; i < 16; ++i)
    digest[i] = static_cast<uint8_t>(state[i / 4] >> (8 * (i % 4)));
  return digest;
}

std::string hex(const Md5 &digest) { return hexDigits(digest); }

} // namespace quincunx
