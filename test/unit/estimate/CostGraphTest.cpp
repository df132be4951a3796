// Mean costs of functions, lines and calls: parts add up, and calls are those that were counted.
#include "quincunx/estimate/CostGraph.h"

#include "CallingPrograms.h"
#include "Explained.h"
#include "TimedProgram.h"

using namespace quincunx;
using namespace quincunx::test;

namespace {

Result<CostGraph> graphOf(const std::vector<Map> &maps, const std::vector<quincunx::Run> &runs,
                          const Machine &machine) {
  CountMatrixBuilder builder(maps, runs.size());
  Observer observer(maps, machine, runs.size());
  for (const quincunx::Run &run : runs) {
    EXPECT_TRUE(builder.add(run));
    EXPECT_TRUE(observer.add(run));
  }
  Result<CountMatrix> matrix = builder.finish();
  Result<Observed> observed = observer.finish();
  EXPECT_TRUE(matrix && observed);
  return costGraph({std::move(*observed), std::move(*matrix)}, maps, machine);
}

void expectSums(const CostGraph &g) {
  double all = g.outside;
  for (const CostGraph::Function &f : g.functions) {
    double lines = 0;
    for (const CostGraph::Line &l : f.lines)
      lines += l.cost;
    EXPECT_NEAR(lines, f.self, 1e-9 * g.program) << f.name;
    all += f.self;
  }
  EXPECT_NEAR(all, g.program, 1e-9 * g.program);
}

} // namespace

TEST(CostGraph, HasWhatWasCounted) {
  Program p{{mapOf({calling("main", {"f", "g", "memcpy"}), calling("f", {"g"}), calling("g", {}),
                    calling("back", {})})},
            {}};
  p.run({1, 10, 2, 1, 4, /*f*/ 2, 20, 6, /*g*/ 7, 700, /*back*/ 3, 30});
  p.run({1, 30, 4, 1, 0, /*f*/ 4, 40, 3, /*g*/ 4, 100, /*back*/ 1, 10});
  const Result<CostGraph> g = graphOf(p.maps, p.runs, machineOf("multiply 1\ncallee memcpy 25"));
  ASSERT_TRUE(g) << g.error().text;
  expectSums(*g);
  EXPECT_EQ(g->program, (10 + 20 + 700 + 30 + 100 + 30 + 40 + 100 + 10) / 2.0);
  EXPECT_NEAR(g->outside, 0, 1e-9);
  ASSERT_EQ(g->functions.size(), 5u);
  const auto &[main, f, gg, back, memcpy] =
      std::tie(g->functions[0], g->functions[1], g->functions[2], g->functions[3], g->functions[4]);
  EXPECT_EQ(main.self, 20);
  EXPECT_EQ(main.total, g->program);
  EXPECT_EQ(f.times, 3);
  EXPECT_EQ(f.total, (20 + 600 + 40 + 75) / 2.0);
  EXPECT_EQ(memcpy.name, "memcpy");
  EXPECT_TRUE(memcpy.image.empty());
  EXPECT_EQ(memcpy.times, 2);
  EXPECT_EQ(memcpy.self, 50);
  ASSERT_EQ(f.calls.size(), 1u);
  EXPECT_EQ(f.calls[0].callee, 2u);
  EXPECT_EQ(f.calls[0].times, 4.5);
  EXPECT_EQ(f.calls[0].cost, (600 + 75) / 2.0);
  ASSERT_EQ(main.calls.size(), 4u) << "f, g, memcpy, and what nobody is known to call";
  EXPECT_GT(main.cycle, f.cycle);
  EXPECT_GT(f.cycle, gg.cycle);
  EXPECT_GT(gg.cycle, memcpy.cycle);
  EXPECT_EQ(back.total, 20);
}

TEST(CostGraph, AddsUpWhereTimesWereFitted) {
  const TimedProgramData p(60, 7, 0.01, {}, 12);
  const Result<Calibration> c = p.calibrated(40, {0.01, 0, p.start});
  ASSERT_TRUE(c);
  const Result<CostGraph> g = graphOf(p.maps, p.runs, c->machine);
  ASSERT_TRUE(g) << g.error().text;
  expectSums(*g);
  const Observed o = observed(p, c->machine);
  EXPECT_NEAR(g->program, o.program.moments.mean, 1e-9 * g->program);
  double outside = 0;
  for (const RunFigures &run : o.runs)
    outside += run.unattributed / static_cast<double>(o.runs.size());
  EXPECT_NEAR(g->outside, outside, 1e-9 * g->program);
  EXPECT_GT(outside, 0.9 * p.start);
}
