// Tasks that wait for a thread of a team.
// The rule: a thread puts tasks at the back of its queue and takes from there, so that it goes on
// with what it made last. One with nothing of its own robs the one it robbed last, or another at
// random, of the oldest. A queue holds so many (libomp: 256); who makes more runs them at once.
// Reference: libomp (kmp_tasking.cpp); Blumofe & Leiserson, J. ACM 46 (1999). Priorities,
// affinities and untied tasks are left out.
#include "TaskQueues.h"

#include "quincunx/base/Index.h"

namespace quincunx::parallel {

bool TaskQueues::offer(uint32_t thread, uint32_t task) {
  if (queues[thread].tasks.size() >= most)
    return false;
  add(thread, task);
  return true;
}

void TaskQueues::add(uint32_t thread, uint32_t task) {
  Queue &q = queues[thread];
  if (q.tasks.empty()) {
    q.place = holders.size();
    holders.push_back(thread);
  }
  q.tasks.push_back(task);
}

void TaskQueues::remove(uint32_t thread, size_t at) {
  Queue &q = queues[thread];
  if (at == 0)
    q.tasks.pop_front();
  else if (at + 1 == q.tasks.size())
    q.tasks.pop_back();
  else
    q.tasks.erase(q.tasks.begin() + static_cast<std::ptrdiff_t>(at));
  if (!q.tasks.empty())
    return;
  queues[holders.back()].place = q.place;
  holders[q.place] = holders.back();
  holders.pop_back();
}

uint32_t TaskQueues::takeOwn(uint32_t thread, const Allowed &mayRun) {
  const std::deque<uint32_t> &tasks = queues[thread].tasks;
  for (size_t i = tasks.size(); i-- > 0;)
    if (const uint32_t task = tasks[i]; mayRun(task)) {
      remove(thread, i);
      return task;
    }
  return noIndex;
}

uint32_t TaskQueues::steal(uint32_t victim, const Allowed &mayRun) {
  const std::deque<uint32_t> &tasks = queues[victim].tasks;
  for (size_t i = 0; i < tasks.size(); ++i)
    if (const uint32_t task = tasks[i]; mayRun(task)) {
      remove(victim, i);
      return task;
    }
  return noIndex;
}

uint32_t TaskQueues::take(uint32_t thread, const Allowed &mayRun, std::mt19937_64 &random) {
  if (const uint32_t own = takeOwn(thread, mayRun); own != noIndex)
    return own;
  uint32_t &victim = queues[thread].victim;
  if (victim != noIndex)
    if (const uint32_t again = steal(victim, mayRun); again != noIndex)
      return again;
  victim = noIndex;
  const size_t first = holders.size() < 2 ? 0 : random() % holders.size();
  for (size_t i = 0, n = holders.size(); i < n; ++i) {
    const uint32_t other = holders[(first + i) % n];
    if (const uint32_t task = steal(other, mayRun); task != noIndex) {
      victim = other;
      return task;
    }
  }
  return noIndex;
}

} // namespace quincunx::parallel
