// Samples in the corpus: what is stored comes back, merging goes by identity, and they go with the
// timings.
#include "quincunx/profile/Samples.h"

#include "profile/Corpora.h"
#include "profile/Records.h"

#include <gtest/gtest.h>

namespace quincunx {
namespace {

using namespace test;

std::vector<SampledInput> samples(const Corpus &corpus) {
  auto all = corpus.samples();
  EXPECT_TRUE(all) << all.error().text;
  return all ? std::move(*all) : std::vector<SampledInput>();
}

Timing input(const std::string &label) {
  Timing timing{"", label, {"-x", label}, "", {}};
  timing.identity = timingIdentity(timing.label, timing.arguments, timing.standardInput);
  return timing;
}

const SampledPlace inLoop{"step(int)", "/src/a.cpp", 12, ""},
    inLibrary{"step(int)", "/src/a.cpp", 14, "libc.so.6"}, nowhere{"", "", 0, "libc.so.6"};

SampledExecution execution(const std::string &identity) {
  return {identity, 1e9, 0.5, 0.0005, {{inLoop, 700}, {inLibrary, 250}, {nowhere, 1}}};
}

TEST(Samples, GiveBackWhatTheyTook) {
  const Folder folder;
  SampledExecution other = execution("s2");
  other.samples.erase(nowhere);
  {
    Corpus corpus = open(folder / "c.qx");
    EXPECT_TRUE(samples(corpus).empty());
    ASSERT_TRUE(corpus.addSamples(input("a"), execution("s1")));
    ASSERT_TRUE(corpus.addSamples(input("a"), other));
    ASSERT_TRUE(corpus.addSamples(input("b"), execution("s2"))); // there already: left alone
  }
  const Corpus corpus = open(folder / "c.qx", Corpus::Mode::read);
  EXPECT_EQ(samples(corpus), (std::vector<SampledInput>{{input("a"), {execution("s1"), other}}}));
  EXPECT_EQ(samples(corpus)[0].executions[0].total(), 951u);
  EXPECT_TRUE(corpus.timings()->empty());
}

TEST(Samples, MergeInAnyOrderAnyNumberOfTimes) {
  const Folder folder;
  for (const std::string name : {"a", "b"}) {
    Corpus corpus = open(folder / name);
    ASSERT_TRUE(corpus.addSamples(input("shared"), execution("both")));
    ASSERT_TRUE(corpus.addSamples(input(name), execution(name)));
  }
  for (const std::string order : {"ab", "ba", "abab"}) {
    Corpus corpus = open(folder / order);
    for (const char c : order)
      ASSERT_TRUE(corpus.merge(open(folder / std::string(1, c), Corpus::Mode::read)));
  }
  const auto first = samples(open(folder / "ab", Corpus::Mode::read));
  ASSERT_EQ(first.size(), 3u);
  for (const char *order : {"ba", "abab"})
    EXPECT_EQ(samples(open(folder / order, Corpus::Mode::read)), first);
}

TEST(Samples, GoWithTimingsAndAreSaved) {
  const Folder folder;
  Corpus corpus = open(folder / "c.qx");
  ASSERT_TRUE(corpus.addSamples(input("a"), execution("s1")));
  Corpus saved = open(folder / "saved.qx");
  ASSERT_TRUE(corpus.salvage(&saved));
  EXPECT_EQ(samples(saved), samples(corpus));
  ASSERT_TRUE(corpus.removeTimings());
  EXPECT_TRUE(samples(corpus).empty());
}

TEST(Samples, AreNoneInACorpusOfBefore) {
  const Folder folder;
  ASSERT_TRUE(open(folder / "c.qx").add(makeRun("a", {{1}, {2}})));
  sql(folder / "c.qx", "DROP TABLE sample; DROP TABLE sampled; DROP TABLE place");
  EXPECT_TRUE(samples(open(folder / "c.qx", Corpus::Mode::read)).empty());
  Corpus corpus = open(folder / "c.qx");
  ASSERT_TRUE(corpus.addSamples(input("a"), execution("s1")));
  EXPECT_EQ(samples(corpus).size(), 1u);
}

TEST(Samples, OfStrangersAreChecked) {
  const Folder folder;
  ASSERT_TRUE(open(folder / "c.qx").addSamples(input("a"), execution("s1")));
  for (const char *change : {"UPDATE sample SET count = -1", "UPDATE sampled SET cpu = -1",
                             "UPDATE place SET line = -7", "UPDATE sampled SET interval = 9e999"}) {
    std::filesystem::copy_file(folder / "c.qx", folder / "d.qx",
                               std::filesystem::copy_options::overwrite_existing);
    sql(folder / "d.qx", change);
    const auto refused = open(folder / "d.qx", Corpus::Mode::read).samples();
    ASSERT_FALSE(refused) << change;
    EXPECT_NE(refused.error().text.find("damaged"), std::string::npos);
  }
}

} // namespace
} // namespace quincunx
