// Strands in records and corpora: read, kept, merged, removed and salvaged with their runs, and of
// each process apart.
#include "strands/Strands.h"
#include "profile/Corpora.h"
#include "profile/Records.h"

#include <fstream>

namespace quincunx {
namespace {

using namespace test;

std::string strandsChunk(uint32_t thread, const std::vector<qx_strand_event> &events,
                         uint64_t clock = 0) {
  std::string payload = bytesOf(qx_strands_start{thread, 0, clock});
  for (const qx_strand_event &e : events)
    payload += bytesOf(e);
  return chunk(QX_CHUNK_STRANDS, payload);
}
uint64_t what(qx_strand_kind kind, uint64_t object) {
  return uint64_t{kind} << QX_STRAND_OBJECT | object;
}

/// With objects as a corpus numbers them, so that it comes back as it is.
ProcessStrands numbered(uint32_t n) {
  std::vector<Happened> events{{0, n, QX_STRAND_CREATE, 1, 71}};
  for (uint32_t i = 0; i < 20 + n % 7; ++i)
    events.push_back({i % 2, i + n, QX_STRAND_POST, 0, 72 + i * n});
  events.push_back({1, 3, QX_STRAND_END});
  events.push_back({0, 5, QX_STRAND_END});
  return written(events);
}

Run runWith(const std::string &identity, uint32_t processes = 1) {
  Run run = makeRun(identity, {{0, 7}, {1, 1000}});
  run.processes = processes;
  for (uint32_t i = 0; i < processes; ++i)
    run.strands.push_back(
        numbered(static_cast<uint32_t>(std::hash<std::string>()(identity) % 97) + i));
  return run;
}

std::map<std::string, std::vector<ProcessStrands>>
strandsOf(const Corpus &corpus, Corpus::ReadMask parts = Corpus::ReadMask::strands) {
  std::map<std::string, std::vector<ProcessStrands>> out;
  for (const quincunx::Run &run : runs(corpus, parts))
    out[run.identity] = run.strands;
  return out;
}

/// The error of reading them.
std::string readError(const std::string &path) {
  const Corpus corpus = open(path, Corpus::Mode::read);
  const Status read = corpus.forEachRun([](quincunx::Run &&) -> Status { return Done{}; },
                                        Corpus::ReadMask::strands);
  return read ? "none" : read.error().text;
}

TEST(StrandRecords, AreReadInAnyOrderOfThreads) {
  const std::string head = process("one", "/bin/prog");
  const auto read =
      test::read(record(head + strandsChunk(1, {{55, what(QX_STRAND_END, 0), 4, 0}}, 50) +
                        strandsChunk(0, {{3, what(QX_STRAND_CREATE, 1), 1, 9}}) +
                        strandsChunk(0, {{8, what(QX_STRAND_END, 1), 2, 0}})));
  ASSERT_TRUE(read) << read.error().text;
  const ProcessStrands expected{false,
                                {{0, {{3, QX_STRAND_CREATE, 1, 9, 1}, {8, QX_STRAND_END, 2, 0, 1}}},
                                 {1, {{5, QX_STRAND_END, 4, 0, 0}}}}};
  EXPECT_EQ(read->strands, std::vector{expected});
  EXPECT_TRUE(test::read(record(head))->strands.empty()) << "none were recorded";
  const auto wrong =
      test::read(record(head + strandsChunk(0, {{3, what(QX_STRAND_END, 0), 1, 9}}, 4)));
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().text.find("an event of a thread that cannot be"), std::string::npos)
      << wrong.error().text;
}

TEST(StrandRecords, OfProcessesStayApart) {
  ProcessRecord parent, child, plain;
  parent.strands = {numbered(1)};
  child.strands = {numbered(2)};
  quincunx::Run run;
  for (const ProcessRecord &r : {parent, plain, child})
    add(run, r);
  EXPECT_EQ(run.strands, (std::vector{numbered(1), numbered(2)}));
  EXPECT_EQ(run.processes, 3u);
}

TEST(StrandRecords, OfOneProcessTheLongerOneCounts) {
  ProcessRecord half, whole, none;
  for (ProcessRecord *r : {&half, &whole, &none})
    r->cutShort = true;
  half.strands = {written({{0, 1, QX_STRAND_CREATE, 1}})};
  whole.strands = {numbered(1)};
  for (const auto &[known, more] : {std::pair(half, whole), std::pair(whole, half),
                                    std::pair(none, whole), std::pair(whole, none)}) {
    ProcessRecord united = known;
    unite(united, more);
    EXPECT_EQ(united.strands, whole.strands);
  }
  half.cutShort = false;
  unite(whole, half);
  EXPECT_EQ(whole.strands, half.strands) << "that which the process closed";
}

TEST(StrandRecords, AreKeptWithTheirRun) {
  const Folder folder;
  const quincunx::Run one = runWith("a"), two = runWith("b", 3), none = runWith("c", 0);
  {
    Corpus corpus = open(folder / "c.qx");
    for (const quincunx::Run &run : {one, two, none})
      ASSERT_TRUE(corpus.add(run));
    ASSERT_TRUE(corpus.add(one)) << "again: it is there already";
  }
  const Corpus corpus = open(folder / "c.qx", Corpus::Mode::read);
  const std::map<std::string, std::vector<ProcessStrands>> expected{
      {"a", one.strands}, {"b", two.strands}, {"c", {}}};
  EXPECT_EQ(strandsOf(corpus), expected);
  EXPECT_EQ(strandsOf(corpus, Corpus::ReadMask::all), expected);
  for (const auto parts : {Corpus::ReadMask::description, Corpus::ReadMask::counts,
                           Corpus::ReadMask::recorders, Corpus::ReadMask::requests})
    for (const auto &[identity, strands] : strandsOf(corpus, parts))
      EXPECT_TRUE(strands.empty()) << "nobody asked for them";
}

// A loop that locks is so regular that 2 MB of events have a few kilobytes in the corpus.
TEST(StrandRecords, OfARegularLoopAreReadHoweverMany) {
  const Folder folder;
  quincunx::Run run = runWith("a");
  run.strands = {{false, {{0, {}}}}};
  for (uint32_t i = 0; i < 1u << 18; ++i)
    run.strands[0].threads[0].events.push_back(
        {10 * uint64_t{i}, i % 2 == 0 ? QX_STRAND_LOCK : QX_STRAND_UNLOCK, i, 1u << 30, 0});
  ASSERT_TRUE(open(folder / "c.qx").add(run));
  const Corpus corpus = open(folder / "c.qx", Corpus::Mode::read);
  EXPECT_TRUE(strandsOf(corpus)["a"] == run.strands);
}

TEST(StrandRecords, AreMergedAndRemovedWithTheirRun) {
  const Folder folder;
  Corpus into = open(folder / "into.qx");
  {
    Corpus other = open(folder / "other.qx");
    ASSERT_TRUE(into.add(runWith("a")));
    for (const char *identity : {"a", "b", "c"})
      ASSERT_TRUE(other.add(runWith(identity, 2)));
  }
  const Corpus other = open(folder / "other.qx", Corpus::Mode::read);
  for (int i = 0; i < 2; ++i) { // the second time nothing is new
    ASSERT_TRUE(into.merge(other));
    EXPECT_EQ(strandsOf(into),
              (std::map<std::string, std::vector<ProcessStrands>>{{"a", runWith("a").strands},
                                                                  {"b", runWith("b", 2).strands},
                                                                  {"c", runWith("c", 2).strands}}));
  }
  ASSERT_EQ(*into.remove({"a", "c"}), 2u);
  EXPECT_EQ(strandsOf(into).size(), 1u);
  ASSERT_TRUE(into.add(runWith("d", 0))); // it may get the number of one that was removed
  EXPECT_TRUE(strandsOf(into).at("d").empty());
  EXPECT_EQ(strandsOf(into).at("b"), runWith("b", 2).strands);
}

TEST(StrandRecords, OfACorpusThatHadNone) {
  const Folder folder;
  const std::string path = folder / "c.qx";
  static_cast<void>(open(path).add(runWith("a")));
  sql(path, "DROP TABLE strands");
  EXPECT_EQ(strandsOf(open(path, Corpus::Mode::read)).at("a"), std::vector<ProcessStrands>());
  {
    Corpus corpus = open(path); // gets the table
    ASSERT_TRUE(corpus.add(runWith("b")));
    EXPECT_EQ(strandsOf(corpus).at("b"), runWith("b").strands);
    EXPECT_TRUE(strandsOf(corpus).at("a").empty());
    EXPECT_EQ(*corpus.remove({"a", "b"}), 2u);
  }
}

TEST(StrandRecords, ThatCannotBeReadAreAnError) {
  const Folder folder;
  const std::string path = folder / "c.qx";
  static_cast<void>(open(path).add(runWith("a")));
  for (const auto &[bytes, error] :
       {std::pair("x'0102'", "run a: strands cannot be read"), // no frame
        std::pair("x''", "run a: strands cannot be read"),
        std::pair("x'28b52ffd20021100000001'", "run a: an event of a thread is cut off")}) {
    sql(path, ("UPDATE strands SET bytes = " + std::string(bytes)).c_str());
    EXPECT_NE(readError(path).find(error), std::string::npos) << readError(path);
    EXPECT_EQ(runs(open(path, Corpus::Mode::read)).size(), 1u) << "the rest of it can be read";
    const Result<Damage> damage = open(path, Corpus::Mode::read).salvage(nullptr);
    ASSERT_TRUE(damage);
    ASSERT_EQ(damage->lost.size(), 1u) << "a run without its strands is another run";
    EXPECT_EQ(damage->lost[0].identity, "a");
  }
}

/// A bit of each page in turn, of a corpus of which many pages are of strands.
TEST(StrandRecords, AreSalvagedWithTheirRunOrNotAtAll) {
  constexpr size_t pageSize = 4096;
  const Folder folder;
  std::map<std::string, std::vector<ProcessStrands>> expected;
  {
    Corpus corpus = open(folder / "good.qx");
    for (int i = 0; i < 40; ++i) {
      const quincunx::Run run = runWith(std::to_string(i), 2);
      expected[run.identity] = run.strands;
      ASSERT_TRUE(corpus.add(run));
    }
  }
  std::ifstream in(folder / "good.qx", std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(in), {}};
  size_t some = 0;
  for (size_t at = 2000; at < good.size(); at += pageSize) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 16);
    std::ofstream(folder / "bad.qx", std::ios::binary) << bad;
    const auto from = Corpus::open(folder / "bad.qx", Corpus::Mode::read);
    if (!from)
      continue; // the header or the schema
    std::filesystem::remove(folder / "rest.qx");
    Corpus rest = open(folder / "rest.qx");
    const Result<Damage> damage = from->salvage(&rest);
    ASSERT_TRUE(damage) << damage.error().text;
    EXPECT_TRUE(damage->any()) << "page " << at / pageSize;
    const auto kept = strandsOf(rest);
    EXPECT_EQ(kept.size(), damage->runs);
    some += kept.size() > 0 && kept.size() < expected.size() ? 1 : 0;
    for (const auto &[identity, strands] : kept)
      EXPECT_EQ(strands, expected.at(identity)) << identity << ", page " << at / pageSize;
  }
  EXPECT_GT(some, 3u) << "pages of strands and of runs";
}

} // namespace
} // namespace quincunx
