// Work and span of teams and tasks of OpenMP, of which one can say by hand who waited for whom.
#include "Strands.h"

#include "quincunx/strands/StrandDescription.h"

namespace quincunx {
namespace {

using namespace test;

constexpr qx_strand_kind ended = QX_STRAND_END, spawn = QX_STRAND_SPAWN, run = QX_STRAND_RUN,
                         taskwait = QX_STRAND_TASKWAIT, group = QX_STRAND_GROUP,
                         groupEnd = QX_STRAND_GROUP_END, use = QX_STRAND_USE,
                         writes = QX_STRAND_WRITE, team = QX_STRAND_TEAM, member = QX_STRAND_MEMBER,
                         leave = QX_STRAND_LEAVE, meet = QX_STRAND_MEET, part = QX_STRAND_PART;

/// As Strands.h has it of threads; legs of tasks have clocks of their own.
ParallelWork workOfTasks(const std::vector<Happened> &events) {
  const Result<ParallelWork> work = parallelWork(written(events));
  EXPECT_TRUE(work) << (work ? "" : work.error().text);
  if (!work)
    return {};
  uint64_t sum = 0;
  for (const Happened &e : events)
    sum += e.work;
  EXPECT_EQ(work->work, sum) << "work of nobody";
  for (const CriticalPath *path : {&work->free, &work->locked}) {
    uint64_t legs = 0, parts = 0;
    for (const PathLeg &leg : path->legs)
      legs += leg.work;
    for (const auto &[place, length] : path->parts)
      parts += length;
    EXPECT_EQ(legs, path->span) << "legs are not the whole path";
    EXPECT_EQ(parts, path->span) << "parts are not the whole path";
  }
  return *work;
}

TEST(StrandsOfTasks, WhoWaitsForThemJoinsThem) {
  struct {
    const char *what;
    std::vector<Happened> events;
    uint64_t span;
  } const table[] = {
      {"nobody waits", // 1 + 30, and 1 + 1 + 2 of who made it
       {{0, 1, spawn, 1}, {0, 1, run, 1}, {0, 30, run, 0}, {0, 2, ended}},
       31},
      {"taskwait",
       {{0, 1, spawn, 1}, {0, 1, run, 1}, {0, 30, run, 0}, {0, 4, taskwait}, {0, 2, ended}},
       1 + 30 + 2},
      {"who waits has more to do",
       {{0, 1, spawn, 1}, {0, 1, run, 1}, {0, 3, run, 0}, {0, 9, taskwait}, {0, 2, ended}},
       1 + 1 + 9 + 2},
      {"two at once",
       {{0, 1, spawn, 1},
        {0, 1, spawn, 2},
        {0, 0, run, 1},
        {0, 30, run, 2},
        {0, 20, run, 0},
        {0, 0, taskwait},
        {0, 2, ended}},
       1 + 30 + 2},
      {"a task of a task, for which taskwait does not wait",
       {{0, 1, spawn, 1},
        {0, 0, run, 1},
        {0, 3, spawn, 2},
        {0, 0, run, 2},
        {0, 50, run, 1},
        {0, 4, run, 0},
        {0, 0, taskwait},
        {0, 2, ended}},
       1 + 3 + 50},
      {"a group waits for it",
       {{0, 0, group},
        {0, 1, spawn, 1},
        {0, 0, run, 1},
        {0, 3, spawn, 2},
        {0, 0, run, 2},
        {0, 50, run, 1},
        {0, 4, run, 0},
        {0, 0, groupEnd},
        {0, 2, ended}},
       1 + 3 + 50 + 2},
      {"an inner team does not wait for it",
       {{0, 1, spawn, 1},
        {0, 0, run, 1},
        {0, 30, run, 0},
        {0, 0, team, 2},
        {0, 3, leave, 2},
        {0, 20, taskwait},
        {0, 2, ended}},
       1 + 30 + 2},
      {"one that was not deferred, and leaves one",
       {{0, 1, spawn, 1},
        {0, 0, run, 1},
        {0, 4, spawn, 2},
        {0, 0, run, 2},
        {0, 50, run, 1},
        {0, 6, run, 0},
        {0, 0, taskwait, 1},
        {0, 7, ended}},
       1 + 4 + 50},
      {"a group does not wait for what was left before it",
       {{0, 1, spawn, 1},
        {0, 0, run, 1},
        {0, 2, spawn, 2},
        {0, 0, run, 2},
        {0, 30, run, 1},
        {0, 0, run, 0},
        {0, 0, taskwait},
        {0, 0, group},
        {0, 1, spawn, 3},
        {0, 0, run, 3},
        {0, 1, run, 0},
        {0, 0, groupEnd},
        {0, 20, ended}},
       1 + 2 + 30},
      {"it goes on in another thread",
       {{0, 1, spawn, 1},
        {0, 0, run, 1},
        {0, 10, run, 0},
        {1, 0, run, 1},
        {1, 10, run, 0},
        {0, 0, taskwait},
        {0, 2, ended},
        {1, 0, ended}},
       1 + 10 + 10 + 2},
  };
  for (const auto &t : table) {
    SCOPED_TRACE(t.what);
    EXPECT_EQ(workOfTasks(t.events).free.span, t.span);
  }
}

TEST(StrandsOfTasks, ComeAfterWhomTheyDependOn) {
  const auto program = [](qx_strand_kind first, qx_strand_kind second) {
    return std::vector<Happened>{{0, 1, spawn, 1},  {0, 0, first, 9}, {0, 1, spawn, 2},
                                 {0, 0, second, 9}, {0, 0, run, 1},   {0, 30, run, 2},
                                 {0, 40, run, 0},   {0, 0, taskwait}, {0, 2, ended}};
  };
  const uint64_t apart = 1 + 1 + 40 + 2, after = 1 + 30 + 40 + 2;
  EXPECT_EQ(workOfTasks(program(use, use)).free.span, apart) << "both read";
  EXPECT_EQ(workOfTasks(program(writes, use)).free.span, after) << "it reads what was written";
  EXPECT_EQ(workOfTasks(program(use, writes)).free.span, after) << "it was read before";
  EXPECT_EQ(workOfTasks(program(writes, writes)).free.span, after) << "in this order";
}

// Kinds of depend() as OMPT has them: 3 is inout, 7 inoutset, 35 all of memory.
TEST(StrandsOfTasks, OfASetComeAfterOthersAndNotAfterEachOther) {
  const auto program = [](uint32_t first, uint32_t second, uint64_t other) {
    return std::vector<Happened>{
        {0, 1, spawn, 1}, {0, 0, writes, 9, first}, {0, 1, spawn, 2}, {0, 0, writes, other, second},
        {0, 0, run, 1},   {0, 30, run, 2},          {0, 40, run, 0},  {0, 0, taskwait},
        {0, 2, ended}};
  };
  const uint64_t apart = 1 + 1 + 40 + 2, after = 1 + 30 + 40 + 2;
  EXPECT_EQ(workOfTasks(program(7, 7, 9)).free.span, apart);
  EXPECT_EQ(workOfTasks(program(3, 7, 9)).free.span, after);
  EXPECT_EQ(workOfTasks(program(7, 3, 9)).free.span, after);
  EXPECT_EQ(workOfTasks(program(3, 3, 8)).free.span, apart) << "two addresses";
  EXPECT_EQ(workOfTasks(program(35, 3, 8)).free.span, after) << "all of memory first";
  EXPECT_EQ(workOfTasks(program(3, 35, 8)).free.span, after) << "all of memory behind";
}

TEST(StrandsOfTasks, ABarrierOfATeamWaitsForThem) {
  const std::vector<Happened> events{{0, 5, team, 1}, {1, 0, member, 1}, {0, 2, spawn, 1},
                                     {1, 1, run, 1},  {1, 60, run, 0},   {1, 1, meet, 1},
                                     {0, 9, meet, 1}, {1, 0, part, 1},   {0, 0, part, 1},
                                     {1, 3, leave},   {0, 4, ended},     {1, 0, ended, 1}};
  EXPECT_EQ(workOfTasks(events).free.span, 5u + 2 + 60 + 4);
}

// As who goes along a list makes them: each task makes the next one, and waits for none.
TEST(StrandsOfTasks, MayBeLeftInALongRow) {
  constexpr uint32_t n = 20000;
  std::vector<Happened> events{{0, 0, group}};
  for (uint32_t i = 1; i <= n; ++i) {
    events.push_back({0, 1, spawn, i});
    events.push_back({0, 0, run, i});
  }
  events.push_back({0, 5, run, 0});
  events.push_back({0, 0, groupEnd});
  events.push_back({0, 2, ended});
  EXPECT_EQ(workOfTasks(events).free.span, n + 5 + 2);
}

/// What a description of them takes with a processor for each.
double timeWith(const std::vector<Happened> &events, const std::map<uint32_t, double> &work) {
  const StrandDescription d =
      StrandHistory::of(written(events), {.unlocked = {}, .apart = {}, .work = work})->describe(Kept::nothing);
  const Result<parallel::Simulated> s = parallel::simulate(d.description, {});
  EXPECT_TRUE(s);
  return s ? s->makespan : -1;
}

// Its first member is who makes the team, until it ends; a task in it is not the team's.
TEST(StrandsOfTasks, WorkOfTeamsAndTasksIsSomeTimesAsMuch) {
  constexpr uint32_t region = 81, task = 82;
  const std::vector<Happened> events = {{0, 7, team, 1, region}, {1, 0, member, 1},
                                        {0, 20, spawn, 2, task}, {0, 0, run, 2},
                                        {0, 50, run, 0},         {1, 30, meet, 1},
                                        {0, 4, meet, 1},         {0, 0, part, 1},
                                        {1, 0, part, 1},         {1, 0, leave},
                                        {0, 0, leave, 1},        {0, 3, ended}};
  EXPECT_EQ(timeWith(events, {}), 7 + 20 + 4 + 50 + 3)
      << "the first member runs the task when it has met";
  EXPECT_EQ(timeWith(events, {{region, 3}}), 7 + 60 + 12 + 50 + 3)
      << "the other member works 90";
  EXPECT_EQ(timeWith(events, {{task, 0.5}}), 7 + 20 + 4 + 25 + 3);
  EXPECT_EQ(timeWith(events, {{region, 2}, {task, 0}}), 7 + 60 + 3);
}

} // namespace
} // namespace quincunx
