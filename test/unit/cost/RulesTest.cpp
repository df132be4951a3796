// The rules for combining costs against tables computed with 80 digits, and their laws.
#include "quincunx/cost/Rules.h"

#include "Csv.h"
#include "cost/Close.h"
#include "quincunx/numeric/PowerSeries.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

double at(const Row &row, const std::string &column) { return std::stod(row.at(column)); }

Cumulants golden(const Row &r, const std::string &prefix) {
  return {at(r, prefix + "1"), at(r, prefix + "2"), at(r, prefix + "3"), at(r, prefix + "4")};
}

using test::expectClose;

Cumulants bernoulli(double p) {
  const double v = p * (1 - p);
  return {p, v, v * (1 - 2 * p), v * (1 - 6 * v)};
}

} // namespace

TEST(Repeated, AgreesWithGoldenTableOfCompoundSums) {
  const std::vector<Row> rows = readCsv("compound_sums.csv");
  ASSERT_EQ(rows.size(), 35u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("N") + " times " + r.at("X"));
    const Cumulants n = golden(r, "n"), x = golden(r, "x"), y = golden(r, "y");
    expectClose(repeated(n, x), y, 3e-15);
    if (n.k2 == 0) {
      expectClose(repeated(n.k1, x), y, 3e-15);
    }
    const Moments m = moments(repeated(n, x));
    EXPECT_NEAR(m.skewness, at(r, "skew"), 1e-13 * std::max(1.0, std::abs(at(r, "skew"))));
    EXPECT_NEAR(m.kurtosis, at(r, "kurtosis"), 1e-13 * at(r, "kurtosis"));
  }
}

TEST(OneOf, AgreesWithGoldenTableOfMixtures) {
  const std::vector<Row> rows = readCsv("mixtures.csv");
  ASSERT_EQ(rows.size(), 5u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("case"));
    const std::vector<double> weights = numbers(r.at("weights"));
    std::vector<Cumulants> parts;
    for (const std::string &part : split(r.at("branch_cumulants"), '|')) {
      const std::vector<double> k = numbers(part);
      parts.push_back({k.at(0), k.at(1), k.at(2), k.at(3)});
    }
    const Cumulants want{at(r, "m1"), at(r, "k2"), at(r, "k3"), at(r, "k4")};
    expectClose(oneOf(parts, weights), want, 1e-14);
    EXPECT_NEAR(moments(oneOf(parts, weights)).kurtosis, at(r, "kurtosis"),
                1e-13 * at(r, "kurtosis"));
  }
}

TEST(Branched, AgreesWithGoldenTableOfRates) {
  const std::vector<Row> rows = readCsv("branch_rates.csv");
  ASSERT_EQ(rows.size(), 8u);
  for (const Row &r : rows) {
    SCOPED_TRACE(r.at("p_case") + " " + r.at("x_case"));
    expectClose(branched(golden(r, "p"), golden(r, "a"), golden(r, "b")), golden(r, "z"), 3e-15);
  }
}

TEST(Rules, ABranchWithBernoulliRatesIsAMixture) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> u(0, 1);
  for (int i = 0; i < 1000; ++i) {
    const double p = u(random), weights[] = {p, 1 - p};
    const Cumulants parts[] = {{u(random), u(random), u(random), u(random)},
                               {5 * u(random), u(random), -u(random), u(random)}};
    expectClose(branched(bernoulli(p), parts[0], parts[1]), oneOf(parts, weights), 2e-13);
  }
}

TEST(Rules, RepetitionIsCompositionOfSeriesAndAssociative) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> u(0.1, 2);
  const auto draw = [&] { return Cumulants{u(random), u(random), u(random), u(random)}; };
  for (int i = 0; i < 1000; ++i) {
    const Cumulants a = draw(), b = draw(), c = draw();
    expectClose(repeated(a, b), fromCumulantSeries(compose(cumulantSeries(a), cumulantSeries(b))),
                1e-14);
    expectClose(repeated(repeated(a, b), c), repeated(a, repeated(b, c)), 1e-13);
    expectClose(repeated(inSeries(a, b), c), inSeries(repeated(a, c), repeated(b, c)), 1e-13);
    expectClose(repeated({3, 0, 0, 0}, a), inSeries(inSeries(a, a), a), 1e-15);
  }
}

TEST(Rules, IntervalsFollowTheParts) {
  const Cost one = constantCost(1), load{{5, 9, 81, 700}, {4, 40}}, unknown{{2, 1, 0, 0}};
  struct {
    const char *what;
    Range got, want;
  } const table[] = {
      {"series", inSeries(one, load).range, {5, 41}},
      {"series with unknown", inSeries(one, unknown).range, {-inf, inf}},
      {"three times", repeated(3, load).range, {12, 120}},
      {"never", repeated(0, unknown).range, {0, 0}},
      {"two to five times", repeated(Cost{{3, 1, 0, 0}, {2, 5}}, load).range, {8, 200}},
      {"any number of times", repeated(Cost{{3, 1, 0, 0}, {0, inf}}, load).range, {0, inf}},
      {"of what may be negative",
       repeated(Cost{{3, 1, 0, 0}, {2, 5}}, {{0, 1, 0, 0}, {-1, 2}}).range,
       {-5, 10}},
      {"count of unknown interval", repeated(unknown, load).range, {0, inf}},
      {"unknown times nothing", repeated(unknown, constantCost(0)).range, {0, 0}},
  };
  for (const auto &row : table) {
    EXPECT_EQ(row.got.low, row.want.low) << row.what;
    EXPECT_EQ(row.got.high, row.want.high) << row.what;
  }
  const Cost parts[] = {one, load, unknown};
  const double weights[] = {1, 3, 0};
  const Cost c = oneOf(parts, weights);
  EXPECT_EQ(c.range.low, 1);
  EXPECT_EQ(c.range.high, 40);
  EXPECT_EQ(c.k.k1, 4);
  EXPECT_EQ(inSeries(one, load).k.k1, 6);
  EXPECT_EQ(repeated(Cost{{2, 1, 0, 0}, {0, 9}}, load).k.k2, 43);
}

TEST(Rules, HugeAndTinyCostsStayFinite) {
  const Cumulants huge{1e70, 1e140, 1e210, 1e280}, tiny{1e-70, 1e-140, 1e-210, 1e-280};
  const double half[] = {0.5, 0.5};
  const Cumulants both[] = {huge, tiny};
  for (const Cumulants &k : {inSeries(huge, tiny), oneOf(both, half), repeated({10, 3, 1, 0}, huge),
                             repeated({10, 3, 1, 0}, tiny)}) {
    EXPECT_TRUE(std::isfinite(k.k1) && std::isfinite(k.k2) && std::isfinite(k.k3));
    EXPECT_TRUE(std::isfinite(k.k4));
  }
}
