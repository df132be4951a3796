// What the threads of a run do at which time, a processor for each: the simulation behind its
// predicted wall time, piece by piece. Reference: docs/27-parallel.md.
#pragma once

#include "quincunx/estimate/ParallelTimes.h"

namespace quincunx {

struct TimelineSlice {
  uint32_t row = 0;
  double begin = 0, end = 0; ///< seconds
  bool isWait = false;
  StrandPlace place; ///< of the work: what it ends with; of a wait: what the work before ended with
  parallel::Edge why = parallel::Edge::order; ///< what ended a wait
};

/// A row is a thread; one after another, where they are made and end, as members of teams do. Where
/// there are more at once than the process had threads, as tasks are, it is a thread of the
/// process.
struct Timeline {
  static constexpr uint32_t several = UINT32_MAX;
  std::vector<uint32_t> rows;        ///< site where its threads were created, or `several`
  std::vector<TimelineSlice> slices; ///< in the order in which they begin
  double end = 0;                    ///< seconds: ReplayedRun::predicted
};

Result<Timeline> timelineOf(const ReplayedRun &run);

/// How long each row works, in the unit of the pieces; the first one is that of the first thread.
std::vector<double> workOfRows(const StrandDescription &description,
                               const std::vector<parallel::Piece> &pieces);

} // namespace quincunx
