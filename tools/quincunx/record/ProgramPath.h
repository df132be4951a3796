// Where the program of a job is.
#pragma once

#include "JobPlan.h"

#include <string>

namespace quincunx::tool {

/// Looked for as execvp(3) will, in the folder where it will be started. Absolute; empty when there
/// is no such program.
std::string findProgram(const Job &job);

} // namespace quincunx::tool
