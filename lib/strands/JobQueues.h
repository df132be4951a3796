// Queues from which several threads take jobs.
#pragma once

#include "StrandGraph.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace quincunx {

/// Threads come to a lock at one place, some more often than others: each time they take a job,
/// which they do up to the next time they come to such a place. The last time they find none; or
/// that was a job as well, if they worked behind it, as they learned elsewhere that none is left.
/// Or they take the numbers of jobs from an atomic counter.
struct JobQueue {
  uint64_t object = 0; ///< the lock, or the counter
  uint32_t site = 0;
  bool isCounter = false; ///< that it is a queue is known, and not found from what happened
  /// A job that was taken: by which thread, at which of its events it came for it, and the order of
  /// that at which it had it, as it may have waited for one.
  struct Take {
    uint32_t order = 0;
    size_t thread = 0, event = 0;
    int64_t number = 0; ///< that a counter had
  };
  std::vector<Take> takes; ///< in order
  size_t elsewhere = 0;    ///< of these, first ones of threads, which they had at another place
  /// Where threads are done with their last jobs, if these are what they took last: thread, event.
  std::vector<std::pair<size_t, size_t>> ends;
  /// By take: the node at which its job was put; noIndex: nothing is known of that one.
  std::vector<uint32_t> puts; ///< empty: nothing is known of any
  /// Where who took waited for a job: it waits for puts now. Nodes.
  std::set<uint32_t> waits;
  /// By thread: nodes at which it waited until others had done jobs, and how many had been done.
  std::map<size_t, std::map<uint32_t, size_t>> waitsForDone;
};

/// Those with counters first. `threads`: the first ones of the graph's, which are no tasks; they
/// alone are looked at for locks, and outside of loops that they share.
/// `owned`: locks that who has them gives back.
std::vector<JobQueue> jobQueues(const std::vector<StrandThread> &all, const StrandGraph &graph,
                                size_t threads, const std::set<uint64_t> &owned);

} // namespace quincunx
