// Teams and what they share.
#include "Descriptions.h"

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

TEST(Teams, AllGoThroughTheBody) {
  Description d;
  d.bodies = {{work(1), team(1), work(2)}, {work(5)}};
  const Simulated s = run(d, threads(4));
  EXPECT_EQ(s.makespan, 8);
  ASSERT_EQ(s.threads.size(), 4u);
  EXPECT_EQ(s.threads[0].busy, 8);
  EXPECT_EQ(s.threads[3].busy, 5);
  EXPECT_EQ(timeOf(d, threads(1)), 8);
}

TEST(Teams, FixedNumber) {
  Description d = parallelLoop(std::vector<double>(12, 1.0));
  d.bodies[0] = {team(1, 3)};
  EXPECT_EQ(timeOf(d, threads(12)), 4);
}

TEST(Teams, OneWithinAnotherHasOneThread) {
  Description d;
  d.bodies = {{team(1)}, {team(2)}, {loop(0)}};
  d.loops = {{Schedule::fixed, 0, std::vector<double>(8, 1.0), 0, noIndex, 0}};
  const Simulated s = run(d, threads(4));
  EXPECT_EQ(s.makespan, 8) << "each of the four does all of it";
  EXPECT_EQ(s.threads.size(), 4u);
}

TEST(Teams, LoopsEndTogetherUnlessNowait) {
  Description d;
  d.loops = {{Schedule::fixed, 0, {4, 1}, 0, noIndex, 0},
             {Schedule::fixed, 0, {1, 4}, 0, noIndex, 0}};
  d.bodies = {{team(1)}, {loop(0), loop(1)}};
  EXPECT_EQ(timeOf(d, threads(2)), 8);
  d.bodies[1] = {loop(0, true), loop(1, true)};
  const Simulated s = run(d, threads(2));
  EXPECT_EQ(s.makespan, 5);
  EXPECT_EQ(s.teams.count, 1u) << "they come to the end at once, one after the other";
  EXPECT_EQ(s.teams.time, 0);
}

TEST(Teams, BarriersAndSingles) {
  Description d;
  d.bodies = {
      {team(1)}, {loop(0, true), teamBarrier(), single(2), work(1), single(2, true)}, {work(7)}};
  d.loops = {{Schedule::fixed, 0, {3, 5}, 0, noIndex, 0}};
  // loop 5, single 7, 1, and one of them 7 more
  EXPECT_EQ(timeOf(d, threads(2)), 20);
  Setting s = threads(2);
  s.burdens.barrier = 100; // the barrier, the end of the single, that of the team
  s.burdens.team = 1000;
  EXPECT_EQ(timeOf(d, s), 20 + 300 + 1000);
}

TEST(Teams, SectionsAreALoopOfBodies) {
  Description d;
  d.bodies = {{team(1)}, {loop(0)}, {work(4)}, {work(1), work(1)}, {work(3)}};
  d.loops = {{Schedule::fixed, 0, {}, 0, 2, 3}};
  EXPECT_EQ(timeOf(d, threads(1)), 9);
  EXPECT_EQ(timeOf(d, threads(2)), 6); // two to the first, as they are dealt before
  EXPECT_EQ(timeOf(d, threads(3)), 4);
}

TEST(Teams, ChunksThatAreAskedForArePaid) {
  Setting s = threads(2);
  s.burdens.chunk = 0.25;
  const std::vector<double> costs(8, 1.0);
  EXPECT_EQ(timeOf(parallelLoop(costs, Schedule::fixed), s), 4);
  EXPECT_EQ(timeOf(parallelLoop(costs, Schedule::fixedChunks, 2), s), 4);
  EXPECT_EQ(timeOf(parallelLoop(costs, Schedule::queue, 2), s), 4.5);
  EXPECT_EQ(timeOf(parallelLoop(costs, Schedule::stealing, 1), s), 5);
}

TEST(Teams, DealtChunksAreKept) {
  Setting s = threads(2);
  s.keepChunks = true;
  const Simulated r = run(parallelLoop({1, 1, 1, 1, 1}, Schedule::fixedChunks, 2), s);
  ASSERT_EQ(r.chunks.size(), 3u);
  EXPECT_EQ(r.chunks[2].thread, 0u);
  EXPECT_EQ(r.chunks[2].begin, 4u);
  EXPECT_EQ(r.chunks[2].end, 5u);
}

TEST(Teams, OnesAfterAnotherUseTheSameThreads) {
  Description d = parallelLoop({1, 1});
  d.bodies[0] = {team(1), team(1), team(1)};
  const Simulated s = run(d, threads(2));
  EXPECT_EQ(s.makespan, 3);
  EXPECT_EQ(s.threads.size(), 2u);
}
