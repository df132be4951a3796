// Sums of what hangs on the remainder of an index: which have a closed form, and that each has the
// values of the model gone through.
#include "quincunx/pamela/Analyze.h"
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/pamela/Formula.h"
#include "quincunx/pamela/Parse.h"
#include "quincunx/pamela/Print.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

using namespace quincunx;
using namespace quincunx::pamela;

namespace {

const std::string parameters =
    "numeric parameter n\nnumeric parameter P\nnumeric parameter t\nnumeric parameter u\n";

Model modelOf(const std::string &text) {
  Result<Model> model = parseText(parameters + text, "m.pam");
  EXPECT_TRUE(model) << text << model.error().message();
  return model ? *model : Model{};
}

Analyzed analyzed(const Model &model, const std::string &target) {
  AnalyzeOptions options;
  options.target = target;
  Result<Analyzed> a = analyze(model, options);
  EXPECT_TRUE(a) << a.error().message();
  return a ? *a : Analyzed{};
}

double near(double x) { return 1e-12 * std::max(1.0, std::fabs(x)); }

/// The printed form and the tape against the model gone through, at many n and P.
void compare(const Model &model, const std::string &target, const std::string &printed) {
  const Analyzed a = analyzed(model, target);
  Result<Formula> formula = [&] {
    EvaluateOptions o;
    o.target = target;
    return Formula::of(model, o, {"n", "P", "t", "u"});
  }();
  ASSERT_TRUE(formula);
  size_t points = 0;
  for (double n = 0; n <= 40; ++n)
    for (double P = 1; P <= 9; P += n < 10 ? 1 : 4) {
      EvaluateOptions o;
      o.target = target, o.parameters = {{"n", n}, {"P", P}, {"t", 0.75}, {"u", 2.5}};
      const Result<Evaluated> is = evaluate(model, o);
      ASSERT_TRUE(is) << is.error().message();
      const std::vector<double> at{n, P, 0.75, 2.5};
      Evaluated taped;
      ASSERT_TRUE(formula->at(at, std::span(&taped, 1)));
      std::erase_if(o.parameters, [&](const auto &p) {
        return std::none_of(a.model.definitions.begin(), a.model.definitions.end(),
                            [&](const Definition &d) { return d.name == p.first; });
      });
      o.target = printed;
      const Result<Evaluated> should = evaluate(a.model, o);
      ASSERT_TRUE(should) << should.error().message();
      for (const Evaluated &e : {taped, *should}) {
        EXPECT_NEAR(e.T.k1, is->T.k1, near(is->T.k1))
            << print(a.model) << "n = " << n << ", P = " << P;
        EXPECT_NEAR(e.T.k2, is->T.k2, near(is->T.k2)) << print(a.model);
      }
      ++points;
    }
  EXPECT_EQ(formula->pointByPoint(), 0u) << print(a.model);
  EXPECT_GT(points, 100u);
}

} // namespace

TEST(PamelaPeriodicSums, Forms) {
  const std::pair<const char *, const char *> cases[] = {
      {"sum (i = 1, n) (i mod 4)", "(n + 1) mod 4 * ((n + 1) mod 4 - 1) / 2 + 6 * ((n + 1) div 4)"},
      {"sum (i = 1, n) (if (i mod 4 == 0) t else u)", "n * u + t * (n div 4) - u * (n div 4)"},
      {"sum (i = 0, n) (i div 1)", "n * (n + 1) / 2"},
      {"(4 * n + 3) mod 4", "(4 * n + 3) mod 4"},
  };
  for (const auto &[text, form] : cases) {
    const Analyzed a = analyzed(modelOf("numeric x = " + std::string(text)), "x");
    EXPECT_EQ(print(a.model.definitions.back().body), form) << text;
    EXPECT_TRUE(a.closed) << text;
  }
}

TEST(PamelaPeriodicSums, EqualTheModelGoneThrough) {
  const char *cases[] = {
      "sum (i = 1, n) (i mod 4)",
      "sum (i = 3, n + 3) (i mod 4)^3 * t",
      "sum (i = 1, n) (i mod P)",
      "sum (i = 0, n) ((i + 3) mod P)^2",
      "sum (i = 1, n) (i div P)",
      "sum (i = 1, n) (2 * i + 1) mod 5",
      "sum (i = 1, n) (0 - i) mod 3",
      "sum (i = 1, n) i * (i mod 3)",
      "sum (i = 1, n) i^2 * ((i mod 3) - 1)^2",
      "sum (i = 1, n) (if (i mod 2 == 0) t else u)",
      "sum (i = 1, n) (if (i mod 2 == 0) (i * t) else (i^2))",
      "sum (i = 1, n) (if (i mod 3 == 1 and i mod 2 == 0) (t * i) else u)",
      "sum (i = 1, n) (if (i mod 100 == 0) t else u)",
      "sum (i = 1, n) (i mod 2) * (i mod 3)",
      "sum (i = 1, n) (i div 3) * i",
      "sum (i = 1, n) (max(i mod 5, 2) + 2^(i mod 3))",
      "sum (i = 1, n) sum (j = 1, i) (j mod 3)",
      "sum (i = 1, n) sum (j = 1, i mod 3) t",
      "sum (i = P, P + n) (if (i mod 2 == 1) t else u)",
      "sum (i = 1, n) (i mod 4) * (n mod 3)",
      "sum (i = 1, n) (switch (i mod 3) { 0 : t, 1 : u, else : t + u })",
      "sum (i = 1, n) (if (i mod 2 == 0) exponential(2) else uniform(0, 1))",
      "if (n mod 2 == 0) t else u",
  };
  for (const char *text : cases) {
    SCOPED_TRACE(text);
    const Model model = modelOf("numeric x = " + std::string(text));
    EXPECT_TRUE(analyzed(model, "x").closed);
    compare(model, "x", "x");
  }
}

// What has no closed form stays, is right, and is said to be none.
TEST(PamelaPeriodicSums, WhatHasNoneStays) {
  for (const char *text :
       {"sum (i = 1, n) (i mod 2.5)", "sum (i = 1, n) i * (i mod P)", "sum (i = 1, n) (i^2 mod 7)",
        "sum (i = 1, n) (i mod 97)^2 * i", "sum (i = 1, n) sqrt(i + i mod 2)"}) {
    SCOPED_TRACE(text);
    const Model model = modelOf("numeric x = " + std::string(text));
    EXPECT_FALSE(analyzed(model, "x").closed);
    compare(model, "x", "x");
  }
}

TEST(PamelaPeriodicSums, Processes) {
  for (const char *text :
       {"seq (i = 1, n) { if (i mod 4 == 0) use(fcfs(0, 1), t) else delay(u) }",
        "par (p = 1, P) seq (i = 1, n) { delay(t); if (i mod 3 == 1) use(fcfs(0, 1), i) }",
        "seq (i = 1, n) seq (j = 1, i mod 4) delay(t)"}) {
    SCOPED_TRACE(text);
    const Model model = modelOf("process main = " + std::string(text));
    EXPECT_TRUE(analyzed(model, "main").closed);
    compare(model, "main", "T_main");
  }
}

// Generated bodies: polynomials, remainders of all kinds and choices between them.
TEST(PamelaPeriodicSums, Generated) {
  std::mt19937_64 random(7);
  const auto pick = [&](auto... all) {
    const std::string list[] = {all...};
    return list[random() % (sizeof...(all))];
  };
  const auto number = [&] { return std::to_string(1 + random() % 6); };
  size_t closed = 0;
  for (int model = 0; model < 150; ++model) {
    const auto part = [&] {
      const std::string m = number(), k = number(), d = number(), i = pick("i", "i", "i + " + d);
      const std::string rest = "((" + i + ") mod " + m + ")";
      const std::string first = pick("t", "u", "i", "i^2", rest);
      const std::string second = pick("t", "i * u", rest + " * i", "(i div " + k + ")");
      return pick(rest + " * " + first, "((" + k + " * i + P) mod " + m + ")^2",
                  "(if (" + rest + pick(" == ", " < ", " >= ") + k + ") (" + first + ") else (" +
                      second + "))",
                  "((i + " + d + ") div " + m + ")", "((i + P) mod " + m + ") * (i mod " + k + ")");
    };
    const std::string from = pick("0", "1", "2", "P"), first = part(), second = part();
    const std::string text =
        "numeric x = sum (i = " + from + ", " + from + " + n - 1) (" + first + " + " + second + ")";
    SCOPED_TRACE(text);
    const Model m = modelOf(text);
    closed += analyzed(m, "x").closed;
    compare(m, "x", "x");
    if (HasFailure())
      return;
  }
  EXPECT_GE(closed, 100u);
}
