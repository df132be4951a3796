// The machine code of a program or shared object, as far as it tells where a call into another
// object was made, and whether there can be one. It knows no symbols and no lines.
#pragma once

#include "quincunx/base/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quincunx {

class Code {
public:
  /// Of a 64-bit little-endian ELF file.
  static Result<Code> read(const std::string &path);

  /// Whether no dynamic loader starts it, so that it loads no libraries.
  bool isStatic() const { return !hasInterpreter; }
  /// Of the byte at that place in the file, as the linker numbered it; none when it is not code.
  std::optional<uint64_t> addressOf(uint64_t offset) const;
  /// Whether an instruction ends right before `address` that may have called another object: a
  /// call through a pointer, or of a stub of the procedure linkage table (System V ABI, x86-64).
  /// False on other processors.
  bool isReturnFromOutside(uint64_t address) const;

private:
  struct Segment {
    uint64_t offset = 0, address = 0;
    std::vector<uint8_t> bytes;
  };
  /// The bytes from `address` on, `size` of them; none when they are not all code.
  const uint8_t *at(uint64_t address, uint64_t size) const;
  bool isStub(uint64_t address) const;

  std::vector<Segment> segments; ///< that are executable
  bool isKnownProcessor = false, hasInterpreter = false;
};

} // namespace quincunx
