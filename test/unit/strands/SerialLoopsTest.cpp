// Loops that one thread went through, told as if a team shared them, against the same loop in a
// description of teams.
#include "Strands.h"

#include "quincunx/strands/StrandDescription.h"

#include <random>

namespace quincunx {
namespace {

using namespace test;
using parallel::Schedule;

constexpr uint32_t place = 77;   ///< site of the loop
constexpr uint64_t alone = 1000; ///< what the thread does before the loop, and behind it

struct Told {
  uint64_t work = 0;
  uint32_t count = 1;
};

/// What a thread writes down that goes through these, told as they come.
std::vector<Happened> loopOf(const std::vector<Told> &told, uint64_t number = 1,
                             uint32_t site = place) {
  std::vector<Happened> events{{0, 0, QX_STRAND_SERIAL, number, site}};
  for (const Told &t : told)
    events.push_back({0, t.work, QX_STRAND_ROUND, number, t.count});
  return events;
}

/// As they are written: a round has its number of iterations in place of an order.
ProcessStrands ran(std::vector<Happened> events) {
  events.insert(events.begin(), {0, alone, QX_STRAND_CHANGE, 5, 1});
  events.push_back({0, alone, QX_STRAND_END, 0});
  ProcessStrands strands = written(events);
  for (StrandEvent &e : strands.threads[0].events)
    if (e.kind == QX_STRAND_ROUND)
      e.order = std::exchange(e.site, 0);
  return strands;
}

StrandChanges sharedBy(uint32_t threads, Schedule schedule = Schedule::fixed, uint64_t chunk = 0) {
  StrandChanges changes;
  changes.schedules[place] = {schedule, chunk, true};
  changes.threads = threads;
  return changes;
}

double makespan(const StrandDescription &d) {
  const Status valid = parallel::check(d.description);
  EXPECT_TRUE(valid) << (valid ? "" : valid.error().text);
  const Result<parallel::Simulated> s = parallel::simulate(d.description, {});
  EXPECT_TRUE(s) << (s ? "" : s.error().text);
  return s ? s->makespan : 0;
}

double told(const ProcessStrands &strands, const StrandChanges &changes,
            Kept kept = Kept::nothing) {
  const Result<StrandHistory> history = StrandHistory::of(strands, changes);
  EXPECT_TRUE(history) << (history ? "" : history.error().text);
  return history ? makespan(history->describe(kept)) : 0;
}
std::string refused(const ProcessStrands &strands, const StrandChanges &changes) {
  const Result<StrandHistory> history = StrandHistory::of(strands, changes);
  return history ? "" : history.error().text;
}

TEST(SerialLoops, AreDealtAsToATeam) {
  std::mt19937_64 random(11);
  constexpr Schedule schedules[] = {Schedule::fixed, Schedule::fixedChunks, Schedule::stealing,
                                    Schedule::queue, Schedule::guided};
  for (int i = 0; i < 300; ++i) {
    std::vector<Told> iterations(1 + random() % 200);
    parallel::Loop loop;
    for (Told &t : iterations)
      loop.costs.push_back(static_cast<double>(t.work = 100 + random() % 900));
    loop.schedule = schedules[random() % std::size(schedules)];
    loop.chunk = loop.schedule == Schedule::fixed ? 0 : 1 + random() % 9;
    parallel::Description d;
    d.bodies = {{parallel::work(2 * alone), parallel::team(1)}, {parallel::loop(0)}};
    d.loops = {loop};
    parallel::Setting setting;
    setting.threads = 2 + static_cast<uint32_t>(random() % 11);
    const double truth = parallel::simulate(d, setting)->makespan;
    const ProcessStrands strands = ran(loopOf(iterations));
    for (const Kept kept : {Kept::order, Kept::jobs, Kept::nothing})
      EXPECT_EQ(told(strands, sharedBy(setting.threads, loop.schedule, loop.chunk), kept), truth)
          << "loop " << i;
    EXPECT_EQ(StrandHistory::of(strands, sharedBy(setting.threads))->describe(Kept::jobs).atOnce,
              setting.threads);
  }
}

TEST(SerialLoops, ThatAreNotAskedForAreWork) {
  const ProcessStrands strands = ran(loopOf({{10}, {20}, {30}}));
  StrandChanges elsewhere = sharedBy(8);
  elsewhere.schedules = {{place + 1, {Schedule::fixed, 0, true}}};
  for (const StrandChanges &c : {StrandChanges(), elsewhere, sharedBy(1)}) {
    EXPECT_EQ(told(strands, c), 2 * alone + 60);
    EXPECT_EQ(told(strands, c, Kept::order), 2 * alone + 60);
  }
  EXPECT_EQ(workOf(strands).locked.span, 2 * alone + 60) << "nothing waits for an iteration";
}

/// Neighbours that are told together take the same each.
TEST(SerialLoops, AreTakenEvenlyWithinWhatIsToldTogether) {
  const ProcessStrands strands = ran(loopOf({{8}, {40, 4}, {400, 8}}));
  EXPECT_EQ(told(strands, sharedBy(13)), 2 * alone + 50);
  EXPECT_EQ(told(strands, sharedBy(2)), 2 * alone + 300) << "13 iterations are 7 and 6";
}

/// The thread is alone again where its last iteration ends, whatever follows.
TEST(SerialLoops, HaveTheirOwnIterationsEachTime) {
  std::vector<Happened> events = loopOf({{100}, {100}});
  events.push_back({0, 7, QX_STRAND_CHANGE, 5, 1});
  for (const Happened &h : loopOf({{300}, {100}, {100}}, 2))
    events.push_back(h);
  EXPECT_EQ(told(ran(events), sharedBy(2)), 2 * alone + 100 + 7 + 400);
}

TEST(SerialLoops, WithinOthersAreOfOneThread) {
  std::vector<Happened> events{{0, 0, QX_STRAND_SERIAL, 1, place}};
  for (uint64_t i = 0; i < 3; ++i) {
    for (const Happened &h : loopOf({{50}, {50}}, 2 + i))
      events.push_back(h);
    events.push_back({0, 5, QX_STRAND_ROUND, 1, 1});
  }
  EXPECT_EQ(told(ran(events), sharedBy(3)), 2 * alone + 105);
}

/// Of an exception that leaves a loop nothing is told behind the last iteration.
TEST(SerialLoops, EndWithTheirLastIteration) {
  std::vector<Happened> events = loopOf({{100}, {100}});
  events.push_back({0, 30, QX_STRAND_CHANGE, 5, 1});
  EXPECT_EQ(told(ran(events), sharedBy(2)), 2 * alone + 100 + 30);
}

TEST(SerialLoops, AreAlsoThoseOfOtherThreads) {
  std::vector<Happened> events{{0, 0, QX_STRAND_CREATE, 1}};
  for (Happened h : loopOf({{100}, {300}})) {
    h.thread = 1;
    events.push_back(h);
  }
  events.push_back({1, 0, QX_STRAND_END, 0});
  events.push_back({0, 0, QX_STRAND_JOIN, 1});
  ProcessStrands strands = ran(events);
  for (StrandEvent &e : strands.threads[1].events)
    if (e.kind == QX_STRAND_ROUND)
      e.order = std::exchange(e.site, 0);
  EXPECT_EQ(told(strands, sharedBy(2)), 2 * alone + 300);
}

/// Who has the lock first does not matter where nobody does more than that.
TEST(SerialLoops, HoldLocksOneAfterAnother) {
  std::vector<Happened> events{{0, 0, QX_STRAND_SERIAL, 1, place}};
  for (int i = 0; i < 4; ++i) {
    events.push_back({0, 100, QX_STRAND_LOCK, 9});
    events.push_back({0, 50, QX_STRAND_UNLOCK, 9});
    events.push_back({0, 0, QX_STRAND_ROUND, 1, 1});
  }
  EXPECT_EQ(told(ran(events), sharedBy(4)), 2 * alone + 100 + 4 * 50);
}

TEST(SerialLoops, AreRefusedWhereIterationsDoMore) {
  std::vector<Happened> events{{0, 0, QX_STRAND_SERIAL, 1, place}};
  events.push_back({0, 10, QX_STRAND_POST, 9});
  events.push_back({0, 10, QX_STRAND_ROUND, 1, 1});
  EXPECT_NE(refused(ran(events), sharedBy(2)).find("more in iterations"), std::string::npos);
  EXPECT_EQ(refused(ran(events), {}), "");
  events.clear();
  for (uint64_t i = 1; i <= 100; ++i)
    for (const Happened &h : loopOf({{1}, {1}}, i))
      events.push_back(h);
  EXPECT_EQ(refused(ran(events), sharedBy(1000)), "");
  EXPECT_NE(refused(ran(events), sharedBy(20000)).find("too often"), std::string::npos);
}

/// Who looks whether there is an iteration, and leaves in its middle, has not done one.
TEST(SerialLoops, AreNotWhereAThreadLooksForOneInVain) {
  EXPECT_EQ(told(ran(loopOf({{100}, {100}, {9}})), sharedBy(2)), 2 * alone + 100 + 9);
  EXPECT_EQ(told(ran(loopOf({{100}, {100}, {11}})), sharedBy(2)), 2 * alone + 200);
}

/// One before a team and two within it, of its first thread and of the other one.
TEST(SerialLoops, WithinTeamsAreOfOneThread) {
  std::vector<Happened> events = loopOf({{100}, {100}});
  events.push_back({0, 0, QX_STRAND_TEAM, 1});
  events.push_back({1, 0, QX_STRAND_MEMBER, 1, 1});
  for (const uint32_t thread : {0u, 1u})
    for (Happened h : loopOf({{70}, {70}}, 2 + thread)) {
      h.thread = thread;
      events.push_back(h);
    }
  for (const uint32_t thread : {0u, 1u})
    events.push_back({thread, 0, QX_STRAND_MEET, 1});
  events.push_back({0, 0, QX_STRAND_LEAVE, 1});
  events.push_back({1, 0, QX_STRAND_END, 0});
  ProcessStrands strands = ran(events);
  for (StrandEvent &e : strands.threads[1].events)
    if (e.kind == QX_STRAND_ROUND)
      e.order = std::exchange(e.site, 0);
  EXPECT_EQ(told(strands, sharedBy(0)), 2 * alone + 100 + 140) << "as many threads as the team has";
}

TEST(SerialLoops, WithoutIterationsAreWork) {
  std::vector<Happened> events = loopOf({});
  events.push_back({0, 30, QX_STRAND_ROUND, 1, 0});
  EXPECT_EQ(told(ran(events), sharedBy(8)), 2 * alone + 30);
  EXPECT_EQ(told(ran(loopOf({})), sharedBy(8)), 2 * alone);
}

TEST(SerialLoops, OfSeveralThreadsHaveTeamsOfTheirOwn) {
  std::vector<Happened> events{{0, 0, QX_STRAND_CREATE, 1}};
  for (Happened h : loopOf({{100}, {100}}, 2)) {
    h.thread = 1;
    events.push_back(h);
  }
  events.push_back({1, 0, QX_STRAND_END, 0});
  for (const Happened &h : loopOf({{50}, {50}}))
    events.push_back(h);
  events.push_back({0, 0, QX_STRAND_JOIN, 1});
  ProcessStrands strands = ran(events);
  for (StrandEvent &e : strands.threads[1].events)
    if (e.kind == QX_STRAND_ROUND)
      e.order = std::exchange(e.site, 0);
  EXPECT_EQ(told(strands, sharedBy(2)), 2 * alone + 100);
}

/// Numbers are kept as they are, not as addresses.
TEST(SerialLoops, AreReadAsTheyWereWritten) {
  const ProcessStrands strands = ran(loopOf({{10}, {20, 7}}, 1000));
  const Result<ProcessStrands> back = unpacked(packStrands(strands));
  ASSERT_TRUE(back);
  EXPECT_EQ(told(*back, sharedBy(8)), told(strands, sharedBy(8)));
  EXPECT_EQ(std::ranges::count(back->threads[0].events, 1000u, &StrandEvent::object), 3);
}

} // namespace
} // namespace quincunx
