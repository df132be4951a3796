// What every join does with its tasks.
#pragma once

#include "quincunx/cost/Join.h"

#include <optional>
#include <vector>

namespace quincunx {

/// Why these tasks cannot be joined.
std::optional<Error> refuse(std::span<const Task> tasks);
std::vector<DistributionPtr> lawsOf(std::span<const Task> tasks);
std::vector<double> countsOf(std::span<const Task> tasks);
/// The join with this law.
Join joinOf(DistributionPtr law);

} // namespace quincunx
