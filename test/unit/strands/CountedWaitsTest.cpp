// Barriers of a mutex, a condition variable and a counter, and what is waited for like that:
// whoever came last when it ran, all come as late as the last does now. Truths are added up by
// hand.
#include "Strands.h"

#include "quincunx/strands/StrandDescription.h"

#include <numeric>
#include <random>

namespace quincunx {
namespace {

using namespace test;
using Works = std::vector<std::vector<uint64_t>>; ///< by round and thread

/// The mutex is given to who waits for longest, so that nobody gets ahead.
enum : uint64_t { mutex = 1, condition = 2, begun = 4 };
enum : uint32_t { arrives = 50, begins = 51, comes = 52 };

double timeOf(const std::vector<Happened> &events, Kept kept = Kept::nothing) {
  const StrandDescription d = StrandHistory::of(written(events))->describe(kept);
  const Result<parallel::Simulated> s = parallel::simulate(d.description, {});
  return s ? s->makespan : -1;
}

/// Threads 1 to n, which the first one makes, waits for and does nothing beside.
class ThreadsThatRan {
public:
  explicit ThreadsThatRan(uint32_t n) : threads(n) {
    for (uint32_t t = 1; t <= threads; ++t)
      events.push_back({0, 0, QX_STRAND_CREATE, t});
  }
  void add(const Happened &e) { events.push_back(e); }
  std::vector<Happened> ended() {
    for (uint32_t t = 1; t <= threads; ++t)
      events.push_back({t, 0, QX_STRAND_END});
    for (uint32_t t = 1; t <= threads; ++t)
      events.push_back({0, 0, QX_STRAND_JOIN, t});
    events.push_back({0, 0, QX_STRAND_END});
    return events;
  }

private:
  uint32_t threads;
  std::vector<Happened> events;
};

/// In each round threads arrive in that order; the last one wakes the others.
std::vector<Happened> barriers(const Works &works,
                               const std::vector<std::vector<uint32_t>> &orders) {
  ThreadsThatRan run(static_cast<uint32_t>(works.front().size()));
  for (size_t r = 0; r < works.size(); ++r) {
    const std::vector<uint32_t> &order = orders[r];
    for (const uint32_t t : order) {
      run.add({t, works[r][t - 1], QX_STRAND_LOCK, mutex, arrives});
      if (t == order.back())
        run.add({t, 0, QX_STRAND_BROADCAST, condition, arrives});
      run.add({t, 0, QX_STRAND_UNLOCK, mutex, arrives});
      if (t != order.back())
        run.add({t, 0, QX_STRAND_SLEEP, condition, arrives});
    }
    for (const uint32_t t : order)
      if (t != order.back()) {
        run.add({t, 0, QX_STRAND_WAKE, condition, arrives});
        run.add({t, 0, QX_STRAND_LOCK, mutex, arrives});
        run.add({t, 0, QX_STRAND_UNLOCK, mutex, arrives});
      }
  }
  return run.ended();
}

uint64_t sumOfLongest(const Works &works) {
  uint64_t sum = 0;
  for (const std::vector<uint64_t> &round : works)
    sum += *std::ranges::max_element(round);
  return sum;
}

TEST(CountedWaits, ABarrierWaitsForWhoeverComesLast) {
  const Works works{{1000, 5000}, {4000, 100}, {300, 7000}};
  EXPECT_EQ(timeOf(barriers(works, {{1, 2}, {1, 2}, {2, 1}})), 5000 + 4000 + 7000);
  EXPECT_EQ(timeOf(barriers(works, {{1, 2}, {2, 1}, {1, 2}})), 5000 + 4000 + 7000);
}

TEST(CountedWaits, BarriersAtRandom) {
  std::mt19937_64 random(20261130);
  for (int i = 0; i < 200; ++i) {
    const size_t threads = 2 + random() % 7, rounds = 2 + random() % 6;
    Works works(rounds, std::vector<uint64_t>(threads));
    std::vector<std::vector<uint32_t>> orders(rounds, std::vector<uint32_t>(threads));
    for (size_t r = 0; r < rounds; ++r) {
      for (uint64_t &work : works[r])
        work = random() % 10000;
      std::iota(orders[r].begin(), orders[r].end(), 1u);
      std::ranges::shuffle(orders[r], random);
    }
    EXPECT_EQ(timeOf(barriers(works, orders)), sumOfLongest(works))
        << "program " << i << ": " << threads << " threads, " << rounds << " rounds";
  }
}

/// A thread, the last one, begins rounds for others and waits until all are done. In the `late`-th
/// round the first of these looks when the next one has begun, and need not wait.
std::vector<Happened> rounds(const Works &works, size_t late) {
  const auto others = static_cast<uint32_t>(works.front().size()), leader = others + 1;
  ThreadsThatRan run(leader);
  const auto comesFor = [&](uint32_t t, bool waits) {
    run.add({t, 0, QX_STRAND_LOCK, mutex, comes});
    run.add({t, 0, QX_STRAND_UNLOCK, mutex, comes});
    if (waits)
      run.add({t, 0, QX_STRAND_SLEEP, begun, comes});
  };
  for (uint32_t t = 1; t <= others; ++t)
    comesFor(t, true);
  for (size_t r = 0; r < works.size(); ++r) {
    run.add({leader, 0, QX_STRAND_LOCK, mutex, begins});
    run.add({leader, 0, QX_STRAND_BROADCAST, begun, begins});
    run.add({leader, 0, QX_STRAND_UNLOCK, mutex, begins});
    run.add({leader, 0, QX_STRAND_SLEEP, condition, begins});
    for (uint32_t t = 1; t <= others; ++t) {
      if (r != late || t != 1) {
        run.add({t, 0, QX_STRAND_WAKE, begun, comes});
        run.add({t, 0, QX_STRAND_LOCK, mutex, comes});
        run.add({t, 0, QX_STRAND_UNLOCK, mutex, comes});
      } else {
        comesFor(t, false);
      }
      run.add({t, works[r][t - 1], QX_STRAND_LOCK, mutex, arrives});
      if (t == others)
        run.add({t, 0, QX_STRAND_SIGNAL, condition, arrives});
      run.add({t, 0, QX_STRAND_UNLOCK, mutex, arrives});
      if (r + 1 < works.size() && (r + 1 != late || t != 1))
        comesFor(t, true);
    }
    run.add({leader, 0, QX_STRAND_WAKE, condition, begins});
    run.add({leader, 0, QX_STRAND_LOCK, mutex, begins});
    run.add({leader, 0, QX_STRAND_UNLOCK, mutex, begins});
  }
  return run.ended();
}

TEST(CountedWaits, RoundsEndWithTheLastAndBeginForAll) {
  const Works works{{9000, 20, 3000}, {100, 6000, 400}, {8000, 1, 2}, {1, 2, 5000}};
  for (const size_t late : {size_t{1}, size_t{2}, size_t{3}, size_t{9}})
    EXPECT_EQ(timeOf(rounds(works, late)), 9000 + 6000 + 8000 + 5000);
  EXPECT_GT(timeOf(rounds(works, 9), Kept::order), 9000 + 6000 + 8000 + 5000)
      << "in that order of the lock all wait for the last to come in the run";
}

// Each says what it has done, and one waits for the second, which comes later: it is woken by the
// other one, and sleeps again.
TEST(CountedWaits, WhoAlwaysSignalsIsWaitedForByName) {
  ThreadsThatRan run(3);
  const auto sleeps = [&] {
    run.add({3, 0, QX_STRAND_UNLOCK, mutex, comes});
    run.add({3, 0, QX_STRAND_SLEEP, condition, comes});
  };
  run.add({3, 0, QX_STRAND_LOCK, mutex, comes});
  sleeps();
  for (const uint32_t t : {1u, 2u}) {
    run.add({t, t == 1 ? 7000u : 2000u, QX_STRAND_LOCK, mutex, arrives});
    run.add({t, 0, QX_STRAND_BROADCAST, condition, arrives});
    run.add({t, 0, QX_STRAND_UNLOCK, mutex, arrives});
    run.add({3, 0, QX_STRAND_WAKE, condition, comes});
    run.add({3, 0, QX_STRAND_LOCK, mutex, comes});
    if (t == 1)
      sleeps();
  }
  run.add({3, 0, QX_STRAND_UNLOCK, mutex, comes});
  run.add({1, 500, QX_STRAND_LOCK, mutex + 8, begins});
  run.add({1, 0, QX_STRAND_UNLOCK, mutex + 8, begins});
  run.add({3, 1000, QX_STRAND_LOCK, mutex + 10, begins});
  run.add({3, 0, QX_STRAND_UNLOCK, mutex + 10, begins});
  EXPECT_EQ(timeOf(run.ended()), 7000 + 1000) << "it was woken by both, and goes on behind both";
}

/// What stage after stage does with item after item, as they take turns when all of it runs on one
/// processor. A stage sleeps until there is an item where `sleeps(stage, item)`, else it is there.
template <class Sleeps> std::vector<Happened> stages(const Works &works, const Sleeps &sleeps) {
  const auto count = static_cast<uint32_t>(works.front().size());
  ThreadsThatRan run(count);
  const auto mutexOf = [](uint32_t stage) { return 1 + uint64_t{20} * stage; };
  const auto comesFor = [&](uint32_t stage, size_t item) {
    run.add({stage, 0, QX_STRAND_LOCK, mutexOf(stage - 1), comes});
    run.add({stage, 0, QX_STRAND_UNLOCK, mutexOf(stage - 1), comes});
    if (sleeps(stage, item))
      run.add({stage, 0, QX_STRAND_SLEEP, mutexOf(stage - 1) + 1, comes});
  };
  const auto isThere = [&](uint32_t stage, size_t item) {
    if (!sleeps(stage, item))
      return comesFor(stage, item);
    run.add({stage, 0, QX_STRAND_WAKE, mutexOf(stage - 1) + 1, comes});
    run.add({stage, 0, QX_STRAND_LOCK, mutexOf(stage - 1), comes});
    run.add({stage, 0, QX_STRAND_UNLOCK, mutexOf(stage - 1), comes});
  };
  for (size_t item = 0; item < works.size(); ++item) {
    for (uint32_t stage = 2; stage <= count; ++stage)
      if (sleeps(stage, item))
        comesFor(stage, item);
    for (uint32_t stage = 1; stage <= count; ++stage) {
      if (stage > 1)
        isThere(stage, item);
      run.add({stage, works[item][stage - 1], QX_STRAND_LOCK, mutexOf(stage), arrives});
      run.add({stage, 0, QX_STRAND_BROADCAST, mutexOf(stage) + 1, arrives});
      run.add({stage, 0, QX_STRAND_UNLOCK, mutexOf(stage), arrives});
    }
  }
  return run.ended();
}

uint64_t endOfLast(const Works &works) {
  std::vector<uint64_t> ends(works.front().size(), 0); // of stages
  for (const std::vector<uint64_t> &item : works)
    for (size_t s = 0; s < item.size(); ++s)
      ends[s] = std::max(ends[s], s > 0 ? ends[s - 1] : 0) + item[s];
  return ends.back();
}

TEST(CountedWaits, WhoNeverHadToWaitDoesLikeOthersAtTheSamePlace) {
  const Works works{{500, 9000, 200, 60}, {7000, 10, 20, 4000}, {9000, 100, 5000, 30}};
  const auto always = [](uint32_t, size_t) { return true; };
  const auto first = [](uint32_t, size_t item) { return item == 0; };
  const auto second = [](uint32_t stage, size_t item) { return stage == 2 && item != 1; };
  EXPECT_EQ(timeOf(stages(works, always)), endOfLast(works));
  EXPECT_EQ(timeOf(stages(works, first)), endOfLast(works));
  EXPECT_EQ(timeOf(stages(works, second)), endOfLast(works)) << "stages 3 and 4 slept for nothing";
}

/// Threads take turns on one processor: each works, has one of so many permits for some time, and
/// works. Who finds none sleeps until one is given back.
std::vector<Happened> limited(uint32_t threads, uint32_t permits, uint64_t work, uint64_t held) {
  enum : uint32_t { takes = 60, gives = 61 };
  ThreadsThatRan run(threads);
  const auto acquires = [&](uint32_t t, bool sleeps) {
    run.add({t, work, QX_STRAND_LOCK, mutex, takes});
    run.add({t, 0, QX_STRAND_UNLOCK, mutex, takes});
    if (sleeps)
      run.add({t, 0, QX_STRAND_SLEEP, condition, takes});
  };
  for (uint32_t t = 1; t <= threads; ++t)
    acquires(t, t > permits);
  for (uint32_t t = 1; t <= threads; ++t) {
    run.add({t, held, QX_STRAND_LOCK, mutex, gives});
    run.add({t, 0, QX_STRAND_UNLOCK, mutex, gives});
    run.add({t, 0, QX_STRAND_SIGNAL, condition, gives});
    if (const uint32_t next = t + permits; next <= threads) {
      run.add({next, 0, QX_STRAND_WAKE, condition, takes});
      run.add({next, 0, QX_STRAND_LOCK, mutex, takes});
      run.add({next, 0, QX_STRAND_UNLOCK, mutex, takes});
    }
  }
  return run.ended();
}

TEST(Permits, ArePassedOnToWhoWaits) {
  EXPECT_EQ(timeOf(limited(6, 2, 100, 1000)), 100 + 3 * 1000);
  EXPECT_EQ(timeOf(limited(7, 3, 100, 1000)), 100 + 3 * 1000);
  EXPECT_EQ(timeOf(limited(4, 3, 100, 1000)), 100 + 2 * 1000);
}

// Thread 1 is late. Whoever gave a permit back in the run, the first that does so lets another in.
TEST(Permits, AreTheSameWhoeverGaveThemBack) {
  std::vector<Happened> events = limited(4, 2, 100, 1000);
  const auto late = std::ranges::find_if(
      events, [](const Happened &e) { return e.thread == 1 && e.work == 1000; });
  late->work = 9000;
  EXPECT_EQ(timeOf(events), 100 + 9000) << "3 and 4 come in one after the other, behind 2";
}

} // namespace
} // namespace quincunx
