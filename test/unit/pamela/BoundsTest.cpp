// Bounds against simulation under contention: mean, p50, p90 and p99 of generated models are
// between the lower and the upper bound, up to what the simulation and fitted laws leave open.
// QUINCUNX_BOUNDS=500 takes that many models, from other seeds (QUINCUNX_BOUNDS_FROM says which).
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/pamela/Parse.h"
#include "quincunx/pamela/Simulate.h"
#include "quincunx/report/Eval.h"

#include "Models.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>

using namespace quincunx;
using namespace quincunx::pamela;
using quincunx::pamela::test::inOrder;

namespace {

class Writer {
public:
  explicit Writer(uint64_t seed) : random(seed) {}
  std::string model() {
    return "resource r(i) = fcfs(i, 1 + i mod 2)\nprocess main = par (c = 1, " +
           std::to_string(2 + pick(4)) + ") { " + process(3) + " } || { " + process(3) + " }\n";
  }

private:
  size_t pick(size_t n) { return random() % n; }
  std::string time() {
    const std::string x = std::to_string(1 + pick(20));
    switch (pick(6)) {
    case 0:
      return "exponential(" + x + ")";
    case 1:
      return "uniform(0, " + x + ")";
    case 2:
      return "gamma(" + x + ", " + std::to_string(1 + pick(3)) + ")";
    default:
      return x;
    }
  }
  std::string process(int depth) {
    if (depth == 0 || pick(6) == 0)
      return pick(4) ? inOrder({"use(r(", std::to_string(pick(3)), "), ", time(), ")"})
                     : inOrder({"delay(", time(), ")"});
    const auto part = [&] { return "{ " + process(depth - 1) + " }"; };
    const std::string count = std::to_string(2 + pick(3));
    switch (pick(10)) {
    case 0:
    case 1:
      return inOrder({part(), "; ", part()});
    case 2:
      return inOrder({"seq (i = 1, ", count, ") ", part()});
    case 3:
      return inOrder({"seq (i = 1, histogram(1, 1, 3, 1, 4, 2)) ", part()});
    case 4:
      return inOrder({"if (0.", std::to_string(2 + pick(7)), ") ", part(), " else ", part()});
    case 5:
      return inOrder({"switch { 0.25: ", part(), ", 0.5: ", part(), ", else: ", part(), " }"});
    case 6:
      return inOrder({"any (", std::to_string(1 + pick(2)), ") par (i = 1, ", count, ") ", part()});
    case 7:
      return inOrder({"any { ", part(), " || ", part(), " }"});
    case 8: { // turns that are not whole, and random ones
      const char *const turns[] = {"1.5", "2.75", "uniform(1, 4)", "exponential(1.5)"};
      return inOrder({"seq (i = 1, ", turns[pick(4)], ") ", part()});
    }
    default: // two resources at once
      return inOrder({"{ ", part(), " || ", part(), " }"});
    }
  }
  std::mt19937_64 random;
};

/// Of the mean and the deviation: what laws that were fitted to moments are off by.
constexpr double fitted = 0.05;

} // namespace

TEST(PamelaBounds, HoldWhatIsSimulated) {
  const char *const many = std::getenv("QUINCUNX_BOUNDS");
  const char *const from = std::getenv("QUINCUNX_BOUNDS_FROM");
  const uint64_t models = many ? std::strtoull(many, nullptr, 10) : 60;
  const uint64_t first = from ? std::strtoull(from, nullptr, 10) : many ? 90000 : 100;
  size_t figures = 0, outside = 0;
  size_t contended = 0, refused = 0;
  double width = 0, worstMean = 0;
  std::map<std::string, double> worst;
  for (uint64_t seed = first; contended < models; ++seed) {
    const std::string text = Writer(seed).model();
    const Result<Model> m = parseText(text, "random.pam");
    ASSERT_TRUE(m) << text << (m ? "" : m.error().message());
    const Result<Evaluated> e = evaluate(*m, {});
    if (!e) {
      ++refused;
      continue;
    }
    if (e->upper->mean() <= e->T.k1 * (1 + 1e-6))
      continue; // nobody waits: RandomTimesTest.cpp
    ++contended;
    SimulateOptions options;
    options.replications = 2000, options.seed = seed;
    const Result<Simulated> s = simulate(*m, options);
    ASSERT_TRUE(s) << text << (s ? "" : s.error().message());
    const double error = 4 * *s->standardError, sd = s->moments.deviation();
    const double open = fitted * (s->moments.mean + sd);
    const auto holds = [&](const char *what, double low, double from, double to, double high) {
      ++figures;
      const bool good = to >= low - open && from <= high + open;
      outside += !good;
      const double off = std::max(low - to, from - high) / (s->moments.mean + sd);
      (*what == 'm' ? worstMean : worst[what]) =
          std::max(*what == 'm' ? worstMean : worst[what], off);
      EXPECT_TRUE(good) << seed << " " << what << ": " << low << " .. " << high << ", simulated "
                        << from << " .. " << to << "\n"
                        << text;
    };
    const double mean = s->moments.mean;
    width += e->upper->mean() / e->T.k1;
    holds("mean", e->T.k1, mean - error, mean + error, e->upper->mean());
    for (size_t i = 0; i < 3; ++i) {
      const TimePercentile &p = s->percentiles[i];
      // 90 % intervals are 1.645 standard errors to each side, about.
      const double wide = 4 / 1.645;
      const char *const names[] = {"p50", "p90", "p99"};
      holds(names[i], lowerQuantile(*e, p.p), p.value - wide * (p.value - p.low),
            p.value + wide * (p.high - p.value), upperQuantile(*e, p.p));
    }
  }
  std::printf("beyond, of mean and deviation: mean %.3f p50 %.3f p90 %.3f p99 %.3f\n", worstMean,
              worst["p50"], worst["p90"], worst["p99"]);
  std::printf("%zu of %zu figures outside; upper over lower mean %.2f\n", outside, figures,
              width / static_cast<double>(contended));
  EXPECT_LE(100 * refused, 2 * models);
}

// What a part is sure to win in no time has no spread, however its law is integrated: its upper
// bounds were "nan".
TEST(PamelaBounds, OfAnInstantThatWinsAreNumbers) {
  const Result<Model> m =
      parseText("resource r = fcfs(0, 1)\n"
                "process main = par (c = 1, 2) { use(r, 6) } || { seq (i = 1, histogram(1, 1, 3, "
                "1, 4, 2)) {\n"
                "  use(r, 3); any { { delay(gamma(17, 1)) } || { use(r, 10) } } } }\n",
                "any.pam");
  ASSERT_TRUE(m) << m.error().message();
  const Result<Evaluated> e = evaluate(*m, {});
  ASSERT_TRUE(e) << e.error().message();
  ASSERT_TRUE(e->upper);
  for (const double p : {0.5, 0.9, 0.99})
    EXPECT_TRUE(std::isfinite(upperQuantile(*e, p))) << p;
}

// Losers use a resource until they are cancelled, which frees it at that instant.
TEST(PamelaBounds, WhatIsCancelled) {
  const auto both = [](const std::string &process) {
    const Result<Model> m = parseText("resource r(i) = fcfs(i, 1)\nprocess main = " + process, "m");
    EXPECT_TRUE(m) << process;
    return std::pair(*evaluate(*m, {}), *simulate(*m));
  };
  const auto [same, drawn] = both("par (p = 1, 10) any par (i = 1, 3) use(r(0), 1)");
  EXPECT_EQ(same.T.k1, 10) << "one of three is used up each time";
  EXPECT_GE(same.upper->mean(), drawn.moments.mean);
  EXPECT_EQ(same.upper->mean(), 30);
  const auto [two, t] =
      both("par (p = 1, 4) any (2) { use(r(0), 3) || use(r(0), 1) || use(r(0), 2) }");
  EXPECT_EQ(two.T.k1, 4 * 3) << "1 and 2";
  EXPECT_EQ(two.upper->mean(), 4 * 6);
  const auto [freed, at] = both("any { use(r(0), 5) || delay(1) }; use(r(0), 1)");
  EXPECT_EQ(at.moments.mean, 2) << "free when the other part ends";
  EXPECT_EQ(freed.T.k1, 2);
}
