// Finds the program that is to be timed and refuses an instrumented one.
#include "PlainProgram.h"

#include "ProgramPath.h"
#include "system/Processor.h"

#include "quincunx/base/Md5.h"
#include "quincunx/base/Text.h"
#include "quincunx/map/Image.h"

#include <fstream>
#include <sstream>

namespace quincunx::tool {

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
