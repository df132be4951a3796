// Text: what is escaped and read back, which decimals doubles become, how tables line up.
#include "quincunx/base/Text.h"

#include "quincunx/base/Result.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <utf8proc.h>

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
      {"\xff\xc3", "\\xff\\xc3"},          // not UTF-8
      {"\xc0\xaf", "\\xc0\\xaf"},          // too long a form
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"}, // surrogate
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
  };
  for (const auto &t : table) {
    EXPECT_EQ(escape(t.text), t.escaped);
    EXPECT_EQ(escapeWhole(t.text), t.escaped);
    EXPECT_EQ(unescape(t.escaped), t.text);
  }
}

std::string utf8(char32_t code) {
  char bytes[4];
  return {bytes,
          static_cast<size_t>(utf8proc_encode_char(static_cast<utf8proc_int32_t>(code),
                                                   reinterpret_cast<utf8proc_uint8_t *>(bytes)))};
}

TEST(Text, ShowsOnlyWhatCanBeSeen) {
  // Control characters, soft hyphen, what turns the direction of writing, joins, hides or tags.
  const std::pair<char32_t, char32_t> hidden[] = {
      {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},      {0x61c, 0x61c},   {0x180e, 0x180e},
      {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},  {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},
      {0xfff9, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe01ef}};
  for (const auto &[first, last] : hidden)
    for (char32_t code = first; code <= last; ++code) {
      const std::string escaped = escape(utf8(code));
      EXPECT_EQ(escaped.front(), '\\') << std::hex << static_cast<uint32_t>(code);
      EXPECT_EQ(unescape(escaped), utf8(code));
    }
  for (const char32_t code :
       {U' ', U'~', U'\u00a0', U'\u0301', U'é', U'漢', U'\ufffd', U'\U0001f600'})
    EXPECT_EQ(escape(utf8(code)), utf8(code));
}

TEST(Text, EscapesAnyBytesAndBack) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string text(random() % 12, '\0');
    for (char &c : text)
      c = static_cast<char>(random());
    const std::string escaped = escapeWhole(text);
    EXPECT_EQ(unescape(escaped), text);
    EXPECT_EQ(escaped, validUtf8(escaped));
    for (unsigned char c : escaped)
      EXPECT_TRUE(c >= 0x20 && c != 0x7f);
  }
}

TEST(Text, CutsWhatIsTooLong) {
  const struct {
    std::string text;
    size_t most;
    std::string expected;
  } table[] = {
      {"abcdefghijkl", 12, "abcdefghijkl"},
      {"abcdefghijklm", 12, "abc...hijklm"},
      {"漢漢漢漢漢漢", 12, "漢漢漢漢漢漢"}, // two columns each
      {"漢漢漢漢漢漢漢", 12, "漢...漢漢漢"},
      {"\x1b\x1b\x1b\x1b", 12, "\\x1...1b\\x1b"},
      {"ab\u0301\u0301\u0301\u0301\u0301\u0301cd", 8, "ab...\u0301cd"}, // none, and yet they count
  };
  for (const auto &t : table)
    EXPECT_EQ(printable(t.text, t.most), t.expected);
  EXPECT_EQ(escape(std::string(1000, 'x')).size(), mostShown);
  EXPECT_EQ(printable(std::string(10000, 'x')).size(), mostSaid);
}

TEST(Text, CutsInATimeThatDoesNotGrow) {
  // Of fifty megabytes each the ends are looked at alone: a thousand times all of it takes minutes.
  const std::string text = std::string(50 << 20, '\xc3') + "end";
  for (int i = 0; i < 1000; ++i)
    EXPECT_TRUE(printable(text).ends_with("end"));
}

TEST(Text, NamesThatAreCutStayApart) {
  const std::string ends(300, 'x');
  const std::string one = escape(ends + "1" + ends), other = escape(ends + "2" + ends);
  EXPECT_NE(one, other);
  EXPECT_EQ(one, std::string(50, 'x') + "...#da3c095a..." + std::string(135, 'x'));
}

TEST(Text, KeepsWhatSentencesHold) {
  EXPECT_EQ(printable("a\\x1b\x1b\n"), "a\\x1b\\x1b\\n");
  EXPECT_EQ(printable("\tif (a == '\\n')\r", mostSaid, "\\\t"), "\tif (a == '\\n')\\r");
}

TEST(Text, MeasuresColumns) {
  const std::pair<const char *, size_t> table[] = {
      {"", 0}, {"abc", 3}, {"é", 1}, {"漢字", 4}, {"e\u0301", 1}, {"\U0001f600", 2}, {"\xff", 1}};
  for (const auto &[text, expected] : table)
    EXPECT_EQ(columns(text), expected) << text;
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

TEST(Text, AlignsByColumnsAndCutsCells) {
  Table table({"name", "n"});
  table.add({"漢字", "7"});
  table.add({"plain", "12"});
  EXPECT_EQ(table.text(), "name    n\n"
                          "漢字    7\n"
                          "plain  12\n");
  Table wide({"features"});
  wide.add({std::string(1 << 20, 'x') + "\x1b"});
  EXPECT_LE(wide.text().size(), mostSaid + 20);
  EXPECT_EQ(wide.text().find('\x1b'), std::string::npos);
}

TEST(Text, ErrorsAreOneLineWhateverTheirFileIsCalled) {
  EXPECT_EQ((Error{"cannot open it", "a\nb\\", 3, 4}).message(),
            "a\\nb\\\\:3:4: error: cannot open it");
  EXPECT_LE((Error{std::string(1 << 20, 'x')}).message().size(), mostSaid);
}

} // namespace
} // namespace quincunx
