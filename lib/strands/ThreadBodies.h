// Threads that ran as bodies of a description. Reference: docs/27-parallel.md. It changes nothing
// of what they did, and simulates nothing.
#pragma once

#include "ConditionWaits.h"
#include "DealtLoops.h"
#include "JobQueues.h"
#include "LogicalThreads.h"
#include "StrandGraph.h"
#include "quincunx/strands/StrandDescription.h"

namespace quincunx {

/// Locks that who has them gives back, or has when he ends.
std::set<uint64_t> ownedLocks(const std::vector<StrandThread> &threads);

/// `graph`: of the same threads. `queues` are dealt from, and `loops` dealt; others are as they
/// were. Waits on condition variables are counted, or for permits, where nobody waits for jobs.
/// `slowMotion`: sections of locks are as many times as long, and as seldom, as they were.
StrandDescription bodiesOf(const LogicalThreads &threads, const StrandGraph &graph, Kept kept,
                           const std::vector<JobQueue> &queues, const ConditionWaits &waits,
                           const std::vector<const DealtLoop *> &loops, double slowMotion = 1);

} // namespace quincunx
