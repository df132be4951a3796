// What can be kept of a damaged corpus: whichever page is damaged, runs that are kept are as they
// were, and those that are lost are named.
#include "profile/Corpora.h"
#include "profile/Records.h"

#include <fstream>
#include <gtest/gtest.h>
#include <set>

namespace quincunx {
namespace {

using namespace test;

constexpr size_t pageSize = 4096;

std::string contents(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void damage(const std::string &good, std::initializer_list<size_t> pages, const std::string &path) {
  std::string bad = good;
  for (const size_t page : pages)
    bad[(page - 1) * pageSize + 2000] = static_cast<char>(bad[(page - 1) * pageSize + 2000] ^ 16);
  std::ofstream(path, std::ios::binary) << bad;
}

/// Many runs, so that every table has several pages.
void addMany(Corpus &corpus, int number) {
  for (int i = 0; i < number; ++i) {
    Counts counts;
    for (uint32_t c = 0; c < 60; ++c) {
      counts.index.push_back(c);
      counts.value.push_back(1 + (c + 1) * 2654435761u * static_cast<uint32_t>(i + 1) % 1000003);
    }
    EXPECT_TRUE(corpus.add(makeRun("run" + std::to_string(i), counts)));
  }
  EXPECT_TRUE(corpus.setFact("site", "roof"));
}

std::string makeMany(const std::string &path, int number) {
  {
    auto corpus = Corpus::open(path, Corpus::Mode::write);
    EXPECT_TRUE(corpus);
    addMany(*corpus, number);
  }
  return contents(path);
}

std::map<std::string, Counts> countsOf(const Corpus &corpus) {
  std::map<std::string, Counts> out;
  for (const quincunx::Run &run : runs(corpus))
    out[run.identity] = run.images.at(0).counts;
  return out;
}

/// Salvages `path` and compares what it kept; returns what it said.
std::optional<Damage> salvaged(const std::string &path, const std::map<std::string, Counts> &good) {
  const auto from = Corpus::open(path, Corpus::Mode::read);
  if (!from)
    return std::nullopt; // the header or the schema
  const std::string rest = path + ".rest";
  std::filesystem::remove(rest);
  auto into = Corpus::open(rest, Corpus::Mode::write);
  EXPECT_TRUE(into);
  Result<Damage> damage = from->salvage(&*into);
  EXPECT_TRUE(damage) << damage.error().text;
  const auto kept = countsOf(*into);
  EXPECT_EQ(kept.size(), damage->runs);
  for (const auto &[identity, counts] : kept)
    EXPECT_EQ(counts, good.at(identity)) << identity;
  std::set<std::string> lost;
  for (const LostPart &part : damage->lost)
    if (part.kind == "run" && !part.identity.empty())
      lost.insert(part.identity);
  for (const std::string &identity : lost)
    EXPECT_EQ(kept.count(identity), 0u) << identity;
  if (damage->areAllKnown)
    EXPECT_EQ(kept.size() + lost.size(), good.size());
  return std::move(*damage);
}

TEST(Salvage, KeepsRunsWhateverTheirNumbers) {
  const Folder folder;
  const std::string path = folder / "c.qx";
  makeMany(path, 3);
  sql(path,
      "UPDATE run SET id = -9 WHERE id = 1; UPDATE run SET id = 9223372036854775807 WHERE id = 2;"
      "UPDATE counts SET run = -9 WHERE run = 1;"
      "UPDATE counts SET run = 9223372036854775807 WHERE run = 2");
  const auto damage = salvaged(path, countsOf(*Corpus::open(path, Corpus::Mode::read)));
  ASSERT_TRUE(damage);
  EXPECT_EQ(damage->runs, 3u);
}

TEST(Salvage, KeepsWhatIsNotOnADamagedPage) {
  const Folder folder;
  const std::string good = makeMany(folder / "good.qx", 400);
  const auto expected = countsOf(*Corpus::open(folder / "good.qx", Corpus::Mode::read));
  const size_t pages = good.size() / pageSize;
  ASSERT_GT(pages, 40u);
  size_t whole = 0, some = 0, none = 0;
  for (size_t page = 1; page <= pages; ++page) {
    damage(good, {page}, folder / "bad.qx");
    const auto said = salvaged(folder / "bad.qx", expected);
    if (!said) {
      EXPECT_LE(page, 30u);
      ++none;
      continue;
    }
    EXPECT_TRUE(said->any()) << page; // every page is of a table or an index
    EXPECT_TRUE(said->areAllKnown);
    EXPECT_EQ(said->pages, std::set<uint32_t>{static_cast<uint32_t>(page)});
    (said->runs == expected.size() ? whole : said->runs > 0 ? some : none) += 1;
  }
  EXPECT_GT(some, 10u);
  EXPECT_GT(whole, 10u); // tables that are empty, and indices
  EXPECT_LT(none, 10u);  // the schema, the frames, the image
}

TEST(Salvage, SeveralDamagedPages) {
  const Folder folder;
  const std::string good = makeMany(folder / "good.qx", 400);
  const auto expected = countsOf(*Corpus::open(folder / "good.qx", Corpus::Mode::read));
  const size_t pages = good.size() / pageSize;
  for (size_t page = 32; page + 9 <= pages; page += 3) {
    damage(good, {page, page + 2, page + 9}, folder / "bad.qx");
    const auto said = salvaged(folder / "bad.qx", expected);
    ASSERT_TRUE(said);
    EXPECT_TRUE(said->any());
  }
}

TEST(Salvage, FindsNothingInAGoodCorpus) {
  const Folder folder;
  makeMany(folder / "good.qx", 10);
  const auto corpus = Corpus::open(folder / "good.qx", Corpus::Mode::read);
  const Result<Damage> damage = corpus->salvage(nullptr);
  ASSERT_TRUE(damage);
  EXPECT_FALSE(damage->any());
  EXPECT_TRUE(damage->hasChecksums);
  EXPECT_EQ(damage->runs, 10u);
  EXPECT_FALSE(std::filesystem::exists(folder / "good.qx.rest"));
}

TEST(Salvage, OfACorpusWithoutChecksumsTakesWhatCanBeDecoded) {
  const Folder folder;
  makeMany(folder / "old.qx", 10);
  removeChecksums(folder / "old.qx");
  sql(folder / "old.qx", "UPDATE counts SET bytes = x'0102' WHERE run = 3");
  const auto corpus = Corpus::open(folder / "old.qx", Corpus::Mode::read);
  const Result<Damage> damage = corpus->salvage(nullptr);
  ASSERT_TRUE(damage);
  EXPECT_FALSE(damage->hasChecksums);
  EXPECT_EQ(damage->runs, 9u);
  ASSERT_EQ(damage->lost.size(), 1u);
  EXPECT_EQ(damage->lost[0].identity, "run2");
  EXPECT_EQ(damage->lost[0].name, "in/run2");
}

TEST(Salvage, ARunWithoutItsMapIsRefused) {
  const Folder folder;
  makeMany(folder / "c.qx", 1);
  const auto maps = Corpus::open(folder / "c.qx", Corpus::Mode::read)->maps();
  ASSERT_FALSE(maps);
  EXPECT_NE(maps.error().text.find("no map of /bin/prog"), std::string::npos) << maps.error().text;
}

} // namespace
} // namespace quincunx
