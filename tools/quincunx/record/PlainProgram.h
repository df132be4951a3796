// The program that timed runs are of: which file it is, and that it is the plain build. It runs
// nothing.
#pragma once

#include "JobPlan.h"

#include "quincunx/profile/Timing.h"

namespace quincunx::tool {

/// Path, MD5 and processor model; how it is run is left open. `withFolder`: the path is stored
/// whole. Refused: programs that are not there, several of them, and instrumented ones.
Result<TimedProgram> plainProgram(const std::vector<Job> &jobs, bool withFolder);

} // namespace quincunx::tool
