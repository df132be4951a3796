// Selects a build. Runs of several are mixed when somebody asks for it, and never without a word.
#include "SelectedBuild.h"

#include "quincunx/base/Text.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

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

} // namespace

CLI::Option *addBuildOption(CLI::App &verb, std::string &build) {
  return verb
      .add_option("--build", build,
                  "Runs of this build, by the beginning of its name or by its tag, or of all "
                  "(default: the newest; see corpus show)")
      ->type_name("ID|TAG|all");
}

Status selectBuild(Corpus &corpus, const std::string &build) {
  if (build == "all")
    return Done{};
  const Result<size_t> without = corpus.select(build);
  if (without && (*without == 0 || !build.empty()))
    return Done{};
  const Result<std::vector<Corpus::Build>> builds = corpus.builds();
  if (!builds)
    return builds.error();
  if (!without)
    return Error{escape(corpus.path()) + ": " + without.error().text + "; it has " +
                 listOf(*builds)};
  const auto old = std::ranges::find_if(*builds, [](const auto &b) { return !b.isNewest; });
  if (old == builds->end())
    return Done{};
  const auto newest = std::ranges::find_if(*builds, [&](const auto &b) {
    return b.isNewest && fileName(b.path) == fileName(old->path);
  });
  std::fprintf(stderr,
               "quincunx: %zu %s of older builds and left out; the newest of %s is %s "
               "(--build takes others, or all; quincunx corpus show %s lists them)\n",
               *without, *without == 1 ? "run is" : "runs are", escape(fileName(old->path)).c_str(),
               newest == builds->end() ? "?" : nameOf(*newest).c_str(),
               escape(corpus.path()).c_str());
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
    std::fprintf(stderr,
                 "quincunx: prices were fitted to another build of %s than %s, whose runs these "
                 "are (quincunx calibrate %s)\n",
                 escape(fileName(b.path)).c_str(), nameOf(b).c_str(),
                 escape(corpus.path()).c_str());
    return Done{};
  }
  return Done{};
}

} // namespace quincunx::tool
