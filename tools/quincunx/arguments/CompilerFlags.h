// Flags of builds that are counted and of builds that are timed.
#pragma once

#include "system/ConfigFile.h"

#include "quincunx/base/Result.h"

#include <string>

namespace quincunx::tool {

/// Where lines are, and nothing that changes the code.
inline constexpr const char *plainFlags = "-gline-tables-only";

/// The config file for that clang, the newest where it is 0.
Result<ConfigFile> configFor(int clang);
/// As one word; where folders have blanks in their names, $(quincunx flags) is split by a shell.
std::string instrumentingFlags(const ConfigFile &config);

} // namespace quincunx::tool
