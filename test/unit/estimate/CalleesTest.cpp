// Calls and forks as parts of a tree: how many threads there are, and until when the last one runs.
#include "../../../lib/estimate/compose/Callees.h"

#include <gtest/gtest.h>

using namespace quincunx;

namespace {

/// One block that calls `callee` and starts `thread`.
Function line(const std::string &name, const std::string &callee, const std::string &thread) {
  Function f;
  f.name = name;
  f.scopes.emplace_back();
  f.blocks.resize(1);
  f.edges = {{noIndex, 0, EdgeKind::entry, noIndex}, {0, noIndex, EdgeKind::leave, noIndex}};
  f.calls.push_back({0, callee, false, {}, thread});
  return f;
}

ExecutionCounts executed(double n, double blocks, const Cumulants &once) {
  ExecutionCounts e;
  e.entries = n;
  e.edges = {n, n};
  e.blocks = {blocks};
  e.costs = {once};
  return e;
}

/// main makes `forks` threads in all its 2 calls; they were entered `entries` times.
std::vector<ModelledCall> forked(double forks, double entries, const ComposeOptions &options = {}) {
  const std::vector<Map> maps(
      1, Map{{},
             "/bin/p",
             0,
             0,
             {line("main", "f", "worker"), line("worker", "", ""), line("f", "", "")}});
  const CallGraph graph(maps);
  EXPECT_EQ(graph.starts[0].size(), 1u);
  EXPECT_EQ(graph.calls[0].size(), 1u) << "what a thread runs is not called";
  std::vector<Regions> regions;
  for (const Function *f : graph.functions)
    regions.push_back(reduce(*f));
  // The work of a thread is exponential, of mean 10.
  const std::vector<ExecutionCounts> e{executed(2, forks, {1, 0, 0, 0}),
                                       executed(entries, entries, {10, 100, 2000, 60000}),
                                       executed(forks, forks, {5, 0, 0, 0})};
  const Result<Composition> c = compose(graph, regions, e, options);
  EXPECT_TRUE(c);
  return calleesOf(graph, e, *c, 0, options);
}

} // namespace

TEST(Callees, TeamOfAFork) {
  const std::vector<ModelledCall> all = forked(6, 24);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].callee, 2u);
  EXPECT_EQ(all[0].threads, 0);
  EXPECT_EQ(all[0].perCall, 3);
  EXPECT_EQ(all[0].cost.k1, 5);
  EXPECT_EQ(all[1].callee, 1u);
  EXPECT_EQ(all[1].perCall, 3);
  EXPECT_EQ(all[1].threads, 4);
  // The largest of n exponential variables has mean H_n and variance sum 1/i^2.
  EXPECT_NEAR(all[1].cost.k1, 10 * (1 + 1 / 2. + 1 / 3. + 1 / 4.), 1e-6);
  EXPECT_NEAR(all[1].cost.k2, 100 * (1 + 1 / 4. + 1 / 9. + 1 / 16.), 1e-4);
}

TEST(Callees, ThreadsThatAreStartedOneByOne) {
  const std::vector<ModelledCall> all = forked(6, 6);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].perCall, 1);
  EXPECT_EQ(all[1].threads, 3);
  EXPECT_NEAR(all[1].cost.k1, 10 * (1 + 1 / 2. + 1 / 3.), 1e-6);
}

TEST(Callees, NobodyKnowsTheTeamWithoutRuns) {
  const std::vector<ModelledCall> all = forked(6, 1, {false, true});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].perCall, 3);
  EXPECT_EQ(all[1].threads, 1);
  EXPECT_NEAR(all[1].cost.k1, 10, 1e-9);
}
