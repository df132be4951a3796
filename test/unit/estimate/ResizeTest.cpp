// Other sizes on synthetic runs whose law is known: what stays the same, what nothing may drop,
// what is open or refused, and how often intervals hold the truth.
#include "../../../lib/estimate/scaling/Resize.h"

#include "quincunx/numeric/Quantile.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace quincunx;

namespace {

using Random = std::mt19937_64;
using Draw = std::function<double(Random &)>;
using Cost = std::function<double(double, double, Random &)>; // of the size and another feature

const std::vector<Statistic> asked = statisticsAsked({0.5, 0.9, 0.99});
enum Asked : size_t { p50, p90, p99, mean };

double uniform(Random &r) { return std::uniform_real_distribution<double>(0, 1)(r); }
double normal(Random &r) { return std::normal_distribution<double>()(r); }
double pareto(Random &r) { return std::floor(20 * std::pow(1 - uniform(r), -1 / 2.5)); }
double even(Random &r) { return std::floor(100 + 900 * uniform(r)); }
double few(Random &r) { return std::floor(1 + 20 * uniform(r)); }
double linear(double n, double, Random &) { return 50 + 7 * n; }
double noisy(double n, double, Random &r) { return 5 * n * std::log2(n) * (1 + 0.1 * normal(r)); }

struct Sizes {
  std::vector<CountMatrix::Row> rows;
  std::vector<MixtureComponent> parts;
  CostSample before;
  Result<Resized> ask(const std::string &feature, double value, bool isFactor) const {
    return resize(rows, before, parts, {feature, value, isFactor}, asked, SIZE_MAX);
  }
  Result<Resized> times(double factor) const { return ask("n", factor, true); }
  /// Without intervals.
  Result<Resized> sweep(double factor) const {
    return resize(rows, before, parts, {"n", factor, true}, {}, SIZE_MAX);
  }
};

Sizes corpusOf(std::vector<CountMatrix::Row> rows, std::vector<MixtureComponent> parts) {
  const Result<CostSample> before = CostSample::make(parts);
  EXPECT_TRUE(before);
  return {std::move(rows), std::move(parts), *before};
}

Sizes draw(const Draw &size, const Cost &cost, size_t runs, uint64_t seed) {
  Random random(seed);
  std::vector<CountMatrix::Row> rows(runs);
  std::vector<MixtureComponent> parts(runs);
  for (size_t d = 0; d < runs; ++d) {
    const double n = size(random), m = few(random);
    rows[d].features = {{"n", n}, {"m", m}};
    parts[d].k = {cost(n, m, random), 0, 0, 0};
  }
  return corpusOf(std::move(rows), std::move(parts));
}

/// Figures of other runs, where sizes are `factor` times as large.
std::vector<double> truth(const Draw &size, const Cost &cost, double factor) {
  Random random(99);
  std::vector<double> costs;
  double sum = 0;
  for (size_t i = 0; i < 40000; ++i) {
    const double n = size(random), m = few(random);
    costs.push_back(cost(factor * n, m, random));
    sum += costs.back();
  }
  return {percentile(costs, 0.5), percentile(costs, 0.9), percentile(costs, 0.99),
          sum / static_cast<double>(costs.size())};
}

bool holds(const Interval &i, double x) { return i.low <= x && x <= i.high; }

} // namespace

TEST(Resize, TheSameSizesAreTheIdentity) {
  for (const size_t runs : {1, 2, 7, 60, 400}) {
    Sizes c = draw(pareto, noisy, runs, runs);
    for (size_t d = 0; d < runs; ++d) {
      c.parts[d].k.k2 = static_cast<double>(d % 3); // some costs are random
      c.parts[d].weight = static_cast<double>(1 + d % 2);
      c.parts[d].open = d % 9 == 8;
    }
    c.rows[0].features.clear(); // nothing is known of its size
    if (runs > 1) {
      c = corpusOf(c.rows, c.parts);
      const Result<Resized> same = c.times(1);
      ASSERT_TRUE(same) << same.error().text;
      for (size_t f = 0; f < asked.size(); ++f) {
        const IntervalEstimate was = figureOf(c.before, asked[f]);
        EXPECT_EQ(same->after[f].value, was.value) << asked[f].name << " of " << runs;
        EXPECT_EQ(same->after[f].trust.low, was.trust.low);
        EXPECT_EQ(same->after[f].trust.high, was.trust.high);
      }
    }
  }
}

TEST(Resize, NoSizeIsDropped) {
  // Costs are a line without noise, so that every answer can be computed.
  for (const auto &size : {Draw(pareto), Draw(even)})
    for (const double factor : {0.7, 1.3, 2.0, 4.0}) {
      const Sizes c = draw(size, linear, 400, 7);
      const Result<Resized> a = c.sweep(factor);
      ASSERT_TRUE(a) << a.error().text;
      std::vector<MixtureComponent> really = c.parts;
      for (size_t d = 0; d < really.size(); ++d)
        really[d].k.k1 = 50 + 7 * factor * c.rows[d].features.at("n");
      const Result<CostSample> should = CostSample::make(really);
      for (size_t f = 0; f < asked.size(); ++f)
        EXPECT_NEAR(valueOf(a->world, asked[f]) / valueOf(*should, asked[f]), 1, 0.002)
            << asked[f].name << " at " << factor;
    }
}

TEST(Resize, GrowsWithTheSizesWhereTheLawDoes) {
  for (const auto &size : {Draw(pareto), Draw(even)}) {
    const Sizes c = draw(size, noisy, 400, 3);
    std::vector<double> last(asked.size(), 0.0);
    size_t answered = 0;
    for (double factor = 0.5; factor < 3.3; factor *= 1.1) {
      const Result<Resized> a = c.sweep(factor);
      answered += static_cast<size_t>(static_cast<bool>(a));
      for (size_t f = 0; f < 4 && a; ++f) {
        const double value = valueOf(a->world, asked[f]);
        EXPECT_GE(value, last[f]) << asked[f].name << " at " << factor;
        last[f] = value;
      }
    }
    EXPECT_GE(answered, 16u);
  }
}

TEST(Resize, RunsOfJustThatSizeStandForIt) {
  Sizes c = draw([](Random &r) { return std::floor(3 + 10 * uniform(r)); },
                 [](double n, double, Random &) { return n == 8 ? 1.0 : 100 * n; }, 500, 5);
  std::vector<MixtureComponent> of;
  for (size_t d = 0; d < c.rows.size(); ++d)
    if (c.rows[d].features.at("n") == 8)
      of.push_back(c.parts[d]);
  const Result<Resized> a = c.ask("n", 8, false);
  ASSERT_TRUE(a);
  EXPECT_EQ(a->world.runs, of.size());
  EXPECT_EQ(a->after[mean].value, 1);
  EXPECT_EQ(a->after[p99].value, 1);
}

TEST(Resize, WhatNoLawCarriesIsOpenOrRefused) {
  // Nothing is known of large sizes: the cost is all noise from 100 on.
  const Cost wild = [](double n, double, Random &r) {
    return n < 100 ? 7 * n : 7 * n * std::exp(3 * normal(r));
  };
  const Sizes c = draw(pareto, wild, 800, 11);
  const Result<Resized> little = c.times(1.2);
  ASSERT_TRUE(little) << little.error().text;
  EXPECT_FALSE(little->open.empty());
  EXPECT_TRUE(std::isinf(little->after[mean].trust.high));
  EXPECT_TRUE(little->after[mean].atLeast);
  EXPECT_TRUE(std::isinf(little->after[p99].value));
  EXPECT_TRUE(std::isfinite(little->after[p50].value));
  ASSERT_EQ(notesOn(*little, "n").front().kind, "size-open");
  const Result<Resized> much = c.times(8);
  ASSERT_FALSE(much);
  EXPECT_NE(much.error().text.find("runs of n from "), std::string::npos) << much.error().text;
  const Result<Resized> beyond = c.ask("n", 5000, false);
  ASSERT_FALSE(beyond);
  EXPECT_NE(beyond.error().text.find("8 runs of n from 4.25e+03 to 5.75e+03 would do"),
            std::string::npos)
      << beyond.error().text;
}

TEST(Resize, AnotherFeatureIsTried) {
  // Without m the spread is too wide to check a law with so few runs.
  const Cost product = [](double n, double m, Random &) { return 30 + 3 * n * m * m; };
  const Cost both = [](double n, double m, Random &) { return 30 + 3 * n + 0.1 * n * m; };
  size_t answered = 0;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    Sizes c = draw(even, product, 60, seed);
    for (CountMatrix::Row &row : c.rows)
      row.features["m2"] = row.features["m"] * row.features["m"];
    const Result<Resized> a = c.times(2);
    if (!a || a->second.empty())
      continue;
    ++answered;
    EXPECT_NE(notesOn(*a, "n").front().text.find("of each run stays as it is"), std::string::npos);
    double should = 0;
    for (const CountMatrix::Row &row : c.rows)
      should += (30 + 6 * row.features.at("n") * row.features.at("m2")) / 60;
    EXPECT_NEAR(a->after[mean].value / should, 1, 0.15);
  }
  EXPECT_GE(answered, 3u);
  EXPECT_TRUE(draw(even, both, 60, 1).times(2)) << "no other feature is needed";
}

TEST(Resize, IntervalsHoldTheTruth) {
  const struct {
    Draw size;
    Cost cost;
  } kinds[] = {{pareto, linear}, {even, noisy}, {even, [](double n, double, Random &r) {
                                                   return (0.25 * n * n + 10 * n) *
                                                          (1 + 0.05 * normal(r));
                                                 }}};
  size_t in = 0, figures = 0;
  for (const auto &kind : kinds)
    for (const double factor : {0.6, 2.0}) {
      const std::vector<double> should = truth(kind.size, kind.cost, factor);
      for (uint64_t seed = 1; seed <= 5; ++seed)
        if (const auto a = draw(kind.size, kind.cost, 120, seed).times(factor))
          for (size_t f = 0; f < should.size(); ++f) {
            in += holds(a->after[f].trust, should[f]);
            ++figures;
          }
    }
  EXPECT_GE(figures, 90u);
  EXPECT_GE(static_cast<double>(in), 0.82 * static_cast<double>(figures));
}
