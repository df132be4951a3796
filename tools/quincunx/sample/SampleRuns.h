// Executions of the plain program that are sampled (`quincunx run --timed --samples N`): see
// SampleRuns.cpp.
#pragma once

#include "record/RecordRuns.h"

namespace quincunx::tool {

/// Whether the program can be sampled here and places be named; an error says why not.
Status canSample(const RecordOptions &options);

/// Adds samples of the inputs that were timed until the corpus has `wanted` of them; the exit
/// status. What went wrong has been said on stderr.
int sampleRuns(const RecordOptions &options, size_t wanted);

} // namespace quincunx::tool
