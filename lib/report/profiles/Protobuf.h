// Messages of Protocol Buffers, as bytes: a field is a tag, which is its number and the kind of
// what follows, and either a number or a length and so many bytes. Reference:
// https://protobuf.dev/programming-guides/encoding. It knows no schema, and reads nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quincunx {

class ProtobufMessage {
public:
  /// Numbers below 0 as two's complement; 0 is what a field has that is not there.
  void number(uint32_t field, int64_t value) {
    if (value != 0)
      varint(field << 3), varint(static_cast<uint64_t>(value));
  }
  void bytes(uint32_t field, std::string_view value) {
    varint(field << 3 | 2);
    varint(value.size());
    text += value;
  }
  void message(uint32_t field, const ProtobufMessage &value) { bytes(field, value.text); }
  void numbers(uint32_t field, const std::vector<int64_t> &values) {
    ProtobufMessage packed;
    for (const int64_t value : values)
      packed.varint(static_cast<uint64_t>(value));
    message(field, packed);
  }
  const std::string &encoded() const { return text; }

private:
  /// Seven bits a byte, lowest first; all but the last byte have the eighth.
  void varint(uint64_t value) {
    for (; value > 0x7f; value >>= 7)
      text += static_cast<char>(value | 0x80);
    text += static_cast<char>(value);
  }

  std::string text;
};

} // namespace quincunx
