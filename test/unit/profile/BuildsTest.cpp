// Builds: which runs a reader sees when a program was built again.
#include "profile/Corpora.h"
#include "profile/Records.h"

#include <gtest/gtest.h>

namespace quincunx {
namespace {

using namespace test;

struct Used {
  const char *path, *build;
  uint64_t map;
};

quincunx::Run run(const std::string &name, double start, const std::vector<Used> &images) {
  quincunx::Run r = makeRun(name, {{0, 1}, {1, 2}});
  r.label = name;
  r.start = start;
  const ImageCounts like = r.images[0];
  r.images.clear();
  for (const Used &u : images) {
    ImageCounts image = like;
    image.path = u.path, image.build = u.build, image.map = {u.map, 0};
    r.images.push_back(image);
  }
  return r;
}

class Builds : public testing::Test {
protected:
  Corpus filled(const std::vector<quincunx::Run> &all) {
    Result<Corpus> corpus = Corpus::open(folder / "c.qx", Corpus::Mode::write);
    for (const quincunx::Run &r : all)
      EXPECT_TRUE(corpus->add(r));
    return std::move(*corpus);
  }
  static std::string seen(const Corpus &corpus) {
    std::string out;
    EXPECT_TRUE(corpus.forEachRun([&](quincunx::Run &&r) -> Status {
      out += r.label;
      return Done{};
    }));
    return out;
  }
  const Folder folder;
};

TEST_F(Builds, NewestAreWhatIsRead) {
  Corpus corpus =
      filled({run("a", 10, {{"/x/prog", "aa11", 1}}), run("b", 20, {{"/x/prog", "bb22", 2}}),
              run("c", 15, {{"/y/prog", "aa11", 1}})});
  const auto builds = corpus.builds();
  ASSERT_TRUE(builds);
  ASSERT_EQ(builds->size(), 2U);
  EXPECT_EQ((*builds)[0].identity, "bb22");
  EXPECT_TRUE((*builds)[0].isNewest);
  EXPECT_EQ((*builds)[1].runs, 2U);
  EXPECT_FALSE((*builds)[1].isNewest);
  EXPECT_EQ(*corpus.select(""), 2U);
  EXPECT_EQ(seen(corpus), "b");
}

TEST_F(Builds, OneIsChosenByItsBeginning) {
  Corpus corpus =
      filled({run("a", 10, {{"/x/prog", "ab11", 1}}), run("b", 20, {{"/x/prog", "ab22", 1}})});
  EXPECT_FALSE(corpus.select("ab"));
  EXPECT_FALSE(corpus.select("ac"));
  EXPECT_EQ(*corpus.select("ab1"), 1U);
  EXPECT_EQ(seen(corpus), "a");
}

TEST_F(Builds, OneIsChosenByItsTag) {
  quincunx::Run a = run("a", 10, {{"/x/prog", "ab11", 1}}),
                b = run("b", 20, {{"/x/prog", "c3", 2}}), c = run("c", 30, {{"/x/prog", "c3", 2}}),
                d = run("d", 40, {{"/x/prog", "d4", 3}});
  a.tag = "before", b.tag = "after", d.tag = "c3";
  Corpus corpus = filled({a, b, c, d});
  EXPECT_FALSE(corpus.select("befor"));
  EXPECT_FALSE(corpus.select("c3")); // what begins so is another build
  EXPECT_EQ(*corpus.select("before"), 3U);
  EXPECT_EQ(seen(corpus), "a");
}

TEST_F(Builds, ATagOfSeveralChoosesNone) {
  quincunx::Run a = run("a", 10, {{"/x/prog", "aa", 1}, {"/x/lib.so", "cc", 3}}),
                b = run("b", 20, {{"/x/prog", "bb", 1}, {"/x/lib.so", "cc", 3}});
  a.tag = b.tag = "mine";
  Corpus corpus = filled({a, b});
  const Result<size_t> chosen = corpus.select("mine");
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().text, "several builds of prog have the tag mine, aa and bb among them");
}

TEST_F(Builds, LibrariesAreBuiltAgainToo) {
  Corpus corpus = filled({run("a", 10, {{"/x/prog", "aa", 1}, {"/x/lib.so", "cc", 3}}),
                          run("b", 20, {{"/x/prog", "aa", 1}, {"/x/lib.so", "dd", 4}}),
                          run("c", 12, {{"/x/prog", "aa", 1}})});
  EXPECT_EQ(*corpus.select(""), 1U);
  EXPECT_EQ(seen(corpus), "bc");
}

TEST_F(Builds, TwoProgramsOfOneNameInARunAreTwo) {
  Corpus corpus = filled({run("a", 10, {{"/x/worker", "aa", 1}, {"/y/worker", "bb", 2}}),
                          run("b", 20, {{"/x/worker", "aa", 1}})});
  EXPECT_EQ(*corpus.select(""), 0U);
  EXPECT_EQ(seen(corpus), "ab");
}

TEST_F(Builds, NotKnownIsTheOneWithThatMap) {
  Corpus corpus = filled({run("a", 10, {{"/x/prog", "", 1}}), run("b", 20, {{"/x/prog", "bb", 1}}),
                          run("c", 5, {{"/x/prog", "", 2}})});
  EXPECT_EQ(*corpus.select(""), 1U);
  EXPECT_EQ(seen(corpus), "ab");
}

TEST_F(Builds, ComeAlongWhereCorporaAreMerged) {
  const Corpus corpus =
      filled({run("a", 10, {{"/x/prog", "aa", 1}}), run("b", 20, {{"/x/prog", "bb", 1}})});
  Result<Corpus> other = Corpus::open(folder / "d.qx", Corpus::Mode::write);
  ASSERT_TRUE(other->merge(corpus));
  EXPECT_EQ(*other->select(""), 1U);
  EXPECT_EQ(seen(*other), "b");
  const auto merged = other->builds();
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->size(), 2U);
}

TEST_F(Builds, KnowWhereTheyRan) {
  quincunx::Run a = run("a", 10, {{"/x/prog", "aa", 1}}), b = run("b", 20, {{"/x/prog", "aa", 1}});
  a.tag = "mine", a.commit = "0123+changes", a.host = b.host = "here";
  const Corpus corpus = filled({a, b});
  {
    Result<Corpus> other = Corpus::open(folder / "d.qx", Corpus::Mode::write);
    ASSERT_TRUE(other->merge(corpus));
    Result<Corpus> saved = Corpus::open(folder / "e.qx", Corpus::Mode::write);
    ASSERT_TRUE(other->salvage(&*saved));
    const auto builds = saved->builds();
    ASSERT_TRUE(builds);
    ASSERT_EQ(builds->size(), 1U);
    using Names = std::set<std::string>;
    EXPECT_EQ(builds->front().tags, Names{"mine"});
    EXPECT_EQ(builds->front().commits, Names{"0123+changes"});
    EXPECT_EQ(builds->front().hosts, Names{"here"});
    ASSERT_TRUE(saved->scrub());
    EXPECT_EQ(saved->builds()->front().hosts, Names{});
    EXPECT_EQ(saved->builds()->front().tags, Names{"mine"});
  }
  // One of before that was known.
  sql(folder / "d.qx", "ALTER TABLE run DROP COLUMN tag; ALTER TABLE run DROP COLUMN host; "
                       "ALTER TABLE run DROP COLUMN source_commit");
  EXPECT_EQ(Corpus::open(folder / "d.qx", Corpus::Mode::read)->builds()->front().tags.size(), 0U);
  Result<Corpus> old = Corpus::open(folder / "d.qx", Corpus::Mode::write);
  ASSERT_TRUE(old);
  a.identity = "later";
  ASSERT_TRUE(old->add(a));
  EXPECT_EQ(old->builds()->front().tags, std::set<std::string>{"mine"});
}

} // namespace
} // namespace quincunx
