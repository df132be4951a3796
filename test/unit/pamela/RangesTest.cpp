// Ranges of parameters: what they make of closed forms, and that values outside are an error with
// its place, whoever is asked.
#include "quincunx/pamela/Analyze.h"
#include "quincunx/pamela/Check.h"
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/pamela/Formula.h"
#include "quincunx/pamela/Parse.h"
#include "quincunx/pamela/Print.h"
#include "quincunx/pamela/Simulate.h"

#include <gtest/gtest.h>

#include <string>

using namespace quincunx;
using namespace quincunx::pamela;

namespace {

Model modelOf(const std::string &text) {
  Result<Model> model = parseText(text, "m.pam");
  EXPECT_TRUE(model) << text << model.error().message();
  EXPECT_TRUE(!model || check(*model).empty()) << text;
  return model ? *model : Model{};
}

std::string form(const std::string &ranges, const std::string &expression) {
  AnalyzeOptions options;
  options.target = "x";
  const Result<Analyzed> a = analyze(modelOf(ranges + "\nnumeric x = " + expression), options);
  EXPECT_TRUE(a) << a.error().message();
  if (!a)
    return "";
  EXPECT_TRUE(a->assumptions.empty()) << a->assumptions[0];
  return print(a->model.definitions.back().body);
}

} // namespace

TEST(PamelaRanges, ServeClosedForms) {
  const struct {
    const char *ranges, *expression, *form;
  } cases[] = {
      {"numeric parameter n >= 0", "max(0, n)", "n"},
      {"numeric parameter n", "max(0, n)", "max(0, n)"},
      {"numeric parameter n >= 0", "abs(n)", "n"},
      {"numeric parameter n <= 0", "abs(n)", "-n"},
      {"numeric parameter n <= 0", "max(0, n)", "0"},
      {"numeric parameter n >= 0", "if (n >= 0) 1 else 2", "1"},
      {"numeric parameter n >= 0", "if (n < 0) 1 else 2", "2"},
      {"numeric parameter n >= 2 and <= 100", "min(n, 100) + max(n, 2) + max(n, 200)",
       "2 * (n + 100)"},
      {"numeric parameter n >= 2 and <= 100", "if (n <= 101) n else 0", "n"},
      {"numeric parameter N >= 1 numeric parameter P >= 1 and <= N", "max(N, P) + abs(N - P)",
       "2 * N - P"},
      {"numeric parameter n >= 1", "sum (i = 1, n) 2", "2 * n"},
  };
  for (const auto &c : cases)
    EXPECT_EQ(form(c.ranges, c.expression), c.form) << c.ranges << " " << c.expression;
}

TEST(PamelaRanges, StayInWhatIsPrinted) {
  const std::string text = "numeric parameter N >= 1 = 10\n"
                           "numeric parameter P >= 1 and <= 2 * N = 4\n"
                           "numeric parameter t <= 3\n";
  const Model m = modelOf(text + "process main = par (p = 1, P) delay(t)\n");
  EXPECT_EQ(print(m).substr(0, text.size()), text);
  const Result<Analyzed> a = analyze(m);
  ASSERT_TRUE(a) << a.error().message();
  EXPECT_EQ(print(a->model).substr(0, text.size()), text);
}

// Each violated in the same way: by what is given, and by what the model says.
TEST(PamelaRanges, ValuesOutsideAreErrors) {
  const std::string process = "process main = seq (i = 1, 3) delay(1 + 0 * n)\n";
  const struct {
    std::string parameter;
    std::map<std::string, double> given;
    const char *message;
  } cases[] = {
      {"numeric parameter n >= 0",
       {{"n", -1}},
       "m.pam:1:24: error: n = -1 is not in its range: the model says n >= 0"},
      {"numeric parameter n <= 5",
       {{"n", 6}},
       "m.pam:1:24: error: n = 6 is not in its range: the model says n <= 5"},
      {"numeric parameter n >= 0 and <= 5 = 9",
       {},
       "m.pam:1:33: error: n = 9 is not in its range: the model says n <= 5"},
      {"numeric parameter n >= 0 = exponential(1)",
       {},
       "m.pam:1:1: error: a number that has a range is random here"},
  };
  for (const auto &c : cases) {
    const Model m = modelOf(c.parameter + "\n" + process);
    EvaluateOptions e;
    AnalyzeOptions s;
    SimulateOptions o;
    e.parameters = s.parameters = o.parameters = c.given;
    const Result<Evaluated> is = evaluate(m, e);
    const Result<Analyzed> a = analyze(m, s);
    const Result<Simulated> simulated = simulate(m, o);
    ASSERT_FALSE(is) << c.parameter;
    ASSERT_FALSE(a) << c.parameter;
    ASSERT_FALSE(simulated) << c.parameter;
    EXPECT_EQ(is.error().message(), c.message);
    EXPECT_EQ(a.error().message(), c.message);
    EXPECT_EQ(simulated.error().message(), c.message);
  }
}

// Also of a sweep, whose other points are computed by the tape.
TEST(PamelaRanges, PointsOutsideAreErrors) {
  for (const char *body : {"n", "2"}) {
    const Model m = modelOf("numeric parameter n >= 0\nprocess main = delay(max(n, " +
                            std::string(body) + "))");
    Result<Formula> f = Formula::of(m, {}, {"n"});
    ASSERT_TRUE(f);
    std::vector<Evaluated> out(3);
    EXPECT_TRUE(f->at(std::vector<double>{0, 1, 2}, out));
    EXPECT_EQ(f->pointByPoint(), 0u);
    const Status s = f->at(std::vector<double>{0, 1, -2}, out);
    ASSERT_FALSE(s) << body;
    EXPECT_NE(s.error().message().find("n = -2 is not in its range"), std::string::npos);
  }
}

TEST(PamelaRanges, WhatIsNoRangeIsAnError) {
  for (const auto &[text, message] :
       {std::pair{"numeric n >= 0 = 1", "only a numeric parameter without arguments has a range"},
        {"numeric parameter f(a) >= 0 = a", "only a numeric parameter without arguments"},
        {"process parameter p >= 0", "only a numeric parameter without arguments"},
        {"numeric parameter n >= 0 and = 1", "expected '<=' and the largest value of 'n'"},
        {"numeric parameter n <= 0 <= 1", "a range is >= a and <= b"},
        {"numeric parameter n >= 0 <= 1", "a range is >= a and <= b"}}) {
    const Result<Model> m = parseText(text, "m.pam");
    ASSERT_FALSE(m) << text;
    EXPECT_NE(m.error().message().find(message), std::string::npos) << m.error().message();
  }
  EXPECT_FALSE(check(*parseText("numeric parameter n >= n", "m.pam")).empty());
  EXPECT_FALSE(check(*parseText("numeric parameter n >= m", "m.pam")).empty());
  EXPECT_FALSE(
      check(*parseText("numeric parameter n >= p\nprocess p = delay(1)", "m.pam")).empty());
}
