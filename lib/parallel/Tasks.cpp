// Tasks: made, run, waited for.
// The idea: a thread that waits for tasks, or for its team, runs tasks meanwhile; when there are
// none it is idle, and the one that has been so for longest is told of the next. In taskwait and at
// the end of a taskgroup a thread runs only descendants of the task that waits, since it could not
// go on below another one (OpenMP's scheduling constraint). In teams of one thread tasks run where
// they are made.
// Reference: docs/27-parallel.md; OpenMP 5.2, 12. Undeferred, final, untied and detached tasks are
// left out, and so is taskloop, which makes tasks.
#include "Simulation.h"

#include <ranges>

namespace quincunx::parallel {

uint32_t Simulation::newTask(uint32_t body, uint32_t parent) {
  const auto task = static_cast<uint32_t>(tasks.size());
  TaskRecord &t = tasks.emplace_back();
  t.body = body;
  t.parent = parent;
  if (parent == noIndex)
    return task;
  t.depth = tasks[parent].depth + 1;
  t.group = tasks[parent].group;
  ++tasks[parent].children;
  if (t.group != noIndex)
    ++groups[t.group].unfinished;
  return task;
}

bool Simulation::makeTask(uint32_t id, const Step &s) {
  Team &team = teamOf(id);
  const uint32_t task = newTask(s.body, threads[id].in.task);
  ++tasksMade;
  ++team.unfinished;
  depend(task, s);
  if (tasks[task].missing != 0)
    return true;
  if (team.size == 1 || !team.queues.offer(threads[id].in.member, task))
    return runTask(id, task);
  wakeOneFor(task, id);
  return true;
}

void Simulation::depend(uint32_t task, const Step &s) {
  const auto comesAfter = [&](uint32_t other) {
    if (other == noIndex || other == task || tasks[other].hasEnded)
      return;
    tasks[other].successors.push_back(task);
    ++tasks[task].missing;
  };
  for (uint32_t u = s.object; u < s.object + s.count; ++u) {
    LastUses &last = lastUses[{tasks[task].parent, d.uses[u].object}];
    if (!d.uses[u].writes) {
      comesAfter(last.writer);
      last.readers.push_back(task);
      continue;
    }
    if (last.readers.empty())
      comesAfter(last.writer);
    for (const uint32_t reader : last.readers)
      comesAfter(reader);
    last.readers.clear();
    last.writer = task;
  }
}

bool Simulation::runTask(uint32_t id, uint32_t task) {
  push(id, Frame::Kind::task, tasks[task].body);
  Frame &f = threads[id].stack.back();
  f.number = task;
  f.outer = std::exchange(threads[id].in.task, task);
  return true;
}

bool Simulation::endTask(uint32_t id) {
  Thread &thread = threads[id];
  const Frame f = thread.stack.back();
  thread.stack.pop_back();
  thread.in.task = f.outer;
  Team &team = teamOf(id);
  TaskRecord &t = tasks[f.number];
  t.hasEnded = true;
  for (const uint32_t next : std::views::reverse(t.successors)) // as libomp does
    if (--tasks[next].missing == 0) {
      team.queues.add(thread.in.member, next);
      wakeOneFor(next, id);
    }
  TaskRecord &parent = tasks[t.parent];
  if (--parent.children == 0 && parent.waiter != noIndex)
    wakeIdle(parent.waiter, id, Edge::task, setting.burdens.handOff);
  if (t.group != noIndex)
    if (Group &g = groups[t.group]; --g.unfinished == 0 && g.waiter != noIndex)
      wakeIdle(g.waiter, id, Edge::task, setting.burdens.handOff);
  --team.unfinished;
  openWhenAllAreHere(id);
  return true;
}

bool Simulation::beginGroup(uint32_t id, uint32_t body) {
  teamOf(id);
  uint32_t &group = tasks[threads[id].in.task].group;
  groups.push_back({group, 0, noIndex});
  group = static_cast<uint32_t>(groups.size() - 1);
  push(id, Frame::Kind::group, body);
  threads[id].stack.back().number = group;
  return true;
}

bool Simulation::endGroup(uint32_t id) {
  const uint32_t group = threads[id].stack.back().number;
  threads[id].stack.pop_back();
  tasks[threads[id].in.task].group = groups[group].outer;
  return await(id, Frame::For::group, group);
}

bool Simulation::await(uint32_t id, Frame::For what, uint32_t number) {
  push(id, Frame::Kind::await, noIndex);
  Frame &f = threads[id].stack.back();
  f.what = what;
  f.number = number;
  if (what == Frame::For::children)
    tasks[number].waiter = id;
  else if (what == Frame::For::group)
    groups[number].waiter = id;
  return true;
}

bool Simulation::hasCome(uint32_t id, const Frame &awaited) {
  switch (awaited.what) {
  case Frame::For::team:
    return teamOf(id).opened != awaited.number;
  case Frame::For::children:
    return tasks[awaited.number].children == 0;
  case Frame::For::group:
    return groups[awaited.number].unfinished == 0;
  }
  return true;
}

bool Simulation::goOnAwaiting(uint32_t id) {
  Thread &t = threads[id];
  const Frame f = t.stack.back();
  if (hasCome(id, f)) {
    t.stack.pop_back();
    return f.what != Frame::For::team || pay(id, setting.burdens.barrier);
  }
  Team &team = teamOf(id);
  if (!team.queues.empty()) {
    const auto allowed = [this, id](uint32_t task) { return mayRun(id, task); };
    if (const uint32_t task = team.queues.take(t.in.member, allowed, random); task != noIndex)
      return runTask(id, task);
  }
  team.idle.push_back(id);
  wait(id, &out.teams);
  t.state = Thread::State::idle;
  return false;
}

bool Simulation::mayRun(uint32_t id, uint32_t task) const {
  const Thread &t = threads[id];
  return t.stack.back().what == Frame::For::team || isDescendant(task, t.in.task);
}

bool Simulation::isDescendant(uint32_t task, uint32_t of) const {
  while (tasks[task].depth > tasks[of].depth)
    task = tasks[task].parent;
  return task == of;
}

void Simulation::wakeIdle(uint32_t id, uint32_t by, Edge why, double price) {
  if (threads[id].state != Thread::State::idle)
    return;
  std::erase(teamOf(id).idle, id);
  wake(id, by, why, price);
}

void Simulation::wakeOneFor(uint32_t task, uint32_t by) {
  std::deque<uint32_t> &idle = teamOf(by).idle;
  for (size_t i = 0; i < idle.size(); ++i)
    if (const uint32_t id = idle[i]; mayRun(id, task)) {
      idle.erase(idle.begin() + static_cast<std::ptrdiff_t>(i));
      return wake(id, by, Edge::task, setting.burdens.handOff);
    }
}

} // namespace quincunx::parallel
