// Changes of what threads do, as a reader writes them, in the runs of a corpus.
// Reference: docs/27-parallel.md. It knows no times (ParallelTimes.h).
#pragma once

#include "quincunx/estimate/Change.h"
#include "quincunx/estimate/ParallelRuns.h"
#include "quincunx/strands/StrandDescription.h"

namespace quincunx {

struct ThreadChanges {
  StrandChanges strands;
  std::vector<AppliedChange> changes;
};

/// All `changes` are of threads. Errors: no lock is had at a place, nothing is begun there (with
/// the nearest where there is), a lock is changed twice, a variable.
Result<ThreadChanges> threadChanges(const Corpus &corpus, const std::vector<Map> &maps,
                                    const std::vector<Change> &changes);

} // namespace quincunx
