#include "quincunx/model/Chain.h"

#include <gtest/gtest.h>

namespace quincunx {
namespace {

/// entry -> 0 -> 1 (header) -> 2 (body) -> 1; 1 -> out. Edges: 0 entry, 1: 0-1, 2: 1-2, 3: 2-1,
/// 4: out of 1.
Function aLoop() {
  Function f;
  f.blocks.resize(3);
  f.edges = {{noIndex, 0, EdgeKind::entry}, {0, 1}, {1, 2}, {2, 1}, {1, noIndex, EdgeKind::leave}};
  f.loops.emplace_back();
  f.loops[0].header = 1;
  f.loops[0].entryEdges = {1};
  f.loops[0].backEdges = {3};
  return f;
}

TEST(Chain, SharesAreThoseOfTheFlowAndElseTheUsualOnes) {
  const Function f = aLoop();
  const Chain chain(f);
  const std::vector<double> shares = chain.shares({1, 1, 3, 3, 1}, {1, 1, 1, 1, 1});
  EXPECT_EQ(shares, (std::vector<double>{0, 1, 0.75, 1, 0.25}));
  const std::vector<double> usual = chain.shares({0, 0, 0, 0, 0}, {2, 2, 6, 6, 2});
  EXPECT_EQ(usual, (std::vector<double>{0, 1, 0.75, 1, 0.25}));
}

TEST(Chain, VisitsSumTheGeometricSeries) {
  const Function f = aLoop();
  Chain chain(f);
  // The header goes on with 3/4: it is executed 4 times per entry, the body 3 times.
  const std::vector<double> visits = chain.visits({0, 1, 0.75, 1, 0.25}, {1, 0, 0});
  ASSERT_EQ(visits.size(), 3u);
  EXPECT_NEAR(visits[0], 1, 1e-12);
  EXPECT_NEAR(visits[1], 4, 1e-12);
  EXPECT_NEAR(visits[2], 3, 1e-12);
}

TEST(Chain, VisitsOfALoopWithoutAnEndAreEmpty) {
  const Function f = aLoop();
  Chain chain(f);
  EXPECT_TRUE(chain.visits({0, 1, 1, 1, 0}, {1, 0, 0}).empty());
}

TEST(Chain, LeavingIsTheChanceBeforeTheHeaderComesAgain) {
  const Function f = aLoop();
  Chain chain(f);
  const std::vector<double> leaves =
      chain.leaving({0, 1, 0.75, 1, 0.25}, f.loops[0], {false, true, true});
  ASSERT_EQ(leaves.size(), 3u);
  EXPECT_EQ(leaves[0], 0);
  EXPECT_NEAR(leaves[1], 0.25, 1e-12);
  EXPECT_NEAR(leaves[2], 0, 1e-12); // the body only leads back
}

} // namespace
} // namespace quincunx
