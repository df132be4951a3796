// Runs of which sections of locks were folded take as long as when each was kept; what threads did
// in all is the same to the last count.
#include "Strands.h"

#include "quincunx/parallel/Simulate.h"
#include "quincunx/strands/StrandDescription.h"

#include <map>
#include <random>
#include <tuple>

namespace quincunx {
namespace {

using namespace test;

enum : uint64_t { firstLock = 2 }; ///< even: given to who comes first
enum : uint32_t { had = 20, given = 21 };

/// Threads that have one of so many locks at random, as happens when they take turns.
ProcessStrands sections(uint32_t threads, size_t each, unsigned locks, unsigned longest) {
  std::mt19937 random(7);
  std::vector<Happened> events;
  for (uint32_t t = 1; t <= threads; ++t)
    events.push_back({0, 0, QX_STRAND_CREATE, t});
  for (size_t i = 0; i < each; ++i)
    for (uint32_t t = 1; t <= threads; ++t) {
      const uint64_t lock = firstLock + 2 * (random() % locks);
      events.push_back({t, 1 + random() % longest, QX_STRAND_LOCK, lock, had});
      events.push_back({t, 1 + random() % 600, QX_STRAND_UNLOCK, lock, given});
    }
  for (uint32_t t = 1; t <= threads; ++t)
    events.push_back({t, 5, QX_STRAND_END});
  for (uint32_t t = 1; t <= threads; ++t)
    events.push_back({0, 0, QX_STRAND_JOIN, t});
  events.push_back({0, 0, QX_STRAND_END});
  return written(events);
}

/// The same with so many sections of each thread kept, and of the others `stretch` in a row folded.
ProcessStrands folded(const ProcessStrands &ran, size_t kept, size_t stretch) {
  struct Sum {
    uint64_t count = 0, before = 0, held = 0;
    uint32_t order = 0, last = 0;
  };
  ProcessStrands out = ran;
  for (StrandThread &t : out.threads) {
    const std::vector<StrandEvent> events = std::exchange(t.events, {});
    std::vector<uint64_t> met; // locks, as they came
    std::map<uint64_t, Sum> sums;
    size_t all = 0, inStretch = 0;
    uint64_t clock = 0;
    const auto write = [&] {
      uint64_t at = t.events.empty() ? 0 : t.events.back().clock;
      for (const uint64_t lock : met) {
        const Sum &s = sums[lock];
        t.events.push_back({at, QX_STRAND_FOLDED, s.last, 0, s.count});
        t.events.push_back({at += s.before, QX_STRAND_LOCK, s.order, had, lock});
        t.events.push_back({at += s.held, QX_STRAND_UNLOCK, s.order + 1, given, lock});
      }
      met.clear();
      sums.clear();
      inStretch = 0;
    };
    for (size_t i = 0; i < events.size(); ++i) {
      const StrandEvent &e = events[i];
      if (e.kind != QX_STRAND_LOCK || all++ < kept) {
        write();
        t.events.push_back(e);
        clock = e.clock;
        continue;
      }
      const auto [at, isNew] = sums.try_emplace(e.object);
      if (isNew) {
        met.push_back(e.object);
        at->second.order = e.order;
      }
      at->second.count += 1;
      at->second.last = e.order;
      at->second.before += e.clock - clock;
      at->second.held += events[i + 1].clock - e.clock;
      clock = events[++i].clock;
      if (++inStretch == stretch)
        write();
    }
  }
  return out;
}

double timeOf(const ProcessStrands &ran) {
  const Result<StrandHistory> history = StrandHistory::of(ran);
  const Result<parallel::Simulated> s =
      parallel::simulate(history->describe(Kept::nothing).description, {});
  return s ? s->makespan : -1;
}
double workOf(const ProcessStrands &ran) {
  return workIn(StrandHistory::of(ran)->describe(Kept::nothing));
}

TEST(FoldedSections, TakeAsLongAsEach) {
  for (const auto &[threads, locks, longest] :
       {std::tuple(4u, 1u, 4000u), std::tuple(4u, 2u, 600u), std::tuple(8u, 1u, 9000u)}) {
    const ProcessStrands each = sections(threads, 3000, locks, longest);
    const double time = timeOf(each);
    EXPECT_GT(time, workOf(each) / threads * 1.02) << "threads wait for locks";
    const ProcessStrands fewer = folded(each, 600, 40);
    EXPECT_EQ(workOf(fewer), workOf(each));
    EXPECT_NEAR(timeOf(fewer) / time, 1, 0.02) << threads << ' ' << locks << ' ' << longest;
  }
}

TEST(FoldedSections, AreInSlowMotionWhereTheyAreMany) {
  const ProcessStrands each = sections(8, 40000, 1, 5000); // more than a run is told by
  const ProcessStrands fewer = folded(each, 4000, 200);
  EXPECT_NEAR(workOf(fewer) / workOf(each), 1, 1e-6) << "but for counts that are rounded down";
  EXPECT_NEAR(timeOf(fewer) / timeOf(each), 1, 0.02);
}

TEST(FoldedSections, OfJobsFromACounterAreDealt) {
  enum : uint64_t { counter = 8 };
  std::vector<Happened> events{{0, 0, QX_STRAND_CREATE, 1}, {0, 0, QX_STRAND_CREATE, 2}};
  uint64_t number = 0, work = 0;
  const auto claim = [&](uint32_t thread, size_t times) {
    for (; times > 0; --times) {
      const bool isFirst = number == 0 || (thread == 2 && events.back().thread == 1);
      const uint64_t job = isFirst ? 0 : 100 + number * 37 % 50;
      events.push_back({thread, job, QX_STRAND_CLAIM, counter, had});
      events.push_back({thread, 0, QX_STRAND_NUMBER, number++});
      work += job;
    }
  };
  claim(1, 989); // it has done nearly all when the other one begins
  claim(2, 10);  // at last each finds none
  claim(1, 1);
  for (const uint32_t t : {1u, 2u})
    events.push_back({t, 0, QX_STRAND_END});
  events.push_back({0, 0, QX_STRAND_JOIN, 1});
  events.push_back({0, 0, QX_STRAND_JOIN, 2});
  events.push_back({0, 0, QX_STRAND_END});
  ProcessStrands ran = written(events);
  EXPECT_NEAR(timeOf(ran), static_cast<double>(work) / 2, 150);
  std::vector<StrandEvent> &first = ran.threads[1].events; // jobs 100 to 899 as eight
  std::vector<StrandEvent> fewer(first.begin(), first.begin() + 200);
  for (size_t job = 100; job < 900; job += 100) {
    const size_t last = 2 * (job + 99);
    fewer.push_back({fewer.back().clock, QX_STRAND_FOLDED, first[last].order, 0, 100});
    fewer.push_back({first[last].clock, QX_STRAND_CLAIM, first[2 * job].order, had, counter});
    fewer.push_back(first[last + 1]);
  }
  fewer.insert(fewer.end(), first.begin() + 1800, first.end());
  first = fewer;
  EXPECT_EQ(workOf(ran), static_cast<double>(work));
  EXPECT_NEAR(timeOf(ran), static_cast<double>(work) / 2, 300);
}

TEST(FoldedSections, AreSaid) {
  const ProcessStrands each = sections(2, 100, 1, 50);
  EXPECT_FALSE(parallelWork(each)->hasFolded);
  const Result<ParallelWork> work = parallelWork(folded(each, 10, 30));
  ASSERT_TRUE(work) << work.error().text;
  EXPECT_TRUE(work->hasFolded);
  EXPECT_EQ(work->work, parallelWork(each)->work);
  EXPECT_EQ(work->free.span, parallelWork(each)->free.span);
}

TEST(FoldedSections, OfAnySizeAreFew) {
  const ProcessStrands ran = written({{0, 9, QX_STRAND_FOLDED, UINT64_MAX >> 8},
                                      {0, 9, QX_STRAND_LOCK, firstLock, had},
                                      {0, 9, QX_STRAND_UNLOCK, firstLock, given},
                                      {0, 0, QX_STRAND_FOLDED, 7},
                                      {0, 9, QX_STRAND_LOCK, firstLock, had},
                                      {0, 0, QX_STRAND_END}});
  EXPECT_NEAR(workOf(ran), 36, 1e-3);
}

} // namespace
} // namespace quincunx
