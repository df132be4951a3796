// How many threads work at a time, where that is fewer than there are.
// The idea: tasks that ran are described as threads of their own, but the threads that execute them
// are fewer; a task that waits for others leaves its thread to another one, as executing those on
// top of it comes to. Who waits for a lock does not: it holds its thread up. Who has a lock is
// never kept standing, or nobody might go on. Reference: docs/27-parallel.md.
#include "Simulation.h"

namespace quincunx::parallel {

bool Simulation::takeSeat(uint32_t id) {
  Thread &t = threads[id];
  if (t.isSeated)
    return true;
  const bool hasWorked = t.time.busy > 0;
  if (seated < setting.atOnce || t.locksHeld > 0) {
    t.isSeated = true;
    ++seated;
    return true;
  }
  t.state = Thread::State::inLine;
  t.since = now;
  ++out.line.count;
  (hasWorked ? begun : fresh).push_back(id);
  return false;
}

void Simulation::leaveSeat(uint32_t id) {
  if (!threads[id].isSeated)
    return;
  threads[id].isSeated = false;
  --seated;
  while (seated < setting.atOnce && (!begun.empty() || !fresh.empty())) {
    std::deque<uint32_t> &line = begun.empty() ? fresh : begun;
    Thread &next = threads[line.front()];
    next.isSeated = true;
    if (now > next.since) {
      next.piece = threads[id].piece;
      next.edge = Edge::line;
    }
    next.time.waited += now - next.since;
    out.line.time += now - next.since;
    ++seated;
    startWork(line.front());
    line.pop_front();
  }
}

} // namespace quincunx::parallel
