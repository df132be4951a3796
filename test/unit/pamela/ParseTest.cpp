// The grammar, case by case; every message; files that include others; and that no input, however
// long, deep or broken, does more than get an error. With QUINCUNX_FULL a million broken inputs.
#include "quincunx/pamela/Parse.h"

#include "Shape.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

using namespace quincunx;
using namespace quincunx::pamela;
using namespace quincunx::pamela::test;
namespace fs = std::filesystem;

namespace {

Model parsed(const std::string &text) {
  const Result<Model> m = parseText(text, "test.pam");
  EXPECT_TRUE(m) << text << "\n" << (m ? "" : m.error().message());
  return m ? *m : Model{};
}

std::string message(const std::string &text) {
  const Result<Model> m = parseText(text, "test.pam");
  return m ? "" : m.error().message();
}

/// A folder with files, gone at the end.
struct Folder {
  fs::path path = fs::temp_directory_path() /
                  ("quincunx-pamela-" +
                   std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
  Folder() { fs::create_directories(path / "parts"); }
  ~Folder() { fs::remove_all(path); }
  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

} // namespace

TEST(PamelaParse, CommentsHoldWhatCanBeSeen) {
  EXPECT_TRUE(parseText("% caf\u00e9 \\ \tx\r\nprocess main = delay(1)\n", "m.pam"));
  for (const char *hidden : {"\x1b[31m", "\u009b", "\u202e", "\u200b", "\xff"}) {
    const auto model = parseText(std::string("process main = delay(1) % a") + hidden, "m.pam");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().message().substr(0, 40), "m.pam:1:25: error: a comment holds what ");
    EXPECT_FALSE(parseText(std::string("include \"") + hidden + "\"", "m.pam"));
  }
}

TEST(PamelaParse, OperatorsBindAsInMathematics) {
  const std::pair<const char *, const char *> cases[] = {
      {"1 + 2 * 3", "(add 1 (multiply 2 3))"},
      {"1 - 2 - 3", "(subtract (subtract 1 2) 3)"},
      {"8 / 4 * 2", "(multiply (divide 8 4) 2)"},
      {"7 mod 4 div 2", "(div (mod 7 4) 2)"},
      {"2 ^ 3 ^ 4", "(power 2 (power 3 4))"},
      {"-2 ^ 2", "(negate (power 2 2))"},
      {"2 ^ -1", "(power 2 (negate 1))"},
      {"--a", "(negate (negate a))"},
      {"a * -b", "(multiply a (negate b))"},
      {"(a + b) * {c - d}", "(multiply (add a b) (subtract c d))"},
      {"a + b < c * d", "(less (add a b) (multiply c d))"},
      {"a == b and c != d", "(and (equal a b) (notEqual c d))"},
      {"a or b and c or d", "(or (or a (and b c)) d)"},
      {"not a == b", "(not (equal a b))"},
      {"not not a and b", "(and (not (not a)) b)"},
      {"a <= 1 or a >= 2 or a > 3", "(or (or (lessEqual a 1) (greaterEqual a 2)) (greater a 3))"},
      {"[1, 2.5, 1e-3] * 4", "(multiply (vector 1 2.5 0.001) 4)"},
      {"inf", "inf"},
      {"1E+3 + 0", "(add 1000 0)"},
      {"f(a, b + 1)", "(name f a (add b 1))"},
      {"max(a, b)", "(call max a b)"},
      {"max", "max"},
      {"exponential(3)", "(law exponential 3)"},
      {"log(y) + unitvec(0)", "(add (call log y) (call unitvec 0))"}};
  for (const auto &[text, expected] : cases)
    EXPECT_EQ(shape(body(text)), expected) << text;
}

TEST(PamelaParse, SumsTakeProducts) {
  EXPECT_EQ(shape(body("sum (i = 1, N) a * b + c")), "(add (sum i 1 N (multiply a b)) c)");
  EXPECT_EQ(shape(body("2 * max (i = 1, N) a / b - c")),
            "(subtract (multiply 2 (max i 1 N (divide a b))) c)");
  EXPECT_EQ(shape(body("sum (i = 1, N) a * sum (j = 1, i) b * c")),
            "(sum i 1 N (multiply a (sum j 1 i (multiply b c))))");
  EXPECT_EQ(shape(body("(min (i = 0, 3) a) * b")), "(multiply (min i 0 3 a) b)");
  EXPECT_EQ(shape(body("sum (i = 1, N) -a ^ 2")), "(sum i 1 N (negate (power a 2)))");
  // The sign behind the first name tells the constructs from the functions.
  EXPECT_EQ(shape(body("max(i == 1, 2)")), "(call max (equal i 1) 2)");
}

TEST(PamelaParse, Processes) {
  const auto process = [](const char *text) { return shape(body(text, "process")); };
  EXPECT_EQ(process("a; b; c"), "(sequence a b c)");
  EXPECT_EQ(process("a || b; c || d"), "(sequence (parallel a b) (parallel c d))");
  EXPECT_EQ(process("{a; b}; c"), "(sequence (sequence a b) c)");
  EXPECT_EQ(process("a || {b || c}"), "(parallel a (parallel b c))");
  EXPECT_EQ(process("seq (i = 1, N) a; b"), "(sequence (seq i 1 N a) b)");
  EXPECT_EQ(process("par (p = 0, P - 1) seq (i = 1, N) { a; b; }"),
            "(par p 0 (subtract P 1) (seq i 1 N (sequence a b)))");
  EXPECT_EQ(process("{ a; }"), "a");
  EXPECT_EQ(process("if (c) a; b"), "(sequence (if c a) b)");
  EXPECT_EQ(process("if (c) if (d) a else b"), "(if c (if d a b))");
  EXPECT_EQ(process("if (c) { if (d) a } else b"), "(if c (if d a) b)");
  EXPECT_EQ(process("if (c) a else if (d) b else e"), "(if c a (if d b e))");
  EXPECT_EQ(process("any (2) { a || b || c }"), "(any 2 (parallel a b c))");
  EXPECT_EQ(process("any { a || b }"), "(any 1 (parallel a b))");
  EXPECT_EQ(process("any (a || b)"), "(any 1 (parallel a b))");
  EXPECT_EQ(process("any (k) par (i = 1, 3) a"), "(any k (par i 1 3 a))");
  EXPECT_EQ(process("any (k) ((a || b))"), "(any k (parallel a b))");
  EXPECT_EQ(process("use(cpu(p), t); delay(2)"), "(sequence (use (name cpu p) t) (delay 2))");
  EXPECT_EQ(process("switch (e) { 1 : a; b, 2 : c || d, else : f }"),
            "(switch e 1 (sequence a b) 2 (parallel c d) f)");
  EXPECT_EQ(process("switch { 0.25 : a, 0.75 : b; }"), "(switch - 0.25 a 0.75 b)");
  EXPECT_EQ(shape(body("(if (c) 1 else 2) + 3")), "(add (if c 1 2) 3)");
  EXPECT_EQ(shape(body("if (c) 1 else (2 + 3)")), "(if c 1 (add 2 3))");
  EXPECT_EQ(shape(body("3 + if (c) 1 else 2")), "(add 3 (if c 1 2))");
  EXPECT_EQ(shape(body("if (c) -1 else -2")), "(if c (negate 1) (negate 2))");
  EXPECT_EQ(shape(body("fcfs(0, inf)", "resource")), "(fcfs 0 inf)");
}

TEST(PamelaParse, DefinitionsEndWhereTheNextBegins) {
  const Model m =
      parsed("numeric parameter N % how many\n"
             "numeric parameter t = 3 process f(a, b) = delay(a)\nresource r = fcfs(0,1)");
  ASSERT_EQ(m.definitions.size(), 4u);
  EXPECT_TRUE(m.definitions[0].parameter);
  EXPECT_FALSE(m.definitions[0].body);
  EXPECT_TRUE(m.definitions[1].parameter);
  EXPECT_EQ(shape(m.definitions[1].body), "3");
  EXPECT_EQ(m.definitions[2].kind, Kind::process);
  EXPECT_EQ(m.definitions[2].arguments, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(m.definitions[3].kind, Kind::resource);
  EXPECT_EQ(m.definitions[3].at.line, 3u);
  EXPECT_EQ(m.definitions[2].body->at.column, 43u);
  ASSERT_EQ(m.comments.size(), 1u);
  EXPECT_EQ(m.comments[0].text, " how many");
  EXPECT_EQ(m.comments[0].at.column, 21u);
  EXPECT_TRUE(parsed("").definitions.empty());
  EXPECT_TRUE(parsed("% nothing").definitions.empty());
}

TEST(PamelaParse, DefinitionsHideBuiltins) {
  const Model m = parsed("numeric a = exponential(2)\n"
                         "numeric exponential(mu) = moments(mu, mu * mu, 2, 9)");
  EXPECT_EQ(shape(m.definitions[0].body), "(name exponential 2)");
  EXPECT_EQ(shape(m.definitions[1].body), "(law moments mu (multiply mu mu) 2 9)");
}

TEST(PamelaParse, SaysWhatWasExpected) {
  const std::pair<const char *, const char *> cases[] = {
      {"x = 1",
       "1:1: error: expected a definition, which begins with numeric, process or resource, "
       "not 'x'"},
      {"numeric", "1:8: error: expected the name of what is defined, not the end of the file"},
      {"numeric seq = 1",
       "1:9: error: expected the name of what is defined (keywords are none), not 'seq'"},
      {"numeric x", "1:10: error: expected '=' and what 'x' is (only a parameter can do without), "
                    "not the end of the file"},
      {"numeric x(", "1:11: error: expected the name of an argument, not the end of the file"},
      {"numeric x(a b) = 1", "1:13: error: expected ',' or ')', not 'b'"},
      {"numeric x =\n", "2:1: error: expected an expression, not the end of the file"},
      {"numeric x = 1 +", "1:16: error: expected an expression, not the end of the file"},
      {"numeric x = 1 2",
       "1:15: error: expected an operator or the next definition (numeric, process or resource), "
       "not '2'"},
      {"numeric x = (1", "1:15: error: expected an operator or ')', not the end of the file"},
      {"process x = {a; b)", "1:18: error: expected an operator or '}', not ')'"},
      {"numeric x = f(1", "1:16: error: expected ',' or ')', not the end of the file"},
      {"numeric x = f()", "1:15: error: expected an expression, not ')'"},
      {"numeric x = [1}", "1:15: error: expected ',' or ']', not '}'"},
      {"numeric x = a < b < c",
       "1:19: error: comparisons cannot be chained; write a < b and b < c"},
      {"numeric x = 1 + not a",
       "1:17: error: 'not' needs brackets around it here, as it binds less "
       "than what is in front of it"},
      {"process x = seq i", "1:17: error: expected '(' and an index, as in (i = 1, N), not 'i'"},
      {"process x = seq (1 = 1",
       "1:18: error: expected the name of an index, as in (i = 1, N), not '1'"},
      {"process x = seq (i, 1",
       "1:19: error: expected '=' behind the index, as in (i = 1, N), not ','"},
      {"process x = seq (i = 1)",
       "1:23: error: expected ',' between the first and the last value of the index, not ')'"},
      {"process x = seq (i = 1, 2 a",
       "1:27: error: expected ')' behind the last value of the index, not 'a'"},
      {"process x = seq (i = 1, 2) ;", "1:28: error: expected an expression, not ';'"},
      {"process x = a;;", "1:15: error: expected an expression, not ';'"},
      {"process x = if (1) then a else b",
       "1:20: error: 'then' is no word of a model: write if (c) a else b"},
      {"process x = while (1) a",
       "1:13: error: 'while' is no word of a model: a loop is seq (i = 1, n) body, and n may be "
       "random"},
      {"numeric x = if (1) 2 else 3 + 1",
       "1:29: error: does '+' go on with the last part of the 'if', or with what the 'if' chooses? "
       "Put brackets around the one that is meant"},
      {"numeric x = 2 * if (1) 2 else 3 ^ 2",
       "1:33: error: does '^' go on with the last part of the 'if', or with what the 'if' chooses? "
       "Put brackets around the one that is meant"},
      {"process x = delay(1, 2)", "1:13: error: delay takes one argument, the time, not 2"},
      {"process x = use(1)",
       "1:13: error: use takes two arguments, a resource and the time, not 1"},
      {"resource x = fcfs(1)",
       "1:14: error: fcfs takes two arguments, an index and how many it can serve, not 1"},
      {"process x = delay 1", "1:19: error: expected '(' and arguments, not '1'"},
      {"process x = any (2) a",
       "1:21: error: any waits for some of several parts: it needs a par, or "
       "parts with || between them (or a max of numbers)"},
      {"process x = if c", "1:16: error: expected '(' and a condition, not 'c'"},
      {"process x = if (c) else a", "1:20: error: expected an expression, not 'else'"},
      {"process x = switch 1", "1:20: error: expected '{' and what to choose from, not '1'"},
      {"process x = switch { else : a }", "1:22: error: expected an expression, not 'else'"},
      {"process x = switch { 1 a }",
       "1:24: error: expected ':' behind a value or probability, not 'a'"},
      {"process x = switch { 1 : a b }", "1:28: error: expected ',' or '}', not 'b'"},
      {"process x = switch { 1 : a, else b }", "1:34: error: expected ':' behind 'else', not 'b'"},
      {"process x = switch { 1 : a, else : b, 2 : c }",
       "1:37: error: expected '}' behind the last choice, not ','"},
      {"numeric x = 1x",
       "1:13: error: a number goes on with 'x'; write numbers like 1, 2.5 or 1e-3, "
       "and names with a letter first"},
      {"numeric x = 1.",
       "1:13: error: a number goes on with '.'; write numbers like 1, 2.5 or 1e-3, "
       "and names with a letter first"},
      {"numeric x = .5", "1:13: error: a number has a digit in front of its point"},
      {"numeric x = 1e999", "1:13: error: the number '1e999' is too large or too small to be held"},
      {"numeric x = 1e-999",
       "1:13: error: the number '1e-999' is too large or too small to be held"},
      {"numeric x = a | b", "1:15: error: unknown sign '|'; parallel is ||, logic is and, or, not"},
      {"numeric x = !a", "1:13: error: unknown sign '!'; parallel is ||, logic is and, or, not"},
      {"numeric x = \xc3\xa9", "1:13: error: unknown character '\xc3\xa9'"},
      {"numeric x = \x01", "1:13: error: unknown character '\\x01'"},
      {"include x", "1:9: error: expected the name of a file in quotes, not 'x'"},
      {"include \"x", "1:9: error: the file name does not end on this line; put a \" behind it"}};
  for (const auto &[text, expected] : cases)
    EXPECT_EQ(message(text), std::string("test.pam:") + expected) << text;
  EXPECT_EQ(message("include \"no.pam\""),
            "test.pam:1:9: error: cannot include no.pam: cannot open it");
}

TEST(PamelaParse, PointsOut) {
  const auto shown = [](const std::string &text) {
    const Result<Model> m = parseText(text, "x");
    return m ? "" : pointOut(m.error(), text);
  };
  EXPECT_EQ(shown("numeric a = 1\nnumeric b = 1 +* 2\n"), "  numeric b = 1 +* 2\n"
                                                          "                 ^\n");
  EXPECT_EQ(shown("numeric a = (1"), "  numeric a = (1\n                ^\n");
  EXPECT_EQ(shown("\tnumeric"), "   numeric\n          ^\n");
  EXPECT_EQ(shown("% \xc3\xa9\nnumeric x = {\xc3\xa9"),
            "  numeric x = {\xc3\xa9\n               ^\n");
  const std::string wide = shown("numeric x = " + std::string(300, ' ') + "* 2");
  EXPECT_EQ(wide, "  " + std::string(50, ' ') + "* 2\n  " + std::string(50, ' ') + "^\n");
  EXPECT_EQ(pointOut(Error{"whole file", "x"}, "text"), "");
  EXPECT_EQ(pointOut(Error{"behind the end", "x", 9, 1}, "text"), "");
}

TEST(PamelaParse, IncludesEachFileOnce) {
  const Folder folder;
  folder.write("parts/cpu.pam", "include \"unit.pam\" resource cpu = fcfs(unit, 1) % not ours\n");
  folder.write("parts/unit.pam", "numeric unit = 0");
  const std::string main =
      folder.write("main.pam", "numeric a = unit\ninclude \"parts/unit.pam\"\n"
                               "include \"parts/cpu.pam\"\nnumeric b = 2 % ours");
  const Result<Model> m = parse(main);
  ASSERT_TRUE(m) << m.error().message();
  std::string names;
  for (const Definition &d : m->definitions)
    names += d.name + std::to_string(d.at.file) + " ";
  EXPECT_EQ(names, "a0 unit1 cpu2 b0 ");
  ASSERT_EQ(m->files.size(), 3u);
  EXPECT_EQ(m->files[0], main);
  EXPECT_EQ(fs::path(m->files[2]).filename(), "cpu.pam");
  ASSERT_EQ(m->includes.size(), 2u);
  EXPECT_EQ(m->includes[1].second, "parts/cpu.pam");
  EXPECT_EQ(m->includes[1].first.line, 3u);
  ASSERT_EQ(m->comments.size(), 1u);

  folder.write("broken.pam", "numeric x = ");
  const Result<Model> broken = parse(folder.write("second.pam", "include \"broken.pam\""));
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().message(),
            (folder.path / "broken.pam").string() +
                ":1:13: error: expected an expression, not the end of the file");
}

TEST(PamelaParse, RefusesCirclesOfFiles) {
  const Folder folder;
  const std::string a = folder.write("a.pam", "include \"b.pam\"");
  const std::string b = folder.write("b.pam", "\ninclude \"parts/../a.pam\"");
  const Result<Model> m = parse(a);
  ASSERT_FALSE(m);
  EXPECT_EQ(m.error().message(),
            b + ":2:9: error: files include each other in a circle: " + a + ", " + b + ", " + a);
  const Result<Model> own = parse(folder.write("own.pam", "include \"own.pam\""));
  ASSERT_FALSE(own);
  EXPECT_NE(own.error().text.find("in a circle"), std::string::npos);
  for (int i = 0; i < 120; ++i)
    folder.write("d" + std::to_string(i) + ".pam",
                 "include \"d" + std::to_string(i + 1) + ".pam\"");
  const Result<Model> deep = parse((folder.path / "d0.pam").string());
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().text, "files include each other more than 100 deep");
}

TEST(PamelaParse, RefusesWhatIsNoText) {
  const Folder folder;
  const Result<Model> directory = parse(folder.path.string()), none = parse("/no/such.pam"),
                      endless = parse("/dev/zero");
  ASSERT_TRUE(!directory && !none && !endless);
  EXPECT_EQ(directory.error().text, "it is a folder");
  EXPECT_EQ(none.error().message(), "/no/such.pam: error: cannot open it");
  EXPECT_EQ(endless.error().text, "larger than 16 MB");
  EXPECT_EQ(message(std::string((16 << 20) + 1, ' ')), "test.pam: error: larger than 16 MB");
  std::string many = "numeric x = ";
  for (int i = 0; i < 2000001; ++i)
    many += "1+";
  EXPECT_NE(message(many).find("more than 4,000,000 words"), std::string::npos);
}

TEST(PamelaParse, LongChainsAreNoDeepTrees) {
  for (const std::string sign : {"+", "*", "-", " and ", " or ", "||", ";"}) {
    std::string text = "numeric x = 1";
    for (int i = 1; i < 100000; ++i)
      text += sign + std::to_string(i % 10);
    const Model a = parsed(text), b = parsed(text), c = parsed(text + sign + "7");
    ASSERT_EQ(a.definitions.size(), 1u);
    EXPECT_TRUE(same(a.definitions[0].body, b.definitions[0].body)) << sign;
    EXPECT_FALSE(same(a.definitions[0].body, c.definitions[0].body)) << sign;
  }
}

TEST(PamelaParse, DeepNestingIsAnError) {
  const std::string deep = "test.pam:1:", text = "brackets and constructs more than 500 deep";
  const std::pair<std::string, std::string> nests[] = {{"(", ")"},
                                                       {"{", "}"},
                                                       {"[", "]"},
                                                       {"f(", ")"},
                                                       {"-", ""},
                                                       {"not ", ""},
                                                       {"2 ^ ", ""},
                                                       {"sum (i = 1, 2) ", ""},
                                                       {"if (", ") 1"},
                                                       {"if (1) ", ""},
                                                       {"if (1) 2 else ", ""},
                                                       {"switch { 1 : ", "}"},
                                                       {"seq (i = ", ", 1) 1"},
                                                       {"delay(", ")"}};
  for (const auto &[open, close] : nests) {
    const auto nested = [&](int depth) {
      std::string s = "numeric x = ";
      for (int i = 0; i < depth; ++i)
        s += open;
      s += "1";
      for (int i = 0; i < depth; ++i)
        s += close;
      return message(s);
    };
    EXPECT_EQ(nested(240), "") << open;
    EXPECT_NE(nested(501).find(text), std::string::npos) << open;
    EXPECT_NE(nested(100000).find(text), std::string::npos) << open;
  }
}

TEST(PamelaParse, BrokenInputsGetErrors) {
  const int count = std::getenv("QUINCUNX_FULL") ? 1000000 : 20000;
  static const char *const words[] = {
      "numeric ", "process ", "resource ",   "parameter ", "include ", "\"x\"", "seq ", "par ",
      "any ",     "if ",      "else ",       "switch ",    "sum ",     "max ",  "min ", "delay",
      "use",      "fcfs",     " mod ",       " div ",      " and ",    "not ",  " or ", "inf ",
      "x ",       "y ",       "exp",         "1 ",         "2.5 ",     "1e-3 ", "(",    ")",
      "{",        "}",        "[",           "]",          ",",        ";",     ":",    "=",
      "==",       "<",        "+",           "-",          "*",        "/",     "^",    "||",
      "%c\n",     "\n",       "(i = 1, 2) ", "= "};
  std::mt19937 random(12);
  int errors = 0, good = 0;
  for (int n = 0; n < count; ++n) {
    std::string text = n % 4 == 0 ? "" : n % 4 == 1 ? "numeric x = " : "process x = ";
    const size_t length = random() % 40;
    for (size_t i = 0; i < length; ++i)
      if (n % 4 == 0)
        text += static_cast<char>(random() & 0xff);
      else
        text += words[random() % std::size(words)];
    const Result<Model> m = parseText(text, "random.pam");
    if (m) {
      ++good;
      continue;
    }
    ++errors;
    ASSERT_FALSE(m.error().text.empty());
    ASSERT_EQ(m.error().message().find('\n'), std::string::npos) << text;
    ASSERT_NE(m.error().line, 0u) << text;
    ASSERT_NE(pointOut(m.error(), text), "") << text;
  }
  EXPECT_GT(errors, count / 2);
  EXPECT_GT(good, count / 1000);
}
