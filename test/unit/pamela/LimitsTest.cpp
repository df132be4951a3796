// What is too large is refused with a place, soon; what only looks large is not refused. Each text
// here would take forever, or all of the stack or the memory, without a limit.
#include "quincunx/pamela/Check.h"
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/pamela/Parse.h"
#include "quincunx/pamela/Simulate.h"

#include <gtest/gtest.h>

#include <ctime>

using namespace quincunx;
using namespace quincunx::pamela;

namespace {

Result<double> evaluatedMean(const Model &model) {
  EvaluateOptions few;
  few.steps = 2'000'000;
  const Result<Evaluated> e = evaluate(model, few);
  return e ? Result<double>(e->T.k1) : e.error();
}

Result<double> simulatedTime(const Model &model) {
  SimulateOptions two;
  two.replications = 2;
  two.maxEvents = 10'000'000;
  const Result<Simulated> s = simulate(model, two);
  return s ? Result<double>(s->times[0]) : s.error();
}

using Way = Result<double>(const Model &model);

/// Within some seconds of the processor, which sanitizers make ten times as many.
Result<double> soon(Way *way, const std::string &text) {
  const Result<Model> model = parseText(text, "m.pam");
  if (!model)
    return model.error();
  if (const std::vector<Error> wrong = check(*model); !wrong.empty())
    return wrong.front();
  const std::clock_t begin = std::clock();
  const Result<double> result = way(*model);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 20) << text.substr(0, 100);
  return result;
}

void refuses(Way *way, const std::string &text, const std::string &words) {
  const Result<double> r = soon(way, text);
  ASSERT_FALSE(r) << text.substr(0, 100) << " is " << *r;
  EXPECT_NE(r.error().message().find(words), std::string::npos) << r.error().message();
  EXPECT_GT(r.error().line, 0u) << r.error().message();
  EXPECT_GT(r.error().column, 0u) << r.error().message();
}

double value(Way *way, const std::string &text) {
  const Result<double> r = soon(way, text);
  EXPECT_TRUE(r) << text.substr(0, 100) << (r ? "" : r.error().message());
  return r ? *r : -1;
}

/// x0 = first, and each of the next by the one before, as {} stands for it; the last one is main.
std::string levels(const std::string &kind, int n, const std::string &first,
                   const std::string &next, const std::string &use) {
  std::string text = kind + " x0 = " + first + "\n";
  for (int i = 1; i <= n; ++i) {
    text += kind + " x" + std::to_string(i) + " = ";
    for (const char c : next)
      text += c == '@' ? "x" + std::to_string(i - 1) : std::string(1, c);
    text += "\n";
  }
  return text + "process main = " + use + "(x" + std::to_string(n) + ")";
}

std::string chain(const std::string &operand, const std::string &sign, int n) {
  std::string text = operand;
  for (int i = 1; i < n; ++i)
    text += sign + operand;
  return text;
}

constexpr const char *below = "both must be finite numbers, below 2^53";

} // namespace

TEST(PamelaLimits, IndicesThatCannotGrow) {
  const std::string range = "(i = 9007199254740992, 9007199254740996)";
  for (const std::string op : {"sum", "max", "min"})
    for (Way *way : {evaluatedMean, simulatedTime})
      refuses(way, "process main = delay(" + op + " " + range + " (i mod 2))", below);
  for (const std::string op : {"seq", "par", "any par"})
    for (Way *way : {evaluatedMean, simulatedTime})
      refuses(way, "process main = " + op + " " + range + " delay(i mod 2)", below);
  EXPECT_EQ(value(evaluatedMean, "process main = seq (i = 9007199254740990, 9007199254740991) "
                                 "delay(i - 9007199254740989)"),
            3);
  EXPECT_EQ(value(simulatedTime, "process main = seq (i = 9007199254740990, 9007199254740991) "
                                 "delay(i - 9007199254740989)"),
            3);
}

TEST(PamelaLimits, BoundsThatAreHuge) {
  for (const std::string bound : {"1e15", "1e18", "1e308"})
    for (const std::string body :
         {"seq (i = 1, # ) delay(i)", "par (i = 1, # ) delay(i)", "delay(sum (i = 1, # ) i)",
          "delay(max (i = 1, # ) i)", "any (2) par (i = 1, # ) delay(i)",
          "switch (sum (i = 1, # ) i) { 1 : delay(1) }",
          "delay(max(sum (i = 1, # ) unitvec(i mod 3)))"}) {
      const std::string text =
          "process main = " + std::string(body).replace(body.find('#'), 1, bound);
      for (Way *way : {evaluatedMean, simulatedTime})
        refuses(way, text, "");
    }
  for (const std::string bound : {"inf", "(inf - inf)", "(-inf)"})
    refuses(evaluatedMean, "process main = seq (i = 1, " + bound + ") delay(1)", "m.pam:1:");
  // What does not depend on the index is counted.
  EXPECT_EQ(value(evaluatedMean, "process main = seq (i = 1, 1e18) delay(2)"), 2e18);
  EXPECT_EQ(value(evaluatedMean, "process main = par (i = 1, 1e18) delay(2)"), 2);
}

TEST(PamelaLimits, DefinitionsThatDouble) {
  const std::string tooMany = "parts to go through", unfold = "too large to unfold";
  const std::string constants = levels("numeric", 60, "1", "@ + @", "delay");
  refuses(evaluatedMean, constants, tooMany);
  EXPECT_EQ(value(simulatedTime, constants), 0x1p60);
  const std::string random = levels("numeric", 60, "exponential(1)", "@ + @", "delay");
  refuses(evaluatedMean, random, tooMany);
  refuses(simulatedTime, random, unfold);
  for (const std::string sign : {";", "||"}) {
    const std::string parts = levels("process", 60, "delay(1)", "@ " + sign + " @", "");
    refuses(evaluatedMean, parts, tooMany);
    refuses(simulatedTime, parts, unfold);
    const std::string nothing =
        "numeric c = 0\n" + levels("process", 60, "if (c) delay(1)", "@ " + sign + " @", "");
    refuses(evaluatedMean, nothing, tooMany);
    refuses(simulatedTime, nothing, unfold);
  }
}

TEST(PamelaLimits, LongChains) {
  for (const auto &[operand, sign, expected] :
       std::vector<std::tuple<std::string, std::string, double>>{{"1", "+", 100000},
                                                                 {"uniform(1, 1)", "+", 100000},
                                                                 {"1", "*", 1},
                                                                 {"uniform(1, 1)", " and ", 1}}) {
    const std::string text = chain(operand, sign, 100000);
    EXPECT_NEAR(value(simulatedTime, "process main = delay(" + text + ")"), expected, 1e-6) << sign;
    if (sign != " and ")
      EXPECT_NEAR(value(evaluatedMean, "process main = seq (i = 1, 2) delay(" + text + ")"),
                  2 * expected, 1e-6);
  }
}

TEST(PamelaLimits, DeepNesting) {
  for (const std::string kind : {"numeric", "resource"}) {
    const std::string use = kind == "numeric" ? "delay(" : "use(";
    std::string text = kind + " x0 = " + (kind == "numeric" ? "1" : "fcfs(0, 1)") + "\n";
    constexpr int n = 100000;
    for (int i = 1; i <= n; ++i)
      text += kind + " x" + std::to_string(i) + " = x" + std::to_string(i - 1) + "\n";
    text += "process main = " + use + "x" + std::to_string(n) + (kind == "numeric" ? ")" : ", 1)");
    refuses(evaluatedMean, text, "deep");
    refuses(simulatedTime, text, "");
  }
  // Each level of brackets in each of many names.
  std::string text = "numeric x0 = uniform(1, 1)\n";
  for (int i = 1; i <= 200; ++i)
    text += "numeric x" + std::to_string(i) + " = " + chain("(1 + ", "", 450) + "x" +
            std::to_string(i - 1) + std::string(450, ')') + "\n";
  text += "process main = delay(x200)";
  refuses(evaluatedMean, text, "nested more than 2000 deep");
  refuses(simulatedTime, text, "nested more than 2000 deep");
  // The same, each name before it is used in the next: nothing is deep but the value.
  std::string uses = "\nprocess all = delay(x0)";
  for (int i = 1; i <= 200; ++i)
    uses += "; delay(x" + std::to_string(i) + ")";
  const size_t last = text.rfind("\nprocess");
  refuses(simulatedTime, text.substr(0, last) + uses + "\nprocess main = all",
          "nested more than 2000 deep");
}

TEST(PamelaLimits, JoinsOfManyLaws) {
  refuses(evaluatedMean, "process main = par (i = 1, 1000) delay(exponential(i))",
          "more than 300 different random numbers");
  refuses(evaluatedMean, "process main = delay(max (i = 1, 1000) exponential(i))",
          "more than 300 different random numbers");
  // Many joins of a few.
  refuses(evaluatedMean, "process main = seq (i = 1, 1e6) par (j = 1, 4) delay(exponential(i * j))",
          "parts to go through");
  // A constant that is always the largest takes no join; equal laws are one.
  EXPECT_EQ(value(evaluatedMean, "process main = par (i = 1, 20000) delay(i)"), 20000);
  EXPECT_GT(
      value(evaluatedMean, "process main = par (i = 1, 20000) delay(exponential(1 + i mod 2))"), 9);
  // So do demands that all differ.
  EXPECT_EQ(value(evaluatedMean, "process main = par (i = 1, 50000) use(fcfs(i, 1), i)"), 50000);
}

TEST(PamelaLimits, ErrorsHaveAPlace) {
  // Wherever the steps come to an end, also at the order of an any that nobody wrote.
  const Result<Model> model = parseText("resource r = fcfs(0, 1)\n"
                                        "process main = any { delay(1) || use(r, 2) }",
                                        "m.pam");
  ASSERT_TRUE(model);
  for (size_t steps = 0;; ++steps) {
    EvaluateOptions few;
    few.steps = steps;
    const Result<Evaluated> e = evaluate(*model, few);
    if (e) {
      EXPECT_GT(steps, 5u);
      break;
    }
    EXPECT_GT(e.error().line, 0u) << steps;
    EXPECT_GT(e.error().column, 0u) << steps;
  }
  // All demands are only joined at the end.
  refuses(evaluatedMean, "process main = seq (i = 1, 400) use(fcfs(i, 1), exponential(i))",
          "more than 300 different random numbers");
  // A number that no integer holds.
  refuses(evaluatedMean, "process main = any (1e30) { delay(1) || delay(2) }",
          "the 1e+30-th of 2 parts is none of them");
}

TEST(PamelaLimits, Definitions) {
  std::string arguments = "a";
  for (int i = 0; i < 200; ++i)
    arguments += ", a" + std::to_string(i);
  refuses(evaluatedMean, "numeric f(" + arguments + ") = 1", "more than 200 arguments");
  // Every one names every one: as many circles as pairs.
  std::string all, text;
  for (int i = 0; i < 500; ++i)
    all += (i == 0 ? "x" : " + x") + std::to_string(i);
  for (int i = 0; i < 500; ++i)
    text += "numeric x" + std::to_string(i) + " = " + all + "\n";
  refuses(evaluatedMean, text, "definitions go in a circle");
  const Result<Model> model = parseText(text, "m.pam");
  ASSERT_TRUE(model);
  for (const Error &e : check(*model))
    EXPECT_LT(e.message().size(), 300u);
}
