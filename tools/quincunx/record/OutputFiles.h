// Where the output of each job is kept (--keep-output). It writes no output itself; children do.
#pragma once

#include "quincunx/base/Result.h"

#include <string>

namespace quincunx::tool {

/// Makes the folder of --keep-output, when one is asked for.
Status makeOutputFolder(const std::string &folder);
/// The absolute path in it, without ".out" or ".err", for job `number` (from 0).
std::string outputBase(const std::string &folder, size_t number, std::string label);

} // namespace quincunx::tool
