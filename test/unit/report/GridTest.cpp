// Numbers for people.
#include "../../../lib/report/layout/Grid.h"

#include <gtest/gtest.h>
#include <limits>
#include <sstream>

using namespace quincunx;

TEST(Grid, Figures) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::pair<double, const char *> table[] = {{0, "0"},
                                                   {-0.0, "0"},
                                                   {12, "12"},
                                                   {1234567, "1234567"},
                                                   {9999999, "9999999"},
                                                   {10000000, "1e7"},
                                                   {1.23456e9, "1.2346e9"},
                                                   {12.5, "12.5"},
                                                   {0.25, "0.25"},
                                                   {3.14159265, "3.1416"},
                                                   {99999.6, "100000"},
                                                   {123456.7, "123457"},
                                                   {0.00001, "1e-5"},
                                                   {-3.5, "-3.5"},
                                                   {inf, "open"},
                                                   {2e-300, "2e-300"},
                                                   {1e5 + 0.5, "100000"},
                                                   {1e300, "1e300"}};
  for (const auto &[x, s] : table)
    EXPECT_EQ(figure(x), s);
  EXPECT_EQ(figure(Percentile{0.99, 5, true, {}}), ">= 5");
  EXPECT_EQ(figure(Percentile{0.99, inf, true, {}}), "open");
  EXPECT_EQ(figure(Interval{-inf, 7}), "open .. 7");
}

TEST(Grid, PercentHasNoNegativeNothing) {
  for (const auto &[share, s] : {std::pair{0.1234, "12.3 %"},
                                 {-1e-17, "0.0 %"},
                                 {-0.0004, "0.0 %"},
                                 {-0.0006, "-0.1 %"},
                                 {0.0004, "0.0 %"},
                                 {1.0, "100.0 %"}})
    EXPECT_EQ(percent(share), s);
}

TEST(Grid, AlignsCharactersNotBytes) {
  Grid g({"n", "name"}, 1);
  g.add({"\u2265 5", "a"});
  g.add({"1234", "b"});
  std::ostringstream out;
  g.print(out, false);
  EXPECT_EQ(out.str(), "   n  name\n \u2265 5  a\n1234  b\n");
}
