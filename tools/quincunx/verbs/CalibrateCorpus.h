// quincunx calibrate CORPUS: prices fitted to timed runs. See CalibrateCorpus.cpp.
#pragma once

#include "quincunx/base/Result.h"

#include <string>

namespace quincunx::tool {

struct CalibrateOptions {
  std::string corpus;
  std::string build;         ///< as selectBuild() takes it
  std::string guess;         ///< a machine: proportions of prices that are thought of beforehand
  std::string missRatesFrom; ///< a corpus of a build with record=predictor; empty: none
  std::string out;           ///< a .machine file to write as well; empty: none
  size_t top = 5;            ///< inputs to show
  bool json = false;
};

/// What a machine is called: as its file, without folder and ending.
std::string machineName(const std::string &file);
/// Fits and stores; returns how good it is.
Result<std::string> calibrateInALine(const CalibrateOptions &options);
/// Fits, stores and prints; the exit status.
int calibrateCorpus(const CalibrateOptions &options);

} // namespace quincunx::tool
