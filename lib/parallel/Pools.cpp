// Pools of bodies that are dealt to who comes first.
// The idea: jobs of a queue are dealt in the order in which they are put now, whatever that was
// when they were numbered; what nobody puts (that a thread finds no more jobs) comes behind all
// that are numbered before it. Reference: docs/27-parallel.md.
#include "Simulation.h"

namespace quincunx::parallel {

void Simulation::fillPools() {
  pools.resize(d.pools.size());
  out.pools.resize(d.pools.size());
  for (size_t p = 0; p < pools.size(); ++p)
    pools[p].isAwaited.assign(d.pools[p].size(), false);
  for (const Body &body : d.bodies)
    for (const Step &s : body)
      if (s.kind == StepKind::put)
        pools[s.object].isAwaited[s.count] = true;
  for (size_t p = 0; p < pools.size(); ++p) {
    pools[p].isPut = pools[p].isAwaited;
    addUnput(static_cast<uint32_t>(p));
  }
}

/// Those that nobody puts, as far as all before them have been put.
void Simulation::addUnput(uint32_t number) {
  PoolState &pool = pools[number];
  for (; pool.next < pool.isAwaited.size() && !pool.isAwaited[pool.next]; ++pool.next)
    if (!pool.isPut[pool.next])
      pool.there.push_back(d.pools[number][pool.next]);
}

bool Simulation::put(uint32_t id, const Step &s) {
  PoolState &pool = pools[s.object];
  pool.there.push_back(d.pools[s.object][s.count]);
  pool.isAwaited[s.count] = false;
  addUnput(s.object);
  while (!pool.there.empty() && !pool.askers.empty()) {
    const uint32_t asker = pool.askers.front();
    pool.askers.pop_front();
    goOnWith(asker, pool);
    wake(asker, id, Edge::post, setting.burdens.handOff);
  }
  return true;
}

// The body that it was in ends here.
bool Simulation::dealBody(uint32_t id, uint32_t number) {
  PoolState &pool = pools[number];
  if (pool.there.empty() && pool.next == pool.isAwaited.size()) {
    fail("pool " + std::to_string(number) + " has no more to deal");
    return false;
  }
  if (pool.there.empty()) {
    pool.askers.push_back(id);
    return wait(id, &out.pools[number]);
  }
  goOnWith(id, pool);
  return true;
}

void Simulation::goOnWith(uint32_t id, PoolState &pool) {
  Frame &f = threads[id].stack.back();
  f.body = pool.there.front();
  f.at = 0;
  pool.there.pop_front();
}

} // namespace quincunx::parallel
