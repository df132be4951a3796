// Total costs of functions against programs whose calls can be counted by hand; shares by them, and
// the heaviest way.
#include "../../../lib/estimate/counts/TotalCosts.h"

#include "CallingPrograms.h"
#include "Explained.h"

#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

/// By the clock of the build, which charges what the machine of the tests does.
Function recorded(Function f) {
  f.callRecorder = 0;
  f.recorderWords = QX_CALL_WORDS;
  f.clock = {{InstructionClass::multiply, 1}};
  return f;
}

using Totals = std::vector<std::vector<double>>;

/// Per function and run; the first function is the root.
Totals totalsOf(const Program &p, std::vector<double> *callbacks = nullptr,
                const std::string &prices = "multiply 1") {
  CountMatrixBuilder builder(p.maps, p.runs.size());
  for (const quincunx::Run &run : p.runs)
    EXPECT_TRUE(builder.add(run));
  const Result<CountMatrix> matrix = builder.finish();
  const Machine machine = machineOf(prices);
  const BlockCosts costs(*matrix, p.maps, machine);
  std::vector<TotalCosts::PerRun> own;
  for (size_t f = 0; f < matrix->functions.size(); ++f)
    own.push_back(costs.perRun(f, 0));
  TotalCosts totals(*matrix, p.maps, 0);
  Totals out = totals.solve(own).total;
  EXPECT_EQ(totals.unsolved(), 0u);
  for (const TotalCosts::Calls &c : totals.callbacks())
    if (callbacks)
      callbacks->push_back(c.times[0]);
  for (size_t d = 0; d < p.runs.size(); ++d) {
    double all = 0;
    for (const auto &cost : own)
      all += cost[d];
    EXPECT_NEAR(out[0][d], all, 1e-9 * all) << "all runs under the root";
  }
  return out;
}

void expectRow(const Totals &is, size_t run, const std::vector<double> &want) {
  for (size_t f = 0; f < want.size(); ++f)
    EXPECT_NEAR(is[f][run], want[f], 1e-9 * (1 + want[f])) << f;
}

} // namespace

TEST(TotalCosts, ASharedCalleeIsDividedByCalls) {
  Program p{{mapOf({calling("main", {"f", "g"}), calling("f", {"g"}), calling("g", {})})}, {}};
  p.run({1, 10, 2, 1, /*f*/ 2, 20, 6, /*g*/ 7, 700});
  p.run({1, 10, 0, 1, /*f*/ 0, 0, 0, /*g*/ 1, 5});
  const Totals is = totalsOf(p);
  expectRow(is, 0, {730, 620, 700});
  expectRow(is, 1, {15, 0, 5});
}

TEST(TotalCosts, RecursionIsCountedOnce) {
  Program p{{mapOf({calling("main", {"a"}), calling("a", {"a", "leaf"}), calling("leaf", {})})},
            {}};
  p.run({1, 1, 1, /*a*/ 10, 100, 9, 30, /*leaf*/ 30, 60});
  expectRow(totalsOf(p), 0, {161, 160, 60});
  Program q{{mapOf({calling("main", {"a"}), calling("a", {"b"}), calling("b", {"a"})})}, {}};
  q.run({1, 1, 1, /*a*/ 5, 100, 5, /*b*/ 5, 10, 4});
  expectRow(totalsOf(q), 0, {111, 110, 10 + 0.8 * 100});
}

TEST(TotalCosts, CallsThroughPointersAndCallbacks) {
  Program p{{mapOf({calling("main", {"", "f"}), calling("x", {}), calling("f", {}),
                    calling("back", {"f"})})},
            {}};
  for (uint64_t n : {5, 7, 3, 20, 11})
    p.run({1, 1, n, 1, /*x*/ n, 10 * n, /*f*/ 1, 50, /*back*/ 0, 0, 0});
  expectRow(totalsOf(p), 0, {101, 50, 50});
  Program q = p;
  q.maps = {
      mapOf({calling("main", {"f"}), calling("x", {}), calling("f", {}), calling("b", {"f"})})};
  q.runs.clear();
  q.run({1, 1, 1, /*x*/ 0, 0, /*f*/ 5, 50, /*b*/ 2, 8, 4});
  std::vector<double> callbacks;
  expectRow(totalsOf(q, &callbacks), 0, {59, 50, 48});
  EXPECT_EQ(callbacks, std::vector<double>{2});
}

TEST(TotalCosts, WhatWasRecordedIsNotAveraged) {
  // f has g do 100 times the work that h has it do.
  Program p{{mapOf({recorded(calling("main", {"f", "h"})), recorded(calling("f", {"g"})),
                    recorded(calling("h", {"g"})), recorded(calling("g", {}))})},
            {}};
  for (const uint64_t n : {3, 8, 5})
    p.run({1, 10, 2, 1, /*f*/ 2, 20, n, /*h*/ 1, 7, 6, /*g*/ n + 6, 100 * n + 6},
          {{1, 10 + 20 + 7 + 100 * n + 6}, {2, 20 + 100 * n}, {1, 13}, {n + 6, 100 * n + 6}});
  const Totals is = totalsOf(p), twice = totalsOf(p, nullptr, "multiply 2");
  expectRow(is, 0, {343, 320, 13, 306});
  expectRow(is, 1, {843, 820, 13, 806});
  expectRow(twice, 1, {1686, 1640, 26, 1612});
  // Calls that never ended: by the equations.
  p.runs[1].images[0].recorders.value[3] = 1;
  expectRow(totalsOf(p), 1, {843, 20 + 8.0 / 14 * 806, 13, 806});
  expectRow(totalsOf(p), 0, {343, 320, 13, 306});
}

TEST(TotalCosts, WhatWasRecordedOfRecursionIsItsOutermostCalls) {
  // An inner call costs less than an outer one, so that the average is of no use.
  Program p{{mapOf({recorded(calling("main", {"a", "leaf"})), recorded(calling("a", {"a", "leaf"})),
                    recorded(calling("leaf", {}))})},
            {}};
  p.run({1, 1, 1, 5, /*a*/ 10, 100, 9, 30, /*leaf*/ 35, 90}, {{1, 191}, {1, 160}, {35, 90}});
  expectRow(totalsOf(p), 0, {191, 160, 90});
}

TEST(TotalCosts, RecursionThatAveragesDoNotDescribe) {
  // By averages r, which is called once and late, would cost more than the run: 2 a - r = 1000 and
  // r - a = 500.
  Function a = recorded(calling("a", {"a", "r"})), r = recorded(calling("r", {"a"}));
  for (Function *f : {&a, &r})
    f->clock = {{InstructionClass::add, 1}, {InstructionClass::multiply, 1}};
  r.blocks[2].mix = {{InstructionClass::add, 1}};
  Function main = recorded(calling("main", {"a"}));
  main.clock = a.clock;
  Program p{{mapOf({main, a, r})}, {}};
  p.run({1, 1, 1, /*a*/ 1000, 1000, 998, 1, /*r*/ 1, 500, 1}, {{1, 1501}, {1, 1500}, {1, 600}});
  expectRow(totalsOf(p, nullptr, "multiply 1\nadd 1"), 0, {1501, 1500, 600});
  expectRow(totalsOf(p, nullptr, "multiply 2\nadd 2"), 0, {3002, 3000, 1200});
  // What a call of r spends its clock on below it is not known: the average of the cycle.
  expectRow(totalsOf(p, nullptr, "multiply 1\nadd 4"), 0, {3001, 3000, 1200});
}

TEST(TotalCosts, WhomPointersCallNeedNotBeKnownWhereCallsWereRecorded) {
  // Two callers of two targets, in shares that differ from run to run.
  Program p{{mapOf({recorded(calling("main", {"f", "h"})), recorded(calling("f", {""})),
                    recorded(calling("h", {""})), recorded(calling("x", {})),
                    recorded(calling("y", {}))})},
            {}};
  std::mt19937_64 random(5);
  std::vector<double> want;
  for (int d = 0; d < 12; ++d) {
    const uint64_t fx = random() % 20, fy = random() % 20, hx = random() % 20, hy = random() % 20;
    const uint64_t f = 3 + 5 * fx + 900 * fy, h = 4 + 5 * hx + 900 * hy;
    p.run({1, 2, 1, 1, /*f*/ 1, 3, fx + fy, /*h*/ 1, 4, hx + hy, /*x*/ fx + hx, 5 * (fx + hx),
           /*y*/ fy + hy, 900 * (fy + hy)},
          {{1, 2 + f + h}, {1, f}, {1, h}, {fx + hx, 5 * (fx + hx)}, {fy + hy, 900 * (fy + hy)}});
    want.push_back(static_cast<double>(f));
  }
  const Totals is = totalsOf(p);
  for (size_t d = 0; d < want.size(); ++d)
    EXPECT_NEAR(is[1][d], want[d], 1e-9 * want[d]) << d;
}

TEST(TotalCosts, SharesAndTheHeaviestWay) {
  // main > run > suggest > edits makes nearly all, and suggest itself hardly anything.
  std::vector<Map> maps{
      mapOf({calling("main", {"run", "stats"}), calling("run", {"suggest"}),
             calling("suggest", {"edits"}), calling("edits", {}), calling("stats", {})})};
  std::vector<quincunx::Run> runs;
  for (uint64_t d = 0; d < 40; ++d) {
    const uint64_t n = d % 7 + (d < 5 ? 50 : 0);
    runs.push_back(runOf("r" + std::to_string(d), maps[0],
                         {1, 5, 1, 1, /*run*/ 1, 20, n, /*suggest*/ n, n, 3 * n, /*edits*/ 3 * n,
                          300 * n, /*stats*/ 1, 100 + d % 3}));
  }
  const Explained e = told(maps, runs, machineOf("multiply 1")).e;
  ASSERT_EQ(e.totals.functions.size(), 5u);
  EXPECT_NEAR(e.totals.functions[0]->variance, 1, 1e-9);
  EXPECT_NEAR(e.totals.functions[0]->mean, 1, 1e-9);
  EXPECT_NEAR(e.totals.functions[0]->tail, 1, 1e-9);
  EXPECT_GT(e.totals.functions[2]->variance, 0.99);
  EXPECT_GT(e.totals.functions[2]->tail, 0.99);
  EXPECT_LT(e.functionShares[2].variance, 0.01);
  EXPECT_NEAR(e.totals.functions[3]->variance, e.functionShares[3].variance, 1e-9);
  std::vector<size_t> path;
  for (const CallStep &step : e.totals.path)
    path.push_back(step.function);
  EXPECT_EQ(path, (std::vector<size_t>{0, 1, 2, 3}));
  EXPECT_NEAR(e.totals.path[3].variance, e.functionShares[3].variance, 1e-9);
  EXPECT_EQ(e.totals.callbacks, 0);
}

TEST(TotalCosts, WhatGoesAlongDoesNotLead) {
  // An if that calls what is dear, and one of a printer that is as often true.
  Function work = calling("main", {"dear"}), printer = calling("printer", {"none"});
  work.branches = {{1, true, {2, 4}, noIndex, noIndex, false, {5, 1, 0}}};
  printer.calls.clear();
  printer.branches = {{1, true, {2, 4}, noIndex, noIndex, false, {7, 1, 0}}};
  work.calls.push_back({0, "printer", false, {}, {}});
  const std::vector<Map> maps{mapOf({work, printer, calling("dear", {})})};
  std::vector<quincunx::Run> runs;
  std::mt19937_64 random(7);
  for (int d = 0; d < 100; ++d) {
    const uint64_t n = random() % 30;
    runs.push_back(
        runOf("r" + std::to_string(d), maps[0],
              {1, 40 - n, n, /*printer*/ 1, n, 40 - n, /*dear*/ n, 1000 * n + random() % 3000}));
  }
  const Explained e = told(maps, runs, machineOf("multiply 1")).e;
  ASSERT_EQ(e.branches.size(), 2u);
  const BranchShares &cause = e.branches[0], &companion = e.branches[1];
  EXPECT_EQ(cause.at.line, 5u);
  EXPECT_GT(cause.explains, 0.95);
  EXPECT_NEAR(*cause.itself, cause.explains, 0.02);
  EXPECT_FALSE(cause.goesAlong());
  EXPECT_GT(companion.explains, 0.95);
  EXPECT_LT(*companion.itself, 0.01);
  EXPECT_TRUE(companion.goesAlong());
  EXPECT_GT(cause.rank(), companion.rank());
}
