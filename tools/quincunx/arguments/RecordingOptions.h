// The part of the command line that run and profile share: a program, its inputs, and what a run of
// them is called. It runs nothing.
#pragma once

#include "record/RecordRuns.h"

#include <CLI/CLI.hpp>

#include <string>

namespace quincunx::tool {

/// The corpus, the inputs and how runs are made and described. Returns --jobs.
CLI::Option *addRecordingOptions(CLI::App &verb, RecordOptions &options);

/// Lets the words behind `--` through untouched; they are verb.remaining().
void addCommand(CLI::App &verb);
/// Takes them; false when the first is an option that we do not know, which is said.
bool takeCommand(const CLI::App &verb, std::vector<std::string> &words);

} // namespace quincunx::tool
