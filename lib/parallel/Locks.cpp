// Locks: first come, first served.
// The idea: a lock that is given back goes to the one that waited longest, at that moment. Mutexes
// of pthreads let others get ahead while that one wakes up; where threads wait for long that moves
// who waits, and hardly for how long all do. Reference: docs/27-parallel.md.
#include "Simulation.h"

namespace quincunx::parallel {

bool Simulation::lock(uint32_t id, uint32_t number) {
  LockState &l = locks[number];
  if (l.owner == noIndex) {
    l.owner = id;
    return true;
  }
  l.queue.push_back(id);
  return wait(id, &out.locks[number]);
}

bool Simulation::unlock(uint32_t id, uint32_t number) {
  LockState &l = locks[number];
  if (l.owner != id) {
    fail("lock " + std::to_string(number) + " is given back by a thread that has it not");
    return false;
  }
  l.owner = noIndex;
  if (l.queue.empty())
    return true;
  l.owner = l.queue.front();
  l.queue.pop_front();
  wake(l.owner, id, Edge::lock, setting.burdens.handOff);
  return true;
}

} // namespace quincunx::parallel
