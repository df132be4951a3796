// Engines that judge each other: on every region tree of up to six nodes, and on random larger
// ones, the rules, exact enumeration of the law, elimination of the unrolled flow and, for
// geometric loops, of the cyclic one agree to 1e-9; simulation agrees within its own error. With
// QUINCUNX_FULL set there are 10,000 random trees instead of 300.
#include "Trees.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace quincunx;
using namespace quincunx::test;

namespace {

bool full() { return std::getenv("QUINCUNX_FULL") != nullptr; }

/// Cumulants agree to 1e-9 of themselves, of that power of the deviation, or of what rounding does
/// to a mean of that size.
bool agree(const Cumulants &a, const Cumulants &b) {
  const double s = std::sqrt(std::abs(b.k2)), m = 1e-5 * (1 + std::abs(b.k1));
  const auto near = [&](double x, double y, int r) {
    return std::abs(x - y) <= 1e-9 * (std::abs(y) + std::pow(s, r) + std::pow(m, r));
  };
  return near(a.k1, b.k1, 1) && near(a.k2, b.k2, 2) && near(a.k3, b.k3, 3) && near(a.k4, b.k4, 4);
}

std::string shown(const Cumulants &k) {
  return testing::PrintToString(std::vector<double>{k.k1, k.k2, k.k3, k.k4});
}

std::string shown(const Tree &t) {
  std::string s = std::string(1, "BSIL"[t.kind]) + testing::PrintToString(t.law);
  for (const Tree &part : t.parts)
    s += " (" + shown(part) + ")";
  return s;
}

Cumulants byElimination(const Tree &t, bool geometric) {
  FlowGraph g{1, 0, {}};
  byFlow(g, t, 0, geometric);
  const Result<FlowCost> cost = eliminate(g);
  EXPECT_TRUE(cost) << (cost ? "" : cost.error().text);
  return cost ? cost->k : Cumulants{};
}

/// The engines that are exact.
void judge(const Tree &t) {
  const Cost rules = byRules(t);
  const Law law = byEnumeration(t);
  const Cumulants exact = cumulantsOf(law), flow = byElimination(t, false);
  ASSERT_TRUE(agree(rules.k, exact)) << shown(rules.k) << shown(exact) << shown(t);
  ASSERT_TRUE(agree(flow, exact)) << shown(flow) << shown(exact) << shown(t);
  ASSERT_EQ(rules.range.low, rangeOf(law).low) << shown(t);
  ASSERT_EQ(rules.range.high, rangeOf(law).high) << shown(t);
  const Cumulants looped = byRules(t, true).k, cyclic = byElimination(t, true);
  ASSERT_TRUE(agree(cyclic, looped)) << shown(cyclic) << shown(looped) << shown(t);
}

/// The largest |z| of the first four moments about the true mean of n simulated costs, and n^(1/2)
/// times their Kolmogorov distance from the law. All moments are finite: costs are bounded.
struct Verdict {
  double z = 0, kolmogorov = 0;
};
Verdict simulated(const Tree &t, const Law &law, const Cumulants &k, int n, uint64_t seed) {
  std::mt19937_64 random(seed);
  Law seen(law.size());
  for (int i = 0; i < n; ++i)
    seen.at(bySimulation(t, random)) += 1.0 / n;
  const CentralMoments c = centralMoments(k);
  const double expected[] = {0, c.mu2, c.mu3, c.mu4};
  Verdict v;
  double apart = 0;
  for (size_t x = 0; x < law.size(); ++x) {
    apart += seen[x] - law[x];
    v.kolmogorov = std::max(v.kolmogorov, std::abs(apart) * std::sqrt(n));
  }
  for (int r = 1; r <= 4; ++r) {
    double got = 0, square = 0;
    for (size_t x = 0; x < law.size(); ++x) {
      const double d = std::pow(static_cast<double>(x) - k.k1, r);
      got += seen[x] * d, square += law[x] * d * d;
    }
    const double error = std::sqrt((square - expected[r - 1] * expected[r - 1]) / n);
    const double off = std::abs(got - expected[r - 1]);
    if (off > 1e-9 * (1 + std::sqrt(square)))
      v.z = std::max(v.z, off / error);
  }
  return v;
}

/// P(n^(1/2) D > x) is at most 2 e^{-2 x^2}: 1e-4.
constexpr double kolmogorovLimit = 2.2253;

/// Random trees that enumeration and unrolling can hold.
Tree smallRandomTree(std::mt19937_64 &random) {
  for (;;) {
    const Tree t = randomTree(random, 5 + random() % 36);
    if (byRules(t).range.high <= 400 && unrolled(t) <= 5000)
      return t;
  }
}

} // namespace

TEST(Calculus, EnginesAgreeOnAllTreesOfUpToSixNodes) {
  size_t trees = 0;
  for (size_t size = 1; size <= 6; ++size)
    for (Tree &t : allTrees(size)) {
      size_t next = trees++;
      fillBlocks(t, next);
      judge(t);
      if (HasFatalFailure())
        return;
    }
  EXPECT_EQ(trees, 1160u); // 1 + 3 + 11 + 45 + 197 + 903: nothing was left out
}

TEST(Calculus, EnginesAgreeOnRandomTrees) {
  std::mt19937_64 random(11);
  for (int i = 0; i < (full() ? 10000 : 300); ++i) {
    judge(smallRandomTree(random));
    if (HasFatalFailure())
      return;
  }
}

TEST(Calculus, SimulationAgreesWithinItsError) {
  std::mt19937_64 random(12);
  const int trees = full() ? 2000 : 100;
  for (int i = 0; i < trees; ++i) {
    const Tree t = smallRandomTree(random);
    const Verdict v =
        simulated(t, byEnumeration(t), byRules(t).k, 4000, 1000 + static_cast<uint64_t>(i));
    ASSERT_LT(v.z, 6) << shown(t);
    ASSERT_LT(v.kolmogorov, kolmogorovLimit) << shown(t);
  }
}

TEST(Calculus, TheJudgesSeePlantedErrors) {
  std::mt19937_64 random(13);
  int branches = 0, loops = 0;
  for (int i = 0; i < 100; ++i) {
    const Tree t = smallRandomTree(random);
    const Cumulants right = byRules(t).k;
    if (right.k2 < 0.1)
      continue;
    // A relative error of 1e-8 in any cumulant is no agreement.
    for (const Cumulants &wrong : {Cumulants{1e-8 * right.k1, 0, 0, 0},
                                   {0, 1e-8 * right.k2, 0, 0},
                                   {0, 0, 1e-8 * (std::abs(right.k3) + std::pow(right.k2, 1.5)), 0},
                                   {0, 0, 0, 1e-8 * (std::abs(right.k4) + right.k2 * right.k2)}})
      ASSERT_FALSE(agree(inSeries(right, wrong), right));
    // A branch whose outcome has no spread, and a loop whose trips have none, are seen by both the
    // exact judges and simulation.
    const double p[] = {1, 3};
    const Tree branch{Tree::Branch, {1, 3}, {t, {Tree::Block, {1}, {}}}};
    const Cumulants flat = branched({0.25, 0, 0, 0}, right, {});
    const Cumulants both[] = {right, {}};
    ASSERT_TRUE(agree(oneOf(both, p), cumulantsOf(byEnumeration(branch))));
    ASSERT_FALSE(agree(flat, cumulantsOf(byEnumeration(branch))));
    branches += simulated(branch, byEnumeration(branch), flat, 4000, 7).z > 6;
    const Tree loop{Tree::Loop, {1, 0, 0, 0, 1}, {t}};
    const Cumulants constant = repeated(2, right);
    ASSERT_FALSE(agree(constant, cumulantsOf(byEnumeration(loop))));
    loops += simulated(loop, byEnumeration(loop), constant, 4000, 8).z > 6;
  }
  EXPECT_GT(branches, 60);
  EXPECT_GT(loops, 60);
}
