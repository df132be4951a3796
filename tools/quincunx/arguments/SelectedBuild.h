// Which build of the program a verb looks at.
#pragma once

#include "quincunx/cost/Machine.h"
#include "quincunx/profile/Corpus.h"

#include <CLI/CLI.hpp>

#include <string>

namespace quincunx::tool {

/// --build; `build` is empty where it is not given.
CLI::Option *addBuildOption(CLI::App &verb, std::string &build);
/// The corpus is read for runs of that build from now on, or of the newest, which is said on stderr
/// when there are others; "all" takes all. What is no build and no tag of runs is asked of git in
/// the folder that we are in: builds at that commit, or else at the last one before it, which is
/// said; sources with changes on top are of no commit. An error lists the builds.
Status selectBuild(Corpus &corpus, const std::string &build);
/// Says on stderr when prices were fitted to another build than the runs that are read are of.
Status tellFittedBuild(const Corpus &corpus, const Machine &machine);

} // namespace quincunx::tool
