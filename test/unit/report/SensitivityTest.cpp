// Derivatives and elasticities of figures: laws whose percentiles are known, kinks, steps and ends.
#include "quincunx/report/Sensitivity.h"
#include "quincunx/pamela/Parse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

using namespace quincunx;
using pamela::elasticity;
using pamela::FigureSlope;
using pamela::Sensitivity;

namespace {

Sensitivity of(const std::string &text, std::map<std::string, double> values,
               const std::string &parameter = "n") {
  const Result<pamela::Model> model = pamela::parseText(text, "m.pam");
  EXPECT_TRUE(model) << text;
  pamela::EvaluateOptions options;
  options.parameters = std::move(values);
  Result<Sensitivity> s = sensitivityOf(*model, options, parameter);
  EXPECT_TRUE(s) << text << s.error().message();
  return s ? *s : Sensitivity{};
}

double elasticityOf(const Sensitivity &s, const FigureSlope &f) {
  return elasticity(f.slope.value, s.at, f.value);
}

std::string shown(const Sensitivity &s) {
  std::ostringstream out;
  printSensitivities("main", {s}, {}, out);
  return out.str();
}

} // namespace

TEST(Sensitivity, ElasticityOfAPowerIsItsExponent) {
  for (int k = 1; k <= 4; ++k) {
    const Sensitivity s = of("numeric parameter n numeric parameter c process main = delay(c * n^" +
                                 std::to_string(k) + ")",
                             {{"n", 7}, {"c", 0.3}});
    ASSERT_EQ(s.figures.size(), 1u);
    EXPECT_TRUE(s.figures[0].isExact);
    EXPECT_NEAR(elasticityOf(s, s.figures[0]), k, 1e-12);
  }
}

// All percentiles of c X are c times those of X.
TEST(Sensitivity, PercentilesGrowWithTheScale) {
  for (const char *text : {"exponential(n)", "n * uniform(1, 3)", "n^2 * gamma(2, 1)",
                           "n * exponential(1) + n * uniform(0, 1)"}) {
    const Sensitivity s =
        of("numeric parameter n process main = delay(" + std::string(text) + ")", {{"n", 3}});
    ASSERT_EQ(s.figures.size(), 6u);
    const double k = std::string(text).find("n^2") == 0 ? 2 : 1;
    EXPECT_TRUE(s.figures[0].isExact);
    for (const FigureSlope &f : s.figures)
      EXPECT_NEAR(elasticityOf(s, f), k, 1e-4) << text << " " << f.figure;
  }
}

// The lower bound of a machine repair model is N (tl + ts), or P N ts where the server is full.
TEST(Sensitivity, OfAModel) {
  const std::string text = "numeric parameter P numeric parameter N = 10\n"
                           "process main = par (p = 1, P) seq (i = 1, N) "
                           "{ delay(10); use(fcfs(0, 1), 0.1) }";
  const Sensitivity full = of(text, {{"P", 200}}, "P");
  EXPECT_TRUE(full.isBound);
  EXPECT_NEAR(full.figures[0].slope.value, 1, 1e-12);
  EXPECT_NEAR(elasticityOf(full, full.figures[0]), 1, 1e-12);
  const Sensitivity empty = of(text, {{"P", 20}}, "P");
  EXPECT_EQ(empty.figures[0].slope.value, 0);
  const Sensitivity between = of(text, {{"P", 101}}, "P");
  EXPECT_EQ(between.figures[0].slope.kind, Slope::Kind::kink);
  EXPECT_NEAR(between.figures[0].slope.below, 0, 1e-9);
  EXPECT_NEAR(between.figures[0].slope.above, 1, 1e-6);
  EXPECT_NE(shown(between).find("a kink: from below 0, from above 1"), std::string::npos)
      << shown(between);
  EXPECT_NE(shown(full).find("of the lower bound"), std::string::npos);
}

TEST(Sensitivity, WhereThereIsNone) {
  const std::string floor = "numeric parameter n process main = delay(floor(n) + n)";
  EXPECT_EQ(of(floor, {{"n", 4}}).figures[0].slope.kind, Slope::Kind::step);
  EXPECT_NE(shown(of(floor, {{"n", 4}})).find("a step: none"), std::string::npos);
  EXPECT_NEAR(of(floor, {{"n", 4.5}}).figures[0].slope.value, 1, 1e-12);
  const Sensitivity end = of("numeric parameter n >= 2 process main = delay(n^2)", {{"n", 2}});
  EXPECT_EQ(end.figures[0].slope.kind, Slope::Kind::above);
  EXPECT_NEAR(end.figures[0].slope.value, 4, 1e-9);
  const Sensitivity unused = of("numeric parameter n process main = delay(2)", {{"n", 2}});
  EXPECT_EQ(unused.figures[0].slope.value, 0);
}

// A number of turns: of the closed form, which is said; of what has none, by differences.
TEST(Sensitivity, InANumberOfTurns) {
  const Sensitivity s =
      of("numeric parameter n process main = seq (i = 1, n) delay(i)", {{"n", 10}});
  EXPECT_NEAR(s.figures[0].slope.value, 10.5, 1e-12);
  EXPECT_NE(shown(s).find("n whole"), std::string::npos) << shown(s);
  const Sensitivity t = of("numeric parameter n numeric parameter m = 2 * n\n"
                           "process main = seq (i = 1, 5) delay(m * sqrt(i))",
                           {{"n", 3}});
  EXPECT_NEAR(elasticityOf(t, t.figures[0]), 1, 1e-9);
}

TEST(Sensitivity, Errors) {
  const Result<pamela::Model> model =
      pamela::parseText("numeric parameter n = exponential(1) process main = delay(n)", "m.pam");
  EXPECT_FALSE(sensitivityOf(*model, {}, "n"));
  EXPECT_FALSE(sensitivityOf(*model, {}, "m"));
}
