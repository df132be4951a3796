// Work, span, profile, critical path and bounds.
#include "quincunx/parallel/Span.h"

#include "Descriptions.h"

using namespace quincunx;
using namespace quincunx::parallel;
using namespace quincunx::parallel::test;

namespace {
Span spanIn(const Description &d) {
  const Result<Span> s = spanOf(d);
  EXPECT_TRUE(s) << (s ? "" : s.error().text);
  return s ? *s : Span{};
}
} // namespace

TEST(Span, OfALoopIsItsDearestIteration) {
  for (const Schedule schedule : {Schedule::fixed, Schedule::queue, Schedule::guided}) {
    Description d = parallelLoop({1, 2, 7, 2}, schedule, 2);
    d.bodies[0] = {work(3), team(1), work(1)};
    const Span s = spanIn(d);
    EXPECT_EQ(s.work, 16);
    EXPECT_EQ(s.span, 11);
    EXPECT_DOUBLE_EQ(s.parallelism(), 16.0 / 11);
    ASSERT_EQ(s.profile.size(), 3u); // 4 for 1, 3 for 1, 1 for 3 + 5 + 1
    EXPECT_EQ(s.profile[0].pieces, 1u);
    EXPECT_EQ(s.profile[0].time, 9);
    EXPECT_EQ(s.profile[2].pieces, 4u);
    EXPECT_EQ(s.profile[2].time, 1);
    EXPECT_EQ(s.least(2), 11);
    EXPECT_EQ(s.most(2), 8 + 5.5);
    EXPECT_EQ(s.byProfile(2), 9 + 1.5 + 2);
    EXPECT_EQ(s.byProfile(1), 16);
  }
}

TEST(Span, PathSaysWhatAndWhy) {
  Description d;
  d.locks = 1;
  d.bodies = {{work(1, 0), fork(1), work(1, 1), lock(0), work(5, 2), unlock(0), join(0)},
              {work(2, 3), lock(0), work(4, 4), unlock(0)}};
  const Span s = spanIn(d);
  EXPECT_EQ(s.span, 1 + 1 + 5 + 4);
  ASSERT_EQ(s.path.size(), 4u);
  EXPECT_EQ(s.path[0].workClass, 0u);
  EXPECT_EQ(s.path[1].workClass, 1u);
  EXPECT_EQ(s.path[2].workClass, 2u);
  EXPECT_EQ(s.path[3].workClass, 4u);
  EXPECT_EQ(s.path[3].edge, Edge::lock);
  EXPECT_EQ(s.path[3].thread, 1u);
}

TEST(Span, OfTasksIsTheLongestPath) {
  const Description d = taskGraph({4, 3, 2, 1, 6}, {{0, 1}, {1, 3}, {2, 3}, {2, 4}});
  const Span s = spanIn(d);
  EXPECT_EQ(s.work, 16);
  EXPECT_EQ(s.span, 8);
  EXPECT_EQ(s.path.size(), 3u);
}

TEST(Span, WhoWaitsForTasksIsLetGoOnByThem) {
  Description d;
  d.bodies = {{team(1)}, {single(2)}, {task(3), work(1, 1), taskwait(), work(2, 2)}, {work(5, 3)}};
  const Span s = spanIn(d);
  ASSERT_EQ(s.path.size(), 2u);
  EXPECT_EQ(s.path[0].workClass, 3u);
  EXPECT_EQ(s.path[1].workClass, 2u);
  EXPECT_EQ(s.path[1].edge, Edge::task);
}
