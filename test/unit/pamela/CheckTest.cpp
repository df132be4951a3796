// Every message about names and kinds, and models that have none.
#include "quincunx/pamela/Check.h"

#include "Shape.h"

#include <algorithm>

using namespace quincunx;
using namespace quincunx::pamela;
using namespace quincunx::pamela::test;

namespace {

/// The messages, a line each, without the name of the file.
std::string checked(const std::string &text) {
  const Result<Model> m = parseText(text, "m");
  EXPECT_TRUE(m) << text << (m ? "" : m.error().message());
  std::string all;
  for (const Error &e : check(m ? *m : Model{})) {
    EXPECT_TRUE(e.message().starts_with("m:")) << e.message();
    all += (all.empty() ? "" : "\n") + e.message().substr(2);
  }
  return all;
}

} // namespace

TEST(PamelaCheck, TheExamplesAreRight) {
  for (const char *name : {"mrm", "psrs"}) {
    const Result<Model> m =
        parse(std::string(QUINCUNX_SOURCE_DIR "/examples/pamela/") + name + ".pam");
    ASSERT_TRUE(m) << m.error().message();
    for (const Error &e : check(*m))
      ADD_FAILURE() << e.message();
  }
}

TEST(PamelaCheck, WhatIsRight) {
  for (const char *text :
       {"numeric a = b numeric b = max(1, 2) + sum (i = 1, 3) i * exp(i)",
        "numeric i = 1 process p = seq (i = i, 2) delay(i)", // the bounds are outside
        "process p(i) = par (i = 1, i) seq (i = 1, i) delay(i)",
        "process main = f(r, 1) process f(s, t) = g(s, t); g(s, t) process g(s, t) = use(s, t) "
        "resource r = fcfs(0, inf)",
        "process main = twice(w) process twice(p) = p; p process parameter w",
        "process main = if (bernoulli(0.5)) delay(1) else switch { 0.5 : delay(1), 0.5 : delay(2) "
        "}",
        "numeric a = switch (1) { 0 : 1, else : 2 } + (if (1) [1, 2] else histogram(1, 2, 3, 4))",
        "numeric exponential(mu, x) = mu + x numeric y = exponential(1, 2)",
        "numeric unused(a) = 1 process p = delay(unused(p2)) process p2 = delay(1)",
        "process p = any (2) { delay(1) || delay(2) }",
        "resource r(i) = fcfs(i, 1) resource s = r(3) process p = use(r(1), 2); use(s, 1)"})
    EXPECT_EQ(checked(text), "") << text;
}

TEST(PamelaCheck, UndefinedNames) {
  EXPECT_EQ(checked("numeric clients = 1 numeric x = cleints + 1"),
            "1:33: error: 'cleints' is not defined; did you mean 'clients'?");
  EXPECT_EQ(
      checked("numeric x = whatever_it_is"),
      "1:13: error: 'whatever_it_is' is not defined; define it, or declare it as a parameter");
  EXPECT_EQ(checked("numeric x = exponental(2)"),
            "1:13: error: 'exponental' is not defined; did you mean 'exponential'?");
  EXPECT_EQ(checked("numeric x = (sum (index = 1, 2) indx) + index"),
            "1:33: error: 'indx' is not defined; did you mean 'index'?\n"
            "1:41: error: 'index' is not defined; define it, or declare it as a parameter");
  EXPECT_EQ(checked("numeric x = sum (i = i, 2) 1"),
            "1:22: error: 'i' is not defined; did you mean 'x'?");
}

TEST(PamelaCheck, NumbersOfArguments) {
  EXPECT_EQ(checked("numeric f(a, b) = a\nnumeric x = f(1) + f"),
            "2:13: error: 'f' takes 2 arguments, not 1; it is defined at m:1\n"
            "2:20: error: 'f' takes 2 arguments, not 0; it is defined at m:1");
  EXPECT_EQ(checked("numeric f = 1 numeric x = f(1)"),
            "1:27: error: 'f' takes no arguments, not 1; it is defined at m:1");
  EXPECT_EQ(checked("numeric x = floor(1, 2)"), "1:13: error: 'floor' takes 1 argument, not 2");
  EXPECT_EQ(checked("numeric x = moments(1, 2)"),
            "1:13: error: 'moments' takes 4 arguments, not 2");
  EXPECT_EQ(checked("numeric x = histogram(1)"),
            "1:13: error: 'histogram' takes at least 2 arguments, not 1");
  EXPECT_EQ(checked("numeric x = histogram(1, 2, 3)"),
            "1:13: error: 'histogram' takes pairs of a value and its weight, not 3 numbers");
  EXPECT_EQ(checked("numeric f(a) = a(1)"),
            "1:16: error: 'a' takes no arguments; it is an argument or an index itself");
}

TEST(PamelaCheck, Kinds) {
  EXPECT_EQ(checked("process p = delay(1) numeric x = 1 + p"),
            "1:38: error: 'p' is a process, and a number is needed here");
  EXPECT_EQ(checked("process p = 1 + 2"),
            "1:13: error: this is a number, and a process is needed here");
  EXPECT_EQ(checked("process p = delay(1); 2"),
            "1:23: error: this is a number, and a process is needed here");
  EXPECT_EQ(checked("numeric s = 1 process p = use(s, 2)"),
            "1:31: error: 's' is a number, and a resource is needed here");
  EXPECT_EQ(checked("resource r = 3"),
            "1:14: error: this is a number, and a resource is needed here");
  EXPECT_EQ(checked("process main = f(1, 2) process f(s, t) = g(s, t) process g(s, t) = use(s, t)"),
            "1:18: error: this is a number, and a resource is needed here");
  EXPECT_EQ(checked("process f(s) = use(s, s)"),
            "1:23: error: 's' is a resource, and a number is needed here");
  EXPECT_EQ(checked("numeric x = if (1) 2 else delay(1)"),
            "1:27: error: this is a process, and a number is needed here");
  EXPECT_EQ(checked("resource r = if (1) fcfs(0, 1)"),
            "1:14: error: if and switch choose numbers or processes, not resources");
  EXPECT_EQ(checked("numeric f(a) = 1 numeric x = f(if (1) fcfs(0, 1))"),
            "1:39: error: if and switch choose numbers or processes, not resources");
  EXPECT_EQ(checked("numeric f(a) = 1 numeric x = f(if (1) 2 else delay(1))"),
            "1:46: error: this is a process, and a number is needed here");
  EXPECT_EQ(checked("process p = par (i = delay(1), 2) i"),
            "1:22: error: this is a process, and a number is needed here\n"
            "1:35: error: 'i' is a number, and a process is needed here");
}

TEST(PamelaCheck, DefinedTwice) {
  EXPECT_EQ(checked("numeric a = 1\nprocess a = delay(1)"),
            "2:1: error: 'a' is already defined at m:1; give one of them another name");
  EXPECT_EQ(checked("numeric f(a, b, a) = 1"),
            "1:1: error: 'f' has two arguments that are called 'a'");
}

TEST(PamelaCheck, Circles) {
  EXPECT_EQ(checked("numeric a = a"),
            "1:1: error: definitions go in a circle: a -> a; repeat with seq or sum instead");
  EXPECT_EQ(checked("numeric z = a numeric a = b + 1 numeric b = c(2) numeric c(i) = a"),
            "1:15: error: definitions go in a circle: a -> b -> c -> a; repeat with seq or sum "
            "instead");
  EXPECT_EQ(checked("process p(n) = if (n > 0) p(n - 1)"),
            "1:1: error: definitions go in a circle: p -> p; repeat with seq or sum instead");
  // What an index or an argument hides is no circle.
  EXPECT_EQ(checked("numeric i = sum (i = 1, 2) i numeric f(f) = f"), "");
}

TEST(PamelaCheck, LargeModels) {
  std::string chain, sum = "numeric a0 = 1 numeric x = 1";
  for (int i = 100000; i-- > 1;)
    chain += "numeric a" + std::to_string(i) + " = a" + std::to_string(i - 1) + "\n";
  EXPECT_EQ(checked(chain + "numeric a0 = 1"), "");
  for (int i = 1; i < 100000; ++i)
    sum += i % 2 ? " + a0" : " - 2 * a0";
  EXPECT_EQ(checked(sum), "");
  std::string wrong = "numeric x = 1";
  for (int i = 0; i < 1000; ++i)
    wrong += " + y" + std::to_string(i);
  EXPECT_EQ(std::ranges::count(checked(wrong), '\n'), 19);
}
