// One function per verb: it adds the subcommand to the command line; its callback does the work and
// leaves the exit status. 0: done, 1: error, 2: usage, 3: some runs failed.
#pragma once

#include "quincunx/base/Result.h"

#include <CLI/CLI.hpp>
#include <cstdio>

namespace quincunx::tool {

enum ExitStatus : int { ok = 0, failed = 1, usage = 2, someRunsFailed = 3 };
inline constexpr int interruptedStatus = 130; ///< what shells report for Ctrl-C

void addRun(CLI::App &app, int &status);
void addCorpus(CLI::App &app, int &status);
void addReport(CLI::App &app, int &status);
void addAnnotate(CLI::App &app, int &status);
void addExplain(CLI::App &app, int &status);
void addModel(CLI::App &app, int &status);
void addValidate(CLI::App &app, int &status);
void addWhatIf(CLI::App &app, int &status);
void addLaw(CLI::App &app, int &status);
void addEval(CLI::App &app, int &status);
void addSimulate(CLI::App &app, int &status);
void addCalibrate(CLI::App &app, int &status);
void addFmt(CLI::App &app, int &status);

/// Prints "quincunx: error: ..." on stderr and gives the status for it.
inline int fail(const Error &error) {
  std::fprintf(stderr, "quincunx: %s\n", error.message().c_str());
  return failed;
}

} // namespace quincunx::tool
