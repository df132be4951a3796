// What verbs that speak of wall times of programs with threads ask for.
#pragma once

#include "PricedCorpus.h"

#include "quincunx/estimate/ParallelTimes.h"

#include <string>
#include <vector>

namespace quincunx::tool {

struct TimesOfThreads {
  ParallelTimes times;
  std::vector<Note> notes;
  Processors processors;
};

/// `observed`: of the same runs; `on`: without the processors of the clock. An error where there
/// are none, or they cannot be believed.
Result<TimesOfThreads> timesOfThreads(const PricedCorpus &priced, const Observed &observed,
                                      const StrandChanges &changes = {}, Processors on = {});

/// "1,2,4", "1..256:x2" (twice as many each time), "8..64:8" (8 more each time), "2..5"; sorted.
Result<std::vector<uint32_t>> parseThreadCounts(const std::string &text);

} // namespace quincunx::tool
