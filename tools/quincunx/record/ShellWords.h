// Words of a command line as a shell writes them.
#pragma once

#include "quincunx/base/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace quincunx::tool {

/// Splits a line as a shell would: blanks, quotes, backslashes; nothing is expanded.
Result<std::vector<std::string>> splitWords(std::string_view line);
/// Joins words into a line that splitWords() gives back.
std::string joinWords(const std::vector<std::string> &words);

} // namespace quincunx::tool
