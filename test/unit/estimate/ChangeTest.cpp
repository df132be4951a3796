// The syntax of changes: what is good means what it says, what is bad is told with its column.
#include "quincunx/estimate/Change.h"

#include <gtest/gtest.h>

using namespace quincunx;
using Target = Change::Target;

namespace {

struct Good {
  const char *text;
  Target target;
  bool scales;
  const char *name, *file; ///< of a place, or of a machine or mix
  uint32_t line, last, column;
  double k1;
  const char *variable;
};

const Good goods[] = {
    {"cost(parse) *= 0.5", Target::cost, true, "parse", "", 0, 0, 0, 0.5, ""},
    {"  cost ( parse )*=x ", Target::cost, true, "parse", "", 0, 0, 0, 1, "x"},
    {"cost(parse) = 2 * x", Target::cost, false, "parse", "", 0, 0, 0, 2, "x"},
    {"cost(parse) = x*2.5", Target::cost, false, "parse", "", 0, 0, 0, 2.5, "x"},
    {"cost(json::get(int (*)(char), A<(B)1>)) *= 0", Target::cost, true,
     "json::get(int (*)(char), A<(B)1>)", "", 0, 0, 0, 0, ""},
    {"cost(f::operator()(int)) := 3", Target::cost, false, "f::operator()(int)", "", 0, 0, 0, 3,
     ""},
    {"cost(lines) *= 2", Target::cost, true, "lines", "", 0, 0, 0, 2, ""},
    {"cost(lines json.c:100-180) = 40", Target::cost, false, "", "json.c", 100, 180, 0, 40, ""},
    {"cost(lines src/a-b c.c:7) *= 1e3", Target::cost, true, "", "src/a-b c.c", 7, 7, 0, 1000, ""},
    {"calls(malloc) := moments(40,900,2,9)", Target::calls, false, "malloc", "", 0, 0, 0, 40, ""},
    {"calls(malloc) = moments( 40, 0, 0, 3 )", Target::calls, false, "malloc", "", 0, 0, 0, 40, ""},
    {"trips(loop json.c:57) *= 4", Target::trips, true, "", "json.c", 57, 57, 0, 4, ""},
    {"trips(loop json.c:57:3) *= x", Target::trips, true, "", "json.c", 57, 57, 3, 1, "x"},
    {"p(branch json.c:61:12) = 0.2", Target::probability, false, "", "json.c", 61, 61, 12, 0.2, ""},
    {"p(branch json.c:61:12 to line 64) = 0.2", Target::probability, false, "", "json.c", 61, 61,
     12, 0.2, ""},
    {"p(branch C:61) = 1", Target::probability, false, "", "C", 61, 61, 0, 1, ""},
    {"machine = other.machine", Target::machine, false, "", "other.machine", 0, 0, 0, 1, ""},
    {"price(load) *= 0.5", Target::price, true, "load", "", 0, 0, 0, 0.5, ""},
    {"price( fault ) := moments(800, 90, 0, 3)", Target::price, false, "fault", "", 0, 0, 0, 800,
     ""},
    {"mix(size) = my mix.tsv", Target::mix, false, "size", "my mix.tsv", 0, 0, 0, 1, ""},
    {"size(n) = 4 * n", Target::size, true, "n", "", 0, 0, 0, 4, ""},
    {"size(n) *= 4", Target::size, true, "n", "", 0, 0, 0, 4, ""},
    {"calls(f) *= 2", Target::calls, true, "f", "", 0, 0, 0, 2, ""},
    {"total(ns::f(int)) *= 0.5*x", Target::total, true, "ns::f(int)", "", 0, 0, 0, 0.5, "x"},
    {"cost(f) = x * y * 3", Target::cost, false, "f", "", 0, 0, 0, 3, "x"},
    {"size(n) = x * n", Target::size, true, "n", "", 0, 0, 0, 1, "x"},
    {"size(n) = 4", Target::size, false, "n", "", 0, 0, 0, 4, ""},
    {"lock(src/q.c:40) = none", Target::lock, false, "", "src/q.c", 40, 40, 0, 1, ""},
    {"join(thread q.c:40) = first", Target::join, false, "", "q.c", 40, 40, 0, 1, ""},
    {"work( thread  pool.c:12 ) *= 0.5", Target::work, true, "", "pool.c", 12, 12, 0, 0.5, ""},
};

struct Bad {
  const char *text;
  unsigned column;
  const char *expected;
};

const Bad bads[] = {
    {"price(load) *= y", 16, "a number: prices have no variables"},
    {"price() = 2", 7, "a class of instructions, or an event"},
    {"", 1,
     "expected cost, calls, total, trips, p, machine, price, mix, size, lock, work, schedule, join "
     "or threads"},
    {"costs(f) = 2", 1, "did you mean 'cost'?"},
    {"cost f = 2", 6, "expected '('"},
    {"cost(f = 2", 11, "expected ')'"},
    {"cost() = 2", 6, "expected a function, or 'lines FILE:FROM-TO'"},
    {"mix() = a", 5, "expected the name of a feature"},
    {"cost(f) 2", 9, "expected '=' or '*='"},
    {"calls(f) 2", 10, "expected '=' or '*='"},
    {"calls(f) *= moments(1,2,3,40)", 13, "expected a factor"},
    {"total(f) = 2", 10, "expected '*='"},
    {"total() *= 2", 7, "expected a function"},
    {"machine(x) = 2", 8, "expected '='"},
    {"cost(f) =", 10, "expected a cost: a number"},
    {"cost(f) = -2", 11, "expected a number that is not negative"},
    {"cost(f) = 2 * 3", 11, "expected a cost: a number"},
    {"cost(f) = x * x", 11, "expected a cost: a number"},
    {"cost(f) = x * y * z", 11, "expected a cost: a number"},
    {"cost(f) = x *", 11, "expected a cost: a number"},
    {"cost(f) = x * x * 2", 11, "expected a cost: a number"},
    {"cost(f) = nan", 11, ""}, // a variable of that name
    {"cost(f) *= moments(1,2,3,40)", 12, "expected a factor"},
    {"cost(f) = moments(1,2,3)", 11, "takes four numbers, not 3"},
    {"cost(f) = moments(1,2,3,4)", 11, "no cost has these moments"},
    {"cost(lines f.c) = 2", 12, "as in json.c:100-180"},
    {"cost(lines f.c:9-3) = 2", 12, "as in json.c:100-180"},
    {"cost(lines :9) = 2", 12, "as in json.c:100-180"},
    {"cost(lines f.c:0) = 2", 12, "as in json.c:100-180"},
    {"trips(json.c:57) *= 2", 7, "expected 'loop FILE:LINE'"},
    {"trips(loop json.c) *= 2", 12, "as in json.c:61:12"},
    {"p(61) = 0.5", 3, "expected 'branch FILE:LINE'"},
    {"p(branch a.c:99999999999) = 0.5", 10, "as in json.c:61:12"},
    {"p(branch a.c:1) = 1.5", 19, "expected a probability, from 0 to 1"},
    {"p(branch a.c:1) = a b", 19, "expected a number, variables or their product"},
    {"machine =", 10, "expected a machine or its file"},
    {"mix(size) = ", 12, "expected a file"},
    {"schedule(q.c:40) = auto", 20, "expected static, dynamic or guided"},
    {"schedule(q.c:40) = dynamic,0", 28, "expected a chunk of 1 iteration or more"},
    {"schedule(q.c:40) *= 2", 18, "expected '='"},
    {"threads = 1.5", 11, "expected a number of threads, from 1 to 65536"},
    {"threads(f) = 2", 8, "expected '='"},
    {"lock(q.c:40) = gone", 16, "expected 'none' or 'own'"},
    {"lock(q.c:40) *= 2", 14, "expected '='"},
    {"join(thread q.c:40) = last", 23, "expected 'first'"},
    {"join(thread q.c:40) *= 2", 21, "expected '='"},
    {"join(q.c:40) = first", 6, "expected 'thread FILE:LINE'"},
    {"lock(q.c:40:7) = none", 6, "expected FILE:LINE, as in queue.c:40"},
    {"lock(q) = none", 6, "expected FILE:LINE, as in queue.c:40"},
    {"work(q.c:40) *= 2", 6, "expected 'thread FILE:LINE'"},
    {"work(thread q.c:40) = 2", 21, "expected '*='"},
};

} // namespace

TEST(Change, WhatIsGoodMeansWhatItSays) {
  for (const Good &g : goods) {
    const Result<Change> c = parseChange(g.text);
    ASSERT_TRUE(c) << g.text << ": " << c.error().text;
    EXPECT_EQ(c->target, g.target) << g.text;
    EXPECT_EQ(c->scales, g.scales) << g.text;
    EXPECT_EQ(c->name, g.name) << g.text;
    EXPECT_EQ(c->place.file + c->file, g.file) << g.text;
    EXPECT_EQ(c->place.line, g.line) << g.text;
    EXPECT_EQ(c->place.last, g.last) << g.text;
    EXPECT_EQ(c->place.column, g.column) << g.text;
    EXPECT_EQ(c->value.k1, g.k1) << g.text;
    EXPECT_EQ(c->variable, g.variable) << g.text;
  }
  EXPECT_EQ(parseChange("calls(malloc) := moments(40,900,2,9)")->value,
            cumulants(Moments{40, 900, 2, 9}));
  EXPECT_EQ(parseChange("  cost(f) = 2 ")->text, "cost(f) = 2");
  struct {
    const char *text, *schedule;
    uint64_t chunk;
  } const schedules[] = {{"static", "static", 0},
                         {"static, 3", "static,chunk", 3},
                         {"dynamic", "dynamic", 1},
                         {"nonmonotonic:dynamic,16", "dynamic", 16},
                         {"monotonic:dynamic,2", "monotonic:dynamic", 2},
                         {"guided,7", "guided", 7}};
  for (const auto &s : schedules) {
    const Result<Change> change = parseChange("schedule(q.c:40) = " + std::string(s.text));
    ASSERT_TRUE(change) << s.text;
    EXPECT_EQ(change->schedule, s.schedule);
    EXPECT_EQ(change->chunk, s.chunk);
  }
  EXPECT_EQ(parseChange("threads = 64")->value.k1, 64);
  EXPECT_TRUE(parseChange("lock(q.c:40) = own")->isApart);
  EXPECT_FALSE(parseChange("lock(q.c:40) = none")->isApart);
}

TEST(Change, VariablesAreOneOrTwo) {
  const Change c = *parseChange("p(branch a.c:1) -= 2 * x * y");
  EXPECT_EQ(c.variable, "x");
  EXPECT_EQ(c.otherVariable, "y");
  for (const char *name : {"x", "y"}) {
    const Change once = withValue(c, name, 3);
    EXPECT_EQ(once.value.k1, -6);
    EXPECT_EQ(once.variable, name == std::string("x") ? "y" : "x");
    EXPECT_EQ(once.otherVariable, "");
  }
  EXPECT_EQ(withValue(c, "z", 3).value.k1, -2);
}

TEST(Change, WhatIsBadIsToldWithItsColumn) {
  for (const Bad &b : bads) {
    const Result<Change> c = parseChange(b.text);
    if (std::string(b.expected).empty()) {
      EXPECT_TRUE(c) << b.text;
      continue;
    }
    ASSERT_FALSE(c) << b.text;
    const std::string text = c.error().text;
    EXPECT_NE(text.find("column " + std::to_string(b.column) + ": "), std::string::npos)
        << b.text << ": " << text;
    EXPECT_NE(text.find(b.expected), std::string::npos) << b.text << ": " << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
}

TEST(Change, NoTextBreaksTheParser) {
  // Every beginning of a good change, and every good change without one of its characters.
  for (const Good &g : goods) {
    const std::string text = g.text;
    for (size_t i = 0; i < text.size(); ++i) {
      (void)static_cast<bool>(parseChange(text.substr(0, i)));
      (void)static_cast<bool>(parseChange(text.substr(0, i) + text.substr(i + 1)));
      (void)static_cast<bool>(parseChange(text.substr(i)));
    }
  }
}
