// The syntax of budgets: what is good means what it says, what is bad is told with its column.
#include "quincunx/estimate/Budget.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace quincunx;
using Figure = Budget::Figure;
using Quantity = Budget::Quantity;
using Comparison = Budget::Comparison;

namespace {

struct Good {
  const char *text;
  Figure figure;
  double p;
  Quantity quantity;
  const char *function, *per;
  Comparison comparison;
  double bound;
  const char *unit;
  bool ofBaseline;
};

const Good goods[] = {
    {"p99(parse) < 2 ms", Figure::percentile, 0.99, Quantity::total, "parse", "", Comparison::below,
     2, "ms", false},
    {"  p99.9( parse )<=2e3us ", Figure::percentile, 0.999, Quantity::total, "parse", "",
     Comparison::atMost, 2000, "us", false},
    {"total p90(program) <= 1.05 * baseline", Figure::percentile, 0.9, Quantity::total, "", "",
     Comparison::atMost, 1.05, "", true},
    {"self mean(parse) <= baseline", Figure::mean, 0, Quantity::self, "parse", "",
     Comparison::atMost, 1, "", true},
    {"mean calls(malloc) <= 3 per request", Figure::mean, 0, Quantity::calls, "malloc", "request",
     Comparison::atMost, 3, "", false},
    {"calls mean(malloc) per request <= 3 calls", Figure::mean, 0, Quantity::calls, "malloc",
     "request", Comparison::atMost, 3, "calls", false},
    {"max bytes(memcpy) < 1e6 bytes", Figure::max, 0, Quantity::bytes, "memcpy", "",
     Comparison::below, 1e6, "bytes", false},
    {"p99(program) per size < 40 ns", Figure::percentile, 0.99, Quantity::total, "", "size",
     Comparison::below, 40, "ns", false},
    {"p50 < 1 s per run", Figure::percentile, 0.5, Quantity::total, "", "", Comparison::below, 1,
     "s", false},
    {"sd(program) < 3 \u00b5s", Figure::deviation, 0, Quantity::total, "", "", Comparison::below, 3,
     "us", false},
    {"min(program) > 10 cost units", Figure::min, 0, Quantity::total, "", "", Comparison::above, 10,
     "cost units", false},
    {"mean(json::get(int (*)(char), A<(B)1>)) >= 0", Figure::mean, 0, Quantity::total,
     "json::get(int (*)(char), A<(B)1>)", "", Comparison::atLeast, 0, "", false},
};

struct Bad {
  const char *text;
  unsigned column;
  const char *expected;
};

const Bad bads[] = {
    {"", 1, "expected a figure"},
    {"p990(f) < 2", 1, "expected a figure"},
    {"maen(f) < 2", 1, "did you mean 'mean'?"},
    {"mean p99(f) < 2", 6, "a second figure"},
    {"mean self calls(f) < 2", 11, "one of total, self, calls and bytes"},
    {"calls(malloc) < 2", 1, "expected a figure besides"},
    {"mean calls < 2", 1, "calls of which function?"},
    {"mean(f < 2", 11, "expected ')'"},
    {"mean() < 2", 6, "expected a function, or program"},
    {"   mean(f) = 2", 12, "expected '<', '<=', '>' or '>='"},
    {"mean(f) = 2", 9, "expected '<', '<=', '>' or '>='"},
    {"mean(f)", 8, "expected '<', '<=', '>' or '>='"},
    {"mean(f) < ms", 11, "expected a number with its unit"},
    {"mean(f) < -2 ms", 11, "expected a number with its unit"},
    {"mean(f) < 2 * basline", 15, "expected 'baseline'"},
    {"mean(f) < 2 baseline", 11, "expected 'baseline' behind '*'"},
    {"mean(f) per < 2", 13, "expected request or the name of a feature"},
    {"mean(f) per a < 2 per b", 19, "a second 'per'"},
    {"mean calls(f) < 2 ms", 1, "calls are numbers and have no unit 'ms'"},
    {"growth(f) <= 2 ms", 14, "expected a law of growth"},
    {"growth(f) <= n^20", 18, "expected a law of growth"},
    {"growth(f) >= n", 14, "growth has an upper bound"},
    {"growth(f) per request <= n", 1, "growth is with a feature"},
    {"whatif: p99 < 2", 1, "expected a figure"},
    {"whatif 'cost(f) *= 2' p99 < 2", 23, "expected ':' or another change in quotes"},
    {"whatif 'cost(f)' : p99 < 2", 8, "expected '=' or '*='"},
    {"whatif 'cost(f) *= x': p99 < 2", 8, "has no variable"},
    {"whatif 'cost(f) *= 2': p99(f) < 2", 24, "whatif answers"},
    {"whatif 'cost(f) *= 2': max < 2", 24, "whatif answers"},
};

} // namespace

TEST(Budget, WhatIsGoodMeansWhatItSays) {
  for (const Good &g : goods) {
    const Result<Budget> b = parseBudget(g.text);
    ASSERT_TRUE(b) << g.text << ": " << b.error().message();
    EXPECT_EQ(b->figure, g.figure) << g.text;
    EXPECT_DOUBLE_EQ(b->p, g.p) << g.text;
    EXPECT_EQ(b->quantity, g.quantity) << g.text;
    EXPECT_EQ(b->function, g.function) << g.text;
    EXPECT_EQ(b->per, g.per) << g.text;
    EXPECT_EQ(b->comparison, g.comparison) << g.text;
    EXPECT_EQ(b->bound, g.bound) << g.text;
    EXPECT_EQ(b->unit, g.unit) << g.text;
    EXPECT_EQ(b->ofBaseline, g.ofBaseline) << g.text;
  }
}

TEST(Budget, WhatIsBadIsToldWithItsColumn) {
  for (const Bad &bad : bads) {
    const Result<Budget> b = parseBudget(bad.text);
    ASSERT_FALSE(b) << bad.text;
    const std::string text = b.error().text;
    EXPECT_NE(text.find("column " + std::to_string(bad.column) + ":"), std::string::npos) << text;
    EXPECT_NE(text.find(bad.expected), std::string::npos) << text;
  }
}

TEST(Budget, AtAFunctionItIsOfThatOne) {
  const struct {
    const char *text, *whole;
  } written[] = {{"p99 < 2 ms", "p99(parse) < 2 ms"},
                 {" self mean<=1.02 * baseline", "self mean(parse) <=1.02 * baseline"},
                 {"mean calls <= 3 per request", "mean calls(parse) <= 3 per request"},
                 {"p99 per size < 40 ns", "p99(parse) per size < 40 ns"},
                 {"growth <= n log n", "growth(parse) <= n log n"}};
  for (const auto &w : written) {
    const Result<Budget> b = parseBudgetOf("parse", "parse", w.text);
    ASSERT_TRUE(b) << w.text << ": " << b.error().text;
    EXPECT_TRUE(b->isOfSource);
    EXPECT_EQ(b->text, w.whole);
    const Result<Budget> asked = parseBudget(w.whole);
    ASSERT_TRUE(asked) << asked.error().text;
    EXPECT_EQ(b->function, asked->function);
    EXPECT_EQ(b->quantity, asked->quantity);
    EXPECT_EQ(b->per, asked->per);
    EXPECT_EQ(b->bound, asked->bound);
  }
  for (const auto &[text, expected] :
       {std::pair{"p99(parse) < 2 ms", "column 4: it is of the function"},
        {"whatif 'cost(f) *= 2': p99 < 2", "column 1: whatif answers of the program"},
        {"maen < 2", "did you mean 'mean'?"},
        {"p99 < 2 m\a", "a control character"},
        {"p99 < 2 msec", "no unit 'msec'"}}) {
    const Result<Budget> b = parseBudgetOf("parse", "parse", text);
    ASSERT_FALSE(b) << text;
    EXPECT_NE(b.error().text.find(expected), std::string::npos) << b.error().text;
  }
}

TEST(Budget, LawsOfGrowth) {
  struct {
    const char *law;
    double power;
    bool timesLog;
  } const laws[] = {{"1", 0, false},        {"log n", 0, true},     {"n", 1, false},
                    {"n log n", 1, true},   {"n^2", 2, false},      {"n ^ 1.5", 1.5, false},
                    {"n^2 log n", 2, true}, {"n  log  n ", 1, true}};
  for (const auto &law : laws) {
    const Result<Budget> b = parseBudget("growth(sort) per size <= " + std::string(law.law));
    ASSERT_TRUE(b) << b.error().message();
    EXPECT_EQ(b->power, law.power) << law.law;
    EXPECT_EQ(b->timesLog, law.timesLog) << law.law;
    EXPECT_EQ(b->per, "size");
  }
}

TEST(Budget, WhatIfHasItsChanges) {
  const Result<Budget> b =
      parseBudget("whatif 'machine = small.machine' \"cost(f) *= 2\": p99 < 5 ms");
  ASSERT_TRUE(b) << b.error().message();
  ASSERT_EQ(b->changes.size(), 2u);
  EXPECT_EQ(b->changes[0].file, "small.machine");
  EXPECT_EQ(b->changes[1].name, "f");
  EXPECT_EQ(b->unit, "ms");
}

TEST(Budget, FilesHaveOneALine) {
  const std::string path = "/tmp/quincunx-budget-" + std::to_string(getpid());
  std::ofstream(path) << "# what must not get slower\n\n  p99(parse) < 2 ms  # agreed\r\n"
                         "mean({lambda(int)#1}) < 3\n";
  const Result<std::vector<Budget>> all = readBudgets(path);
  ASSERT_TRUE(all) << all.error().message();
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ((*all)[0].text, "p99(parse) < 2 ms");
  EXPECT_EQ((*all)[0].line, 3u);
  EXPECT_EQ((*all)[1].function, "{lambda(int)#1}");
  std::ofstream(path) << "p99(parse) < 2 ms\np99(parse) <\n";
  const Result<std::vector<Budget>> bad = readBudgets(path);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().line, 2u);
  std::filesystem::remove(path);
}
