// One program, run to see whether it works.
#pragma once

#include "quincunx/base/Result.h"

#include <string>
#include <vector>

namespace quincunx::tool {

/// Runs it and waits, a minute at most; `folder` is for what it says. The error is the first line
/// of that.
Status tryProgram(const std::vector<std::string> &words, const std::string &folder);

} // namespace quincunx::tool
