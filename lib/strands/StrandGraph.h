// The graph of strands: a node for the beginning of each thread and for each of its events, an edge
// where one thread waits for another.
#pragma once

#include "quincunx/strands/Events.h"

#include <map>
#include <span>
#include <utility>
#include <vector>

namespace quincunx {

/// An error when events were left out.
Status checkWhole(const ProcessStrands &strands);

/// Nodes are numbered thread by thread, each beginning with that of its beginning; then come those
/// where several meet, and which are nobody's.
class StrandGraph {
public:
  explicit StrandGraph(const ProcessStrands &strands);

  enum class Reason : uint8_t {
    thread,    ///< it cannot be otherwise
    lock,      ///< from who had the lock before
    semaphore, ///< from who added what was taken
    permit     ///< the same, where that limits how many may be somewhere at once
  };
  struct Edge {
    uint32_t from, to;
    Reason why;
  };
  const std::vector<Edge> &edges() const { return found; }
  /// Did a wait end for what was made in no part, as far as is known? Those that do them are of
  /// objects that record nothing.
  bool hasUnexplained() const { return isUnexplained; }
  /// An error when it has not all edges, as there are too many.
  Status isWhole() const;
  /// Of semaphores: how many are there at first, and who adds and takes.
  struct Semaphore {
    size_t value = 0;
    std::vector<uint32_t> posts, takes;
  };
  const std::vector<Semaphore> &semaphores() const { return counted; }
  /// Where edges lead from each node, and how many lead to each.
  struct Successors {
    std::vector<uint32_t> begins; ///< per node, in `to`; one more
    std::vector<uint32_t> to, waits;
  };
  Successors successors(bool withLocks) const;
  uint32_t nodes() const { return next; }
  uint32_t beginOf(size_t thread) const { return first[thread]; }
  /// By thread: the site where it was created; 0: nobody is known to have done it.
  std::vector<uint32_t> sitesOfCreation() const;
  /// Index of the thread of a node; that of no thread: behind all.
  size_t threadOf(uint32_t node) const;
  /// The event of a node that is none of a beginning.
  const StrandEvent &eventOf(uint32_t node) const;

private:
  struct Met {
    uint32_t order, node, thread;
    const StrandEvent *event;
  };
  using Of = std::vector<Met>;
  void connectThreads();
  void connect(const Of &events);
  void connectLock(const Of &events);
  void connectCondition(const Of &events);
  static bool isHeld(std::span<const Met> semaphore);
  void connectSemaphore(const Of &events);
  void connectBarrier(const Of &events);
  bool isYounger(uint32_t thread, const Met &part) const;
  static bool tellsOf(const Met &part, const Met &before);
  void connectReadiness(const Of &events);
  void add(uint32_t from, uint32_t to, Reason why = Reason::thread) {
    found.push_back({from, to, why});
  }

  const ProcessStrands &strands;
  std::vector<uint32_t> first;          ///< per thread
  std::map<uint32_t, uint32_t> created; ///< by thread: the node of who did
  std::vector<Edge> found;
  std::vector<Semaphore> counted;
  uint32_t next = 0;
  bool isUnexplained = false, isDense = false;
  size_t steps = 0; ///< of going through parts
};

} // namespace quincunx
