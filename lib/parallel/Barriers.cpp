// Barriers that are for a number of threads, as those of pthreads and std::barrier.
// Reference: docs/27-parallel.md.
#include "Simulation.h"

#include <utility>

namespace quincunx::parallel {

bool Simulation::meet(uint32_t id, uint32_t number) {
  std::vector<uint32_t> &here = barriers[number].threads;
  if (here.size() + 1 < d.barriers[number]) {
    here.push_back(id);
    return wait(id, &out.barriers[number]);
  }
  for (const uint32_t other : here)
    wake(other, id, Edge::barrier, setting.burdens.barrier);
  here.clear();
  return pay(id, setting.burdens.barrier);
}

bool Simulation::arrive(uint32_t id, uint32_t number) {
  BarrierState &b = barriers[number];
  const auto behind = b.awaiting.upper_bound(++b.arrived);
  for (auto other = b.awaiting.begin(); other != behind; ++other)
    wake(other->second, id, Edge::barrier, setting.burdens.barrier);
  b.awaiting.erase(b.awaiting.begin(), behind);
  return true;
}

bool Simulation::pass(uint32_t id, const Step &s) {
  BarrierState &b = barriers[s.object];
  const uint32_t arrivals = s.count != 0 ? s.count : d.barriers[s.object];
  if (b.arrived >= arrivals)
    return pay(id, setting.burdens.barrier);
  b.awaiting.emplace(arrivals, id);
  return wait(id, &out.barriers[s.object]);
}

bool Simulation::once(uint32_t id, const Step &s) {
  if (std::exchange(barriers[s.object].isBegun, true))
    return pass(id, s);
  goThrough(id, s.body);
  return true;
}

bool Simulation::last(uint32_t id, const Step &s) {
  arrive(id, s.object);
  if (barriers[s.object].arrived == d.barriers[s.object])
    goThrough(id, s.body);
  return true;
}

void Simulation::goThrough(uint32_t id, uint32_t body) {
  push(id, Frame::Kind::inner, body);
  threads[id].stack.back().nowait = true;
}

} // namespace quincunx::parallel
