// Names that fit into a column.
#include "quincunx/report/Names.h"

#include <gtest/gtest.h>

using namespace quincunx;

TEST(Names, Shortened) {
  const struct {
    const char *name;
    size_t most;
    const char *expected;
  } table[] = {
      {"f(int)", 6, "f(int)"},
      {"f(int, char)", 11, "f(...)"},
      {"longer()", 8, "longer()"},
      {"a::longer<>()", 12, "a::...er<>()"},
      {"std::vector<int, std::allocator<int> >::push_back(int&&)", 40,
       "std::vector<...>::push_back(...)"},
      {"Set<int, long>::operator()(int) const", 36, "Set<...>::operator()(...) const"},
      {"bool operator< <Item>(Item, Item)", 30, "bool operator< <...>(...)"},
      {"A& operator<< <Item>(A&, Item)", 28, "A& operator<< <...>(...)"},
      {"Set<int, long>::operator->() const", 30, "Set<...>::operator->() const"},
      {"fork f(int, char), 4 threads", 27, "fork f(...), 4 threads"},
      {"abcdefghijklmnopqrstuvwxyz", 12, "abc...uvwxyz"},
      {"not closed (", 11, "no...d (..."},
      {"", 0, ""},
  };
  for (const auto &row : table)
    EXPECT_EQ(shortened(row.name, row.most), row.expected);
}

/// A function of a pair of pairs of pairs and so on: each twice as long as the one before.
std::string pairs(int levels) {
  std::string name = "_Z1f1a1pIS_S_E";
  for (int i = 1; i <= levels; ++i) {
    const std::string last = "S" + std::string(1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i]) + "_";
    name += "S0_I" + last + last + "E";
  }
  return name;
}

TEST(Names, DemanglesWhatCannotBeTooLong) {
  EXPECT_EQ(demangle("_ZNSt6vectorIiSaIiEE9push_backEOi"),
            "std::vector<int, std::allocator<int> >::push_back(int&&)");
  EXPECT_EQ(demangle("a.c:_Z1fi"), "a.c:f(int)");
  EXPECT_EQ(demangle("main"), "main");
  EXPECT_EQ(demangle(pairs(1)), "f(a, p<a, a>, p<p<a, a>, p<a, a> >)");
  EXPECT_EQ(demangle(pairs(34)), pairs(34)); // hundreds of gigabytes
  std::string argument = "_Z1fI1aEvT_";      // of T_, likewise
  for (int i = 0; i < 60; ++i)
    argument += "1pIT_T_E";
  EXPECT_EQ(demangle(argument), argument);
}
