// Chooses a config file, and says what is missing where there is none.
#include "CompilerFlags.h"

#include "quincunx/base/Text.h"

#include <filesystem>

namespace quincunx::tool {

Result<ConfigFile> configFor(int clang) {
  const std::vector<ConfigFile> all = configFiles();
  if (all.empty())
    return Error{"this quincunx came without its compiler side, which the presets default and "
                 "llvm-19 build; no flag makes a compiler count"};
  std::string there;
  for (const ConfigFile &c : all) {
    if (clang == 0 || c.clang == clang)
      return c;
    there += (there.empty() ? "" : ", ") + std::to_string(c.clang);
  }
  return Error{"there is no plugin for clang " + std::to_string(clang) + " here, only for " +
               there};
}

std::string plainFlags() {
  std::string flags = "-gline-tables-only";
  if (const std::vector<ConfigFile> all = configFiles(); !all.empty())
    flags +=
        " -idirafter" + std::filesystem::path(all.front().path).parent_path().string() + "/include";
  return flags;
}

std::string instrumentingFlags(const ConfigFile &config) { return "--config=" + config.path; }

} // namespace quincunx::tool
