// See ReadFile.h.
#include "quincunx/base/ReadFile.h"

#include <filesystem>
#include <fstream>

namespace quincunx {

Result<std::string> readTextFile(const std::string &path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed))
    return Error{"it is a folder", path};
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return Error{"cannot open it", path};
  std::string text;
  char part[65536];
  while (text.size() <= maxTextBytes && (in.read(part, sizeof part), in.gcount() > 0))
    text.append(part, static_cast<size_t>(in.gcount()));
  if (in.bad())
    return Error{"cannot read it", path};
  if (text.size() > maxTextBytes)
    return Error{"larger than 16 MB", path};
  return text;
}

} // namespace quincunx
