// A program with a loop and a branch in it, runs of it that are drawn, and questions about them.
#pragma once

#include "quincunx/estimate/WhatIf.h"

#include "Synthetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace quincunx::test {

using Runs = std::vector<quincunx::Run>;

/// for (i = 0; i < n; ++i) if (c) g(); else B;  Blocks: 0 entry, 1 loop test, 2 branch, 3 calls g,
/// 4 B, 5 exit. Counters: entries, ways back from 3 and from 4.
inline Function looping() {
  Function f = loopWithBranch("work");
  f.blocks.assign(6, {});
  f.blocks[3] = {{{InstructionClass::multiply, 1}}, {{6, 1, 0}}};
  f.blocks[4] = {{{InstructionClass::add, 1}}, {{7, 1, 0}}};
  f.edges = {{noIndex, 0, EdgeKind::entry, 0},
             {0, 1, EdgeKind::flow, noIndex},
             {1, 2, EdgeKind::flow, noIndex},
             {1, 5, EdgeKind::flow, noIndex},
             {2, 3, EdgeKind::flow, noIndex},
             {2, 4, EdgeKind::flow, noIndex},
             {3, 1, EdgeKind::flow, 1},
             {4, 1, EdgeKind::flow, 2},
             {5, noIndex, EdgeKind::leave, noIndex}};
  f.branches = {{1, false, {2, 3}, noIndex, noIndex, false, {4, 8, 0}},
                {2, false, {4, 5}, noIndex, noIndex, false, {5, 9, 0}}};
  f.loops = {{1, noIndex, {1}, {6, 7}, "", false, noIndex, {}, {4, 3, 0}}};
  f.calls = {{3, "g", false, {6, 5, 0}}};
  return f;
}

/// One block that costs a load, with a counter.
inline Function leaf(const std::string &name) {
  Function f = loopWithBranch(name);
  f.counterCount = 1;
  f.blocks.assign(1, {{{InstructionClass::load, 1}}, {{20, 1, 0}}});
  f.edges = {{noIndex, 0, EdgeKind::entry, 0}, {0, noIndex, EdgeKind::leave, noIndex}};
  return f;
}

inline std::vector<Map> program() { return {mapOf({looping(), leaf("g")})}; }

inline quincunx::Run runWith(const Map &map, size_t i, uint64_t trues, uint64_t falses) {
  quincunx::Run run = runOf(std::to_string(i), map, {1, trues, falses, trues});
  run.features["n"] = static_cast<double>(trues + falses);
  return run;
}

/// D runs; `n` trips and probability `p` of each run.
inline Runs draw(size_t d, uint64_t seed, const std::function<uint64_t(std::mt19937_64 &)> &n,
                 const std::function<double(std::mt19937_64 &)> &p) {
  static const std::vector<Map> maps = program();
  std::mt19937_64 random(seed);
  Runs runs;
  for (size_t i = 0; i < d; ++i) {
    const uint64_t trips = n(random);
    const double share = p(random);
    uint64_t trues = 0;
    for (uint64_t t = 0; t < trips; ++t)
      trues += static_cast<double>(random() >> 11) * 0x1p-53 < share;
    runs.push_back(runWith(maps[0], i, trues, trips - trues));
  }
  return runs;
}

inline auto fixed(uint64_t n) {
  return [n](std::mt19937_64 &) { return n; };
}
inline auto always(double p) {
  return [p](std::mt19937_64 &) { return p; };
}

inline const char *const costs = "multiply 5\nadd 2\nload 10"; // true: 15 with g, false: 2

inline Result<WhatIfAnswer> ask(const Runs &runs, const std::vector<std::string> &texts,
                                WhatIfOptions options = {},
                                const std::function<void(Function &)> &edit = {}) {
  std::vector<Map> maps = program();
  if (edit)
    edit(maps[0].functions[0]);
  std::vector<Change> changes;
  for (const std::string &text : texts) {
    const Result<Change> change = parseChange(text);
    EXPECT_TRUE(change) << text;
    changes.push_back(*change);
  }
  CountMatrixBuilder builder(maps, runs.size());
  for (const quincunx::Run &run : runs)
    EXPECT_TRUE(builder.add(run));
  const Result<CountMatrix> matrix = builder.finish();
  EXPECT_TRUE(matrix);
  const Result<Machine> machine = parseMachine(costs, "test.machine");
  return whatIf(BlockCosts(*matrix, maps, *machine), *machine, changes, options);
}

inline const IntervalEstimate &before(const WhatIfAnswer &a, const std::string &name) {
  for (const Compared &c : a.figures)
    if (c.name == name)
      return c.before;
  std::abort();
}
inline const IntervalEstimate &after(const WhatIfAnswer &a, const std::string &name) {
  for (const Compared &c : a.figures)
    if (c.name == name)
      return c.after;
  std::abort();
}

/// The answer about some runs must be what runs of the other kind are like; percentiles of laws
/// that are nearly normal within four standard errors.
inline void expectLike(const Result<WhatIfAnswer> &a, const Runs &really, double deviation,
                       bool normal = true) {
  ASSERT_TRUE(a) << a.error().text;
  const Result<WhatIfAnswer> truth = ask(really, {"cost(g) *= 1"});
  ASSERT_TRUE(truth);
  const double sd = before(*truth, "sd").value, d = static_cast<double>(really.size());
  const double unit = sd * std::sqrt(1 / a->afterRuns + 1 / d);
  EXPECT_NEAR(after(*a, "mean").value, before(*truth, "mean").value, 4 * unit + 1e-9);
  EXPECT_NEAR(after(*a, "sd").value / sd, 1, deviation);
  struct Level {
    const char *name;
    double z, error; ///< of a normal law: where it is, its standard error times sqrt(D)
  };
  for (const auto &[name, z, error] :
       {Level{"p50", 0, 1.25}, Level{"p90", 1.28, 1.71}, Level{"p99", 2.33, 3.73}})
    if (normal)
      EXPECT_NEAR(after(*a, name).value, before(*truth, name).value,
                  4 * error * unit + z * deviation * sd)
          << name;
}

} // namespace quincunx::test
