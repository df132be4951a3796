// Queues from which several threads take jobs.
#pragma once

#include "StrandGraph.h"

#include <set>

namespace quincunx {

/// Threads that were created at one place and have one lock, at one place of theirs, some more
/// often than others: each time they take a job, which they do up to the next time.
struct JobQueue {
  uint64_t lock = 0;
  uint32_t site = 0;
  std::set<size_t> takers; ///< threads, by index
  /// Where others give the lock up, in order: if they did so often enough before each was taken,
  /// they put a job there each time.
  std::vector<uint32_t> puts; ///< nodes; empty: nothing is known of that
};

/// Whether the thread takes a job at that event of its.
bool takesJob(const JobQueue &queue, size_t thread, const std::vector<StrandEvent> &events,
              size_t i);

/// `threads`: the first ones of the graph's, those of the process. `owned`: locks that who has them
/// gives back.
std::vector<JobQueue> jobQueues(const std::vector<StrandThread> &all, const StrandGraph &graph,
                                size_t threads, const std::set<uint64_t> &owned);

} // namespace quincunx
