// Channels that count: hand-offs, room, and pipelines.
#include "Descriptions.h"

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

namespace {
/// Stages of a pipeline, each with its time per item, and queues with room for so many between
/// them.
Description pipeline(const std::vector<double> &stages, int items, uint64_t room) {
  Description d;
  d.bodies = {{}};
  for (uint32_t s = 0; s < stages.size(); ++s) {
    if (s + 1 < stages.size())
      d.channels.push_back({0, room});
    Body b;
    for (int i = 0; i < items; ++i) {
      if (s > 0)
        b.push_back(take(s - 1));
      b.push_back(work(stages[s]));
      if (s + 1 < stages.size())
        b.push_back(post(s));
    }
    d.bodies.push_back(b);
    d.bodies[0].push_back(fork(s + 1));
  }
  for (uint32_t s = 0; s < stages.size(); ++s)
    d.bodies[0].push_back(join(s));
  return d;
}
} // namespace

TEST(Channels, KthGetsKth) {
  Description d;
  d.channels = {{}};
  d.bodies = {{fork(1), fork(2), work(5), post(0), work(2), post(0), join(0), join(1)},
              {take(0), work(10)},
              {work(1), take(0), work(1)}};
  const Simulated s = run(d);
  EXPECT_EQ(s.makespan, 15); // the first has waited for longer: 5 + 10; the other: 7 + 1
  EXPECT_EQ(s.channels[0].count, 2u);
  EXPECT_EQ(s.channels[0].time, 5 + 6);
}

// With room the slowest stage is what it takes: fill, (n - 1) times the slowest, drain.
TEST(Channels, PipelineOfTheSlowestStage) {
  EXPECT_EQ(timeOf(pipeline({1, 3, 2}, 10, UINT64_MAX)), 1 + 10 * 3 + 2);
  EXPECT_EQ(timeOf(pipeline({3, 1, 2}, 10, UINT64_MAX)), 10 * 3 + 1 + 2);
  EXPECT_EQ(timeOf(pipeline({1, 2, 3}, 10, 1)), 1 + 2 + 10 * 3);
}

// A producer of 1 before a consumer of 3 with room for 2: item k is posted when item k - 3 is
// taken.
TEST(Channels, NoRoomMakesProducersWait) {
  const Simulated s = run(pipeline({1, 3}, 10, 2));
  EXPECT_EQ(s.makespan, 1 + 10 * 3);
  // Items 1 to 3 are posted at 1, 2, 3, and the fourth, done at 4, when the second is taken, at 4.
  // From then on the producer works for 1 of every 3.
  EXPECT_EQ(s.threads[1].busy, 10);
  EXPECT_EQ(s.threads[1].waited, 6 * 2);
}

TEST(Channels, SemaphoreLetsSoManyIn) {
  Description d;
  d.channels = {{2, UINT64_MAX}};
  d.bodies = {{team(1, 6)}, {take(0), work(10), post(0)}};
  EXPECT_EQ(timeOf(d), 30);
}

TEST(Channels, NothingPostedWaitsForever) {
  Description d;
  d.channels = {{}};
  d.bodies = {{work(1), take(0)}};
  EXPECT_EQ(errorOf(d), "threads wait for each other forever; thread 0 at step 1 of body 0");
}
