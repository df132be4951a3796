// Which branches that always went one way other sizes may take the other way, on a function of one
// branch.
#include "../../../lib/estimate/scaling/Untried.h"

#include "Synthetic.h"

#include <gtest/gtest.h>

using namespace quincunx;
using namespace quincunx::test;

namespace {

/// if (n < 64) small(); else merge();  Blocks: 0 test, 1 small, 2 merge, 3 exit.
Function sorts() {
  Function f;
  f.name = "sort";
  f.counterCount = 2;
  f.files = {{"/src/sort.c", {}}};
  f.scopes = {{noIndex, "sort", 0, 3, 0, 0}};
  f.blocks.resize(4);
  f.edges = {{noIndex, 0, EdgeKind::entry, 0}, {0, 1, EdgeKind::flow, noIndex},
             {0, 2, EdgeKind::flow, 1},        {1, 3, EdgeKind::flow, noIndex},
             {2, 3, EdgeKind::flow, noIndex},  {3, noIndex, EdgeKind::leave, noIndex}};
  Branch b;
  b.block = 0;
  b.arms = {1, 2};
  b.at = {16, 3, 0};
  b.limit = 64;
  b.belowOnTrue = true;
  f.branches = {b};
  f.calls = {{2, "merge", false, {16, 20, 0}}};
  return f;
}

std::vector<UntriedBranch> untried(Function sort, uint64_t large, bool grows, double most = 60) {
  Function merge = loopWithBranch("merge");
  const std::vector<Map> maps{mapOf({std::move(sort), std::move(merge)})};
  CountMatrixBuilder builder(maps, 2);
  EXPECT_TRUE(builder.add(runOf("a", maps[0], {5, large, large == 0 ? 0u : 1u, 0, 0})));
  EXPECT_TRUE(builder.add(runOf("b", maps[0], {3, 0, 0, 0, 0})));
  const Result<CountMatrix> matrix = builder.finish();
  EXPECT_TRUE(matrix);
  const Result<Machine> machine = parseMachine("add 1\ncall 1", "test.machine");
  return untriedBranches(BlockCosts(*matrix, maps, *machine), {10, most, grows});
}

std::string asItIs(const std::string &name) { return name; }

} // namespace

TEST(Untried, ALimitThatSizesMayReach) {
  const std::vector<UntriedBranch> found = untried(sorts(), 0, true);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].at.line, 16u);
  EXPECT_EQ(found[0].limit, 64u);
  EXPECT_EQ(found[0].calls, std::vector<std::string>{"merge"});
  const std::string text = notesOn(found, asItIs).front().text;
  EXPECT_NE(text.find("sort.c:16 (in sort, limit 64, merge never ran)"), std::string::npos) << text;
  EXPECT_TRUE(notesOn({}, asItIs).empty());
}

TEST(Untried, WhatIsNoSuchLimit) {
  EXPECT_TRUE(untried(sorts(), 2, true).empty()) << "it went both ways";
  EXPECT_TRUE(untried(sorts(), 0, false).empty()) << "smaller sizes stay below";
  EXPECT_TRUE(untried(sorts(), 0, true, 600).empty()) << "sizes have long passed it";
  Function f = sorts();
  f.branches[0].limit = 0;
  EXPECT_TRUE(untried(f, 0, true).empty()) << "no comparison with a limit";
  f = sorts();
  f.calls.clear();
  EXPECT_TRUE(untried(f, 0, true).empty()) << "no work behind it";
  f = sorts();
  f.edges[4] = {2, noIndex, EdgeKind::stop, noIndex};
  EXPECT_TRUE(untried(f, 0, true).empty()) << "the program ends there";
}
