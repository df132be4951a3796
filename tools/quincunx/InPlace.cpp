// Replaces a file in one step: a rename of a new one over it.
#include "InPlace.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace quincunx::tool {

namespace fs = std::filesystem;

Status replaceFile(const std::string &path, const std::string &text) {
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  if (error)
    return Error{error.message(), path};
  const fs::path beside = target.string() + ".qx-" + std::to_string(getpid());
  std::ofstream out(beside, std::ios::binary);
  out << text;
  out.close();
  if (out)
    fs::permissions(beside, fs::status(target).permissions(), error);
  if (out && !error)
    fs::rename(beside, target, error);
  if (out && !error)
    return Done{};
  std::error_code ignored;
  fs::remove(beside, ignored);
  return Error{"cannot write: " + (error ? error.message() : std::string("output failed")), path};
}

} // namespace quincunx::tool
