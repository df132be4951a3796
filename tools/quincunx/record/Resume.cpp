// Leaves out jobs that a corpus has runs of. They are recognised by label and arguments, because
// the names of runs are random, and by the build, since a program that was changed has not done
// them.
#include "Resume.h"

#include "ProgramPath.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <unordered_map>

namespace quincunx::tool {

namespace {

/// Is that build another one than what is there now? The program that is run counts, wherever it
/// is, and else (it may be a script of that name) the file that was there; who has none knows of no
/// other.
bool isOther(const Corpus::Build &build, const std::string &program) {
  const bool isProgram = fileName(build.path) == fileName(program) && !readBuild(program).empty();
  const std::string &file = isProgram ? program : build.path;
  const std::string now = readBuild(file);
  if (now.empty() || now == build.identity)
    return false;
  const Result<RawMap> map = readElf(file); // a corpus from before builds were known
  return !map || hex(map->hash()) != build.identity;
}

} // namespace

Result<size_t> removeDone(std::vector<Job> &jobs, const std::string &path, bool noArguments,
                          const std::string &tag) {
  Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  if (!corpus)
    return corpus.error();
  const std::string program = jobs.empty() ? std::string() : findProgram(jobs.front());
  const Result<size_t> others =
      corpus->selectWithout([&](const auto &build) { return isOther(build, program); });
  if (!others)
    return others.error();
  std::unordered_map<std::string, std::vector<std::vector<std::string>>> done;
  Status s = corpus->forEachRun(
      [&](Run &&run) -> Status {
        if (tag.empty() || run.tag == tag)
          done[run.label].push_back(std::move(run.arguments));
        return Done{};
      },
      Corpus::ReadMask::description);
  if (!s)
    return s.error();
  std::vector<Job> left;
  for (Job &job : jobs) {
    const std::vector<std::string> arguments = argumentsOf(job);
    auto &runs = done[job.label];
    const auto at = std::find_if(runs.begin(), runs.end(), [&](const auto &recorded) {
      return noArguments || recorded.empty() || recorded == arguments;
    });
    if (at == runs.end())
      left.push_back(std::move(job));
    else
      runs.erase(at);
  }
  jobs = std::move(left);
  return *others;
}

} // namespace quincunx::tool
