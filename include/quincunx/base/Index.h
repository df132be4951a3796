// The index of nothing, where indices are 32 bits wide.
#pragma once

#include <cstdint>

namespace quincunx {

inline constexpr uint32_t noIndex = UINT32_MAX;

} // namespace quincunx
