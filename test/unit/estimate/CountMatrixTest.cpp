// The matrix of counts against the estimator that reads runs one by one, and folding.
#include "quincunx/estimate/BlockCosts.h"
#include "quincunx/estimate/Observed.h"

#include "Synthetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

struct Corpus3 {
  std::vector<Map> maps{mapOf({loopWithBranch("f"), guardedCall("g", 0)}),
                        mapOf({loopWithBranch("h")}, 2, "/lib/other.so")};
  std::vector<quincunx::Run> runs;
};

Corpus3 corpus(size_t runs) {
  Corpus3 c;
  std::mt19937_64 random(3);
  for (size_t i = 0; i < runs; ++i) {
    const uint64_t a = random() % 100, b = random() % 7, calls = 5 + random() % 5;
    c.runs.push_back(
        runOf("r" + std::to_string(i), c.maps[0], {1, a, b, calls, calls - random() % 2}));
    if (i % 2 == 0)
      c.runs.back().images.push_back(runOf("", c.maps[1], {1, a, b}).images[0]);
    c.runs.back().outcome = i % 11 == 5 ? Outcome::timedOut : Outcome::finished;
  }
  return c;
}

CountMatrix matrixOf(const Corpus3 &c) {
  CountMatrixBuilder builder(c.maps, c.runs.size());
  for (const quincunx::Run &run : c.runs)
    EXPECT_TRUE(builder.add(run));
  Result<CountMatrix> matrix = builder.finish();
  EXPECT_TRUE(matrix);
  return std::move(*matrix);
}

Machine machine(const std::string &text) {
  const Result<Machine> m = parseMachine(text, "test.machine");
  EXPECT_TRUE(m);
  return *m;
}

} // namespace

TEST(CountMatrix, CostsOfRunsAreThoseOfTheObserver) {
  const Corpus3 c = corpus(40);
  const CountMatrix matrix = matrixOf(c);
  for (const char *text : {"construct 1", "add 1\nload moments(4, 9, 3, 12)\nstore 0.5\ncall 2"}) {
    const Machine m = machine(text);
    Observer observer(c.maps, m, c.runs.size());
    for (const quincunx::Run &run : c.runs)
      ASSERT_TRUE(observer.add(run));
    const Result<Observed> observed = observer.finish();
    ASSERT_TRUE(observed);
    const BlockCosts costs(matrix, c.maps, m);
    EXPECT_EQ(costs.constant(), observed->constant);
    const std::vector<Cumulants> runs = costs.runs();
    ASSERT_EQ(runs.size(), observed->runs.size());
    for (size_t d = 0; d < runs.size(); ++d) {
      const Cumulants &want = observed->runs[d].cost;
      EXPECT_NEAR(runs[d].k1, want.k1, 1e-9 * want.k1) << d;
      EXPECT_NEAR(runs[d].k2, want.k2, 1e-9 * want.k2) << d;
      EXPECT_NEAR(runs[d].k4, want.k4, 1e-9 * std::fabs(want.k4)) << d;
    }
  }
}

TEST(CountMatrix, EqualColumnsAreKeptOnce) {
  const Corpus3 c = corpus(40);
  const CountMatrix matrix = matrixOf(c);
  ASSERT_EQ(matrix.functions.size(), 3u);
  const CountMatrix::Columns &f = matrix.functions[0], &g = matrix.functions[1];
  EXPECT_EQ(f.counters.size(), 3u);
  EXPECT_EQ(g.trees.size(), 1u) << "some calls did not return";
  std::vector<double> lost;
  for (size_t d = 0; d < matrix.rows.size(); ++d)
    lost.push_back(matrix.columns[g.trees[0]].at(d));
  const auto &first = c.runs[0].images[0].counts;
  EXPECT_EQ(lost[0], static_cast<double>(first.value[3] - first.value[4]));
  // Entries of f (always 1), its two arms, entries and returns of g, frames lost in g; h differs
  // from f, as every other run does not load it.
  EXPECT_EQ(matrix.columns.size(), 9u);
  const Corpus3 same{{mapOf({loopWithBranch("f"), loopWithBranch("twin")})}, {}};
  CountMatrixBuilder builder(same.maps, 2);
  ASSERT_TRUE(builder.add(runOf("a", same.maps[0], {1, 2, 0, 1, 2, 0})));
  ASSERT_TRUE(builder.add(runOf("b", same.maps[0], {1, 5, 0, 1, 5, 0})));
  const Result<CountMatrix> folded = builder.finish();
  ASSERT_TRUE(folded);
  EXPECT_EQ(folded->columns.size(), 2u);
  EXPECT_EQ(folded->functions[0].counters, folded->functions[1].counters);
  EXPECT_EQ(folded->functions[0].counters[2], noIndex);
}

TEST(CountMatrix, ProductsAreSums) {
  const Corpus3 c = corpus(20);
  const CountMatrix matrix = matrixOf(c);
  std::vector<double> rows, columns;
  for (size_t d = 0; d < matrix.rows.size(); ++d)
    rows.push_back(static_cast<double>(d) - 7.5);
  for (size_t i = 0; i < matrix.columns.size(); ++i)
    columns.push_back(1.0 / static_cast<double>(i + 1));
  const std::vector<double> perRun = matrix.perRun(columns), perColumn = matrix.perColumn(rows);
  double a = 0, b = 0;
  for (size_t d = 0; d < rows.size(); ++d) {
    double sum = 0;
    for (size_t i = 0; i < columns.size(); ++i)
      sum += columns[i] * matrix.columns[i].at(d);
    EXPECT_DOUBLE_EQ(perRun[d], sum);
    a += rows[d] * perRun[d];
  }
  for (size_t i = 0; i < columns.size(); ++i)
    b += columns[i] * perColumn[i];
  EXPECT_NEAR(a, b, 1e-9 * std::fabs(a));
}

TEST(CountMatrix, ReplacedCostsOfAFunctionCountInEveryRun) {
  const Corpus3 c = corpus(10);
  const CountMatrix matrix = matrixOf(c);
  BlockCosts costs(matrix, c.maps, machine("construct 1"));
  const std::vector<Cumulants> before = costs.runs();
  std::vector<Cumulants> blocks(costs.blocks(0).begin(), costs.blocks(0).end());
  blocks[2] = {10, 3, 0, 0}; // the true arm of f
  costs.set(0, blocks);
  EXPECT_FALSE(costs.constant());
  const std::vector<Cumulants> after = costs.runs();
  for (size_t d = 0; d < after.size(); ++d) {
    const double trues = matrix.columns[matrix.functions[0].counters[1]].at(d);
    EXPECT_DOUBLE_EQ(after[d].k1, before[d].k1 + 10 * trues);
    EXPECT_DOUBLE_EQ(after[d].k2, 3 * trues);
  }
}

TEST(CountMatrix, NothingToEstimateFromIsAnError) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  CountMatrixBuilder builder(maps, 1);
  quincunx::Run crashed = runOf("r", maps[0], {1, 0, 0});
  crashed.outcome = Outcome::crashed;
  ASSERT_TRUE(builder.add(crashed));
  const Result<CountMatrix> matrix = builder.finish();
  ASSERT_FALSE(matrix);
  EXPECT_NE(matrix.error().text.find("crashed"), std::string::npos);
  CountMatrixBuilder other(maps, 1);
  quincunx::Run wrong = runOf("r", maps[0], {1, 0, 0});
  wrong.images[0].counterCount = 99;
  EXPECT_FALSE(other.add(wrong));
}

TEST(CountMatrix, HoldsNoMoreThanACorpusCanBearOut) {
  const Corpus3 c = corpus(10);
  CountMatrixBuilder fits(c.maps, 10, 10 * 8), tooMany(c.maps, 10, 10 * 7);
  Status last = Done{};
  for (const quincunx::Run &run : c.runs) { // eight counters are hit in all
    EXPECT_TRUE(fits.add(run));
    if (last)
      last = tooMany.add(run);
  }
  ASSERT_FALSE(last);
  EXPECT_NE(last.error().text.find("more counters than so small a corpus"), std::string::npos);
}
