// Timed runs of the plain program (`quincunx run --timed`): see TimeRuns.cpp.
#pragma once

#include "RecordRuns.h"

namespace quincunx::tool {

/// Times everything and stores it; the exit status. What went wrong has been said on stderr.
int timeRuns(const RecordOptions &options, std::vector<Job> jobs);

} // namespace quincunx::tool
