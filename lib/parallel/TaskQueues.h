// Tasks that wait for a thread of a team, as libomp keeps them. Reference: docs/27-parallel.md.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <vector>

namespace quincunx::parallel {

class TaskQueues {
public:
  using Allowed = std::function<bool(uint32_t task)>;

  TaskQueues(uint32_t threads, uint32_t limit) : queues(threads), most(limit) {}

  void addThread() { queues.emplace_back(); }
  /// False when the thread's queue is full, and nothing was added.
  bool offer(uint32_t thread, uint32_t task);
  /// The same whatever the limit.
  void add(uint32_t thread, uint32_t task);
  /// What the thread runs next, of what it may run, and not in the queues any more; noIndex when
  /// there is none.
  uint32_t take(uint32_t thread, const Allowed &mayRun, std::mt19937_64 &random);
  bool empty() const { return holders.empty(); }

private:
  struct Queue {
    std::deque<uint32_t> tasks;
    uint32_t victim = UINT32_MAX; ///< whom the thread robbed last
    size_t place = 0;             ///< in `holders`
  };
  uint32_t takeOwn(uint32_t thread, const Allowed &mayRun);
  uint32_t steal(uint32_t victim, const Allowed &mayRun);
  void remove(uint32_t thread, size_t at);

  std::vector<Queue> queues;
  std::vector<uint32_t> holders; ///< threads whose queues hold tasks
  size_t most;
};

} // namespace quincunx::parallel
