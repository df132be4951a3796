// Lines of a source: executions and costs.
#include "quincunx/estimate/LineObserver.h"

#include "Synthetic.h"
#include "UnknownSources.h"

#include <gtest/gtest.h>

using namespace quincunx;
using namespace quincunx::test;

namespace {

Result<FileFigures> lines(const std::vector<Map> &maps, const Machine &m,
                          const std::vector<quincunx::Run> &runs,
                          const std::vector<std::array<uint8_t, 16>> &versions = {},
                          std::vector<MapSources> sources = {}) {
  if (sources.empty())
    sources = unknownSources(maps);
  Observer all(maps, m, runs.size());
  LineObserver o(maps, sources, m, "/src/dir/prog.c", versions);
  for (const quincunx::Run &run : runs) {
    if (const Status s = all.add(run); !s)
      return s.error();
    if (const Status s = o.add(run); !s)
      return s.error();
  }
  const Result<Observed> observed = all.finish();
  if (!observed)
    return observed.error();
  return o.finish(observed->program.moments.mean);
}

} // namespace

TEST(LineObserver, BusiestBlockWithinAnInstanceInstancesAddUp) {
  Function f = loopWithBranch("f"), g = loopWithBranch("g", 3);
  // Line 4 is the loop's test and also its entry: once per test, not once more per entry. In g it
  // is a second instance; within f line 5 is inlined a second time.
  f.blocks[0].lines.push_back({4, 1, 0});
  f.scopes.push_back({0, "inner", 0, 30, 4, 1});
  f.blocks[3].lines.push_back({5, 1, 1});
  const std::vector<Map> maps{mapOf({f, g})};
  const auto r = lines(maps, *machineByName("unit"),
                       {runOf("a", maps[0], {1, 10, 4, 2, 3, 0}), runOf("b", maps[0], {1, 0, 0})});
  ASSERT_TRUE(r) << r.error().text;
  const std::pair<uint32_t, double> means[] = {{3, (3 + 1) / 2.0},
                                               {4, (15 + 5 + 1) / 2.0},
                                               {5, (10 + 4 + 3) / 2.0},
                                               {6, 13 / 2.0},
                                               {7, 4 / 2.0}};
  for (const auto &[line, mean] : means) {
    ASSERT_TRUE(r->contains(line)) << line;
    EXPECT_DOUBLE_EQ(r->at(line).mean, mean) << line;
  }
  EXPECT_EQ(r->at(4).p99.value, 20);
  EXPECT_TRUE(r->at(4).p99.atLeast);
  EXPECT_FALSE(r->contains(8));
}

TEST(LineObserver, CostIsDividedAmongTheLinesOfABlock) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  const auto r = lines(maps, *parseMachine("multiply 4\nadd 1\nload 2", "m"),
                       {runOf("a", maps[0], {1, 10, 4})});
  ASSERT_TRUE(r);
  // Entry 2, header 15 x 2, A 10 x 12 on lines 5 and 6, B 4 x 1.
  const double total = 2 + 30 + 120 + 4;
  EXPECT_NEAR(r->at(3).share, 2 / total, 1e-15);
  EXPECT_NEAR(r->at(4).share, 30 / total, 1e-15);
  EXPECT_NEAR(r->at(5).share, 60 / total, 1e-15);
  EXPECT_NEAR(r->at(6).share, 60 / total, 1e-15);
  EXPECT_NEAR(r->at(7).share, 4 / total, 1e-15);
  double sum = 0;
  for (const auto &[line, f] : *r)
    sum += f.share;
  EXPECT_NEAR(sum, 1, 1e-14);
}

TEST(LineObserver, OnlyTheVersionsAskedFor) {
  Function f = loopWithBranch("f"), old = loopWithBranch("old", 3);
  f.files[0].md5[0] = 1;
  old.files[0].md5[0] = 2;
  const std::vector<Map> maps{mapOf({f, old})};
  const auto r = lines(maps, *machineByName("unit"), {runOf("a", maps[0], {1, 1, 1, 7, 7, 7})},
                       {f.files[0].md5});
  ASSERT_TRUE(r);
  EXPECT_EQ(r->at(3).mean, 1);
}

TEST(LineObserver, NeverExecutedLinesAreZero) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  const auto r = lines(maps, *machineByName("unit"), {runOf("a", maps[0], {1, 0, 4})});
  ASSERT_TRUE(r);
  EXPECT_EQ(r->at(5).mean, 0);
  EXPECT_EQ(r->at(5).share, 0);
}

TEST(LineObserver, BlocksOfTheSourceInPlaceOfThoseOfTheFlow) {
  const std::vector<Map> maps{mapOf({loopWithBranch("f")})};
  const SourceBlock::Term header{1, false, false}, body{2, false, false}, rest{3, false, true};
  // Line 8 has code nowhere in the flow: executed whenever the header is and B is not, and in
  // a second block as often as the body A. What else line 9 does cannot be known where the body
  // ran, line 10 neither, and nothing at all is known of line 11.
  const MapSources sources{{{{header, rest}, true, {{8, 0, 0}}},
                            {{body}, true, {{8, 0, 0}, {9, 0, 0}}},
                            {{body}, false, {{9, 0, 0}, {10, 0, 0}}},
                            {{}, false, {{11, 0, 0}}}}};
  const auto m = *machineByName("unit");
  const auto r = lines(maps, m, {runOf("a", maps[0], {1, 10, 4})}, {}, {sources});
  ASSERT_TRUE(r);
  EXPECT_EQ(r->at(8).mean, 15 - 4);
  EXPECT_FALSE(r->at(8).notAllKnown);
  EXPECT_EQ(r->at(9).mean, 10);
  EXPECT_TRUE(r->at(9).notAllKnown);
  EXPECT_EQ(r->at(10).mean, 0);
  EXPECT_TRUE(r->at(10).notAllKnown);
  EXPECT_TRUE(r->at(11).notAllKnown);
  const auto idle = lines(maps, m, {runOf("a", maps[0], {1, 0, 0})}, {}, {sources});
  ASSERT_TRUE(idle);
  EXPECT_FALSE(idle->at(10).notAllKnown); // it leads nowhere but through the body
}

TEST(LineObserver, CodeThatALineCallsCostsAndDoesNotCount) {
  // Line 5 calls B's code, which runs more often; nothing is left of line 8 but what it calls.
  Function f = loopWithBranch("f");
  f.blocks[3].lines = {{5, 9, 0, true}, {5, 9, 0, true}, {8, 2, 0, true}};
  f.blocks[4].lines = {{8, 2, 0, true}};
  const std::vector<Map> maps{mapOf({f})};
  const auto r = lines(maps, *parseMachine("multiply 4\nadd 1\nload 2", "m"),
                       {runOf("a", maps[0], {1, 10, 24})});
  ASSERT_TRUE(r);
  const double total = 2 + 35 * 2 + 10 * 12 + 24;
  EXPECT_EQ(r->at(5).mean, 10);
  EXPECT_NEAR(r->at(5).share, (10 * 6 + 24 * 2 / 3.0) / total, 1e-15);
  EXPECT_EQ(r->at(8).mean, 24); // its first block
  EXPECT_NEAR(r->at(8).share, 24 / 3.0 / total, 1e-15);
}

TEST(LineObserver, LostFramesMakeAnInterval) {
  Function f = guardedCall("g", 0);
  f.blocks[1].mayNotReturn = true; // so that it is not known which block lost three frames
  const std::vector<Map> maps{mapOf({f})};
  const auto r = lines(maps, *machineByName("unit"), {runOf("a", maps[0], {5, 2})});
  ASSERT_TRUE(r);
  EXPECT_EQ(r->at(22).meanCounts.low, 2);
  EXPECT_EQ(r->at(22).meanCounts.high, 5);
}
