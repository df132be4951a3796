// How cost follows features, against costs that are made of them; and that noise is no finding.
#include "Explained.h"

#include <cmath>
#include <functional>
#include <random>

using namespace quincunx;
using namespace quincunx::test;

namespace {

using Features = std::map<std::string, double>;

/// Features drawn the same way for every test; f's cost is given by `cost`, g's is about constant.
Explained explainedOf(const std::function<double(const Features &)> &cost, uint64_t seed = 1,
                      size_t runs = 120) {
  const std::vector<Map> maps = twoFunctions();
  std::mt19937_64 random(seed);
  std::vector<quincunx::Run> all;
  for (size_t d = 0; d < runs; ++d) {
    const Features features{{"a", double(random() % 2)},
                            {"b", double(random() % 2)},
                            {"n", double(20 + random() % 500)},
                            {"noise", double(random() % 1000)},
                            {"type", double(random() % 6)}};
    const auto f = static_cast<uint64_t>(cost(features));
    all.push_back(runOf("r" + std::to_string(d), maps[0], {1, f, 0, 1, 900 + random() % 200, 0}));
    all.back().features = features;
  }
  return told(maps, all, machineOf("multiply 1")).e;
}

InputEffect first(const Explained &e) {
  EXPECT_FALSE(e.inputs.effects.empty());
  return e.inputs.effects.empty() ? InputEffect() : e.inputs.effects[0];
}

} // namespace

TEST(ExplainInputs, AValueThatDecides) {
  const Explained e = explainedOf([](Features f) { return f["type"] == 4 ? 4000 : 0; });
  const InputEffect x = first(e);
  ASSERT_EQ(x.where.size(), 1u);
  EXPECT_EQ(x.where[0].feature, "type");
  EXPECT_EQ(x.where[0].value, 4);
  EXPECT_NEAR(x.factor, 5, 0.2);
  EXPECT_EQ(x.by.function, 0u);
  EXPECT_NEAR(x.by.share, 1, 0.05);
  EXPECT_EQ(x.tailRuns, e.tail.runs.size());
  EXPECT_GT(e.inputs.explained, 0.95);
}

TEST(ExplainInputs, TwoFlagsTogether) {
  const InputEffect x =
      first(explainedOf([](Features f) { return f["a"] + f["b"] > 1 ? 4000 : 0; }));
  ASSERT_EQ(x.where.size(), 2u);
  EXPECT_EQ(x.where[0].feature + x.where[1].feature, "ab");
  EXPECT_NEAR(x.factor, 5, 0.2);
}

TEST(ExplainInputs, ALimit) {
  const InputEffect x = first(explainedOf([](Features f) { return f["n"] > 300 ? 4000 : 0; }));
  ASSERT_EQ(x.where.size(), 1u);
  EXPECT_EQ(x.where[0].kind, InputCondition::Kind::atLeast);
  EXPECT_GT(x.where[0].value, 300);
  EXPECT_LT(x.where[0].value, 315);
}

TEST(ExplainInputs, APower) {
  const InputEffect x = first(explainedOf([](Features f) { return 100 * f["n"] * f["n"]; }));
  EXPECT_EQ(x.kind, InputEffect::Kind::power);
  EXPECT_EQ(x.feature, "n");
  EXPECT_TRUE(x.where.empty());
  EXPECT_NEAR(x.power, 2, 0.05);
  EXPECT_NEAR(x.by.power, 2, 1e-6);
  EXPECT_GT(x.share, 0.95);
}

TEST(ExplainInputs, AFactorForEachFurther) {
  const InputEffect x = first(explainedOf([](Features f) { return 1e5 * std::pow(3, f["type"]); }));
  EXPECT_EQ(x.kind, InputEffect::Kind::exponential);
  EXPECT_EQ(x.feature, "type");
  EXPECT_NEAR(x.factor, 3, 0.05);
}

TEST(ExplainInputs, SharesAddUpToWhatIsFitted) {
  const Explained e = explainedOf(
      [](Features f) { return 1e5 * f["n"] * (f["a"] > 0 ? 3 : 1) * (f["type"] == 2 ? 4 : 1); });
  ASSERT_EQ(e.inputs.effects.size(), 3u);
  double sum = 0;
  for (const InputEffect x : e.inputs.effects)
    sum += x.share;
  EXPECT_NEAR(sum, 1, 0.01);
  EXPECT_NEAR(e.inputs.explained, 1, 0.01);
}

TEST(ExplainInputs, NoiseIsNoFinding) {
  size_t found = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(1000 + seed);
    found += !explainedOf([&](const Features &) { return random() % 1000; }, seed, 60)
                  .inputs.effects.empty();
  }
  EXPECT_LE(found, 17u); // 10 are expected; more would be chance once in a hundred
}

TEST(ExplainInputs, WhoMakesTheRest) {
  // f follows n, up to a tenth; g goes its own way.
  std::mt19937_64 random(9);
  const Explained e = explainedOf([&](Features f) { return 3 * f["n"] + random() % 60; });
  const ExplainedRest &rest = e.rest;
  ASSERT_EQ(rest.functions.size(), 2u);
  EXPECT_GT(rest.left, 0.01);
  EXPECT_LT(rest.left, 0.2);
  EXPECT_NEAR(rest.functions[0] + rest.functions[1], 1, 1e-9);
  EXPECT_GT(e.functionShares[0].variance, 0.9);
  EXPECT_GT(rest.functions[1], 0.5) << "what is left is g's";
  double lines = 0;
  for (const double share : rest.lines)
    lines += share;
  EXPECT_NEAR(lines, 1, 1e-9);
  ASSERT_EQ(rest.functionTails.size(), 2u);
  EXPECT_NEAR(rest.functionTails[0] + rest.functionTails[1], 1, 1e-9);
  EXPECT_GT(rest.functionTails[1], 0.5);
  EXPECT_EQ(rest.tail.size(), 5u);
}

TEST(ExplainInputs, NextToNothingIsLeft) {
  const Explained e = explainedOf([](Features f) { return 100 * f["n"] * f["n"]; });
  EXPECT_LT(e.rest.left, 0.01);
  EXPECT_TRUE(e.rest.functions.empty());
  EXPECT_TRUE(explainedOf([](Features) { return 7; }).rest.functions.empty()) << "no effects";
}

TEST(ExplainInputs, FewRunsTellNothing) {
  EXPECT_TRUE(explainedOf([](Features f) { return 100 * f["n"]; }, 1, 19).inputs.effects.empty());
  EXPECT_TRUE(explainedOf([](Features) { return 7; }, 1, 1).inputs.effects.empty());
}
