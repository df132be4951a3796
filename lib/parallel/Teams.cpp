// Teams, their barriers, and what they share: loops, sections and singles.
// The idea: every thread of a team meets the same constructs in the same order, so that the k-th
// that one meets is the k-th of all. A team within a team has one thread, as in libomp by default.
// Reference: docs/27-parallel.md; OpenMP 5.2, 10 and 11.
#include "Simulation.h"

#include <numeric>

namespace quincunx::parallel {

void Simulation::enter(uint32_t id, uint32_t team, uint32_t member) {
  threads[id].in = {team, member, 0, newTask(noIndex, noIndex)};
}

void Simulation::beginTeamOfOne(uint32_t id) {
  teams.push_back(std::make_unique<Team>(1, setting.taskQueue));
  enter(id, static_cast<uint32_t>(teams.size() - 1), 0);
}

bool Simulation::beginTeam(uint32_t id, const Step &s) {
  Thread &leader = threads[id];
  const bool isWithin = leader.in.team != noIndex && teamOf(id).size > 1;
  const uint32_t size = isWithin ? 1 : s.count != 0 ? s.count : setting.threads;
  const auto number = static_cast<uint32_t>(teams.size());
  teams.push_back(std::make_unique<Team>(size, setting.taskQueue));
  leader.before.push_back(leader.in);
  for (uint32_t m = 0; m < size; ++m) {
    uint32_t member = id;
    if (m != 0 && spare.empty()) {
      member = threads.add();
    } else if (m != 0) {
      member = spare.back();
      spare.pop_back();
    }
    enter(member, number, m);
    push(member, Frame::Kind::member, s.body);
    if (m == 0)
      continue;
    const double late = static_cast<double>(random() >> 11) * 0x1p-53 * setting.jitter;
    threads[member].owed = setting.burdens.team + late;
    begin(member, id);
  }
  return pay(id, setting.burdens.team);
}

// Met twice: at the end of its body, and when all are there.
bool Simulation::endMember(uint32_t id) {
  Thread &t = threads[id];
  if (std::exchange(t.stack.back().number, 1) == 0)
    return teamBarrier(id);
  t.stack.pop_back();
  std::unique_ptr<Team> &team = teams[t.in.team];
  if (++team->left == team->size)
    team.reset();
  const bool leads = t.in.member == 0;
  t.in = {};
  if (leads) {
    t.in = t.before.back();
    t.before.pop_back();
    return true;
  }
  t.state = Thread::State::unused;
  leaveSeat(id);
  spare.push_back(id);
  return false;
}

bool Simulation::teamBarrier(uint32_t id) {
  Team &team = teamOf(id);
  ++team.arrived;
  await(id, Frame::For::team, team.opened);
  openWhenAllAreHere(id);
  return true;
}

void Simulation::openWhenAllAreHere(uint32_t by) {
  Team &team = teamOf(by);
  if (team.arrived < team.size || team.unfinished != 0)
    return;
  ++team.opened;
  team.arrived = 0;
  for (const uint32_t other : team.idle)
    wake(other, by, Edge::barrier, 0); // each pays when it goes on
  team.idle.clear();
}

Construct &Simulation::nextConstruct(uint32_t id) {
  Team &team = teamOf(id);
  const uint32_t which = threads[id].in.construct++;
  if (which == team.constructs.size())
    team.constructs.emplace_back();
  return team.constructs[which];
}

bool Simulation::single(uint32_t id, const Step &s) {
  if (std::exchange(nextConstruct(id).isTaken, true))
    return s.nowait || teamBarrier(id);
  push(id, Frame::Kind::inner, s.body);
  threads[id].stack.back().nowait = s.nowait;
  return true;
}

bool Simulation::beginLoop(uint32_t id, const Step &s) {
  const Loop &l = d.loops[s.object];
  Construct &c = nextConstruct(id);
  if (c.schedule == nullptr) {
    const uint32_t threadsOfTeam = teamOf(id).size;
    const Schedule schedule = setting.oneIterationEach ? Schedule::fixed : l.schedule;
    c.schedule = parallel::deal(schedule, l.size(), l.chunk, threadsOfTeam);
  }
  push(id, Frame::Kind::loop, noIndex);
  Frame &f = threads[id].stack.back();
  f.number = s.object;
  f.construct = threads[id].in.construct - 1;
  f.nowait = s.nowait;
  return true;
}

bool Simulation::beginPortion(uint32_t id, const Step &s) {
  const Loop &l = d.loops[s.object];
  if (std::unique_ptr<LoopSchedule> &schedule = portions[s.object]; schedule == nullptr)
    schedule = parallel::deal(l.schedule, l.size(), l.chunk, l.threads);
  push(id, Frame::Kind::loop, noIndex);
  Frame &f = threads[id].stack.back();
  f.number = s.object;
  f.construct = noIndex;
  f.outer = s.count;
  f.nowait = true;
  return true;
}

bool Simulation::deal(uint32_t id) {
  Thread &t = threads[id];
  Frame &f = t.stack.back();
  const Loop &l = d.loops[f.number];
  if (f.next < f.end && l.firstBody != noIndex) {
    const auto iteration = static_cast<uint32_t>(f.next++);
    push(id, Frame::Kind::inner, l.firstBody + iteration);
    t.stack.back().nowait = true;
    return true;
  }
  if (f.next < f.end) {
    const auto at = l.costs.begin();
    const double amount = std::accumulate(at + static_cast<std::ptrdiff_t>(f.next),
                                          at + static_cast<std::ptrdiff_t>(f.end), 0.0);
    f.next = f.end;
    return work(id, amount, l.workClass);
  }
  const bool isOfTeam = f.construct != noIndex;
  const uint32_t member = isOfTeam ? t.in.member : f.outer;
  LoopSchedule &schedule =
      isOfTeam ? *teamOf(id).constructs[f.construct].schedule : *portions[f.number];
  const Chunk chunk = schedule.next(member);
  if (!chunk) {
    const bool nowait = f.nowait;
    t.stack.pop_back();
    return nowait || teamBarrier(id);
  }
  f.next = chunk.begin;
  f.end = chunk.end;
  if (setting.keepChunks)
    out.chunks.push_back({f.number, member, chunk.begin, chunk.end});
  const uint32_t sharing = isOfTeam ? teamOf(id).size : l.threads;
  const bool asks = schedules()[static_cast<size_t>(l.schedule)].asks && sharing > 1;
  return pay(id, asks ? setting.burdens.chunk : 0);
}

} // namespace quincunx::parallel
