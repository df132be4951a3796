// The simulator on random models, against what theory says exactly: within four standard errors,
// with fixed seeds.
#include "quincunx/pamela/Simulate.h"

#include "Models.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace quincunx;
using namespace quincunx::pamela;
using namespace quincunx::pamela::test;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();

Simulated run(const Model &m, uint64_t replications, uint64_t seed = 1) {
  SimulateOptions o;
  o.replications = replications;
  o.seed = seed;
  const Result<Simulated> s = simulate(m, o);
  EXPECT_TRUE(s) << (s ? "" : s.error().message());
  return s ? *s : Simulated{};
}

void expectMean(const Simulated &s, double mean) {
  ASSERT_TRUE(s.standardError);
  EXPECT_NEAR(s.moments.mean, mean, 4 * *s.standardError);
  EXPECT_LT(*s.standardError, 0.05 * mean + 1e-12) << "too few to tell";
}

/// Mean response time at the server of a closed network: R(n) = (1 + Q(n-1)) service,
/// Q(n) = n R(n)/(local + R(n)).
double responseTime(int clients, double local, double service) {
  double r = 0, q = 0;
  for (int n = 1; n <= clients; ++n) {
    r = (1 + q) * service;
    q = n * r / (local + r);
  }
  return r;
}
} // namespace

TEST(SimulateRandom, MachineRepairAgreesWithMeanValueAnalysis) {
  // Arrivals see the steady state of one client less, but for the start, which many rounds drown.
  const struct {
    int clients;
    double local, service;
  } table[] = {{1, 10, 1}, {5, 10, 1}, {11, 10, 1}, {20, 10, 1}, {3, 1, 4}};
  for (const auto &row : table) {
    SCOPED_TRACE(row.clients);
    constexpr double rounds = 4000;
    const Simulated s = run(machineRepair(row.clients, rounds, law("exponential", {row.local}),
                                          law("exponential", {row.service})),
                            20);
    const double r = responseTime(row.clients, row.local, row.service);
    ASSERT_EQ(s.resources.size(), 1u);
    const ResourceUse &u = s.resources[0];
    EXPECT_EQ(u.uses, 20 * static_cast<uint64_t>(rounds) * static_cast<uint64_t>(row.clients));
    // Waiting times of neighbours hang together; the tolerance is twice what was seen.
    EXPECT_NEAR(u.queueing + row.service, r, 0.02 * r);
    // The last client ends later than the mean one, so the server is idle a little more often.
    const double busy = row.clients * row.service / (row.local + r);
    EXPECT_NEAR(u.busy, busy, 0.03 * busy);
    if (row.clients == 1)
      expectMean(s, rounds * (row.local + row.service));
  }
}

TEST(SimulateRandom, MachineRepairOfTheThesisAgreesWithMeanValueAnalysis) {
  // Table 6.2, exponential times of 10 and 0.1. What goes on until it is stopped has no last client
  // that works alone; a cycle is what each client takes of the time, by its number of services.
  for (const int clients : {1, 2, 5, 10, 20, 50, 100}) {
    SCOPED_TRACE(clients);
    const double time = std::max(2e5 / clients, 1e4);
    const Tree client = seq(
        1e9, sequence({delay(law("exponential", {10})), use(fcfs(0), law("exponential", {0.1}))}));
    const Model m = model(any(1, parallel({par(clients, client), delay(time)})));
    constexpr int runs = 20;
    double sum = 0, squares = 0;
    for (int i = 0; i < runs; ++i) {
      const auto uses =
          static_cast<double>(run(m, 1, static_cast<uint64_t>(i + 1)).resources.at(0).uses);
      const double cycle = clients * time / uses;
      sum += cycle, squares += cycle * cycle;
    }
    const double mean = sum / runs;
    const double error = std::sqrt((squares - sum * mean) / (runs - 1) / runs);
    const double cycle = 10 + responseTime(clients, 10, 0.1);
    // 3.88: Student's t with 19 degrees of freedom, beyond it once in 1000.
    EXPECT_NEAR(mean, cycle, 3.88 * error);
    EXPECT_LT(error, 0.002 * cycle) << "too few to tell";
  }
}

TEST(SimulateRandom, MultipleServersAgreeWithErlang) {
  // No local time, as many clients as servers: nobody ever waits. One more: each service is
  // followed at once by another, all servers are busy until the end nears.
  const auto with = [](double clients) {
    return run(model(par(clients, seq(2000, use(fcfs(0, 3), law("exponential", {2}))))), 20);
  };
  EXPECT_EQ(with(3).resources.at(0).queueing, 0);
  const Simulated four = with(4);
  EXPECT_NEAR(four.resources.at(0).queueing, 2.0 / 3, 0.02); // cycle 4 * 2 / 3, of it 2 in service
  EXPECT_NEAR(four.resources.at(0).busy, 1, 0.02);
}

TEST(SimulateRandom, LastFirstAndKthOfExponentials) {
  const Tree x = law("exponential", {3});
  double harmonic = 0, squares = 0, beyond3 = 0;
  for (int i = 1; i <= 10; ++i) {
    harmonic += 1.0 / i;
    squares += 1.0 / (i * i);
    beyond3 += i > 7 ? 1.0 / i : 0;
  }
  const Simulated last = run(model(par(10, delay(x))), 20000);
  expectMean(last, 3 * harmonic);
  EXPECT_NEAR(last.moments.variance, 9 * squares, 0.04 * 9 * squares);
  expectMean(run(model(any(1, par(10, delay(x)))), 20000), 0.3);
  expectMean(run(model(any(3, par(10, delay(x)))), 20000), 3 * beyond3);
}

TEST(SimulateRandom, RandomNumbersAreDrawnAnewAtEachUse) {
  // x + x has variance 2, not 4; an argument that is random is drawn wherever it is mentioned.
  const std::vector<Definition> defs{
      numeric("x", law("exponential", {1})),
      numeric("sum", binary(Op::add, name("a"), name("a")), {"a"}),
      process("twice", sequence({delay(name("t")), delay(name("t"))}), {"t"})};
  const Tree bodies[] = {delay(binary(Op::add, name("x"), name("x"))),
                         delay(name("sum", {name("x")})), name("twice", {name("x")}),
                         seq(2, delay(name("x"))),
                         delay(node(Op::sum, {num(1), num(2), name("x")}, "k"))};
  for (const Tree &body : bodies) {
    const Simulated s = run(model(body, defs), 20000);
    expectMean(s, 2);
    EXPECT_NEAR(s.moments.variance, 2, 0.15);
  }
}

TEST(SimulateRandom, ProbabilitiesOfBranches) {
  const auto share = [](const Tree &one, const std::vector<Definition> &defs = {}) {
    return run(model(seq(100, one), defs), 1000);
  };
  expectMean(share(branch(num(0.3), delay(1))), 30);
  expectMean(share(branch(num(0.3), delay(1), delay(2))), 170);
  expectMean(share(delay(branch(num(0.3), num(1), num(2)))), 170);
  expectMean(share(branch(law("bernoulli", {0.3}), delay(1))), 30);
  expectMean(share(branch(node(Op::logicalNot, {num(0.3)}), delay(1))), 70);
  expectMean(share(branch(binary(Op::logicalAnd, num(0.3), num(0.5)), delay(1))), 15);
  expectMean(share(branch(binary(Op::logicalOr, num(0.3), num(0.5)), delay(1))), 65);
  expectMean(share(branch(binary(Op::less, law("uniform", {0, 1}), num(0.3)), delay(1))), 30);
  expectMean(share(branch(binary(Op::divide, name("i"), num(200)), delay(1))), 25.25);
  // Rates of independent draws, through names and arguments.
  const Tree p = name("p");
  const std::vector<Definition> rate{numeric(
      "rate",
      node(Op::law, {p, binary(Op::multiply, p, binary(Op::subtract, num(1), p)), num(0), num(3)},
           "moments"),
      {"p"})};
  expectMean(share(branch(name("rate", {num(0.3)}), delay(1)), rate), 30);
  expectMean(share(branch(name("rate", {binary(Op::divide, name("i"), num(200))}), delay(1)), rate),
             25.25);
  const Simulated noted = share(branch(law("moments", {0.3, 0, 0, 3}), delay(1)));
  expectMean(noted, 30);
  ASSERT_EQ(noted.notes.size(), 1u);
  EXPECT_EQ(noted.notes[0],
            "a condition with mean 0.3 and variance 0 is drawn as a probability, each time anew");
}

TEST(SimulateRandom, ProbabilitiesOfSwitches) {
  const Tree three =
      select({nullptr, num(0.2), delay(1), num(0.3), delay(10), num(0.1), delay(100), delay(1000)});
  expectMean(run(model(seq(100, three)), 1000), 20 + 300 + 1000 + 40000);
  const Tree open = select({nullptr, num(0.2), delay(1), num(0.3), delay(10)});
  expectMean(run(model(seq(100, open)), 1000), 20 + 300);
  const Tree number = select({nullptr, num(0.2), num(1), num(0.8), num(10)});
  expectMean(run(model(seq(100, delay(number))), 1000), 20 + 800);
  // Probabilities that add up to 1 but for rounding leave nothing to the rest.
  const Tree thirds = select({nullptr, num(1 / 3.0), delay(1), num(1 / 3.0), delay(1), num(1 / 3.0),
                              delay(1), delay(1e9)});
  EXPECT_EQ(run(model(seq(100000, thirds)), 1).moments.mean, 100000);
}

TEST(SimulateRandom, MomentsOfLaws) {
  const double g = 0.5 / 2, variance = std::log1p(1); // of the logarithm, deviation = mean
  const struct {
    Tree law;
    Moments m;
  } table[] = {
      {law("moments", {10, 4, 0.5, 3.5}), {10, 4, 0.5, 3.5}},
      {law("moments", {1, 1, 2, 9}), {1, 1, 2, 9}},
      {law("moments", {20, 9, 0, 3}), {20, 9, 0, 3}},
      {law("moments", {5, 4, 0, 1}), {5, 4, 0, 1}}, // 3 or 7
      {law("exponential", {2}), {2, 4, 2, 9}},
      {law("normal", {20, 2}), {20, 4, 0, 3}},
      {law("uniform", {1, 5}), {3, 16 / 12.0, 0, 1.8}},
      {law("gamma", {2, 0.5}), {2, 0.25, 2 * g, 3 + 6 * g * g}},
      {law("lognormal", {2, 2}), {2, 4, 0, 0}},
      {law("bernoulli", {0.3}), {0.3, 0.21, 0.4 / std::sqrt(0.21), 1 + 0.16 / 0.21}},
      {law("histogram", {1, 3, 5, 1}), {2, 3, 2 / std::sqrt(3), 7 / 3.0}},
      // Parameters that only the run knows.
      {node(Op::law, {binary(Op::multiply, name("i"), num(2))}, "exponential"), {2, 4, 2, 9}},
      {node(Op::law, {name("i"), name("i"), num(2), num(9)}, "moments"), {1, 1, 2, 9}},
  };
  for (const auto &row : table) {
    SCOPED_TRACE(row.law->text + "(" + std::to_string(row.m.mean) + ", ...)");
    const Simulated s = run(model(seq(1, delay(row.law))), 200000);
    expectMean(s, row.m.mean);
    // The variance of a variance is (kurtosis - 1) mu2^2 / n; a lognormal one has kurtosis 114.
    const double kurtosis = row.m.kurtosis == 0 ? 114 : row.m.kurtosis;
    EXPECT_NEAR(s.moments.variance, row.m.variance,
                4 * row.m.variance * std::sqrt((kurtosis - 1) / 2e5) + 1e-4 * row.m.variance);
    if (row.m.kurtosis != 0) {
      EXPECT_NEAR(s.moments.skewness, row.m.skewness, 0.06 + 0.03 * row.m.skewness);
      EXPECT_NEAR(s.moments.kurtosis, row.m.kurtosis, 0.1 * row.m.kurtosis);
      continue;
    }
    EXPECT_NEAR(s.percentiles[0].value, 2 * std::exp(-variance / 2), 0.02);
  }
}

TEST(SimulateRandom, TablesKeepThePercentilesOfTheLaw) {
  // Exponential by its moments: the tails are drawn exactly, between them lines.
  const Simulated s = run(model(delay(law("moments", {1, 1, 2, 9}))), 400000);
  const double levels[] = {0.5, 0.9, 0.99, 0.999};
  for (size_t i = 0; i < 4; ++i) {
    const double q = -std::log1p(-levels[i]);
    EXPECT_LE(s.percentiles[i].low, q * 1.001);
    EXPECT_GE(s.percentiles[i].high, q * 0.999);
    EXPECT_NEAR(s.percentiles[i].value, q, 0.03 * q);
    EXPECT_EQ(s.percentiles[i].p, levels[i]);
  }
}

TEST(SimulateRandom, IntervalsHoldThePercentileNineTimesOfTen) {
  int held = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const Simulated s = run(model(delay(law("exponential", {1}))), 100, seed);
    const double q90 = -std::log(0.1);
    held += s.percentiles[1].low <= q90 && q90 <= s.percentiles[1].high ? 1 : 0;
    EXPECT_EQ(s.percentiles[3].high, inf) << "100 runs say nothing of p99.9 from above";
    EXPECT_LT(s.percentiles[1].low, s.percentiles[1].value);
  }
  EXPECT_GE(held, 172); // binomial (200, 0.9): 180 on average, deviation 4.2
}

TEST(SimulateRandom, SameSeedSameAnswer) {
  const Model m = machineRepair(7, 20, law("moments", {10, 100, 2, 9}), law("gamma", {1, 0.3}));
  const Simulated a = run(m, 50, 5), b = run(m, 50, 5), more = run(m, 60, 5), other = run(m, 50, 6);
  EXPECT_EQ(a.times, b.times);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.events, 50u * 7 * 20 * 2);
  EXPECT_NE(a.times, other.times);
  // Nor does a replication depend on how many follow.
  for (size_t i = 0; i < a.times.size(); ++i)
    EXPECT_EQ(a.times[i], more.times[i]);
  EXPECT_NE(a.times[0], a.times[1]);
}

TEST(SimulateRandom, OneSimulationDoesNotChangeTheNext) {
  // Also not by tables that the first one made.
  for (const char *law : {"normal", "lognormal", "gamma"}) {
    const Model m = model(seq(100, delay(test::law(law, {10, 1}))));
    EXPECT_EQ(run(m, 30).times, run(m, 30).times) << law;
  }
}

TEST(SimulateRandom, FirstNumbersOfAStreamAreKnown) {
  // mt19937_64 is fixed by the standard; so are bernoulli draws, which need no library besides.
  const Simulated s = run(model(seq(32, delay(law("bernoulli", {0.5})))), 4, 1);
  const std::vector<double> expected{22, 19, 10, 15};
  EXPECT_EQ(s.times, expected);
}

TEST(SimulateRandom, TimesBelowZeroCountAsZeroAndAreNoted) {
  // E[max(0, Z)] of the standard normal law is 1/sqrt(2 pi).
  const Simulated s = run(model(seq(10, delay(law("normal", {0, 1})))), 2000);
  expectMean(s, 10 / std::sqrt(2 * std::acos(-1)));
  ASSERT_EQ(s.notes.size(), 1u);
  EXPECT_NE(s.notes[0].find(" times were below 0 and count as 0"), std::string::npos);
  EXPECT_TRUE(run(model(delay(law("normal", {100, 1}))), 100).notes.empty());
}

TEST(SimulateRandom, ImpossibleMomentsAreProjectedAndNoted) {
  const Simulated s = run(model(delay(law("moments", {10, 1, 2, 3}))), 1000);
  ASSERT_EQ(s.notes.size(), 1u);
  EXPECT_EQ(s.notes[0], "moments(10, 1, 2, 3): no law has these; drawn with kurtosis 5");
  expectMean(s, 10);
}

TEST(SimulateRandom, MomentsThatNoTimeHasAreNoted) {
  const Simulated s = run(model(delay(law("moments", {1, 4, 0, 3}))), 1000);
  ASSERT_EQ(s.notes.size(), 2u);
  EXPECT_EQ(s.notes[0],
            "moments(1, 4, 0, 3): no law on [0, inf) has these; drawn below 0, too, and "
            "a time below 0 counts as 0");
  EXPECT_NE(s.notes[1].find(" times were below 0"), std::string::npos);
  // 0 or 2, the outermost that times can have; and an exponential law, far inside.
  EXPECT_TRUE(run(model(delay(law("moments", {1, 1, 0, 1}))), 1000).notes.empty());
  EXPECT_TRUE(run(model(delay(law("moments", {1, 1, 2, 9}))), 1000).notes.empty());
}

TEST(SimulateRandom, RatesAreRatesInsideOfConditions) {
  // As values of if and switch, and under their names.
  const auto rates = [](double p) { return law("moments", {p, p * (1 - p), 0, 3}); };
  const Tree either = branch(num(0.5), rates(0.3), rates(0.6));
  const Tree chosen = select({nullptr, num(0.5), rates(0.3), num(0.5), rates(0.6)});
  for (const Tree &c : {either, chosen, name("c")}) {
    const Simulated s = run(model(seq(100, branch(c, delay(1))), {numeric("c", either)}), 4000);
    expectMean(s, 45);
    EXPECT_NEAR(s.moments.variance, 100 * 0.45 * 0.55, 4 * 24.75 * std::sqrt(2.0 / 4000));
    EXPECT_TRUE(s.notes.empty());
  }
  const auto error = [](Tree condition) {
    const Result<Simulated> s = simulate(model(branch(std::move(condition), delay(1))));
    return s ? "none" : s.error().message();
  };
  EXPECT_EQ(error(branch(num(0.5), law("moments", {0.005, 2, 4, 20}), num(0.1))),
            "m.pam:7:3: error: a condition with moments(0.005, 2, ...) gives cumulants of rates, "
            "and simulation cannot draw rates: use bernoulli(0.005), whose variance is 0.004975, "
            "or analyse the model");
  EXPECT_EQ(
      error(binary(Op::multiply, num(0.5), rates(0.3))),
      "m.pam:7:3: error: moments in a condition are rates, and simulation cannot draw what is "
      "computed of rates: give the rates of the result, or analyse the model");
}

TEST(SimulateRandom, CancellingUnderLoadKeepsTheServersRight) {
  // 40 clients race for two servers and give up; in the end a full service is as long as ever.
  const Tree race = any(
      1, parallel({use(fcfs(0, 2), law("exponential", {1})), delay(law("exponential", {0.5}))}));
  const Simulated s = run(model(sequence({par(40, seq(200, race)),
                                          parallel({use(fcfs(0, 2), 7), use(fcfs(0, 2), 7)})})),
                          20);
  const Simulated raceOnly = run(model(par(40, seq(200, race))), 20);
  ASSERT_EQ(s.times.size(), raceOnly.times.size());
  for (size_t i = 0; i < s.times.size(); ++i)
    EXPECT_DOUBLE_EQ(s.times[i], raceOnly.times[i] + 7);
  EXPECT_LE(s.resources.at(0).busy, 1);
  EXPECT_GT(s.resources.at(0).busy, 0.9);
}
