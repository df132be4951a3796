// Locks: first come, first served, but for those that get ahead.
// The idea: a lock that is given back goes to the one that waited longest, at that moment. Mutexes
// of pthreads are free until that one has woken up, and who comes meanwhile has them: that is who
// gave it back and wants it again (descriptions say so: StepKind::unlock). Who shares a lock waits
// only for one that has it alone, and those who share go first when that one gives it back, as
// pthread_rwlock_t prefers readers unless it is told otherwise (glibc, pthread_rwlock_common.c).
// Reference: docs/27-parallel.md.
#include "Simulation.h"

#include <algorithm>

namespace quincunx::parallel {

namespace {

constexpr uint32_t mostGivenWay = 10000;

bool isFree(const LockState &l) {
  return l.owner == noIndex && l.queue.empty() && l.sharers.empty();
}

} // namespace

bool Simulation::lock(uint32_t id, uint32_t number, bool shares) {
  LockState &l = locks[number];
  if (l.owner == id && std::exchange(l.isKept, false))
    return true;
  if (l.owner != noIndex || (!shares && (!l.queue.empty() || !l.sharers.empty()))) {
    l.queue.push_back({id, shares});
    block(id, &out.locks[number]); // on its seat
    return false;
  }
  shares ? l.sharers.push_back(id) : void(l.owner = id);
  ++threads[id].locksHeld;
  return true;
}

bool Simulation::tryLock(uint32_t id, uint32_t number) {
  const LockState &l = locks[number];
  if (isFree(l) || (l.owner == id && l.isKept))
    return lock(id, number, false);
  threads[id].notHad.push_back(number);
  ++out.missed;
  return true;
}

// It waits for one of them, and has none while it does. Two that are let go on at one instant could
// do so for each other for ever.
bool Simulation::lockAll(uint32_t id, const Step &s) {
  Thread &t = threads[id];
  const auto number = [&](uint32_t behind) {
    return d.together[s.object + (t.firstLock + behind) % s.count];
  };
  for (;;) {
    if (!std::exchange(t.hasFirst, true) && !lock(id, number(0), false)) {
      --t.stack.back().at; // the step is met again
      return false;
    }
    uint32_t busy = 1;
    while (busy < s.count && isFree(locks[number(busy)]))
      ++busy;
    t.hasFirst = false;
    if (busy == s.count)
      break;
    if (++t.gaveWay > mostGivenWay) {
      fail("threads that want several locks give way to each other forever");
      return false;
    }
    release(id, number(0));
    t.firstLock = (t.firstLock + busy) % s.count;
  }
  for (uint32_t other = 1; other < s.count; ++other)
    lock(id, number(other), false);
  t.firstLock = t.gaveWay = 0;
  return true;
}

// Readers that wait go first.
bool Simulation::unlock(uint32_t id, const Step &s) {
  if (std::erase(threads[id].notHad, s.object) != 0)
    return true;
  LockState &l = locks[s.object];
  if (!s.nowait || l.owner != id || std::ranges::any_of(l.queue, &LockState::Waiter::shares))
    return release(id, s.object);
  l.isKept = true;
  return true;
}

bool Simulation::release(uint32_t id, uint32_t number) {
  LockState &l = locks[number];
  const auto sharer = std::ranges::find(l.sharers, id);
  if (l.owner != id && sharer == l.sharers.end()) {
    fail("lock " + std::to_string(number) + " is given back by a thread that has it not");
    return false;
  }
  --threads[id].locksHeld;
  if (l.owner == id)
    l.owner = noIndex;
  else
    l.sharers.erase(sharer);
  grant(number, id);
  return true;
}

void Simulation::grant(uint32_t number, uint32_t by) {
  LockState &l = locks[number];
  while (l.owner == noIndex) {
    auto next = std::ranges::find(l.queue, true, &LockState::Waiter::shares);
    if (next == l.queue.end() && l.sharers.empty())
      next = l.queue.begin();
    if (next == l.queue.end())
      return;
    const LockState::Waiter had = *next;
    l.queue.erase(next);
    had.shares ? l.sharers.push_back(had.thread) : void(l.owner = had.thread);
    ++threads[had.thread].locksHeld;
    wake(had.thread, by, Edge::lock, setting.burdens.handOff);
  }
}

} // namespace quincunx::parallel
