// Which changes can be asked for together, and sweeps put together.
#pragma once

#include "quincunx/estimate/WhatIf.h"

namespace quincunx {

/// An error about a change: it says which.
Error about(const Change &change, const Error &why);
/// Errors: changes of which one would undo another, or that do not compose; variables without
/// values, values without a variable.
/// `variables` have values; empty ones are none.
Status checkComposition(const std::vector<Change> &changes,
                        const std::vector<std::string> &variables);

/// Adds the points of another sweep of the same variable, and notes that it alone has.
void append(WhatIfAnswer &all, const WhatIfAnswer &more);

} // namespace quincunx
