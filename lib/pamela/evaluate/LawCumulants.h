// Cumulants of the laws of the language.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/numeric/Moments.h"

#include <span>
#include <string_view>

namespace quincunx::pamela {

/// Returns the cumulants of the law `name` (Op::law). Errors: what is no law, arguments it cannot
/// have. Moments that no law has are not refused here.
Result<Cumulants> cumulantsOf(std::string_view name, std::span<const double> arguments);

} // namespace quincunx::pamela
