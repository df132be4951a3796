// Channels that count: semaphores, condition variables with a predicate, and queues with and
// without room for all.
// The idea: what is posted has no name, so that the k-th to wait gets the k-th that is posted;
// who finds no room is served in turn, too. Reference: docs/27-parallel.md.
#include "Simulation.h"

namespace quincunx::parallel {

bool Simulation::post(uint32_t id, uint32_t number) {
  ChannelState &c = channels[number];
  if (!c.getters.empty()) {
    wake(c.getters.front(), id, Edge::post, setting.burdens.handOff);
    c.getters.pop_front();
    return true;
  }
  if (c.count < d.channels[number].bound) {
    ++c.count;
    return true;
  }
  c.putters.push_back(id);
  return wait(id, &out.channels[number]);
}

bool Simulation::get(uint32_t id, uint32_t number) {
  ChannelState &c = channels[number];
  if (c.count == 0) {
    c.getters.push_back(id);
    return wait(id, &out.channels[number]);
  }
  if (c.putters.empty()) {
    --c.count;
    return true;
  }
  wake(c.putters.front(), id, Edge::post, setting.burdens.handOff); // its own takes the room
  c.putters.pop_front();
  return true;
}

} // namespace quincunx::parallel
