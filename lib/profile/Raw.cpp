// Reads raw records and live files (include/quincunx/abi/record.h).
// The idea: nothing in the bytes is believed before it is checked against what is really there:
// lengths against the bytes left, counters against the image's count, hashes against contents; so
// memory taken is bounded by a small multiple of the file's size. Every refusal is one line that
// says what is wrong and what to do. It does not read maps (lib/map) and adds nothing up but the
// arenas of one file.
#include "quincunx/profile/Run.h"

#include "quincunx/abi.h"
#include "quincunx/base/Text.h"

#include "RawHeader.h"
#include "RawRequests.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

namespace quincunx {

namespace {

/// Reads the chunks of one record. Functions return an empty string or what is wrong with the file.
class Reader {
public:
  Reader(ProcessRecord &into, bool isLive, bool withFamily)
      : record(into), live(isLive), hasFamily(withFamily) {}

  std::string chunks(Bytes bytes) {
    while (!bytes.left.empty()) {
      qx_raw_chunk chunk;
      std::span<const uint8_t> payload, padding;
      if (!bytes.read(chunk) || chunk.size > bytes.left.size() ||
          !bytes.take(static_cast<size_t>(chunk.size), payload) ||
          !bytes.take((8 - payload.size() % 8) % 8, padding))
        return "a chunk is longer than the record";
      if (std::string wrong = one(chunk.kind, Bytes{payload}); !wrong.empty())
        return wrong;
    }
    addArenas();
    record.strands = strands.finish();
    return hasProcess ? requests.finish(record, live) : "no process chunk";
  }

private:
  std::string one(uint32_t kind, Bytes payload) {
    if (hasProcess != (kind != QX_CHUNK_PROCESS))
      return hasProcess ? "two process chunks" : "the first chunk is not the process chunk";
    switch (kind) {
    case QX_CHUNK_PROCESS:
      return process(payload);
    case QX_CHUNK_IMAGE:
      return image(payload);
    case QX_CHUNK_OPEN:
      record.cutShort = true;
      return "";
    case QX_CHUNK_PAD:
      return live ? "" : "padding in a record";
    case QX_CHUNK_ARENA:
      return live ? arena(payload) : "an arena in a record";
    case QX_CHUNK_BLOCKS:
      return live ? blocks(payload) : "recorders of a thread in a record";
    case QX_CHUNK_REQUESTS:
      return requests.addChunk(payload, live);
    case QX_CHUNK_SUMS:
      return requests.addSums(payload);
    case QX_CHUNK_STRANDS:
      return strands.add(payload.left);
    case QX_CHUNK_FEATURES:
      return requests.addFeatures(payload, live);
    case QX_CHUNK_COUNTS:
    case QX_CHUNK_INHERITED:
    case QX_CHUNK_MAP:
      if (live && kind == QX_CHUNK_COUNTS)
        return "counts in a live file";
      if (record.images.empty())
        return "chunk kind " + std::to_string(kind) + " before any image";
      if (seen & (1u << kind))
        return "chunk kind " + std::to_string(kind) + " twice for one image";
      seen |= 1u << kind;
      return kind == QX_CHUNK_MAP ? map(payload) : counts(kind, payload);
    default:
      return "unknown chunk kind " + std::to_string(kind);
    }
  }

  std::string process(Bytes payload) {
    qx_process p{};
    std::span<const uint8_t> fixed;
    if (!payload.take(hasFamily ? sizeof p : QX_PROCESS_WITHOUT_FAMILY, fixed))
      return "the process chunk is too short";
    std::memcpy(&p, fixed.data(), fixed.size());
    if (!payload.text(p.run_length, record.run) ||
        !payload.text(p.program_length, record.program) || !payload.left.empty())
      return "the process chunk does not hold what it says";
    if (record.run.empty())
      record.run = hexDigits(record.identity);
    record.pid = p.pid;
    record.parent = p.parent;
    record.startRealtime = p.start_realtime;
    record.wall = p.wall;
    record.user = p.user;
    record.system = p.system;
    record.peakMemory = p.peak_memory;
    std::copy(std::begin(p.parent_identity), std::end(p.parent_identity),
              record.parentIdentity.begin());
    record.forked = p.forked;
    record.incomplete = p.incomplete != 0;
    hasProcess = true;
    return "";
  }

  std::string image(Bytes payload) {
    ImageCounts out;
    if (!payload.read(raw) || raw.path_length > payload.left.size() ||
        !payload.text(static_cast<size_t>(raw.path_length), out.path) || !payload.left.empty())
      return "an image chunk does not hold what it says";
    if (out.path.size() > longestPath)
      return "an image has a path of more than 64 kB";
    if (raw.counter_count > noIndex || raw.recorder_words > noIndex - raw.counter_count)
      return "an image claims " + std::to_string(raw.counter_count) + " counters and " +
             std::to_string(raw.recorder_words) + " words of recorders";
    out.map = {raw.map_hash[0], raw.map_hash[1]};
    out.counterCount = raw.counter_count + raw.recorder_words;
    counters.push_back(static_cast<size_t>(raw.counter_count));
    record.images.push_back(std::move(out));
    seen = 0;
    return "";
  }

  std::string counts(uint32_t kind, Bytes payload) {
    ImageCounts &image = record.images.back();
    const bool areOwn = kind == QX_CHUNK_COUNTS; // no words of recorders are inherited
    Counts &flow = areOwn ? image.counts : image.inherited;
    const uint64_t end = areOwn ? image.counterCount : counters.back();
    flow.index.reserve(payload.left.size() / 2); // a pair takes two bytes at least
    flow.value.reserve(payload.left.size() / 2);
    uint64_t next = 0;
    while (!payload.left.empty()) {
      uint64_t gap = 0, value = 0;
      if (!payload.varint(gap) || !payload.varint(value))
        return "a number in the counts is cut off or too long";
      if (next > end || gap >= end - next)
        return "a count for a counter that the image does not have";
      if (value == 0)
        return "a count of zero is written out";
      next += gap + 1;
      Counts &out = next <= counters.back() ? flow : image.recorders;
      out.index.push_back(static_cast<uint32_t>(next - 1));
      out.value.push_back(value);
    }
    return "";
  }

  std::string map(Bytes payload) {
    if (payload.left.size() != raw.map_size)
      return "the embedded map is not as long as the image says";
    RawMap out;
    out.bytes.assign(payload.left.begin(), payload.left.end());
    out.countersMinusMap = raw.counters_minus_map;
    out.counterCount = raw.counter_count;
    if (out.hash() != record.images.back().map)
      return "the embedded map is not the one the image names";
    record.images.back().embedded = std::move(out);
    return "";
  }

  /// A thread's counters, as it left them.
  std::string arena(Bytes payload) {
    qx_arena_start start;
    if (!payload.read(start) || start.image >= record.images.size())
      return "an arena of an image that is not there";
    const size_t n = counters[start.image];
    if (n > payload.left.size() / sizeof(uint64_t))
      return "an arena is shorter than its image says";
    sums.resize(record.images.size());
    std::vector<uint64_t> &sum = sums[start.image];
    sum.resize(n);
    for (uint64_t &s : sum) {
      uint64_t value = 0;
      payload.read(value);
      s = saturatingAdd(s, value);
    }
    return "";
  }

  /// A thread's recorders, as it left them.
  std::string blocks(Bytes payload) {
    qx_blocks_start start;
    if (!payload.read(start) || start.image >= record.images.size())
      return "recorders of an image that is not there";
    const uint64_t from = counters[start.image], to = record.images[start.image].counterCount;
    qx_block_start block;
    while (payload.read(block) && block.words != 0) {
      if (block.first < from || block.first > to || block.words > to - block.first ||
          block.words > payload.left.size() / sizeof(uint64_t))
        return "a recorder that its image does not have";
      for (uint64_t i = 0; i < block.words; ++i) {
        uint64_t value = 0;
        payload.read(value);
        if (value != 0) {
          uint64_t &sum = recorders[{start.image, static_cast<uint32_t>(block.first + i)}];
          sum = saturatingAdd(sum, value);
        }
      }
    }
    return "";
  }

  void addArenas() {
    for (size_t i = 0; i < sums.size(); ++i) {
      Counts counts;
      for (uint32_t c = 0; c < sums[i].size(); ++c)
        if (sums[i][c] != 0) {
          counts.index.push_back(c);
          counts.value.push_back(sums[i][c]);
        }
      add(record.images[i].counts, counts);
    }
    for (const auto &[word, value] : recorders) {
      Counts &of = record.images[word.first].recorders;
      of.index.push_back(word.second);
      of.value.push_back(value);
    }
  }

  ProcessRecord &record;
  bool live, hasFamily;
  std::vector<size_t> counters;                                ///< per image, without its recorders
  std::vector<std::vector<uint64_t>> sums;                     ///< of arenas, per image
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> recorders; ///< by image and word
  RawRequests requests;
  StrandChunks strands;
  bool hasProcess = false;
  qx_image raw{};
  uint32_t seen = 0; ///< bit per kind of chunk the current image had
};

std::string checkSum(std::span<const uint8_t> bytes, const qx_raw_header &header) {
  uint64_t sum[2];
  constexpr size_t covered = offsetof(qx_raw_header, identity);
  (header.version <= QX_RAW_WITH_HASH ? qx_hash : qx_checksum)(bytes.data() + covered,
                                                               bytes.size() - covered, sum);
  const bool isGood = sum[0] == header.checksum[0] && sum[1] == header.checksum[1];
  return isGood ? "" : "is damaged (checksum); run the program again";
}

Result<ProcessRecord> readLive(std::span<const uint8_t> bytes, const std::string &name) {
  qx_live_header header{};
  if (std::string wrong = checkLiveHeader(bytes, bytes.size(), header); !wrong.empty())
    return Error{escape(name) + " " + wrong};
  ProcessRecord record;
  record.cutShort = header.closed == 0;
  if (header.used == 0)
    return record;
  std::copy(std::begin(header.identity), std::end(header.identity), record.identity.begin());
  const auto used = static_cast<size_t>(header.used);
  if (std::string wrong = Reader(record, true, header.version != QX_LIVE_WITHOUT_FAMILY)
                              .chunks(Bytes{bytes.first(used).subspan(sizeof header)});
      !wrong.empty())
    return Error{escape(name) + " is not a live file this quincunx can read: " + wrong +
                 "; use the quincunx the program was built with"};
  return record;
}

} // namespace

Result<ProcessRecord> readRaw(std::span<const uint8_t> bytes, const std::string &name) {
  if (isUnborn(bytes, name))
    return ProcessRecord{};
  if (isMagic(bytes, QX_LIVE_MAGIC))
    return readLive(bytes, name);
  qx_raw_header header;
  std::string bad = checkHeader(bytes, bytes.size(), header);
  if (bad.empty())
    bad = checkSum(bytes, header);
  if (!bad.empty())
    return Error{escape(name) + " " + bad};
  ProcessRecord record;
  std::copy(std::begin(header.identity), std::end(header.identity), record.identity.begin());
  if (std::string wrong = Reader(record, false, header.version != QX_RAW_WITHOUT_FAMILY)
                              .chunks(Bytes{bytes.subspan(sizeof header)});
      !wrong.empty())
    return Error{escape(name) + " is not a record this quincunx can read: " + wrong +
                 "; use the quincunx the program was built with"};
  return record;
}

} // namespace quincunx
