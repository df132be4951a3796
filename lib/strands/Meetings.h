// Where threads that ran meet, as steps of a description: at which of its nodes each posts and
// takes, arrives and passes, puts jobs, is dealt them, and has its portion of a loop. Reference:
// docs/27-parallel.md. It follows no thread from node to node (ThreadBodies.cpp), and knows no
// locks but those of queues.
#pragma once

#include "ConditionWaits.h"
#include "DealtLoops.h"
#include "JobQueues.h"
#include "LogicalThreads.h"
#include "StrandGraph.h"
#include "quincunx/strands/StrandDescription.h"

namespace quincunx {

/// What ran, and what of it is dealt or counted. All must outlive it.
struct Meeting {
  const LogicalThreads &threads;
  const StrandGraph &graph; ///< of these threads
  Kept kept;
  const std::vector<JobQueue> &queues;
  const ConditionWaits &waits;
  const std::vector<const DealtLoop *> &loops;
};

/// The body of a thread, of which the number is an index.
inline uint32_t bodyOfThread(size_t thread) { return static_cast<uint32_t>(thread + 1); }

/// Whether it had to wait for a lock was chance.
inline StrandWait waitAt(const StrandEvent &e) {
  return {takesLock(e.kind) ? QX_STRAND_LOCK : e.kind, e.site};
}

/// The classes of work of a description: what strands that end at one place do.
class WorkClasses {
public:
  /// `created`: by thread, the site at which it was begun. `to` must outlive it.
  WorkClasses(StrandDescription &to, std::vector<uint32_t> created);
  /// Of the work of a strand that ends with it.
  uint32_t of(const StrandEvent &end, size_t thread);

private:
  StrandDescription &out;
  const std::vector<uint32_t> created;
  std::map<std::pair<StrandPlace, bool>, uint32_t> numbers;
};

/// What threads do where they meet. Nodes are those of the graph.
struct Meetings {
  using EventAt = std::pair<size_t, size_t>; ///< thread and event
  /// What a thread does at a node beside having a lock or giving it back.
  struct AtNode {
    parallel::Body before, after;
  };
  struct Portion {
    uint32_t loop, member;
    size_t last; ///< event of the part
  };
  struct Once {
    uint32_t barrier, body;
  };
  std::map<uint32_t, AtNode> atNode;
  std::map<EventAt, Portion> partAt;
  std::map<EventAt, std::pair<size_t, size_t>> takenBy; ///< the queue, and which of its takes
  /// The queue with whose jobs it is done, and which of its bodies is next.
  std::map<EventAt, std::pair<size_t, size_t>> doneAt;
  std::map<EventAt, Once> onceAt, onceEnds;
  std::map<uint32_t, uint32_t> lastAt; ///< by node: the body of what who comes last does
  std::vector<bool> isForked;          ///< by thread: another one begins it
};

/// Adds channels, barriers, queues and loops to `out`, which has the bodies of the threads and the
/// channel on which they post their ends. `owned`: locks that are had by who comes first.
Meetings meetingsOf(const Meeting &ran, const std::set<uint64_t> &owned, WorkClasses &works,
                    StrandDescription &out);

} // namespace quincunx
