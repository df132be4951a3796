// Text: what is escaped and read back, which decimals doubles become, how tables line up.
#include "quincunx/base/Text.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace quincunx {
namespace {

TEST(Text, Escapes) {
  const struct {
    std::string text, escaped;
  } table[] = {
      {"", ""},
      {"plain text/é漢", "plain text/é漢"},
      {"a\tb\nc\rd", "a\\tb\\nc\\rd"},
      {"\x1b[31mred", "\\x1b[31mred"},
      {std::string("a\0b", 3), "a\\x00b"},
      {"back\\slash", "back\\\\slash"},
      {"\x7f", "\\x7f"},
      {"\xc2\x9b"
       "1m",
       "\\xc2\\x9b1m"},                    // C1 control sequence introducer
      {"\xe2\x80\xae", "\\xe2\\x80\\xae"}, // right-to-left override
      {"\xff\xc3", "\\xff\\xc3"},          // not UTF-8
      {"\xc0\xaf", "\\xc0\\xaf"},          // too long a form
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"}, // surrogate
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
  };
  for (const auto &t : table) {
    EXPECT_EQ(escape(t.text), t.escaped);
    EXPECT_EQ(unescape(t.escaped), t.text);
  }
}

TEST(Text, EscapesAnyBytesAndBack) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string text(random() % 12, '\0');
    for (char &c : text)
      c = static_cast<char>(random());
    const std::string escaped = escape(text);
    EXPECT_EQ(unescape(escaped), text);
    EXPECT_EQ(escaped, validUtf8(escaped));
    for (unsigned char c : escaped)
      EXPECT_TRUE(c >= 0x20 && c != 0x7f);
  }
}

TEST(Text, UnescapesOnlyWhatItKnows) {
  for (const char *text : {"\\", "\\q", "\\x", "\\x1", "\\xZZ", "a\\"})
    EXPECT_EQ(unescape(text), text);
}

TEST(Text, MakesJsonStrings) {
  EXPECT_EQ(jsonString("a\"b\\c\n\x01\xff"), "\"a\\\"b\\\\c\\u000a\\u0001\xef\xbf\xbd\"");
}

TEST(Text, WritesDoublesExactly) {
  const struct {
    double value;
    const char *text;
  } table[] = {
      {0, "0"},          {0.1, "0.1"},        {1e300, "1e+300"},
      {-2.5, "-2.5"},    {123456, "123456"},  {std::numeric_limits<double>::denorm_min(), "5e-324"},
      {INFINITY, "inf"}, {-INFINITY, "-inf"}, {-std::nan(""), "nan"}};
  for (const auto &t : table)
    EXPECT_EQ(exact(t.value), t.text);
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const double value =
        std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 1000) - 500);
    double back = 0;
    ASSERT_TRUE(parseNumber(exact(value), back));
    EXPECT_EQ(back, value);
  }
}

TEST(Text, ReadsNumbers) {
  double value = 7;
  for (const char *bad : {"", " 1", "1 ", "1x", "inf", "nan", "+-1", "1e999", "0x10", "--1"})
    EXPECT_FALSE(parseNumber(bad, value)) << bad;
  EXPECT_EQ(value, 7);
  EXPECT_TRUE(parseNumber("+1.5e2", value));
  EXPECT_EQ(value, 150);
}

TEST(Text, SplitsFields) {
  using Fields = std::vector<std::string_view>;
  EXPECT_EQ(fields("", ','), (Fields{""}));
  EXPECT_EQ(fields("a,,b,", ','), (Fields{"a", "", "b", ""}));
}

TEST(Text, FindsFileNames) {
  const std::pair<const char *, const char *> table[] = {
      {"a/b.c", "b.c"}, {"b.c", "b.c"}, {"a/b/", "b"}, {"/", "/"}, {"", ""}, {"/x", "x"}};
  for (const auto &[path, name] : table)
    EXPECT_EQ(fileName(path), name);
}

TEST(Text, AlignsTables) {
  Table table({"name", "n", "note"});
  EXPECT_TRUE(table.empty());
  table.add({"é", "7", "x"});
  table.add({"longer", "1234"});
  EXPECT_EQ(table.text(), "name       n  note\n"
                          "é          7  x\n"
                          "longer  1234\n");
}

} // namespace
} // namespace quincunx
