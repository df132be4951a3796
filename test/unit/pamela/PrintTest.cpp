// What is printed parses to what was printed, and is printed the same again: of random trees over
// the whole grammar, with comments anywhere. Layout and brackets, case by case. With QUINCUNX_FULL
// a million random trees.
#include "quincunx/pamela/Print.h"

#include "Shape.h"

#include <algorithm>
#include <cstdlib>
#include <random>

using namespace quincunx;
using namespace quincunx::pamela;
using namespace quincunx::pamela::test;

namespace {

/// Trees that the parser can make, of any size.
class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  Tree tree(int depth) {
    if (depth <= 0)
      return leaf();
    static constexpr Op binary[] = {Op::add,          Op::subtract,   Op::multiply,  Op::divide,
                                    Op::power,        Op::mod,        Op::div,       Op::equal,
                                    Op::notEqual,     Op::less,       Op::lessEqual, Op::greater,
                                    Op::greaterEqual, Op::logicalAnd, Op::logicalOr};
    static constexpr Op indexed[] = {Op::sum, Op::max, Op::min, Op::seq, Op::par};
    const auto some = [&](size_t least) { return trees(least + random() % 4, depth); };
    switch (random() % 16) {
    case 0:
      return leaf();
    case 1:
      return make(random() % 2 ? Op::negate : Op::logicalNot, trees(1, depth));
    case 2:
      return make(Op::vector, some(1));
    case 3:
      return make(Op::name, some(1), "g");
    case 4:
      return random() % 2 ? make(Op::call, some(1), "max") : make(Op::law, some(1), "gamma");
    case 5:
      return make(indexed[random() % 5], trees(3, depth), random() % 2 ? "i" : "max");
    case 6:
      return make(indexed[random() % 5], trees(3, depth), "j");
    case 7:
      return random() % 2 ? make(Op::delay, trees(1, depth))
                          : make(random() % 2 ? Op::use : Op::fcfs, trees(2, depth));
    case 8:
      return make(Op::sequence, some(2));
    case 9:
      return make(Op::parallel, some(2));
    case 10: {
      const Tree body =
          random() % 2 ? make(Op::parallel, some(2)) : make(Op::par, trees(3, depth), "k");
      return make(Op::any, {random() % 3 ? tree(depth - 1) : number(1), body});
    }
    case 11:
      return make(Op::branch, trees(2 + random() % 2, depth));
    case 12: {
      std::vector<Tree> args = trees(3 + random() % 4, depth);
      if (random() % 2)
        args[0] = nullptr;
      return make(Op::select, std::move(args));
    }
    default:
      return make(binary[random() % std::size(binary)], trees(2, depth));
    }
  }

  std::mt19937 random;

private:
  static Tree make(Op op, std::vector<Tree> args, const char *text = "") {
    const auto n = std::make_shared<Node>();
    n->op = op;
    n->args = std::move(args);
    n->text = text;
    return n;
  }
  static Tree number(double x) {
    const auto n = std::make_shared<Node>();
    n->value = x;
    return n;
  }
  std::vector<Tree> trees(size_t n, int depth) {
    std::vector<Tree> all;
    for (size_t i = 0; i < n; ++i)
      all.push_back(tree(depth - 1 - static_cast<int>(random() % 2)));
    return all;
  }
  Tree leaf() {
    static constexpr double values[] = {
        0,     1,      2.5,  1e-3,   1.0 / 3,
        1e300, 5e-324, 1e22, 123456, std::numeric_limits<double>::infinity()};
    static const char *const names[] = {"a", "processor_number_7", "max", "x1"};
    return random() % 2 ? number(values[random() % std::size(values)])
                        : make(Op::name, {}, names[random() % std::size(names)]);
  }
};

Model modelOf(const std::string &text) {
  const Result<Model> m = parseText(text, "test.pam");
  EXPECT_TRUE(m) << text << (m ? "" : m.error().message());
  return m ? *m : Model{};
}

std::string formatted(const std::string &text) { return print(modelOf(text)); }

/// The expression as it is printed behind "numeric x = ".
std::string reprinted(const std::string &expression) { return print(body(expression)); }

} // namespace

TEST(PamelaPrint, RandomTreesComeBack) {
  const int count = std::getenv("QUINCUNX_FULL") ? 1000000 : 10000;
  Generator generator(7);
  size_t severalLines = 0, wide = 0;
  for (int n = 0; n < count; ++n) {
    const Tree tree = generator.tree(static_cast<int>(generator.random() % 7));
    const std::string text = print(tree);
    const Result<Model> back = parseText("numeric x =\n" + text, "random.pam");
    ASSERT_TRUE(back) << text << "\n" << back.error().message() << "\n" << shape(tree);
    ASSERT_EQ(back->definitions.size(), 1u);
    ASSERT_TRUE(same(back->definitions[0].body, tree)) << text << "\n"
                                                       << shape(tree) << "\n"
                                                       << shape(back->definitions[0].body);
    ASSERT_EQ(print(back->definitions[0].body), text);
    severalLines += text.find('\n') != std::string::npos;
    for (size_t at = 0, end = 0; at < text.size(); at = end + 1) {
      end = std::min(text.find('\n', at), text.size());
      wide += end - at > 100;
      ASSERT_NE(text[end - 1], ' ') << text;
    }
  }
  EXPECT_GT(severalLines, static_cast<size_t>(count) / 10); // the layout of several lines was tried
  RecordProperty("wide", static_cast<int>(wide));
}

TEST(PamelaPrint, RandomCommentsStay) {
  // Comments between any two words, on their own lines or behind something.
  const int count = std::getenv("QUINCUNX_FULL") ? 100000 : 3000;
  Generator generator(8);
  for (int n = 0; n < count; ++n) {
    std::string clean, text;
    for (int d = 0; d < 3; ++d)
      clean += "numeric d" + std::to_string(d) + " = " +
               print(generator.tree(static_cast<int>(generator.random() % 5))) + "\n";
    const unsigned long often = 2 + generator.random() % 60;
    int comment = 0;
    for (const char c : clean) {
      text += c;
      if ((c == ' ' || c == '(' || c == '\n') && generator.random() % often == 0)
        text += (generator.random() % 2 ? "\n%" : "%") + std::to_string(comment++) + "\n" +
                (generator.random() % 4 ? "" : "\n");
    }
    const Model before = modelOf(text);
    const std::string once = print(before);
    const Model after = modelOf(once);
    ASSERT_EQ(before.definitions.size(), after.definitions.size());
    for (size_t d = 0; d < before.definitions.size(); ++d)
      ASSERT_TRUE(same(before.definitions[d].body, after.definitions[d].body)) << text << once;
    // All of them; several behind one word share a line.
    std::vector<std::string> all, found;
    for (int i = 0; i < comment; ++i)
      all.push_back(std::to_string(i));
    for (const Comment &c : after.comments)
      for (const std::string_view word : fields(c.text, '%'))
        found.emplace_back(word.substr(0, word.find(' ')));
    std::ranges::sort(all);
    std::ranges::sort(found);
    ASSERT_EQ(found, all) << text << "\n----\n" << once;
    ASSERT_EQ(print(after), once) << text;
  }
}

TEST(PamelaPrint, FewestBrackets) {
  const std::pair<const char *, const char *> cases[] = {
      {"((1 + 2)) + (3 * 4)", "1 + 2 + 3 * 4"},
      {"1 - (2 - 3)", "1 - (2 - 3)"},
      {"(a / b) * (c mod d)", "a / b * (c mod d)"},
      {"(a ^ b) ^ c", "(a^b)^c"},
      {"a ^ (b ^ c)", "a^b^c"},
      {"(-a) ^ (-b)", "(-a)^-b"},
      {"-(a * b)", "-(a * b)"},
      {"- - a", "--a"},
      {"not (a and b) or (not a)", "not (a and b) or not a"},
      {"(a < b) == (c < d)", "(a < b) == (c < d)"},
      {"(sum (i = 1, N) (a)) * b", "(sum (i = 1, N) a) * b"},
      {"(sum (i = 1, N) a * b) + c", "sum (i = 1, N) a * b + c"},
      {"sum (i = 1, N) (a + b)", "sum (i = 1, N) (a + b)"},
      {"-(max (i = 1, N) a) * b", "-(max (i = 1, N) a) * b"},
      {"b * (max (i = 1, N) a)", "b * max (i = 1, N) a"},
      {"(if (c) 1 else 2) * 3", "(if (c) 1 else 2) * 3"},
      {"{ a; { b }; { c; d } }", "a; b; { c; d }"},
      {"{ a || b }; c", "a || b; c"},
      {"a || (b; c)", "a || { b; c }"},
      {"if (c) { (a; b) } else { d }", "if (c) { a; b } else d"},
      {"if (c) { if (d) a } else b", "if (c) (if (d) a) else b"},
      {"if (c) seq (i = 1, 2) { if (d) a } else b", "if (c) seq (i = 1, 2) (if (d) a) else b"},
      {"any (1) (a || b)", "any { a || b }"},
      {"any (1 + 1) { par (i = 1, 2) { a } }", "any (1 + 1) par (i = 1, 2) a"},
      {"switch (e) { (1) : (a; b), else : { c } }", "switch (e) { 1 : a; b, else : c }"},
      {"switch { 0.5 : a, 0.5 : b; }", "switch { 0.5 : a, 0.5 : b }"},
      {"f((a), [1, (2)], max(3))", "f(a, [1, 2], max(3))"},
      {"0.1 + 1e3 + 100000000000000000000000 + 1.50", "0.1 + 1000 + 1e+23 + 1.5"},
      {"use({cpu(p)}, (t)); delay(inf)", "use(cpu(p), t); delay(inf)"}};
  for (const auto &[text, expected] : cases)
    EXPECT_EQ(reprinted(text), expected) << text;
}

TEST(PamelaPrint, NegativeNumbersAreNegations) {
  const auto minus = std::make_shared<Node>(), base = std::make_shared<Node>();
  minus->value = -2;
  base->op = Op::power;
  base->args = {minus, minus};
  EXPECT_EQ(print(base), "(-2)^-2");
}

TEST(PamelaPrint, WhatDoesNotFitHasLinesOfItsOwn) {
  EXPECT_EQ(
      formatted("process main=par(p=1,P)seq(i=1,N){delay(some_quite_long_time_that_is_local);use(s,"
                "some_quite_long_time_at_the_server)}process x=a;b"),
      "process main = par (p = 1, P)\n"
      "  seq (i = 1, N) {\n"
      "    delay(some_quite_long_time_that_is_local);\n"
      "    use(s, some_quite_long_time_at_the_server)\n"
      "  }\n"
      "\n"
      "process x = a; b\n");
  const std::string name(40, 'n');
  EXPECT_EQ(formatted("numeric x = " + name + " + " + name + " - " + name),
            "numeric x =\n  " + name + " +\n  " + name + " -\n  " + name + "\n");
  EXPECT_EQ(formatted("numeric x = f(" + name + ", " + name + ", " + name + ")"),
            "numeric x = f(\n  " + name + ",\n  " + name + ",\n  " + name + ")\n");
  EXPECT_EQ(formatted("process x = if (c) { " + name + "; " + name + " } else if (d) " + name +
                      " else { " + name + "; a }"),
            "process x = if (c) {\n  " + name + ";\n  " + name + "\n} else if (d)\n  " + name +
                "\nelse {\n  " + name + ";\n  a\n}\n");
  EXPECT_EQ(formatted("process x = switch (e) { 1 : " + name + ", 2 : " + name +
                      ", else : " + name + " }"),
            "process x = switch (e) {\n  1 : " + name + ",\n  2 : " + name + ",\n  else : " + name +
                "\n}\n");
  EXPECT_EQ(formatted("process x = " + name + " || any (2) { " + name + " || " + name + " }"),
            "process x =\n  " + name + " ||\n  any (2) { " + name + " || " + name + " }\n");
}

TEST(PamelaPrint, CommentsStay) {
  EXPECT_EQ(formatted("% about all\n\n\n% of N\nnumeric N=1 % one\nnumeric NN=2% two\n%end"),
            "% about all\n\n% of N\nnumeric N = 1   % one\nnumeric NN = 2  % two\n%end\n");
  EXPECT_EQ(formatted("process x = seq (i=1,2) { % loop\n a; % first\n % then\n b\n % last\n }"),
            "process x = seq (i = 1, 2) {  % loop\n"
            "  a;                          % first\n"
            "  % then\n"
            "  b\n"
            "  % last\n"
            "}\n");
  EXPECT_EQ(formatted("process x = par (i=1,2) {\n a; b } % behind\n % own\nprocess y = z"),
            "process x = par (i = 1, 2) { a; b }  % behind\n% own\nprocess y = z\n");
  EXPECT_EQ(formatted("numeric x = a + % one\n b + % two\n c"),
            "numeric x =\n  a +  % one\n  b +  % two\n  c\n");
  EXPECT_EQ(formatted("numeric x = f(a, % one\n % two\n b)"),
            "numeric x = f(\n  a,  % one\n  % two\n  b)\n");
  EXPECT_EQ(formatted("numeric x = - % one\n 2 % two\n"), "numeric x = -2  % one % two\n");
  EXPECT_EQ(formatted("\n\n%a  \r\n  %b\t\r\n"), "%a\n%b\n");
  EXPECT_EQ(formatted(""), "");
}

TEST(PamelaPrint, CommentsBehindBracesInRanges) {
  // There is a new line behind the brace, or else the comment goes out and breaks what is around.
  for (const std::string start : {"{ % here\n", "% here\n{", "\n% here\n{", "{\n% here\n"})
    for (const auto &[before, behind] : std::vector<std::pair<std::string, std::string>>{
             {"par (i = ", "a; b } != c, 2) d + e"},
             {"seq (i = 1, ", "a; b } != c) d + e"},
             {"sum (i = 1, ", "a || b } or c) d + e"},
             {"if (1) (", "a; b } + c) else d || e"}}) {
      const std::string once = formatted("numeric x = " + before + start + behind);
      EXPECT_EQ(formatted(once), once);
      EXPECT_NE(once.find("% here\n"), std::string::npos) << once;
    }
  EXPECT_EQ(
      formatted("numeric x = seq (i = 1,\n% here\n{ a; b } != c) d + e"),
      "numeric x =\n  seq (i = 1, {\n    % here\n    a;\n    b\n  } !=\n    c)\n      d +\n  e\n");
}

TEST(PamelaPrint, BlankLinesAreKeptBetweenDefinitions) {
  EXPECT_EQ(formatted("numeric a=1\n\n\n\nnumeric b=2\nnumeric c=3 numeric d=4"),
            "numeric a = 1\n\nnumeric b = 2\nnumeric c = 3\nnumeric d = 4\n");
}

TEST(PamelaPrint, LongChainsCanBePrinted) {
  for (const std::string sign : {" +", ";", " ||", " and"}) {
    std::string text = "numeric x =\n  1";
    for (int i = 1; i < 100000; ++i)
      text += sign + "\n  " + std::to_string(i % 10);
    EXPECT_EQ(formatted(text), text + "\n") << sign;
  }
}

TEST(PamelaPrint, IncludesStayWhereTheyAre) {
  Model m = modelOf("numeric a = 1 numeric b = 2 % b\n\nnumeric c = 3");
  m.includes = {{{0, 1, 14}, "x.pam"}, {{0, 2, 1}, "y.pam"}, {{0, 3, 20}, "z.pam"}};
  EXPECT_EQ(print(m), "numeric a = 1\ninclude \"x.pam\"\nnumeric b = 2  % b\n"
                      "include \"y.pam\"\nnumeric c = 3\ninclude \"z.pam\"\n");
}

TEST(PamelaPrint, ModelsWithoutPlaces) {
  Model m = modelOf("numeric parameter P numeric f(a, b) = a + b process parameter w(i)");
  m.files.clear();
  for (Definition &d : m.definitions)
    d.at = {};
  EXPECT_EQ(print(m), "numeric parameter P\nnumeric f(a, b) = a + b\nprocess parameter w(i)\n");
}
