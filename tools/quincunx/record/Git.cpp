// Asks git as a child. It changes nothing in a repository.
#include "Git.h"

#include "ChildOutcome.h"
#include "Executor.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace quincunx::tool {

namespace {
constexpr double longestAnswer = 5; ///< seconds; a repository that takes more says nothing

/// What else a corpus says git might take for an option.
bool isHash(const std::string &text) {
  return text.size() >= 40 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}
} // namespace

std::optional<std::string> askGit(const std::string &where, const std::vector<std::string> &words,
                                  const std::string &folder) {
  // Variables that git hooks have would speak of another repository.
  std::vector<std::string> all{"env",
                               "-u",
                               "GIT_DIR",
                               "-u",
                               "GIT_WORK_TREE",
                               "-u",
                               "GIT_INDEX_FILE",
                               "git",
                               "-c",
                               "core.fsmonitor=false",
                               "-C",
                               where};
  all.insert(all.end(), words.begin(), words.end());
  Executor executor(longestAnswer, false);
  LaunchOptions launch;
  launch.environment = {{"GIT_OPTIONAL_LOCKS", "0"}, {"GIT_NO_LAZY_FETCH", "1"}};
  launch.standardOutput = folder + "/git.out";
  launch.standardError = folder + "/git.err";
  if (const Status s = executor.start(0, Job{all, {}, {}, {}, {}, {}, {}}, launch); !s)
    return {};
  while (!executor.interrupted())
    for (const ChildResult &end : executor.wait()) {
      if (outcomeOf(end, {0}) != Outcome::finished)
        return {};
      std::ostringstream said;
      said << std::ifstream(launch.standardOutput, std::ios::binary).rdbuf();
      return std::move(said).str();
    }
  return {};
}

std::optional<std::vector<std::string>> oldestFirst(const std::string &where,
                                                    const std::set<std::string> &commits,
                                                    const std::string &folder) {
  std::vector<std::string> known;
  for (const std::string &commit : commits)
    if (isHash(commit) && askGit(where, {"cat-file", "-e", commit + "^{commit}"}, folder))
      known.push_back(commit);
  if (known.empty())
    return std::vector<std::string>{};
  std::vector<std::string> words{"rev-list", "--topo-order", "--reverse"};
  words.insert(words.end(), known.begin(), known.end());
  const std::optional<std::string> history = askGit(where, words, folder);
  if (!history)
    return {};
  std::vector<std::string> out;
  for (const std::string_view line : fields(*history, '\n'))
    if (std::ranges::find(known, line) != known.end())
      out.emplace_back(line);
  return out;
}

std::optional<std::vector<std::string>>
historyOf(const std::string &where, const std::string &revision, const std::string &folder) {
  std::optional<std::string> commit = askGit(
      where, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"},
      folder);
  if (!commit)
    return {};
  while (commit->ends_with('\n'))
    commit->pop_back();
  const std::optional<std::string> history =
      askGit(where, {"rev-list", "--topo-order", *commit}, folder);
  if (!history)
    return {};
  std::vector<std::string> out;
  for (const std::string_view line : fields(*history, '\n'))
    if (!line.empty())
      out.emplace_back(line);
  return out;
}

} // namespace quincunx::tool
