// Makes raw records and runs for tests: the writing side of abi/record.h, independent of the
// runtime and of the reader. It can make wrong ones too: every part is given as bytes.
#pragma once

#include "quincunx/abi.h"
#include "quincunx/profile/Run.h"

#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace quincunx::test {

inline void varint(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

inline std::string packed(const Counts &counts) {
  std::string out;
  uint32_t next = 0;
  for (size_t i = 0; i < counts.index.size(); ++i) {
    varint(out, counts.index[i] - next);
    varint(out, counts.value[i]);
    next = counts.index[i] + 1;
  }
  return out;
}

template <class T> std::string bytesOf(const T &value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}

inline std::string chunk(uint32_t kind, const std::string &payload) {
  const qx_raw_chunk head{kind, 0, payload.size()};
  return bytesOf(head) + payload + std::string((8 - payload.size() % 8) % 8, '\0');
}

inline std::string process(const std::string &run, const std::string &program) {
  qx_process p{};
  p.pid = 7;
  p.parent = 6;
  p.wall = 1000;
  p.run_length = static_cast<uint32_t>(run.size());
  p.program_length = static_cast<uint32_t>(program.size());
  return chunk(QX_CHUNK_PROCESS, bytesOf(p) + run + program);
}

inline std::string image(const Hash &hash, uint64_t counters, const std::string &path,
                         uint64_t mapSize = 0, uint64_t recorders = 0) {
  qx_image i{};
  i.map_hash[0] = hash[0];
  i.map_hash[1] = hash[1];
  i.counter_count = counters;
  i.recorder_words = recorders;
  i.map_size = mapSize;
  i.path_length = path.size();
  return chunk(QX_CHUNK_IMAGE, bytesOf(i) + path);
}

inline std::string record(const std::string &chunks) {
  qx_raw_header h{};
  h.magic = QX_RAW_MAGIC;
  h.version = QX_RAW_VERSION;
  h.header_size = sizeof h;
  h.size = sizeof h + chunks.size();
  const std::string covered =
      std::string(reinterpret_cast<const char *>(h.identity), sizeof h.identity) + chunks;
  qx_checksum(covered.data(), covered.size(), h.checksum);
  return bytesOf(h) + chunks;
}

inline Result<ProcessRecord> read(const std::string &bytes) {
  // A heap block of exactly this size, so that a sanitizer sees a read beyond it.
  const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
  return readRaw(exact, "r.qxraw");
}

inline Run makeRun(const std::string &identity, Counts counts, uint64_t counters = 100) {
  Run run;
  run.identity = identity;
  run.label = "in/" + identity;
  run.arguments = {"-x", "a b", "in/" + identity};
  run.features = {{"size", 12.5}};
  run.wall = 0.25;
  run.processes = 1;
  ImageCounts i;
  i.map = {1, 2};
  i.path = "/bin/prog";
  i.counterCount = counters;
  i.counts = std::move(counts);
  i.recorders = {{97, 99}, {3, uint64_t{1} << 40}};
  run.images.push_back(std::move(i));
  return run;
}

/// A folder that goes away with the test.
class Folder {
public:
  Folder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "quincunx-test-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code no;
    std::filesystem::remove_all(path, no);
  }
  std::string operator/(const std::string &name) const { return path + "/" + name; }

private:
  std::string path;
};

} // namespace quincunx::test
