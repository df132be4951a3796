// Threads that go from step to step.
// The idea: a thread is a stack of frames, so that one that waits for tasks runs others on top of
// its own; it is followed until it works or waits, and only the end of work is an event.
// Reference: docs/27-parallel.md.
#include "Simulation.h"

#include <utility>

namespace quincunx::parallel {

Simulation::Simulation(const Description &description, const Setting &s)
    : d(description), setting(s), random(s.seed), locks(d.locks), barriers(d.barriers.size()),
      channels(d.channels.size()), portions(d.loops.size()) {
  out.locks.resize(locks.size());
  out.barriers.resize(barriers.size());
  out.channels.resize(channels.size());
  for (size_t c = 0; c < channels.size(); ++c)
    channels[c].count = d.channels[c].initial;
  fillPools();
}

Result<Simulated> Simulation::run() {
  const uint32_t first = threads.add();
  push(first, Frame::Kind::thread, 0);
  go(first);
  goReady();
  for (TimedEvent event{}; !isOver && failure.empty() && queue.take(event);) {
    happen(event);
    goReady();
  }
  if (failure.empty() && !isOver)
    failure = deadlock();
  if (!failure.empty())
    return Error{failure};
  out.makespan = now;
  out.last = threads[first].piece;
  out.tasks = tasksMade;
  out.isDrawn = random != std::mt19937_64(setting.seed);
  for (uint32_t id = 0; id < threads.size(); ++id)
    out.threads.push_back(threads[id].time);
  return std::move(out);
}

std::string Simulation::deadlock() const {
  for (uint32_t id = 0; id < threads.size(); ++id) {
    const Thread &t = threads[id];
    if (t.state != Thread::State::waiting && t.state != Thread::State::idle &&
        t.state != Thread::State::inLine)
      continue;
    for (size_t i = t.stack.size(); i-- > 0;)
      if (const Frame &f = t.stack[i]; f.body != noIndex)
        return "threads wait for each other forever; thread " + std::to_string(id) + " at step " +
               std::to_string(f.at == 0 ? 0 : f.at - 1) + " of body " + std::to_string(f.body);
  }
  return "threads wait for each other forever";
}

void Simulation::happen(const TimedEvent &event) {
  Thread &t = threads[event.record()];
  if (t.state != Thread::State::working || t.event != event.created())
    return; // it was cancelled
  const double passed = event.time - virtualNow;
  if (working > setting.cores)
    delay += passed * (working / setting.cores - 1);
  virtualNow = event.time;
  now = virtualNow + delay;
  --working;
  t.time.busy += t.amount;
  t.state = Thread::State::ready;
  if (setting.keepPieces)
    out.pieces[t.piece].end = now;
  go(event.record());
}

void Simulation::goReady() {
  while (!ready.empty() && !isOver) {
    const uint32_t id = ready.front();
    ready.pop_front();
    if (threads[id].state == Thread::State::ready)
      go(id);
  }
  fillSeats();
}

void Simulation::go(uint32_t id) {
  Thread &t = threads[id];
  if (!pay(id, std::exchange(t.owed, 0)))
    return;
  bool goesOn = true;
  while (goesOn && failure.empty()) {
    Frame &f = t.stack.back();
    if (f.kind == Frame::Kind::loop)
      goesOn = deal(id);
    else if (f.kind == Frame::Kind::await)
      goesOn = goOnAwaiting(id);
    else if (const Body &body = d.bodies[f.body]; f.at < body.size())
      goesOn = follow(id, body[f.at++]);
    else
      goesOn = leave(id);
  }
}

bool Simulation::follow(uint32_t id, const Step &s) {
  switch (s.kind) {
  case StepKind::work:
    return work(id, s.amount, s.object);
  case StepKind::lock:
    return s.nowait ? tryLock(id, s.object) : lock(id, s.object, false);
  case StepKind::share:
    return lock(id, s.object, true);
  case StepKind::lockAll:
    return lockAll(id, s);
  case StepKind::unlock:
    return unlock(id, s);
  case StepKind::barrier:
    return s.object == noIndex ? teamBarrier(id) : meet(id, s.object);
  case StepKind::arrive:
    return arrive(id, s.object);
  case StepKind::pass:
    return pass(id, s);
  case StepKind::once:
    return once(id, s);
  case StepKind::last:
    return last(id, s);
  case StepKind::post:
    return post(id, s.object);
  case StepKind::take:
    if (get(id, s.object))
      return true;
    threads[id].waitsForTasks = s.count != 0;
    return false;
  case StepKind::fork:
    return hasPaid(id, setting.burdens.create) && fork(id, s);
  case StepKind::join:
    return join(id, s.object);
  case StepKind::team:
    return beginTeam(id, s);
  case StepKind::loop:
    return beginLoop(id, s);
  case StepKind::portion:
    return beginPortion(id, s);
  case StepKind::single:
    return single(id, s);
  case StepKind::task:
    return hasPaid(id, setting.burdens.task) && makeTask(id, s);
  case StepKind::taskwait:
    teamOf(id);
    return await(id, Frame::For::children, threads[id].in.task);
  case StepKind::taskgroup:
    return beginGroup(id, s.body);
  case StepKind::put:
    return put(id, s);
  case StepKind::deal:
    return dealBody(id, s.object);
  case StepKind::firstOf:
    return hasPaid(id, s.count * setting.burdens.create) && race(id, s);
  }
  return true;
}

bool Simulation::leave(uint32_t id) {
  const Frame f = threads[id].stack.back();
  switch (f.kind) {
  case Frame::Kind::thread:
    return endThread(id);
  case Frame::Kind::contestant:
    return endContestant(id);
  case Frame::Kind::member:
    return endMember(id);
  case Frame::Kind::task:
    return endTask(id);
  case Frame::Kind::group:
    return endGroup(id);
  default:
    threads[id].stack.pop_back();
    return f.nowait || teamBarrier(id);
  }
}

bool Simulation::work(uint32_t id, double amount, uint32_t workClass) {
  if (amount <= 0)
    return true;
  Thread &t = threads[id];
  t.amount = amount;
  t.workClass = workClass;
  if (takeSeat(id))
    startWork(id);
  return false;
}

void Simulation::startWork(uint32_t id) {
  Thread &t = threads[id];
  const double amount = t.amount;
  t.state = Thread::State::working;
  t.event = ++eventCount;
  t.since = virtualNow;
  ++working;
  queue.add(virtualNow + amount, t.event, id);
  if (setting.keepPieces) {
    out.pieces.push_back({now, now, id, t.workClass, t.piece, t.edge});
    t.piece = static_cast<uint32_t>(out.pieces.size() - 1);
    t.edge = Edge::order;
  }
}

// The step is met again when it is paid.
bool Simulation::hasPaid(uint32_t id, double price) {
  Thread &t = threads[id];
  if (price <= 0 || std::exchange(t.isPaid, false))
    return true;
  t.isPaid = true;
  --t.stack.back().at;
  return pay(id, price);
}

bool Simulation::wait(uint32_t id, Waits *what) {
  block(id, what);
  leaveSeat(id);
  return false;
}

void Simulation::block(uint32_t id, Waits *what) {
  Thread &t = threads[id];
  t.state = Thread::State::waiting;
  t.since = now;
  t.waits = what;
  if (what != nullptr)
    ++what->count;
}

void Simulation::wake(uint32_t id, uint32_t by, Edge why, double price) {
  Thread &t = threads[id];
  t.time.waited += now - t.since;
  if (t.waits != nullptr)
    t.waits->time += now - t.since;
  t.state = Thread::State::ready;
  t.owed += price;
  t.piece = threads[by].piece;
  t.edge = why;
  t.waitsForTasks = false;
  if (t.isTask && t.time.busy == 0)
    t.seat = threads[by].seat;
  ready.push_back(id);
}

void Simulation::begin(uint32_t id, uint32_t by) {
  Thread &t = threads[id];
  t.state = Thread::State::ready;
  t.piece = threads[by].piece;
  t.edge = Edge::fork;
  ready.push_back(id);
}

bool Simulation::fork(uint32_t id, const Step &s) {
  const uint32_t child = threads.add();
  threads[child].isTask = s.body >= d.firstTask;
  threads[child].isMember = s.count != 0;
  if (threads[child].isMember)
    forgetMembers(id);
  threads[child].seat = threads[id].seat;
  threads[child].maker = id;
  threads[child].depth = threads[id].depth + 1;
  push(child, Frame::Kind::thread, s.body);
  threads[id].forked.push_back(child);
  begin(child, id);
  return true;
}

bool Simulation::join(uint32_t id, uint32_t which) {
  const Thread &t = threads[id];
  if (which >= t.forked.size()) {
    fail("a thread joins number " + std::to_string(which) + ", and has forked " +
         std::to_string(t.forked.size()));
    return false;
  }
  Thread &other = threads[t.forked[which]];
  if (other.isOver)
    return true;
  other.joiner = id;
  return wait(id, nullptr);
}

bool Simulation::endThread(uint32_t id) {
  Thread &t = threads[id];
  t.stack.pop_back();
  t.state = Thread::State::unused;
  t.isOver = true;
  isOver = isOver || id == 0;
  leaveSeat(id);
  if (t.joiner != noIndex)
    wake(t.joiner, id, Edge::join, setting.burdens.handOff);
  return false;
}

} // namespace quincunx::parallel
