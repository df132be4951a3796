// How a child's end counts: the outcome of its run, and the exit status that is stored.
#pragma once

#include "Execute.h"

#include "quincunx/profile/Run.h"

#include <vector>

namespace quincunx::tool {

/// `good`: exit statuses of good runs; empty: any.
Outcome outcomeOf(const Ended &end, const std::vector<int> &good);
/// Exit code, or -signal.
int exitStatusOf(const Ended &end);

} // namespace quincunx::tool
