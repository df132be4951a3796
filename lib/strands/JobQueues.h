// Queues from which several threads take jobs.
#pragma once

#include "StrandGraph.h"

#include <set>
#include <utility>
#include <vector>

namespace quincunx {

/// Threads come to a lock at one place, some more often than others: each time they take a job,
/// which they do up to the next time they come to such a place. The last time they find none; or
/// that was a job as well, if they worked behind it, as they learned elsewhere that none is left.
struct JobQueue {
  uint64_t lock = 0;
  uint32_t site = 0;
  /// A job that was taken: by which thread, at which of its events it came for it, and the order of
  /// that at which it had it, as it may have waited for one.
  struct Take {
    uint32_t order = 0;
    size_t thread = 0, event = 0;
  };
  std::vector<Take> takes; ///< in order
  /// Where threads are done with their last jobs, if these are what they took last: thread, event.
  std::vector<std::pair<size_t, size_t>> ends;
  /// Where the lock is given up after it was had elsewhere, in order: if that was once before each
  /// take, but for a last one of each thread, a job was put there each time.
  std::vector<uint32_t> puts; ///< nodes; empty: nothing is known of that
  /// Where who took waited for a job: it waits for puts now. Nodes.
  std::set<uint32_t> waits;
};

/// `threads`: the first ones of the graph's, those of the process. `owned`: locks that who has them
/// gives back.
std::vector<JobQueue> jobQueues(const std::vector<StrandThread> &all, const StrandGraph &graph,
                                size_t threads, const std::set<uint64_t> &owned);

} // namespace quincunx
