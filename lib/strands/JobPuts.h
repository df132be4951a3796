// Where the jobs of a queue come from, and who waits until they are done.
#pragma once

#include "JobQueues.h"
#include "LockSections.h"

namespace quincunx {

/// The order of a take becomes that at which it had its job, as it may have waited for one; the
/// nodes of these waits are the queue's.
void waitForJob(JobQueue &queue, JobQueue::Take &take, const std::vector<StrandThread> &all,
                const StrandGraph &graph);

/// How much has to tell of it that a place is a queue's, to which several jobs are put at once.
enum class Told : uint8_t {
  inTurn,   ///< jobs are put one by one, and threads wait for them there
  byWaits,  ///< threads wait for jobs there
  elsewhere ///< it is known to be one
};

/// Sorts what was taken and finds where it was put, and who waits for what was done with it. Puts
/// stay empty if that is not known. `threads`: the first ones, which are no tasks; `ofLock`:
/// theirs.
void findPuts(JobQueue &queue, const std::vector<StrandThread> &all, const StrandGraph &graph,
              size_t threads, const LockEvents &ofLock, Told told);

} // namespace quincunx
