// Where the compiler's side of this installation is. It reads none of it.
#pragma once

#include <string>
#include <vector>

namespace quincunx::tool {

/// A config file for clang, and which major version its plugin is for.
struct ConfigFile {
  std::string path;
  int clang = 0;
};

/// Those that belong to this program, found beside its own folder; the newest first. Empty where
/// the compiler's side is not installed (the preset no-llvm).
std::vector<ConfigFile> configFiles();

} // namespace quincunx::tool
