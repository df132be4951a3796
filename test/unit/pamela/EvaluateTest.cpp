// Values and times of models against closed forms and published figures.
#include "quincunx/pamela/Evaluate.h"
#include "quincunx/pamela/Check.h"

#include "quincunx/pamela/Parse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <tuple>

using namespace quincunx;
using namespace quincunx::pamela;

namespace {

Result<Evaluated> tryEvaluate(const std::string &text, EvaluateOptions options = {}) {
  const Result<Model> model = parseText(text, "model.pam");
  if (!model)
    return model.error();
  return evaluate(*model, options);
}

Evaluated evaluated(const std::string &text, std::map<std::string, double> parameters = {}) {
  const Result<Evaluated> e = tryEvaluate(text, {"main", std::move(parameters)});
  EXPECT_TRUE(e) << e.error().message();
  return e ? *e : Evaluated{};
}

double mean(const std::string &text, std::map<std::string, double> parameters = {}) {
  return evaluated(text, std::move(parameters)).T.k1;
}

void expectError(const std::string &text, const std::string &words, EvaluateOptions options = {}) {
  const Result<Evaluated> e = tryEvaluate(text, options);
  ASSERT_FALSE(e) << text;
  EXPECT_NE(e.error().message().find(words), std::string::npos) << e.error().message();
}

double harmonic(int n) {
  double sum = 0;
  for (int i = 1; i <= n; ++i)
    sum += 1.0 / i;
  return sum;
}

const char *const machineRepair = R"(
numeric parameter P
numeric parameter N
numeric parameter tl = 10
numeric parameter ts = 0.1
resource s = fcfs(0, 1)
process main = par (p = 1, P) seq (i = 1, N) { delay(tl); use(s, ts) }
)";

} // namespace

// New in results: the k-th of numbers, numbers that are large at once, names of results.
TEST(PamelaEvaluate, NumbersOfResults) {
  const auto value = [](const std::string &text) {
    const Result<Model> m = parseText("numeric main = " + text +
                                          "\nprocess p = par (i = 1, 2) { delay(3); "
                                          "use(fcfs(0, 2), 4) }\n",
                                      "m.pam");
    EXPECT_TRUE(m) << text;
    EXPECT_TRUE(check(*m).empty()) << text;
    const Result<Evaluated> e = evaluate(*m, {});
    EXPECT_TRUE(e) << text << (e ? "" : e.error().message());
    return e ? Cumulants(e->T) : Cumulants{};
  };
  EXPECT_EQ(value("any (2) max(5, 3, 4)").k1, 4);
  EXPECT_EQ(value("any (2) max (i = 1, 9) 2 * i").k1, 4);
  EXPECT_EQ(value("any max(5, 3, 4)").k1, 3);
  EXPECT_EQ(value("together(1, [2, 7], 3)").k1, 7);
  EXPECT_EQ(value("T_p").k1, 7);
  EXPECT_EQ(value("phi_p + 1").k1, 8);
  EXPECT_EQ(value("omega_p").k1, 4) << "two uses on two servers";
  EXPECT_EQ(value("max(delta_p)").k1, 4);
  // The same draw is not larger than itself; two are.
  EXPECT_NEAR(value("together(exponential(1), exponential(1))").k1, 1, 1e-12);
  EXPECT_NEAR(value("max(exponential(1), exponential(1))").k1, 1.5, 1e-9);
  const double together = value("together(exponential(1), uniform(0, 2))").k1;
  EXPECT_GT(together, 1.01);
  EXPECT_LT(together, value("max(exponential(1), uniform(0, 2))").k1);
}

TEST(PamelaEvaluate, Numbers) {
  const auto number = [](const std::string &e) { return mean("numeric main = " + e); };
  EXPECT_EQ(number("1 + 2 * 3 ^ 2 - 4 / 8"), 18.5);
  EXPECT_EQ(number("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(number("-7 mod 3"), 2) << "the sign of the divisor";
  EXPECT_EQ(number("-7 div 3"), -3);
  EXPECT_EQ(number("7 mod -3"), -2);
  EXPECT_EQ(number("gcd(12, 18, 27) + max(1, 5, 3) - min(4, 2) + abs(-1)"), 7);
  EXPECT_EQ(number("floor(2.7) + ceil(2.2) + log2(8) + sqrt(16) + exp(0) + log(1)"), 13);
  EXPECT_EQ(number("(1 < 2) + (2 <= 1) + (3 == 3) + (1 != 1 or not 0) + (1 and 0)"), 3);
  EXPECT_EQ(number("sum (i = 1, 100) i ^ 2"), 338350);
  EXPECT_EQ(number("sum (i = 1, 3) 2 * i + 1"), 13) << "a sum holds a product";
  EXPECT_EQ(number("sum (i = 5, 4) i"), 0);
  EXPECT_EQ(number("max (i = 0, 10) i * (10 - i)"), 25);
  EXPECT_EQ(number("max ([1, 2, 3] * 4 + 5 * unitvec(1))"), 13);
  EXPECT_EQ(number("if (2 > 1) 3 else 4"), 3);
  EXPECT_EQ(number("if (1 > 2) 3"), 0);
  EXPECT_EQ(number("switch (2) { 1: 10, 2: 20, else: 30 }"), 20);
  EXPECT_EQ(number("switch (7) { 1: 10, 2: 20, else: 30 }"), 30);
}

TEST(PamelaEvaluate, Definitions) {
  const char *text = R"(
numeric parameter n
numeric area(a, b) = a * b
numeric twice(x) = area(x, 2)
numeric main = sum (i = 1, n) twice(i + 1)
)";
  EXPECT_EQ(mean(text, {{"n", 3}}), 18);
  EXPECT_EQ(mean("numeric a = 3 numeric main = a", {{"a", 5}}), 5);
  // The index of a loop is not seen by a definition of that name elsewhere.
  EXPECT_EQ(mean("numeric i = 7 numeric f(x) = x + i numeric main = sum (i = 1, 2) f(i)"), 17);
}

TEST(PamelaEvaluate, RandomNumbers) {
  const Cumulants twice = evaluated("numeric main = 2 * exponential(3)").T;
  EXPECT_NEAR(twice.k1, 6, 1e-12);
  EXPECT_NEAR(twice.k2, 36, 1e-12);
  const Cumulants two = evaluated("numeric main = sum (i = 1, 2) exponential(3)").T;
  EXPECT_NEAR(two.k2, 18, 1e-12) << "two draws are not twice one";
  const Cumulants product = evaluated("numeric main = uniform(0, 1) * uniform(0, 1)").T;
  EXPECT_NEAR(product.k1, 0.25, 1e-12);
  EXPECT_NEAR(product.k2, 1 / 9.0 - 1 / 16.0, 1e-12);
  const Cumulants mixed = evaluated("numeric main = switch { 0.25: 4, 0.25: 8 }").T;
  EXPECT_NEAR(mixed.k1, 3, 1e-12);
  EXPECT_NEAR(mixed.k2, 0.25 * 16 + 0.25 * 64 - 9, 1e-12);
  EXPECT_NEAR(mean("numeric main = max (i = 1, 4) exponential(12)"), 12 * harmonic(4), 1e-6);
  EXPECT_NEAR(mean("numeric main = min (i = 1, 4) exponential(12)"), 3, 1e-6);
}

TEST(PamelaEvaluate, LawsHaveTheirMoments) {
  const auto moment = [](const std::string &law) {
    return moments(evaluated("numeric main = " + law).T);
  };
  const Moments e = moment("exponential(2)");
  EXPECT_NEAR(e.skewness, 2, 1e-12);
  EXPECT_NEAR(e.kurtosis, 9, 1e-12);
  const Moments u = moment("uniform(1, 4)");
  EXPECT_NEAR(u.mean, 2.5, 1e-12);
  EXPECT_NEAR(u.variance, 0.75, 1e-12);
  EXPECT_NEAR(u.kurtosis, 1.8, 1e-12);
  const Moments g = moment("gamma(6, 2)"); // shape 9
  EXPECT_NEAR(g.skewness, 2 / 3.0, 1e-12);
  EXPECT_NEAR(g.kurtosis, 3 + 6 / 9.0, 1e-12);
  // exp of a normal law of variance ln 2 about 0: mean sqrt 2, variance 2.
  const Moments l = moment("lognormal(sqrt(2), sqrt(2))");
  EXPECT_NEAR(l.variance, 2, 1e-12);
  EXPECT_NEAR(l.skewness, 4, 1e-12);
  EXPECT_NEAR(l.kurtosis, 16 + 16 + 12 - 3, 1e-9);
  const Moments b = moment("bernoulli(0.2)");
  EXPECT_NEAR(b.kurtosis, 3 + (1 - 6 * 0.16) / 0.16, 1e-9);
  const Moments h = moment("histogram(0, 0.8, 1, 0.2)");
  EXPECT_NEAR(h.skewness, b.skewness, 1e-9);
  EXPECT_NEAR(h.kurtosis, b.kurtosis, 1e-9);
}

TEST(PamelaEvaluate, MomentsThatNoLawHas) {
  const char *text = "numeric main = moments(0.005, 2, 4, 2)";
  const Evaluated e = evaluated(text);
  ASSERT_EQ(e.notes.size(), 1u);
  EXPECT_NEAR(moments(e.T).kurtosis, 17, 1e-9);
  expectError(text, "no law has", {"main", {}, true});
}

// T = N max(P ts, tl + ts) of the thesis, (6.9).
TEST(PamelaEvaluate, MachineRepair) {
  for (const double clients : {1.0, 10.0, 100.0, 1000.0}) {
    const Evaluated e = evaluated(machineRepair, {{"P", clients}, {"N", 1e6}});
    EXPECT_DOUBLE_EQ(e.T.k1, 1e6 * std::max(clients * 0.1, 10.1));
    EXPECT_DOUBLE_EQ(e.phi.k1, 1.01e7);
    EXPECT_DOUBLE_EQ(e.omega.k1, 1e5 * clients);
    EXPECT_NEAR(e.theta, std::log(clients / 101), 1e-9);
    EXPECT_DOUBLE_EQ(e.upper->mean(), 1e6 * (10 + clients * 0.1));
  }
}

// Table 6.2 of the thesis, row T_MOM, with the two entries that its own N gives (math: errata).
TEST(PamelaEvaluate, MachineRepairWithExponentialTimes) {
  const std::string text = std::string(machineRepair);
  const auto cycle = [&](double clients) {
    std::string random = text;
    random.replace(random.find("tl = 10"), 7, "tl = exponential(10)");
    random.replace(random.find("ts = 0.1"), 8, "ts = exponential(0.1)");
    return mean(random, {{"P", clients}, {"N", 1e6}}) / 1e6;
  };
  const std::vector<std::pair<double, double>> published{{1, 10.10},   {2, 10.11},  {5, 10.11},
                                                         {10, 10.12},  {20, 10.12}, {50, 10.12},
                                                         {100, 10.13}, {200, 20},   {500, 50}};
  for (const auto &[clients, value] : published)
    EXPECT_NEAR(cycle(clients), value, 0.0051) << clients;
}

// Section 3 of van Gemund's text.
TEST(PamelaEvaluate, Pipelines) {
  const char *text = R"(
numeric parameter N
numeric parameter M
resource u(m) = fcfs(m, 1)
process main = par (i = 1, N) seq (m = 1, M) use(u(m), 1 + m mod 3)
)";
  for (const auto &[n, m] : std::vector<std::pair<double, double>>{{1, 7}, {3, 3}, {50, 4}}) {
    double sum = 0, most = 0;
    for (int i = 1; i <= m; ++i)
      sum += 1 + i % 3, most = std::max(most, 1.0 + i % 3);
    EXPECT_DOUBLE_EQ(mean(text, {{"N", n}, {"M", m}}), std::max(sum, n * most));
  }
}

TEST(PamelaEvaluate, VectorsAndChains) {
  const std::string units = R"(
numeric N = 64
numeric S = 5
resource v(u, j) = fcfs(10 * u + j, 1)
process mult(u) = seq (j = 1, S) use(v(u, j), 2)
)";
  EXPECT_DOUBLE_EQ(mean(units + "process main = par (i = 1, N) mult(1); par (i = 1, N) mult(2)"),
                   2 * std::max(5 * 2, 64 * 2));
  EXPECT_DOUBLE_EQ(mean(units + "process main = par (i = 1, N) { mult(1); mult(2) }"),
                   std::max(2 * 5 * 2, 64 * 2));
}

TEST(PamelaEvaluate, MemoryBanks) {
  const char *text = R"(
numeric parameter S
numeric N = 240
numeric M = 8
resource port = fcfs(0, 1)
resource bank(b) = fcfs(1 + b, 1)
process main = par (i = 1, N) { use(port, 1); use(bank(S * i mod M), 10) }
)";
  for (const int stride : {1, 2, 3, 4, 8})
    EXPECT_DOUBLE_EQ(mean(text, {{"S", stride}}),
                     std::max(240.0, 240.0 * std::gcd(8, stride) * 10 / 8));
}

TEST(PamelaEvaluate, Partitionings) {
  const std::string text = R"(
numeric N = 32
numeric P = 4
resource cpu(p) = fcfs(p, 1)
process main = seq (i = 1, N - 2) par (j = 0, N - 1) use(cpu(INDEX div (N / P)), 3)
)";
  const auto by = [&](const char *index) {
    std::string t = text;
    return mean(t.replace(t.find("INDEX"), 5, index));
  };
  EXPECT_DOUBLE_EQ(by("j"), 30 * 32 / 4 * 3);
  EXPECT_DOUBLE_EQ(by("i"), 30 * 32 * 3);
}

TEST(PamelaEvaluate, Branches) {
  const auto total = [](const std::string &condition) {
    return evaluated("process main = seq (i = 1, 100) if (" + condition + ") delay(3)").T;
  };
  EXPECT_NEAR(total("0.3").k1, 90, 1e-9);
  EXPECT_NEAR(total("0.3").k2, 100 * 0.21 * 9, 1e-9) << "drawn anew each time";
  EXPECT_EQ(total("moments(0.3, 0, 0, 3)").k2, 0) << "a share that is what it is";
  EXPECT_NEAR(total("bernoulli(0.3)").k2, 100 * 0.21 * 9, 1e-9);
  EXPECT_NEAR(total("moments(0.3, 2, 0, 3)").k2, 100 * 2 * 9, 1e-9) << "rates, per evaluation";
  EXPECT_EQ(total("i > 40").k1, 180);
  const Evaluated both = evaluated(
      "resource r = fcfs(0, 1) process main = if (bernoulli(0.25)) use(r, 8) else delay(4)");
  EXPECT_NEAR(both.T.k1, 5, 1e-12);
  EXPECT_NEAR(both.T.k2, 3, 1e-12);
  EXPECT_NEAR(both.demands.at(0).k.k1, 2, 1e-12);
}

TEST(PamelaEvaluate, Joins) {
  EXPECT_NEAR(mean("process main = par (i = 1, 4) delay(exponential(10))"), 10 * harmonic(4), 1e-6);
  EXPECT_NEAR(mean("process main = any par (i = 1, 4) delay(exponential(10))"), 2.5, 1e-6);
  EXPECT_NEAR(mean("process main = any (2) par (i = 1, 4) delay(exponential(12))"), 3 + 4, 1e-6);
  EXPECT_EQ(mean("process main = any (2) { delay(5) || delay(1) || delay(3) }"), 3);
  EXPECT_EQ(mean("process main = delay(5) || delay(1); delay(3)"), 8);
  // Parts that depend on the index are joined one by one.
  EXPECT_NEAR(mean("process main = par (i = 1, 3) delay(exponential(10 + 0 * i))"),
              10 * harmonic(3), 1e-6);
}

// Phi and omega of one use are one draw: the thesis' own max(ts, ts).
TEST(PamelaEvaluate, WhatIsSharedIsNotIndependent) {
  const Evaluated e = evaluated("resource s = fcfs(0, 1) process main = use(s, exponential(0.1))");
  EXPECT_NEAR(e.T.k1, 0.1, 1e-12);
  EXPECT_NEAR(e.upper->mean(), 0.1, 1e-12);
  // Two clients at one server: the sum of both; both bounds of the same draws.
  const Evaluated two =
      evaluated("resource s = fcfs(0, 1) process main = par (p = 1, 2) use(s, exponential(1))");
  EXPECT_NEAR(two.T.k1, 2, 1e-3) << "the sum is the larger one, up to laws that were fitted";
  EXPECT_NEAR(two.upper->mean(), 2, 1e-9);
}

TEST(PamelaEvaluate, Multiplicity) {
  EXPECT_EQ(mean("resource r = fcfs(0, 4) process main = par (i = 1, 10) use(r, 6)"), 15);
  EXPECT_EQ(mean("resource r = fcfs(0, inf) process main = par (i = 1, 10) use(r, 6)"), 6);
  expectError("process main = use(fcfs(0, 1), 1); use(fcfs(0, 2), 1)", "multiplicity");
}

TEST(PamelaEvaluate, RandomTrips) {
  // A geometric number of exponential times is exponential: 1 + trips with mean 4.
  const Cumulants k = evaluated("process main = seq (i = 1, moments(5, 20, 2.012461179749811, "
                                "9.05)) delay(exponential(2))")
                          .T;
  EXPECT_NEAR(k.k1, 10, 1e-9);
  EXPECT_NEAR(k.k2, 100, 1e-9);
  expectError("process main = par (i = 1, exponential(3)) delay(1)", "random");
}

TEST(PamelaEvaluate, ReplicationsAreNotGoneThrough) {
  EXPECT_DOUBLE_EQ(mean("process main = seq (i = 1, 1e12) par (j = 1, 1e9) delay(1)"), 1e12);
  expectError("process main = seq (i = 1, 1e12) delay(i)", "parts to go through");
}

// Of 2.5 turns there are 2 or 3, as in a simulation. An average has no spread, and a note.
TEST(PamelaEvaluate, TurnsAreWhole) {
  const std::tuple<const char *, double, double> cases[] = {
      {"seq (i = 1, 2.5) delay(100)", 250, 2500},
      {"seq (i = 1, moments(2.5, 0, 0, 3)) delay(100)", 250, 0},
      {"seq (i = 1, histogram(1, 1, 2.5, 1)) delay(4)", 7, 16 * (0.75 * 0.75 + 0.125)},
      {"seq (i = 1, 2.5) delay(100 * i)", 450, 22500},
      {"par (i = 1, 2.5) delay(100 * i)", 250, 2500},
      {"any (1) par (i = 0, 0.5) delay(9 - i)", 8.5, 0.25},
      {"delay(sum (i = 1, 2.5) 100)", 250, 2500},
      {"delay(sum (i = 1, 2.5) i)", 4.5, 2.25},
      {"seq (i = 1, 0.25) delay(4)", 1, 3},
      {"seq (i = 1, 2.9999999999999996) delay(1)", 3, 0},
      {"seq (i = 1, 1e12) delay(1)", 1e12, 0},
  };
  for (const auto &[process, mean, variance] : cases) {
    const Evaluated e = evaluated(std::string("process main = ") + process);
    EXPECT_NEAR(e.T.k1, mean, 1e-9) << process;
    EXPECT_NEAR(e.T.k2, variance, 1e-9) << process;
  }
  // A law with a spread is taken at 4096 places.
  const Cumulants some = evaluated("process main = seq (i = 1, uniform(1, 4)) delay(100)").T;
  EXPECT_NEAR(some.k1, 250, 1e-9);
  EXPECT_NEAR(some.k2, 1e4 * (9 / 12. + 1 / 6.), 1e-2);
  EXPECT_EQ(evaluated("process main = seq (i = 1, 3) delay(100)").notes.size(), 0U);
  EXPECT_EQ(evaluated("process main = seq (i = 1, 2.5) delay(100)").notes.size(), 0U);
  EXPECT_EQ(evaluated("process main = seq (i = 1, moments(2.5, 0, 0, 3)) delay(1)").notes.size(),
            1U);
}

TEST(PamelaEvaluate, Errors) {
  expectError("numeric main = 1 / 0", "division by zero");
  expectError("numeric main = 5 mod 0", "division by zero");
  expectError("numeric main = log(0)", "no number");
  expectError("numeric main = 1 / exponential(1)", "random");
  expectError("numeric parameter n numeric main = n", "-D n=10");
  expectError("numeric main = bernoulli(1.5)", "no probability");
  expectError("numeric main = gamma(-1, 1)", "not above 0");
  expectError("process main = delay(-1)", "not possible");
  expectError("process main = if (2) delay(1)", "probability");
  expectError("process main = switch { 0.7: delay(1), 0.7: delay(2) }", "more than 1");
  expectError("process main = any (3) { delay(1) || delay(2) }", "none of them");
  expectError("process main = use(fcfs(0, 0), 1)", "from 1 on");
  expectError("numeric a = 1", "'main'");
  expectError("process main = delay(1)", "no parameter 'x'", {"main", {{"x", 1}}});
  expectError("process main = seq (i = 1, inf) delay(1)", "not finite");
  // Each of them is, and how many there are between is not.
  expectError("process p = delay(gamma(0.5, 0.5)) process main = any (8) par (k = -1e308, 1e308) p", "not finite");
  expectError("process main = par (k = -1e308, 1e308) any (8) { delay(1) || delay(0.3) }", "not finite");
  const Result<Evaluated> e = tryEvaluate("process main =\n  delay(1 / 0)");
  ASSERT_FALSE(e);
  EXPECT_EQ(e.error().file, "model.pam");
  EXPECT_EQ(e.error().line, 2u);
}
