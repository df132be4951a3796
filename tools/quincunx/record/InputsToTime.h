// Which inputs timed runs are of, and what the corpus knows of each. It runs nothing.
#pragma once

#include "JobPlan.h"
#include "RecordRuns.h"

#include "quincunx/profile/Corpus.h"

#include <set>

namespace quincunx::tool {

struct InputToTime {
  Job job;
  Timing timing;          ///< as it is or will be in the corpus, without repetitions
  size_t there = 0;       ///< repetitions in the corpus
  std::set<int> expected; ///< exit statuses of its counted runs; empty: none were counted
};

struct InputsToTime {
  std::vector<InputToTime> inputs;
  size_t twice = 0;    ///< jobs that were given before and are left out
  uint32_t rounds = 0; ///< the last round in the corpus
  size_t counted = 0,
         busy = 0; ///< finished counted runs; of them, with more processor than wall time
};

/// Of more than `most` inputs, so many, evenly over the order of what their runs in the corpus cost
/// (by the default machine, as the newest build), the least and the most costly one among them; in
/// their order. What was not counted is left out.
Result<std::vector<Job>> spreadOverCost(std::vector<Job> jobs, const std::string &corpus,
                                        size_t most);

/// Does a program use several processors at once? Times in seconds.
bool isBusy(double cpu, double wall);

/// Two inputs that the corpus could not tell apart are an error.
Result<InputsToTime> inputsToTime(std::vector<Job> jobs, const Corpus &corpus, bool noArguments);

} // namespace quincunx::tool
