// The simulator on models whose times are known by hand: order, queues, joins, branches, names,
// and what it refuses.
#include "quincunx/pamela/Simulate.h"

#include "Models.h"

#include <gtest/gtest.h>
#include <limits>

using namespace quincunx;
using namespace quincunx::pamela;
using namespace quincunx::pamela::test;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();

Simulated run(const Model &m, const SimulateOptions &o = {}) {
  const Result<Simulated> s = simulate(m, o);
  EXPECT_TRUE(s) << (s ? "" : s.error().message());
  return s ? *s : Simulated{};
}
double timeOf(const Tree &main, const std::vector<Definition> &others = {}) {
  const Simulated s = run(model(main, others));
  EXPECT_EQ(s.times.size(), 1u) << "nothing is random here";
  return s.times.empty() ? -1 : s.times[0];
}
std::string errorOf(const Model &m, const SimulateOptions &o = {}) {
  const Result<Simulated> s = simulate(m, o);
  return s ? "none" : s.error().message();
}
std::string errorOf(const Tree &main, const std::vector<Definition> &others = {}) {
  return errorOf(model(main, others));
}
/// delay of this number: what numbers are worth.
double worth(const Tree &number, const std::vector<Definition> &others = {}) {
  return timeOf(delay(number), others);
}
Tree index(const char *i) { return name(i); }
} // namespace

TEST(Simulate, Composition) {
  EXPECT_EQ(timeOf(delay(3)), 3);
  EXPECT_EQ(timeOf(sequence({delay(3), delay(0), delay(4)})), 7);
  EXPECT_EQ(timeOf(parallel({delay(3), delay(0), delay(4)})), 4);
  EXPECT_EQ(timeOf(parallel({sequence({delay(3), delay(2)}), delay(4)})), 5);
  EXPECT_EQ(timeOf(seq(10, delay(0.5))), 5);
  EXPECT_EQ(timeOf(par(10, delay(index("p")))), 10);
  EXPECT_EQ(timeOf(seq(3, par(4, delay(index("p"))))), 12);
  // Inner loops see outer indices: sum of i*j over 1..3 by 1..2.
  EXPECT_EQ(
      timeOf(seq("i", num(1), num(3),
                 seq("j", num(1), num(2), delay(binary(Op::multiply, index("i"), index("j")))))),
      18);
  // Parts see the index of the loop they were started in.
  EXPECT_EQ(
      timeOf(seq("i", num(1), num(3),
                 par("p", index("i"), num(3), seq("j", num(1), index("p"), delay(index("i")))))),
      (1 + 2 + 3) * 3);
}

TEST(Simulate, TurnsThatAreNoWholeNumberHoldTheirMean) {
  SimulateOptions o;
  o.replications = 40'000;
  const auto holds = [&](const Tree &main, double mean) {
    const Simulated s = run(model(main), o);
    EXPECT_NEAR(s.moments.mean, mean, 5 * *s.standardError) << "mean " << mean;
    EXPECT_GT(*s.standardError, 0);
  };
  holds(seq("i", num(1), num(2.9), delay(1)), 2.9);
  holds(seq("i", num(1), num(0.25), delay(1)), 0.25);
  holds(seq("i", num(1), law("exponential", {12}), delay(1)), 12);
  holds(delay(node(Op::sum, {num(1), num(2.5), num(3)}, "i")), 7.5);
  // What is a whole number but for rounding is one.
  EXPECT_EQ(timeOf(seq("i", num(1), binary(Op::multiply, num(0.1), num(30)), delay(1))), 3);
  EXPECT_EQ(timeOf(seq("i", num(1), num(2.9999999999999996), delay(1))), 3);
}

TEST(Simulate, StopsWhenItIsPreciseOrToldTo) {
  const Model m = model(delay(law("exponential", {10})));
  SimulateOptions o;
  o.replications = 1'000'000;
  o.precision = 0.02;
  const Simulated s = run(m, o);
  EXPECT_LE(meanConfidence * *s.standardError, 0.02 * s.moments.mean);
  EXPECT_NEAR(static_cast<double>(s.times.size()), 6764, 700); // (1.6449 / 0.02)^2
  EXPECT_FALSE(s.isStopped);
  o.goesOn = [](uint64_t done) { return done < 100; };
  const Simulated stopped = run(m, o);
  EXPECT_EQ(stopped.times.size(), 100u);
  EXPECT_TRUE(stopped.isStopped);
  EXPECT_EQ(stopped.notes.back(), "stopped after 100 of 1000000 replications");
  // Within a replication: none has ended.
  o.goesOn = [](uint64_t) { return false; };
  EXPECT_EQ(errorOf(model(seq(1e6, delay(1))), o),
            "error: the simulation was stopped before a replication had ended");
}

TEST(Simulate, OneReplicationIsNotCalledConstant) {
  SimulateOptions o;
  o.replications = 1;
  const Simulated s = run(model(delay(law("exponential", {10}))), o);
  EXPECT_TRUE(s.isRandom);
  EXPECT_FALSE(s.standardError);
  EXPECT_EQ(s.notes.size(), 1u);
}

TEST(Simulate, DefinitionsInDefinitionsAreNoCircle) {
  std::vector<Definition> all{process("a0", delay(1))};
  for (int i = 1; i < 600; ++i)
    all.push_back(
        process("a" + std::to_string(i), sequence({name("a" + std::to_string(i - 1)), delay(1)})));
  EXPECT_EQ(timeOf(name("a599"), all), 600);
}

TEST(Simulate, BoundsMayHoldNothing) {
  EXPECT_EQ(timeOf(seq("i", num(2), num(1), delay(1))), 0);
  EXPECT_EQ(timeOf(par("i", num(2), num(1), delay(1))), 0);
  EXPECT_EQ(timeOf(seq("i", num(-2), num(0), delay(binary(Op::subtract, num(1), index("i"))))), 6);
}

TEST(Simulate, MachineRepairWithConstants) {
  const auto time = [](double clients, double rounds, double local, double service) {
    return run(machineRepair(clients, rounds, num(local), num(service))).times.at(0);
  };
  EXPECT_EQ(time(1, 100, 10, 0.5), 100 * 10.5);
  // Saturated: the server works from the first arrival on without a pause.
  EXPECT_EQ(time(50, 100, 10, 1), 10 + 50 * 100);
  // Not saturated: after the first round clients come one after the other and never wait.
  EXPECT_EQ(time(5, 10, 10, 1), 10 * 11 + 4);
}

TEST(Simulate, PipelineOfThreeStages) {
  // par (i = 1, N) seq (m = 1, M) use(u(m), tau): T = M tau + (N - 1) max tau, for equal stages
  const Definition unit = resource("u", fcfs(index("m"), num(1)), {"m"});
  const auto pipeline = [&](double n, double m, const Tree &t) {
    return timeOf(
        par("i", num(1), num(n), seq("k", num(1), num(m), use(name("u", {index("k")}), t))),
        {unit});
  };
  EXPECT_EQ(pipeline(1, 5, num(2)), 10);
  EXPECT_EQ(pipeline(20, 5, num(2)), 5 * 2 + 19 * 2);
  // Stages of 1, 2, 3: the last one is the slowest, 1 + 2 + 3 + 19 * 3.
  EXPECT_EQ(pipeline(20, 3, index("k")), 6 + 19 * 3);
}

TEST(Simulate, FirstComeFirstServedAndEldestFirst) {
  // Part p comes at (4 - p) * 2 and is served for p: the third first, each behind the one before.
  // Third: 2..5, second: 4 -> 5..7, first: 6 -> 7..8.
  const Tree late = binary(Op::multiply, num(2), binary(Op::subtract, num(4), index("p")));
  const Simulated s = run(model(par(3, sequence({delay(late), use(fcfs(0), index("p"))}))));
  EXPECT_EQ(s.times.at(0), 8);
  ASSERT_EQ(s.resources.size(), 1u);
  EXPECT_EQ(s.resources[0].uses, 3u);
  EXPECT_DOUBLE_EQ(s.resources[0].queueing, (0 + 1 + 1) / 3.0);
  EXPECT_DOUBLE_EQ(s.resources[0].busy, 6 / 8.0);
  EXPECT_EQ(s.events, 6u);
  // All at once: by creation. 1, then 10, then 100; then each goes on for 1000 / its service.
  const Tree service = binary(Op::power, num(10), binary(Op::subtract, index("p"), num(1)));
  EXPECT_EQ(timeOf(par(3, sequence({delay(5), use(fcfs(0), service),
                                    delay(binary(Op::divide, num(1000), service))}))),
            5 + 1 + 1000);
}

TEST(Simulate, TwoServers) {
  // Services 5, 1, 3, 2, all at once on two servers: 0..5 and 0..1, 1..4, 4..6.
  const auto all = [](const Tree &r) {
    return parallel({use(r, 5), use(r, 1), use(r, 3), use(r, 2)});
  };
  const Simulated s = run(model(all(fcfs(0, 2))));
  EXPECT_EQ(s.times.at(0), 6);
  EXPECT_DOUBLE_EQ(s.resources.at(0).queueing, (0 + 0 + 1 + 4) / 4.0);
  EXPECT_DOUBLE_EQ(s.resources.at(0).busy, 11 / 12.0);
  EXPECT_EQ(timeOf(all(fcfs(0, 1))), 11);
  EXPECT_EQ(timeOf(all(fcfs(0, 4))), 5);
  const Simulated endless = run(model(all(fcfs(0, inf))));
  EXPECT_EQ(endless.times.at(0), 5);
  EXPECT_EQ(endless.resources.at(0).queueing, 0);
  EXPECT_EQ(endless.resources.at(0).busy, 0);
}

TEST(Simulate, ResourcesAreTheSameByIndex) {
  const std::vector<Definition> two{resource("a", fcfs(1)), resource("b", fcfs(1)),
                                    resource("c", fcfs(2))};
  EXPECT_EQ(timeOf(parallel({use(name("a"), 2), use(name("b"), 3)}), two), 5);
  EXPECT_EQ(timeOf(parallel({use(name("a"), 2), use(name("c"), 3)}), two), 3);
  const Simulated s = run(model(parallel({use(name("c"), 3), use(name("b"), 2)}), two));
  ASSERT_EQ(s.resources.size(), 2u);
  EXPECT_EQ(s.resources[0].name, "b");
  EXPECT_EQ(s.resources[1].name, "c");
}

TEST(Simulate, AnyGoesOnWithEnoughParts) {
  const Tree parts = parallel({delay(5), delay(1), delay(4), delay(2)});
  const double times[] = {1, 2, 4, 5};
  for (int k = 1; k <= 4; ++k)
    EXPECT_EQ(timeOf(any(k, parts)), times[k - 1]);
  EXPECT_EQ(timeOf(any(3, par(10, delay(index("p"))))), 3);
  EXPECT_EQ(timeOf(any(2, name("four")), {process("four", parts)}), 2);
}

TEST(Simulate, CancelledPartsLeaveQueuesAndServers) {
  const Tree r = fcfs(0);
  // The loser holds the server until 1; the next user finds it free.
  EXPECT_EQ(timeOf(sequence({any(1, parallel({use(r, 100), delay(1)})), use(r, 2)})), 3);
  // The second loser waits for the first one: neither is there any more.
  EXPECT_EQ(timeOf(sequence({any(1, parallel({use(r, 100), use(r, 100), delay(1)})), use(r, 2)})),
            3);
  // A stranger queues behind both and is served from 1 on.
  const Simulated s = run(model(parallel({any(1, parallel({use(r, 100), use(r, 100), delay(1)})),
                                          sequence({delay(0.5), use(r, 2)})})));
  EXPECT_EQ(s.times.at(0), 3);
  ASSERT_EQ(s.resources.size(), 1u);
  EXPECT_EQ(s.resources[0].uses, 2u);
  EXPECT_DOUBLE_EQ(s.resources[0].busy, 1); // 0..1 in vain, 1..3
  EXPECT_DOUBLE_EQ(s.resources[0].queueing, 0.5 / 2);
  // Parts of parts go too.
  EXPECT_EQ(timeOf(sequence({any(1, parallel({par(3, sequence({use(r, 50), delay(1)})), delay(1)})),
                             use(r, 2)})),
            3);
  // And events of those who went are no events, however many.
  EXPECT_EQ(timeOf(seq(5000, any(1, parallel({delay(1e6), delay(1)})))), 5000);
}

TEST(Simulate, ConditionsThatAreKnown) {
  const Tree less = binary(Op::less, index("i"), num(4));
  EXPECT_EQ(timeOf(seq(10, branch(less, delay(1), delay(100)))), 3 + 700);
  EXPECT_EQ(timeOf(seq(10, branch(less, delay(1)))), 3);
  EXPECT_EQ(timeOf(branch(num(0), delay(1), delay(2))), 2);
  const auto both = binary(Op::logicalAnd, less, binary(Op::greater, index("i"), num(1)));
  EXPECT_EQ(timeOf(seq(10, branch(both, delay(1)))), 2);
  const auto either = binary(Op::logicalOr, less, binary(Op::equal, index("i"), num(9)));
  EXPECT_EQ(timeOf(seq(10, branch(either, delay(1)))), 4);
  EXPECT_EQ(timeOf(seq(10, branch(node(Op::logicalNot, {less}), delay(1)))), 7);
  EXPECT_EQ(timeOf(seq(10, delay(branch(less, num(2), num(3))))), 6 + 21);
}

TEST(Simulate, SwitchTakesTheFirstEqualValue) {
  const auto chosen = [](const Tree &selector) {
    return select({selector, num(1), delay(10), num(2), delay(20), delay(90)});
  };
  EXPECT_EQ(timeOf(seq(4, chosen(index("i")))), 10 + 20 + 90 + 90);
  EXPECT_EQ(timeOf(chosen(num(2))), 20);
  EXPECT_EQ(timeOf(select({num(3), num(1), delay(10)})), 0);
  EXPECT_EQ(timeOf(seq(3, delay(select({index("i"), num(1), num(10), num(2), num(20), num(90)})))),
            120);
}

TEST(Simulate, NumbersAndFunctions) {
  const auto op = [](Op o, double a, double b) { return worth(binary(o, num(a), num(b))); };
  EXPECT_EQ(op(Op::power, 2, 10), 1024);
  EXPECT_EQ(op(Op::mod, -7, 3), 2);
  EXPECT_EQ(worth(node(Op::negate, {binary(Op::mod, num(7), num(-3))})), 2);
  EXPECT_EQ(op(Op::div, 7, 2), 3);
  EXPECT_EQ(worth(node(Op::negate, {binary(Op::div, num(-7), num(2))})), 4);
  EXPECT_EQ(worth(call("max", {num(1), num(9), num(4)})), 9);
  EXPECT_EQ(worth(call("min", {num(7), num(2), num(4)})), 2);
  EXPECT_EQ(worth(call("gcd", {num(12), num(18)})), 6);
  EXPECT_EQ(worth(call("floor", {num(2.7)})), 2);
  EXPECT_EQ(worth(call("ceil", {num(2.1)})), 3);
  EXPECT_EQ(worth(call("abs", {num(-3)})), 3);
  EXPECT_EQ(worth(call("sqrt", {num(16)})), 4);
  EXPECT_EQ(worth(call("log2", {num(8)})), 3);
  EXPECT_DOUBLE_EQ(worth(call("log", {call("exp", {num(2)})})), 2);
  const Tree square = binary(Op::multiply, index("k"), index("k"));
  EXPECT_EQ(worth(node(Op::sum, {num(1), num(4), square}, "k")), 30);
  EXPECT_EQ(worth(node(Op::max, {num(-3), num(2), square}, "k")), 9);
  EXPECT_EQ(worth(node(Op::min, {num(-3), num(2), square}, "k")), 0);
  EXPECT_EQ(worth(node(Op::sum, {num(2), num(1), square}, "k")), 0);
  // A bound that is a sum itself, beside the index it bounds; functions of indices.
  EXPECT_EQ(timeOf(seq("i", node(Op::sum, {num(1), num(2), index("k")}, "k"),
                       node(Op::sum, {num(1), num(3), index("k")}, "k"),
                       delay(call("max", {index("i"), num(4)})))),
            4 + 4 + 5 + 6);
}

TEST(Simulate, NamesAreCalledByName) {
  // f(x) = x + x in which x is the caller's i; an inner index does not hide it.
  const std::vector<Definition> defs{
      numeric("twice", binary(Op::add, name("x"), name("x")), {"x"}),
      process("work", seq("i", num(1), num(2), delay(name("t"))), {"t"}),
      process("on", use(name("r"), name("t")), {"r", "t"}), resource("s", fcfs(0))};
  EXPECT_EQ(timeOf(seq(3, delay(name("twice", {index("i")}))), defs), 12);
  EXPECT_EQ(timeOf(seq("i", num(5), num(5), name("work", {index("i")})), defs), 10);
  EXPECT_EQ(timeOf(par(3, name("on", {name("s"), num(2)})), defs), 6);
  // Unfolded as far as constants decide: a tree of 2^3 leaves, all on one server.
  const Tree below = name("tree", {binary(Op::subtract, name("n"), num(1))});
  const Definition tree = process(
      "tree",
      branch(binary(Op::greater, name("n"), num(0)), parallel({below, below}), use(fcfs(0), 1)),
      {"n"});
  EXPECT_EQ(timeOf(name("tree", {num(3)}), {tree}), 8);
}

TEST(Simulate, ParametersAndTargets) {
  Model m = model(delay(name("P")), {{Kind::numeric, true, "P", {}, nullptr, {}}});
  m.definitions.push_back(process("other", delay(name("Q"))));
  m.definitions.push_back(numeric("Q", num(4)));
  EXPECT_EQ(errorOf(m), "m.pam:7:3: error: 'P' has no value; give the parameter one");
  SimulateOptions o;
  o.parameters = {{"P", 6}};
  EXPECT_EQ(run(m, o).times.at(0), 6);
  o.target = "other";
  EXPECT_EQ(run(m, o).times.at(0), 4);
  o.parameters = {{"Q", 9}};
  EXPECT_EQ(run(m, o).times.at(0), 9);
  o.parameters = {{"clients", 9}};
  EXPECT_EQ(errorOf(m, o), "error: there is no number 'clients' to give a value");
  o = {};
  o.target = "othr";
  EXPECT_EQ(errorOf(m, o),
            "error: there is no process 'othr' without arguments; did you mean 'other'?");
}

TEST(Simulate, OneReplicationWhenNothingIsRandom) {
  const Simulated s = run(model(delay(3)));
  EXPECT_EQ(s.times.size(), 1u);
  EXPECT_EQ(s.moments.mean, 3);
  EXPECT_EQ(s.moments.variance, 0);
  EXPECT_EQ(s.standardError, 0);
  for (const TimePercentile &p : s.percentiles) {
    EXPECT_EQ(p.value, 3);
    EXPECT_EQ(p.low, 3);
    EXPECT_EQ(p.high, 3);
  }
}

TEST(Simulate, Refusals) {
  const std::string at = "m.pam:7:3: error: ";
  const struct {
    Tree main;
    const char *text;
  } table[] = {
      {delay(-1), "a time must be finite and 0 or more, not -1"},
      {delay(inf), "a time must be finite and 0 or more, not inf"},
      {seq(3, delay(binary(Op::divide, num(1), binary(Op::subtract, index("i"), num(2))))),
       "division by zero"},
      {delay(name("x")), "'x' is not defined"},
      {name("x"), "'x' is not defined"},
      {delay(name("main")), "'main' is a process; a number must stand here"},
      {name("main"),
       "definitions in definitions more than 1000 deep; is 'main' defined by itself?"},
      {num(1), "a process must stand here, not a number or a resource"},
      {delay(delay(1)), "a number must stand here, not a process or a resource"},
      {use(num(1), 1), "a resource must stand here, not a number or a process"},
      {seq(2, delay(name("i", {num(1)}))), "'i' is an argument or an index and takes none itself"},
      {seq(2, name("i")), "'i' is an index, which is a number"},
      {delay(node(Op::vector, {num(1)})), "a vector has no place in simulation"},
      {delay(call("unitvec", {num(1)})), "the function 'unitvec' cannot be simulated"},
      {delay(call("together", {num(1), num(2)})),
       "'together' is of draws that hang together, and simulation draws each by itself"},
      {delay(any(1, call("max", {num(1), num(2)}))),
       "'any' of numbers has no place in simulation: let processes wait"},
      {delay(name("T_main")), "'T_main' is what analysis gives, which has no place in simulation"},
      {delay(call("sqrt", {num(1), num(2)})), "'sqrt' does not take 2 arguments"},
      {delay(law("cauchy", {1})), "the law 'cauchy' cannot be simulated"},
      {delay(law("normal", {1})), "normal takes (mean, deviation), not 1 arguments"},
      {delay(law("exponential", {-1})), "exponential(-1) needs a mean of 0 or more"},
      {delay(law("uniform", {2, 1})), "uniform(2, 1) needs ends in ascending order"},
      {delay(law("gamma", {0, 1})),
       "gamma(0, 1) needs a mean above 0 and a deviation of 0 or more"},
      {delay(law("bernoulli", {2})), "bernoulli(2) needs a probability"},
      {delay(law("histogram", {1, 0})), "histogram(1, 0) needs a weight above 0"},
      {delay(law("histogram", {1, -1, 2, 3})), "histogram(1, -1, 2, 3) has a weight below 0"},
      {delay(law("moments", {-1, 1, 0, 3})),
       "moments(-1, 1, 0, 3) cannot be drawn: mean and variance must be 0 or more"},
      {delay(law("moments", {0, 1, 0, 3})),
       "moments(0, 1, 0, 3) cannot be drawn: a time with mean 0 has variance 0"},
      {branch(num(2), delay(1)), "a condition is 2: it must be 0, 1 or a probability between them"},
      {seq(2, branch(index("i"), delay(1))),
       "a condition is 2: it must be 0, 1 or a probability between them"},
      {branch(law("moments", {0.005, 2, 4, 20}), delay(1)),
       "a condition with moments(0.005, 2, ...) gives cumulants of rates, and simulation cannot "
       "draw rates: use bernoulli(0.005), whose variance is 0.004975, or analyse the model"},
      {select({nullptr, num(0.7), delay(1), num(0.4), delay(2)}),
       "the probabilities of a switch add up to 1.1, more than 1"},
      {select({nullptr, num(-0.5), delay(1)}),
       "a switch without a selector takes probabilities, not -0.5"},
      {parallel({use(fcfs(0, 1), 1), use(fcfs(0, 2), 1)}),
       "resource fcfs(0) has multiplicity 2 here and 1 elsewhere"},
      {seq(2, use(fcfs(num(0), index("i")), num(1))),
       "resource fcfs(0) has multiplicity 2 here and 1 elsewhere"},
      {use(fcfs(0.5, 1), 1), "the index of a resource is a whole number, not 0.5"},
      {use(fcfs(0, 0), 1), "a multiplicity is a whole number from 1 on, or inf, not 0"},
      {any(3, parallel({delay(1), delay(2)})),
       "any (3) of 2 parts: their number must be from 1 to 2"},
      {any(0, parallel({delay(1), delay(2)})),
       "any (0) of 2 parts: their number must be from 1 to 2"},
      {any(1, delay(1)), "'any' needs parts: a process made by || or par"},
      {seq(inf, delay(1)), "bounds from 1 to inf: both must be finite numbers, below 2^53"},
      {delay(node(Op::sum, {num(1), num(inf), num(1)}, "k")),
       "bounds from 1 to inf: both must be finite numbers, below 2^53"},
      {delay(node(Op::max, {num(2), num(1), num(1)}, "k")),
       "the largest or smallest of no values, from 2 to 1"},
      {par(2e6, delay(1)),
       "more processes at once than the limit of 1000000; raise it if that is meant"},
  };
  for (const auto &row : table)
    EXPECT_EQ(errorOf(row.main), at + row.text);
  EXPECT_EQ(errorOf(name("f"), {process("f", delay(1), {"x"})}),
            at + "'f' takes 1 arguments, not 0");
}

TEST(Simulate, Limits) {
  SimulateOptions o;
  o.maxEvents = 1000;
  const std::string text =
      "m.pam:7:3: error: more events and turns of loops than the limit of 1000: "
      "a loop without end? Raise the limit if it is not";
  EXPECT_EQ(errorOf(model(seq(1e15, delay(1))), o), text);
  EXPECT_EQ(errorOf(model(seq(1e15, delay(0))), o), text);
  EXPECT_EQ(errorOf(model(seq(1e15, parallel({delay(0), delay(0)}))), o), text);
  EXPECT_EQ(errorOf(model(delay(node(Op::sum, {num(1), num(1e15), num(0)}, "k"))), o), text);
  EXPECT_EQ(errorOf(model(seq(500, delay(1))), o), "none");
  o.maxLive = 0;
  EXPECT_EQ(errorOf(model(delay(1)), o),
            "error: the limit on processes must be from 1 to 16777216");
  o = {};
  o.replications = 0;
  EXPECT_EQ(errorOf(model(delay(1)), o), "error: a simulation needs at least one replication");
  o = {};
  o.maxEvents = UINT64_MAX;
  EXPECT_EQ(errorOf(model(delay(1)), o), "error: the limit on events must be below 1099511627776");
}
