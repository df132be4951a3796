// Requests: what is read of records and live files, what is refused, and that a corpus keeps,
// merges and forgets them, whatever its age. The runtime's own records are judged by
// test/judges/requests.sh.
#include "profile/Corpora.h"
#include "profile/Records.h"

#include "quincunx/profile/Corpus.h"

#include <cmath>
#include <gtest/gtest.h>

namespace quincunx {
namespace {

using namespace test;

std::string start(uint32_t number, uint32_t function, Hash map, uint64_t begun, uint64_t ended) {
  return bytesOf(qx_requests_start{number, function, {map[0], map[1]}, begun, ended});
}

std::string counted(Hash map, const Counts &counts) {
  std::string out = bytesOf(map);
  varint(out, counts.index.size());
  return out + packed(counts);
}

std::string entry(uint64_t slot, uint64_t number, const std::string &rest,
                  const std::map<std::string, double> &features = {}, uint64_t wall = 5000) {
  std::string out;
  for (const uint64_t v : {slot, number, wall, uint64_t{features.size()}})
    varint(out, v);
  for (const auto &[name, value] : features) {
    out += bytesOf(value);
    varint(out, name.size());
    out += name;
  }
  out += rest;
  return bytesOf(uint64_t{out.size()}) + out + std::string((8 - out.size() % 8) % 8, '\0');
}

std::string requests(const std::string &payload) { return chunk(QX_CHUNK_REQUESTS, payload); }

std::string feature(const char *name, double value) {
  qx_feature f{};
  f.value = value;
  std::strncpy(f.name, name, QX_FEATURE_NAME);
  return bytesOf(f);
}

const Hash map{1, 2};
const std::string head = process("r", "/bin/prog") + image(map, 100, "/bin/prog") +
                         chunk(QX_CHUNK_COUNTS, packed({{7, 8, 99}, {30, 30, 30}}));
const std::string two = entry(0, 0, counted(map, {{7, 9}, {1, 5}}), {{"size", 3.5}}) +
                        entry(1, 1, counted(map, {{7}, {2}}));

std::string sums(uint64_t number, const std::string &rest) {
  return chunk(QX_CHUNK_SUMS, bytesOf(number) + rest);
}
std::string sumsOf(uint32_t index, uint64_t sum, uint64_t low, uint64_t high) {
  std::string out = bytesOf(map);
  for (const uint64_t v : {uint64_t{1}, uint64_t{index}, sum, low, high})
    varint(out, v);
  return out;
}

TEST(Requests, AreRead) {
  const auto r =
      read(record(head + requests(start(0, 7, map, 5, 2) + two) + sums(0, sumsOf(7, 3, 5, 1)) +
                  chunk(QX_CHUNK_FEATURES, feature("load", 0.5) + feature("none", -0.0))));
  ASSERT_TRUE(r) << r.error().text;
  EXPECT_EQ(r->features, (std::map<std::string, double>{{"load", 0.5}, {"none", 0}}));
  EXPECT_FALSE(std::signbit(r->features.at("none"))) << "a corpus has one zero";
  ASSERT_EQ(r->requests.size(), 1u);
  const MarkedFunction &f = r->requests[0];
  EXPECT_EQ(f.counter, 7u);
  EXPECT_EQ(f.begun, 5u);
  EXPECT_EQ(f.ended, 2u);
  ASSERT_EQ(f.sample.size(), 2u);
  EXPECT_EQ(f.weight(), 1);
  EXPECT_EQ(f.sample[0].wall, 5000u);
  EXPECT_EQ(f.sample[0].features.at("size"), 3.5);
  EXPECT_EQ(f.sample[0].images[0].counts, (Counts{{7, 9}, {1, 5}}));
  ASSERT_TRUE(f.sums);
  EXPECT_EQ((*f.sums)[0].sum, (Counts{{7}, {3}}));
  EXPECT_EQ((*f.sums)[0].squares[0], (std::array<uint64_t, 2>{5, 1}));
}

TEST(Requests, TheLastOfASlotCounts) {
  for (const bool later : {false, true}) {
    const std::string old = entry(3, 3, counted(map, {{7}, {1}})),
                      fresh = entry(3, 2000, counted(map, {{7}, {9}}));
    const auto r = read(record(
        head + requests(start(0, 7, map, 3000, 3000) + (later ? old + fresh : fresh + old))));
    ASSERT_TRUE(r) << r.error().text;
    ASSERT_EQ(r->requests[0].sample.size(), 1u);
    EXPECT_EQ(r->requests[0].sample[0].number, 2000u);
    EXPECT_EQ(r->requests[0].weight(), 3000);
  }
}

TEST(Requests, AreRefusedWithALineThatSaysWhy) {
  const std::string begin = start(0, 7, map, 5, 2), good = head + requests(begin + two);
  const auto one = [&](const std::string &e) { return record(head + requests(begin + e)); };
  const double nan = std::nan("");
  const struct {
    std::string bytes;
    const char *says;
  } table[] = {
      {record(head + requests("short")), "without a beginning"},
      {record(head + requests(start(0, 100, map, 1, 1))), "function that is not there"},
      {record(head + requests(start(0, 7, {3, 4}, 1, 1))), "function that is not there"},
      {record(head + requests(start(0, 7, map, 1, 2))), "more requests ended than began"},
      {record(head + requests(start(0, 7, map, UINT64_MAX, 2))), "more requests than there can be"},
      {record(good + requests(start(0, 8, map, 1, 1))), "two functions under one number"},
      {one(bytesOf(uint64_t{0})), "without a size"},
      {one(bytesOf(uint64_t{80})), "longer than its chunk"},
      {one(bytesOf(UINT64_MAX)), "longer than its chunk"},
      {one(entry(QX_SLOTS, 0, "")), "does not begin"},
      {one(entry(0, 0, "", {}, uint64_t{1} << 63)), "does not begin"},
      {one(entry(0, 2, "")), "number that none has"},
      {one(entry(0, 0, "") + entry(1, 0, "")), "there twice"},
      {one(entry(0, 0, "abc")), "cut off"},
      {one(entry(0, 0, counted(map, {{100}, {1}}))), "does not have"},
      {one(entry(0, 0, counted({3, 4}, {{1}, {1}}))), "image that is not there"},
      {one(entry(0, 0, counted(map, {{1}, {0}}))), "no counter can have"},
      {one(entry(0, 0, bytesOf(map) + "\x7f")), "cut off"},
      {one(entry(0, 0, bytesOf(map) + std::string("\x01\xff\xff\xff\xff\xff\x01\x01", 8))),
       "no counter can have"},
      {one(entry(0, 0, "", {{"x", nan}})), "not a number"},
      {one(entry(0, 0, "", {{std::string(56, 'x'), 1}})), "cut off"},
      {record(head + chunk(QX_CHUNK_FEATURES, feature("x", nan))), "not a number"},
      {record(head + chunk(QX_CHUNK_FEATURES, feature("", 1))), "without a name"},
      {record(head + chunk(QX_CHUNK_FEATURES, feature("x", 1) + "y")), "cut off"},
      {record(good + sums(1, "")), "not there"},
      {record(good + sums(0, "") + sums(0, "")), "twice"},
      {record(good + sums(0, "abc")), "cut off"},
      {record(good + sums(0, sumsOf(100, 1, 1, 0))), "does not have"},
  };
  ASSERT_TRUE(read(record(good)));
  for (const auto &t : table) {
    const auto r = read(t.bytes);
    ASSERT_FALSE(r) << t.says;
    EXPECT_NE(r.error().text.find(t.says), std::string::npos) << r.error().text;
    EXPECT_EQ(r.error().text.find('\n'), std::string::npos);
  }
}

std::string live(const std::string &chunks) {
  qx_live_header h{};
  h.magic = QX_LIVE_MAGIC;
  h.version = QX_LIVE_VERSION;
  h.header_size = sizeof h;
  h.used = sizeof h + chunks.size();
  return bytesOf(h) + chunks;
}

TEST(Requests, OfAKilledProcessAreWhatIsWhole) {
  const std::string image1 = process("r", "p") + image(map, 100, "p");
  const std::string log = start(0, 7, map, 9, 1) + two + bytesOf(uint64_t{0}) + "what was begun";
  const auto r =
      read(live(image1 + requests(log) +
                requests(start(0, 7, map, 0, 0) + entry(5, 5, counted({3, 4}, {{1}, {1}})) +
                         bytesOf(uint64_t{0})) +
                chunk(QX_CHUNK_FEATURES, feature("a", 1) + feature("", 0) + "rest")));
  ASSERT_TRUE(r) << r.error().text;
  ASSERT_EQ(r->requests.size(), 1u);
  EXPECT_EQ(r->requests[0].sample.size(), 3u);
  EXPECT_EQ(r->requests[0].ended, 6u) << "the log may be ahead of the number";
  EXPECT_TRUE(r->requests[0].sample[2].images.empty()) << "its image found no space";
  EXPECT_FALSE(r->requests[0].sums);
  EXPECT_EQ(r->features.size(), 1u);
}

TEST(Requests, NoBitOfALiveFileDoesHarm) {
  const std::string bytes =
      live(head.substr(0, head.size()) + requests(start(0, 7, map, 2, 2) + two));
  for (size_t bit = sizeof(qx_live_header) * 8; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    if (const auto r = read(flipped)) {
      for (const MarkedFunction &f : r->requests)
        EXPECT_LE(f.sample.size(), 2u);
    }
  }
}

TEST(Requests, SlotsAreAUniformSample) {
  for (uint64_t i = 0; i < QX_SLOTS; ++i)
    ASSERT_EQ(qx_slot(i), i);
  constexpr uint64_t n = 200000;
  std::map<uint32_t, uint64_t> last;
  uint64_t written = 0;
  for (uint64_t i = 0; i < n; ++i)
    if (const uint32_t slot = qx_slot(i); slot != QX_NO_SLOT) {
      ASSERT_LT(slot, QX_SLOTS);
      last[slot] = i;
      ++written;
    }
  ASSERT_EQ(last.size(), QX_SLOTS);
  const double expected = 1024 * (1 + std::log(double{n} / 1024));
  EXPECT_NEAR(static_cast<double>(written), expected, 4 * std::sqrt(expected));
  double bins[32] = {}, chi = 0;
  for (const auto &[slot, i] : last)
    ++bins[i * 32 / n];
  for (const double b : bins)
    chi += (b - 32) * (b - 32) / 32;
  EXPECT_LT(chi, 61.1) << "31 degrees of freedom, 0.1 %";
}

// ---- the corpus

Run served(const std::string &identity) {
  Run run = makeRun(identity, {{7, 8, 99}, {30, 30, 30}});
  const auto r =
      read(record(head + requests(start(0, 7, map, 5, 2) + two) + sums(0, sumsOf(7, 3, 5, 1))));
  EXPECT_TRUE(r);
  run.requests = r->requests;
  return run;
}

void expectServed(const Run &run) {
  ASSERT_EQ(run.requests.size(), 1u);
  const MarkedFunction &f = run.requests[0], wanted = served("x").requests[0];
  EXPECT_EQ(f.map, wanted.map);
  EXPECT_EQ(f.counter, 7u);
  EXPECT_EQ(f.begun, 5u);
  EXPECT_EQ(f.ended, 2u);
  ASSERT_EQ(f.sample.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(f.sample[i].number, i);
    EXPECT_EQ(f.sample[i].wall, 5000u);
    EXPECT_EQ(f.sample[i].features, wanted.sample[i].features);
    EXPECT_EQ(f.sample[i].images[0].map, map);
    EXPECT_EQ(f.sample[i].images[0].counts, wanted.sample[i].images[0].counts);
  }
  ASSERT_TRUE(f.sums);
  EXPECT_EQ((*f.sums)[0].sum, (*wanted.sums)[0].sum);
  EXPECT_EQ((*f.sums)[0].squares, (*wanted.sums)[0].squares);
}

TEST(Requests, AreKeptMergedAndForgotten) {
  const Folder folder;
  auto a = Corpus::open(folder / "a.qx", Corpus::Mode::write);
  auto b = Corpus::open(folder / "b.qx", Corpus::Mode::write);
  ASSERT_TRUE(a && b);
  ASSERT_TRUE(a->add(served("one")));
  ASSERT_TRUE(b->add(served("two")));
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(b->merge(*a));
  ASSERT_EQ(runs(*b, Corpus::ReadMask::all).size(), 2u);
  for (const quincunx::Run &run : runs(*b, Corpus::ReadMask::all))
    expectServed(run);
  const auto marked = b->markedFunctions();
  ASSERT_TRUE(marked);
  ASSERT_EQ(marked->size(), 1u);
  EXPECT_EQ((*marked)[0].ended, 4u);
  EXPECT_EQ((*marked)[0].kept, 4u);
  ASSERT_TRUE(b->scrub());
  ASSERT_TRUE(b->remove({"one"}));
  ASSERT_EQ(runs(*b, Corpus::ReadMask::all).size(), 1u);
  expectServed(runs(*b, Corpus::ReadMask::all)[0]);
  ASSERT_TRUE(b->remove({"two"}));
  EXPECT_TRUE(b->markedFunctions()->empty());
}

TEST(Requests, ADamagedCorpusIsRefused) {
  for (const char *damage :
       {"UPDATE marked SET ended = 9", "UPDATE marked SET begun = -1, ended = -1",
        "UPDATE marked SET sums = x'0102'", "UPDATE marked SET hash = 'x'",
        "UPDATE request SET number = -1", "UPDATE request SET wall = -1.0",
        "UPDATE request_feature SET value = 9e999", "UPDATE request_counts SET bytes = x'ff'",
        "UPDATE marked SET ended = 1"}) {
    const Folder folder;
    {
      auto c = Corpus::open(folder / "c.qx", Corpus::Mode::write);
      ASSERT_TRUE(c && c->add(served("one")));
    }
    sql(folder / "c.qx", damage);
    auto c = Corpus::open(folder / "c.qx", Corpus::Mode::read);
    ASSERT_TRUE(c);
    const Status read =
        c->forEachRun([](quincunx::Run &&) -> Status { return Done{}; }, Corpus::ReadMask::all);
    ASSERT_FALSE(read) << damage;
    EXPECT_NE(read.error().text.find("is damaged"), std::string::npos) << read.error().text;
  }
}

} // namespace
} // namespace quincunx
