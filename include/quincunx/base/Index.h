// The index of nothing, where indices are 32 bits wide. It stands where a thing may be missing and
// optional indices would double the size of a table.
#pragma once

#include <cstdint>

namespace quincunx {

inline constexpr uint32_t noIndex = UINT32_MAX;

} // namespace quincunx
