// How many threads work at a time, where that is fewer than there are.
// The idea: tasks that ran are described as threads of their own, but the threads that execute them
// are fewer, as seats are. One that has not begun waits in the queue of the seat on which it was
// made, as with libomp: who sits there takes the last one, others rob it of the first
// (TaskQueues.h). Who waits leaves its seat to others, and goes on there when these have ended, as
// they are executed on top of it; while it waits for its own tasks, only what comes from these is
// (OpenMP's scheduling constraint). Tasks begin where somebody waits, others where nobody does, as
// they are threads; where nothing is a task, any seat will do to go on. A member of a team that has
// come to its end waits there for the tasks of the team, as with OpenMP. A seat that
// was left is given away when all who are let go on at that moment have, so that who waits for what
// ends there goes on before anything new begins. Who waits for a lock keeps its seat: it holds its
// thread up. Who has a lock is never kept standing, or nobody might go on.
// Reference: docs/27-parallel.md.
#include "Simulation.h"

#include <algorithm>
#include <utility>

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
  if (t.keepsSeat)
    return false;
  if (t.isTask && !hasWorked)
    tasksInLine.add(t.seat, id);
  else
    (hasWorked ? begun : fresh).push_back(id);
  return false;
}

/// A free one, of those that were left at this moment its own alone; noIndex: there is none.
uint32_t Simulation::seatFor(uint32_t id) {
  const Thread &t = threads[id];
  if (t.keepsSeat)
    return seats[t.seat].back() == id && (std::ranges::count(freeSeats, t.seat) != 0 ||
                                          std::ranges::count(left, t.seat, &Left::seat) != 0)
               ? t.seat
               : noIndex;
  if (const uint32_t unkept = t.isTask ? noIndex : unkeptSeat(); unkept != noIndex)
    return unkept;
  const auto kept =
      std::ranges::find_if(freeSeats, [&](uint32_t seat) { return mayBegin(id, seat); });
  return kept == freeSeats.end() ? noIndex : *kept;
}

uint32_t Simulation::unkeptSeat() {
  const auto isNobodys = [&](uint32_t seat) { return seats[seat].empty(); };
  const auto unkept = std::ranges::find_if(
      freeSeats, [&](uint32_t seat) { return isNobodys(seat) && membersOf[seat] == noIndex; });
  if (unkept != freeSeats.end())
    return *unkept;
  if (seats.size() >= setting.atOnce) { // that of a member, which others of its team need no more
    const auto ofMember = std::ranges::find_if(freeSeats, isNobodys);
    return ofMember == freeSeats.end() ? noIndex : *ofMember;
  }
  freeSeats.push_back(static_cast<uint32_t>(seats.size()));
  seats.emplace_back();
  membersOf.push_back(noIndex);
  tasksInLine.addThread();
  return freeSeats.back();
}

bool Simulation::mayBegin(uint32_t id, uint32_t seat) const {
  if (seats[seat].empty())
    return !threads[id].isTask || (membersOf[seat] != noIndex && isOfTeam(id, membersOf[seat]));
  if (!threads[seats[seat].back()].waitsForTasks)
    return true;
  const uint32_t waits = seats[seat].back();
  while (threads[id].depth > threads[waits].depth)
    id = threads[id].maker;
  return id == waits;
}

/// Was the task made in the team of the member?
bool Simulation::isOfTeam(uint32_t task, uint32_t member) const {
  while (threads[task].isTask)
    task = threads[task].maker;
  const uint32_t first = threads[member].maker;
  return task == first || (threads[task].isMember && threads[task].maker == first);
}

/// It begins a team, and the one before has ended.
void Simulation::forgetMembers(uint32_t id) {
  const Frame &f = threads[id].stack.back();
  if (f.at > 1) // behind the step of this fork
    if (const Step &before = d.bodies[f.body][f.at - 2];
        before.kind == StepKind::fork && before.count != 0)
      return;
  for (uint32_t &member : membersOf)
    if (member != noIndex && threads[member].maker == id)
      member = noIndex;
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
  if (!t.isTask)
    membersOf[seat] = noIndex;
  std::erase(freeSeats, seat);
  std::erase_if(left, [&](const Left &l) { return l.seat == seat; });
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

void Simulation::fillSeats() {
  for (const Left &l : std::exchange(left, {})) {
    const uint32_t number = nextInLine(l.seat);
    if (number == noIndex)
      freeSeats.push_back(l.seat);
    else
      fill(l, number);
  }
}

void Simulation::fill(const Left &l, uint32_t number) {
  Thread &next = threads[number];
  if (now > next.since) {
    next.piece = threads[l.by].piece;
    next.edge = Edge::line;
    ++out.line.count;
  }
  next.time.waited += now - next.since;
  out.line.time += now - next.since;
  sit(number, l.seat);
  startWork(number);
}

void Simulation::leaveSeat(uint32_t id) {
  Thread &t = threads[id];
  if (!t.isSeated) { // it ends without more work, or waits for something else
    if (!t.keepsSeat)
      return claimSeat(id);
    if (t.isOver) {
      t.keepsSeat = false;
      std::erase(seats[t.seat], id);
      if (t.isMember)
        membersOf[t.seat] = id;
    }
    if (std::erase(freeSeats, t.seat) != 0)
      left.push_back({t.seat, id});
    return;
  }
  t.isSeated = false;
  if (!std::exchange(t.isOnSeat, false))
    return;
  left.push_back({t.seat, id});
  if (d.firstTask != noIndex && !t.isOver) {
    t.keepsSeat = true;
    seats[t.seat].push_back(id);
  } else if (t.isMember && t.isOver) {
    membersOf[t.seat] = id;
  }
}

/// Of a thread that waits, or as a member of a team ends, before it has worked, for tasks that may
/// begin there. The first one is no thread of the program where it only waits for the end of all
/// others.
void Simulation::claimSeat(uint32_t id) {
  Thread &t = threads[id];
  if (d.firstTask == noIndex || id == 0 || t.isTask || (t.isOver && !t.isMember))
    return;
  const uint32_t seat = unkeptSeat();
  if (seat == noIndex)
    return;
  t.seat = seat;
  if (t.isOver) {
    membersOf[seat] = id;
  } else {
    t.keepsSeat = true;
    seats[seat].push_back(id);
  }
  std::erase(freeSeats, seat);
  left.push_back({seat, id});
}

} // namespace quincunx::parallel
