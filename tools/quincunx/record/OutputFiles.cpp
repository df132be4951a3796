// Names the files of --keep-output: the job's number and its label, with what a path cannot hold
// replaced.
#include "OutputFiles.h"

#include "quincunx/base/Text.h"

#include <cstring>
#include <filesystem>

namespace quincunx::tool {

namespace fs = std::filesystem;

Status makeOutputFolder(const std::string &folder) {
  std::error_code problem;
  if (!folder.empty())
    fs::create_directories(folder, problem);
  if (problem)
    return Error{"cannot make " + escape(folder) + ": " + problem.message()};
  return Done{};
}

std::string outputBase(const std::string &folder, size_t number, std::string label) {
  for (char &c : label)
    if (!std::isalnum(static_cast<unsigned char>(c)) && std::strchr("-_.", c) == nullptr)
      c = '_';
  return fs::absolute(folder).string() + "/" + std::to_string(number + 1) + "-" +
         label.substr(0, 100);
}

} // namespace quincunx::tool
