// Symbolic results against going through the model: the same values at random parameters, and a
// printed result that is a model with the same values.
#include "quincunx/pamela/Formula.h"
#include "quincunx/pamela/Analyze.h"
#include "quincunx/pamela/Check.h"
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

/// Random models with parameters P, N, M (whole) and t, u (any): loops with symbolic bounds within
/// each other, times and resources that depend on their indices.
class Writer {
public:
  Writer(uint64_t seed, bool randomTimes) : random(seed), isRandom(randomTimes) {}

  std::string model() {
    std::string text = "numeric parameter P\nnumeric parameter N\nnumeric parameter M\n"
                       "numeric parameter t\nnumeric parameter u\n"
                       "resource r(i) = fcfs(i, 1)\nresource s(i) = fcfs(100000 + i, 2)\n";
    const std::string f = process(2);
    text += "process f(a, b) = " + replaced(f) + "\n";
    text += "process main = " + process(4) + "\n";
    return text;
  }

private:
  size_t pick(size_t n) { return random() % n; }
  std::string of(std::initializer_list<std::string> all) { return all.begin()[pick(all.size())]; }
  std::string index() { return indices.empty() ? of({"1", "2"}) : indices[pick(indices.size())]; }
  /// A whole number, not below 0.
  std::string whole() {
    const std::string i = index(), j = index();
    return of({"P", "N", "M", "2", "3", i, i + " + 1", "2 * " + i, i + " mod 3", i + " div 2",
               i + " + " + j, "max(" + i + ", 2)", "gcd(" + i + ", 4)", "N * " + i, i + "^2"});
  }
  std::string time() {
    const std::string i = index();
    const std::string t = of({"t",
                              "u",
                              "2 * t",
                              "t + u",
                              "1",
                              "0.5",
                              "t * " + i,
                              "t / 4",
                              "max(t, u)",
                              "min(t, 2 * u)",
                              "t * " + whole(),
                              "u + " + whole(),
                              "(sum (k = 1, N) k * t)",
                              "(max (k = 1, M) k + u)",
                              "2^" + i,
                              "if (" + i + " == 2) t else u",
                              "floor(t * " + i + ")",
                              "sqrt(" + whole() + ")",
                              "t^2 * u",
                              "(t + u)^2 / (1 + t)"});
    if (!isRandom || pick(2))
      return t;
    return of({"exponential(t)", "uniform(0, u + 1)", "gamma(2, 1)", "moments(3, 1, 0.5, 4)",
               "t * exponential(2)", "exponential(1) + u", "uniform(1, 2) + exponential(1)",
               "exponential(" + std::to_string(1 + pick(3)) + ")"});
  }
  std::string resource() {
    const std::string i = index();
    return of({"r(0)", "r(" + i + ")", "r(" + i + " mod P)", "r(" + i + " div 2)", "s(1)",
               "s(" + i + ")", "r(N + " + i + ")", "r(2 * " + i + ")", "r(" + whole() + ")"});
  }
  std::string process(int depth) {
    if (depth == 0 || pick(6) == 0)
      return of({"delay(" + time() + ")", "use(" + resource() + ", " + time() + ")"});
    const auto part = [&] { return "{ " + process(depth - 1) + " }"; };
    switch (pick(9)) {
    case 0:
    case 1: {
      const std::string first = part();
      return first + "; " + part();
    }
    case 2: {
      const std::string first = part();
      return first + " || " + part();
    }
    case 3: {
      const std::string condition = index(), yes = part();
      return "if (" + condition + of({" > 1", " == N", " <= 2", " < P"}) + ") " + yes + " else " +
             part();
    }
    case 4:
      if (isRandom) {
        const std::string yes = part();
        return "if (0.25) " + yes + " else " + part();
      }
      [[fallthrough]];
    default: {
      const std::string name = "i" + std::to_string(depth) + std::to_string(pick(2));
      const std::string to = of({"P", "N", "M", "N - 1", "2", "P * N", "N + M"});
      const std::string from = indices.empty() || pick(3) ? of({"1", "0", "2"}) : indices.back();
      indices.push_back(name);
      const std::string body = part();
      indices.pop_back();
      return of({"seq", "par", "seq"}) + " (" + name + " = " + from + ", " + to + ") " + body;
    }
    }
  }
  /// f has arguments for two of the parameters.
  static std::string replaced(std::string text) {
    for (size_t i = 0; i < text.size(); ++i) {
      const bool alone =
          (i == 0 || !isalnum(text[i - 1])) && (i + 1 == text.size() || !isalnum(text[i + 1]));
      if (alone && text[i] == 'N')
        text[i] = 'a';
      if (alone && text[i] == 't')
        text[i] = 'b';
    }
    return text;
  }

  std::mt19937_64 random;
  bool isRandom;
  std::vector<std::string> indices;
};

const std::vector<std::string> names{"P", "N", "M", "t", "u"};

struct Counts {
  size_t models = 0, points = 0, walked = 0, remarks = 0;
};

/// `joins`: of random times; laws are fitted to cumulants that differ in the last digits.
void compare(const std::string &text, bool joins, std::mt19937_64 &random, Counts &counts) {
  const Result<Model> model = parseText(text, "random.pam");
  ASSERT_TRUE(model) << text << model.error().message();
  ASSERT_TRUE(check(*model).empty()) << text << check(*model)[0].message();
  EvaluateOptions cumulants;
  cumulants.laws = false; // expressions have none
  Result<Formula> formula = Formula::of(*model, cumulants, names);
  ASSERT_TRUE(formula) << text << formula.error().message();
  constexpr size_t points = 2;
  std::vector<double> values;
  for (size_t p = 0; p < points; ++p)
    for (size_t i = 0; i < names.size(); ++i)
      values.push_back(i < 3 ? 1 + static_cast<double>(random() % 5)
                             : 0.25 * static_cast<double>(1 + random() % 16));
  std::vector<Evaluated> got(points);
  const Status whole = formula->at(values, got);
  EXPECT_TRUE(whole || joins) << text << whole.error().message();
  const Result<Analyzed> analyzed = analyze(*model);
  counts.models += 1, counts.points += points, counts.walked += formula->pointByPoint();
  counts.remarks += !formula->remark().empty();
  Result<Model> printed = Error{"none"};
  if (analyzed) {
    const std::string result = print(analyzed->model);
    printed = parseText(result, "result.pam");
    ASSERT_TRUE(printed) << text << result << printed.error().message();
    ASSERT_TRUE(check(*printed).empty()) << text << result << check(*printed)[0].message();
    ASSERT_EQ(print(*printed), result) << text;
  }
  const size_t before = formula->pointByPoint();
  for (size_t p = 0; p < points; ++p) {
    EvaluateOptions options = cumulants;
    std::string at;
    for (size_t i = 0; i < names.size(); ++i) {
      options.parameters[names[i]] = values[p * names.size() + i];
      at += names[i] + " = " + std::to_string(values[p * names.size() + i]) + " ";
    }
    const Result<Evaluated> is = evaluate(*model, options);
    const std::span<const double> here(&values[p * names.size()], names.size());
    const Status s = formula->at(here, std::span(&got[p], 1));
    ASSERT_EQ(static_cast<bool>(is), static_cast<bool>(s))
        << text << at << (is ? "" : is.error().message()) << (s ? "" : s.error().message());
    if (!is)
      continue;
    const auto near = [&](const Cumulants &a, const Cumulants &b, const char *what) {
      // Terms of a closed form that cancel each other are larger than what is left.
      const double scale = std::fabs(b.k1) + std::sqrt(std::max(0.0, b.k2)) + 10;
      const double sd = std::max(1e-3 * scale, std::sqrt(std::max(0.0, b.k2)));
      EXPECT_NEAR(a.k1, b.k1, (joins ? 1e-6 : 1e-12) * scale) << what << "\n" << text << at;
      EXPECT_NEAR(a.k2, b.k2, (joins ? 1e-5 : 1e-11) * scale * sd) << what << "\n" << text << at;
      EXPECT_NEAR(a.k3, b.k3, (joins ? 1e-4 : 1e-10) * scale * sd * sd) << what << "\n"
                                                                        << text << at;
    };
    near(got[p].T, is->T, "T");
    near(got[p].phi, is->phi, "phi");
    near(got[p].omega, is->omega, "omega");
    if (p == 0 && before == 0 && printed) {
      for (const char *what : {"T", "phi", "omega"}) {
        options.target = std::string(what) + "_main";
        std::map<std::string, double> all = options.parameters;
        std::erase_if(options.parameters, [&](const auto &given) {
          return std::none_of(printed->definitions.begin(), printed->definitions.end(),
                              [&](const Definition &d) { return d.name == given.first; });
        });
        const Result<Evaluated> again = evaluate(*printed, options);
        ASSERT_TRUE(again) << text << print(*printed) << at << again.error().message();
        near(again->T,
             *what == 'T'   ? is->T
             : *what == 'p' ? is->phi
                            : is->omega,
             (std::string("printed ") + what + "\n" + print(*printed)).c_str());
        options.parameters = all;
      }
    }
    if (::testing::Test::HasFailure())
      return;
  }
}

} // namespace

TEST(PamelaFormula, ConstantModelsAreWhatTheyWere) {
  std::mt19937_64 random(7);
  Counts counts;
  for (uint64_t seed = 0; seed < 10000 && !HasFailure(); ++seed)
    compare(Writer(seed, false).model(), false, random, counts);
  // Closed forms hold at most points, and most models have one.
  EXPECT_LT(counts.walked, counts.points / 2);
  EXPECT_LT(counts.remarks, counts.models * 2 / 3);
}

TEST(PamelaFormula, RandomModelsAreWhatTheyWere) {
  std::mt19937_64 random(8);
  Counts counts;
  for (uint64_t seed = 0; seed < 500 && !HasFailure(); ++seed)
    compare(Writer(seed, true).model(), true, random, counts);
  EXPECT_LT(counts.walked, counts.points / 2);
}

/// Long sums of draws of known laws, scaled and not, so many of each or one, between others.
TEST(PamelaFormula, LongSumsOfDraws) {
  std::mt19937_64 random(9);
  Counts counts;
  for (uint64_t seed = 0; seed < 200 && !HasFailure(); ++seed) {
    std::string text = "numeric parameter P\nnumeric parameter N\nnumeric parameter M\n"
                       "numeric parameter t\nnumeric parameter u\nprocess main = {\n";
    const auto of = [&](std::initializer_list<std::string> all) {
      return all.begin()[random() % all.size()];
    };
    const size_t terms = 2 + random() % 60;
    for (size_t i = 0; i < terms; ++i) {
      const std::string k = std::to_string(i + 1);
      const std::string law = of({"exponential(" + k + ")", "uniform(1, " + k + " + 3)",
                                  "gamma(" + k + ", 2)", "exponential(t + " + k + ")"});
      const std::string time = of({law, law, "t * " + law, "u * " + law, "t * u * " + law,
                                   k + " * u * " + law, k + " * t"});
      text += of({"", "seq (i = 1, N) ", "seq (i = 1, " + k + " * N) ", "seq (i = 1, P * M) ",
                  "seq (i = 1, " + k + " * P) "}) +
              "delay(" + time + ")" + (i + 1 < terms ? ";\n" : "\n}\n");
    }
    compare(text, false, random, counts);
  }
  EXPECT_EQ(counts.walked, 0u);
}

// Bounds that are no whole numbers, vectors in whose place a number is given, and times below 0.
TEST(PamelaFormula, WhatClosedFormsDoNotSee) {
  const char *const processes[] = {
      "par (i = 1, 0.5) delay(N)",
      "seq (j = 1, N) use(fcfs(j, 1), 2); seq (j = 1, N) use(fcfs(N + j, 1), 2)",
      "seq (i = 0.5, N) delay(min (j = i, 1000) 5)",
      "seq (i = 0.5, 3) seq (j = i, i) delay(N)",
      "delay(max(v, 1) + 0 * N)",
      "delay(N - 3 + uniform(0, 1))",
  };
  for (const char *process : processes) {
    const std::string text =
        std::string("numeric parameter N\nnumeric v = [2, 3]\nprocess main = ") + process;
    const Result<Model> model = parseText(text, "m.pam");
    ASSERT_TRUE(model) << text;
    Result<Formula> formula = Formula::of(*model, {}, {"N", "v"});
    ASSERT_TRUE(formula) << text;
    for (const double x : {1.0, 2.5, 4.0}) {
      const double values[] = {x, x};
      EvaluateOptions options;
      options.parameters = {{"N", x}, {"v", x}};
      Evaluated got[1];
      const Status s = formula->at(values, got);
      const Result<Evaluated> is = evaluate(*model, options);
      ASSERT_EQ(static_cast<bool>(is), static_cast<bool>(s)) << text << x;
      if (is)
        EXPECT_NEAR(got[0].T.k1, is->T.k1, 1e-12) << text << x;
    }
  }
}
