// Live files: what is read of them, at whichever moment the process was killed, and what is
// refused. The runtime's own are read in test/runtime; hostile bytes are here.
#include "profile/Records.h"

#include <gtest/gtest.h>

namespace quincunx {
namespace {

using namespace test;

std::string arena(uint32_t image, const std::vector<uint64_t> &counters) {
  const qx_arena_start start{image, {}};
  std::string payload = bytesOf(start);
  for (const uint64_t c : counters)
    payload += bytesOf(c);
  return chunk(QX_CHUNK_ARENA, payload);
}

std::string blocks(uint32_t image,
                   const std::vector<std::pair<uint64_t, std::vector<uint64_t>>> &all) {
  std::string payload = bytesOf(qx_blocks_start{image, 0});
  for (const auto &[first, words] : all) {
    payload += bytesOf(qx_block_start{first, words.size()});
    for (const uint64_t w : words)
      payload += bytesOf(w);
  }
  return chunk(QX_CHUNK_BLOCKS, payload);
}

std::string pad(size_t bytes) { return chunk(QX_CHUNK_PAD, std::string(bytes, 'x')); }

std::string live(const std::string &chunks, uint32_t closed = 0) {
  qx_live_header h{};
  h.magic = QX_LIVE_MAGIC;
  h.version = QX_LIVE_VERSION;
  h.header_size = sizeof h;
  h.used = sizeof h + chunks.size();
  h.identity[0] = 9;
  h.closed = closed;
  return bytesOf(h) + chunks;
}

/// The same file with another value at `offset` of its header.
template <class T> std::string with(std::string bytes, size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
  return bytes;
}

const std::string start = process("r", "p") + image({1, 2}, 3, "p");
const std::string full = start + pad(40) + arena(0, {1, 0, 3}) + image({3, 4}, 1, "l") +
                         arena(1, {7, 99}) + arena(0, {10, 0, UINT64_MAX});

TEST(Live, AddsUpArenas) {
  const auto r = read(live(full));
  ASSERT_TRUE(r) << r.error().text;
  EXPECT_TRUE(r->cutShort);
  EXPECT_EQ(r->identity[0], 9);
  ASSERT_EQ(r->images.size(), 2u);
  EXPECT_EQ(r->images[0].counts, (Counts{{0, 2}, {11, UINT64_MAX}}));
  EXPECT_EQ(r->images[1].counts, (Counts{{0}, {7}})) << "bytes after the counters mean nothing";
}

TEST(Live, AddsUpRecorders) {
  const std::string end(40, '\0'); // what no thread asked for yet
  const auto r =
      read(live(process("r", "p") + image({1, 2}, 3, "p", 0, 10) + arena(0, {1, 0, 3}) +
                blocks(0, {{5, {1, 0, 2}}, {5, {0, 4, 5, 6}}, {12, {7}}, {3, {}}, {4, {9}}}) +
                image({3, 4}, 1, "l", 0, 2) + blocks(1, {{1, {8, UINT64_MAX}}, {2, {3}}})));
  ASSERT_TRUE(r) << r.error().text;
  EXPECT_EQ(r->images[0].counterCount, 13u);
  EXPECT_EQ(r->images[0].counts, (Counts{{0, 2}, {1, 3}}));
  EXPECT_EQ(r->images[0].recorders, (Counts{{5, 6, 7, 8, 12}, {1, 4, 7, 6, 7}}));
  EXPECT_EQ(r->images[1].recorders, (Counts{{1, 2}, {8, UINT64_MAX}}));
}

TEST(Live, IsWholeWhenItsProcessClosedIt) {
  const auto r = read(live(full, 1));
  ASSERT_TRUE(r) << r.error().text;
  EXPECT_FALSE(r->cutShort);
}

TEST(Live, IgnoresWhatIsBeyondUsed) {
  const std::string bytes = live(full);
  for (const char *rest : {"x", "half a chunk, and more of it than a header holds"}) {
    const auto r = read(bytes + rest);
    ASSERT_TRUE(r) << r.error().text;
    EXPECT_EQ(r->images[1].counts, (Counts{{0}, {7}}));
  }
}

TEST(Live, IsNothingBeforeItCounts) {
  for (const std::string &bytes : {std::string(), std::string(4096, '\0'),
                                   with(live(full), offsetof(qx_live_header, used), uint64_t{0})}) {
    const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
    const auto r = readRaw(exact, "a.live.qxraw");
    ASSERT_TRUE(r) << r.error().text;
    EXPECT_TRUE(r->run.empty());
    EXPECT_TRUE(r->images.empty());
  }
  EXPECT_FALSE(read("")) << "a record is never empty";
}

TEST(Live, ARecordMayBeOpen) {
  const auto r = read(record(process("r", "p") + chunk(QX_CHUNK_OPEN, "") + image({1, 2}, 3, "p")));
  ASSERT_TRUE(r) << r.error().text;
  EXPECT_TRUE(r->cutShort);
  EXPECT_FALSE(read(record(start))->cutShort);
}

TEST(Live, RefusesWithALineThatSaysWhy) {
  const struct {
    std::string bytes;
    const char *says;
  } table[] = {
      {live(full).substr(0, 30), "cut off after 30 bytes"},
      {live(full).substr(0, 200), "cut off: 200 of"},
      {with(live(full), offsetof(qx_live_header, version), 1u), "version 1, this quincunx reads 3"},
      {with(live(full), offsetof(qx_live_header, header_size), 8u), "header size"},
      {with(live(full), offsetof(qx_live_header, used), uint64_t{8}), "header size"},
      {with(live(full), offsetof(qx_live_header, used), uint64_t{200}), "longer than the record"},
      {live(""), "no process chunk"},
      {live(start + arena(1, {1})), "image that is not there"},
      {live(process("r", "p") + arena(0, {1})), "image that is not there"},
      {live(start + chunk(QX_CHUNK_ARENA, "short")), "image that is not there"},
      {live(start + arena(0, {1, 2})), "shorter than its image says"},
      {live(process("r", "p") + image({1, 2}, 0xffffffff, "p") + arena(0, {1})), "shorter than"},
      {live(start + blocks(1, {{3, {1}}})), "image that is not there"},
      {live(start + blocks(0, {{3, {1}}})), "that its image does not have"},
      {live(start + image({3, 4}, 2, "l", 0, 4) + blocks(1, {{1, {1}}})), "does not have"},
      {live(start + image({3, 4}, 2, "l", 0, 4) + blocks(1, {{7, {1}}})), "does not have"},
      {live(start + image({3, 4}, 2, "l", 0, 4) + blocks(1, {{5, {1, 2}}})), "does not have"},
      {live(start + chunk(QX_CHUNK_COUNTS, "")), "counts in a live file"},
      {record(start + blocks(0, {})), "recorders of a thread in a record"},
      {live(start + chunk(77, "abc")), "unknown chunk kind 77"},
      {record(start + arena(0, {1, 2, 3})), "an arena in a record"},
      {record(start + pad(8)), "padding in a record"},
  };
  for (const auto &t : table) {
    const auto r = read(t.bytes);
    ASSERT_FALSE(r) << t.says;
    EXPECT_NE(r.error().text.find(t.says), std::string::npos) << r.error().text;
    EXPECT_EQ(r.error().text.find('\n'), std::string::npos);
  }
}

TEST(Live, UnitesWhatOneProcessLeft) {
  const std::string open = process("r", "p") + chunk(QX_CHUNK_OPEN, "");
  auto counted = [&](const Counts &counts) {
    return *read(record(open + image({3, 4}, 1, "l") + chunk(QX_CHUNK_COUNTS, packed({{0}, {8}})) +
                        image({1, 2}, 3, "p") + chunk(QX_CHUNK_COUNTS, packed(counts))));
  };
  for (const bool liveFirst : {false, true}) {
    ProcessRecord older = counted({{0, 1}, {40, 2}}), newer = *read(live(full));
    if (liveFirst)
      std::swap(older, newer);
    unite(older, newer);
    EXPECT_TRUE(older.cutShort);
    EXPECT_EQ(older.wall, 1000);
    ASSERT_EQ(older.images.size(), 2u);
    EXPECT_EQ(older.images[0].counts, (Counts{{0, 1, 2}, {40, 2, UINT64_MAX}}))
        << "of each the most";
    EXPECT_EQ(older.images[1].counts, (Counts{{0}, {8}}));
  }
  for (const bool closedFirst : {false, true}) {
    ProcessRecord one = counted({{0}, {99}}), other = *read(live(full, 1));
    if (closedFirst)
      std::swap(one, other);
    unite(one, other);
    EXPECT_FALSE(one.cutShort);
    EXPECT_EQ(one.images[0].counts, (Counts{{0, 2}, {11, UINT64_MAX}}))
        << "what was closed has all";
  }
}

TEST(Live, UnitesImagesThatWereLoadedTwice) {
  const std::string twice = process("r", "p") + image({1, 2}, 1, "a") + image({1, 2}, 1, "b");
  ProcessRecord one = *read(live(twice + arena(0, {5}) + arena(1, {1})));
  unite(one, *read(live(twice + arena(0, {1}) + arena(1, {6}))));
  ASSERT_EQ(one.images.size(), 1u);
  EXPECT_EQ(one.images[0].counts, (Counts{{0}, {7}})) << "their copies count together";
}

TEST(Live, KnowsWhereTheRecordStands) {
  EXPECT_EQ(recordOfLive("a/p-7-0123.01234567.live.qxraw"), "a/p-7-0123.qxraw");
  for (const char *other :
       {"a.qxraw", "a.live.qxraw", ".01234567.live.qxraw", "", "012345678.live.qxraw"})
    EXPECT_EQ(recordOfLive(other), "") << other;
}

TEST(Live, SurvivesEveryBit) {
  const std::string bytes = live(full);
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    if (const auto r = read(flipped)) {
      EXPECT_LE(r->images.size(), 2u) << bit;
    } else {
      EXPECT_EQ(r.error().text.find('\n'), std::string::npos) << bit;
    }
  }
}

} // namespace
} // namespace quincunx
