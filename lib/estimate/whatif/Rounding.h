/// \file
/// What is nothing but rounding.
#pragma once

namespace quincunx {

/// Of counts, calls and costs, as a share of them: differences that are smaller are left by
/// rounding.
inline constexpr double rounding = 1e-9;

} // namespace quincunx
