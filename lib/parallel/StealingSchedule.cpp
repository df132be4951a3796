// schedule(dynamic, chunk) as libomp has it since OpenMP 5.0, where it is nonmonotonic by default.
// The rule: each thread has a contiguous share of the chunks and takes them from its front. One
// that has none left looks for a victim, beginning with the last one it robbed (at first its
// neighbour), and takes a quarter of what the victim has left, from the back, or one chunk when
// that is 7 or less. Who has not begun yet loses all of its share. After P - 1 looks in vain a
// thread is done. Loops of fewer chunks than threads have one queue. Reference: libomp's
// static_steal (kmp_dispatch.cpp); Blumofe & Leiserson, Scheduling multithreaded computations by
// work stealing, J. ACM 46 (1999), for another rule with the same idea. Processors with two kinds
// of cores, for which libomp makes shares of different sizes, are left out.
#include "Shares.h"

#include <algorithm>

namespace quincunx::parallel {

namespace {
class StealingSchedule : public LoopSchedule {
public:
  StealingSchedule(uint64_t iterations, uint64_t chunk, uint32_t threads)
      : n(iterations), size(chunk), chunks((iterations + chunk - 1) / chunk), owners(threads) {}

  Chunk next(uint32_t thread) override {
    Owner &own = owners[thread];
    if (!own.isHere)
      arrive(thread);
    if (own.begin < own.end)
      return taken(own.begin++);
    own.state = State::thief;
    for (size_t look = 1; look < owners.size(); ++look)
      if (steal(thread))
        return taken(own.begin++);
    return {};
  }

private:
  enum class State : uint8_t { absent, ready, thief };
  struct Owner {
    uint64_t begin = 0, end = 0; ///< chunks that are left
    uint32_t victim = 0;
    State state = State::absent;
    bool isHere = false;
  };

  uint32_t after(uint32_t thread) const { return thread + 1 == owners.size() ? 0 : thread + 1; }
  Chunk shareOf(uint32_t thread) const {
    return share(chunks, static_cast<uint32_t>(owners.size()), thread);
  }
  void arrive(uint32_t thread) {
    Owner &own = owners[thread];
    own.isHere = true;
    own.victim = after(thread);
    if (own.state == State::thief) // all of it is stolen
      return;
    own.state = State::ready;
    own.begin = shareOf(thread).begin;
    own.end = shareOf(thread).end;
  }
  /// One look; true when the thread has chunks again, of which it takes the first at once.
  bool steal(uint32_t thread) {
    Owner &own = owners[thread];
    uint32_t v = own.victim;
    const uint32_t last = v == 0 ? static_cast<uint32_t>(owners.size()) - 1 : v - 1;
    while ((v == thread || owners[v].state == State::thief) && v != last)
      v = after(v);
    Owner &victim = owners[v];
    if (v == thread || victim.state == State::thief)
      return false;
    if (victim.state == State::absent) {
      victim.state = State::thief;
      own.victim = after(v);
      return takeOver(own, shareOf(v));
    }
    const uint64_t left = victim.end - victim.begin;
    if (left == 0) {
      own.victim = after(v);
      return false;
    }
    own.victim = v;
    victim.end -= left > 7 ? left / 4 : 1;
    return takeOver(own, {victim.end, victim.end + (left > 7 ? left / 4 : 1)});
  }
  static bool takeOver(Owner &own, Chunk what) {
    own.begin = what.begin;
    own.end = what.end;
    if (what.end - what.begin > 1) // others may rob it of what it does not take at once
      own.state = State::ready;
    return true;
  }
  Chunk taken(uint64_t chunk) const { return {chunk * size, std::min(n, (chunk + 1) * size)}; }

  uint64_t n, size, chunks;
  std::vector<Owner> owners;
};
} // namespace

std::unique_ptr<LoopSchedule> dealStealing(uint64_t iterations, uint64_t chunk, uint32_t threads) {
  chunk = chunkSize(iterations, chunk);
  if ((iterations + chunk - 1) / chunk < threads)
    return dealQueue(iterations, chunk, threads);
  return std::make_unique<StealingSchedule>(iterations, chunk, threads);
}

} // namespace quincunx::parallel
