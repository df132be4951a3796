// Finds config files from where the program lies: in a build and in an installation they are in
// ../LIB/quincunx. quincunx.cfg is for the LLVM that the project is built for first, and
// quincunx-19.cfg says its version in its name.
#include "ConfigFile.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace quincunx::tool {

namespace {

namespace fs = std::filesystem;

constexpr int usualClang = 22;

/// 22 of quincunx.cfg, 19 of quincunx-19.cfg; 0: it is no config file of ours.
int clangOf(const std::string &name) {
  if (name == "quincunx.cfg")
    return usualClang;
  const std::string before = "quincunx-", after = ".cfg";
  if (!name.starts_with(before) || !name.ends_with(after))
    return 0;
  int version = 0;
  const char *end = name.data() + name.size() - after.size();
  const auto parsed = std::from_chars(name.data() + before.size(), end, version);
  return parsed.ptr == end ? version : 0;
}

} // namespace

std::vector<ConfigFile> configFiles() {
  std::vector<ConfigFile> found;
  std::error_code no;
  const fs::path program = fs::read_symlink("/proc/self/exe", no);
  const fs::path above = program.parent_path().parent_path();
  for (const char *lib : {"lib", QUINCUNX_LIBDIR})
    for (const auto &entry : fs::directory_iterator(above / lib / "quincunx", no))
      if (const int clang = clangOf(entry.path().filename().string()); clang != 0)
        found.push_back({entry.path().string(), clang});
  std::sort(found.begin(), found.end(), [](const ConfigFile &a, const ConfigFile &b) {
    return a.clang != b.clang ? a.clang > b.clang : a.path < b.path;
  });
  const auto same = [](const ConfigFile &a, const ConfigFile &b) { return a.path == b.path; };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  return found;
}

} // namespace quincunx::tool
