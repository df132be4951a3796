/// \file
/// What is beyond all numbers.
#pragma once

#include <limits>

namespace quincunx {

inline constexpr double inf = std::numeric_limits<double>::infinity();

} // namespace quincunx
