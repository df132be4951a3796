// What a description must not be.
#include "quincunx/parallel/Description.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace quincunx;
using namespace quincunx::parallel;

namespace {
std::string errorOf(const Description &d) {
  const Status s = check(d);
  return s ? "none" : s.error().text;
}
std::string errorOf(const Step &s) {
  Description d;
  d.bodies = {{work(1), s}, {lock(0)}};
  d.locks = 1;
  return errorOf(d);
}
} // namespace

TEST(Description, RefusesWhatIsNotThere) {
  EXPECT_EQ(errorOf(Description{}), "a description needs a body for its first thread");
  EXPECT_EQ(errorOf(work(1)), "none");
  EXPECT_EQ(errorOf(work(-1)), "step 1 of body 0: work must be finite and not negative");
  EXPECT_EQ(errorOf(work(NAN)), "step 1 of body 0: work must be finite and not negative");
  EXPECT_EQ(errorOf(lock(1)), "step 1 of body 0: there is no such lock");
  EXPECT_EQ(errorOf(barrier(0)), "step 1 of body 0: there is no such barrier");
  EXPECT_EQ(errorOf(post(0)), "step 1 of body 0: there is no such channel");
  EXPECT_EQ(errorOf(loop(0)), "step 1 of body 0: there is no such loop");
  EXPECT_EQ(errorOf(fork(2)), "step 1 of body 0: there is no such body");
  EXPECT_EQ(errorOf(task(1, 0, 1)), "step 1 of body 0: there are no such uses");
  EXPECT_EQ(errorOf(firstOf(1, 2)), "step 1 of body 0: there are no such bodies");
  EXPECT_EQ(errorOf(firstOf(1, 1)), "step 1 of body 0: bodies of a race may only work");
}

TEST(Description, RefusesBodiesThatHoldThemselves) {
  Description d;
  d.bodies = {{team(1)}, {task(2), task(2)}, {single(1)}};
  EXPECT_EQ(errorOf(d), "a body holds itself");
  d.bodies[2] = {loop(0)};
  d.loops = {{Schedule::fixed, 0, {}, 0, 1, 1}};
  EXPECT_EQ(errorOf(d), "a body holds itself");
  d.loops[0].firstBody = 3;
  EXPECT_EQ(errorOf(d), "loop 0: there are no such bodies");
  d.bodies.push_back({work(1)});
  EXPECT_EQ(errorOf(d), "none");
}

TEST(Description, RefusesRoomForNothing) {
  Description d;
  d.bodies = {{}};
  d.barriers = {0};
  EXPECT_EQ(errorOf(d), "barrier 0: is for no threads");
  d.barriers = {1};
  d.channels = {{0, 0}};
  EXPECT_EQ(errorOf(d), "channel 0: has no room");
}
