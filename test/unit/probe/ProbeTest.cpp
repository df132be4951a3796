// Micro-benchmarks: that every cost is there and makes sense, and what becomes of times. Values are
// compared with each other only where orders of magnitude lie between them.
#include "quincunx/probe/Probe.h"

#include "../../../lib/probe/Times.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace quincunx;

namespace {

using Kind = ProbedCost::Kind;

constexpr ProbeEffort quick{.batches = 5, .batch = 2e-4};

/// A quick measurement, made once.
const ProbedMachine &measured() {
  static const Result<ProbedMachine> probed = probeMachine(quick);
  EXPECT_TRUE(probed);
  return *probed;
}

double latencyOf(const ProbedMachine &probed, const std::string &word) {
  for (const ProbedCost &c : probed.costs)
    if (c.word == word)
      return c.latency;
  ADD_FAILURE() << "no " << word;
  return NAN;
}

ProbedMachine made(Moments law, double spread, Kind kind = Kind::instruction) {
  const char *word = kind == Kind::callee ? "malloc" : kind == Kind::event ? "l3Hit" : "load";
  return {"a clock", {}, {{kind, word, "something", 4, 1, spread, law}}};
}

} // namespace

TEST(Probe, EveryClassAndEventHasACost) {
  std::vector<std::string> classes{"construct"}, events;
  for (const ProbedCost &c : measured().costs) {
    SCOPED_TRACE(c.word);
    if (c.kind != Kind::callee)
      (c.kind == Kind::event ? events : classes).push_back(c.word);
    EXPECT_FALSE(c.what.empty());
    EXPECT_TRUE(std::isfinite(c.law.mean) && std::isfinite(c.spread));
    EXPECT_TRUE(admissible(c.law));
    EXPECT_GE(c.spread, 0);
    if (c.kind == Kind::event) {
      EXPECT_GE(c.latency, 0); // a difference; on a busy machine it may be hidden
      EXPECT_EQ(c.latency, c.throughput);
    } else {
      EXPECT_GT(c.throughput, 0);
      EXPECT_GE(c.latency, 0.5 * c.throughput);
    }
  }
  EXPECT_TRUE(
      std::equal(classes.begin(), classes.end(), machineClasses().begin(), machineClasses().end()))
      << "all of them, in their order";
  if (events.empty() || events.back() != "start")
    events.emplace_back("start"); // not where there is no /bin/true
  EXPECT_TRUE(
      std::equal(events.begin(), events.end(), machineEvents().begin(), machineEvents().end()));
}

TEST(Probe, OrdersOfMagnitude) {
  // On a busy machine others empty the caches: what holds has to hold in one of a few attempts. The
  // third level is what is left of walks through many pages, so that both stand together.
  const std::pair<std::vector<std::string>, const char *> greater[] = {
      {{"l3Hit", "pageWalk"}, "l2Hit"},
      {{"memoryAccess"}, "l2Hit"},
      {{"fault"}, "l2Hit"},
      {{"divide"}, "add"},
      {{"mispredict"}, "branch"}};
  std::string wrong;
  for (int attempt = 0; attempt < 10; ++attempt) {
    const Result<ProbedMachine> probed = probeMachine(quick);
    ASSERT_TRUE(probed);
    wrong.clear();
    for (const auto &[more, less] : greater) {
      double sum = 0;
      for (const std::string &word : more)
        sum += latencyOf(*probed, word);
      if (sum <= latencyOf(*probed, less))
        wrong += more.front() + " is not above " + less + "; ";
    }
    if (wrong.empty())
      break;
  }
  EXPECT_EQ(wrong, "");
}

TEST(Probe, AnInstructionCostsBetweenThroughputAndLatency) {
  for (const ProbedCost &c : measured().costs)
    if (c.kind != Kind::event) {
      SCOPED_TRACE(c.word);
      const double apart = c.latency - c.throughput;
      EXPECT_NEAR(c.law.mean, c.throughput + exposed * apart, 1e-12 * c.law.mean);
      EXPECT_NEAR(c.law.variance, exposed * (1 - exposed) * apart * apart, 1e-9 * c.law.variance);
    }
}

TEST(Probe, TheFileHoldsTheMachine) {
  const std::string text = describe(measured(), "mine", "a processor");
  const Result<Machine> read = parseMachine(text, "mine.machine");
  ASSERT_TRUE(read) << read.error().message() << '\n' << text;
  const Machine machine = machineOf(measured(), "mine");
  EXPECT_EQ(read->name, "mine");
  EXPECT_EQ(read->unit, "ns");
  EXPECT_EQ(read->classes, machine.classes);
  EXPECT_EQ(read->events, machine.events);
  EXPECT_EQ(read->callees, machine.callees);
  EXPECT_EQ(machine.cost("construct"), Cumulants{});
  EXPECT_EQ(machine.callees.count("malloc") + machine.callees.count("free"), 2U);
  EXPECT_NE(text.find("# processor: a processor\n"), std::string::npos);
  for (const ProbedCost &c : measured().costs)
    EXPECT_NE(text.find(c.what), std::string::npos) << c.what;
}

TEST(Probe, AStartIsFreeOfItsPageFaults) {
  // Runs are charged for faults apart. {time, faults} of a start, ns of a fault, what is left.
  const struct {
    probe::Use start;
    double fault, left;
  } table[] = {{{5e5, 0}, 700, 5e5}, {{5e5, 100}, 700, 4.3e5}, {{5e5, 1000}, 700, 0}};
  for (const auto &t : table) {
    const probe::Times times{{probe::startProcess, {3, t.start}},
                             {probe::touchPages, {3, probe::Use{t.fault, 0}}}};
    const std::vector<ProbedCost> costs = probe::costsOf(times, 3);
    const auto cost = std::find_if(costs.begin(), costs.end(),
                                   [](const ProbedCost &c) { return c.word == "start"; });
    ASSERT_NE(cost, costs.end());
    EXPECT_DOUBLE_EQ(cost->latency, t.left);
    EXPECT_DOUBLE_EQ(cost->law.mean, t.left);
  }
}

TEST(Probe, ACostWithoutTimesIsLeftOut) {
  EXPECT_TRUE(probe::costsOf({}, 3).empty());
  // The start needs two loops.
  EXPECT_TRUE(probe::costsOf({{probe::startProcess, {3, probe::Use{5e5, 100}}}}, 3).empty());
}

TEST(Probe, RoundsToMomentsThatACostCanHave) {
  // A law of two points has the least kurtosis that its skewness allows: rounding must not go
  // below.
  for (const double p : {0.1, 0.25, 0.37, 0.5, 0.8}) {
    SCOPED_TRACE(p);
    const double skewness = (1 - 2 * p) / std::sqrt(p * (1 - p));
    const Moments law{1.23456789, 0.987654321, skewness, 1 + skewness * skewness};
    for (const Kind kind : {Kind::instruction, Kind::event, Kind::callee}) {
      const std::string text = describe(made(law, 0, kind), "m", "a processor");
      const Result<Machine> read = parseMachine(text, "m");
      ASSERT_TRUE(read) << read.error().message() << '\n' << text;
      EXPECT_NE(text.find("moments(1.235, 0.9877, "), std::string::npos) << text;
    }
  }
  const Machine constant = machineOf(made({2, 0, 0, 3}, 0), "m");
  EXPECT_EQ(constant.cost("load"), (Cumulants{2, 0, 0, 0}));
}

TEST(Probe, NoiseIsTold) {
  EXPECT_TRUE(noiseNotes(made({}, noisySpread)).empty());
  const std::vector<std::string> notes = noiseNotes(made({}, 0.234));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0], "note: batches of load spread by 23.4 %; repeat on a quiet machine");
  EXPECT_NE(describe(made({}, 0.234), "m", "a processor").find("# " + notes[0] + '\n'),
            std::string::npos);
}

TEST(Probe, TellsOfEveryBatch) {
  unsigned told = 0;
  ASSERT_TRUE(probeMachine({.batches = 2, .batch = 1e-5}, [&] { ++told; }));
  EXPECT_EQ(told, 2U);
}

TEST(Probe, TheMeasuredExampleIsRead) {
  const Result<Machine> m =
      machineByName(QUINCUNX_SOURCE_DIR "/examples/machines/xeon-2.6GHz.machine");
  ASSERT_TRUE(m) << m.error().message();
  EXPECT_EQ(m->unit, "ns");
  EXPECT_EQ(m->classes.size(), machineClasses().size());
  EXPECT_EQ(m->events.size(), machineEvents().size());
}
