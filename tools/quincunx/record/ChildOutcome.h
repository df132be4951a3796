// How a child's end counts: the outcome of its run, and the exit status that is stored.
#pragma once

#include "Executor.h"

#include "quincunx/profile/Run.h"

#include <vector>

namespace quincunx::tool {

/// `good`: exit statuses of good runs; empty: any.
Outcome outcomeOf(const ChildResult &end, const std::vector<int> &good);
/// Exit code, or -signal.
int exitStatusOf(const ChildResult &end);

} // namespace quincunx::tool
