// Trees of regions: every block once, the shapes that source code has, and three engines that must
// agree on what a tree costs: the rules, elimination of the whole flow, and enumeration of all
// ways.
#include "quincunx/model/Evaluate.h"

#include "../map/Graphs.h"
#include "Engines.h"

#include <gtest/gtest.h>

using namespace quincunx;
using namespace quincunx::test;

namespace {

/// A function whose flow edges are these; the last block returns.
Function flowOf(uint32_t blocks, const std::vector<std::pair<uint32_t, uint32_t>> &edges) {
  Function f;
  f.scopes.emplace_back();
  f.blocks.resize(blocks);
  f.edges.push_back({noIndex, 0, EdgeKind::entry, noIndex});
  for (const auto &[from, to] : edges)
    f.edges.push_back({from, to, EdgeKind::flow, noIndex});
  f.edges.push_back({blocks - 1, noIndex, EdgeKind::leave, noIndex});
  return f;
}

/// The tree in words: b0 is a block, (a; b) a series, [a | b] a branch, a{b} a loop.
std::string words(const Regions &r, uint32_t at) {
  if (at == noIndex)
    return "-";
  const Region &region = r.all[at];
  std::string text;
  const auto list = [&](const char *between) {
    for (const Link &l : region.links)
      text += (text.empty() ? "" : between) + words(r, l.region);
  };
  switch (region.kind) {
  case Region::Kind::block:
    return "b" + std::to_string(region.item);
  case Region::Kind::series:
    for (const uint32_t p : region.parts)
      text += (text.empty() ? "" : "; ") + words(r, p);
    return "(" + text + ")";
  case Region::Kind::branch:
    list(" | ");
    return "[" + text + "]";
  case Region::Kind::loop:
    return words(r, region.parts[0]) + "{" + words(r, region.links[0].region) + "}";
  case Region::Kind::left:
    return "left" + std::to_string(region.item);
  default:
    for (const uint32_t p : region.parts)
      text += (text.empty() ? "" : " ") + words(r, p);
    list(" ");
    return (region.kind == Region::Kind::flow ? "flow(" : "exits(") + text + ")";
  }
}

std::string treeOf(uint32_t blocks, const std::vector<std::pair<uint32_t, uint32_t>> &edges) {
  const Regions r = reduce(flowOf(blocks, edges));
  return words(r, r.root);
}

std::vector<Cumulants> randomCosts(size_t n, std::mt19937_64 &random) {
  std::vector<Cumulants> costs;
  for (size_t i = 0; i < n; ++i) {
    const double m = static_cast<double>(random() % 20), v = static_cast<double>(random() % 5);
    costs.push_back({m, v, v * static_cast<double>(random() % 3), v});
  }
  return costs;
}

} // namespace

// while (next()) body(); next() may not return, which ends the header in front of its condition.
TEST(Region, CallsThatMayNotReturnDivideNoLoop) {
  Function f = flowOf(5, {{0, 1}, {1, 2}, {2, 3}, {2, 4}, {3, 1}});
  f.loops.push_back({});
  f.loops[0].header = 1;
  f.loops[0].backEdges = {5};
  EXPECT_EQ(words(reduce(f), reduce(f).root).substr(0, 10), "(b0; exits");
  for (const uint32_t b : {1u, 3u}) {
    f.blocks[b].mayNotReturn = true;
    f.edges.push_back({b, noIndex, EdgeKind::nonReturning, noIndex});
  }
  EXPECT_EQ(words(reduce(f), reduce(f).root), "(b0; (b1; b2){b3}; b4)");
}

TEST(Regions, ShapesOfSource) {
  using Edges = std::vector<std::pair<uint32_t, uint32_t>>;
  const struct {
    const char *source;
    uint32_t blocks;
    Edges edges;
    const char *tree;
  } table[] = {
      {"a; b", 2, {{0, 1}}, "(b0; b1)"},
      {"if (a) b; c", 3, {{0, 1}, {0, 2}, {1, 2}}, "(b0; [b1 | -]; b2)"},
      {"if (a) b; else c; d", 4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}, "(b0; [b1 | b2]; b3)"},
      {"while (b) c; d", 4, {{0, 1}, {1, 2}, {1, 3}, {2, 1}}, "(b0; b1{b2}; b3)"},
      {"do b; while (b); c", 3, {{0, 1}, {1, 1}, {1, 2}}, "(b0; b1{-}; b2)"},
      {"if (a && b) c; d",
       4,
       {{0, 1}, {0, 3}, {1, 2}, {1, 3}, {2, 3}},
       "(b0; [(b1; [b2 | -]) | -]; b3)"},
      {"while (b) { if (c) break; } d",
       4,
       {{0, 1}, {1, 2}, {1, 3}, {2, 1}, {2, 3}},
       "(b0; exits(b1 b2 - - - -); b3)"},
      {"while (b) { if (c) { d; return; } } e; f",
       6,
       {{0, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 3}, {3, 5}, {4, 5}},
       "(b0; exits(b1 b2 - - b4 b3); b5)"},
      {"if (a && b) c; else d; e",
       5,
       {{0, 1}, {0, 3}, {1, 2}, {1, 3}, {2, 4}, {3, 4}},
       "(flow(b0 b1 b3 - - - b2 -); b4)"},
      {"while (1) { if (a) break; if (b) goto x; } if (c) d; goto y; x: if (e) goto z; f; y: g; z: "
       "h",
       9,
       {{0, 1},
        {1, 2},
        {1, 5},
        {2, 1},
        {2, 3},
        {3, 4},
        {3, 8},
        {4, 7},
        {5, 6},
        {5, 7},
        {6, 7},
        {7, 8}},
       "(b0; flow(exits(b1 b2 - - (b5; [b6 | -]) -) b3 b7 left0 left1 b4 - -); b8)"},
      {"a loop with two entries",
       4,
       {{0, 1}, {0, 2}, {1, 2}, {2, 1}, {2, 3}},
       "flow(b0 b1 b2 - - - - b3)"},
  };
  for (const auto &row : table)
    EXPECT_EQ(treeOf(row.blocks, row.edges), row.tree) << row.source;
}

TEST(Regions, ArmsOfABranchAreKnown) {
  Function f = flowOf(4, {{0, 2}, {0, 1}, {1, 3}, {2, 3}}); // the false arm first
  f.branches.push_back({0, false, {2, 1}, noIndex, noIndex, false, {}});
  const Regions r = reduce(f);
  for (const Region &region : r.all)
    if (region.kind == Region::Kind::branch) {
      EXPECT_EQ(region.item, 0u);
      ASSERT_EQ(region.links.size(), 2u);
      EXPECT_EQ(region.links[0].edges, EdgeSet{2});
      return;
    }
  FAIL() << "no branch";
}

TEST(Regions, EndlessLoopsAndUnreachableBlocks) {
  Function f = flowOf(4, {{0, 1}, {1, 2}, {2, 1}, {3, 3}}); // 3, which returns, is never reached
  const Regions r = reduce(f);
  const std::vector<int> times = blocksOf(r, 4);
  EXPECT_EQ(times, (std::vector<int>{1, 1, 1, 0}));
  const std::vector<double> edges(f.edges.size(), 0.0);
  const std::vector<Cumulants> blocks(4, {1, 0, 0, 0});
  EXPECT_TRUE(evaluate(r, {edges, blocks, {}, {}})) << "never executed";
}

// Rules, elimination, and where there are no loops and not too many ways, enumeration.
TEST(Regions, ThreeEnginesAgreeOnRandomFlow) {
  std::mt19937_64 random(11);
  size_t kinds[7] = {}, acyclic = 0;
  for (int i = 0; i < 10000; ++i) {
    const Function f =
        randomFunction(random, 1 + static_cast<uint32_t>(random() % 24), false, false);
    const Truth truth = walk(f, random, 40, 0);
    const std::vector<double> edges(truth.edges.begin(), truth.edges.end());
    const std::vector<Cumulants> blocks = randomCosts(f.blocks.size(), random);
    const Regions r = reduce(f);
    for (const Region &region : r.all)
      ++kinds[static_cast<size_t>(region.kind)];
    for (const int times : blocksOf(r, f.blocks.size()))
      EXPECT_EQ(times, 1) << "function " << i;
    const Evaluation e{edges, blocks, {}, {}};
    const Result<std::vector<Cumulants>> tree = evaluate(r, e);
    const Result<Cumulants> flat = evaluateFlat(f, e);
    ASSERT_TRUE(tree && flat) << (tree ? flat.error() : tree.error()).text;
    EXPECT_LT(difference((*tree)[r.root], *flat), 1e-9) << "function " << i;
    if (Cumulants all; isAcyclic(f) && enumerated(f, e, all)) {
      ++acyclic;
      EXPECT_LT(difference(all, *flat), 1e-9) << "all ways of function " << i;
    }
    if (testing::Test::HasFailure())
      return;
  }
  EXPECT_GT(acyclic, 1000u);
  for (const size_t n : kinds)
    EXPECT_GT(n, 500u);
}

// With fixed counts the cost of a call is the sum over blocks of how often each is executed.
TEST(Regions, FixedCountsAreLinear) {
  std::mt19937_64 random(12);
  for (int i = 0; i < 500; ++i) {
    const Function f =
        randomFunction(random, 1 + static_cast<uint32_t>(random() % 30), false, false);
    const Truth truth = walk(f, random, 17, 0);
    const std::vector<double> edges(truth.edges.begin(), truth.edges.end());
    const std::vector<Cumulants> blocks = randomCosts(f.blocks.size(), random);
    const Regions r = reduce(f);
    Evaluation e{edges, blocks, {}, {}};
    e.fixedCounts = true;
    const Result<std::vector<Cumulants>> tree = evaluate(r, e);
    ASSERT_TRUE(tree);
    Cumulants want;
    for (size_t b = 0; b < blocks.size(); ++b)
      want += (static_cast<double>(truth.blocks[b]) / 17) * blocks[b];
    const Cumulants &is = (*tree)[r.root];
    EXPECT_NEAR(is.k1, want.k1, 1e-9 * want.k1);
    EXPECT_NEAR(is.k2, want.k2, 1e-9 * want.k2);
    EXPECT_NEAR(is.k4, want.k4, 1e-9 * want.k4);
  }
}

TEST(Regions, BranchesAndLoopsTakeWhatIsKnownOfThem) {
  // while (b1) [b2 | b3] with 10 trips, 4 of them to b2.
  Function f = flowOf(5, {{0, 1}, {1, 2}, {1, 3}, {1, 4}, {2, 1}, {3, 1}});
  f.branches.push_back({0, false, {2, 3}, noIndex, noIndex, false, {}});
  f.loops.push_back({});
  f.loops[0].header = 1;
  f.loops[0].backEdges = {5, 6};
  const std::vector<double> edges{1, 1, 4, 6, 1, 4, 6, 1};
  const std::vector<Cumulants> blocks{{}, {1, 0, 0, 0}, {10, 0, 0, 0}, {2, 0, 0, 0}, {}};
  const Regions r = reduce(f);
  const std::optional<Cumulants> ten = Cumulants{10, 0, 0, 0};
  const std::vector<std::optional<Cumulants>> loops{ten};
  const Result<std::vector<Cumulants>> cost = evaluate(r, {edges, blocks, {}, loops});
  ASSERT_TRUE(cost);
  // 10 independent draws of 10 or 2.
  EXPECT_DOUBLE_EQ((*cost)[r.root].k1, 11 + 4 * 10 + 6 * 2);
  EXPECT_NEAR((*cost)[r.root].k2, 10 * 0.4 * 0.6 * 64, 1e-9);
}

// for (;;) { if (b1) { b2; continue; } b3; if (done) break; }: one loop of the map with two ways
// back, which is one region, whatever order the graph shrinks in.
TEST(Regions, ALoopWithTwoWaysBackIsOneLoop) {
  Function f = flowOf(5, {{0, 1}, {1, 2}, {1, 3}, {2, 1}, {3, 1}, {3, 4}});
  f.loops.push_back({});
  f.loops[0].header = 1;
  f.loops[0].backEdges = {4, 5};
  const Regions r = reduce(f);
  size_t loops = 0;
  for (const Region &region : r.all)
    if (region.kind == Region::Kind::loop || region.kind == Region::Kind::exits) {
      ++loops;
      EXPECT_EQ(region.item, 0u);
    }
  EXPECT_EQ(loops, 1u);
  // 9 trips, 6 of them by b2: 1 + 9 passes, of which 3 + 1 go through b3.
  const std::vector<double> edges{1, 1, 6, 4, 6, 3, 1, 1};
  const std::vector<Cumulants> blocks{{}, {1, 0, 0, 0}, {10, 0, 0, 0}, {100, 0, 0, 0}, {}};
  const std::vector<std::optional<Cumulants>> nine{Cumulants{9, 0, 0, 0}};
  const Result<std::vector<Cumulants>> cost = evaluate(r, {edges, blocks, {}, nine});
  ASSERT_TRUE(cost);
  EXPECT_NEAR((*cost)[r.root].k1, 10 + 60 + 400, 1e-9);
}

// The map may know of a loop that the graph no longer has whole: then its trips are nobody's.
TEST(Regions, TripsOfAnotherLoopAreNotTaken) {
  Function f = flowOf(3, {{0, 1}, {1, 1}, {1, 2}});
  f.loops.push_back({});
  f.loops[0].header = 1;
  f.loops[0].backEdges = {2, 3}; // one of which is no way back
  const Regions r = reduce(f);
  for (const Region &region : r.all)
    EXPECT_TRUE(region.kind == Region::Kind::block || region.item == noIndex);
}

TEST(Regions, FramesThatEndInALoopLeaveItThere) {
  // Two blocks that jump into each other, entered at both; calls in block 2 end the program.
  const Function f = flowOf(4, {{0, 1}, {0, 2}, {1, 2}, {2, 1}, {2, 3}});
  const Regions r = reduce(f);
  const std::vector<Cumulants> blocks{{3, 0, 0, 0}, {5, 0, 0, 0}, {7, 0, 0, 0}, {11, 0, 0, 0}};
  struct Case {
    std::vector<double> edges; ///< entry, the five, the return
    double mean;
  };
  const Case cases[] = {
      {{2, 1, 1, 6, 5, 2, 2}, (2 * 3 + 6 * 5 + 7 * 7 + 2 * 11) / 2.0}, // all of them leave
      {{2, 1, 1, 6, 5, 1, 1}, (2 * 3 + 6 * 5 + 7 * 7 + 1 * 11) / 2.0}, // one is lost
      {{2, 1, 1, 6, 5, 0, 0}, (2 * 3 + 6 * 5 + 7 * 7) / 2.0},          // both
  };
  for (const Case &c : cases) {
    const Result<std::vector<Cumulants>> costs = evaluate(r, {c.edges, blocks, {}, {}});
    ASSERT_TRUE(costs) << costs.error().text;
    EXPECT_NEAR((*costs)[r.root].k1, c.mean, 1e-9 * c.mean) << c.edges[5];
  }
  // Nothing is known of where they came from but that they are there.
  const Function spin = flowOf(4, {{0, 1}, {0, 2}, {1, 2}, {2, 1}, {1, 3}});
  EXPECT_TRUE(evaluate(reduce(spin), {std::vector<double>{1, 0, 1, 8, 9, 0, 0}, blocks, {}, {}}));
}
