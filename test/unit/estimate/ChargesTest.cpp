// Where costs were fitted to times, all who speak of functions and lines charge them the same:
// reports, explanations, models, changes and lines; and all add up to what runs take.
#include "TimedProgram.h"
#include "UnknownSources.h"

#include "quincunx/estimate/Explain.h"
#include "quincunx/estimate/LineObserver.h"
#include "quincunx/estimate/Model.h"
#include "quincunx/estimate/WhatIf.h"

#include <numeric>

using namespace quincunx;
using namespace quincunx::test;

namespace {

/// Work gets dearer with memory, and page faults take a tenth or so; the weights of blocks are not
/// their prices.
struct Charges : testing::Test {
  TimedProgramData p{90, 21, 0.02};
  Machine machine;

  void SetUp() override {
    p.maps[0].functions[0].loops = {{1, noIndex, {1}, {5, 6}, "", false, noIndex, {}, {4, 1, 0}}};
    std::mt19937_64 random(21);
    for (size_t d = 0; d < p.runs.size(); ++d) {
      const double ratio = std::exp(std::uniform_real_distribution<double>(0, 3)(random));
      const double faults =
          std::floor(std::exp(std::uniform_real_distribution<double>(3, 6)(random)));
      p.runs[d].peakMemory = p.matrix.rows[d].peakMemory = 3e6 * ratio;
      p.runs[d].pageFaults = p.matrix.rows[d].pageFaults = faults;
      p.times[d].time = p.start + (p.times[d].time - p.start) * std::pow(ratio, 0.2) + 700 * faults;
    }
    const Result<Calibration> c = p.calibrated(70);
    ASSERT_TRUE(c) << c.error().text;
    machine = c->machine;
    ASSERT_GT(machine.fit.memoryExponent, 0);
    ASSERT_GT(machine.event("fault").k1, 0);
  }
};

TEST_F(Charges, OfReportsAddUp) {
  const Observed o = observed(p, machine);
  ASSERT_TRUE(o.unattributed);
  double whole = o.unattributed->cost.moments.mean, shares = o.unattributed->share;
  for (const FunctionFigures &f : o.functions) {
    whole += f.cost.moments.mean;
    shares += f.share;
  }
  EXPECT_NEAR(whole, o.program.moments.mean, 1e-9 * whole);
  EXPECT_NEAR(shares, 1, 1e-9);
  double unattributed = machine.event("start").k1;
  for (const quincunx::Run &run : p.runs)
    unattributed +=
        machine.event("fault").k1 * *run.pageFaults / static_cast<double>(p.runs.size());
  EXPECT_NEAR(o.unattributed->cost.moments.mean, unattributed, 1e-9 * unattributed);
}

TEST_F(Charges, OfExplanationsAreThoseOfReports) {
  const Observed o = observed(p, machine);
  const Explained e = explain(o, BlockCosts(p.matrix, p.maps, machine));
  ASSERT_EQ(e.functions.size(), o.functions.size() + 1);
  EXPECT_EQ(e.functions.back().name, unattributedName);
  Shares sum;
  for (size_t f = 0; f < e.functions.size(); ++f) {
    const Shares &s = e.functionShares[f];
    EXPECT_NEAR(s.mean, f < o.functions.size() ? o.functions[f].share : o.unattributed->share,
                1e-9);
    sum.variance += s.variance, sum.within += s.within, sum.p99 += s.p99, sum.mean += s.mean;
  }
  EXPECT_NEAR(sum.mean, 1, 1e-9);
  // What is random given the counts is the residual of whole runs, and of no function.
  EXPECT_NEAR(sum.variance, 1 - e.within, 1e-9);
  EXPECT_NEAR(sum.p99, 1, 0.05);
  double lines = 0;
  for (const Shares &s : e.lineShares)
    lines += s.mean;
  EXPECT_NEAR(lines, 1 - o.unattributed->share, 1e-9);
  ASSERT_FALSE(e.slowest.empty());
  for (const SlowRun &s : e.slowest) {
    EXPECT_NEAR(s.contrast.cost, o.runs[s.run].cost.k1, 1e-9 * s.contrast.cost);
    EXPECT_NEAR(s.contrast.rest, o.runs[e.median].cost.k1, 1e-9 * s.contrast.rest);
    EXPECT_EQ(s.contrast.functions.back().executed, 1);
  }
  ASSERT_FALSE(e.tail.runs.empty());
  double tail = 0;
  for (const size_t d : e.tail.runs)
    tail += o.runs[d].cost.k1 / static_cast<double>(e.tail.runs.size());
  EXPECT_NEAR(e.tail.contrast.cost, tail, 1e-9 * tail);
}

TEST_F(Charges, OfModelsAreThoseOfReports) {
  const Observed o = observed(p, machine);
  for (const bool perRun : {false, true}) {
    ModelOptions options;
    options.perRun = perRun;
    Model model(p.maps, machine, options);
    for (const quincunx::Run &run : p.runs)
      ASSERT_TRUE(model.add(run));
    const Result<Modelled> m = model.finish();
    ASSERT_TRUE(m) << m.error().text;
    EXPECT_NEAR(m->program.k1, o.program.moments.mean, 1e-9 * m->program.k1) << perRun;
  }
}

TEST_F(Charges, OfChangesAreThoseOfReports) {
  const Observed o = observed(p, machine);
  const auto after = [&](const char *text) {
    const Result<Change> change = parseChange(text);
    EXPECT_TRUE(change);
    WhatIfOptions options;
    const Result<WhatIfAnswer> a =
        whatIf(BlockCosts(p.matrix, p.maps, machine), machine, {*change}, options);
    EXPECT_TRUE(a) << a.error().text;
    const auto mean = std::find_if(a->figures.begin(), a->figures.end(),
                                   [](const Compared &c) { return c.name == "mean"; });
    EXPECT_NE(mean, a->figures.end());
    return mean->after.value;
  };
  const double work = o.functions[0].cost.moments.mean, whole = o.program.moments.mean;
  ASSERT_EQ(o.functions[0].name, "work");
  EXPECT_NEAR(after("cost(work) = 0"), whole - work, 1e-9 * whole);
  EXPECT_NEAR(after("cost(work) *= 3"), whole + 2 * work, 1e-9 * whole);
  EXPECT_NEAR(after("trips(loop prog.c:4) *= 1"), whole, 1e-9 * whole);
  // Twice the trips cost what they cost the runs now, less what is executed once per call.
  const double twice = after("trips(loop prog.c:4) *= 2");
  EXPECT_GT(twice, whole + 0.99 * work);
  EXPECT_LT(twice, whole + work);
}

TEST_F(Charges, OfLinesAreThoseOfReports) {
  const Observed o = observed(p, machine);
  const auto sources = unknownSources(p.maps);
  LineObserver lines(p.maps, sources, machine, "/src/dir/prog.c", {});
  for (const quincunx::Run &run : p.runs)
    ASSERT_TRUE(lines.add(run));
  const Result<FileFigures> file = lines.finish(o.program.moments.mean);
  ASSERT_TRUE(file);
  double shares = o.unattributed->share;
  for (const auto &[line, f] : *file)
    shares += f.share;
  EXPECT_NEAR(shares, 1, 1e-9);
}

} // namespace
