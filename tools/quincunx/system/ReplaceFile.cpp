// Replaces a file in one step: a rename of a new one over it.
#include "ReplaceFile.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace quincunx::tool {

namespace fs = std::filesystem;

Status replaceFile(const std::string &path, const std::string &text) {
  std::error_code error;
  const bool isNew = !fs::exists(path, error);
  const fs::path target = isNew && !error ? fs::path(path) : fs::canonical(path, error);
  if (error)
    return Error{error.message(), path};
  const bool isFile = isNew || fs::is_regular_file(target, error);
  fs::path beside = target;
  if (isFile)
    beside += ".qx-" + std::to_string(getpid());
  std::ofstream out(beside, std::ios::binary);
  out << text;
  out.close();
  if (out && !isNew && isFile)
    fs::permissions(beside, fs::status(target).permissions(), error);
  if (out && !error && isFile)
    fs::rename(beside, target, error);
  if (out && !error)
    return Done{};
  std::error_code ignored;
  if (isFile)
    fs::remove(beside, ignored);
  return Error{"cannot write: " + (error ? error.message() : std::string("output failed")), path};
}

} // namespace quincunx::tool
