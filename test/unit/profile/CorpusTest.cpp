// The corpus: what is stored comes back, merging goes by identity only, and neither a killed
// writer, a second writer, a full disk nor a file from a stranger does harm.
#include "quincunx/profile/Corpus.h"

#include "profile/Corpora.h"
#include "profile/Records.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <random>

#include <sys/resource.h>
#include <sys/wait.h>

namespace quincunx {
namespace {

using namespace test;

std::string openError(const std::string &path, Corpus::Mode mode) {
  const auto corpus = Corpus::open(path, mode);
  EXPECT_FALSE(corpus);
  return corpus ? "" : corpus.error().text;
}

void expectSame(const Run &a, const Run &b) {
  EXPECT_EQ(a.identity, b.identity);
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.arguments, b.arguments);
  EXPECT_EQ(a.standardInput, b.standardInput);
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.exitStatus, b.exitStatus);
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(a.wall, b.wall);
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.instructions, b.instructions);
  EXPECT_EQ(a.processes, b.processes);
  ASSERT_EQ(a.images.size(), b.images.size());
  for (size_t i = 0; i < a.images.size(); ++i) {
    EXPECT_EQ(a.images[i].map, b.images[i].map);
    EXPECT_EQ(a.images[i].path, b.images[i].path);
    EXPECT_EQ(a.images[i].counterCount, b.images[i].counterCount);
    EXPECT_EQ(a.images[i].counts, b.images[i].counts);
    EXPECT_EQ(a.images[i].recorders, b.images[i].recorders);
    EXPECT_EQ(a.images[i].inherited, b.images[i].inherited);
  }
}

TEST(Corpus, GivesBackWhatItTook) {
  const Folder folder;
  quincunx::Run run = makeRun("a", {{0, 7, 99}, {1, 1000, UINT64_MAX}});
  run.standardInput = "in.txt";
  run.outcome = Outcome::timedOut;
  run.exitStatus = -9;
  run.instructions = 1e9;
  run.images[0].inherited = {{7, 50}, {9, 8}};
  run.images.push_back({{5, 5}, "/lib/other", 10, {}, {}, {}});
  {
    Corpus corpus = open(folder / "c.qx");
    ASSERT_TRUE(corpus.add(run));
    EXPECT_TRUE(*corpus.hasRun("a"));
    EXPECT_FALSE(*corpus.hasRun("b"));
    ASSERT_TRUE(corpus.setFact("command", "./prog {}"));
    ASSERT_TRUE(corpus.setFact("site", "x"));
    expectSame(runs(corpus).at(0), run);
  }
  const Corpus corpus = open(folder / "c.qx", Corpus::Mode::read);
  EXPECT_EQ(*corpus.fact("command"), "./prog {}");
  EXPECT_EQ(*corpus.fact("none"), "");
  const auto facts = corpus.facts();
  ASSERT_TRUE(facts);
  EXPECT_EQ(*facts, (std::map<std::string, std::string>{{"command", "./prog {}"}, {"site", "x"}}));
  ASSERT_EQ(*corpus.runCount(), 1u);
  expectSame(runs(corpus).at(0), run);
}

/// Counts as programs make them: sets that grow and shrink, equal values, all magnitudes.
Counts randomCounts(std::mt19937_64 &random, uint32_t counters) {
  Counts out;
  const uint64_t rarity = 1 + random() % 6;
  uint64_t previous = 1;
  for (uint32_t i = 0; i < counters; ++i) {
    if (random() % rarity != 0)
      continue;
    if (random() % 3 != 0)
      previous = 1 + (random() >> random() % 64);
    out.index.push_back(i);
    out.value.push_back(previous);
  }
  return out;
}

TEST(Corpus, KeepsAnyCounts) {
  const Folder folder;
  std::mt19937_64 random(1);
  std::map<std::string, quincunx::Run> all;
  for (int session = 0; session < 3; ++session) {
    Corpus corpus = open(folder / "c.qx");
    for (int i = 0; i < 60; ++i) {
      const std::string identity = std::to_string(random());
      quincunx::Run run = makeRun(identity, randomCounts(random, 700), 700);
      run.images[0].inherited = randomCounts(random, random() % 700);
      ASSERT_TRUE(corpus.add(run));
      all.emplace(identity, run);
    }
  }
  const auto back = runs(open(folder / "c.qx", Corpus::Mode::read));
  ASSERT_EQ(back.size(), all.size());
  for (const quincunx::Run &run : back)
    expectSame(run, all.at(run.identity));
}

TEST(Corpus, TakesTwoBytesACounter) {
  const Folder folder;
  std::mt19937_64 random(1);
  std::vector<double> usual(3000);
  for (double &u : usual)
    u = std::exp(static_cast<double>(random() % 1000) * 0.0138); // 1 to 1e6
  size_t hit = 0;
  {
    Corpus corpus = open(folder / "c.qx");
    for (int r = 0; r < 200; ++r) {
      Counts counts;
      const double size = std::exp(static_cast<double>(random() % 1000) * 0.002 - 1);
      for (uint32_t i = 0; i < usual.size(); ++i) {
        const double noise = 0.8 + static_cast<double>(random() % 1000) * 0.0004;
        if (const auto value = static_cast<uint64_t>(usual[i] * size * noise); value != 0) {
          counts.index.push_back(i);
          counts.value.push_back(value);
        }
      }
      hit += counts.index.size();
      ASSERT_TRUE(corpus.add(makeRun(std::to_string(r), counts, usual.size())));
    }
  }
  EXPECT_LT(static_cast<double>(std::filesystem::file_size(folder / "c.qx")),
            2.0 * static_cast<double>(hit));
}

TEST(Corpus, KeepsEqualRunsAndNoRunTwice) {
  const Folder folder;
  Corpus corpus = open(folder / "c.qx");
  ASSERT_TRUE(corpus.add(makeRun("a", {{1}, {2}})));
  ASSERT_TRUE(corpus.add(makeRun("b", {{1}, {2}})));
  ASSERT_TRUE(corpus.add(makeRun("a", {{1}, {3}}))); // the same name: left alone
  const auto all = runs(corpus);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].images[0].counts, all[1].images[0].counts);
}

TEST(Corpus, MapsThatCannotBeReadDoNotComeIn) {
  const Folder folder;
  const RawMap zeros{std::vector<uint8_t>(64, 0), 64, 4};
  Corpus corpus = open(folder / "c.qx");
  const Status added = corpus.addMap(zeros, "/bin/prog");
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().text, "the map of /bin/prog cannot be read: it holds no functions");
  EXPECT_TRUE(corpus.maps());
}

TEST(Corpus, MergesInAnyOrderAnyNumberOfTimes) {
  const Folder folder;
  std::mt19937_64 random(2);
  for (const char *name : {"a", "b"}) {
    Corpus corpus = open(folder / name);
    ASSERT_TRUE(corpus.setFact("command", name));
    ASSERT_TRUE(corpus.add(makeRun("shared", {{1}, {2}})));
    for (int i = 0; i < 20; ++i)
      ASSERT_TRUE(corpus.add(makeRun(name + std::to_string(i), randomCounts(random, 90))));
  }
  for (const auto &[out, order] :
       {std::pair{"ab", "ab"}, std::pair{"ba", "ba"}, std::pair{"abab", "abab"}}) {
    Corpus corpus = open(folder / out);
    for (const char c : std::string(order))
      ASSERT_TRUE(corpus.merge(open(folder / std::string(1, c), Corpus::Mode::read)));
    ASSERT_TRUE(corpus.merge(open(folder / out, Corpus::Mode::read))); // with itself
  }
  const Corpus first = open(folder / "ab", Corpus::Mode::read);
  const auto expected = runs(first);
  EXPECT_EQ(expected.size(), 41u);
  EXPECT_EQ(*first.fact("command"), "a\nb");
  for (const char *name : {"ba", "abab"}) {
    const Corpus corpus = open(folder / name, Corpus::Mode::read);
    EXPECT_EQ(*corpus.fact("command"), "a\nb");
    const auto got = runs(corpus);
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i)
      expectSame(got[i], expected[i]);
  }
}

std::string contents(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A corpus of a few pages, with blobs that are longer than a page.
void makeLong(const std::string &path) {
  Corpus corpus = open(path);
  for (int run = 0; run < 20; ++run) {
    Counts counts;
    for (uint32_t i = 0; i < 3000; ++i) {
      counts.index.push_back(2 * i);
      counts.value.push_back(i * 2654435761u * (run + 1) % 1000003 + 1);
    }
    ASSERT_TRUE(corpus.add(makeRun("run" + std::to_string(run), counts, 6000)));
  }
}

TEST(Corpus, NoticesEveryFlippedBit) {
  const Folder folder;
  makeLong(folder / "c.qx");
  const std::string good = contents(folder / "c.qx");
  const std::vector<quincunx::Run> expected = runs(open(folder / "c.qx", Corpus::Mode::read));
  uint64_t random = 1;
  size_t refused = 0, same = 0;
  for (size_t i = 0; i < 100 * 8 + 400; ++i) { // all bits of the header, and others
    random = random * 6364136223846793005u + 1442695040888963407u;
    const size_t bit = i < 800 ? i : (random >> 20) % (good.size() * 8);
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    std::ofstream(folder / "bad.qx", std::ios::binary) << bad;
    const auto corpus = Corpus::open(folder / "bad.qx", Corpus::Mode::read);
    std::vector<quincunx::Run> got;
    const Status read = !corpus ? Status(corpus.error())
                                : corpus->forEachRun(
                                      [&](quincunx::Run &&run) -> Status {
                                        got.push_back(std::move(run));
                                        return Done{};
                                      },
                                      Corpus::ReadMask::recorders);
    if (!read) {
      ++refused;
      EXPECT_EQ(read.error().text.find('\n'), std::string::npos);
      continue;
    }
    ++same; // a bit that nobody read
    ASSERT_EQ(got.size(), expected.size()) << "bit " << bit;
    for (size_t r = 0; r < got.size(); ++r)
      expectSame(got[r], expected[r]);
  }
  EXPECT_GT(refused, 1000u);
  EXPECT_LT(same, 200u); // pages of indices that are not read
}

TEST(Corpus, NoticesPagesThatAreLostOrInAnothersPlace) {
  const Folder folder;
  makeLong(folder / "c.qx");
  const std::string good = contents(folder / "c.qx");
  const size_t pages = good.size() / 4096;
  ASSERT_EQ(good.size() % 4096, 0u);
  ASSERT_GT(pages, 20u);
  const auto isRefused = [&](const std::string &bytes) {
    std::ofstream(folder / "bad.qx", std::ios::binary) << bytes;
    const auto corpus = Corpus::open(folder / "bad.qx", Corpus::Mode::read);
    return !corpus || !corpus->forEachRun([](quincunx::Run &&) -> Status { return Done{}; });
  };
  EXPECT_FALSE(isRefused(good));
  for (size_t size = 1; size < good.size(); size += 4096 / 3)
    EXPECT_TRUE(isRefused(good.substr(0, size))) << size;
  std::string other = good; // the last two blobs
  std::swap_ranges(other.end() - 4096, other.end(), other.end() - 2 * 4096);
  EXPECT_TRUE(isRefused(other));
  other = good;
  std::fill(other.end() - 4096, other.end(), '\0');
  EXPECT_TRUE(isRefused(other));
}

TEST(Corpus, KeepsChecksumsThroughAllThatChangesIt) {
  const Folder folder;
  makeLong(folder / "c.qx");
  {
    Corpus corpus = open(folder / "c.qx");
    ASSERT_TRUE(corpus.remove({"run3", "run4", "run17"}));
    ASSERT_TRUE(corpus.scrub());
    ASSERT_TRUE(corpus.add(makeRun("more", {{3}, {4}}, 6000)));
  }
  EXPECT_EQ(runs(open(folder / "c.qx", Corpus::Mode::read)).size(), 18u);
  std::string bytes = contents(folder / "c.qx");
  EXPECT_EQ(bytes[20], 8);
  bytes[bytes.size() - 100] = static_cast<char>(bytes[bytes.size() - 100] ^ 4);
  std::ofstream(folder / "c.qx", std::ios::binary) << bytes;
  const auto corpus = Corpus::open(folder / "c.qx", Corpus::Mode::read);
  ASSERT_TRUE(corpus);
  const Status read = corpus->forEachRun([](quincunx::Run &&) -> Status { return Done{}; });
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().text.find("page " + std::to_string(bytes.size() / 4096)),
            std::string::npos)
      << read.error().text;
}

TEST(Corpus, RefusesWhatIsNoCorpus) {
  const Folder folder;
  std::ofstream(folder / "empty");
  std::ofstream(folder / "text") << std::string(5000, 'x');
  sql(folder / "foreign", "CREATE TABLE t(x)");
  {
    open(folder / "newer");
  }
  sql(folder / "newer", "PRAGMA user_version=7");
  using M = Corpus::Mode;
  const struct {
    const char *name;
    M mode;
    const char *says;
  } table[] = {
      {"missing", M::read, "No such file"},
      {"missing/x", M::write, "No such file"},
      {".", M::read, "is not a file"},
      {"empty", M::read, "is empty"},
      {"text", M::read, "not a quincunx corpus"},
      {"text", M::write, "not a quincunx corpus"},
      {"foreign", M::read, "not a quincunx corpus"},
      {"foreign", M::write, "not a quincunx corpus"},
      {"newer", M::read, "has corpus format 7, this quincunx reads formats 3 to 6"},
  };
  for (const auto &t : table) {
    const std::string text = openError(folder / t.name, t.mode);
    EXPECT_NE(text.find(t.says), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
}

TEST(Corpus, HasOneWriterAndManyReaders) {
  const Folder folder;
  Corpus writer = open(folder / "c.qx");
  ASSERT_TRUE(writer.add(makeRun("a", {{1}, {2}})));
  EXPECT_NE(openError(folder / "c.qx", Corpus::Mode::write).find("another quincunx is writing to"),
            std::string::npos);
  const Corpus reader = open(folder / "c.qx", Corpus::Mode::read);
  EXPECT_EQ(*reader.runCount(), 1u);
  ASSERT_TRUE(
      reader.forEachRun([&](quincunx::Run &&) { return writer.add(makeRun("b", {{1}, {2}})); }));
  EXPECT_EQ(*reader.runCount(), 2u);
}

TEST(Corpus, SurvivesAKilledWriter) {
  const Folder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto corpus = Corpus::open(folder / "c.qx", Corpus::Mode::write);
    for (int i = 0;; ++i) {
      if (!corpus->add(makeRun(std::to_string(i), {{1, 2, 3}, {2, 3, 4}})))
        ::_exit(1);
      if (::write(ready[1], &i, sizeof i) != sizeof i)
        ::_exit(1);
    }
  }
  int done = 0;
  while (done < 50)
    ASSERT_EQ(::read(ready[0], &done, sizeof done), static_cast<ssize_t>(sizeof done));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ready[1]);
  while (::read(ready[0], &done, sizeof done) == static_cast<ssize_t>(sizeof done)) {
  }
  ::close(ready[0]);
  {
    const Corpus corpus = open(folder / "c.qx", Corpus::Mode::read);
    const auto all = runs(corpus);
    EXPECT_GE(all.size(), static_cast<size_t>(done) + 1); // what add() said was done is there
    EXPECT_LE(all.size(), static_cast<size_t>(done) + 2);
  }
  Corpus corpus = open(folder / "c.qx");
  ASSERT_TRUE(corpus.add(makeRun("more", {{1}, {1}})));
}

TEST(Corpus, LosesNothingWhenTheDiskIsFull) {
  const Folder folder;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{400000, 400000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto corpus = Corpus::open(folder / "c.qx", Corpus::Mode::write);
    std::mt19937_64 random(3);
    for (int i = 0; i < 1000; ++i)
      if (const auto s = corpus->add(makeRun(std::to_string(i), randomCounts(random, 700), 700));
          !s)
        ::_exit(s.error().text.find('\n') == std::string::npos ? i : 255);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  const int stored = WEXITSTATUS(status);
  EXPECT_GT(stored, 10);
  EXPECT_LT(stored, 255);
  EXPECT_EQ(runs(open(folder / "c.qx", Corpus::Mode::read)).size(), static_cast<size_t>(stored));
}

TEST(Corpus, RefusesLies) {
  const Folder folder;
  const char *const lies[] = {
      "UPDATE counts SET bytes = x''",
      "UPDATE counts SET bytes = zeroblob(100)",
      "UPDATE counts SET bytes = substr(bytes, 1, length(bytes) - 1)",
      "UPDATE counts SET frame = 77",
      "UPDATE frame SET bytes = x'28b52ffde0ffffffffffffff7f010000'", // a frame of 2^63 bytes
      "UPDATE counts SET recorders = x'28'",
      "UPDATE image SET counter_count = 98", // its recorders have more
      "UPDATE image SET counter_count = 2",
      "UPDATE image SET counter_count = -1",
      "UPDATE image SET counter_count = 9e18",
      "UPDATE image SET hash = 'x'",
      "UPDATE image SET path = hex(zeroblob(40000))",
      "UPDATE run SET arguments = '[['",
      "UPDATE run SET outcome = 'won'",
      "UPDATE run SET wall = 9e999",
      "UPDATE run SET cycles = -9e999",
      "UPDATE feature SET value = NULL",
      "UPDATE feature SET value = 9e999",
      "DROP TABLE counts; CREATE VIEW counts AS SELECT 1 AS run",
  };
  for (const char *lie : lies) {
    const std::string path = folder / "c.qx";
    std::filesystem::remove(path);
    {
      Corpus corpus = open(path);
      ASSERT_TRUE(corpus.add(makeRun("a", {{1, 2, 3, 50}, {2, 300, 4, 5000}})));
    }
    sql(path, lie);
    const Corpus corpus = open(path, Corpus::Mode::read);
    const auto read = corpus.forEachRun([](quincunx::Run &&) -> Status { return Done{}; },
                                        Corpus::ReadMask::recorders);
    ASSERT_FALSE(read) << lie;
    EXPECT_EQ(read.error().text.find('\n'), std::string::npos);
    EXPECT_NE(read.error().text.find("c.qx"), std::string::npos) << read.error().text;
  }
}

TEST(Corpus, StandsAnyDamage) {
  const Folder folder;
  {
    Corpus corpus = open(folder / "c.qx");
    std::mt19937_64 random(4);
    for (int i = 0; i < 5; ++i)
      ASSERT_TRUE(corpus.add(makeRun(std::to_string(i), randomCounts(random, 100))));
  }
  std::ifstream file(folder / "c.qx", std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(file), {}};
  std::mt19937_64 random(5);
  for (int i = 0; i < 400; ++i) {
    std::string bad = good;
    if (i % 4 == 0)
      bad.resize(random() % bad.size());
    else
      for (int n = 0; n < 20; ++n)
        bad[random() % bad.size()] = static_cast<char>(random());
    std::ofstream(folder / "bad.qx", std::ios::binary) << bad;
    const auto corpus = Corpus::open(folder / "bad.qx", Corpus::Mode::read);
    if (corpus) // whatever comes of it: an answer or an error
      static_cast<void>(corpus->forEachRun([](quincunx::Run &&) -> Status { return Done{}; }));
  }
}

TEST(Corpus, RemovesRuns) {
  const Folder folder;
  Corpus corpus = open(folder / "c.qx");
  for (const char *name : {"a", "b", "c"})
    ASSERT_TRUE(corpus.add(makeRun(name, {{1}, {2}})));
  const auto removed = corpus.remove({"a", "c", "none"});
  ASSERT_TRUE(removed);
  EXPECT_EQ(*removed, 2u);
  ASSERT_TRUE(corpus.add(makeRun("d", {{1, 2}, {2, 3}})));
  const auto all = runs(corpus);
  ASSERT_EQ(all.size(), 2u);
  expectSame(all[0], makeRun("b", {{1}, {2}}));
  expectSame(all[1], makeRun("d", {{1, 2}, {2, 3}}));
}

TEST(Corpus, ScrubsWhatNamesPeople) {
  const Folder folder;
  {
    Corpus corpus = open(folder / "c.qx");
    quincunx::Run run = makeRun("a", {{1}, {2}});
    run.label = "/home/secret/in.txt";
    run.arguments = {"--password", "secret"};
    run.standardInput = "/home/secret/stdin";
    run.images[0].path = "/home/secret/prog";
    ASSERT_TRUE(corpus.add(run));
    ASSERT_TRUE(corpus.setFact("command", "/home/secret/prog {}"));
    ASSERT_TRUE(corpus.scrub());
    const quincunx::Run clean = runs(corpus).at(0);
    EXPECT_EQ(clean.label, "in.txt");
    EXPECT_EQ(clean.images[0].path, "prog");
    EXPECT_TRUE(clean.arguments.empty());
    EXPECT_EQ(clean.images[0].counts, run.images[0].counts);
  }
  std::ifstream file(folder / "c.qx", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(bytes.find("secret"), std::string::npos);
}

TEST(Corpus, IsOneFileAtRest) {
  const Folder folder;
  {
    ASSERT_TRUE(open(folder / "c.qx").add(makeRun("a", {{1}, {2}})));
  }
  for (const char *suffix : {"-wal", "-shm", "-journal"})
    EXPECT_FALSE(std::filesystem::exists(folder / "c.qx" + suffix)) << suffix;
}

TEST(Corpus, StoresMapsOnce) {
  const Folder folder;
  Corpus corpus = open(folder / "c.qx");
  const RawMap empty{{}, 0, 0};
  ASSERT_TRUE(corpus.addMap(empty, "/a"));
  ASSERT_TRUE(corpus.addMap(empty, "/b"));
  EXPECT_TRUE(*corpus.hasMap(empty.hash()));
  EXPECT_FALSE(*corpus.hasMap({1, 2}));
}

} // namespace
} // namespace quincunx
