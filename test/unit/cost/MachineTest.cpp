// .machine files: what is read, what is refused and where.
#include "quincunx/cost/Machine.h"

#include "quincunx/map/Map.h"

#include <gtest/gtest.h>

using namespace quincunx;

TEST(Machine, ReadsConstantsMomentsNamesAndComments) {
  const Result<Machine> m = parseMachine("# my machine\n"
                                         "name  tiny one \n\n"
                                         "unit cycles\t# made up\n"
                                         "load moments( 4, 9,3 ,12)\r\n"
                                         "add 0.5\n"
                                         "  store +2 \n"
                                         "jump 1e1\n",
                                         "a.machine");
  ASSERT_TRUE(m) << m.error().message();
  EXPECT_EQ(m->name, "tiny one");
  EXPECT_EQ(m->unit, "cycles");
  EXPECT_EQ(m->cost("add"), (Cumulants{0.5, 0, 0, 0}));
  EXPECT_EQ(m->cost("store"), (Cumulants{2, 0, 0, 0}));
  EXPECT_EQ(m->cost("jump"), (Cumulants{10, 0, 0, 0}));
  EXPECT_EQ(m->cost("load"), (Cumulants{4, 9, 81, 729})); // k3 = 3 * 27, k4 = (12 - 3) * 81
  EXPECT_EQ(m->cost("divide"), (Cumulants{}));
  EXPECT_FALSE(m->constant());
}

TEST(Machine, RefusesWithTheLine) {
  struct {
    const char *text;
    unsigned line;
    const char *says;
  } const table[] = {
      {"add 1\nlaod 4\n", 2, "unknown class 'laod'; did you mean 'load'?"},
      {"add 1\nqqqqqqqqq 4\n", 2, "unknown class 'qqqqqqqqq'"},
      {"add 1\n\nadd 2\n", 3, "'add' is given twice"},
      {"name a\nname b\nadd 1\n", 2, "'name' is given twice"},
      {"add\n", 1, "'add' needs a value"},
      {"add fast\n", 1, "'fast' is not a cost"},
      {"add 1 2\n", 1, "'1 2' is not a cost"},
      {"add nan\n", 1, "'nan' is not a cost"},
      {"add inf\n", 1, "'inf' is not a cost"},
      {"add -1\n", 1, "no cost is negative"},
      {"add moments(-1,1,0,3)\n", 1, "no cost is negative"},
      {"add moments(4,-9,3,12)\n", 1, "negative variance"},
      {"add moments(4,9,3,9.9)\n", 1, "kurtosis is at least 1 + skewness^2"},
      {"add moments(4,9,0,0.5)\n", 1, "kurtosis is at least 1 + skewness^2"},
      {"add moments(4,0,1,3)\n", 1, "is a constant"},
      {"add moments(4,9,3)\n", 1, "takes four numbers, not 3"},
      {"add moments(4,9,3,12,5)\n", 1, "takes four numbers, not 5"},
      {"add moments(4,9,x,12)\n", 1, "'x' is not a number"},
      {"add moments(4,9,,12)\n", 1, "'' is not a number"},
      {"add moments(4,9,3,12\n", 1, "is not a cost"},
      {"# nothing\n", 0, "at least one class"},
      {"", 0, "at least one class"},
  };
  for (const auto &row : table) {
    SCOPED_TRACE(row.text);
    const Result<Machine> m = parseMachine(row.text, "bad.machine");
    ASSERT_FALSE(m);
    EXPECT_EQ(m.error().line, row.line);
    EXPECT_EQ(m.error().file, "bad.machine");
    EXPECT_NE(m.error().text.find(row.says), std::string::npos) << m.error().text;
  }
}

TEST(Machine, TwoPointLawIsAllowed) { EXPECT_TRUE(parseMachine("load moments(4,9,3,10)\n", "a")); }

TEST(Machine, BuiltIn) {
  const Result<Machine> unit = machineByName("unit"), x86 = machineByName("x86-64");
  ASSERT_TRUE(unit);
  ASSERT_TRUE(x86) << x86.error().message();
  for (const std::string &word : machineClasses())
    EXPECT_EQ(unit->cost(word), (Cumulants{word == "construct" ? 1.0 : 0.0, 0, 0, 0})) << word;
  EXPECT_EQ(unit->name, "unit");
  EXPECT_EQ(unit->unit, "constructs");
  EXPECT_TRUE(x86->constant());
  EXPECT_EQ(x86->name, "x86-64");
  EXPECT_EQ(x86->classes.size(), classCount) << "every class has a line of its own";
  EXPECT_EQ(x86->cost("fdivide").k1, 38);
}

TEST(Machine, ByNameSaysWhatIsMissing) {
  const Result<Machine> m = machineByName("x86_64");
  ASSERT_FALSE(m);
  EXPECT_NE(m.error().text.find("did you mean 'x86-64'"), std::string::npos) << m.error().text;
  EXPECT_TRUE(machineByName(QUINCUNX_SOURCE_DIR "/machines/unit.machine"));
  EXPECT_FALSE(machineByName(QUINCUNX_SOURCE_DIR "/machines"));
}

TEST(Machine, WordsAreThoseOfTheMap) {
  ASSERT_EQ(machineClasses().size(), classCount);
  for (size_t i = 0; i < classCount; ++i)
    EXPECT_EQ(machineClasses()[i], className(static_cast<Class>(i)));
}
