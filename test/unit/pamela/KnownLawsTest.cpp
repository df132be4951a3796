// Laws that are known stay known: percentiles against enumeration of small models, and identities
// of joins, sums and choices. Larger models are RandomTimesTest.cpp's.
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/pamela/Parse.h"
#include "quincunx/pamela/Simulate.h"
#include "quincunx/report/Eval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace quincunx;
using namespace quincunx::pamela;

namespace {

Evaluated evaluated(const std::string &text) {
  const Result<Model> m = parseText(text, "model.pam");
  EXPECT_TRUE(m) << text << (m ? "" : m.error().message());
  const Result<Evaluated> e = m ? evaluate(*m, {}) : m.error();
  EXPECT_TRUE(e) << text << (e ? "" : e.error().message());
  return e ? *e : Evaluated{};
}

double percentile(const Evaluated &e, double p) { return lowerQuantile(e, p); }

/// A law of few values, and the text that has it.
struct Drawn {
  std::string text;
  std::map<double, double> masses; ///< by value
};

using Masses = std::map<double, double>;

template <class Combine> Masses combined(const Masses &a, const Masses &b, Combine combine) {
  Masses out;
  for (const auto &[x, p] : a)
    for (const auto &[y, q] : b)
      out[combine(x, y)] += p * q;
  return out;
}

/// Processes of values on a lattice, so that equal sums are equal.
class Writer {
public:
  explicit Writer(uint64_t seed) : random(seed) {}
  Drawn process(int depth) {
    if (depth == 0)
      return leaf();
    const Drawn a = process(depth - 1), b = process(depth - 1);
    const std::string parts = "{ " + a.text + " } || { " + b.text + " }";
    switch (random() % 6) {
    case 0:
      return {a.text + "; " + b.text,
              combined(a.masses, b.masses, [](double x, double y) { return x + y; })};
    case 1:
      return {parts,
              combined(a.masses, b.masses, [](double x, double y) { return std::max(x, y); })};
    case 2:
      return {"any { " + parts + " }",
              combined(a.masses, b.masses, [](double x, double y) { return std::min(x, y); })};
    case 3: {
      Masses out;
      for (const auto &[x, p] : a.masses)
        out[x] += 0.25 * p;
      for (const auto &[x, p] : b.masses)
        out[x] += 0.75 * p;
      return {"if (0.25) { " + a.text + " } else { " + b.text + " }", out};
    }
    case 4:
      return {"seq (i = 1, 2) { " + a.text + " }",
              combined(a.masses, a.masses, [](double x, double y) { return x + y; })};
    default: {
      Masses out{{0, 0.5}};
      for (const auto &[x, p] : a.masses)
        out[x] += 0.5 * p;
      return {"seq (i = 1, histogram(0, 1, 1, 1)) { " + a.text + " }", out};
    }
    }
  }

private:
  Drawn leaf() {
    const double x = static_cast<double>(1 + random() % 8),
                 y = x + static_cast<double>(random() % 40);
    const auto text = [](double t) { return std::to_string(static_cast<int>(t)); };
    if (random() % 3 == 0)
      return {"delay(" + text(x) + ")", {{x, 1}}};
    return x == y ? Drawn{"delay(" + text(x) + ")", {{x, 1}}}
                  : Drawn{"delay(histogram(" + text(x) + ", 7, " + text(y) + ", 1))",
                          {{x, 0.875}, {y, 0.125}}};
  }
  std::mt19937_64 random;
};

double percentile(const Masses &masses, double p) {
  double below = 0;
  for (const auto &[x, mass] : masses)
    if ((below += mass) >= p - 1e-12)
      return x;
  return masses.rbegin()->first;
}

} // namespace

TEST(PamelaKnownLaws, AreThoseOfEnumeration) {
  size_t figures = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    const Drawn drawn = Writer(seed).process(3);
    const Evaluated e = evaluated("process main = " + drawn.text);
    EXPECT_TRUE(e.T.isExact()) << drawn.text;
    double mean = 0, square = 0;
    for (const auto &[x, p] : drawn.masses)
      mean += x * p, square += x * x * p;
    EXPECT_NEAR(e.T.k1, mean, 1e-9 * mean) << drawn.text;
    EXPECT_NEAR(e.T.k2, square - mean * mean, 1e-9 * square) << drawn.text;
    for (const double p : {0.1, 0.4999, 0.5001, 0.8999, 0.9001, 0.9899, 0.9901, 0.9991}) {
      ++figures;
      EXPECT_EQ(percentile(e, p), percentile(drawn.masses, p)) << p << " of " << drawn.text;
    }
  }
  EXPECT_EQ(figures, 3200U);
}

TEST(PamelaKnownLaws, NothingIsBeyondTheLargestValue) {
  const Evaluated e = evaluated("numeric main = histogram(1, 90, 2, 9, 10, 1)");
  EXPECT_EQ(percentile(e, 0.5), 1);
  EXPECT_EQ(percentile(e, 0.95), 2);
  EXPECT_EQ(percentile(e, 0.999), 10);
}

TEST(PamelaKnownLaws, ModesOfABranchStay) {
  const Evaluated two = evaluated("process main = if (0.3) delay(100) else delay(1)");
  EXPECT_EQ(percentile(two, 0.5), 1);
  EXPECT_EQ(percentile(two, 0.699), 1);
  EXPECT_EQ(percentile(two, 0.9), 100);
  EXPECT_EQ(percentile(two, 0.999), 100);
  // 0.3 (1 - exp(-x / 100)) + 0.7 (1 - exp(-x))
  const Evaluated hyper =
      evaluated("process main = if (0.3) delay(exponential(100)) else delay(exponential(1))");
  const auto below = [](double x) { return 1 - 0.3 * std::exp(-x / 100) - 0.7 * std::exp(-x); };
  for (const double p : {0.3, 0.5, 0.9, 0.99})
    EXPECT_NEAR(below(percentile(hyper, p)), p, 1e-9);
  const Evaluated after = evaluated(
      "process main = delay(5); if (0.3) delay(exponential(100)) else delay(exponential(1))");
  EXPECT_NEAR(percentile(after, 0.9), percentile(hyper, 0.9) + 5, 1e-9);
}

TEST(PamelaKnownLaws, TheFirstOfTwoModes) {
  const std::string x = "{ if (0.1) delay(exponential(100)) else delay(exponential(1)) }";
  const Evaluated first = evaluated("process main = any { " + x + " || " + x + " }");
  // E min = int S^2: S = 0.1 exp(-x / 100) + 0.9 exp(-x)
  EXPECT_NEAR(first.T.k1, 0.01 * 50 + 2 * 0.09 / 1.01 + 0.81 / 2, 1e-9);
}

TEST(PamelaKnownLaws, Identities) {
  const std::vector<std::string> laws{"histogram(1, 3, 5, 1)", "exponential(3)",
                                      "lognormal(3, 2)",       "uniform(2, 9)",
                                      "moments(4, 2, 1, 5)",   "7"};
  for (const std::string &x : laws) {
    const Evaluated alone = evaluated("process main = delay(" + x + ")");
    for (const std::string &same :
         {"par (i = 1, 1) delay(" + x + ")", "any par (i = 1, 1) delay(" + x + ")",
          "seq (i = 1, 1) delay(" + x + ")", "if (1) delay(" + x + ")", "delay(max(" + x + "))",
          "delay(min(" + x + "))", "delay(1 * " + x + ")"}) {
      const Evaluated e = evaluated("process main = " + same);
      EXPECT_EQ(e.T.k1, alone.T.k1) << same;
      for (const double p : {0.1, 0.5, 0.9, 0.999})
        EXPECT_EQ(percentile(e, p), percentile(alone, p)) << same;
    }
    const Evaluated least = evaluated("process main = any par (i = 1, 3) delay(" + x + ")");
    const Evaluated most = evaluated("process main = par (i = 1, 3) delay(" + x + ")");
    EXPECT_LE(least.T.k1, alone.T.k1 * (1 + 1e-12));
    EXPECT_GE(most.T.k1, alone.T.k1 * (1 - 1e-12));
    for (const double p : {0.1, 0.5, 0.9, 0.999}) {
      EXPECT_LE(percentile(least, p), percentile(alone, p) * (1 + 1e-9)) << x;
      EXPECT_GE(percentile(most, p), percentile(alone, p) * (1 - 1e-9)) << x;
    }
  }
  const Evaluated constants = evaluated("process main = seq (i = 1, 1000) delay(0.1)");
  EXPECT_EQ(constants.T.k1, 100);
  EXPECT_EQ(constants.T.k2, 0);
}

TEST(PamelaKnownLaws, SayWhatIsFitted) {
  for (const auto &[time, exact] :
       std::map<std::string, bool>{{"exponential(3)", true},
                                   {"sum (i = 1, 5) exponential(3)", true},
                                   {"normal(30, 2) + normal(20, 1)", true},
                                   {"lognormal(3, 1) + 4", true},
                                   {"exponential(3) + exponential(4)", false},
                                   {"moments(4, 2, 1, 5)", false},
                                   {"max(exponential(3), uniform(0, 4))", true},
                                   {"sum (i = 1, 3000) histogram(i, 1, 2 * i, 1)", false}})
    EXPECT_EQ(evaluated("numeric main = " + time).T.isExact(), exact) << time;
}

// What is rare and far away is not dropped beside a constant.
TEST(PamelaKnownLaws, RareValuesCount) {
  const Evaluated e = evaluated("process main = delay(500) || delay(histogram(1, 9999, 1000, 1))");
  EXPECT_NEAR(e.T.k1, 500.05, 1e-9);
  EXPECT_EQ(percentile(e, 0.99995), 1000);
}

TEST(PamelaKnownLaws, LognormalTimes) {
  const Evaluated e = evaluated("process main = par (i = 1, 2) delay(lognormal(10, 20))");
  const Result<Model> m = parseText("process main = par (i = 1, 2) delay(lognormal(10, 20))", "m");
  SimulateOptions options;
  options.replications = 20000;
  const Result<Simulated> s = simulate(*m, options);
  ASSERT_TRUE(s);
  EXPECT_NEAR(e.T.k1, s->moments.mean, 4 * *s->standardError);
  for (const TimePercentile &p : s->percentiles) {
    const double x = percentile(e, p.p);
    EXPECT_GE(x, p.value - 3 * (p.value - p.low)) << p.p;
    EXPECT_LE(x, p.value + 3 * (p.high - p.value)) << p.p;
  }
}

// Steps that were joined and then moved are where they are.
TEST(PamelaKnownLaws, StepsThatAreMoved) {
  const Evaluated e = evaluated("process main = delay(0.1); { delay(0.7 * histogram(1, 1, 2, 1)) "
                                "|| delay(uniform(0, 1)) }; delay(0.2)");
  for (const double p : {0.05, 0.2, 0.5, 0.75, 0.9}) {
    // max of 0.7 or 1.4 and a uniform number
    const double x = percentile(e, p) - 0.3;
    EXPECT_TRUE(std::fabs(x - 0.7) < 1e-9 || std::fabs(x - 1.4) < 1e-9 ||
                std::fabs(x / 2 - p) < 1e-9)
        << p << " " << x;
  }
  EXPECT_NEAR(e.T.k1, 0.3 + 0.7 + (0.5 * 0.09 / 2 + 0.5 * 0.7), 1e-9);
}

// Laws that are known are moved and scaled as far as numbers go.
TEST(PamelaKnownLaws, NoLawIsMovedBeyondNumbers) {
  for (const char *number :
       {"lognormal(3, 1) + inf", "lognormal(3, 1) - inf", "inf * lognormal(3, 1)",
        "lognormal(3, 1) / 1e-320", "1e200 * lognormal(3, 1)", "1e307 * lognormal(3, 1) + 1.7e308",
        "sum (i = 1, 3) (lognormal(3, 1) + inf)", "histogram(1, 1, 2, 1) * inf * lognormal(3, 1)",
        "max(lognormal(3, 1) + inf, lognormal(3, 1))"}) {
    const Result<Model> m = parseText("numeric main = " + std::string(number), "m");
    ASSERT_TRUE(m) << number;
    const Result<Evaluated> e = evaluate(*m, {});
    EXPECT_TRUE(!e || !e->T.parts) << number;
  }
  EXPECT_TRUE(evaluated("numeric main = 1e60 * lognormal(3, 1) + 1e300").T.isExact());
}
