// Values of unknowns in trip counts, found from trips that were counted.
#include "quincunx/estimate/LoopBounds.h"

#include <cmath>

#include <gtest/gtest.h>

using namespace quincunx;

namespace {

/// Loop `l` is entered by edge 2 l and comes back by edge 2 l + 1.
struct Loops {
  Function f;
  ExecutionCounts e;
  void add(const std::string &trips, double entered, double mean, uint32_t parent = noIndex,
           double variance = 0) {
    const auto first = static_cast<uint32_t>(2 * f.loops.size());
    Loop l;
    l.parent = parent;
    l.entryEdges = {first};
    l.backEdges = {first + 1};
    l.trips = trips;
    f.loops.push_back(l);
    e.edges.insert(e.edges.end(), {entered, entered * mean});
    e.loops.push_back(Cumulants{mean, variance, 0, 0});
  }
  LoopBounds bounds() const { return boundsOf(f, e); }
};

using Kind = LoopBounds::Kind;

} // namespace

TEST(LoopBounds, LinesAndBends) {
  Loops l;
  l.add("max(0, (-1 + n))", 1, 9);
  l.add("((-3 + m) div 4)", 1, 5);
  l.add("(-100 + max(0, k))", 1, 7.25);
  const LoopBounds b = l.bounds();
  EXPECT_EQ(b.loops, std::vector<Kind>(3, Kind::expression));
  EXPECT_EQ(b.values.at("n"), 10);
  EXPECT_EQ(std::floor((b.values.at("m") - 3) / 4), 5);
  EXPECT_DOUBLE_EQ(b.values.at("k"), 107.25) << "of calls that differ, the mean";
}

TEST(LoopBounds, OneAfterTheOther) {
  Loops l;
  l.add("(n * m)", 1, 42);
  l.add("(-1 + n)", 1, 5);
  const LoopBounds b = l.bounds();
  EXPECT_EQ(b.values.at("n"), 6);
  EXPECT_EQ(b.values.at("m"), 7) << "once the other is known";
  EXPECT_EQ(b.of(0), Kind::expression);
}

TEST(LoopBounds, OneValueForAll) {
  Loops l;
  l.add("n", 1, 5);
  l.add("n", 1, 6);
  l.add("(a + b)", 1, 6);
  l.add("7", 1, 7);
  l.add("", 1, 3);
  const LoopBounds b = l.bounds();
  EXPECT_EQ(b.loops, (std::vector<Kind>{Kind::expression, Kind::measured, Kind::measured,
                                        Kind::expression, Kind::measured}))
      << "n cannot be both; a and b are not known apart";
  EXPECT_EQ(b.of(17), Kind::measured);
}

TEST(LoopBounds, WhatVariesIsMeasured) {
  Loops l;
  l.add("n", 2, 5, noIndex, 4);
  const LoopBounds b = l.bounds();
  EXPECT_EQ(b.of(0), Kind::measured);
  EXPECT_TRUE(b.values.empty());
}

TEST(LoopBounds, ByTheIndexAround) {
  Loops l;
  l.add("n", 3, 8);
  l.add("(0 + 1 * i0)", 24, 3.5, 0); // 0 .. 7
  l.add("(n + -1 * i0)", 24, 4.5, 0);
  l.add("i0", 12, 3.5, 0); // not in every pass
  l.add("i0", 27, 4, 0);   // also in the last test
  const LoopBounds b = l.bounds();
  EXPECT_EQ(b.loops, (std::vector<Kind>{Kind::expression, Kind::ofIndex, Kind::ofIndex,
                                        Kind::measured, Kind::ofIndex}));
  EXPECT_EQ(b.values.size(), 1u) << "an index is no unknown";
}
