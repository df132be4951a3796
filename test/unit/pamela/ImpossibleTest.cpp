// What cannot be, a law or a probability or a resource, is an error with its place wherever it
// stands and whoever is asked: each of a list, in each context of another, by every way to an
// answer. A parameter of 30 is one of a probability when it is given, not before.
#include "quincunx/pamela/Analyze.h"
#include "quincunx/pamela/Check.h"
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/pamela/Formula.h"
#include "quincunx/pamela/Parse.h"
#include "quincunx/pamela/Simulate.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace quincunx;
using namespace quincunx::pamela;

namespace {

/// `(x)` stands for a number that is bad at x = 30, and good at 0.25.
const std::vector<std::string> numbers{
    "(if (x) 1 else 2)",
    "(if (0.25 - x) 1 else 2)",
    "(if (x) 1 else 1)",
    "(if (moments(x, 0.1875, 1.1547005, 2.3333333)) 1 else 2)",
    "(switch { x: 1, 0.5: 2 })",
    "(switch { 0.25 - x: 1, else: 2 })",
    "moments(1, 0.25 - x, 0, 3)",
    "normal(3, 0.25 - x)",
    "uniform(x, 1)",
    "gamma(1, 0.25 - x)",
    "gamma(0.5 - x, 1)",
    "lognormal(0.5 - x, 1)",
    "exponential(0.5 - x)",
    "bernoulli(x)",
    "histogram(1, 0.5 - x, 2, 100)",
    "histogram(1, max(0, 0.5 - x))",
    "log(1.5 - x)",
    "sqrt(0.5 - x)",
    "(1 / max(0, 0.5 - x))",
    "(if (1 / max(0, 0.5 - x) > 0) 1 else 2)",
    "max(2, log(1.5 - x))",
    "lognormal(1, 10^(10 * x - 2.5))",
};
const std::vector<std::string> resources{
    "fcfs(2 * max(x, 0.5) + floor(x) / 60, 1)",
    "fcfs(0, 1 - floor(x))",
    "fcfs(0, 0.75 + x)",
};
/// Of parts that are awaited: 1.5, and 31 of 2.
const std::vector<std::string> orders{
    "any (1 + floor(x) / 60) { delay(1) || delay(2) }",
    "any (1 + floor(x)) { delay(1) || delay(2) }",
};
/// X stands for the number.
const std::vector<std::string> inNumbers{
    "X",
    "1 + X",
    "max(X, 1)",
    "max(X, X)",
    "min(X, 5)",
    "2 * X",
    "max(1000, X)",
    "min(1, X)",
    "sum (i = 1, 3) X",
    "max (i = 1, 3) X",
    "max (i = 1, 3) (i + X)",
    "any (2) max(X, 1, 2)",
    "any (2) (max (i = 1, 3) X)",
    "if (0.5) (X) else 1",
    "if (x >= 0) (X) else 1",
    "switch { 0.5: (X), else: 1 }",
};
/// X stands for a process.
const std::vector<std::string> inProcesses{
    "X",
    "X; delay(1)",
    "X || delay(1)",
    "X || X",
    "X || delay(1000)",
    "par (i = 1, 3) X",
    "seq (i = 1, 3) X",
    "any (X || delay(1))",
    "any (2) par (i = 1, 3) X",
    "any (X || delay(0.01))",
    "if (0.5) X else delay(1)",
    "switch { 0.5: X, else: delay(1) }",
    "par (i = 1, 2) { delay(i) || { X; use(fcfs(9, 1), 1) } }",
};

std::string with(std::string text, const std::string &part) {
  for (size_t at = 0; (at = text.find('X', at)) != std::string::npos; at += part.size())
    text.replace(at, 1, part);
  return text;
}

/// Where the part stands in each context once, and in all the numbers' contexts one after the
/// other.
std::vector<std::string> processes() {
  std::vector<std::string> all;
  size_t n = 0;
  for (const std::string &process : inProcesses) {
    for (const std::string &number : numbers)
      for (size_t twice = 0; twice < 2; ++twice) {
        const std::string x = with(inNumbers[n++ % inNumbers.size()], number);
        all.push_back(with(process, twice ? "use(fcfs(3, 1), " + x + ")" : "delay(" + x + ")"));
      }
    for (const std::string &resource : resources)
      all.push_back(with(process, "use(" + resource + ", 2)"));
    for (const std::string &order : orders)
      all.push_back(with(process, order));
  }
  for (const std::string &context : inNumbers)
    for (const std::string &number : numbers)
      all.push_back("delay(" + with(context, number) + ")");
  return all;
}

Model modelOf(const std::string &process) {
  const Result<Model> m =
      parseText("numeric parameter x\nprocess main =\n  " + process + "\n", "bad.pam");
  EXPECT_TRUE(m) << process << (m ? "" : m.error().message());
  EXPECT_TRUE(check(*m).empty()) << process << check(*m)[0].message();
  return *m;
}

Status byFormula(const Model &m, double x) {
  const EvaluateOptions options;
  Result<Formula> f = Formula::of(m, options, {"x"});
  if (!f)
    return f.error();
  const double points[] = {0.25, x, 0.25};
  Evaluated out[3];
  return f->at(points, out);
}

Status byFormulaAlone(const Model &m, double x) {
  EvaluateOptions options;
  options.parameters["x"] = x;
  Result<Formula> f = Formula::of(m, options, {});
  if (!f)
    return f.error();
  Evaluated out[1];
  return f->at({}, out);
}

template <class T> Status status(const Result<T> &r) {
  return r ? Status(Done{}) : Status(r.error());
}

Status byEvaluation(const Model &m, double x) {
  EvaluateOptions options;
  options.parameters["x"] = x;
  return status(evaluate(m, options));
}

Status byAnalysis(const Model &m, double x) { return status(analyze(m, {"main", {{"x", x}}})); }

/// A fifth of draws of 0.5 and so on are not there in a run; 60 of them will be.
Status bySimulation(const Model &m, double x) {
  SimulateOptions options;
  options.parameters["x"] = x;
  options.replications = 60;
  return status(simulate(m, options));
}

/// Processes wait; the k-th of numbers is for evaluation alone.
bool isDrawn(const std::string &process) {
  return process.find("any (2) max") == std::string::npos &&
         process.find("any (2) (max") == std::string::npos;
}

struct Way {
  const char *name;
  Status (*ask)(const Model &m, double x);
};
constexpr Way ways[] = {{"evaluate", byEvaluation},
                        {"formula", byFormula},
                        {"formula of a number", byFormulaAlone},
                        {"analyze", byAnalysis},
                        {"simulate", bySimulation}};

} // namespace

TEST(PamelaImpossible, IsAnErrorWithItsPlaceWhereverItStands) {
  size_t expressions = 0;
  for (const std::string &process : processes()) {
    const Model m = modelOf(process);
    for (const auto &[name, way] : ways) {
      // A division whose result does not matter may cancel out in closed forms.
      if ((way == bySimulation && !isDrawn(process)) ||
          (way == byFormula && process.find("(1 / max") != std::string::npos))
        continue;
      const Status bad = way(m, 30), good = way(m, 0.25);
      EXPECT_FALSE(bad) << name << ": " << process;
      if (!bad) {
        EXPECT_EQ(bad.error().file, "bad.pam") << name << ": " << process << bad.error().text;
        EXPECT_EQ(bad.error().line, 3U) << name << ": " << process << bad.error().text;
      }
      if (name != std::string("analyze"))
        EXPECT_TRUE(good) << name << ": " << process << good.error().message();
      else
        expressions += static_cast<bool>(good);
    }
  }
  EXPECT_GT(expressions, processes().size() / 2);
}
