// The three answers against what is known by construction: figures by enumeration, what does not
// repeat by drawing jobs again, growth by laws that are written down.
#include "../../../lib/estimate/budget/Decision.h"
#include "../../../lib/estimate/budget/GrowthBound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

using namespace quincunx;

namespace {

Budget budget(const std::string &text) {
  const Result<Budget> b = parseBudget(text);
  EXPECT_TRUE(b) << text;
  return *b;
}

BudgetSample sampleOf(const std::vector<double> &values) {
  BudgetSample out;
  for (size_t i = 0; i < values.size(); ++i) {
    out.parts.push_back({{values[i], 0, 0, 0}, 1, false});
    out.inputs.push_back(std::to_string(i));
  }
  return out;
}

BudgetFigure figureOf(const std::string &text, const BudgetSample &sample, bool isTime = false,
                      double error = 0) {
  const Result<BudgetFigure> f = budgetFigure(budget(text), sample, isTime, {error});
  EXPECT_TRUE(f) << text;
  return *f;
}

BudgetAnswer answer(const std::string &text, const BudgetSample &sample, bool isTime = false,
                    double error = 0) {
  const Budget b = budget(text);
  return answerOf(b.comparison, figureOf(text, sample, isTime, error).interval, b.bound);
}

constexpr auto holds = BudgetAnswer::holds, broken = BudgetAnswer::broken,
               cannotTell = BudgetAnswer::cannotTell;

/// A job of CI: every input twice, costs differ by chance.
BudgetSample job(uint64_t seed, double spread, size_t inputs = 40) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  BudgetSample out;
  for (size_t i = 0; i < inputs; ++i)
    for (int repeat = 0; repeat < 2; ++repeat) {
      const double cost = 1000 + 10 * static_cast<double>(i);
      out.parts.push_back({{cost * (1 + spread * normal(random)), 0, 0, 0}, 1, false});
      out.inputs.push_back(std::to_string(i));
    }
  return out;
}

} // namespace

TEST(BudgetDecision, CountsAreThoseOfTheInputs) {
  std::vector<double> values;
  for (int i = 1; i <= 10; ++i)
    values.push_back(i * 100);
  const BudgetSample sample = sampleOf(values);
  struct {
    const char *text;
    BudgetAnswer answer;
  } const cases[] = {
      {"mean <= 550", holds},  {"mean < 550", broken},   {"mean >= 550", holds},
      {"mean > 550", broken},  {"mean < 549.9", broken}, {"mean < 550.1", holds},
      {"p90 <= 900", holds},   {"p90 < 900", broken},    {"p50 <= 500", holds},
      {"p50 < 500", broken},   {"p99 <= 1000", holds},   {"p99 <= 999", broken},
      {"max <= 1000", holds},  {"max < 1000", broken},   {"min >= 100", holds},
      {"min > 100", broken},   {"sd <= 287.23", holds},  {"sd <= 287.22", broken},
      {"p12.5 <= 200", holds}, {"p12.5 < 200", broken},
  };
  for (const auto &c : cases)
    EXPECT_EQ(answer(c.text, sample), c.answer) << c.text;
}

TEST(BudgetDecision, AThirdOfADozenRunsStoppedIsNotKnown) {
  BudgetSample sample = sampleOf({100, 100, 100, 100, 100, 100, 100, 100, 500, 500, 500, 500});
  for (size_t i = 8; i < 12; ++i)
    sample.parts[i].open = true;
  EXPECT_EQ(answer("p50 <= 100", sample), holds);
  EXPECT_EQ(answer("p90 <= 1000", sample), cannotTell);
  EXPECT_EQ(answer("p90 <= 499", sample), broken); // they had cost that much already
  EXPECT_EQ(answer("mean <= 1000", sample), cannotTell);
  EXPECT_EQ(answer("mean <= 200", sample), broken);
  EXPECT_EQ(answer("max <= 1000", sample), cannotTell);
  EXPECT_EQ(answer("min >= 100", sample), holds);
  for (const size_t i : {0, 1}) { // the cheapest, as far as they came
    sample.parts[i].open = true;
    sample.parts[i].k.k1 = 10;
  }
  EXPECT_EQ(answer("min >= 100", sample), cannotTell);
  EXPECT_EQ(answer("p1 >= 100", sample), cannotTell);
  EXPECT_EQ(answer("min >= 10", sample), holds);
}

TEST(BudgetDecision, WhatWasNotKeptMayBeBeyond) {
  BudgetSample sample = sampleOf({100, 200, 300});
  EXPECT_EQ(answer("max <= 300", sample), holds);
  sample.isSample = true;
  EXPECT_EQ(answer("max <= 300", sample), cannotTell);
  EXPECT_EQ(answer("max <= 299", sample), broken);
  EXPECT_EQ(answer("min >= 100", sample), cannotTell);
}

TEST(BudgetDecision, CountsThatAreIntervals) {
  BudgetSample sample = sampleOf({100, 200});
  sample.counts = {{90, 110}, {200, 200}};
  EXPECT_EQ(answer("mean <= 155", sample), holds);
  EXPECT_EQ(answer("mean <= 150", sample), cannotTell);
  EXPECT_EQ(answer("mean <= 144", sample), broken);
}

TEST(BudgetDecision, WhatRepeatsExactlyIsDecidedToTheLastDigit) {
  const BudgetSample sample = job(1, 0);
  const BudgetFigure f = figureOf("mean <= 1", sample);
  EXPECT_TRUE(f.isRepeated);
  EXPECT_EQ(f.interval.low, f.interval.high);
  EXPECT_DOUBLE_EQ(f.value, 1195);
}

TEST(BudgetDecision, WhatDoesNotRepeatIsNeverAnsweredBothWays) {
  // Bounds all around the figures of many jobs: no bound may hold in one job and be broken in
  // another, and those further away than a few spreads are decided in all.
  for (const char *figure : {"mean", "p50", "p90", "max", "sd"}) {
    std::vector<BudgetFigure> jobs;
    double least = HUGE_VAL, most = 0;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
      jobs.push_back(figureOf(std::string(figure) + " <= 1", job(seed, 0.01)));
      least = std::min(least, jobs.back().value), most = std::max(most, jobs.back().value);
    }
    const double range = most - least;
    for (double bound = least - 3 * range; bound <= most + 3 * range; bound += range / 50) {
      std::array<size_t, 3> count{};
      for (const BudgetFigure &f : jobs)
        ++count[static_cast<size_t>(answerOf(Budget::Comparison::atMost, f.interval, bound))];
      EXPECT_TRUE(count[0] == 0 || count[1] == 0) << figure << " " << bound;
      if (bound < least - 2 * range || bound > most + 2 * range)
        EXPECT_EQ(count[2], 0u) << figure << " " << bound;
    }
  }
}

TEST(BudgetDecision, WhatIsNoNumberIsNotDecided) {
  EXPECT_EQ(answerOf(Budget::Comparison::atLeast, {NAN, HUGE_VAL}, 1), cannotTell);
  EXPECT_EQ(answerOf(Budget::Comparison::atLeast, {1, 2}, NAN), cannotTell);
}

TEST(BudgetDecision, TimeIsDecidedByItsInterval) {
  std::vector<double> values;
  for (int i = 0; i < 400; ++i)
    values.push_back(100 + i % 100);
  const BudgetSample sample = sampleOf(values);
  // The mean is 149.5, its interval +- 1.65 * 28.9 / 20 = 2.4.
  EXPECT_EQ(answer("mean < 153 ms", sample, true), holds);
  EXPECT_EQ(answer("mean < 151 ms", sample, true), cannotTell);
  EXPECT_EQ(answer("mean < 146 ms", sample, true), broken);
  // Prices that are off by 5 % (one deviation) widen it by 12.3.
  EXPECT_EQ(answer("mean < 153 ms", sample, true, 0.05), cannotTell);
  EXPECT_EQ(answer("mean < 163 ms", sample, true, 0.05), holds);
  EXPECT_EQ(answer("mean < 136 ms", sample, true, 0.05), broken);
}

TEST(BudgetDecision, SaysHowManyRunsWouldDecide) {
  std::vector<double> values;
  for (int i = 0; i < 400; ++i)
    values.push_back(100 + i % 100);
  const BudgetFigure f = figureOf("mean < 151 ms", sampleOf(values), true);
  // 2.39^2 / 1.5^2 = 2.5 times as many runs.
  EXPECT_EQ(whatWouldDecide(budget("mean < 151 ms"), f, 151), "about 610 more runs would tell");
  const BudgetFigure few = figureOf("p99 < 151 ms", sampleOf({100, 110, 120}), true);
  EXPECT_EQ(whatWouldDecide(budget("p99 < 151 ms"), few, 151),
            "at least 296 more runs would tell: 3 are too few to bound it above");
  const BudgetFigure off = figureOf("mean < 151 ms", sampleOf(values), true, 0.05);
  EXPECT_NE(whatWouldDecide(budget("mean < 151 ms"), off, 151).find("more runs would not tell"),
            std::string::npos);
}

TEST(BudgetDecision, MultiplesOfTheBaseline) {
  const BudgetSample before = sampleOf({100, 200, 300}), same = before,
                     more = sampleOf({103, 206, 309});
  struct {
    const char *text;
    BudgetAnswer unchanged, slower;
  } const cases[] = {
      {"mean <= baseline", holds, broken},        {"mean < baseline", broken, broken},
      {"mean <= 1.02 * baseline", holds, broken}, {"p90 <= 1.04 * baseline", holds, holds},
      {"max <= 1.02 * baseline", holds, broken},  {"mean >= baseline", holds, holds}};
  for (const auto &c : cases) {
    const Budget b = budget(c.text);
    for (const auto &[after, expected] : {std::pair{same, c.unchanged}, {more, c.slower}}) {
      const Result<BudgetFigure> f = budgetDifference(b, before, after, false, {}, true);
      ASSERT_TRUE(f);
      EXPECT_EQ(answerOf(b.comparison, f->interval, 0), expected) << c.text;
    }
  }
}

TEST(BudgetDecision, InTimeRunsAreComparedInPairs) {
  // Inputs differ by a factor of ten, the change is 3 % of each: pairs see it, intervals do not.
  std::vector<double> before, after;
  for (int i = 0; i < 100; ++i) {
    before.push_back(100.0 * (1 + i % 10));
    after.push_back(1.03 * before.back());
  }
  const Budget b = budget("mean <= 1.01 * baseline");
  const auto answerWhere = [&](bool paired) {
    const Result<BudgetFigure> f =
        budgetDifference(b, sampleOf(before), sampleOf(after), true, {0.02}, paired);
    EXPECT_TRUE(f);
    return answerOf(b.comparison, f->interval, 0);
  };
  EXPECT_EQ(answerWhere(true), broken);
  EXPECT_EQ(answerWhere(false), cannotTell);
}

TEST(GrowthBound, LawsKeepTheirBounds) {
  std::vector<double> n;
  for (int i = 0; i < 60; ++i)
    n.push_back(std::round(100 * std::pow(1.08, i)));
  const auto excess = [&](const GrowthBound &bound, auto cost) {
    std::vector<double> y;
    for (const double size : n)
      y.push_back(cost(size));
    const Result<GrowthExcess> e = growthExcess(bound, n, y);
    EXPECT_TRUE(e);
    return answerOf(Budget::Comparison::atMost, e->interval, growthTolerance);
  };
  const auto linear = [](double x) { return 500 + 7 * x; };
  const auto sort = [](double x) { return 3 * x * std::log2(x) - 8 * x + 40; };
  const auto square = [](double x) { return 100 * x + x * x / 10; };
  const auto constant = [](double) { return 1234.0; };
  const GrowthBound one{0, false}, logarithm{0, true}, n1{1, false}, nLog{1, true}, n2{2, false};
  EXPECT_EQ(excess(one, constant), holds);
  EXPECT_EQ(excess(one, linear), broken);
  EXPECT_EQ(excess(logarithm, linear), broken);
  EXPECT_EQ(excess(n1, linear), holds);
  EXPECT_EQ(excess(n1, sort), broken);
  EXPECT_EQ(excess(nLog, linear), holds);
  EXPECT_EQ(excess(nLog, sort), holds);
  EXPECT_EQ(excess(nLog, square), broken);
  EXPECT_EQ(excess(n2, square), holds);
  EXPECT_EQ(excess(n2, sort), holds);
  EXPECT_EQ(excess(n2, [&](double x) { return square(x) * x; }), broken);
}

TEST(GrowthBound, NeedsSizes) {
  const std::vector<double> few(10, 100.0), same(30, 100.0);
  EXPECT_FALSE(growthExcess({1, false}, few, few));
  EXPECT_FALSE(growthExcess({1, false}, same, same));
}
