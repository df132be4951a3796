// Derivatives of models: identities, and differentiation against finite differences.
#include "quincunx/pamela/Analyze.h"
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/pamela/Parse.h"
#include "quincunx/pamela/Print.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

using namespace quincunx;
using namespace quincunx::pamela;

namespace {

Model modelOf(const std::string &text) {
  Result<Model> model = parseText(text, "m.pam");
  EXPECT_TRUE(model) << text << model.error().message();
  return model ? *model : Model{};
}

Analyzed derived(const std::string &text, const std::string &in = "n") {
  AnalyzeOptions options;
  options.target = "x", options.derivatives = {in};
  Result<Analyzed> a = analyze(modelOf(text), options);
  EXPECT_TRUE(a) << text << a.error().message();
  return a ? *a : Analyzed{};
}

std::string named(const Analyzed &a, const std::string &name) {
  for (const Definition &d : a.model.definitions)
    if (d.name == name)
      return print(d.body);
  return "none";
}

} // namespace

TEST(PamelaDerivatives, Expressions) {
  const std::string parameters = "numeric parameter n >= 0\nnumeric parameter t\n";
  const std::pair<const char *, const char *> cases[] = {
      {"3 * n^2", "6 * n"},
      {"t / n", "-t / n^2"},
      {"sum (i = 1, n) i * t", "t * (2 * n + 1) / 2"},
      {"max(n, t)", "if (t <= n) 1 else 0"},
      {"2^n", "0.6931471805599453 * 2^n"},
      {"exp(2 * n)", "2 * exp(2 * n)"},
      {"log(n)", "1 / n"},
      {"floor(n / 4) + 2 * n", "2"},
      {"sum (i = 1, 10) sqrt(i) * n", "sum (i = 1, 10) sqrt(i)"},
      {"sum (i = 1, n) sqrt(i)", "none"},
      {"n * exponential(3)", "3"},
      {"if (0.25) n else exponential(n)", "1"},
      {"max(exponential(n), exponential(1))", "none"},
      {"n * t + (if (t > 2) (n^2) else 0)", "t + if (2 < t) (2 * n) else 0"},
  };
  for (const auto &[text, expected] : cases) {
    const Analyzed a = derived(parameters + "numeric x = " + text);
    const std::string d = named(a, "dx_dn");
    EXPECT_EQ(d, expected) << text;
    EXPECT_EQ(a.missing.empty(), d != "none") << text;
  }
}

// c n^k grows by k percent with each.
TEST(PamelaDerivatives, ElasticityOfAPowerIsItsExponent) {
  for (int k = 1; k <= 6; ++k) {
    const Analyzed a =
        derived("numeric parameter n\nnumeric parameter c\nnumeric x = c * n^" + std::to_string(k));
    EXPECT_EQ(named(a, "elasticity_x_n"), std::to_string(k));
  }
  EXPECT_EQ(named(derived("numeric parameter n\nnumeric parameter t\n"
                          "numeric x = sum (i = 1, n) t * exponential(2)"),
                  "elasticity_x_n"),
            "1");
}

TEST(PamelaDerivatives, NeedASymbol) {
  AnalyzeOptions options;
  options.target = "x", options.derivatives = {"m"};
  const Model model = modelOf("numeric parameter n\nnumeric x = n");
  EXPECT_FALSE(analyze(model, options));
  options.derivatives = {"n"}, options.parameters = {{"n", 3}};
  EXPECT_FALSE(analyze(model, options));
}

// Generated expressions, at points away from kinks: those where both sides differ are left out.
TEST(PamelaDerivatives, AreFiniteDifferences) {
  std::mt19937_64 random(11);
  const auto pick = [&](auto... all) {
    const std::string list[] = {all...};
    return list[random() % (sizeof...(all))];
  };
  const auto number = [&] { return std::to_string(1 + random() % 5); };
  const std::function<std::string(int)> expression = [&](int depth) -> std::string {
    if (depth == 0)
      return pick("n", "t", number(), "n * t", "n / t");
    const std::string a = expression(depth - 1), b = expression(depth - 1), k = number();
    return pick("(" + a + " + " + b + ")", "(" + a + ") * (" + b + ")", "(" + a + ")^2",
                "(" + a + ") / (1 + (" + b + ")^2)", "max(" + a + ", " + b + ")",
                "min(" + a + ", " + b + ", " + k + ")", "sqrt(1 + (" + a + ")^2)",
                "(sum (i = 1, " + k + ") (" + a + ") * sqrt(i + t))", "exp(0 - (" + a + ")^2)",
                "log(1 + abs(" + a + "))", "abs(" + a + " - " + b + ")",
                "(if (" + a + " > " + b + ") (" + b + ") else (" + a + "))",
                "((" + a + ") mod " + k + ")", "floor(" + a + ") * n",
                "(2 + t)^(" + pick("n", "t", "n / 2") + ")");
  };
  size_t compared = 0;
  for (int m = 0; m < 300; ++m) {
    const std::string text =
        "numeric parameter n\nnumeric parameter t\nnumeric x = " + expression(3);
    const Analyzed a = derived(text);
    const Model model = modelOf(text);
    for (int p = 0; p < 3; ++p) {
      const double n = 0.3 + 0.01 * static_cast<double>(random() % 300);
      const auto at = [&](const Model &in, const std::string &target, double x) {
        EvaluateOptions o;
        o.target = target;
        for (const Definition &d : in.definitions)
          if (d.name == "n" || d.name == "t")
            o.parameters[d.name] = d.name == "n" ? x : 1.37;
        const Result<Evaluated> e = evaluate(in, o);
        return e ? e->T.k1 : std::nan("");
      };
      const double h = 1e-5, f = at(model, "x", n), up = at(model, "x", n + h),
                   down = at(model, "x", n - h);
      if (!(std::fabs(f) < 1e6) || !(std::fabs((up - f) - (f - down)) < 1e-7 * (1 + std::fabs(f))))
        continue;
      const double is = at(a.model, "dx_dn", n), should = (up - down) / (2 * h);
      EXPECT_NEAR(is, should, 1e-4 * std::max(1.0, std::fabs(should)) + 1e-9 * std::fabs(f) / h)
          << text << "\nn = " << n << "\n"
          << print(a.model);
      ++compared;
    }
  }
  EXPECT_GT(compared, 400u);
}
