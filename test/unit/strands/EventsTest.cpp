// What threads wrote down, as bytes: in chunks of records, and in corpora. What comes back is what
// was given, and what cannot be is refused.
#include "Strands.h"

#include "quincunx/strands/LibraryNames.h"

#include <array>
#include <cstring>
#include <random>

namespace quincunx {
namespace {

using namespace test;

// ---- chunks of records ----

std::string bytesOf(const auto &value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}
std::string started(uint32_t thread, uint64_t clock = 0, uint32_t cut = 0) {
  return bytesOf(qx_strands_start{thread, cut, clock});
}
std::string met(uint64_t clock, uint64_t kind, uint64_t object, uint32_t order = 0,
                uint32_t site = 0) {
  return bytesOf(qx_strand_event{clock, kind << QX_STRAND_OBJECT | object, order, site});
}

std::string add(StrandChunks &chunks, const std::string &payload) {
  // A heap block of exactly this size, so that a sanitizer sees a read beyond it.
  const std::vector<uint8_t> exact(payload.begin(), payload.end());
  return chunks.add(exact);
}

TEST(StrandChunks, AreThreadsByTheirNumbers) {
  StrandChunks chunks;
  EXPECT_TRUE(chunks.finish().empty()) << "nothing was recorded";
  EXPECT_EQ(add(chunks, started(4, 100) + met(103, QX_STRAND_LOCK, 0xabcdef, 7, 9) +
                            met(110, QX_STRAND_END, 0)),
            "");
  EXPECT_EQ(
      add(chunks, started(0) + met(5, QX_STRAND_CREATE, 4, 1, 2) + met(8, QX_STRAND_END, 1, 3)),
      "");
  const ProcessStrands expected{
      false,
      {{0, {{5, QX_STRAND_CREATE, 1, 2, 4}, {8, QX_STRAND_END, 3, 0, 1}}},
       {4, {{3, QX_STRAND_LOCK, 7, 9, 0xabcdef}, {10, QX_STRAND_END, 0, 0, 0}}}}};
  EXPECT_EQ(chunks.finish(), std::vector{expected});
  EXPECT_TRUE(chunks.finish().empty()) << "it was given away";
}

std::string held(uint64_t before, uint64_t clocks, uint64_t object, uint32_t order, uint32_t site,
                 uint32_t unlockSite) {
  return met(before | uint64_t{unlockSite} << 32, QX_STRAND_HELD,
             clocks << QX_STRAND_HELD_OBJECT | object, order, site);
}

TEST(StrandChunks, ShortSectionsAreTwoEventsInOne) {
  constexpr uint64_t most = QX_STRAND_HELD_MOST,
                     object = (uint64_t{1} << QX_STRAND_HELD_OBJECT) - 1;
  StrandChunks chunks;
  EXPECT_EQ(add(chunks, started(0, 100) + held(3, 4, 9, 6, 70, 71) +
                            held(UINT32_MAX, most, object, 8, UINT32_MAX, UINT32_MAX)),
            "");
  EXPECT_EQ(add(chunks, started(0, 100) + held(0, 0, 9, 10, 0, 0) +
                            met(UINT32_MAX + 1000ull, QX_STRAND_END, 0)),
            "");
  const ProcessStrands expected{
      false,
      {{0,
        {{3, QX_STRAND_LOCK, 6, 70, 9},
         {7, QX_STRAND_UNLOCK, 7, 71, 9},
         {UINT32_MAX + 7ull, QX_STRAND_LOCK, 8, UINT32_MAX, object},
         {UINT32_MAX + 7ull + most, QX_STRAND_UNLOCK, 9, UINT32_MAX, object},
         {UINT32_MAX + 7ull + most, QX_STRAND_LOCK, 10, 0, 9},
         {UINT32_MAX + 7ull + most, QX_STRAND_UNLOCK, 11, 0, 9},
         {UINT32_MAX + 900ull, QX_STRAND_END, 0, 0, 0}}}}};
  EXPECT_EQ(chunks.finish(), std::vector{expected});
  EXPECT_NE(
      add(chunks, started(1) + met(UINT64_MAX - 5, QX_STRAND_LOCK, 9) + held(3, 3, 9, 1, 0, 0)), "")
      << "a clock that would begin again";
}

TEST(StrandChunks, MayComeInPieces) {
  StrandChunks whole, pieces;
  std::string all = started(3, 50);
  for (uint32_t i = 0; i < 20; ++i) {
    const std::string event = met(50 + 3 * i, i < 19 ? QX_STRAND_POST : QX_STRAND_END, i, i, i);
    all += event;
    EXPECT_EQ(add(pieces, started(3, i == 0 ? 50 : 0) + event), "") << "the first clock counts";
    EXPECT_EQ(add(pieces, started(3)), "") << "an empty one";
  }
  EXPECT_EQ(add(whole, all), "");
  const std::vector<ProcessStrands> expected = whole.finish();
  ASSERT_EQ(expected.size(), 1u);
  EXPECT_FALSE(expected[0].isCut);
  EXPECT_EQ(pieces.finish(), expected);
}

TEST(StrandChunks, EndWhereNothingIsWrittenYet) {
  StrandChunks chunks;
  EXPECT_EQ(add(chunks,
                started(0) + met(5, QX_STRAND_POST, 9) + met(0, 0, 0) + met(3, QX_STRAND_TAKE, 9)),
            "");
  EXPECT_EQ(add(chunks, started(0) + met(6, QX_STRAND_END, 0)), "");
  const std::vector<ProcessStrands> all = chunks.finish();
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].threads.size(), 1u);
  EXPECT_EQ(all[0].threads[0].events.size(), 2u) << "what is behind it means nothing";
}

TEST(StrandChunks, EndThreadsOfWhichTheEndIsNotKnown) {
  const std::string end = met(9, QX_STRAND_END, 0);
  struct {
    const char *what;
    std::vector<std::string> chunks;
    bool isCut;
  } const table[] = {
      {"whole", {started(0) + end, started(1) + end}, false},
      {"events were left out", {started(0, 0, 1) + end}, true},
      {"of another thread", {started(0) + end, started(1, 0, 1) + end}, true},
      {"no event", {started(0) + end, started(1)}, false},
      {"no end", {started(0) + end, started(1) + met(3, QX_STRAND_LOCK, 9)}, false},
      {"more behind the end", {started(0) + end + met(10, QX_STRAND_LOCK, 9)}, false},
      {"the first is whole, the second piece not", {started(0) + end, started(0, 0, 1)}, true},
  };
  for (const auto &t : table) {
    StrandChunks chunks;
    for (const std::string &c : t.chunks)
      EXPECT_EQ(add(chunks, c), "") << t.what;
    const std::vector<ProcessStrands> all = chunks.finish();
    ASSERT_EQ(all.size(), 1u) << t.what;
    EXPECT_EQ(all[0].isCut, t.isCut) << t.what;
    for (const StrandThread &thread : all[0].threads) {
      ASSERT_FALSE(thread.events.empty()) << t.what;
      EXPECT_EQ(thread.events.back().kind, QX_STRAND_END) << t.what;
    }
  }
}

TEST(StrandChunks, RefuseWhatCannotBe) {
  const std::string tooShort = "events of a thread that are too short",
                    wrong = "an event of a thread that cannot be";
  struct {
    const char *what;
    std::string payload, error;
  } const table[] = {
      {"empty", "", tooShort},
      {"one byte too few", started(0).substr(1), tooShort},
      {"a kind that there is not", started(0) + met(1, QX_STRAND_KINDS, 0), wrong},
      {"the highest but one", started(0) + met(1, QX_STRAND_HELD - 1, 0), wrong},
      {"no kind, but an object", started(0) + met(1, 0, 1), wrong},
      {"before the thread began", started(0, 10) + met(9, QX_STRAND_END, 0), wrong},
      {"a clock that falls", started(0) + met(5, QX_STRAND_LOCK, 9) + met(4, QX_STRAND_END, 0),
       wrong},
      {"the same from where it began",
       started(0, 7) + met(9, QX_STRAND_LOCK, 9) + met(8, QX_STRAND_END, 0), wrong},
      {"the clock stands still",
       started(0, 7) + met(9, QX_STRAND_LOCK, 9) + met(9, QX_STRAND_END, 0), ""},
      {"the last kind", started(0) + met(1, QX_STRAND_KINDS - 1, 0), ""},
  };
  for (const auto &t : table) {
    StrandChunks chunks;
    EXPECT_EQ(add(chunks, t.payload), t.error) << t.what;
  }
  StrandChunks chunks;
  EXPECT_EQ(add(chunks, started(2) + met(5, QX_STRAND_LOCK, 9)), "");
  EXPECT_EQ(add(chunks, started(2) + met(4, QX_STRAND_LOCK, 9)), wrong) << "in another piece";
}

// ---- bytes of corpora ----

/// Every difference of numbers that has a code of its own, and all sizes.
ProcessStrands extremes() {
  ProcessStrands s;
  s.isCut = true;
  StrandThread t{0, {}};
  uint64_t clock = 0;
  for (const uint32_t order : {0u, 1u, 0u, UINT32_MAX, 0u, 1u << 31, 0u, (1u << 31) - 1, 1u << 31,
                               UINT32_MAX, 127u, 128u}) {
    clock = clock * 5 + order % 3;
    t.events.push_back({clock, QX_STRAND_JOIN, order, UINT32_MAX - order, order});
  }
  t.events.push_back({UINT64_MAX, QX_STRAND_END, 7, UINT32_MAX, UINT64_MAX});
  s.threads.push_back(t);
  s.threads.push_back({5, {}});
  s.threads.push_back({UINT32_MAX, {{0, QX_STRAND_CREATE, 0, 0, 0}}});
  return s;
}

TEST(StrandBytes, AreAsTheDocumentationSays) {
  const ProcessStrands s{false,
                         {{0, {{300, QX_STRAND_CREATE, 2, 5, 1}, {301, QX_STRAND_POST, 1, 6, 77}}},
                          {1, {{0, QX_STRAND_TAKE, 3, 7, 77}, {9, QX_STRAND_POST, 9, 0, 78}}}}};
  const std::string bytes{"\2\2"
                          "\0\2\1\xac\2\1\4\5\16\1\1\1\6"
                          "\1\2\17\0\1\6\7\16\11\2\14\0",
                          27};
  EXPECT_EQ(packStrands(s), bytes);
  const Result<ProcessStrands> back = unpacked(bytes);
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(back->threads[1].events[0].object, 1u) << "an address is a number, and its lowest bit";
  EXPECT_EQ(back->threads[0].events[0].object, 1u) << "that of a thread is what it was";
}

// Locks were not told apart by their lowest bit, which is 0 then.
TEST(StrandBytes, OfOldCorporaHaveNoLowestBits) {
  const Result<ProcessStrands> s = unpacked(std::string("\1\1\0\2\1\0\1\0\0\4\0\1\0\0", 14));
  ASSERT_TRUE(s) << s.error().text;
  EXPECT_TRUE(s->isCut);
  EXPECT_EQ(s->threads[0].events[0].object, 1u) << "the number of a thread";
  EXPECT_EQ(s->threads[0].events[1].object, 2u) << "a lock";
}

TEST(StrandBytes, ComeBackAsTheyWere) {
  for (const ProcessStrands &s :
       {ProcessStrands{}, ProcessStrands{true, {}}, ProcessStrands{false, {{9, {}}}}, extremes()}) {
    const Result<ProcessStrands> back = unpacked(packStrands(s));
    ASSERT_TRUE(back) << back.error().text;
    EXPECT_EQ(*back, s);
  }
}

TEST(StrandBytes, HaveNoAddress) {
  const uint64_t address = 0x7ffd12345678;
  ProcessStrands s{false, {{0, {}}}};
  for (uint32_t kind = QX_STRAND_LOCK; kind <= QX_STRAND_PASS; ++kind)
    s.threads[0].events.push_back(
        {kind, static_cast<qx_strand_kind>(kind), kind, 1, address + 64 * (kind % 4)});
  const Result<ProcessStrands> back = unpacked(packStrands(s));
  ASSERT_TRUE(back) << back.error().text;
  for (const StrandEvent &e : back->threads[0].events)
    EXPECT_EQ(e.object, 2 * (e.kind % 4)) << "numbered as they are met";
}

TEST(StrandBytes, RefuseWhatCannotBe) {
  const std::string more = "a thread has more events than bytes", event = "an event of a thread",
                    cutOff = "an event of a thread is cut off", order = "threads are out of order",
                    fill = "events of threads do not fill their bytes";
  const std::string most = std::string(9, '\xff') + '\1'; // 2^64 - 1
  const std::string beyond = std::string(5, '\xff') + '\1';
  struct {
    const char *what;
    std::string bytes, error;
  } const table[] = {
      {"nothing", "", fill},
      {"no thread, and a byte", {"\0\0\0", 3}, fill},
      {"a thread that is missing", {"\0\1", 2}, cutOff},
      {"as many as there are numbers", std::string(1, '\0') + most, cutOff},
      {"a number of a thread that is none", std::string{"\0\1", 2} + beyond + '\0', cutOff},
      {"more events than bytes", {"\0\1\0\2\1\0\0\0\0", 9}, more},
      {"as many events as there are numbers", std::string{"\0\1\0", 3} + most, more},
      {"the same number twice", {"\0\2\3\0\3\0", 6}, order},
      {"a lower number", {"\0\2\3\0\2\0", 6}, order},
      {"no kind", {"\0\1\0\1\0\0\0\0\0", 9}, event},
      {"a kind that there is not", std::string{"\0\1\0\1", 4} + char(QX_STRAND_KINDS) + "\1\1\1\1",
       event},
      {"a clock that is none",
       std::string{"\0\1\0\2\2\1\0\0\0\2", 10} + most + std::string(3, '\0'), event},
      {"an order that is none", std::string{"\0\1\0\1\2\1\0", 7} + beyond + '\0', cutOff},
      {"no site", {"\0\1\0\1\2\x80\1\0\0", 9}, cutOff},
      {"a byte more", {"\0\1\0\1\2\0\0\0\0\0", 10}, fill},
      {"one event", {"\0\1\0\1\2\0\0\0\0", 9}, "none"},
  };
  for (const auto &t : table)
    EXPECT_EQ(errorOf(t.bytes), t.error) << t.what;
}

/// What is accepted is the same when it was written again, and has a path, or none for a reason.
void expectSound(const std::string &bytes) {
  const Result<ProcessStrands> strands = unpacked(bytes);
  if (!strands) {
    EXPECT_FALSE(strands.error().text.empty());
    return;
  }
  const std::string again = packStrands(*strands);
  const Result<ProcessStrands> back = unpacked(again);
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(packStrands(*back), again);
  if (const Result<ParallelWork> work = parallelWork(*strands)) {
    EXPECT_GE(work->work, work->locked.span);
    EXPECT_GE(work->locked.span, work->free.span);
  } else {
    EXPECT_FALSE(work.error().text.empty());
  }
}

/// Some of everything, so that each bit means something.
std::string sample() {
  std::vector<Happened> events{{0, 3, QX_STRAND_SEMAPHORE, 500, 1},
                               {0, 0, QX_STRAND_BARRIER, 501, 2},
                               {0, 1, QX_STRAND_CREATE, 1, 9}};
  std::mt19937_64 random(1);
  for (uint32_t i = 0; i < 60; ++i)
    events.push_back({static_cast<uint32_t>(random() % 2), random() % 300,
                      static_cast<qx_strand_kind>(QX_STRAND_LOCK + random() % 15),
                      500 + random() % 3, static_cast<uint32_t>(random() % 4)});
  events.push_back({1, 2, QX_STRAND_END});
  events.push_back({0, 2, QX_STRAND_JOIN, 1});
  events.push_back({0, 2, QX_STRAND_END});
  return packStrands(written(events));
}

TEST(StrandBytes, ThatEndTooEarlyAreRefused) {
  for (const std::string &whole : {sample(), packStrands(extremes())}) {
    EXPECT_EQ(errorOf(whole), "none");
    for (size_t size = 0; size < whole.size(); ++size)
      EXPECT_NE(errorOf(whole.substr(0, size)), "none") << size << " of " << whole.size();
  }
}

TEST(StrandBytes, WithAnyBitFlippedDoNoHarm) {
  for (const std::string &whole : {sample(), packStrands(extremes())})
    for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      std::string flipped = whole;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
      SCOPED_TRACE("bit " + std::to_string(bit));
      expectSound(flipped);
    }
}

TEST(StrandBytes, ThatAreAnythingDoNoHarm) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 5000; ++i) {
    std::string bytes{"\0\2", 2};
    for (size_t n = random() % 60; n > 0; --n)
      bytes += static_cast<char>(random() >> random() % 62);
    SCOPED_TRACE("input " + std::to_string(i));
    expectSound(bytes);
  }
}

TEST(LibraryNames, AreThoseOfStd) {
  for (const char *name :
       {"_ZSt3minIiERKT_S2_S2_", "_ZNSt5mutex4lockEv", "_ZNSaISt6threadE8allocateEm",
        "_ZNKSt8optionalIiEcvbEv", "_ZNKRSt8optionalIiE5valueEv", "_ZNSsC1Ev",
        "_ZZNSt6thread4joinEvE1x", "_ZN9__gnu_cxx13new_allocatorIiE8allocateEm",
        "_ZL20__gthread_mutex_lockP15pthread_mutex_t", "_ZNOSt8optionalIiE5valueEv"})
    EXPECT_TRUE(isOfLibrary(name)) << name;
  for (const char *name : {"main", "", "_Z", "_Z3addj", "_ZN5Queue3popERj", "_ZZ4mainENKUlvE_clEv",
                           "_ZN8St3minIiE3runEv", "_ZL3addj", "_ZN4Stop2goEv", "pthread_mutex_lock",
                           "_ZN7quincunx3StdC1Ev"})
    EXPECT_FALSE(isOfLibrary(name)) << name;
}

TEST(Strands, ThreadsAtOnceAreThoseThatAreNotJoinedYet) {
  const auto ofOne = [](uint64_t made) -> std::vector<Happened> {
    return {{0, 1, QX_STRAND_CREATE, made}, {static_cast<uint32_t>(made), 5, QX_STRAND_END}};
  };
  std::vector<Happened> events;
  for (const uint64_t made : {1u, 2u, 3u}) { // one after another
    std::ranges::copy(ofOne(made), std::back_inserter(events));
    events.push_back({0, 0, QX_STRAND_JOIN, made});
  }
  EXPECT_EQ(threadsAtOnce(written(events)), 2u);
  std::ranges::copy(ofOne(4), std::back_inserter(events)); // and two that stay
  std::ranges::copy(ofOne(5), std::back_inserter(events));
  EXPECT_EQ(threadsAtOnce(written(events)), 3u);
  events.push_back({4, 1, QX_STRAND_CREATE, 6}); // has one of its own
  events.push_back({6, 1, QX_STRAND_END});
  EXPECT_EQ(threadsAtOnce(written(events)), 4u);
  events.push_back({7, 1, QX_STRAND_END}); // nobody is known to have made it
  EXPECT_EQ(threadsAtOnce(written(events)), 5u);
  EXPECT_EQ(threadsAtOnce({}), 1u);
}

} // namespace
} // namespace quincunx
