// Finds the program of a job. It starts nothing.
#include "ProgramPath.h"

#include "quincunx/base/Text.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <unistd.h>

namespace quincunx::tool {

namespace fs = std::filesystem;

std::string findProgram(const Job &job) {
  const std::string &name = job.words[0];
  const fs::path folder = fs::absolute(job.folder.empty() ? "." : job.folder);
  std::vector<fs::path> places;
  if (name.find('/') != std::string::npos) {
    places.push_back(folder / name);
  } else {
    const char *path = std::getenv("PATH");
    for (const std::string_view place : fields(path != nullptr ? path : "/bin:/usr/bin", ':'))
      places.push_back(folder / place / name);
  }
  for (const fs::path &place : places)
    if (std::error_code no; fs::is_regular_file(place, no) && ::access(place.c_str(), X_OK) == 0)
      return place.lexically_normal().string();
  return {};
}

} // namespace quincunx::tool
