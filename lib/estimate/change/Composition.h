// Which changes can be asked for together.
#pragma once

#include "quincunx/base/Result.h"
#include "quincunx/estimate/Change.h"

#include <string>
#include <vector>

namespace quincunx {

/// An error about a change: it says which.
Error about(const Change &change, const Error &why);
/// Errors: changes of which one would undo another, or that do not compose; variables without
/// values, values without a variable.
/// `variables` have values; empty ones are none.
Status checkComposition(const std::vector<Change> &changes,
                        const std::vector<std::string> &variables);

} // namespace quincunx
