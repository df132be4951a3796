// How many threads work at a time, where that is fewer than there are.
// The idea: tasks that ran are described as threads of their own, but the threads that execute them
// are fewer, as seats are; a task that waits for others leaves its seat to another one, as
// executing those on top of it comes to. One that has not begun waits in the queue of the seat on
// which it was made, as with libomp: who sits there takes the last one, others rob it of the first
// (TaskQueues.h). Who waits for a lock keeps its seat: it holds its thread up. Who has a lock is
// never kept standing, or nobody might go on. Reference: docs/27-parallel.md.
#include "Simulation.h"

namespace quincunx::parallel {

bool Simulation::takeSeat(uint32_t id) {
  Thread &t = threads[id];
  if (t.isSeated)
    return true;
  const bool hasWorked = t.time.busy > 0;
  if (seated < setting.atOnce || t.locksHeld > 0) {
    sit(id);
    return true;
  }
  t.state = Thread::State::inLine;
  t.since = now;
  ++out.line.count;
  if (t.isTask && !hasWorked)
    tasksInLine.add(t.seat, id);
  else
    (hasWorked ? begun : fresh).push_back(id);
  return false;
}

void Simulation::sit(uint32_t id) {
  Thread &t = threads[id];
  t.isSeated = true;
  if (seated++ >= setting.atOnce)
    return; // it has a lock, and is one too many
  t.isOnSeat = true;
  if (freeSeats.empty()) {
    t.seat = seats++;
    tasksInLine.addThread();
    return;
  }
  t.seat = freeSeats.front();
  freeSeats.pop_front();
}

uint32_t Simulation::nextInLine(uint32_t seat) {
  for (std::deque<uint32_t> *line : {&begun, &fresh})
    if (!line->empty()) {
      const uint32_t next = line->front();
      line->pop_front();
      return next;
    }
  return tasksInLine.take(seat, [](uint32_t) { return true; }, random);
}

void Simulation::leaveSeat(uint32_t id) {
  if (!threads[id].isSeated)
    return;
  threads[id].isSeated = false;
  --seated;
  if (std::exchange(threads[id].isOnSeat, false))
    freeSeats.push_back(threads[id].seat);
  while (seated < setting.atOnce && !freeSeats.empty()) {
    const uint32_t number = nextInLine(freeSeats.front());
    if (number == noIndex)
      return;
    Thread &next = threads[number];
    if (now > next.since) {
      next.piece = threads[id].piece;
      next.edge = Edge::line;
    }
    next.time.waited += now - next.since;
    out.line.time += now - next.since;
    sit(number);
    startWork(number);
  }
}

} // namespace quincunx::parallel
