// Flags of builds that are counted and of builds that are timed.
#pragma once

#include "system/ConfigFile.h"

#include "quincunx/base/Result.h"

#include <string>

namespace quincunx::tool {

/// The config file for that clang, the newest where it is 0.
Result<ConfigFile> configFor(int clang);
/// Of a program that is timed: where lines are and <quincunx/quincunx.h> is, and nothing that
/// changes the code.
std::string plainFlags();
/// As one word; where folders have blanks in their names, $(quincunx flags) is split by a shell.
std::string instrumentingFlags(const ConfigFile &config);

} // namespace quincunx::tool
