// Finds the program that is to be timed and refuses an instrumented one. It is looked for as
// execvp(3) will, in the folder where it will be started.
#include "PlainProgram.h"

#include "system/Processor.h"

#include "quincunx/base/Md5.h"
#include "quincunx/base/Text.h"
#include "quincunx/map/Image.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace quincunx::tool {

namespace fs = std::filesystem;

namespace {

/// Absolute; empty when there is no such program.
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

} // namespace

Result<TimedProgram> plainProgram(const std::vector<Job> &jobs, bool withFolder) {
  const std::string path = findProgram(jobs.front());
  for (const Job &job : jobs)
    if (job.words[0] != jobs.front().words[0])
      return Error{"--timed takes one program: " + escape(jobs.front().words[0]) + " and " +
                   escape(job.words[0]) + " need a corpus each"};
  if (path.empty())
    return Error{"cannot run " + escape(jobs.front().words[0]) + ": no such program"};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file)
    return Error{"cannot read " + escape(path) + ", to know it again"};
  if (readElf(path))
    return Error{escape(jobs.front().words[0]) +
                 " is instrumented: time the plain build, without --config=quincunx.cfg"};
  TimedProgram program;
  program.path = withFolder ? path : fileName(path);
  program.md5 = hex(md5(bytes.view()));
  program.processorModel = processorModel();
  return program;
}

} // namespace quincunx::tool
