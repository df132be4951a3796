// Waits for what several threads do to an atomic, or do again and again: phases of jobs, and what
// the last of them does for all.
#pragma once

#include "CountedWaits.h"
#include "quincunx/strands/Events.h"

namespace quincunx {

/// Who finds that it counted last goes on when as many have counted as had before it in the run.
/// Where all threads that change an atomic wait for it equally often, the k-th time is for all that
/// is done before any of them comes there so often. Where others wait for it, as often as it is
/// changed, each time is for one more; they may be some ahead. Atomics of which that cannot be told
/// are not among them. Whoever did it is not asked: jobs may be another one's now.
std::vector<CountedWaits> atomicWaits(const std::vector<StrandThread> &threads);

/// The same with locks where threads make them of an atomic, as ticket locks are: who waits at one
/// place changes it at another one, before anybody else goes on, and they do not take turns.
/// Nothing if there is none.
std::optional<ProcessStrands> withLocksOfAtomics(const ProcessStrands &strands);

} // namespace quincunx
