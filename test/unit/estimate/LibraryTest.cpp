// Functions that a program calls and that were not counted: how often, and what the machine charges
// for that, against sums written out by hand. Whatever is theirs is no longer their callers'.
#include "quincunx/estimate/Observed.h"

#include "TimedProgram.h"

using namespace quincunx;
using namespace quincunx::test;

namespace {

using Runs = std::vector<quincunx::Run>;

/// loopWithBranch() of which arm A calls malloc twice and `counted` once, and arm B calls free.
Function caller(const std::string &name, const std::string &counted = "main") {
  Function f = loopWithBranch(name);
  f.calls = {{2, "malloc", false, {5, 3, 0}},
             {2, "malloc", false, {6, 3, 0}},
             {2, counted, false, {6, 9, 0}},
             {3, "free", false, {}},
             {4, "", false, {}}};
  return f;
}

std::vector<Map> program() { return {mapOf({caller("parse"), loopWithBranch("main")})}; }

Machine machine(const std::string &text) {
  const Result<Machine> m = parseMachine(text, "test.machine");
  EXPECT_TRUE(m);
  return *m;
}

Result<Observed> estimate(const std::vector<Map> &maps, const Machine &m, const Runs &runs) {
  Observer o(maps, m, runs.size());
  for (const quincunx::Run &run : runs)
    if (const Status s = o.add(run); !s)
      return s.error();
  return o.finish();
}

/// That functions, what they call and what lies outside add up to the program.
void expectToAddUp(const Observed &o) {
  double mean = o.unattributed ? o.unattributed->cost.moments.mean : 0,
         shares = o.unattributed ? o.unattributed->share : 0;
  for (const auto *list : {&o.functions, &o.library})
    for (const FunctionFigures &f : *list) {
      EXPECT_GE(f.cost.moments.mean, 0) << f.name;
      mean += f.cost.moments.mean, shares += f.share;
    }
  EXPECT_NEAR(mean, o.program.moments.mean, 1e-9 * mean);
  EXPECT_NEAR(shares, 1, 1e-9);
}

const char *const base = "add 1\nload moments(4, 9, 3, 12)\nmultiply 5\nstore 0.5\njump 1\n";

} // namespace

TEST(Library, CallsAreExecutionsOfTheirBlocks) {
  const std::vector<Map> maps = program();
  const Runs runs{runOf("a", maps[0], {1, 30, 5, 1, 2, 3}), runOf("b", maps[0], {2, 3, 40}),
                  runOf("c", maps[0], {1, 0, 0})};
  const Result<Observed> o = estimate(maps, machine(base), runs);
  ASSERT_TRUE(o) << o.error().text;
  ASSERT_EQ(o->library.size(), 2u) << "main has a map, and a pointer no name";
  const FunctionFigures &free = o->library[0], &malloc = o->library[1];
  EXPECT_EQ(free.name, "free");
  EXPECT_EQ(malloc.name, "malloc");
  EXPECT_DOUBLE_EQ(malloc.calls.moments.mean, (60 + 6 + 0) / 3.0);
  EXPECT_EQ(malloc.calls.max, 60);
  EXPECT_EQ(malloc.calls.min, 0);
  EXPECT_EQ(malloc.calls.percentiles[0].value, 6);
  EXPECT_EQ(malloc.calls.runs, 3u);
  EXPECT_DOUBLE_EQ(free.calls.moments.mean, 15);
  for (const FunctionFigures &f : o->library) {
    EXPECT_TRUE(f.isLibrary);
    EXPECT_FALSE(f.isPriced) << f.name;
    EXPECT_EQ(f.cost.moments.mean, 0) << f.name;
  }
  expectToAddUp(*o);
}

TEST(Library, WhatTheMachineChargesForCallsIsNoLongerTheirCallers) {
  const std::vector<Map> maps = program();
  const Runs runs{runOf("a", maps[0], {1, 30, 5, 1, 2, 3}), runOf("b", maps[0], {2, 3, 40})};
  const Result<Observed> free = estimate(maps, machine(base), runs);
  const Result<Observed> o =
      estimate(maps, machine(base + std::string("callee malloc moments(40, 900, 2, 9)\n")), runs);
  ASSERT_TRUE(o && free);
  const FunctionFigures &malloc = o->library[1];
  EXPECT_TRUE(malloc.isPriced);
  EXPECT_FALSE(o->library[0].isPriced);
  const Cumulants one = cumulants(Moments{40, 900, 2, 9});
  const Moments all = moments(mixture(std::vector<Cumulants>{60 * one, 6 * one}));
  EXPECT_NEAR(malloc.cost.moments.mean, 40 * 33, 1e-9);
  EXPECT_NEAR(malloc.cost.deviation, all.deviation(), 1e-9 * all.deviation());
  for (size_t i = 0; i < o->functions.size(); ++i) {
    EXPECT_EQ(o->functions[i].cost.moments.mean, free->functions[i].cost.moments.mean);
    EXPECT_EQ(o->functions[i].cost.deviation, free->functions[i].cost.deviation);
  }
  EXPECT_NEAR(o->program.moments.mean, free->program.moments.mean + 40 * 33, 1e-9);
  for (size_t d = 0; d < runs.size(); ++d)
    EXPECT_NEAR(o->runs[d].cost.k2, free->runs[d].cost.k2 + (d == 0 ? 60 : 6) * 900, 1e-6);
  expectToAddUp(*o);
}

TEST(Library, IsOneWhicheverImageCallsIt) {
  const std::vector<Map> maps{mapOf({caller("parse", "strlen")}),
                              mapOf({caller("other"), loopWithBranch("strlen")}, 2, "/lib/a.so")};
  Runs runs{runOf("a", maps[0], {1, 30, 5})};
  runs[0].images.push_back(runOf("", maps[1], {1, 4, 1, 1, 0, 0}).images[0]);
  const Result<Observed> o =
      estimate(maps, machine("add 0\ncallee malloc 2\ncallee strlen 9\n"), runs);
  ASSERT_TRUE(o) << o.error().text;
  ASSERT_EQ(o->library.size(), 3u);
  EXPECT_EQ(o->library[1].name, "main") << "here no map has it";
  EXPECT_EQ(o->library[1].calls.moments.mean, 4);
  EXPECT_EQ(o->library[2].name, "malloc");
  EXPECT_EQ(o->library[2].calls.moments.mean, 2 * 34);
  EXPECT_EQ(o->program.moments.mean, 2 * 2 * 34);
}

/// In a block of its own behind the first one, each call more makes a site more.
TEST(Library, FunctionsThatCallVeryManyAreCountedAlike) {
  Function f = caller("parse");
  for (int i = 0; i < 100; ++i)
    f.calls.push_back({static_cast<uint32_t>(1 + i % 3), "f" + std::to_string(i), false, {}});
  const std::vector<Map> maps{mapOf({f})};
  const Result<Observed> o = estimate(maps, machine("add 0\ncallee f0 3\ncallee f1 5\n"),
                                      {runOf("a", maps[0], {2, 30, 7})});
  ASSERT_TRUE(o);
  ASSERT_EQ(o->library.size(), 103u);
  for (const FunctionFigures &g : o->library) {
    const int i = g.name[0] == 'f' && g.name != "free" ? std::stoi(g.name.substr(1)) : -1;
    const double want = g.name == "malloc" ? 60
                        : g.name == "free" ? 7
                        : g.name == "main" ? 30
                        : i % 3 == 0       ? 39
                        : i % 3 == 1       ? 30
                                           : 7;
    EXPECT_EQ(g.calls.moments.mean, want) << g.name;
  }
  EXPECT_EQ(o->program.moments.mean, 39 * 3 + 30 * 5);
  expectToAddUp(*o);
}

/// Older builds do not tell where frames were lost: calls are the middle of what is possible.
TEST(Library, LostFramesLeaveTheMiddle) {
  Function f = guardedCall("main", 0);
  f.calls = {{0, "longjmp", true, {}}, {1, "puts", false, {}}};
  const std::vector<Map> maps{mapOf({f})};
  const Result<Observed> o = estimate(maps, machine("add 1\ncall 1\ncallee puts 100\n"),
                                      {runOf("a", maps[0], {5, 3}), runOf("b", maps[0], {2, 2})});
  ASSERT_TRUE(o) << o.error().text;
  ASSERT_EQ(o->library.size(), 2u);
  EXPECT_EQ(o->library[0].calls.moments.mean, (5 + 2) / 2.0);
  EXPECT_EQ(o->library[1].calls.moments.mean, (3 + 2) / 2.0);
  expectToAddUp(*o);
}

/// Weights of a fit hold what blocks call: of the price of a block a call takes its own, and no
/// more than there is.
TEST(Library, WhereCostsAreFittedToTimesCallersKeepAtLeastNothing) {
  TimedProgramData p{90, 21, 0.02};
  p.maps[0].functions[0].calls = caller("").calls;
  const Result<Calibration> c = p.calibrated(70);
  ASSERT_TRUE(c) << c.error().text;
  for (const double price : {0.1, 1.0, 100.0}) {
    Machine m = c->machine;
    m.callees = {{"malloc", {price, 0, 0, 0}}};
    const Observed with = observed(p, m);
    m.callees["malloc"].k1 = 0;
    const Observed without = observed(p, m);
    expectToAddUp(with);
    ASSERT_EQ(with.library.size(), 3u);
    const FunctionFigures &malloc = with.library[2];
    ASSERT_EQ(malloc.name, "malloc");
    EXPECT_GT(malloc.cost.moments.mean, 0);
    if (price == 100)
      EXPECT_LT(malloc.cost.moments.mean, 50 * malloc.calls.moments.mean)
          << "no more than there is";
    else
      EXPECT_NEAR(with.program.moments.mean, without.program.moments.mean,
                  1e-9 * without.program.moments.mean)
          << "times are what they were";
  }
}

namespace {
/// Arm A copies 100 bytes, then as many as counter 6 has in all; arm B compares 8 at most.
std::vector<Map> copying() {
  Function f = loopWithBranch("main");
  f.calls = {{2, "memcpy", false, {}},
             {2, "memcpy", false, {}},
             {3, "memcmp", false, {}},
             {3, "free", false, {}},
             {4, "free", false, {}}};
  f.calls[0].bytes = f.calls[1].bytes = f.calls[3].bytes = ByteSource::argument;
  f.calls[0].constantBytes = 100;
  f.calls[1].byteCounter = f.counterCount++;
  f.calls[2].bytes = ByteSource::limit;
  f.calls[2].constantBytes = 8;
  f.calls[2].written = "strncmp";
  return {mapOf({f})};
}
} // namespace

TEST(Library, BytesAreThoseOfAllCallsInARun) {
  const std::vector<Map> maps = copying();
  const auto counter = static_cast<size_t>(maps[0].functions[0].calls[1].byteCounter);
  const auto counts = [&](std::vector<uint64_t> values, uint64_t moved) {
    values.resize(counter, 0);
    values.push_back(moved);
    return values;
  };
  const Runs runs{runOf("a", maps[0], counts({1, 30, 5}, 777)),
                  runOf("b", maps[0], counts({1, 0, 2}, 0))};
  const Result<Observed> o = estimate(maps, machine(base), runs);
  ASSERT_TRUE(o) << o.error().text;
  ASSERT_EQ(o->library.size(), 3u);
  const FunctionFigures &free = o->library[0], &memcmp = o->library[1], &memcpy = o->library[2];
  EXPECT_FALSE(free.bytes) << "not known of one of its calls";
  ASSERT_TRUE(memcpy.bytes && memcmp.bytes);
  EXPECT_EQ(memcpy.calls.moments.mean, 30);
  EXPECT_EQ(memcpy.bytes->max, 30 * 100 + 777);
  EXPECT_EQ(memcpy.bytes->moments.mean, (30 * 100 + 777) / 2.0);
  EXPECT_EQ(memcpy.bytesFrom, ByteSource::argument);
  EXPECT_EQ(memcmp.bytes->moments.mean, 8 * (5 + 2) / 2.0);
  EXPECT_EQ(memcmp.bytesFrom, ByteSource::limit);
  EXPECT_EQ(memcmp.written, std::vector<std::string>{"strncmp"});
}

TEST(Library, BytesHaveAPrice) {
  const std::vector<Map> maps = copying();
  const auto counter = static_cast<size_t>(maps[0].functions[0].calls[1].byteCounter);
  std::vector<uint64_t> values{1, 30, 5};
  values.resize(counter, 0);
  values.push_back(777);
  const Runs runs{runOf("a", maps[0], values)};
  const std::string prices = "add 1\ncall 1\n";
  const auto o = estimate(maps,
                          machine(prices + "callee memcpy 3\nbyte memcpy 0.5\n"
                                           "byte memcmp 100\nbyte free 100\n"),
                          runs);
  const auto without = estimate(maps, machine(prices), runs);
  ASSERT_TRUE(o && without);
  const FunctionFigures &memcmp = o->library[1], &memcpy = o->library[2];
  EXPECT_EQ(memcpy.cost.max, 2 * 30 * 3 + 0.5 * (30 * 100 + 777));
  EXPECT_EQ(memcmp.cost.max, 0) << "what it looks at is less than the limit";
  EXPECT_EQ(o->functions[0].cost.max, without->functions[0].cost.max);
  EXPECT_EQ(o->program.max, without->program.max + memcpy.cost.max);
  expectToAddUp(*o);
}

TEST(Library, TheShareOfWhatHasAPriceIsNoted) {
  const std::vector<Map> maps = copying();
  const Runs runs{runOf("a", maps[0], {1, 30, 5})};
  const auto note = [&](const char *prices) {
    const Result<Observed> o = estimate(maps, machine(prices), runs);
    EXPECT_TRUE(o);
    for (const Note &n : o->notes)
      if (n.kind == "elsewhere")
        return n.text;
    return std::string();
  };
  EXPECT_EQ(note(base), "");
  const std::string text = note("add 0\nmemory 0\ncallee memcmp 7\n");
  EXPECT_EQ(text.find("100 % of the cost is in calls of 1 function"), 0u) << text;
  EXPECT_NE(text.find("calls of 2 more have no price"), std::string::npos) << text;
}
