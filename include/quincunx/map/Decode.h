// Reads the record of a function that encode() wrote, now or in an older version.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/map/Map.h"
#include "quincunx/map/SourceBlock.h"

#include <span>

namespace quincunx {

/// Bytes that names may take, which a record holds once and may use any number of times: in the
/// functions of one map 64 MB, and 32 times the bytes of it.
class NameBudget {
public:
  explicit NameBudget(size_t bytesOfMap) : left((uint64_t{64} << 20) + 32 * bytesOfMap) {}
  /// False when there is not so much left.
  bool take(size_t bytes) {
    const bool fits = bytes <= left;
    left -= fits ? bytes : left;
    return fits;
  }

private:
  uint64_t left;
};

/// The function whose body bytes these are. Checks every index and size, so that later code may
/// trust them, and takes no more than 32 times the bytes of the body and what names may take.
Result<Function> decode(std::span<const uint8_t> body, NameBudget &names);
/// A record by itself.
Result<Function> decode(std::span<const uint8_t> body);

/// The lines of the same function's source.
Result<SourceBlocks> decodeSources(std::span<const uint8_t> body);

} // namespace quincunx
