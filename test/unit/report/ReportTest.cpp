// Reports from synthetic runs: the table as bytes, the JSON as values.
#include "quincunx/map/FunctionGroups.h"
#include "quincunx/report/Json.h"
#include "quincunx/report/Names.h"
#include "quincunx/report/Terminal.h"

#include "../estimate/Synthetic.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace quincunx;
using namespace quincunx::test;

namespace {

Observed estimate(size_t runs, Outcome last = Outcome::finished) {
  static const std::vector<Map> maps{
      mapOf({loopWithBranch("_ZN3app4workEi"), loopWithBranch("main", 3)})};
  Observer o(maps, *machineByName("unit"), runs);
  for (uint64_t i = 0; i < runs; ++i)
    EXPECT_TRUE(o.add(runOf("in\x1b" + std::to_string(i), maps[0], {2, i, 3 * i * i, 1, 0, i},
                            i + 1 == runs ? last : Outcome::finished)));
  Result<Observed> r = o.finish();
  EXPECT_TRUE(r);
  return *r;
}

std::string text(const Observed &o, const ReportOptions &options) {
  std::ostringstream out;
  EXPECT_TRUE(printReport(o, options, out));
  return out.str();
}

bool has(const std::string &s, const std::string &part) {
  return s.find(part) != std::string::npos;
}

} // namespace

TEST(Report, PercentilesFirstAndNothingUnescaped) {
  ReportOptions all;
  all.all = true;
  const std::string s = text(estimate(10), all);
  // Costs are 2 (2 + i + 3 i^2) + 2 (1 + i): constructs of both functions, i from 0 to 9.
  EXPECT_TRUE(s.starts_with("Cost per run in constructs (machine unit), 10 runs\n\n"
                            "               p50          p90          p99        p99.9  max"))
      << s;
  EXPECT_TRUE(has(s, "program        118          422       >= 528       >= 528  528")) << s;
  EXPECT_TRUE(has(s, "p50  p90     p99   p99.9  mean      sd    share  calls  function\n"
                     "118  422  >= 528  >= 528   195   172.2  100.0 %         (program)\n"
                     "108  404  >= 508  >= 508   184  166.65   94.4 %      2  app::work\n"
                     " 10   18   >= 20   >= 20    11  5.7446    5.6 %      1  main\n"))
      << s;
}

TEST(Report, TheTableIsTheEstimate) {
  const Observed o = estimate(10);
  const std::string s = text(o, {});
  double mean = 0;
  for (int i = 0; i < 10; ++i)
    mean += (2 * (2 + i + 3 * i * i) + 2 * (1 + i)) / 10.0;
  EXPECT_DOUBLE_EQ(o.program.moments.mean, mean);
  EXPECT_TRUE(has(s, "app::work"));
  EXPECT_FALSE(has(s, "\x1b"));
  EXPECT_TRUE(has(s, "in\\x1b9"));
  EXPECT_TRUE(has(s, "linear axis") || has(s, "logarithmic axis"));
  EXPECT_TRUE(has(s, "note: intervals hold 90 %"));
  EXPECT_LT(s.find("app::work"), s.find("  main\n"));
}

TEST(Report, StoppedRunsSaySo) {
  const std::string s = text(estimate(10, Outcome::timedOut), {});
  EXPECT_TRUE(has(s, "10 runs, 1 of them stopped")) << s;
  EXPECT_TRUE(has(s, "open"));
  EXPECT_TRUE(has(s, "(stopped)"));
  EXPECT_TRUE(has(s, "lower bounds"));
  const std::string program = s.substr(s.find("\nprogram"), 100);
  EXPECT_EQ(std::ranges::count(program.substr(1, program.find('\n', 1)), '='), 3) // max, mean, sd
      << program;
}

TEST(Report, ColoursAndBlocksOnlyWhereWanted) {
  const Observed o = estimate(20);
  ReportOptions rich;
  rich.display.colour = rich.display.utf8 = true;
  EXPECT_TRUE(has(text(o, rich), "\x1b[1m"));
  EXPECT_TRUE(has(text(o, rich), "\u2588"));
  for (const char c : text(o, {}))
    EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
}

TEST(Report, SelectsAndSorts) {
  const Observed o = estimate(10);
  const auto names = [&](SortBy sort, size_t top, const std::string &pattern) {
    ReportOptions options;
    options.sort = sort;
    options.top = top;
    options.function = pattern;
    std::string list;
    const auto chosen = selectFunctions(o.functions, options);
    EXPECT_TRUE(chosen);
    for (const FunctionFigures *f : *chosen)
      list += f->name + " ";
    return list;
  };
  const std::string work = "_ZN3app4workEi ", main = "main ";
  for (const SortBy by :
       {SortBy::p99, SortBy::mean, SortBy::share, SortBy::sd, SortBy::calls, SortBy::name})
    EXPECT_EQ(names(by, 0, ""), work + main);
  EXPECT_EQ(names(SortBy::p99, 1, ""), work);
  EXPECT_EQ(names(SortBy::p99, 0, "^app::"), work);
  EXPECT_EQ(names(SortBy::p99, 0, "ma"), main);
  ReportOptions bad;
  bad.function = "(";
  EXPECT_FALSE(selectFunctions(o.functions, bad));
}

namespace {
/// work calls malloc in arm A, 45 times in all over ten runs, six others once each on its way out.
Observed calling(const std::string &machine) {
  Function work = loopWithBranch("_ZN3app4workEi");
  work.calls = {{2, "malloc", false, {}}};
  for (const char *name : {"_ZN3lib1fEv", "b", "c", "d", "e", "g"})
    work.calls.push_back({4, name, false, {}});
  static std::vector<Map> maps;
  maps = {mapOf({work, loopWithBranch("main", 3)})};
  Observer o(maps, *parseMachine(machine, "m.machine"), 10);
  for (uint64_t i = 0; i < 10; ++i)
    EXPECT_TRUE(o.add(runOf("in" + std::to_string(i), maps[0], {2, i, 3 * i * i, 1, 0, i})));
  Result<Observed> r = o.finish();
  EXPECT_TRUE(r);
  return *r;
}
} // namespace

TEST(Report, LibrariesStandAmongFunctionsWhereCallsHaveAPrice) {
  const Observed o = calling("construct 1\ncallee malloc 20\n");
  const std::string s = text(o, {});
  EXPECT_TRUE(has(s, "108  404  >= 508  >= 508   184  166.65   64.6 %      2  app::work\n"
                     " 80  160  >= 180  >= 180    90  57.446   31.6 %    4.5  malloc (library)\n"
                     " 10   18   >= 20   >= 20    11  5.7446    3.9 %      1  main\n"
                     "                                                     2  lib::f (library)\n"))
      << s;
  ReportOptions top;
  top.top = 2;
  EXPECT_TRUE(has(text(o, top), "malloc (library)\n(7 more of 9 functions: --top 0 shows all)\n"))
      << text(o, top);
  top.function = "lib::f";
  EXPECT_TRUE(has(text(o, top), "lib::f (library)\n(8 more")) << text(o, top);
}

TEST(Report, LibrariesStandBelowFunctionsWhereNoCallHasAPrice) {
  const Observed o = calling("construct 1\n");
  ReportOptions top;
  const auto names = [&] {
    std::string list;
    const auto rows = selectRows(o, top);
    for (const FunctionFigures *f : rows->shown)
      list += f->name + " ";
    return list;
  };
  EXPECT_EQ(names(), "_ZN3app4workEi main malloc _ZN3lib1fEv b c d ");
  top.top = 1;
  EXPECT_EQ(names(), "_ZN3app4workEi malloc _ZN3lib1fEv b c d ");
  top.top = 0;
  EXPECT_EQ(names(), "_ZN3app4workEi main malloc _ZN3lib1fEv b c d e g ");
  top.function = "malloc";
  EXPECT_EQ(names(), "malloc ");
}

namespace {
/// main and, as one, two functions of a header.
Observed withHeader() {
  static std::vector<Map> maps;
  maps = {mapOf(
      {loopWithBranch("main"), loopWithBranch("_ZSt4sortv", 3), loopWithBranch("_ZSt4swapv", 6)})};
  groupFunctions(maps, [](const Scope &own, const std::string &) {
    return own.function == "main" ? FunctionGroup{} : FunctionGroup{"header code", true};
  });
  Observer o(maps, *machineByName("unit"), 10);
  for (uint64_t i = 0; i < 10; ++i)
    EXPECT_TRUE(o.add(runOf("in" + std::to_string(i), maps[0], {1, i, 0, 1, 9 - i, 0, 2, 1, i})));
  Result<Observed> r = o.finish();
  EXPECT_TRUE(r);
  return *r;
}
} // namespace

TEST(Report, GroupsAreOneRowUnlessFunctionsAreAskedFor) {
  const Observed o = withHeader();
  ReportOptions options;
  const auto names = [&] {
    std::string list;
    const auto rows = selectRows(o, options);
    for (const FunctionFigures *f : rows->shown)
      list += f->name + " ";
    return list + std::to_string(rows->all);
  };
  EXPECT_EQ(names(), "main header code 2");
  options.folded = false;
  EXPECT_EQ(names(), "_ZSt4swapv main _ZSt4sortv 3");
  options.folded = true;
  options.function = "s";
  EXPECT_EQ(names(), "_ZSt4swapv _ZSt4sortv 3");
  for (const char *name : {"header code", "(header code)"}) {
    options.function = name;
    EXPECT_EQ(names(), "_ZSt4swapv _ZSt4sortv 2") << name;
  }
  const std::string s = text(o, {});
  EXPECT_TRUE(has(s, "      3  (header code)\n")) << s;
  EXPECT_TRUE(has(s, "\n(header code): 2 functions of headers that were compiled by themselves; "
                     "--headers shows them\n"))
      << s;
}

TEST(Report, TheLargestTotalLeadsAndWhatIsNoFunctionStandsAtTheFoot) {
  Observed o = withHeader();
  FunctionFigures &main = *std::ranges::find(o.functions, "main", &FunctionFigures::name);
  main.total = {o.program, 1, true};
  o.unit = "ms";
  o.startUp = 2;
  o.unattributed.emplace().name = unattributedName;
  o.unattributed->cost = o.program;
  o.unattributed->share = 1;
  ReportOptions options;
  options.folded = false;
  const auto names = [&](SortBy sort, Figures of) {
    options.sort = sort;
    std::string list;
    const auto rows = selectRows(o, options, of);
    for (const FunctionFigures *f : rows->shown)
      list += f->name + " ";
    return list;
  };
  for (const SortBy by : {SortBy::p99, SortBy::mean, SortBy::share, SortBy::sd}) {
    EXPECT_EQ(names(by, Figures::total), "main _ZSt4swapv _ZSt4sortv ");
    EXPECT_EQ(names(by, Figures::self), "_ZSt4swapv main _ZSt4sortv ");
  }
  const std::string s = text(o, {});
  const size_t first = s.find(" main\n");
  size_t before = first;
  for (const char *name : {"  (header code)\n", "  (start-up)\n", "  (outside functions)\n"}) {
    const size_t at = s.find(name, before);
    EXPECT_NE(at, std::string::npos) << name << s;
    EXPECT_LE(std::string_view(name).size(), 20 + 3u);
    before = at;
  }
  EXPECT_EQ(s.find("a call p50"), std::string::npos) << "nothing is known of it" << s;
}

TEST(Json, HasFunctionsAndTheirGroups) {
  std::ostringstream out;
  ASSERT_TRUE(printJson(withHeader(), "a.qx", {}, out));
  const nlohmann::json j = nlohmann::json::parse(out.str());
  ASSERT_EQ(j["functions"].size(), 3u);
  ASSERT_EQ(j["groups"].size(), 1u);
  const nlohmann::json &group = j["groups"][0];
  EXPECT_EQ(group["name"], "header code");
  EXPECT_TRUE(group["foreign"]);
  double sum = 0, all = 0;
  for (const nlohmann::json &f : j["functions"]) {
    all += f["cost"]["mean"].get<double>();
    EXPECT_EQ(f.contains("group"), f["name"] != "main");
    if (f.contains("group")) {
      EXPECT_EQ(f["group"], 0);
      sum += f["cost"]["mean"].get<double>();
    }
  }
  EXPECT_DOUBLE_EQ(group["cost"]["mean"].get<double>(), sum);
  EXPECT_DOUBLE_EQ(j["program"]["mean"].get<double>(), all);
}

TEST(Json, HasLibraries) {
  std::ostringstream out;
  const Observed o = calling("construct 1\ncallee malloc 20\n");
  ReportOptions all;
  all.top = 0;
  ASSERT_TRUE(printJson(o, "a.qx", all, out));
  const nlohmann::json j = nlohmann::json::parse(out.str());
  EXPECT_EQ(j["functions"].size(), 2u);
  ASSERT_EQ(j["library"].size(), 7u);
  EXPECT_EQ(j["library"][0]["name"], "malloc");
  EXPECT_EQ(j["library"][0]["cost"]["mean"], 90);
  EXPECT_EQ(j["library"][0]["calls"]["mean"], 4.5);
  EXPECT_EQ(j["library"][1]["demangled"], "lib::f()");
  EXPECT_EQ(j["library"][1]["calls"]["max"], 2);
  EXPECT_TRUE(j["library"][1]["cost"].is_null());
  EXPECT_TRUE(j["library"][1]["share"].is_null());
}

TEST(Report, EveryRunTheSame) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  Observer o(maps, *machineByName("unit"), 3);
  for (const char *name : {"a", "b", "c"})
    ASSERT_TRUE(o.add(runOf(name, maps[0], {1, 1, 1})));
  const Result<Observed> r = o.finish();
  ASSERT_TRUE(r);
  EXPECT_TRUE(has(text(*r, {}), "every run that finished cost 6"));
  EXPECT_FALSE(has(text(*r, {}), "nan"));
}

TEST(Json, CarriesEverythingExactly) {
  const Observed o = estimate(10, Outcome::timedOut);
  std::ostringstream out;
  ASSERT_TRUE(printJson(o, "a\xff.qx", {}, out));
  const nlohmann::json j = nlohmann::json::parse(out.str());
  EXPECT_EQ(j["schema"], "quincunx/report/1");
  EXPECT_EQ(j["machine"], "unit");
  EXPECT_EQ(j["corpus"], "a\ufffd.qx");
  EXPECT_EQ(j["runs"]["used"], 10);
  EXPECT_EQ(j["runs"]["censored"], 1);
  EXPECT_EQ(j["program"]["mean"].get<double>(), o.program.moments.mean);
  EXPECT_EQ(j["program"]["kurtosis"].get<double>(), o.program.moments.kurtosis);
  EXPECT_EQ(j["program"]["p50"]["value"].get<double>(), o.program.percentiles[0].value);
  EXPECT_TRUE(j["program"]["p99"]["value"].is_null());
  EXPECT_TRUE(j["program"]["p99"]["open"].get<bool>());
  EXPECT_EQ(j["functions"].size(), 2u);
  EXPECT_EQ(j["functions"][0]["demangled"], "app::work(int)");
  EXPECT_EQ(j["perRun"].size(), 10u);
  EXPECT_EQ(j["perRun"][3]["cost"].get<double>(), o.runs[3].cost.k1);
  EXPECT_GE(j["notes"].size(), 2u);
}

TEST(Names, Demangle) {
  const std::pair<const char *, const char *> table[] = {{"main", "main"},
                                                         {"_Z1fi", "f(int)"},
                                                         {"_ZN3app4workEi", "app::work(int)"},
                                                         {"a.c:helper", "a.c:helper"},
                                                         {"a.cpp:_ZL1fi", "a.cpp:f(int)"},
                                                         {"_Znonsense!", "_Znonsense!"},
                                                         {"", ""}};
  for (const auto &[linkage, name] : table)
    EXPECT_EQ(demangle(linkage), name);
}
