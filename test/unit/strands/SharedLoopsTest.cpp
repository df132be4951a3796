// Loops that teams shared and that are dealt anew, against the same loop in a description of teams.
#include "Strands.h"

#include "quincunx/parallel/LoopSchedule.h"
#include "quincunx/strands/StrandDescription.h"

#include <random>

namespace quincunx {
namespace {

using namespace test;
using parallel::Schedule;

constexpr uint32_t place = 77;   ///< site of the loop
constexpr uint64_t alone = 1000; ///< what the first thread does before the team, and behind it

struct Ran {
  std::vector<double> costs;
  uint32_t threads = 2;
  qx_schedule kind = QX_SCHEDULE_STATIC;
  uint64_t chunk = 0;   ///< as it says
  uint64_t stretch = 1; ///< iterations that are told together
};

/// What threads write down that are dealt chunks one after another by `schedule`.
ProcessStrands recorded(const Ran &r, Schedule schedule) {
  std::vector<Happened> events{{0, alone, QX_STRAND_TEAM, 1}};
  for (uint32_t t = 1; t < r.threads; ++t)
    events.push_back({t, 0, QX_STRAND_MEMBER, 1, t});
  for (uint32_t t = 0; t < r.threads; ++t)
    events.push_back({t, 0, QX_STRAND_LOOP, r.chunk << 8 | r.kind, place});
  ProcessStrands out = written(events);
  const auto deal =
      parallel::deal(schedule, r.costs.size(), std::max<uint64_t>(r.chunk, 1), r.threads);
  std::vector<bool> isDone(r.threads, false);
  for (size_t left = r.threads; left > 0;)
    for (uint32_t t = 0; t < r.threads; ++t) {
      if (isDone[t])
        continue;
      const parallel::Chunk c = deal->next(t);
      if (!c) {
        isDone[t] = true;
        --left;
        continue;
      }
      std::vector<StrandEvent> &own = out.threads[t].events;
      for (uint64_t i = c.begin; i < c.end;) {
        const uint64_t end = std::min(c.end, (i / r.stretch + 1) * r.stretch);
        StrandEvent e = own.back();
        for (uint64_t k = i; k < end; ++k)
          e.clock += static_cast<uint64_t>(r.costs[k]);
        e.kind = QX_STRAND_ITERATED;
        e.object = i;
        e.order = e.site = static_cast<uint32_t>(end - i);
        own.push_back(e);
        i = end;
      }
    }
  uint32_t order = 1000;
  for (const qx_strand_kind kind : {QX_STRAND_MEET, QX_STRAND_LEAVE, QX_STRAND_END})
    for (uint32_t t = 0; t < r.threads; ++t) {
      std::vector<StrandEvent> &own = out.threads[t].events;
      StrandEvent e{own.back().clock, kind, ++order, 0, kind == QX_STRAND_MEET || t == 0 ? 1u : 0u};
      if (kind == QX_STRAND_END) {
        e.object = 0;
        e.clock += t == 0 ? alone : 0;
      }
      own.push_back(e);
    }
  return out;
}

double makespan(const StrandDescription &d) {
  const Status valid = parallel::check(d.description);
  EXPECT_TRUE(valid) << (valid ? "" : valid.error().text);
  const Result<parallel::Simulated> s = parallel::simulate(d.description, {});
  EXPECT_TRUE(s) << (s ? "" : s.error().text);
  return s ? s->makespan : 0;
}

/// The same loop, in a team that has it by this schedule.
double truth(const Ran &r, Schedule schedule, uint64_t chunk) {
  parallel::Description d;
  d.bodies = {{parallel::work(alone), parallel::team(1), parallel::work(alone)},
              {parallel::loop(0)}};
  d.loops.push_back({.schedule = schedule, .chunk = chunk, .costs = r.costs});
  parallel::Setting setting;
  setting.threads = r.threads;
  return parallel::simulate(d, setting)->makespan;
}

double dealt(const ProcessStrands &strands, Schedule schedule, uint64_t chunk, Kept kept) {
  StrandChanges changes;
  changes.schedules[place] = {schedule, chunk};
  const Result<StrandHistory> history = StrandHistory::of(strands, changes);
  EXPECT_TRUE(history) << (history ? "" : history.error().text);
  return history ? makespan(history->describe(kept)) : 0;
}

struct Kind {
  Schedule schedule;
  qx_schedule recorded;
  bool hasChunk;
};
constexpr Kind kinds[] = {{Schedule::fixed, QX_SCHEDULE_STATIC, false},
                          {Schedule::fixedChunks, QX_SCHEDULE_STATIC, true},
                          {Schedule::stealing, QX_SCHEDULE_DYNAMIC, true},
                          {Schedule::queue, QX_SCHEDULE_QUEUE, true},
                          {Schedule::guided, QX_SCHEDULE_GUIDED, true}};

Ran randomLoop(std::mt19937_64 &random) {
  Ran r;
  r.threads = 2 + static_cast<uint32_t>(random() % 11);
  for (uint64_t n = 1 + random() % 200; n > 0; --n)
    r.costs.push_back(static_cast<double>(1 + random() % 1000));
  r.chunk = 1 + random() % 7;
  return r;
}

TEST(SharedLoops, AreDealtAsOtherSchedulesDoWhateverTheyHad) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 300; ++i) {
    Ran r = randomLoop(random);
    const Kind &had = kinds[random() % std::size(kinds)], &has = kinds[random() % std::size(kinds)];
    r.kind = had.recorded;
    r.chunk = had.hasChunk ? r.chunk : 0;
    const uint64_t chunk = has.hasChunk ? 1 + random() % 9 : 0;
    const ProcessStrands strands = recorded(r, had.schedule);
    for (const Kept kept : {Kept::order, Kept::jobs, Kept::nothing})
      EXPECT_EQ(dealt(strands, has.schedule, chunk, kept), truth(r, has.schedule, chunk))
          << "loop " << i;
  }
}

TEST(SharedLoops, ChunksThatWereHadByChanceComeToWhoIsFree) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 100; ++i) {
    Ran r = randomLoop(random);
    const Kind &had = kinds[2 + random() % 3];
    r.kind = had.recorded;
    const ProcessStrands strands = recorded(r, had.schedule);
    const Result<StrandHistory> history = StrandHistory::of(strands);
    for (const Kept kept : {Kept::order, Kept::jobs, Kept::nothing}) {
      const StrandDescription d = history->describe(kept);
      EXPECT_EQ(makespan(d), truth(r, had.schedule, r.chunk));
      EXPECT_FALSE(d.keepsChunks);
    }
    double longest = 0; // of who did most
    for (const StrandThread &t : strands.threads)
      longest = std::max(
          longest, static_cast<double>(t.events.back().clock + (t.number == 0 ? 0 : 2 * alone)));
    EXPECT_EQ(makespan(history->describe(Kept::nothing, Chunks::asTheyWere)), longest)
        << "as it ran, when that is asked for";
  }
}

TEST(SharedLoops, ThoseWithoutChangeStayAsTheyAre) {
  std::mt19937_64 random(9);
  for (int i = 0; i < 100; ++i) {
    Ran r = randomLoop(random);
    r.chunk = i % 2 == 0 ? 0 : r.chunk;
    const Schedule schedule = r.chunk == 0 ? Schedule::fixed : Schedule::fixedChunks;
    const Result<StrandHistory> history = StrandHistory::of(recorded(r, schedule));
    EXPECT_EQ(makespan(history->describe(Kept::nothing)), truth(r, schedule, r.chunk));
  }
}

TEST(SharedLoops, TeamsMayHaveMoreThreadsOrFewer) {
  std::mt19937_64 random(10);
  for (int i = 0; i < 300; ++i) {
    Ran r = randomLoop(random);
    const Kind &had = kinds[random() % std::size(kinds)];
    r.kind = had.recorded;
    r.chunk = had.hasChunk ? r.chunk : 0;
    StrandChanges changes;
    changes.threads = 1 + static_cast<uint32_t>(random() % 17);
    const Result<StrandHistory> history = StrandHistory::of(recorded(r, had.schedule), changes);
    ASSERT_TRUE(history) << history.error().text;
    Ran other = r;
    other.threads = changes.threads;
    for (const Kept kept : {Kept::order, Kept::nothing}) {
      const StrandDescription d = history->describe(kept);
      EXPECT_EQ(makespan(d), truth(other, had.schedule, r.chunk))
          << i << ": " << r.threads << " to " << changes.threads;
      EXPECT_EQ(workIn(d), workIn(StrandHistory::of(recorded(r, had.schedule))->describe(kept)));
    }
  }
}

/// A team of three, of which each thread does `all`, one of them `single` more, and has a lock for
/// `held`; a barrier in between. What another number of threads takes.
Result<double> teamTime(uint32_t threads, uint64_t all, uint64_t single, uint64_t held) {
  std::vector<Happened> events{{0, 100000, QX_STRAND_TEAM, 1}};
  for (const uint32_t t : {1u, 2u})
    events.push_back({t, 0, QX_STRAND_MEMBER, 1, t});
  for (const uint32_t t : {0u, 1u, 2u})
    events.push_back({t, all + (t == 2 ? single : 0), QX_STRAND_MEET, 1});
  for (const uint32_t t : {0u, 1u, 2u})
    events.push_back({t, 0, QX_STRAND_PART, 1});
  for (const uint32_t t : {0u, 1u, 2u}) {
    events.push_back({t, 0, QX_STRAND_LOCK, 5});
    events.push_back({t, held, QX_STRAND_UNLOCK, 5});
  }
  for (const uint32_t t : {0u, 1u, 2u})
    events.push_back({t, 0, QX_STRAND_MEET, 1});
  events.push_back({0, 0, QX_STRAND_LEAVE, 1});
  for (const uint32_t t : {1u, 2u})
    events.push_back({t, 0, QX_STRAND_LEAVE, 0});
  for (const uint32_t t : {0u, 1u, 2u})
    events.push_back({t, 0, QX_STRAND_END});
  StrandChanges changes;
  changes.threads = threads;
  const Result<StrandHistory> history = StrandHistory::of(written(events), changes);
  return history ? Result<double>(makespan(history->describe(Kept::nothing))) : history.error();
}

TEST(SharedLoops, WhatEachThreadDoesBesideThemItDoesAmongMore) {
  EXPECT_EQ(*teamTime(3, 10, 500, 20), 100000 + 510 + 3 * 20);
  EXPECT_EQ(*teamTime(7, 10, 500, 20), 100000 + 510 + 7 * 20) << "a single is done once";
  EXPECT_EQ(*teamTime(2, 10, 500, 20), 100000 + 510 + 2 * 20) << "and not lost with its thread";
  EXPECT_EQ(*teamTime(1, 10, 500, 20), 100000 + 510 + 20);
  const Result<double> alone = teamTime(7, 10, 50000, 20);
  ASSERT_TRUE(alone) << alone.error().text;
  EXPECT_EQ(*alone, 100000 + 50010 + 7 * 20) << "nor is it shared";
  const Result<double> shared = teamTime(7, 10000, 500, 20);
  ASSERT_FALSE(shared) << "each may have had its share of something";
  EXPECT_NE(shared.error().text.find("neither in loops"), std::string::npos);
}

/// A team of two that meets three times, and each time another one of them makes a task and waits
/// for it, as with `single`: the other one meanwhile does what one more thread would do.
TEST(SharedLoops, WhatOnlyOneThreadDoesMayBeAnotherOnesAfterEachBarrier) {
  for (const std::vector<uint32_t> &makers :
       {std::vector<uint32_t>{0, 1, 0}, {1, 0, 1}, {1, 1, 1}, {0, 0, 0}}) {
    std::vector<Happened> events{{0, 100000, QX_STRAND_TEAM, 1}, {1, 0, QX_STRAND_MEMBER, 1, 1}};
    for (size_t round = 0; round < 3; ++round) {
      const uint32_t maker = makers[round], task = static_cast<uint32_t>(round) + 1;
      events.push_back({maker, 50, QX_STRAND_SPAWN, task});
      events.push_back({maker, 0, QX_STRAND_RUN, task});
      events.push_back({maker, 1000, QX_STRAND_RUN, 0});
      events.push_back({maker, 0, QX_STRAND_TASKWAIT, 0});
      for (const uint32_t t : {0u, 1u})
        events.push_back({t, 20, QX_STRAND_MEET, 1});
      if (round < 2)
        for (const uint32_t t : {0u, 1u})
          events.push_back({t, 0, QX_STRAND_PART, 1});
    }
    events.push_back({0, 0, QX_STRAND_LEAVE, 1});
    events.push_back({1, 0, QX_STRAND_LEAVE, 0});
    for (const uint32_t t : {0u, 1u})
      events.push_back({t, 0, QX_STRAND_END});
    StrandChanges changes;
    for (changes.threads = 1; changes.threads < 9; ++changes.threads) {
      const Result<StrandHistory> history = StrandHistory::of(written(events), changes);
      ASSERT_TRUE(history) << changes.threads << ": " << history.error().text;
      const StrandDescription d = history->describe(Kept::nothing);
      EXPECT_EQ(makespan(d), 100000 + 3 * (50 + 1000 + 20));
      EXPECT_EQ(workIn(d), 100000 + 3 * (50 + 1000 + 20 * changes.threads));
    }
  }
}

/// Iterations that are told together are taken to be alike; a trend is not lost by that.
TEST(SharedLoops, TasksThatEachThreadMakesAreNotAskedOfFewer) {
  const auto teamWithTasks = [](uint32_t placeOfSecond) {
    std::vector<Happened> events{{0, 10, QX_STRAND_TEAM, 1}, {1, 0, QX_STRAND_MEMBER, 1, 1}};
    for (const uint32_t t : {0u, 1u}) {
      events.push_back({t, 5, QX_STRAND_SPAWN, t + 1, t == 0 ? 7 : placeOfSecond});
      events.push_back({t, 5, QX_STRAND_MEET, 1});
      events.push_back({t, 0, QX_STRAND_RUN, t + 1});
      events.push_back({t, 1000, QX_STRAND_RUN, 0});
    }
    events.push_back({0, 0, QX_STRAND_LEAVE, 1});
    events.push_back({1, 0, QX_STRAND_LEAVE, 0});
    for (const uint32_t t : {0u, 1u})
      events.push_back({t, 0, QX_STRAND_END});
    StrandChanges changes;
    changes.threads = 1;
    return StrandHistory::of(written(events), changes);
  };
  const Result<StrandHistory> each = teamWithTasks(7);
  ASSERT_FALSE(each) << "one thread may make one task, or two";
  EXPECT_NE(each.error().text.find("at one place"), std::string::npos) << each.error().text;
  const Result<StrandHistory> singles = teamWithTasks(8);
  ASSERT_TRUE(singles) << singles.error().text;
  EXPECT_EQ(workIn(singles->describe(Kept::nothing)), 10 + 2 * (5 + 5 + 1000) - 5);
}

TEST(SharedLoops, StretchesAreNearlyAsGood) {
  Ran r;
  r.threads = 8;
  for (int i = 0; i < 4096; ++i)
    r.costs.push_back(100 + i);
  r.stretch = 16;
  const ProcessStrands strands = recorded(r, Schedule::fixed);
  for (const Kind &k : kinds) {
    const uint64_t chunk = k.hasChunk ? 4 : 0;
    EXPECT_NEAR(dealt(strands, k.schedule, chunk, Kept::nothing) / truth(r, k.schedule, chunk), 1,
                0.005);
  }
}

TEST(SharedLoops, OfWhichIterationsAreMissingAreNotDealt) {
  Ran r;
  r.costs.assign(50, 10);
  ProcessStrands strands = recorded(r, Schedule::fixed);
  StrandChanges changes;
  changes.schedules[place] = {Schedule::queue, 1};
  std::vector<StrandEvent> &events = strands.threads[1].events;
  events.erase(std::ranges::find(events, QX_STRAND_ITERATED, &StrandEvent::kind));
  const Result<StrandHistory> history = StrandHistory::of(strands, changes);
  ASSERT_FALSE(history);
  EXPECT_NE(history.error().text.find("cannot be dealt anew"), std::string::npos);
  changes.schedules = {{place + 1, {Schedule::queue, 1}}};
  EXPECT_TRUE(StrandHistory::of(strands, changes)) << "that is another loop";
}

/// Who comes first does something, within his iteration, and others go on behind that: no reason not
/// to deal them. A latch that one makes and another one counts down is.
TEST(SharedLoops, WhatIsDoneOnceWithinIterationsStaysWithWhoDidIt) {
  Ran r;
  r.costs.assign(50, 10);
  const ProcessStrands plain = recorded(r, Schedule::fixed);
  const auto with = [&](qx_strand_kind kind, uint32_t thread, uint32_t order, ProcessStrands to) {
    std::vector<StrandEvent> &events = to.threads[thread].events;
    const auto at = std::ranges::find(events, QX_STRAND_ITERATED, &StrandEvent::kind);
    events.insert(at + order % 3, {std::prev(at)->clock, kind, order, 9, 77});
    return to;
  };
  const ProcessStrands made = with(QX_STRAND_LATCH, 0, 300, plain);
  const ProcessStrands once =
      with(QX_STRAND_AWAIT, 1, 306, with(QX_STRAND_DONE, 0, 303, made));
  StrandChanges changes;
  changes.schedules[place] = {Schedule::queue, 1};
  const Result<StrandHistory> history = StrandHistory::of(once, changes);
  ASSERT_TRUE(history) << history.error().text;
  EXPECT_EQ(makespan(history->describe(Kept::nothing)),
            dealt(plain, Schedule::queue, 1, Kept::nothing));
  EXPECT_FALSE(StrandHistory::of(with(QX_STRAND_DONE, 1, 303, made), changes));
}

/// Groups of neighbours are as many for each thread: equal shares of a long loop are equal.
TEST(SharedLoops, LongOnesAreSharedEvenly) {
  Ran r;
  r.threads = 4;
  r.costs.assign(84000, 10);
  r.stretch = 128;
  StrandChanges changes;
  for (const uint32_t threads : {3u, 7u, 24u}) { // 84,000 is a multiple of all
    changes.threads = threads;
    const Result<StrandHistory> history = StrandHistory::of(recorded(r, Schedule::fixed), changes);
    ASSERT_TRUE(history);
    EXPECT_NEAR(makespan(history->describe(Kept::nothing)), 2. * alone + 840000. / threads, 1e-3);
  }
}

/// A region within an iteration has one thread, as libomp has it by default, and is only work.
TEST(SharedLoops, IterationsMayHaveTeamsOfOne) {
  Ran r;
  r.threads = 3;
  for (int i = 0; i < 30; ++i)
    r.costs.push_back(100 * i);
  ProcessStrands strands = recorded(r, Schedule::fixed);
  uint64_t team = 10;
  for (StrandThread &t : strands.threads) {
    std::vector<StrandEvent> events;
    for (const StrandEvent &e : t.events) {
      if (e.kind == QX_STRAND_ITERATED) { // what is in it is counted up to its end
        const uint64_t clock = events.back().clock;
        events.push_back({clock, QX_STRAND_TEAM, 0, 5, ++team});
        events.push_back({clock, QX_STRAND_LOOP, 0, place + 1, QX_SCHEDULE_STATIC});
        events.push_back({clock, QX_STRAND_ITERATED, 8, 8, 0});
        events.push_back({clock, QX_STRAND_LEAVE, 0, 5, team});
      }
      events.push_back(e);
    }
    t.events = std::move(events);
  }
  EXPECT_EQ(dealt(strands, Schedule::queue, 1, Kept::nothing), truth(r, Schedule::queue, 1));
  for (const uint32_t threads : {1u, 2u, 8u}) {
    StrandChanges changes;
    changes.threads = threads;
    const Result<StrandHistory> history = StrandHistory::of(strands, changes);
    ASSERT_TRUE(history) << history.error().text;
    Ran other = r;
    other.threads = threads;
    EXPECT_EQ(makespan(history->describe(Kept::nothing)), truth(other, Schedule::fixed, 0));
  }
}

TEST(SharedLoops, SmallChunksAreSaid) {
  Ran r;
  r.costs.assign(64, 100);
  const auto isSaid = [&](Schedule schedule, uint64_t chunk, uint32_t threads = 0) {
    StrandChanges changes;
    changes.threads = threads;
    if (threads == 0)
      changes.schedules[place] = {schedule, chunk};
    return StrandHistory::of(recorded(r, Schedule::fixed), changes)
               ->describe(Kept::nothing)
               .ofChunks > 0.02;
  };
  EXPECT_TRUE(isSaid(Schedule::queue, 1));
  EXPECT_FALSE(isSaid(Schedule::queue, 20));
  EXPECT_FALSE(isSaid(Schedule::fixed, 0)) << "as it was";
  EXPECT_FALSE(isSaid(Schedule::fixed, 0, 1));
  r.kind = QX_SCHEDULE_DYNAMIC;
  r.chunk = 1;
  EXPECT_TRUE(isSaid(Schedule::fixed, 0, 1)) << "one thread has all of it at once";
  EXPECT_FALSE(isSaid(Schedule::fixed, 0, 5));
  r.kind = QX_SCHEDULE_STATIC;
  r.chunk = 0;
  r.costs.assign(64, 1000);
  EXPECT_FALSE(isSaid(Schedule::queue, 1)) << "each iteration is far more than that";
}

TEST(SharedLoops, OfTeamsThatSeveralThreadsMakeStayAsTheyWere) {
  Ran r;
  r.costs.assign(20, 100);
  ProcessStrands strands = recorded(r, Schedule::fixed), other = strands;
  for (StrandThread &t : other.threads) {
    t.number += 2;
    for (StrandEvent &e : t.events)
      if (e.kind == QX_STRAND_TEAM || e.kind == QX_STRAND_MEMBER || e.kind == QX_STRAND_MEET ||
          (e.kind == QX_STRAND_LEAVE && e.object != 0))
        e.object = 2;
    strands.threads.push_back(t);
  }
  StrandChanges changes;
  changes.schedules[place] = {Schedule::queue, 1};
  const Result<StrandHistory> schedule = StrandHistory::of(strands, changes);
  ASSERT_FALSE(schedule);
  EXPECT_NE(schedule.error().text.find("several threads make teams"), std::string::npos);
  changes = {};
  changes.threads = 3;
  const Result<StrandHistory> threads = StrandHistory::of(strands, changes);
  ASSERT_FALSE(threads);
  EXPECT_NE(threads.error().text.find("several threads make teams"), std::string::npos);
  EXPECT_TRUE(StrandHistory::of(strands));
}

// An iteration takes numbers from a counter of its own accord: no jobs are shared out by that.
TEST(SharedLoops, IterationsMayHaveNumbers) {
  const Ran ran{.costs = {10, 20, 30, 40, 50, 60}, .threads = 2};
  ProcessStrands strands = recorded(ran, Schedule::fixed);
  for (StrandThread &t : strands.threads) {
    std::vector<StrandEvent> events;
    for (const StrandEvent &e : t.events) {
      if (e.kind == QX_STRAND_ITERATED) {
        const uint64_t clock = events.back().clock;
        events.push_back({clock, QX_STRAND_CLAIM, static_cast<uint32_t>(e.object), 5, 9});
        events.push_back({clock, QX_STRAND_NUMBER, 0, 0, e.object});
      }
      events.push_back(e);
    }
    t.events = events;
  }
  EXPECT_EQ(dealt(strands, Schedule::queue, 1, Kept::nothing), truth(ran, Schedule::queue, 1));
  EXPECT_EQ(makespan(StrandHistory::of(strands)->describe(Kept::nothing)),
            truth(ran, Schedule::fixed, 0));
}

/// With a lock in each iteration: all the work is within it, so that nothing helps.
TEST(SharedLoops, IterationsMayHaveLocks) {
  const auto ran = [](uint64_t before, uint64_t within) {
    std::vector<Happened> events{{0, 0, QX_STRAND_TEAM, 1}, {1, 0, QX_STRAND_MEMBER, 1, 1}};
    for (const uint32_t t : {0u, 1u})
      events.push_back({t, 0, QX_STRAND_LOOP, QX_SCHEDULE_STATIC, place});
    for (uint64_t i = 0; i < 10; ++i) {
      const uint32_t t = i < 5 ? 0 : 1;
      events.push_back({t, before * i, QX_STRAND_LOCK, 5});
      events.push_back({t, within, QX_STRAND_UNLOCK, 5});
      events.push_back({t, 0, QX_STRAND_ITERATED, i, 1});
    }
    for (const uint32_t t : {0u, 1u})
      events.push_back({t, 0, QX_STRAND_MEET, 1});
    events.insert(events.end(), {{0, 0, QX_STRAND_LEAVE, 1},
                                 {1, 0, QX_STRAND_LEAVE, 0},
                                 {0, 0, QX_STRAND_END},
                                 {1, 0, QX_STRAND_END}});
    ProcessStrands strands = written(events);
    for (StrandThread &t : strands.threads)
      for (StrandEvent &e : t.events)
        if (e.kind == QX_STRAND_ITERATED)
          e.order = 1;
    return strands;
  };
  EXPECT_EQ(dealt(ran(0, 100), Schedule::queue, 1, Kept::nothing), 1000);
  // 0 10 20 ... 90 by turns: 0 2 4 6 8, and 1 3 5 7 9.
  EXPECT_EQ(dealt(ran(10, 0), Schedule::fixedChunks, 1, Kept::nothing), 10 + 30 + 50 + 70 + 90);
  EXPECT_EQ(dealt(ran(10, 0), Schedule::fixedChunks, 1, Kept::order), 10 + 30 + 50 + 70 + 90);
  StrandChanges alone; // who had a lock before whom is nothing to one thread
  alone.threads = 1;
  const Result<StrandHistory> history = StrandHistory::of(ran(0, 100), alone);
  ASSERT_TRUE(history);
  for (const Kept kept : {Kept::order, Kept::jobs, Kept::nothing})
    EXPECT_EQ(makespan(history->describe(kept)), 1000);
}

} // namespace
} // namespace quincunx
