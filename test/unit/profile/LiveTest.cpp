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
      {with(live(full), offsetof(qx_live_header, version), 2u), "version 2, this quincunx reads 1"},
      {with(live(full), offsetof(qx_live_header, header_size), 8u), "header size"},
      {with(live(full), offsetof(qx_live_header, used), uint64_t{8}), "header size"},
      {with(live(full), offsetof(qx_live_header, used), uint64_t{200}), "longer than the record"},
      {live(""), "no process chunk"},
      {live(start + arena(1, {1})), "image that is not there"},
      {live(process("r", "p") + arena(0, {1})), "image that is not there"},
      {live(start + chunk(QX_CHUNK_ARENA, "short")), "image that is not there"},
      {live(start + arena(0, {1, 2})), "shorter than its image says"},
      {live(process("r", "p") + image({1, 2}, 0xffffffff, "p") + arena(0, {1})), "shorter than"},
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
