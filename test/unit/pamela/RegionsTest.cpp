// The same region trees as models and by the four rules of lib/cost: the same cumulants. Two
// namespaces have a Tree, so none is opened here.
#include "cost/Trees.h"
#include "quincunx/pamela/Evaluate.h"

#include "Models.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

namespace pamela = quincunx::pamela;
namespace written = quincunx::pamela::test;
using quincunx::Cumulants;
using quincunx::test::Tree;

pamela::Tree histogram(const quincunx::test::Law &law) {
  std::vector<double> pairs;
  for (size_t i = 0; i < law.size(); ++i)
    pairs.insert(pairs.end(), {static_cast<double>(i), law[i]});
  return written::law("histogram", std::move(pairs));
}

/// A branch as a switch, whose last arm gets the rest; the trips of a loop are a random bound.
pamela::Tree process(const Tree &t) {
  if (t.kind == Tree::Block)
    return written::delay(histogram(t.law));
  if (t.kind == Tree::Loop)
    return written::seq("i", written::num(1), histogram(t.law), process(t.parts[0]));
  std::vector<pamela::Tree> parts;
  if (t.kind == Tree::Series) {
    for (const Tree &part : t.parts)
      parts.push_back(process(part));
    return written::sequence(std::move(parts));
  }
  double total = 0;
  for (const double w : t.law)
    total += w;
  parts.push_back(nullptr);
  for (size_t i = 0; i < t.parts.size(); ++i) {
    if (i + 1 < t.parts.size())
      parts.push_back(written::num(t.law[i] / total));
    parts.push_back(process(t.parts[i]));
  }
  return written::select(std::move(parts));
}

void expectSame(const Tree &t) {
  const quincunx::Result<pamela::Evaluated> e = pamela::evaluate(written::model(process(t)), {});
  ASSERT_TRUE(e) << e.error().message();
  const Cumulants k = quincunx::test::byRules(t).k;
  // Relative to what adds up to them: cumulants of order r are of the size of a cost to the r.
  const double sd = std::sqrt(k.k2), size = 1e-9 * (std::fabs(k.k1) + sd);
  ASSERT_NEAR(e->T.k1, k.k1, size);
  ASSERT_NEAR(e->T.k2, k.k2, size * (k.k1 + sd));
  ASSERT_NEAR(e->T.k3, k.k3, size * std::pow(k.k1 + sd, 2));
  ASSERT_NEAR(e->T.k4, k.k4, size * std::pow(k.k1 + sd, 3));
}

} // namespace

TEST(PamelaRegions, AllSmallTreesAreAsByTheRules) {
  for (size_t size = 1; size <= 5; ++size)
    for (Tree &t : quincunx::test::allTrees(size)) {
      size_t next = 0;
      quincunx::test::fillBlocks(t, next);
      expectSame(t);
    }
}

TEST(PamelaRegions, LargeTreesAreAsByTheRules) {
  std::mt19937_64 random(12);
  for (size_t i = 0; i < 1000; ++i)
    expectSame(quincunx::test::randomTree(random, 2 + i % 60));
}
