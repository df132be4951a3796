// How many threads work at a time, where that is fewer than there are.
// The idea: tasks that ran are described as threads of their own, but the threads that execute them
// are fewer, as seats are. One that has not begun waits in the queue of the seat on which it was
// made, as with libomp: who sits there takes the last one, others rob it of the first
// (TaskQueues.h). Who waits leaves its seat to others, and goes on there when these have ended, as
// they are executed on top of it; while it waits for its own tasks, only what comes from these is
// (OpenMP's scheduling constraint). Where nothing is a task, any seat will do to go on. Who waits
// for a lock keeps its seat: it holds its thread up. Who has a lock is never kept standing, or
// nobody might go on. Reference: docs/27-parallel.md.
#include "Simulation.h"

#include <algorithm>

namespace quincunx::parallel {

bool Simulation::takeSeat(uint32_t id) {
  Thread &t = threads[id];
  if (t.isSeated)
    return true;
  const uint32_t seat = seatFor(id);
  if (seat != noIndex || t.locksHeld > 0) {
    sit(id, seat);
    return true;
  }
  const bool hasWorked = t.time.busy > 0;
  t.state = Thread::State::inLine;
  t.since = now;
  ++out.line.count;
  if (t.keepsSeat)
    return false;
  if (t.isTask && !hasWorked)
    tasksInLine.add(t.seat, id);
  else
    (hasWorked ? begun : fresh).push_back(id);
  return false;
}

/// A free one; noIndex: there is none.
uint32_t Simulation::seatFor(uint32_t id) {
  const Thread &t = threads[id];
  if (t.keepsSeat)
    return seats[t.seat].back() == id && std::ranges::count(freeSeats, t.seat) != 0 ? t.seat
                                                                                    : noIndex;
  const auto unkept =
      std::ranges::find_if(freeSeats, [&](uint32_t seat) { return seats[seat].empty(); });
  if (unkept != freeSeats.end())
    return *unkept;
  if (seats.size() < setting.atOnce) {
    freeSeats.push_back(static_cast<uint32_t>(seats.size()));
    seats.emplace_back();
    tasksInLine.addThread();
    return freeSeats.back();
  }
  const auto kept =
      std::ranges::find_if(freeSeats, [&](uint32_t seat) { return mayBegin(id, seat); });
  return kept == freeSeats.end() ? noIndex : *kept;
}

bool Simulation::mayBegin(uint32_t id, uint32_t seat) const {
  if (seats[seat].empty() || !threads[seats[seat].back()].waitsForTasks)
    return true;
  const uint32_t waits = seats[seat].back();
  while (threads[id].depth > threads[waits].depth)
    id = threads[id].maker;
  return id == waits;
}

/// On none (noIndex) it is one too many, and has a lock.
void Simulation::sit(uint32_t id, uint32_t seat) {
  Thread &t = threads[id];
  if (std::exchange(t.keepsSeat, false))
    std::erase(seats[t.seat], id);
  t.isSeated = true;
  t.isOnSeat = seat != noIndex;
  if (!t.isOnSeat)
    return;
  t.seat = seat;
  std::erase(freeSeats, seat);
}

uint32_t Simulation::nextInLine(uint32_t seat) {
  if (!seats[seat].empty())
    if (const uint32_t last = seats[seat].back(); threads[last].state == Thread::State::inLine)
      return last;
  for (std::deque<uint32_t> *line : {&begun, &fresh})
    if (!line->empty()) {
      const uint32_t next = line->front();
      line->pop_front();
      return next;
    }
  return tasksInLine.take(seat, [&](uint32_t id) { return mayBegin(id, seat); }, random);
}

void Simulation::fill(uint32_t seat, uint32_t by) {
  const uint32_t number = nextInLine(seat);
  if (number == noIndex)
    return;
  Thread &next = threads[number];
  if (now > next.since) {
    next.piece = threads[by].piece;
    next.edge = Edge::line;
  }
  next.time.waited += now - next.since;
  out.line.time += now - next.since;
  sit(number, seat);
  startWork(number);
}

void Simulation::leaveSeat(uint32_t id) {
  Thread &t = threads[id];
  if (!t.isSeated) {
    if (!t.isOver || !std::exchange(t.keepsSeat, false))
      return;
    std::erase(seats[t.seat], id); // it ends without more work
    if (std::ranges::count(freeSeats, t.seat) != 0)
      fill(t.seat, id);
    return;
  }
  t.isSeated = false;
  if (!std::exchange(t.isOnSeat, false))
    return;
  freeSeats.push_back(t.seat);
  if (d.firstTask != noIndex && !t.isOver) {
    t.keepsSeat = true;
    seats[t.seat].push_back(id);
  }
  fill(t.seat, id);
}

} // namespace quincunx::parallel
