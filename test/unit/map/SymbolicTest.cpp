// Trip counts as text, read and evaluated.
#include "quincunx/map/Symbolic.h"

#include <gtest/gtest.h>

using namespace quincunx;

namespace {
std::optional<double> valueOf(const std::string &name) {
  if (name == "n")
    return 10;
  if (name == "i0")
    return 3;
  if (name == "@12")
    return 7.5;
  if (name == "it.coerce")
    return 2;
  return std::nullopt;
}
} // namespace

TEST(Symbolic, ReadsWhatThePassWrites) {
  const struct {
    const char *text;
    double value;
  } table[] = {
      {"199", 199},
      {"-1", -1},
      {"n", 10},
      {"(-1 + n)", 9},
      {"(n + (-1 * i0))", 7},
      {"max(0, (-1 + n))", 9},
      {"min(n, 4, @12)", 4},
      {"((-1 + n) div 2)", 4},
      {"((n * n) + (2 * n) + 1)", 121},
      {"(1 + 2 * i0)", 7},
      {"max((n + -20), it.coerce)", 2},
  };
  for (const auto &row : table) {
    const Result<Symbolic> s = Symbolic::parse(row.text);
    ASSERT_TRUE(s) << row.text << ": " << s.error().text;
    EXPECT_EQ(s->at(valueOf), row.value) << row.text;
  }
}

TEST(Symbolic, UnknownsAreNamed) {
  const Result<Symbolic> s = Symbolic::parse("max(0, (-1 + m + (i0 * m) + @12))");
  ASSERT_TRUE(s);
  EXPECT_EQ(s->unknowns(), (std::vector<std::string>{"m", "i0", "@12"}));
  EXPECT_EQ(s->at(valueOf), std::nullopt) << "m is not known";
  EXPECT_EQ(Symbolic::parse("(n div 0)")->at(valueOf), std::nullopt);
}

TEST(Symbolic, RefusesWhatItCannotRead) {
  for (const char *text :
       {"", "(", "(n", "n)", "max(", "max()", "(n ** 2)", "n m", "%", "1e", "(n,"})
    EXPECT_FALSE(Symbolic::parse(text)) << text;
  EXPECT_FALSE(Symbolic::parse(std::string(100000, '(') + "n")) << "as deep as a stranger likes";
  EXPECT_EQ(Symbolic::parse("(n + )").error().text,
            "trip count '(n + )': expected a number, a name or '(' at 6");
}

TEST(Symbolic, DepthIsLimitedHoweverItIsWritten) {
  const auto repeated = [](const std::string &text, size_t times) {
    std::string all;
    for (size_t i = 0; i < times; ++i)
      all += text;
    return all;
  };
  constexpr size_t many = 1000000; // a stack frame each would be too much
  const Result<Symbolic> product = Symbolic::parse(repeated("1 * ", many) + "7");
  ASSERT_TRUE(product) << product.error().text;
  EXPECT_EQ(product->at(valueOf), 7);
  for (const std::string &deep :
       {repeated("(", many) + "1", repeated("1 div ", many) + "1",
        repeated("1 div 1 * ", many) + "1", repeated("min(", many) + "1"}) {
    const Result<Symbolic> s = Symbolic::parse(deep);
    ASSERT_FALSE(s);
    EXPECT_LT(s.error().text.size(), 300u);
  }
  EXPECT_EQ(Symbolic::parse("64 div 2 * 3 div 4")->at(valueOf), 24);
}
