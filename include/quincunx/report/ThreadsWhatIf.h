// Wall times before and after changes of what threads do, for people and for programs. Reference:
// docs/27-parallel.md.
#pragma once

#include "quincunx/estimate/Change.h"
#include "quincunx/estimate/ParallelTimes.h"
#include "quincunx/report/Display.h"

#include <iosfwd>
#include <limits>

namespace quincunx {

struct ThreadsWhatIf {
  std::vector<AppliedChange> changes;
  std::vector<double> percentiles;
  std::vector<Note> notes;
  double processors = std::numeric_limits<double>::infinity(); ///< that threads share
  bool changesThreads = false; ///< teams have other numbers: the clock of those tells nothing
};

/// Runs have what is after (ParallelTime::changed).
void printThreadsWhatIf(const ParallelTimes &times, const ThreadsWhatIf &question,
                        const Display &display, std::ostream &out);
Status printThreadsWhatIfJson(const ParallelTimes &times, const ThreadsWhatIf &question,
                              std::ostream &out);

} // namespace quincunx
