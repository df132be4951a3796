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
