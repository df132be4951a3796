// Raw records: what is read, and that everything that is not a record is refused with a line that
// says why, whatever its bytes claim. The runtime's own files are read in test/runtime.
#include "profile/Records.h"

#include <fstream>
#include <gtest/gtest.h>

namespace quincunx {
namespace {

using namespace test;

const Counts small{{0, 3, 4, 99}, {1, 300, 7, UINT64_MAX}};

std::string good() {
  return record(process("run-1", "/bin/prog") + image({1, 2}, 100, "/bin/prog") +
                chunk(QX_CHUNK_COUNTS, packed(small)) +
                chunk(QX_CHUNK_INHERITED, packed({{5}, {2}})));
}

TEST(Run, ReadsARecord) {
  const auto r = read(good());
  ASSERT_TRUE(r) << r.error().text;
  EXPECT_EQ(r->run, "run-1");
  EXPECT_EQ(r->program, "/bin/prog");
  EXPECT_EQ(r->pid, 7);
  ASSERT_EQ(r->images.size(), 1u);
  EXPECT_EQ(r->images[0].counts, small);
  EXPECT_EQ(r->images[0].inherited, (Counts{{5}, {2}}));
  EXPECT_EQ(r->images[0].counterCount, 100u);
}

TEST(Run, ReadsAnEmbeddedMap) {
  const std::string map = "0123456789";
  Hash hash;
  qx_map_hash(map.data(), map.size(), hash.data());
  const auto r =
      read(record(process("r", "p") + image(hash, 4, "p", map.size()) + chunk(QX_CHUNK_MAP, map)));
  ASSERT_TRUE(r) << r.error().text;
  ASSERT_TRUE(r->images[0].embedded);
  EXPECT_EQ(r->images[0].embedded->bytes.size(), map.size());
}

TEST(Run, RefusesWithALineThatSaysWhy) {
  const std::string head = process("r", "p"), one = head + image({1, 2}, 4, "p");
  auto counts = [&](std::string bytes) { return record(one + chunk(QX_CHUNK_COUNTS, bytes)); };
  auto patched = [](size_t at, uint32_t value) {
    std::string bytes = good();
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return bytes;
  };
  qx_raw_chunk huge{QX_CHUNK_COUNTS, 0, UINT64_MAX - 3};
  qx_image hugePath{};
  hugePath.path_length = UINT64_MAX;
  qx_process hugeName{};
  hugeName.run_length = hugeName.program_length = UINT32_MAX;
  const struct {
    std::string bytes;
    const char *says;
  } table[] = {
      {"", "is empty"},
      {"\x7f"
       "ELF and so on, long enough to hold a header and more",
       "not a raw record"},
      {good().substr(0, 20), "cut off after 20 bytes"},
      {good().substr(0, 100), "cut off: 100 of"},
      {good() + "x", "is damaged"},
      {patched(8, 1), "version 1, this quincunx reads 4"},
      {patched(12, 64), "header size"},
      {record(""), "no process chunk"},
      {record(image({1, 2}, 4, "p")), "first chunk is not the process"},
      {record(head + head), "two process chunks"},
      {record(one + chunk(77, "abc")), "unknown chunk kind 77"},
      {record(head + chunk(QX_CHUNK_COUNTS, "")), "before any image"},
      {record(one + chunk(QX_CHUNK_COUNTS, "") + chunk(QX_CHUNK_COUNTS, "")), "twice"},
      {record(one + bytesOf(huge)), "longer than the record"},
      {record(head + chunk(QX_CHUNK_IMAGE, bytesOf(hugePath))), "does not hold what it says"},
      {record(chunk(QX_CHUNK_PROCESS, bytesOf(hugeName))), "does not hold what it says"},
      {record(process(std::string("a\0b", 3), "p")), "does not hold what it says"},
      {record(head + image({1, 2}, 4, std::string(longestPath + 1, 'p'))),
       "a path of more than 64 kB"},
      {record(head + image({1, 2}, UINT64_MAX, "p")), "claims 18446744073709551615 counters"},
      {counts("\x04\x01"), "does not have"},
      {counts(std::string("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01", 11)), "does not have"},
      {counts(std::string("\x03\x01\x00\x01", 4)), "does not have"},
      {counts(std::string("\x00\x00", 2)), "count of zero"},
      {counts(std::string("\x00", 1)), "cut off or too long"},
      {counts(std::string("\x00\x80", 2)), "cut off or too long"},
      {counts(std::string("\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11)), "too long"},
      {record(head + image({1, 2}, 4, "p", 0, 9) + chunk(QX_CHUNK_INHERITED, "\x04\x01")),
       "does not have"}, // words of recorders are not inherited
      {record(one + chunk(QX_CHUNK_MAP, "abc")), "not as long"},
      {record(head + image({1, 2}, 4, "p", 3) + chunk(QX_CHUNK_MAP, "abc")), "not the one"},
  };
  for (const auto &t : table) {
    const auto r = read(t.bytes);
    ASSERT_FALSE(r) << t.says;
    EXPECT_NE(r.error().text.find(t.says), std::string::npos) << r.error().text;
    EXPECT_EQ(r.error().text.find('\n'), std::string::npos);
    EXPECT_TRUE(r.error().text.starts_with("r.qxraw ")) << r.error().text;
  }
}

TEST(Run, RefusesEveryTruncation) {
  const std::string bytes = good();
  for (size_t n = 0; n < bytes.size(); ++n)
    EXPECT_FALSE(read(bytes.substr(0, n))) << n;
}

TEST(Run, NoticesEveryBit) {
  const std::string bytes = good();
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    const auto r = read(flipped);
    ASSERT_FALSE(r) << bit;
    if (bit / 8 >= sizeof(qx_raw_header)) {
      EXPECT_NE(r.error().text.find("checksum"), std::string::npos) << r.error().text;
    }
  }
}

TEST(Run, AddsCounts) {
  const struct {
    Counts a, b, sum;
  } table[] = {
      {{}, {}, {}},
      {{{1}, {2}}, {}, {{1}, {2}}},
      {{{1, 5}, {2, 3}}, {{1, 5}, {4, 5}}, {{1, 5}, {6, 8}}},
      {{{1, 5}, {2, 3}}, {{0, 5, 9}, {1, 1, 1}}, {{0, 1, 5, 9}, {1, 2, 4, 1}}},
      {{{1}, {UINT64_MAX}}, {{1}, {2}}, {{1}, {UINT64_MAX}}},
  };
  for (const auto &t : table)
    for (bool swapped : {false, true}) {
      Counts sum = swapped ? t.b : t.a;
      add(sum, swapped ? t.a : t.b);
      EXPECT_EQ(sum, t.sum);
    }
}

TEST(Run, AddsProcesses) {
  const auto one = read(good());
  const auto other =
      read(record(process("run-1", "p") + image({3, 4}, 9, "/lib/b") + image({0, 9}, 9, "/lib/a") +
                  image({1, 2}, 100, "/bin/prog") + chunk(QX_CHUNK_COUNTS, packed({{3}, {1}}))));
  ASSERT_TRUE(one && other);
  for (bool swapped : {false, true}) {
    quincunx::Run run;
    add(run, swapped ? *other : *one);
    add(run, swapped ? *one : *other);
    EXPECT_EQ(run.processes, 2u);
    ASSERT_EQ(run.images.size(), 3u);
    EXPECT_EQ(run.images[0].map, (Hash{0, 9}));
    EXPECT_EQ(run.images[1].counts, (Counts{{0, 3, 4, 99}, {1, 301, 7, UINT64_MAX}}));
    EXPECT_EQ(run.images[2].map, (Hash{3, 4}));
  }
}

TEST(Run, HasThePeakMemoryOfItsLargestProcess) {
  quincunx::Run run;
  const std::pair<int64_t, double> processes[] = {{0, 0}, {4096, 4096}, {8192, 8192}, {100, 8192}};
  for (const auto &[peak, most] : processes) {
    ProcessRecord process;
    process.peakMemory = peak;
    add(run, process);
    EXPECT_EQ(run.peakMemory, most);
  }
}

TEST(Run, ReadsFiles) {
  const Folder folder;
  std::ofstream(folder / "a.qxraw", std::ios::binary) << good();
  EXPECT_TRUE(readRawFile(folder / "a.qxraw"));
  for (const char *name : {"missing.qxraw", "."}) {
    const auto r = readRawFile(folder / name);
    ASSERT_FALSE(r);
    EXPECT_TRUE(r.error().text.starts_with("cannot ")) << r.error().text;
  }
}

TEST(Run, BelievesNoSizeBeforeTheHeader) {
  const Folder folder;
  const std::string raw = good();
  auto refused = [&](const std::string &name, const std::string &bytes, uintmax_t size) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    std::filesystem::resize_file(folder / name, size);
    const auto r = readRawFile(folder / name);
    return r ? std::string() : r.error().text;
  };
  const uintmax_t huge = uintmax_t{1} << 42;
  std::string claims = raw;
  std::memcpy(claims.data() + offsetof(qx_raw_header, size), &huge, sizeof huge);
  EXPECT_NE(refused("a.qxraw", raw, huge).find("is damaged: 4398046511104 bytes"),
            std::string::npos);
  EXPECT_NE(refused("b.qxraw", claims, huge).find("no record has"), std::string::npos);
  EXPECT_NE(refused("c.qxraw", raw, raw.size() - 1).find("cut off"), std::string::npos);
  EXPECT_NE(refused("d.qxraw", "", huge).find("not a raw record"), std::string::npos);
  EXPECT_EQ(refused("e.qxraw", raw, raw.size()), "");
}

TEST(Run, WritesHashes) {
  EXPECT_EQ(hex({0x0123456789abcdef, 0xf}), "0123456789abcdef000000000000000f");
}

} // namespace
TEST(Run, ReadsRecordsThatDoNotSayWhoForkedWhom) {
  const std::string now = process("r", "p");
  const std::string fixed = now.substr(sizeof(qx_raw_chunk), QX_PROCESS_WITHOUT_FAMILY);
  std::string bytes = record(chunk(QX_CHUNK_PROCESS, fixed + "rp"));
  const uint32_t version = QX_RAW_WITHOUT_FAMILY;
  std::memcpy(bytes.data() + 8, &version, sizeof version);
  EXPECT_FALSE(read(bytes)) << "records had another checksum then";
  constexpr size_t sum = offsetof(qx_raw_header, checksum),
                   covered = offsetof(qx_raw_header, identity);
  uint64_t checksum[2];
  qx_hash(bytes.data() + covered, bytes.size() - covered, checksum);
  std::memcpy(bytes.data() + sum, checksum, sizeof checksum);
  const auto r = read(bytes);
  ASSERT_TRUE(r) << r.error().text;
  EXPECT_EQ(r->run, "r");
  EXPECT_EQ(r->program, "p");
  EXPECT_EQ(r->forked, 0u);
  EXPECT_FALSE(r->incomplete);
}

ProcessRecord familyMember(uint8_t identity, uint8_t parent, uint32_t forked) {
  ProcessRecord r;
  r.identity[0] = identity;
  r.parentIdentity[0] = parent;
  r.forked = forked;
  return r;
}

TEST(Run, ProcessesThatLeftNothingAreToldByOthers) {
  const struct {
    std::vector<ProcessRecord> records;
    size_t missing;
  } table[] = {
      {{}, 0},
      {{familyMember(1, 0, 0)}, 0},
      {{familyMember(1, 0, 2), familyMember(2, 1, 0), familyMember(3, 1, 0)}, 0},
      {{familyMember(2, 1, 0), familyMember(1, 0, 2)}, 1},
      {{familyMember(1, 0, 3)}, 3},
      {{familyMember(2, 1, 1), familyMember(3, 2, 0)}, 1}, // the first process is gone
      {{familyMember(2, 1, 0), familyMember(3, 1, 0)}, 1}, // one parent
      {{familyMember(1, 0, 0), familyMember(2, 1, 0)}, 0}, // the parent wrote before it came
  };
  for (const auto &row : table) {
    MissingProcesses missing;
    for (const ProcessRecord &r : row.records)
      missing.add(r);
    EXPECT_EQ(missing.count(), row.missing) << &row - table;
  }
  ProcessRecord partly = familyMember(1, 0, 0);
  partly.incomplete = true;
  MissingProcesses missing;
  missing.add(partly);
  EXPECT_EQ(missing.count(), 1u);
}

} // namespace quincunx
