// Closed forms of the texts' examples, and what they take for granted.
#include "quincunx/pamela/Analyze.h"
#include "quincunx/pamela/Check.h"
#include "quincunx/pamela/Parse.h"
#include "quincunx/pamela/Print.h"

#include <gtest/gtest.h>

#include <string>

using namespace quincunx;
using namespace quincunx::pamela;

namespace {

Analyzed analyzed(const std::string &text, const std::string &target = "main") {
  const Result<Model> model = parseText(text, "m.pam");
  EXPECT_TRUE(model) << text;
  EXPECT_TRUE(check(*model).empty()) << check(*model)[0].message();
  AnalyzeOptions options;
  options.target = target;
  Result<Analyzed> a = analyze(*model, options);
  EXPECT_TRUE(a) << text << a.error().message();
  return a ? *a : Analyzed{};
}

std::string result(const Analyzed &a, const std::string &name) {
  for (const Definition &d : a.model.definitions)
    if (d.name == name && d.body)
      return print(d.body);
  return "none";
}

std::string parameters(const std::string &names) {
  std::string text;
  for (const char c : names)
    text += std::string("numeric parameter ") + c + "\n";
  return text;
}

std::string assumptions(const Analyzed &a) {
  std::string all;
  for (const std::string &p : a.assumptions)
    all += (all.empty() ? "" : ", ") + p;
  return all;
}

} // namespace

// Source: van Gemund (2003), sections 2.2 and 3.
TEST(PamelaAnalyze, FormsOfTheText) {
  struct Case {
    const char *letters, *process, *T, *omega;
  };
  const Case cases[] = {
      {"PNlts", "par (p = 1, P) seq (i = 1, N) { delay(l); use(fcfs(0, 1), s) }",
       "max(N * (l + s), P * N * s)", "P * N * s"},
      {"NMt", "par (i = 1, N) seq (m = 1, M) use(fcfs(m, 1), t)", "max(M * t, N * t)", "N * t"},
      {"NSt",
       "par (i = 1, N) seq (j = 1, S) use(fcfs(j, 1), t); "
       "par (i = 1, N) seq (j = 1, S) use(fcfs(S + j, 1), t)",
       "2 * max(S * t, N * t)", "N * t"},
      {"NSt",
       "par (i = 1, N) { seq (j = 1, S) use(fcfs(j, 1), t); seq (j = 1, S) use(fcfs(S + j, "
       "1), t) }",
       "max(2 * S * t, N * t)", "N * t"},
      {"NMSct", "par (i = 1, N) { use(fcfs(0, 1), c); use(fcfs(1 + S * i mod M, 1), t) }",
       "max(c + t, N * c, t * ceil(N * gcd(S, M) / M))", "max(N * c, t * ceil(N * gcd(S, M) / M))"},
      {"NPt", "seq (i = 1, N - 2) par (j = 0, N - 1) use(fcfs(j div (N / P), 1), t)",
       "t * ceil(N / P) * (N - 2)", "t * ceil(N / P) * (N - 2)"},
      {"Nt", "par (i = 1, N) use(fcfs(i, 1), t)", "t", "t"},
      // elimination with the columns in turn (section 4.4): a sum of ceilings has no closed form
      {"NP",
       "seq (k = 0, N - 2) par (j = k + 1, N - 1) seq (i = k + 1, N - 1) use(fcfs(j mod P, 1), 2)",
       "sum (k = 0, N - 2) 2 * ceil((N - k - 1) / P) * (N - k - 1)", nullptr},
      // each has its own, once
      {"Nst", "par (p = 0, N - 1) seq (q = 0, N - 1) if (q == p) delay(s) else delay(t)",
       "N * t + s - t", "0"},
      {"NP", "seq (k = 1, N) par (j = 0, P - 1) seq (i = k, N) use(fcfs(j, 1), 1)",
       "N * (N + 1) / 2", "N * (N + 1) / 2"},
  };
  for (const Case &c : cases) {
    const Analyzed a = analyzed(parameters(c.letters) + "process main = " + c.process);
    EXPECT_EQ(result(a, "T_main"), c.T) << c.process;
    if (c.omega) {
      EXPECT_EQ(result(a, "omega_main"), c.omega) << c.process;
    }
    EXPECT_EQ(a.closed, c.omega != nullptr) << c.process;
  }
}

TEST(PamelaAnalyze, SaysWhatItTakesForGranted) {
  const Analyzed a =
      analyzed(parameters("PNts") + "process main = par (p = 1, P) seq (i = 1, N) { delay(t); "
                                    "use(fcfs(0, 1), s) }");
  EXPECT_EQ(assumptions(a), "P >= 1, N >= 0, t >= 0, s >= 0");
  EXPECT_EQ(assumptions(analyzed(parameters("NP") + "process main = seq (i = 1, N / P) delay(i)")),
            "N >= 0, P >= 0, N / P whole");
  EXPECT_EQ(assumptions(analyzed("process main = seq (i = 1, 10) delay(i)")), "");
}

// What the search made up is in nothing that is said.
TEST(PamelaAnalyze, SaysItInNamesOfTheModel) {
  const Analyzed a = analyzed(parameters("NMS") +
                              "process main = par (i = 1, N) use(fcfs(1 + S * i mod M, 1), 2)");
  EXPECT_EQ(assumptions(a), "N >= 1, M >= 1, S whole, M whole, N whole");
  const Result<Model> model = parseText(
      "numeric parameter N process main = par (i = 1, N) use(fcfs(sqrt(i), 1), 2)", "m.pam");
  EXPECT_FALSE(analyze(*model));
}

TEST(PamelaAnalyze, BoundsThatAreNotWholeHaveNoClosedForm) {
  const Analyzed a = analyzed("numeric x = sum (i = 1, 10.5) i^2", "x");
  EXPECT_FALSE(a.closed);
  EXPECT_EQ(assumptions(a), "");
}

TEST(PamelaAnalyze, Sums) {
  const std::pair<const char *, const char *> cases[] = {
      {"sum (i = 1, N) 1", "N"},
      {"sum (i = 1, N) i", "N * (N + 1) / 2"},
      {"sum (i = 0, N - 1) i^2", "N * (2 * N^2 - 3 * N + 1) / 6"},
      {"sum (i = 1, N) i^3", "N^2 * (N^2 + 2 * N + 1) / 4"},
      {"sum (i = 1, N) sum (j = 1, i) j", "N * (N^2 + 3 * N + 2) / 6"},
      {"sum (i = 0, N) 2^i", "2^(N + 1) - 1"},
      {"sum (i = 1, N) P * i + 3", "N * P * (N + 1) / 2 + 3"},
      {"sum (i = 1, N) floor(i / P)", "sum (i = 1, N) floor(i / P)"},
      {"max (i = 1, N) 3 * i - 1", "3 * N - 1"},
      {"max (i = 1, N) 0.3 * sqrt(i) * P", "max (i = 1, N) 0.3 * sqrt(i) * P"},
      {"max (i = 1, N) (5 - i)", "4"},
      {"max(N, N + 1, N + P - P)", "N + 1"},
      {"(N + P)^2 - N^2 - P^2", "2 * N * P"},
      {"(N * P + N) / (P + 1)", "N"},
      {"floor(N / P) * 0 + gcd(12, 18)", "6"},
      {"exponential(N) + uniform(P, N)", "P + N * exponential(1) + (N - P) * uniform(0, 1)"},
      {"2 * normal(N, P)", "2 * N + 2 * P * normal(0, 1)"},
      {"2 * exponential(3)", "2 * exponential(3)"},
  };
  for (const auto &[text, form] : cases) {
    const Analyzed a = analyzed(parameters("PN") + "numeric x = " + text, "x");
    EXPECT_EQ(result(a, "x"), form) << text;
  }
}

// The thesis takes max(ts, ts) of one draw for two draws; phi and omega share them here.
TEST(PamelaAnalyze, TheSameDrawsAreNotTwo) {
  const Analyzed a =
      analyzed("numeric ts = moments(0.1, 0.01, 2, 9)\nprocess main = use(fcfs(0, 1), ts)");
  EXPECT_EQ(result(a, "T_main"), "moments(0.1, 0.01, 2, 9)");
  EXPECT_EQ(result(a, "omega_main"), "moments(0.1, 0.01, 2, 9)");
  const Analyzed b = analyzed("numeric ts = moments(0.1, 0.01, 2, 9)\nnumeric parameter P\n"
                              "process main = par (p = 1, P) { delay(1); use(fcfs(0, 1), ts) }");
  EXPECT_EQ(result(b, "T_main"), "together(sum (i = 1, P) moments(0.1, 0.01, 2, 9), "
                                 "max (i = 1, P) (1 + moments(0.1, 0.01, 2, 9)))");
}

TEST(PamelaAnalyze, ResultsHaveNamesInModels) {
  const Analyzed a =
      analyzed(parameters("PN") + "process one = seq (i = 1, N) delay(2)\n"
                                  "process all = par (p = 1, P) seq (i = 1, N / P) delay(2)\n"
                                  "numeric speedup = T_one / T_all",
               "speedup");
  EXPECT_EQ(result(a, "speedup"), "P");
}

TEST(PamelaAnalyze, ChancesAddUpLikeOtherTimes) {
  const Analyzed a =
      analyzed("process main = { delay(switch { 0.5 : 100, else : 50 }); delay(3) }");
  EXPECT_EQ(result(a, "T_main"), "3 + switch { 0.5 : 100, else : 50 }");
}

TEST(PamelaAnalyze, WhatIsNoNumberIsAnError) {
  const Result<Model> model = parseText("numeric parameter n = inf - inf\nnumeric x = n + 1\n"
                                        "numeric y = 0 * inf",
                                        "m.pam");
  ASSERT_TRUE(model);
  AnalyzeOptions options;
  for (const auto &[target, message] :
       {std::pair{"x", "m.pam:1:1: error: 'n' has no value: inf - inf or 0 * inf"},
        {"y", "m.pam:3:1: error: 'y' has no value: inf - inf or 0 * inf"}}) {
    options.target = target;
    const Result<Analyzed> a = analyze(*model, options);
    ASSERT_FALSE(a) << target;
    EXPECT_EQ(a.error().message(), message);
  }
}

// 1 / N taken to be whole once made P * Q a multiple of it, and that of it, and so on.
TEST(PamelaAnalyze, WholeNumbersAreSoughtForSoLongOnly) {
  const Analyzed a = analyzed(parameters("PQN") + "process main = seq (i = 1, 1 / N) delay(i); "
                                                  "seq (i = 1, P * Q) delay(i)");
  EXPECT_TRUE(a.closed);
  EXPECT_EQ(assumptions(a), "N >= 0, P >= 0, Q >= 0, 1 / N whole, P whole, Q whole");
}
