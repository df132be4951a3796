// Races: threads that all look for the same, until the first has found it.
// The idea: who is cancelled stops at once, which is what a flag that is looked at often comes to.
// Their work is what they would have done; nothing is known of it from runs in which they were
// cancelled. Reference: docs/27-parallel.md; docs/08-parallel-composition.md for laws.
#include "Simulation.h"

namespace quincunx::parallel {

bool Simulation::race(uint32_t id, const Step &s) {
  Race r{id, {}};
  for (uint32_t n = 0; n < s.count; ++n) {
    const uint32_t contestant = threads.add();
    push(contestant, Frame::Kind::contestant, s.body + n);
    threads[contestant].race = static_cast<uint32_t>(races.size());
    r.contestants.push_back(contestant);
    begin(contestant, id);
  }
  races.push_back(std::move(r));
  return wait(id, nullptr);
}

bool Simulation::endContestant(uint32_t id) {
  const Race &r = races[threads[id].race];
  for (const uint32_t contestant : r.contestants) {
    Thread &t = threads[contestant];
    if (t.state == Thread::State::working) {
      --working;
      t.time.busy += virtualNow - t.since;
      if (setting.keepPieces)
        out.pieces[t.piece].end = now;
    }
    t.state = Thread::State::unused;
    t.stack.clear();
    leaveSeat(contestant);
  }
  wake(r.starter, id, Edge::join, setting.burdens.handOff);
  return false;
}

} // namespace quincunx::parallel
