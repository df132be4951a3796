// Work, span and critical path for people and for programs. Reference: docs/28-critical-path.md.
#pragma once

#include "quincunx/estimate/ParallelRuns.h"
#include "quincunx/report/Display.h"

#include <iosfwd>

namespace quincunx {

struct CriticalReport {
  StrandSites sites;
  std::vector<Note> notes;
  size_t top = 20; ///< how many rows of parts or legs are shown; 0: all
};

void printParallelRuns(const ParallelRuns &runs, const CriticalReport &report,
                       const Display &display, std::ostream &out);
void printParallelRun(const RunWork &run, const ParallelWork &work, const CriticalReport &report,
                      const Display &display, std::ostream &out);
Status printParallelRunsJson(const ParallelRuns &runs, const CriticalReport &report,
                             std::ostream &out);
Status printParallelRunJson(const RunWork &run, const ParallelWork &work,
                            const CriticalReport &report, std::ostream &out);

} // namespace quincunx
