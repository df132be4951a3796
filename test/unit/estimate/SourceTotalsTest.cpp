// Totals of functions that were inlined, against the same programs with these functions compiled.
#include "quincunx/estimate/ObserveCorpus.h"

#include "CallingPrograms.h"
#include "quincunx/map/FunctionGroups.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

using namespace quincunx;
using namespace quincunx::test;

namespace {

/// The work of `f`, if so, and its `which`-th calls are those of a function `name` inlined in the
/// scope `parent`.
Function holding(Function f, const std::string &name, std::vector<size_t> which, bool work,
                 uint32_t parent = 0) {
  const auto scope = static_cast<uint32_t>(f.scopes.size());
  const auto line = static_cast<uint32_t>(100 + name.front());
  f.scopes.push_back({parent, name, 0, line, 5, 1});
  if (work)
    f.blocks[2].lines = {{line + 1, 1, scope}};
  for (const size_t c : which)
    f.calls[c].at = {line + 2, 1, scope};
  return f;
}

/// Compiled: starts where holding() says that it does.
Function alone(Function f) {
  f.scopes[0].line = static_cast<uint32_t>(100 + f.name.front());
  return f;
}

struct Totals {
  std::map<std::string, double> total; ///< by name
  std::map<std::string, bool> isRecorded;
};

/// Of all runs together; functions whose names begin with that letter are a group.
Totals totalsOf(const Program &p, char grouped = '\0') {
  const std::string path =
      testing::TempDir() + "quincunx-totals-" + std::to_string(getpid()) + ".qx";
  std::filesystem::remove(path);
  const RawMap raw = rawOf(p.maps[0].functions);
  const Result<Map> map = decodeMap(raw);
  EXPECT_TRUE(map);
  std::vector<Map> maps{*map};
  groupFunctions(maps, [&](const Scope &own, const std::string &) {
    return own.function.front() == grouped ? FunctionGroup{"group", false} : FunctionGroup{};
  });
  {
    Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::write);
    EXPECT_TRUE(corpus && corpus->addMap(raw, "/bin/prog"));
    for (quincunx::Run run : p.runs) {
      run.images[0].map = map->hash;
      EXPECT_TRUE(corpus->add(run));
    }
  }
  const Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  const Result<Machine> machine = parseMachine("multiply 1", "m");
  const Result<Observed> observed = observeWithTotals(*corpus, maps, *machine);
  std::filesystem::remove(path);
  EXPECT_TRUE(observed) << observed.error().text;
  Totals out;
  double sum = 0;
  for (const auto *list : {&observed->functions, &observed->groups})
    for (const FunctionFigures &f : *list) {
      EXPECT_TRUE(f.total) << f.name;
      if (!f.total)
        continue;
      const auto runs = static_cast<double>(p.runs.size());
      EXPECT_GE(f.total->cost.moments.mean, f.cost.moments.mean * (1 - 1e-12)) << f.name;
      out.total[f.name] = runs * f.total->cost.moments.mean;
      out.isRecorded[f.name] = f.total->isRecorded;
      sum += list == &observed->functions ? f.cost.moments.mean : 0;
    }
  EXPECT_NEAR(sum, observed->program.moments.mean, 1e-9 * sum) << "selfs add up to the program";
  return out;
}

void expectSame(const Totals &is, const std::map<std::string, double> &want) {
  for (const auto &[name, total] : want) {
    ASSERT_TRUE(is.total.contains(name)) << name;
    EXPECT_NEAR(is.total.at(name), total, 1e-9 * (1 + total)) << name;
  }
}

} // namespace

TEST(SourceTotals, InliningChangesNothing) {
  Program out{
      {mapOf({alone(calling("main", {"f"})), alone(calling("f", {"g"})), alone(calling("g", {}))})},
      {}};
  Program in{
      {mapOf({alone(holding(calling("main", {"g"}), "f", {0}, true)), alone(calling("g", {}))})},
      {}};
  for (const uint64_t n : {3, 0, 8}) {
    out.run({1, 0, 1, /*f*/ 1, 10 * n, n, /*g*/ n, 7 * n});
    in.run({1, 10 * n, n, /*g*/ n, 7 * n});
  }
  const Totals is = totalsOf(in);
  expectSame(is, totalsOf(out).total);
  expectSame(is, {{"f", 3 * 17 + 8 * 17}});
  EXPECT_FALSE(is.isRecorded.at("f")) << "its calls of g are not told from others";
  EXPECT_TRUE(is.isRecorded.at("g"));
}

TEST(SourceTotals, CopiesAddUpAndOneInTheOtherIsOne) {
  // main holds f, and so does k; that one holds f once more in itself.
  Program p{{mapOf({alone(holding(calling("main", {"k"}), "f", {}, true)),
                    alone(holding(holding(calling("k", {"g"}), "f", {}, true), "f", {0}, false, 1)),
                    alone(calling("g", {}))})},
            {}};
  p.run({1, 5, 2, /*k*/ 2, 30, 4, /*g*/ 4, 40});
  const Totals is = totalsOf(p);
  expectSame(is, {{"f", 5 + 30 + 40}, {"k", 30 + 40}, {"main", 75}});
}

TEST(SourceTotals, WhatIsCompiledAsWellHasBoth) {
  Program p{{mapOf({alone(holding(calling("main", {"g", "f"}), "f", {0}, true)),
                    alone(calling("f", {"g"})), alone(calling("g", {}))})},
            {}};
  p.run({1, 5, 2, 1, /*f*/ 1, 30, 3, /*g*/ 5, 50});
  expectSame(totalsOf(p), {{"f", 5 + 2 * 10 + 30 + 3 * 10}});
}

TEST(SourceTotals, RecursionThroughInlinedCodeIsCountedOnce) {
  // a and b call each other; b is inlined in a.
  Program out{{mapOf({alone(calling("main", {"a"})), alone(calling("a", {"b"})),
                      alone(calling("b", {"a"}))})},
              {}};
  out.run({1, 1, 1, /*a*/ 5, 100, 5, /*b*/ 5, 10, 4});
  // The code that calls a is b's, and costs 1 for each call.
  Function a = alone(holding(calling("a", {"a"}), "b", {0}, false));
  a.blocks[3].mix = {{InstructionClass::multiply, 1}};
  a.blocks[3].lines = {{200, 1, 1}};
  Program in{{mapOf({alone(calling("main", {"a"})), a})}, {}};
  in.run({1, 1, 1, /*a*/ 5, 106, 4});
  expectSame(totalsOf(in), {{"main", 111}, {"a", 110}, {"b", 4 + 0.8 * 106}});
  expectSame(totalsOf(out), {{"b", 10 + 0.8 * 100}});
}

TEST(SourceTotals, UnderItselfWithoutRecursionItIsCountedOnce) {
  // main holds f, which calls h three times; h holds f again.
  Program p{{mapOf({alone(holding(calling("main", {"h", "h"}), "f", {0}, true)),
                    alone(holding(calling("h", {}), "f", {}, true))})},
            {}};
  p.run({1, 5, 3, 1, /*h*/ 4, 40});
  expectSame(totalsOf(p), {{"f", 5 + 40}});
}

TEST(SourceTotals, RecursionOfWhatIsCompiledAsWellIsCountedOnce) {
  // main holds f, which calls itself.
  Program p{
      {mapOf({alone(holding(calling("main", {"f"}), "f", {0}, true)), alone(calling("f", {"f"}))})},
      {}};
  p.run({1, 5, 1, /*f*/ 4, 40, 3});
  expectSame(totalsOf(p), {{"f", 5 + 40}, {"main", 5 + 40}});
}

TEST(SourceTotals, OfGroupsAreSumsWhereNoneIsUnderAnother) {
  Program p{{mapOf({alone(calling("main", {"a1", "a2"})), alone(calling("a1", {"g"})),
                    alone(calling("a2", {"g", "a2"})), alone(calling("g", {}))})},
            {}};
  p.run({1, 1, 2, 1, /*a1*/ 2, 10, 2, /*a2*/ 3, 20, 3, 2, /*g*/ 5, 50});
  expectSame(totalsOf(p, 'a'), {{"group", 10 + 20 + 50}, {"a1", 10 + 20}, {"a2", 20 + 30}});
  EXPECT_EQ(totalsOf(p, 'g').total.count("group"), 0u) << "of one";
}

TEST(SourceTotals, MembersOfAGroupUnderEachOtherAreCountedOnce) {
  // main calls a1, a2 and g; a1 calls a2, as g does; a2 holds a3, which calls g.
  Program p{{mapOf({alone(calling("main", {"a1", "a2", "g"})), alone(calling("a1", {"a2"})),
                    alone(holding(calling("a2", {"h"}), "a3", {0}, true)),
                    alone(calling("g", {"a2"})), alone(calling("h", {}))})},
            {}};
  p.run({1, 7, 1, 1, 1, /*a1*/ 1, 10, 2, /*a2*/ 4, 20, 8, /*g*/ 1, 5, 1, /*h*/ 8, 80});
  const Totals is = totalsOf(p, 'a');
  expectSame(is, {{"group", 10 + 20 + 80}, {"a3", 20 + 80}, {"main", 7 + 10 + 20 + 5 + 80}});
  EXPECT_FALSE(is.isRecorded.at("group"));
}

TEST(SourceTotals, OfGroupsHoldWhatOnlyWasInlined) {
  // main holds a1, which calls a2 and g; a2 calls g, which calls a2.
  Program p{{mapOf({alone(holding(calling("main", {"a2", "g"}), "a1", {0, 1}, true)),
                    alone(calling("a2", {"g"})), alone(calling("g", {"a2"}))})},
            {}};
  p.run({1, 7, 2, 1, /*a2*/ 3, 30, 2, /*g*/ 3, 60, 1});
  expectSame(totalsOf(p, 'a'), {{"group", 7 + 30 + 60}});
}
