// Selects a build. Runs of several are mixed when somebody asks for it, and never without a word.
#include "SelectedBuild.h"

#include "quincunx/base/Text.h"

#include "record/Git.h"
#include "record/RecordFolder.h"
#include "system/ExitStatus.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace quincunx::tool {

namespace {

/// As a build is called: its name, and its tags.
std::string nameOf(const Corpus::Build &b) {
  std::string out = escape(b.identity.substr(0, 12));
  for (const std::string &tag : b.tags)
    out += ", " + escape(tag);
  return out;
}

/// Of the program that there are several builds of.
std::string listOf(const std::vector<Corpus::Build> &builds) {
  std::string out;
  for (const Corpus::Build &b : builds)
    out += (out.empty() ? "" : ", ") + nameOf(b) + " (" + escape(fileName(b.path)) + ", " +
           std::to_string(b.runs) + " runs)";
  return out;
}

/// Once, as a verb may open a corpus several times.
void say(const std::string &sentence) {
  static std::set<std::string> said;
  if (said.insert(sentence).second)
    besides().push_back(sentence);
}

/// Reads runs of what was built at a revision, or at the last commit before it that has some.
/// False: it is no revision.
Result<bool> selectRevision(Corpus &corpus, const std::vector<Corpus::Build> &builds,
                            const std::string &revision) {
  const RecordFolder folder;
  const auto history = folder.status() ? historyOf(".", revision, folder.path()) : std::nullopt;
  if (!history || history->empty())
    return false;
  const auto at = std::ranges::find_if(*history, [&](const std::string &commit) {
    return std::ranges::any_of(builds, [&](const auto &b) { return b.commits.contains(commit); });
  });
  const std::string wanted = escape(revision) + " (" + history->front().substr(0, 12) + ")";
  if (at == history->end())
    return Error{"no build is of commit " + wanted + ", or of one before it"};
  if (at != history->begin())
    say("no build is of commit " + wanted + "; taken is that of " + at->substr(0, 12) + ", " +
        std::to_string(at - history->begin()) +
        (at - history->begin() == 1 ? " commit before" : " commits before"));
  std::map<std::string, const Corpus::Build *> newest;
  for (const Corpus::Build &b : builds)
    if (b.commits.contains(*at))
      if (const Corpus::Build *&kept = newest[fileName(b.path)];
          !kept || kept->lastStart < b.lastStart)
        kept = &b;
  const auto isOther = [&](const Corpus::Build &b) {
    const auto kept = newest.find(fileName(b.path));
    return kept == newest.end() || kept->second->identity != b.identity;
  };
  if (const Result<size_t> left = corpus.selectWithout(isOther); !left)
    return left.error();
  return true;
}

/// Says so where every run is of one of several programs.
Status tellPrograms(const Corpus &corpus, const std::vector<Corpus::Build> &builds) {
  const Result<size_t> runs = corpus.runCount();
  if (!runs)
    return runs.error();
  std::map<std::string, size_t> programs;
  size_t all = 0;
  for (const Corpus::Build &b : builds) {
    if (b.runs > 0)
      programs[fileName(b.path)] += b.runs;
    all += b.runs;
  }
  if (programs.size() < 2 || all != *runs)
    return Done{};
  say("runs are of " + std::to_string(programs.size()) + " programs: " + listOf(builds) +
      "; what is said is of all of them together, --build takes one");
  return Done{};
}

} // namespace

CLI::Option *addBuildOption(CLI::App &verb, std::string &build) {
  return verb
      .add_option("--build", build,
                  "Runs of this build, by the beginning of its name, by its tag or by its git "
                  "commit, branch or tag, or of all (default: the newest; see corpus show)")
      ->type_name("ID|TAG|REV|all");
}

Status selectBuild(Corpus &corpus, const std::string &build) {
  if (build == "all")
    return Done{};
  const Result<size_t> without = corpus.select(build);
  if (without && !build.empty())
    return Done{};
  const Result<std::vector<Corpus::Build>> builds = corpus.builds();
  if (!builds)
    return builds.error();
  if (without && *without == 0)
    return tellPrograms(corpus, *builds);
  if (!without) {
    const Result<bool> revision = selectRevision(corpus, *builds, build);
    if (revision && *revision)
      return Done{};
    const std::string why = revision ? without.error().text : revision.error().text;
    return Error{escape(corpus.path()) + ": " + why + "; it has " + listOf(*builds)};
  }
  const auto old = std::ranges::find_if(*builds, [](const auto &b) { return !b.isNewest; });
  if (old == builds->end())
    return Done{};
  const auto newest = std::ranges::find_if(*builds, [&](const auto &b) {
    return b.isNewest && fileName(b.path) == fileName(old->path);
  });
  say(std::to_string(*without) + (*without == 1 ? " run is" : " runs are") +
      " of older builds and left out; the newest of " + escape(fileName(old->path)) + " is " +
      (newest == builds->end() ? "?" : nameOf(*newest)) +
      " (--build takes others, or all; quincunx corpus show " + escape(corpus.path()) +
      " lists them)");
  return Done{};
}

Status tellFittedBuild(const Corpus &corpus, const Machine &machine) {
  const std::vector<std::string> &fitted = machine.fit.builds;
  if (fitted.empty())
    return Done{};
  const Result<std::vector<Corpus::Build>> builds = corpus.builds();
  if (!builds)
    return builds.error();
  const auto isFitted = [&](const Corpus::Build &b) {
    return std::ranges::find(fitted, b.identity) != fitted.end();
  };
  const bool isAny =
      std::ranges::any_of(*builds, [&](const auto &b) { return b.read > 0 && isFitted(b); });
  for (const Corpus::Build &b : *builds) {
    const bool hasOther = std::ranges::any_of(*builds, [&](const auto &other) {
      return fileName(other.path) == fileName(b.path) && isFitted(other);
    });
    if (b.read == 0 || isFitted(b) || (isAny && !hasOther))
      continue;
    say("prices were fitted to another build of " + escape(fileName(b.path)) + " than " +
        nameOf(b) + ", whose runs these are (quincunx calibrate " + escape(corpus.path()) + ")");
    return Done{};
  }
  return Done{};
}

} // namespace quincunx::tool
