// Messages in bytes, paths in URIs, and texts that are edited: against the same edits of one
// string.
#include "lib/report/editor/Document.h"
#include "lib/report/editor/FileUri.h"
#include "quincunx/report/LspFrames.h"

#include <gtest/gtest.h>

#include <random>

namespace quincunx {
namespace {

TEST(LspFrames, FindMessagesInAnyPieces) {
  const std::string bytes = lspFrame("{}") + "Content-Type: x\r\ncontent-length:  3 \r\n\r\nabc" +
                            "Content-Length: x\r\n\r\n" + lspFrame("") + lspFrame("end");
  for (size_t piece = 1; piece <= bytes.size(); ++piece) {
    LspFrames frames;
    std::vector<std::string> found;
    for (size_t at = 0; at < bytes.size(); at += piece) {
      frames.add(std::string_view(bytes).substr(at, piece));
      while (const auto next = frames.next())
        found.push_back(*next ? **next : next->error().text);
    }
    const std::vector<std::string> expected{"{}", "abc", "Content-Length is no number: x", "",
                                            "end"};
    ASSERT_EQ(found, expected) << piece;
  }
}

TEST(LspFrames, SkipWhatIsTooLong) {
  LspFrames frames;
  const size_t size = LspFrames::longestContent + 1;
  frames.add("Content-Length: " + std::to_string(size) + "\r\n\r\n");
  const auto refused = frames.next();
  ASSERT_TRUE(refused && !*refused);
  for (size_t left = size; left > 0;) {
    const size_t n = std::min<size_t>(left, 1 << 20);
    frames.add(std::string(n, 'x'));
    EXPECT_FALSE(frames.next());
    left -= n;
  }
  frames.add(lspFrame("1"));
  EXPECT_EQ(**frames.next(), "1");
}

TEST(LspFrames, RefuseAHeaderWithoutEnd) {
  LspFrames frames;
  frames.add(std::string(LspFrames::longestHeader + 1, 'x'));
  const auto refused = frames.next();
  ASSERT_TRUE(refused);
  EXPECT_FALSE(*refused);
}

TEST(FileUri, DecodesAndEncodes) {
  EXPECT_EQ(pathOfUri("file:///a%20b/%C3%BC+%23.c"), "/a b/ü+#.c");
  EXPECT_EQ(pathOfUri("file://localhost/a"), "/a");
  EXPECT_EQ(uriOfPath("/a b/ü+#.c"), "file:///a%20b/%C3%BC%2B%23.c");
  for (const char *none : {"http://a/b", "file://elsewhere/a", "file:///a%2", "file:///%zz",
                           "file:///a%00b", "untitled:1", ""})
    EXPECT_EQ(pathOfUri(none), std::nullopt) << none;
}

TEST(Document, CountsInUtf16) {
  const Document d("aé🦊b\r\n\rx");
  ASSERT_EQ(d.size(), 3u);
  EXPECT_EQ(d.line(0), "aé🦊b");
  EXPECT_EQ(d.unitsOf(0), 5u);
  const size_t expected[] = {0, 1, 3, 3, 7, 8, 8}; // within the fox is before it
  for (size_t unit = 0; unit < std::size(expected); ++unit)
    EXPECT_EQ(d.byteAt({0, unit}), expected[unit]) << unit;
}

TEST(Document, KeepsNumbersOfLinesThatWereNotTouched) {
  Document d("a\nb\nc\nd\n");
  d.number(true);
  d.replace({1, 0}, {1, 1}, "x\ny");
  EXPECT_EQ(d.text(), "a\nx\ny\nc\nd\n");
  EXPECT_EQ(d.linesByNumber(), (std::vector<size_t>{SIZE_MAX, 0, SIZE_MAX, 3, 4, 5}));
  EXPECT_TRUE(d.isEdited());
  d.replaceAll("new\na\nx\ny\nc\nd\n");
  EXPECT_EQ(d.linesByNumber(), (std::vector<size_t>{SIZE_MAX, 1, SIZE_MAX, 4, 5, 6}));
}

TEST(Document, LeavesOutOurComments) {
  Document d("/* qx: f: p50 1 */\nint f();\n");
  d.number(false);
  EXPECT_EQ(d.numberOf(0), 0u);
  EXPECT_EQ(d.numberOf(1), 1u);
  d.number(true);
  EXPECT_EQ(d.numberOf(1), 2u);
}

TEST(Document, IsTheSameTextAfterAnyEdits) {
  std::mt19937 random(1);
  const auto below = [&](size_t n) { return random() % n; };
  std::string text = "first\nsecond\r\nthird";
  Document d(text);
  // The byte of a position in the string; all texts are ASCII without a lone \r.
  const auto byteOf = [&](const DocumentPosition &p) {
    size_t at = 0;
    for (size_t line = 0; line < p.line; ++line) {
      const size_t end = text.find('\n', at);
      if (end == std::string::npos)
        return text.size();
      at = end + 1;
    }
    size_t end = std::min(text.find('\n', at), text.size());
    end -= end > at && text[end - 1] == '\r' && end < text.size();
    return std::min(at + p.character, end);
  };
  const char *const pieces[] = {"", "x", "\n", "\r\n", "two\nlines", "\n\n"};
  for (int i = 0; i < 5000; ++i) {
    DocumentPosition from{below(6), below(8)}, to{below(6), below(8)};
    const std::string with = pieces[below(std::size(pieces))];
    size_t first = byteOf(from), last = byteOf(to);
    if (first > last)
      std::swap(first, last);
    text = text.substr(0, first) + with + text.substr(last);
    d.replace(from, to, with);
    ASSERT_EQ(d.text(), text) << i;
  }
}

} // namespace
} // namespace quincunx
