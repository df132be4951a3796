// Identities of all runs: one thread, cores, units, parts that add up.
#include "Descriptions.h"

#include <numeric>
#include <random>

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

namespace {
/// Something of everything, with works that are whole numbers.
Description everything(uint64_t seed, double unit = 1) {
  std::mt19937_64 random(seed);
  const auto some = [&] { return unit * static_cast<double>(1 + random() % 9); };
  const auto costs = [&](size_t n) {
    std::vector<double> all(n);
    for (double &x : all)
      x = some();
    return all;
  };
  Description d;
  d.locks = 1;
  d.channels = {{0, 2}};
  d.bodies = {{work(some()), fork(3), team(1), take(0), take(0), take(0), join(0), firstOf(7, 2)},
              {loop(0), loop(1), loop(2, true), loop(3), single(2), teamBarrier(), work(some())},
              {task(4, 0, 1), task(4, 1, 1), task(5, 2, 1), taskwait(), taskgroup(6)},
              {work(some()), post(0), post(0), work(some()), post(0)},
              {work(some())},
              {task(4), work(some()), taskwait()},
              {task(4), task(5)},
              {work(some())},
              {work(some())},
              {work(some()), lock(0), work(some()), unlock(0)}};
  d.uses = {{0, true}, {0, false}, {0, true}};
  d.loops = {{Schedule::stealing, 1, costs(60), 1, noIndex, 0},
             {Schedule::guided, 1, costs(60), 2, noIndex, 0},
             {Schedule::fixedChunks, 3, costs(20), 3, noIndex, 0},
             {Schedule::queue, 1, {}, 4, 9, 1}};
  return d;
}
} // namespace

TEST(Simulate, DoublingAllCostsDoublesTheTime) {
  for (uint64_t seed = 1; seed < 20; ++seed)
    for (const uint32_t p : {1u, 2u, 5u, 16u}) {
      Setting s = threads(p);
      s.cores = 3;
      s.burdens = {1, 2, 3, 0.5, 0.25, 1};
      Setting twice = s;
      twice.burdens = {2, 4, 6, 1, 0.5, 2};
      EXPECT_DOUBLE_EQ(2 * timeOf(everything(seed), s), timeOf(everything(seed, 2), twice));
    }
}

TEST(Simulate, IsTheSameTwice) {
  for (uint64_t seed = 1; seed < 20; ++seed) {
    const Simulated a = run(everything(seed), threads(4)), b = run(everything(seed), threads(4));
    EXPECT_EQ(a.makespan, b.makespan);
    for (size_t t = 0; t < a.threads.size(); ++t)
      EXPECT_EQ(a.threads[t].busy, b.threads[t].busy);
  }
}

// What threads do adds up to the same work for all schedules and numbers of threads, where no work
// is done once a thread.
TEST(Simulate, WorkIsKept) {
  std::vector<double> costs(100);
  std::iota(costs.begin(), costs.end(), 1.0);
  for (const Schedule schedule : {Schedule::fixed, Schedule::fixedChunks, Schedule::queue,
                                  Schedule::stealing, Schedule::guided})
    for (const uint32_t p : {1u, 2u, 3u, 17u, 200u}) {
      const Simulated s = run(parallelLoop(costs, schedule, 1), threads(p));
      double busy = 0;
      for (const ThreadTime &t : s.threads)
        busy += t.busy;
      EXPECT_EQ(busy, 5050) << p;
      EXPECT_GE(s.makespan, 5050.0 / p);
      if (p == 1 || p == 200) {
        EXPECT_EQ(s.makespan, p == 1 ? 5050 : 100);
      }
    }
}

// Threads beyond cores share them alike: with work for all of them at all times the time is that of
// the work on the cores.
TEST(Simulate, ThreadsShareCores) {
  const std::vector<double> costs(24, 2.0);
  Setting s = threads(24);
  s.cores = 4;
  EXPECT_DOUBLE_EQ(timeOf(parallelLoop(costs), s), 12);
  s.cores = 1;
  EXPECT_DOUBLE_EQ(timeOf(parallelLoop(costs), s), 48);
  s.cores = 24;
  EXPECT_EQ(timeOf(parallelLoop(costs), s), 2);
  // Works of 1 and 3 on one core: each at half speed until 2, then the other alone until 4.
  Description d;
  d.bodies = {{fork(1), work(3), join(0)}, {work(1), post(0)}};
  d.channels = {{}};
  s.cores = 1;
  EXPECT_DOUBLE_EQ(timeOf(d, s), 4);
  d.bodies[0] = {fork(1), fork(2), take(0), join(0), join(1)};
  d.bodies.push_back({work(3)});
  const Simulated r = run(d, s);
  EXPECT_DOUBLE_EQ(r.makespan, 4);
  EXPECT_DOUBLE_EQ(r.channels[0].time, 2);
}

TEST(Simulate, PiecesReachFromStartToEnd) {
  for (uint64_t seed = 1; seed < 20; ++seed) {
    Setting s = threads(4);
    s.keepPieces = true;
    s.burdens = {1, 2, 3, 0.5, 0.25, 1};
    const Simulated r = run(everything(seed), s);
    double begun = r.makespan;
    uint32_t p = r.last;
    for (; p != noIndex; p = r.pieces[p].previous) {
      EXPECT_EQ(r.pieces[p].end, begun) << "what let it begin ended then";
      begun = r.pieces[p].begin;
    }
    EXPECT_EQ(begun, 0);
  }
}

TEST(Simulate, ForkedThreadsArePaidAndJoined) {
  Description d;
  d.bodies = {{fork(1), fork(1), work(1), join(1), join(0)}, {work(10)}};
  Setting s;
  s.burdens.create = 2;
  EXPECT_EQ(timeOf(d, s), 4 + 10);
  d.bodies[0] = {fork(1), join(1)};
  EXPECT_EQ(errorOf(d), "a thread joins number 1, and has forked 1");
  d.bodies[0] = {fork(1), work(3)};
  EXPECT_EQ(timeOf(d), 3) << "the program ends with its first thread";
}

TEST(Simulate, RefusesSettings) {
  const Description d = parallelLoop({1});
  Setting s;
  s.threads = 0;
  EXPECT_EQ(errorOf(d, s), "a team has from 1 to 1048576 threads");
  s = {};
  s.cores = 0;
  EXPECT_EQ(errorOf(d, s), "there must be cores");
  s = {};
  s.burdens.chunk = -1;
  EXPECT_EQ(errorOf(d, s), "burdens and jitter must be finite and not negative");
}
