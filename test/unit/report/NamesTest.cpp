// Names that the runtime may demangle.
#include "quincunx/report/Names.h"

#include <gtest/gtest.h>

using namespace quincunx;

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
