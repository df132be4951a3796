// What to say of a command line that cannot be.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace quincunx::tool {

/// One line: what is wrong with `words`, which `app` did not take, the verb or option that may have
/// been meant, and whose help tells more.
std::string usageError(const CLI::App &app, const CLI::ParseError &error,
                       const std::vector<std::string> &words);

} // namespace quincunx::tool
