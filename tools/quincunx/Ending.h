// What all series of runs make of a job: how it ended, and where its output is kept.
#pragma once

#include "Execute.h"

#include "quincunx/profile/Run.h"

#include <string>
#include <vector>

namespace quincunx::tool {

/// `good`: exit statuses of good runs; empty: any.
Outcome outcomeOf(const Ended &end, const std::vector<int> &good);
/// Exit code, or -signal.
int exitStatusOf(const Ended &end);

/// Makes the folder of --keep-output, when one is asked for.
Status makeOutputFolder(const std::string &folder);
/// The absolute path in it, without ".out" or ".err", for job `number` (from 0).
std::string outputBase(const std::string &folder, size_t number, std::string label);

} // namespace quincunx::tool
