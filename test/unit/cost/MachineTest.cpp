// .machine files: what is read, what is refused and where.
#include "quincunx/cost/Machine.h"

#include "quincunx/map/Map.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

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

TEST(Machine, PricesEventsAndCallees) {
  const Result<Machine> m = parseMachine("add 1\n"
                                         "mispredict 5\n"
                                         "l3Hit moments(90, 100, 1, 5) # beyond the second level\n"
                                         "callee malloc 12\n"
                                         "callee  _Znwm\tmoments(14, 9, 0, 3)\n"
                                         "callee add 3\n"
                                         "byte memcpy 0.02\n",
                                         "a.machine");
  ASSERT_TRUE(m) << m.error().message();
  EXPECT_EQ(m->event("mispredict"), (Cumulants{5, 0, 0, 0}));
  EXPECT_EQ(m->event("l3Hit"), (Cumulants{90, 100, 1000, 20000}));
  EXPECT_EQ(m->event("l2Hit"), (Cumulants{}));
  EXPECT_EQ(m->cost("l3Hit"), (Cumulants{})) << "events are no classes";
  EXPECT_EQ(m->cost("add"), (Cumulants{1, 0, 0, 0})) << "nor are functions";
  ASSERT_EQ(m->callees.size(), 3U);
  ASSERT_EQ(m->bytes.size(), 1U);
  EXPECT_EQ(m->bytes.at("memcpy"), (Cumulants{0.02, 0, 0, 0}));
  EXPECT_EQ(m->callees.at("malloc"), (Cumulants{12, 0, 0, 0}));
  EXPECT_EQ(m->callees.at("_Znwm"), (Cumulants{14, 9, 0, 0}));
  EXPECT_FALSE(m->constant());
  EXPECT_TRUE(parseMachine("add 1\nl2Hit 3\ncallee free 9\n", "a")->constant());
  EXPECT_FALSE(parseMachine("add 1\ncallee free moments(1,1,0,3)\n", "a")->constant());
}

namespace {

void expectSame(const Machine &a, const Machine &b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.unit, b.unit);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.callees, b.callees);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.programSpread, b.programSpread);
}

} // namespace

TEST(Machine, PrintsWhatItRead) {
  const std::string text = "name tiny one\n"
                           "unit ns\n"
                           "load moments(4, 9, 3, 12)\n"
                           "add 0.1\n"
                           "l3Hit moments(90.5, 100, -1.155, 2.335)\n"
                           "callee free 9\n"
                           "callee malloc moments(12, 1e-05, 0, 3)\n"
                           "byte read 0.25\n";
  const Result<Machine> m = parseMachine(text, "a");
  ASSERT_TRUE(m) << m.error().message();
  EXPECT_EQ(printMachine(*m), text);
  for (const std::string &name : builtinMachineNames()) {
    const Result<Machine> builtin = machineByName(name);
    const Result<Machine> again = parseMachine(printMachine(*builtin), "a");
    ASSERT_TRUE(again) << again.error().message();
    expectSame(*again, *builtin);
  }
}

TEST(Machine, ReadsTheWordsOfEarlierVersions) {
  const std::string before = "name old\nunit ns\nadd 1\nnear 3\nfar 30\nbeyond 200\nstream 0.5\n"
                             "walk 13\ncallee far 7\ncommon 0.4\n";
  const std::string now = "name old\nunit ns\nadd 1\nl2Hit 3\nl3Hit 30\nmemoryAccess 200\n"
                          "prefetchedLine 0.5\npageWalk 13\ncallee far 7\nprogramSpread 0.4\n";
  const Result<Machine> old = parseMachine(before, "a"), renamed = parseMachine(now, "a");
  ASSERT_TRUE(old) << old.error().message();
  ASSERT_TRUE(renamed) << renamed.error().message();
  expectSame(*old, *renamed);
  EXPECT_EQ(old->programSpread, 0.4);
  EXPECT_EQ(printMachine(*old), now);
}

TEST(Machine, KeepsWhatWasFittedToAProgram) {
  const std::string text = "name calibrated\n"
                           "unit ns\n"
                           "add 0.25\n"
                           "start 150000\n"
                           "residual moments(0, 0.0025, 0.7, 5.1)\n"
                           "scale 1.5\n"
                           "once 4.5\n"
                           "kernel 0.125\n"
                           "limit 100\n"
                           "carries mispredict\n"
                           "body main.c 12 0.07 0.02\n"
                           "body util.h 0 3 0\n"
                           "function 0 main 1 -2.5 0 1e-05\n"
                           "prices 0 main 1 2 0 4\n"
                           "carried 0 main 0.5 0 3e-07 2\n"
                           "calls 0 main 3 0\n"
                           "function 0 helper 3\n"
                           "function 1 helper 4\n"
                           "function 0 empty\n";
  const Result<Machine> m = parseMachine(text, "a");
  ASSERT_TRUE(m) << m.error().message();
  ASSERT_EQ(m->fit.functions.size(), 4u);
  EXPECT_EQ(m->fit.functions[0].name, "main");
  EXPECT_EQ(m->fit.functions[0].weights, (std::vector<double>{1, -2.5, 0, 1e-5}));
  EXPECT_EQ(m->fit.functions[0].carried, (std::vector<double>{0.5, 0, 3e-7, 2}));
  EXPECT_EQ(m->fit.functions[0].calls, (std::vector<double>{3, 0}));
  EXPECT_EQ(m->fit.functions[0].prices, (std::vector<double>{1, 2, 0, 4}));
  EXPECT_TRUE(m->fit.carriesMispredictions);
  EXPECT_EQ(m->fit.functions[2].name, "helper");
  EXPECT_TRUE(m->fit.functions[2].carried.empty());
  EXPECT_EQ(m->fit.functions[2].ordinal, 1u);
  EXPECT_TRUE(m->fit.functions[3].weights.empty());
  EXPECT_EQ(m->fit.scale, 1.5);
  EXPECT_EQ(m->fit.once, 4.5);
  EXPECT_EQ(m->fit.kernelShare, 0.125);
  EXPECT_FALSE(parseMachine("kernel 1\n", "a")) << "all of it";
  EXPECT_EQ(m->fit.limit, 100);
  ASSERT_EQ(m->fit.bodies.size(), 2u);
  EXPECT_EQ(m->fit.bodies[0].file, "main.c");
  EXPECT_EQ(m->fit.bodies[0].line, 12u);
  EXPECT_EQ(m->fit.bodies[0].factor, 0.07);
  EXPECT_EQ(m->fit.bodies[0].spread, 0.02);
  EXPECT_EQ(m->fit.residual.variance, 0.0025);
  EXPECT_EQ(m->fit.residual.kurtosis, 5.1);
  EXPECT_TRUE(m->fit.ofRuns);
  EXPECT_EQ(printMachine(*m), text);
  const Result<Machine> none = parseMachine("add 1\nresidual 0\n", "a");
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->fit.functions.empty());
  EXPECT_EQ(none->fit.scale, 1);
  EXPECT_EQ(none->fit.limit, ProgramFit::usualLimit);
  EXPECT_FALSE(none->fit.carriesMispredictions);
  EXPECT_EQ(none->fit.residual.variance, 0);
  EXPECT_EQ(printMachine(*none), "name a\nunit cost units\nadd 1\n");
}

TEST(Machine, PrintsToTheLastDigit) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-12, 12), shape(-4, 4), more(0, 5);
  for (int i = 0; i < 2000; ++i) {
    Machine m{"m", "ns", {}, {}, {}};
    const double skewness = shape(random);
    m.classes.emplace_back(
        "load", cumulants(Moments{std::pow(10, exponent(random)), std::pow(10, exponent(random)),
                                  skewness, 1.001 + skewness * skewness + more(random)}));
    m.events.emplace_back("l3Hit", Cumulants{std::pow(10, exponent(random)), 0, 0, 0});
    m.fit.residual = {0, std::pow(10, exponent(random)), skewness,
                      1.001 + skewness * skewness + more(random)};
    m.fit.scale = std::pow(10, exponent(random));
    m.programSpread = std::pow(10, exponent(random));
    m.fit.memoryExponent = std::pow(10, exponent(random));
    m.fit.memoryBase = std::pow(10, exponent(random));
    m.fit.functions.push_back({"f",
                               2,
                               {shape(random), -std::pow(10, exponent(random))},
                               {std::pow(10, exponent(random)), more(random)}});
    const std::string text = printMachine(m);
    const Result<Machine> again = parseMachine(text, "a");
    ASSERT_TRUE(again) << again.error().message() << '\n' << text;
    ASSERT_EQ(again->classes, m.classes) << text;
    ASSERT_EQ(again->events, m.events) << text;
    ASSERT_EQ(again->fit.residual.variance, m.fit.residual.variance) << text;
    ASSERT_EQ(again->fit.residual.skewness, m.fit.residual.skewness) << text;
    ASSERT_EQ(again->fit.residual.kurtosis, m.fit.residual.kurtosis) << text;
    ASSERT_EQ(again->fit.scale, m.fit.scale) << text;
    ASSERT_EQ(again->programSpread, m.programSpread) << text;
    ASSERT_EQ(again->fit.memoryExponent, m.fit.memoryExponent) << text;
    ASSERT_EQ(again->fit.memoryBase, m.fit.memoryBase) << text;
    ASSERT_EQ(again->fit.functions.at(0).weights, m.fit.functions[0].weights) << text;
    ASSERT_EQ(again->fit.functions.at(0).carried, m.fit.functions[0].carried) << text;
  }
}

TEST(Machine, RefusesWithTheLine) {
  struct {
    const char *text;
    unsigned line;
    const char *says;
  } const table[] = {
      {"add 1\nlaod 4\n", 2, "unknown class or event 'laod'; did you mean 'load'?"},
      {"add 1\nqqqqqqqqq 4\n", 2, "unknown class or event 'qqqqqqqqq'"},
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
      {"add moments(4,9e-192,0.1,6)\n", 1, "a variance of 9e-192"},
      {"add moments(4,9,3)\n", 1, "takes four numbers, not 3"},
      {"add moments(4,9,3,12,5)\n", 1, "takes four numbers, not 5"},
      {"add moments(4,9,x,12)\n", 1, "'x' is not a number"},
      {"add moments(4,9,,12)\n", 1, "'' is not a number"},
      {"add moments(4,9,3,12\n", 1, "is not a cost"},
      {"add 1\nmisspredict 4\n", 2, "did you mean 'mispredict'?"},
      {"add 1\ncalee malloc 4\n", 2, "did you mean 'callee'?"},
      {"add 1\nl3Hit 4\nl3Hit 5\n", 3, "'l3Hit' is given twice"},
      {"add 1\nl3Hit 4\nfar 5\n", 3, "'l3Hit' is given twice"},
      {"callee f 1\ncallee g 1\ncallee f 2\n", 3, "'callee f' is given twice"},
      {"callee\n", 1, "needs the name of a function and a cost"},
      {"callee malloc\n", 1, "'callee malloc' needs a value"},
      {"callee malloc cheap\n", 1, "'cheap' is not a cost"},
      {"add 1\nfunction\n", 2, "needs which of its name it is (from 0), the name, and weights"},
      {"add 1\nfunction 0\n", 2, "needs which of its name it is"},
      {"add 1\nfunction main 1 2\n", 2, "needs which of its name it is"},
      {"add 1\nfunction -1 main 1\n", 2, "needs which of its name it is"},
      {"add 1\nfunction 0.5 main 1\n", 2, "needs which of its name it is"},
      {"add 1\nfunction 1e9 main 1\n", 2, "needs which of its name it is"},
      {"function 0 main 1 two 3\nadd 1\n", 1, "'two' is not a number"},
      {"function 0 main 1 nan\nadd 1\n", 1, "'nan' is not a number"},
      {"add 1\nfuntcion 0 main 1\n", 2, "did you mean 'function'?"},
      {"add 1\nlimit 0.5\n", 2, "a limit is at least 1"},
      {"add 1\nbody main.c\n", 2, "'body' needs a file, a line, a number above 0"},
      {"add 1\nbody main.c 3 0 0\n", 2, "'body' needs a file, a line, a number above 0"},
      {"add 1\nbody main.c 1.5 1 0\n", 2, "'body' needs a file, a line, a number above 0"},
      {"add 1\nscale\n", 2, "'scale' needs a value"},
      {"add 1\nscale 0\n", 2, "'scale' needs a number above 0"},
      {"add 1\nscale -2\n", 2, "'scale' needs a number above 0"},
      {"add 1\nscale big\n", 2, "'scale' needs a number above 0"},
      {"add 1\nscale 1\nscale 1\n", 3, "'scale' is given twice"},
      {"add 1\ngrowth 0.1\n", 2, "needs an exponent, at least 0, and bytes of memory, above 0"},
      {"add 1\ngrowth -1 3\n", 2, "'growth' needs an exponent"},
      {"add 1\ngrowth 1 0\n", 2, "'growth' needs an exponent"},
      {"add 1\ngrowth 1 3 4\n", 2, "'growth' needs an exponent"},
      {"add 1\ngrowth 1 3\ngrowth 1 3\n", 3, "'growth' is given twice"},
      {"add 1\nprogramSpread -0.1\n", 2, "'programSpread' needs a number above 0"},
      {"add 1\nprogramSpread 0\n", 2, "'programSpread' needs a number above 0"},
      {"add 1\nprogramSpread 1\nprogramSpread 1\n", 3, "'programSpread' is given twice"},
      {"add 1\ncarries l3Hit\n", 2, "'carries' is followed by 'mispredict'"},
      {"add 1\ncarries mispredict\ncarries mispredict\n", 3, "'carries' is given twice"},
      {"add 1\ncarried main 1\n", 2, "'carried' needs which of its name it is"},
      {"add 1\ncarried 0 main 1\n", 2, "'carried' follows the line of its function"},
      {"function 0 main 1\nfunction 0 f 1\ncarried 0 main 1\n", 3, "'carried' follows the line"},
      {"function 1 main 1\ncarried 0 main 1\n", 2, "'carried' follows the line of its function"},
      {"function 0 main 1 2\ncarried 0 main 1\n", 2, "with a cost for each of its blocks"},
      {"function 0 main\ncarried 0 main\n", 2, "with a cost for each of its blocks"},
      {"function 0 f 1\ncarried 0 f 1\ncarried 0 f 1\n", 3, "'carried 0 f' is given twice"},
      {"function 0 f 1\ncarried 0 f -1\n", 2, "no cost is negative"},
      {"function 0 f 1\ncarried 0 f nan\n", 2, "'nan' is not a number"},
      {"function 0 f 1\ncaried 0 f 1\n", 2, "did you mean 'carried'?"},
      {"function 0 f 1\ncalls 0 g 1\n", 2,
       "follows the line of its function, with a cost for each of its calls"},
      {"function 0 f 1\ncalls 0 f 1\ncalls 0 f 1\n", 3, "'calls 0 f' is given twice"},
      {"function 0 f 1\ncalls f 1\n", 2,
       "'calls' needs which of its name it is (from 0), the name, and costs of calls"},
      {"function 0 f 1\ncalls 0 f -1\n", 2, "no cost is negative"},
      {"function 0 f 1\nprices 0 f 1 2\n", 2, "with a cost for each of its blocks"},
      {"add 1\nscael 1\n", 2, "did you mean 'scale'?"},
      {"add 1\nresidual\n", 2, "'residual' needs a value"},
      {"add 1\nresidual 0.5\n", 2, "a residual has mean 0"},
      {"add 1\nresidual moments(1, 4, 0, 3)\n", 2, "a residual has mean 0"},
      {"add 1\nresidual moments(-1, 4, 0, 3)\n", 2, "a residual has mean 0"},
      {"add 1\nresidual moments(0, -4, 0, 3)\n", 2, "negative variance"},
      {"add 1\nresidual moments(0, 4, 2, 3)\n", 2, "kurtosis is at least 1 + skewness^2"},
      {"residual 0\nresidual 0\nadd 1\n", 2, "'residual' is given twice"},
      {"add 1\nresidaul 0\n", 2, "did you mean 'residual'?"},
      {"function 0 main 1\nscale 2\n", 0, "at least one class"},
      {"l3Hit 4\n", 0, "at least one class"},
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
    EXPECT_EQ(machineClasses()[i], className(static_cast<InstructionClass>(i)));
}
