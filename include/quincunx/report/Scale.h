// Times and speedups by number of threads for people and for programs. Reference:
// docs/27-parallel.md.
#pragma once

#include "quincunx/estimate/ParallelTimes.h"
#include "quincunx/report/Display.h"

#include <iosfwd>

namespace quincunx {

struct ScaleReport {
  StrandSites sites;
  std::vector<Note> notes;
  Processors processors;
  size_t top = 10; ///< how many rows of waits are shown; 0: all
};

void printScale(const ParallelTimes &times, const ScaleReport &report, const Display &display,
                std::ostream &out);
Status printScaleJson(const ParallelTimes &times, const ScaleReport &report, std::ostream &out);

} // namespace quincunx
