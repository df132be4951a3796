// The default estimate of a corpus on disk, read in one pass and in several.
#include "quincunx/estimate/ObserveCorpus.h"

#include "Synthetic.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace quincunx;
using namespace quincunx::test;

TEST(ObserveCorpus, SeveralPassesGiveTheSame) {
  const std::string path =
      testing::TempDir() + "quincunx-observe-" + std::to_string(getpid()) + ".qx";
  std::filesystem::remove(path);
  const RawMap raw = rawOf({loopWithBranch("f"), loopWithBranch("g", 3), guardedCall("h", 6)});
  {
    Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::write);
    ASSERT_TRUE(corpus) << corpus.error().text;
    ASSERT_TRUE(corpus->addMap(raw, "/bin/prog"));
    const Result<Map> map = decodeMap(raw);
    ASSERT_TRUE(map) << map.error().text;
    for (uint64_t i = 1; i <= 40; ++i)
      ASSERT_TRUE(corpus->add(
          runOf("r" + std::to_string(i), *map, {1, i, 3 * i, i % 3, i, 7, 9, 9 - i % 2})));
  }
  const Result<Corpus> corpus = Corpus::open(path, Corpus::Mode::read);
  ASSERT_TRUE(corpus);
  const std::vector<Map> maps = *corpus->maps();
  const Result<Machine> random = parseMachine("load moments(4,9,3,12)\nadd 1\ncall 0.5", "m");
  for (const Machine &m : {*machineByName("x86-64"), *random}) {
    const Result<Observed> once = observe(*corpus, maps, m), often = observe(*corpus, maps, m, 1);
    ASSERT_TRUE(once) << once.error().text;
    ASSERT_TRUE(often);
    ASSERT_EQ(once->functions.size(), 3u);
    ASSERT_EQ(often->functions.size(), 3u);
    EXPECT_EQ(once->program.moments.kurtosis, often->program.moments.kurtosis);
    for (size_t f = 0; f < 3; ++f) {
      EXPECT_EQ(once->functions[f].name, often->functions[f].name);
      EXPECT_EQ(once->functions[f].share, often->functions[f].share);
      EXPECT_EQ(once->functions[f].cost.percentiles[2].value,
                often->functions[f].cost.percentiles[2].value);
      EXPECT_EQ(once->functions[f].calls.moments.mean, often->functions[f].calls.moments.mean);
    }
    EXPECT_EQ(once->functions[2].calls.moments.mean, 9);
    EXPECT_EQ(once->runs.size(), 40u);
    const Result<Observed> whole = observeWithTotals(*corpus, maps, m);
    ASSERT_TRUE(whole) << whole.error().text;
    ASSERT_EQ(whole->functions.size(), 3u);
    for (size_t f = 0; f < 3; ++f) { // nobody calls another one
      ASSERT_TRUE(whole->functions[f].total) << f;
      EXPECT_NEAR(whole->functions[f].total->cost.moments.mean,
                  once->functions[f].cost.moments.mean, 1e-9)
          << whole->functions[f].name;
    }
    const Result<Observed> slow = observeWithTotals(*corpus, maps, m, 40 * 3 - 1);
    ASSERT_TRUE(slow);
    EXPECT_FALSE(slow->functions[0].total);
    EXPECT_EQ(slow->notes.back().kind, "totals");
    EXPECT_EQ(slow->program.moments.kurtosis, once->program.moments.kurtosis);
  }
  std::filesystem::remove(path);
}
