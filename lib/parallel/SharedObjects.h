// What threads of a run share and wait for. Reference: docs/27-parallel.md.
#pragma once

#include "TaskQueues.h"
#include "quincunx/parallel/LoopSchedule.h"

#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace quincunx::parallel {

/// A loop or a single that a team goes through.
struct Construct {
  std::unique_ptr<LoopSchedule> schedule;
  bool isTaken = false; ///< a single
};

struct Team {
  Team(uint32_t threads, uint32_t taskQueue) : size(threads), queues(threads, taskQueue) {}
  uint32_t size;
  std::deque<Construct> constructs;
  std::deque<uint32_t> idle; ///< threads that would run a task, those that came first in front
  TaskQueues queues;
  uint32_t arrived = 0, opened = 0, left = 0;
  uint64_t unfinished = 0; ///< tasks
};

struct LastUses {
  uint32_t writer = noIndex;
  std::vector<uint32_t> readers; ///< since then
};
struct TaskRecord {
  uint32_t body = noIndex, parent = noIndex, depth = 0, group = noIndex;
  uint32_t children = 0; ///< that have not ended
  uint32_t missing = 0;  ///< what it depends on and has not ended
  uint32_t waiter = noIndex;
  bool hasEnded = false;
  std::vector<uint32_t> successors;
};
struct Group {
  uint32_t outer = noIndex, unfinished = 0, waiter = noIndex;
};
struct Race {
  uint32_t starter = noIndex;
  std::vector<uint32_t> contestants;
};
struct LockState {
  struct Waiter {
    uint32_t thread;
    bool shares;
  };
  uint32_t owner = noIndex;
  bool isKept = false; ///< by the owner, which gave it back and comes again
  std::vector<uint32_t> sharers;
  std::deque<Waiter> queue;
};
struct BarrierState {
  std::vector<uint32_t> threads;              ///< that meet
  uint32_t arrived = 0;                       ///< by `arrive`
  bool isBegun = false;                       ///< `once`
  std::multimap<uint32_t, uint32_t> awaiting; ///< by how many are to arrive: who waits for that
};
struct PoolState {
  std::vector<bool> isPut, isAwaited; ///< by number: a step puts it, and has not yet
  size_t next = 0;                    ///< all before it have been put, or nobody does
  std::deque<uint32_t> there;         ///< bodies to be dealt
  std::deque<uint32_t> askers;        ///< threads that wait for one
};
struct ChannelState {
  uint64_t count = 0;
  std::deque<uint32_t> getters, putters;
};

} // namespace quincunx::parallel
