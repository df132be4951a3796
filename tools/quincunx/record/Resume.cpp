// Leaves out jobs that a corpus has runs of. They are recognised by label and arguments, because
// the names of runs are random.
#include "Resume.h"

#include <algorithm>
#include <unordered_map>

namespace quincunx::tool {

Status removeDone(std::vector<Job> &jobs, const Corpus &corpus, bool noArguments) {
  std::unordered_map<std::string, std::vector<std::vector<std::string>>> done;
  Status s = corpus.forEachRun(
      [&](Run &&run) -> Status {
        done[run.label].push_back(std::move(run.arguments));
        return Done{};
      },
      Corpus::ReadMask::description);
  if (!s)
    return s;
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
  return Done{};
}

} // namespace quincunx::tool
