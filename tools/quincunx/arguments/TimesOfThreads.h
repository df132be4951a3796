// What verbs that speak of wall times of programs with threads ask for.
#pragma once

#include "PricedCorpus.h"

#include "quincunx/estimate/ParallelTimes.h"

#include <limits>

namespace quincunx::tool {

struct TimesOfThreads {
  ParallelTimes times;
  std::vector<Note> notes;
  Processors processors;
};

/// `observed`: of the same runs. An error where there are none, or they cannot be believed.
Result<TimesOfThreads> timesOfThreads(const PricedCorpus &priced, const Observed &observed,
                                      const StrandChanges &changes = {},
                                      double processors = std::numeric_limits<double>::infinity());

} // namespace quincunx::tool
