// What explain() says of runs made by hand.
#pragma once

#include "quincunx/dist/Mixture.h"
#include "quincunx/estimate/Explain.h"

#include "Synthetic.h"

#include <gtest/gtest.h>

namespace quincunx::test {

inline Machine machineOf(const std::string &text) {
  const Result<Machine> m = parseMachine(text, "test.machine");
  EXPECT_TRUE(m);
  return *m;
}

struct Told {
  CountMatrix matrix;
  Explained e;
};

/// `weights`: of the runs; empty: 1 each. `scale`: what the costs of a function are multiplied by.
inline Told told(const std::vector<Map> &maps, const std::vector<quincunx::Run> &runs,
                 const Machine &machine, const std::vector<double> &weights = {},
                 std::pair<size_t, double> scale = {0, 1}, bool isFolded = true) {
  Observer observer(maps, machine, runs.size(), 0, 0);
  CountMatrixBuilder builder(maps, runs.size());
  for (size_t d = 0; d < runs.size(); ++d) {
    const double weight = weights.empty() ? 1 : weights[d];
    EXPECT_TRUE(observer.add(runs[d], weight));
    EXPECT_TRUE(builder.add(runs[d], weight));
  }
  Result<Observed> observed = observer.finish();
  Result<CountMatrix> matrix = builder.finish();
  EXPECT_TRUE(observed);
  EXPECT_TRUE(matrix);
  BlockCosts costs(*matrix, maps, machine);
  std::vector<Cumulants> blocks(costs.blocks(scale.first).begin(), costs.blocks(scale.first).end());
  const double s = scale.second;
  for (Cumulants &k : blocks)
    k = {s * k.k1, s * s * k.k2, s * s * s * k.k3, s * s * s * s * k.k4};
  costs.set(scale.first, blocks);
  std::vector<MixtureComponent> parts;
  for (const Cumulants &k : costs.runs())
    parts.push_back(
        {k, matrix->rows[parts.size()].weight, isCensored(matrix->rows[parts.size()].outcome)});
  observed->law = *makeMixture(parts);
  Explained e = explain(std::move(*observed), costs, isFolded);
  return {std::move(*matrix), std::move(e)};
}

/// Two functions in files of their own, each with the loop, and the branch in it, that
/// loopWithBranch describes: 2 x multiply costs 3 for each time round by arm A, line 5 and 6.
inline std::vector<Map> twoFunctions() {
  Function f = loopWithBranch("f"), g = loopWithBranch("g", 3);
  g.files[0].path = "/src/dir/other.c";
  for (Function *x : {&f, &g}) {
    x->branches = {{1, true, {2, 3, 4}, noIndex, noIndex, false, {4, 1, 0}}};
    x->loops.resize(1);
    x->loops[0].header = 1;
    x->loops[0].entryEdges = {1};
    x->loops[0].backEdges = {5, 6};
    x->loops[0].at = {4, 1, 0};
  }
  return {mapOf({f, g})};
}

/// Runs in which f goes round a times by A and b times by B, and g c and d times.
inline std::vector<quincunx::Run> runsOf(const std::vector<Map> &maps,
                                         const std::vector<std::array<uint64_t, 4>> &counts) {
  std::vector<quincunx::Run> runs;
  for (const auto &[a, b, c, d] : counts)
    runs.push_back(runOf("r" + std::to_string(runs.size()), maps[0], {1, a, b, 1, c, d}));
  return runs;
}

} // namespace quincunx::test
