// The laws of the language: their cumulants, and what else is known of them.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/pamela/RandomNumber.h"

#include <span>
#include <string_view>

namespace quincunx::pamela {

/// Returns the cumulants of the law `name` (Op::law). Errors: what is no law, arguments it cannot
/// have. Moments that no law has are not refused here.
Result<Cumulants> cumulantsOf(std::string_view name, std::span<const double> arguments);

/// The same with the law itself, which only `moments` leaves open.
Result<RandomNumber> numberOf(std::string_view name, std::span<const double> arguments);

} // namespace quincunx::pamela
