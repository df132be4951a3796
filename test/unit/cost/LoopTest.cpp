// Loops with known trip counts against tables computed with 80 digits, against the law itself for
// small n, and against elimination.
#include "quincunx/cost/Loop.h"

#include "Csv.h"
#include "cost/Close.h"
#include "quincunx/cost/Eliminate.h"
#include "quincunx/cost/Rules.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace quincunx;
using namespace quincunx::test;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

double at(const Row &row, const std::string &column) { return std::stod(row.at(column)); }

Cumulants golden(const std::string &cell) {
  const std::vector<double> k = numbers(cell);
  return {k.at(0), k.at(1), k.at(2), k.at(3)};
}

using test::expectClose;

/// The law of the number of whole passes before a break, value by value.
Cumulants bySumming(uint64_t n, double b) {
  std::vector<Cumulants> values;
  std::vector<double> weights;
  for (uint64_t k = 0; k < n; ++k) {
    values.push_back({static_cast<double>(k), 0, 0, 0});
    weights.push_back(b * std::pow(1 - b, static_cast<double>(k)));
  }
  return oneOf(values, weights);
}

} // namespace

TEST(CountedLoop, AgreesWithGoldenTableOfBreaks) {
  const std::vector<Row> rows = readCsv("loop_break.csv");
  ASSERT_EQ(rows.size(), 10u);
  for (const Row &r : rows) {
    SCOPED_TRACE("n " + r.at("n") + ", b " + r.at("b") + ", " + r.at("case"));
    const auto c = countedLoop({std::stoull(r.at("n")), at(r, "b"), golden(r.at("kc")),
                                golden(r.at("kb")), golden(r.at("ke"))});
    ASSERT_TRUE(c);
    EXPECT_NEAR(c->completes / at(r, "pn"), 1, 1e-14);
    expectClose(c->k, {at(r, "m1"), at(r, "k2"), at(r, "k3"), at(r, "k4")}, 2e-14);
  }
}

TEST(CountedLoop, PassesBeforeABreakFollowTheCutGeometricLaw) {
  for (const uint64_t n : {1, 2, 3, 10, 57, 400, 3000})
    for (const double b : {1e-300, 1e-9, 1e-4, 1e-3, 0.0075, 0.05, 0.29, 0.5, 0.9, 0.999, 1.0}) {
      SCOPED_TRACE(testing::Message() << "n " << n << ", b " << b);
      expectClose(truncatedGeometric(n, b), bySumming(n, b), 2e-12);
    }
}

TEST(CountedLoop, IsElimination) {
  // Unrolled, with the break to one exit and the end to another.
  const CountedLoop loop{20, 0.07, {3, 1, 0.5, 0.2}, {2, 0.3, 0, 0}, {5, 4, 3, 2}};
  FlowGraph g{23, 0, {}};
  for (uint32_t i = 0; i < 20; ++i) {
    g.edges.push_back({i, 21, loop.b, loop.breaking});
    g.edges.push_back({i, i + 1, 1 - loop.b, loop.iteration});
  }
  g.edges.push_back({20, 22, 1, loop.after});
  const FlowCost want = *eliminate(g);
  const CountedLoopCost c = *countedLoop(loop);
  expectClose(c.k, want.k, 1e-13);
  expectClose(c.broken, want.exits[0].k, 1e-13);
  // The mean over this exit is far from that of the whole, which costs elimination digits.
  expectClose(c.completed, want.exits[1].k, 1e-10);
  EXPECT_NEAR(c.completes, want.exits[1].p, 1e-15);
}

TEST(CountedLoop, FarMoreTripsThanAreEverMadeIsTheGeometricLoop) {
  // Left after a few trips of 10^18: nothing may be computed about the 10^18.
  const auto c = countedLoop({1000000000000000000, 0.25, {2, 0, 0, 0}, {}, {}});
  expectClose(c->k, {6, 48, 672, 14016}, 1e-13); // 2 * geometric: 3, 12, 84, 876
}

TEST(CountedLoop, Degenerate) {
  const Cumulants x{3, 1, 0, 0}, y{2, 0, 0, 0}, z{1, 0, 0, 0};
  expectClose(countedLoop({0, 0.5, x, y, z})->k, z, 0);
  expectClose(countedLoop({10, 0, x, y, z})->k, {31, 10, 0, 0}, 0);
  expectClose(countedLoop({10, 1, x, y, z})->k, y, 0);
  EXPECT_FALSE(countedLoop({10, -0.1, x, y, z}));
  EXPECT_FALSE(countedLoop({10, 1.1, x, y, z}));
  EXPECT_FALSE(countedLoop({10, notANumber, x, y, z}));
  EXPECT_FALSE(countedLoop({10, 0.5, {notANumber, 0, 0, 0}, y, z}));
  EXPECT_FALSE(countedLoop({~uint64_t{0}, 0, {1e300, 0, 0, 0}, y, z}));
}

TEST(MeasuredLoop, IsWholePassesThenThePartialOneByExit) {
  const Cumulants body{4, 2, 1, 0.5};
  // One exit: geometric trips are what elimination finds.
  const double q = 0.9;
  const Cumulants trips{9, 90, 1710, 9 * (1 + 4 * q + q * q) * 1000};
  const LoopExit out{5, trips, {1, 0.5, 0, 0}};
  const FlowGraph g{2, 0, {{0, 0, 9, body}, {0, 1, 1, {1, 0.5, 0, 0}}}};
  expectClose(*measuredLoop(body, std::span(&out, 1)), eliminate(g)->k, 1e-13);
  // Two exits with trips of their own; an exit that was never taken may hold anything.
  const LoopExit two[] = {{3, {10, 0, 0, 0}, {1, 0, 0, 0}},
                          {1, {2, 1, 0, 0}, {7, 0, 0, 0}},
                          {0, {notANumber, 0, 0, 0}, {}}};
  const Cumulants ways[] = {{41, 20, 10, 5}, inSeries(repeated({2, 1, 0, 0}, body), {7, 0, 0, 0})};
  const double weights[] = {0.75, 0.25};
  expectClose(*measuredLoop(body, two), oneOf(ways, weights), 1e-15);
}

TEST(MeasuredLoop, RefusesWithAReason) {
  const Cumulants body{4, 2, 1, 0.5};
  EXPECT_EQ(measuredLoop(body, {}).error().text, "no exit of the loop was ever taken");
  const LoopExit table[] = {
      {0, {1, 0, 0, 0}, {}},
      {-1, {1, 0, 0, 0}, {}},
      {notANumber, {1, 0, 0, 0}, {}},
      {1, {notANumber, 0, 0, 0}, {}},
      {std::numeric_limits<double>::infinity(), {1, 0, 0, 0}, {}},
      {1, {1e300, 1e300, 0, 0}, {0, std::numeric_limits<double>::infinity(), 0, 0}}};
  for (const LoopExit &e : table)
    EXPECT_FALSE(measuredLoop(body, std::span(&e, 1)));
}
