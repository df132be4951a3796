// Numbers for people.
#include "../../../lib/report/layout/Grid.h"
#include "quincunx/base/Text.h"

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
  EXPECT_EQ(shortFigure(3.14159265), "3.142");
  EXPECT_EQ(shortFigure(1234567), "1235000");
  EXPECT_EQ(shortFigure(Percentile{0.99, 84922.6, true, {}}), ">= 84920");
  EXPECT_EQ(shortFigure(Interval{-inf, 0.123456}), "open .. 0.1235");
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
  g.print(out, {});
  EXPECT_EQ(out.str(), "   n  name\n \u2265 5  a\n1234  b\n");
}

namespace {

std::string printed(const Grid &grid, const Display &display = {}) {
  std::ostringstream out;
  grid.print(out, display);
  return out.str();
}

size_t widest(const std::string &text) {
  size_t most = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    most = std::max(most, columns(line));
  return most;
}

} // namespace

TEST(Grid, CutsInTheMiddle) {
  EXPECT_EQ(cutInTheMiddle("abcdef", 6, "…"), "abcdef");
  EXPECT_EQ(cutInTheMiddle("abcdef", 5, "…"), "ab…ef");
  EXPECT_EQ(cutInTheMiddle("abcdef", 4, "…"), "a…ef");
  EXPECT_EQ(cutInTheMiddle("abcdef", 4, "..."), "...f");
  EXPECT_EQ(cutInTheMiddle("äöüäöü", 3, "…"), "ä…ü");
  EXPECT_EQ(cutInTheMiddle("abc", 1, "…"), "…");
}

TEST(Grid, CutsPlacesBeforeTheFunctionsThatStandThere) {
  const std::string text = "SequenceDB::DoClustering (cdhit-common.c++:3129)";
  EXPECT_EQ(cutName(text, 60, "…"), text);
  EXPECT_EQ(cutName(text, 40, "…"), "SequenceDB::DoClustering (…mon.c++:3129)");
  EXPECT_EQ(cutName(text, 33, "…"), "SequenceDB::DoClustering (…:3129)");
  EXPECT_EQ(cutName(text, 28, "…"), "Sequen…DoClustering (…:3129)");
  EXPECT_EQ(cutName(text, 20, "…"), "DoClu…ering (…:3129)");
  EXPECT_EQ(cutName(text, 12, "…"), "DoClustering");
  EXPECT_EQ(cutName("lambda:40(Word, string const&) (words.cpp:40)", 34, "…"),
            "lambda:40(Word, …&) (words.cpp:40)");
  EXPECT_EQ(cutName("created in work (a_long_name.cpp:12)", 20, "…"), "created …work (…:12)");
  for (size_t most = 10; most < 50; ++most)
    EXPECT_LE(columns(cutName(text, most, "...")), most);
}

TEST(Grid, CutsNamesToWhatFiguresLeave) {
  Grid grid({"mean", "function"}, 1);
  grid.add({"1234567", std::string(50, 'a') + std::string(50, 'z')});
  grid.add({"12", "main"});
  EXPECT_EQ(printed(grid, {.utf8 = true, .width = 40}), "   mean  function\n"
                                                        "1234567  aaaaaaaaaaaaaaa…zzzzzzzzzzzzzzz\n"
                                                        "     12  main\n");
  EXPECT_EQ(widest(printed(grid)), 100U);
  EXPECT_EQ(widest(printed(grid, {.width = 0})), 109U); // all of it
  EXPECT_EQ(widest(printed(grid, {.width = 10})), 19U); // too narrow for anything
}

TEST(Grid, ComesInPartsWhereFiguresLeaveTooLittle) {
  Grid grid({"aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "function"}, 1);
  grid.add({"1", "2", "3", std::string(40, 'f')});
  EXPECT_EQ(printed(grid, {.width = 50}), "aaaaaaaaaa  bbbbbbbbbb  function\n"
                                          "         1           2  " +
                                              std::string(11, 'f') + "..." + std::string(12, 'f') +
                                              "\n\n"
                                              "cccccccccc  function\n"
                                              "         3  " +
                                              std::string(17, 'f') + "..." + std::string(18, 'f') +
                                              "\n");
  grid.add({"4", "5", "", "main"}); // of which the second part says nothing
  EXPECT_TRUE(printed(grid, {.width = 50}).ends_with(std::string(18, 'f') + "\n"));
  grid.isDividedAt({1});
  EXPECT_TRUE(printed(grid, {.width = 50}).starts_with("aaaaaaaaaa  function\n"));
  Grid figures({"of", "aaaaaaaaaa", "bbbbbbbbbb"}, 0); // the first column is the name
  figures.add({"x", "1", "2"});
  EXPECT_EQ(printed(figures, {.width = 20}), "of  aaaaaaaaaa\n x           1\n\n"
                                             "of  bbbbbbbbbb\n x           2\n");
}

TEST(Grid, SentencesGoOnInTheNextLine) {
  Grid grid({"mean", "because"}, 1);
  grid.add({"1", "one two three"});
  grid.holdsSentences();
  EXPECT_EQ(printed(grid, {.width = 18}), "mean  because\n"
                                          "   1  one two\n"
                                          "      three\n");
}
