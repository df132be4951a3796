// Annotated sources: comments that replace themselves, a gutter that follows the line numbers.
#include "quincunx/report/Annotate.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace quincunx;

namespace {

FunctionFigures functionAt(const std::string &name, uint32_t line, double mean) {
  FunctionFigures f;
  f.name = name;
  f.line = line;
  f.share = 0.25;
  f.cost.moments.mean = mean;
  for (size_t i = 0; i < 4; ++i)
    f.cost.percentiles[i] = {reportedPercentiles[i], mean + static_cast<double>(i), i == 3, {}};
  f.calls.moments.mean = 2;
  f.calls.percentiles[2].value = 3;
  return f;
}

/// Runs whose costs have this unit.
Observed runsIn(const std::string &unit) {
  Observed o;
  o.unit = unit;
  o.finished = 9;
  return o;
}
const Observed units = runsIn("cost units");

const std::string source = "int x;\n"
                           "  int f(int a) {\n"
                           "    return a;\n"
                           "  }\n"
                           "#define G \\\n"
                           "int g() {}\n"
                           "int h() {}";
} // namespace

TEST(Annotate, CommentsStandAboveFunctionsAndReplaceThemselves) {
  const FunctionFigures f = functionAt("_Z1fi", 2, 10), g = functionAt("g", 6, 5),
                        h = functionAt("h", 7, 1);
  Annotation a{units, {}, {&f, &g, &h}};
  const std::string once = commented(source, a);
  EXPECT_EQ(once, "int x;\n"
                  "  /* qx: f: self p50 10, p90 11, p99 12 cost units, 25.0 %; calls 2 */\n"
                  "  int f(int a) {\n"
                  "    return a;\n"
                  "  }\n"
                  "#define G \\\n"
                  "int g() {}\n"
                  "/* qx: h: self p50 1, p90 2, p99 3 cost units, 25.0 %; calls 2 */\n"
                  "int h() {}");
  EXPECT_EQ(commented(once, a), once);
  EXPECT_EQ(withoutComments(once), source);
  const FunctionFigures other = functionAt("_Z1fi", 2, 99);
  Annotation b{units, {}, {&other}};
  const std::string updated = commented(once, b);
  EXPECT_NE(updated.find("p50 99"), std::string::npos);
  EXPECT_EQ(updated.find("p50 10"), std::string::npos);
  EXPECT_EQ(withoutComments(updated), source);
}

TEST(Annotate, FilesCompiledWithCommentsCountThem) {
  const FunctionFigures f = functionAt("f", 2, 10);
  Annotation a{units, {}, {&f}};
  const std::string once = commented(source, a);
  const FunctionFigures moved = functionAt("f", 3, 10); // where the compiler saw it
  Annotation b{units, {}, {&moved}, true};
  EXPECT_EQ(commented(once, b), once);
}

TEST(Annotate, TotalsAndTheirMarksStandFirst) {
  FunctionFigures f = functionAt("f", 2, 10);
  f.total.emplace();
  f.total->cost = functionAt("f", 2, 20).cost;
  f.total->share = 0.5;
  Annotation a{units, {}, {&f}};
  EXPECT_NE(commented(source, a).find("qx: f: total p50 ~20, p90 ~21, p99 ~22 cost units, 50.0 %; "
                                      "self p50 10,"),
            std::string::npos)
      << commented(source, a);
}

TEST(Annotate, DocumentsForBrowsersHoldNoMarkupOfStrangers) {
  const FunctionFigures f = functionAt("<b>", 1, 10);
  std::vector<AnnotatedFile> files;
  files.push_back({"a<i>.c", "int x; // <script>\n", {units, {}, {&f}}});
  files[0].annotation.lines[1] = {.mean = 3, .share = 0.5};
  std::ostringstream out;
  printAnnotatedHtml(files, units, "<u>.qx", out);
  const std::string text = out.str();
  EXPECT_NE(text.find("int x; // &lt;script&gt;"), std::string::npos) << text;
  EXPECT_NE(text.find("rgb(255 90 0/50%)"), std::string::npos) << text;
  for (const char *tag : {"<b>", "<i>", "<u>", "<script"})
    EXPECT_EQ(text.find(tag), std::string::npos) << tag;
}

TEST(Annotate, OnlyWholeLinesAreOurs) {
  for (const char *line : {"int a; /* qx: x */\n", "/* qx: x */ int a;\n", "/* qx: x\n",
                           "// qx: x\n", "/* qx: x */ /* y */\n"})
    EXPECT_EQ(withoutComments(line), line);
  for (const char *line : {"/* qx: x */\n", "\t /* qx: x */  \r\n", "/* qx: x */"})
    EXPECT_EQ(withoutComments(line), "");
}

TEST(Annotate, LineEndingsAndHarmlessNames) {
  const FunctionFigures f = functionAt("a*/b\nc\\", 1, 1);
  Annotation a{units, {}, {&f}};
  const std::string out = commented("int f();\r\n", a);
  EXPECT_TRUE(out.starts_with("/* qx: a* /b\\nc\\\\: self p50 1")) << out;
  EXPECT_NE(out.find("*/\r\nint f();\r\n"), std::string::npos);
  EXPECT_EQ(withoutComments(out), "int f();\r\n");
}

TEST(Annotate, InstancesOfATemplateAreLimited) {
  std::vector<FunctionFigures> many;
  for (int i = 0; i < 5; ++i)
    many.push_back(functionAt("t" + std::to_string(i), 1, i));
  Annotation a{units, {}, {}};
  for (const auto &f : many)
    a.functions.push_back(&f);
  const std::string out = commented("x\n", a);
  EXPECT_LT(out.find("t4:"), out.find("t3:"));
  EXPECT_EQ(out.find("t1:"), std::string::npos);
  EXPECT_NE(out.find("and 2 more functions"), std::string::npos);
  EXPECT_EQ(withoutComments(out), "x\n");
}

TEST(Annotate, GutterFollowsTheNumbersOfTheCompiledFile) {
  Annotation a{units, {}, {}};
  a.lines[3] = {1234.5, {0.99, 2000, false, {}}, {0.5, 70, false, {}}, {0.99, 80, true, {}}, 0.125};
  a.lines[4] = {};
  std::ostringstream out;
  printAnnotated("/* qx: old */\n" + source, a, {}, out);
  EXPECT_NE(out.str().find("      1234        70     >= 80   12.5 %       3|     return a;\n"),
            std::string::npos)
      << out.str();
  EXPECT_NE(out.str().find("         0         0         0    0.0 %       4|   }\n"),
            std::string::npos)
      << out.str();
  EXPECT_EQ(out.str().find("qx: old"), std::string::npos);
  EXPECT_EQ(out.str().find("\033"), std::string::npos);
}

TEST(Annotate, WhatIsNotKnownIsMarkedAndExplained) {
  Annotation a{units, {}, {}};
  a.lines[2] = {.notAllKnown = true};
  a.lines[3] = {.mean = 12, .meanCounts = {12, 12}, .notAllKnown = true};
  a.lines[4] = {.mean = 30, .meanCounts = {20, 40}};
  std::ostringstream out;
  printAnnotated(source, a, {}, out);
  const std::string text = out.str();
  EXPECT_NE(text.find("         ?         0         0    0.0 %       2|"), std::string::npos)
      << text;
  EXPECT_NE(text.find("     >= 12         0         0    0.0 %       3|"), std::string::npos)
      << text;
  EXPECT_NE(text.find("       ~30         0         0    0.0 %       4|"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\n?, >=: "), std::string::npos) << text;
  EXPECT_NE(text.find("\n~: "), std::string::npos) << text;
  a.lines.clear();
  std::ostringstream plain;
  printAnnotated(source, a, {}, plain);
  EXPECT_EQ(plain.str().find("~: "), std::string::npos);
}
