// Recording runs of a program: what `quincunx run` does once its command line is read. See
// RecordRuns.cpp.
#pragma once

#include "JobPlan.h"

#include "quincunx/profile/Corpus.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace quincunx::tool {

struct RecordOptions {
  std::string corpus, keepOutput;
  std::string machine; ///< whose prices the corpus gets, as keepMachine() takes it
  std::string tag;     ///< of the runs, as people call their build; empty: none
  JobPlan plan;
  size_t jobs = 1;
  double timeout = 0;        ///< seconds; 0: none
  std::vector<int> okStatus; ///< empty: any
  bool resume = false, noArguments = false, quiet = false;
  bool timed = false;           ///< runs of the plain program, for their time (TimeRuns.h)
  std::optional<size_t> repeat; ///< runs of each input; none: one, or seven that are timed
  size_t mostTimed = SIZE_MAX;  ///< inputs; of more, some are timed, spread over what they cost
};

/// Runs everything and stores it; the exit status. What went wrong has been said on stderr.
int recordRuns(const RecordOptions &options);
/// Exit statuses that are good by the options, or were by those of whoever recorded before; for
/// what is said of runs, not for what is left out.
std::set<int> goodStatusesOf(const RecordOptions &options, const Corpus &corpus);

} // namespace quincunx::tool
