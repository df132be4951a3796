// Reads the record of a function that encode() wrote, now or in an older version.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/map/Map.h"
#include "quincunx/map/SourceBlock.h"

#include <span>

namespace quincunx {

/// The function whose body bytes these are. Checks every index and size, so that later code may
/// trust them.
Result<Function> decode(std::span<const uint8_t> body);

/// The lines of the same function's source.
Result<SourceBlocks> decodeSources(std::span<const uint8_t> body);

} // namespace quincunx
