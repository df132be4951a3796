// The explanation as text and as JSON: that it is the estimate, in order, with nothing unescaped.
#include "quincunx/report/Explain.h"

#include "../estimate/Explained.h"

#include <nlohmann/json.hpp>
#include <sstream>

using namespace quincunx;
using namespace quincunx::test;

namespace {

Explained explained(uint64_t runs) {
  std::vector<Map> maps = twoFunctions();
  maps[0].functions[0].name = "_ZN3app4workEi";
  std::vector<std::array<uint64_t, 4>> counts;
  for (uint64_t d = 0; d < runs; ++d)
    counts.push_back({d, 40 - std::min<uint64_t>(d, 40), 5, 0});
  std::vector<quincunx::Run> all = runsOf(maps, counts);
  for (quincunx::Run &run : all)
    run.label += "\x1b";
  return told(maps, all, machineOf("multiply 1")).e;
}

std::string text(const Explained &e, const ExplainOptions &options) {
  std::ostringstream out;
  printExplained(e, options, out);
  return out.str();
}

nlohmann::json json(const Explained &e, const ExplainOptions &options) {
  std::ostringstream out;
  EXPECT_TRUE(printExplainedJson(e, "a\xff.qx", options, out));
  return nlohmann::json::parse(out.str());
}

bool has(const std::string &s, const std::string &part) {
  return s.find(part) != std::string::npos;
}

} // namespace

TEST(ExplainReport, OneTableForEachQuestion) {
  const std::string s = text(explained(40), {});
  EXPECT_TRUE(s.starts_with("Why runs differ in cost, in cost units (machine test.machine), 40 "
                            "runs\nmean 73.5, sd 34.63"))
      << s;
  EXPECT_TRUE(has(s, "\nvariance     p99    mean  function\n"
                     " 100.0 %  88.6 %  79.6 %  app::work\n"))
      << s;
  EXPECT_TRUE(has(s, "prog.c:5 f\n")) << s;
  EXPECT_TRUE(has(s, "the tail: the 4 costliest runs against the other 36: 127.5 against 67.5"))
      << s;
  EXPECT_TRUE(has(s, "switch, to line 5")) << s;
  EXPECT_TRUE(has(s, "r39\\x1b")) << s;
  EXPECT_TRUE(has(s, "note: intervals hold")) << s;
  EXPECT_FALSE(has(s, "nan"));
}

TEST(ExplainReport, ColoursOnlyWhereWanted) {
  ExplainOptions rich;
  rich.display.colour = true;
  const Explained e = explained(40);
  EXPECT_TRUE(has(text(e, rich), "\x1b[1m"));
  for (const char c : text(e, {}))
    EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
}

TEST(ExplainReport, TopLimitsEveryTable) {
  ExplainOptions one;
  one.top = 1;
  const std::string s = text(explained(40), one);
  EXPECT_TRUE(has(s, "(1 more of 2 lines: --top 0 shows all)")) << s;
  const nlohmann::json j = json(explained(40), one);
  EXPECT_EQ(j["functions"].size(), 1u);
  EXPECT_EQ(j["lines"].size(), 1u);
  EXPECT_EQ(j["tail"]["functions"].size(), 1u);
}

TEST(ExplainReport, FewRunsAndEqualRuns) {
  EXPECT_TRUE(has(text(explained(9), {}), "no runs stand out as a tail: fewer than 10"));
  const std::string s = text(explained(1), {});
  EXPECT_TRUE(has(s, "all runs cost the same")) << s;
  EXPECT_FALSE(has(s, "nan")) << s;
  EXPECT_TRUE(json(explained(9), {})["tail"].is_null());
}

TEST(ExplainReport, JsonIsTheEstimate) {
  const Explained e = explained(40);
  ExplainOptions all;
  all.top = 0;
  const nlohmann::json j = json(e, all);
  EXPECT_EQ(j["schema"], "quincunx/explain/1");
  EXPECT_EQ(j["corpus"], "a\ufffd.qx");
  EXPECT_EQ(j["runs"]["used"], 40);
  EXPECT_EQ(j["variance"]["value"].get<double>(), e.variance);
  EXPECT_EQ(j["p99"].get<double>(), e.p99);
  ASSERT_EQ(j["functions"].size(), 2u);
  EXPECT_EQ(j["functions"][0]["demangled"], "app::work(int)");
  double sum = 0;
  for (const auto &f : j["functions"])
    sum += f["variance"].get<double>();
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_EQ(j["branches"][0]["kind"], "switch");
  EXPECT_EQ(j["branches"][0]["line"], 4);
  EXPECT_EQ(j["tail"]["runs"].size(), 4u);
  EXPECT_EQ(j["tail"]["functions"][0]["share"].get<double>(), e.tail.contrast.functions[0].share);
  EXPECT_EQ(j["slowest"].size(), 5u);
  EXPECT_EQ(j["slowest"][0]["label"], "r39\x1b");
  EXPECT_GE(j["notes"].size(), 1u);
}
