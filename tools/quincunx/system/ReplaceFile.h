// Replacing the text of a file in one step. It does not know what is in it.
#pragma once

#include "quincunx/base/Result.h"

#include <string>

namespace quincunx::tool {

/// Writes beside the file and renames, so that nobody sees half of it; keeps its permissions. Makes
/// a file that is not there; what is no file (a pipe, a device) is written to.
Status replaceFile(const std::string &path, const std::string &text);

} // namespace quincunx::tool
