// Barriers that are for a number of threads, as those of pthreads and std::barrier.
// Reference: docs/27-parallel.md.
#include "Simulation.h"

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
  if (++b.arrived != d.barriers[number])
    return true;
  for (const uint32_t other : b.threads)
    wake(other, id, Edge::barrier, setting.burdens.barrier);
  b.threads.clear();
  return true;
}

bool Simulation::pass(uint32_t id, uint32_t number) {
  BarrierState &b = barriers[number];
  if (b.arrived >= d.barriers[number])
    return pay(id, setting.burdens.barrier);
  b.threads.push_back(id);
  return wait(id, &out.barriers[number]);
}

} // namespace quincunx::parallel
