// One function per verb: it adds the subcommand to the command line; its callback does the work and
// leaves the exit status. 0: done, 1: error, 2: usage, 3: some runs failed.
#pragma once

#include "system/ExitStatus.h"

#include <CLI/CLI.hpp>

#include <string>

namespace quincunx::tool {

void addRun(CLI::App &app, int &status);
void addCorpus(CLI::App &app, int &status);
void addProfile(CLI::App &app, int &status);
void addFlags(CLI::App &app, int &status);
void addDoctor(CLI::App &app, int &status);
void addCompletion(CLI::App &app, int &status);
void addReport(CLI::App &app, int &status);
void addAnnotate(CLI::App &app, int &status);
void addExplain(CLI::App &app, int &status);
void addCompare(CLI::App &app, int &status);
void addCritical(CLI::App &app, int &status);
void addScale(CLI::App &app, int &status);
void addReplay(CLI::App &app, int &status);
void addExport(CLI::App &app, int &status);
void addHtml(CLI::App &app, int &status);
void addLsp(CLI::App &app, int &status);
void addModel(CLI::App &app, int &status);
void addValidate(CLI::App &app, int &status);
void addWhatIf(CLI::App &app, int &status);
void addCheck(CLI::App &app, int &status);
void addLaw(CLI::App &app, int &status);
void addEval(CLI::App &app, int &status);
void addSimulate(CLI::App &app, int &status);
void addCalibrate(CLI::App &app, int &status);
void addFmt(CLI::App &app, int &status);

/// Prints what `quincunx report CORPUS` does; the exit status.
int reportCorpus(const std::string &corpus);

} // namespace quincunx::tool
