// Reads raw records and live files (include/quincunx/abi.h). The idea:
// nothing in the bytes is believed before it is checked against what is really there: lengths
// against the bytes left, counters against the image's count, hashes against contents; so memory
// taken is bounded by a small multiple of the file's size. Every refusal is one line that says what
// is wrong and what to do. It does not read maps (lib/map) and adds nothing up but the arenas of
// one file.
#include "quincunx/profile/Run.h"

#include "quincunx/abi.h"
#include "quincunx/base/Text.h"

#include "RawRequests.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quincunx {

namespace {

/// Reads the chunks of one record. Functions return an empty string or what is wrong with the file.
class Reader {
public:
  Reader(ProcessRecord &into, bool isLive) : record(into), live(isLive) {}

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
    case QX_CHUNK_FEATURES:
      return requests.addFeatures(payload, live);
    case QX_CHUNK_COUNTS:
    case QX_CHUNK_INHERITED:
    case QX_CHUNK_MAP:
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
    qx_process p;
    if (!payload.read(p) || !payload.text(p.run_length, record.run) ||
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
    hasProcess = true;
    return "";
  }

  std::string image(Bytes payload) {
    ImageCounts out;
    if (!payload.read(raw) || raw.path_length > payload.left.size() ||
        !payload.text(static_cast<size_t>(raw.path_length), out.path) || !payload.left.empty())
      return "an image chunk does not hold what it says";
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
    Counts &flow = kind == QX_CHUNK_COUNTS ? image.counts : image.inherited;
    flow.index.reserve(payload.left.size() / 2); // a pair takes two bytes at least
    flow.value.reserve(payload.left.size() / 2);
    uint64_t next = 0;
    while (!payload.left.empty()) {
      uint64_t gap = 0, value = 0;
      if (!payload.varint(gap) || !payload.varint(value))
        return "a number in the counts is cut off or too long";
      if (next > image.counterCount || gap >= image.counterCount - next)
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
  bool live;
  std::vector<size_t> counters;                                ///< per image, without its recorders
  std::vector<std::vector<uint64_t>> sums;                     ///< of arenas, per image
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> recorders; ///< by image and word
  RawRequests requests;
  bool hasProcess = false;
  qx_image raw{};
  uint32_t seen = 0; ///< bit per kind of chunk the current image had
};

bool isMagic(std::span<const uint8_t> bytes, uint64_t magic) {
  return bytes.size() >= sizeof magic && std::memcmp(bytes.data(), &magic, sizeof magic) == 0;
}

/// What a file claims to be, from its first bytes and its size. A hole in a file costs nothing, so
/// a size is not believed beyond what a record can be.
constexpr uint64_t maxRecordBytes = uint64_t{1} << 32;

/// Checks the header of a file of `size` bytes, of which `bytes` are the first; an empty string, or
/// what is wrong and what to do.
std::string checkHeader(std::span<const uint8_t> bytes, uint64_t size, qx_raw_header &header) {
  const char *again = "; run the program again";
  if (bytes.empty())
    return std::string("is empty") + again;
  const uint64_t magic = QX_RAW_MAGIC;
  const size_t known = std::min(bytes.size(), sizeof magic);
  if (std::memcmp(bytes.data(), &magic, known) != 0)
    return "is not a raw record (.qxraw)";
  if (bytes.size() < sizeof header)
    return "is cut off after " + std::to_string(bytes.size()) + " bytes" + again;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version != QX_RAW_VERSION)
    return "has raw record version " + std::to_string(header.version) + ", this quincunx reads " +
           std::to_string(QX_RAW_VERSION) + "; use the quincunx the program was built with";
  if (header.header_size != sizeof header)
    return std::string("is damaged (header size)") + again;
  if (header.size > size)
    return "is cut off: " + std::to_string(size) + " of " + std::to_string(header.size) + " bytes" +
           again;
  if (header.size != size)
    return "is damaged: " + std::to_string(size) + " bytes where " + std::to_string(header.size) +
           " were written" + again;
  if (size > maxRecordBytes)
    return "is damaged: no record has " + std::to_string(size) + " bytes" + again;
  return "";
}

std::string checkSum(std::span<const uint8_t> bytes, const qx_raw_header &header) {
  uint64_t sum[2];
  constexpr size_t covered = offsetof(qx_raw_header, identity);
  qx_hash(bytes.data() + covered, bytes.size() - covered, sum);
  const bool isGood = sum[0] == header.checksum[0] && sum[1] == header.checksum[1];
  return isGood ? "" : "is damaged (checksum); run the program again";
}

/// The same for a live file: what is beyond `used` does not count, and nothing is checksummed.
std::string checkLiveHeader(std::span<const uint8_t> bytes, uint64_t size, qx_live_header &header) {
  if (bytes.size() < sizeof header)
    return "is cut off after " + std::to_string(bytes.size()) + " bytes";
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.used == 0)
    return "";
  if (header.version != QX_LIVE_VERSION)
    return "has live file version " + std::to_string(header.version) + ", this quincunx reads " +
           std::to_string(QX_LIVE_VERSION) + "; use the quincunx the program was built with";
  if (header.header_size != sizeof header || header.used < sizeof header)
    return "is damaged (header size)";
  if (header.used > QX_LIVE_MOST)
    return "is damaged: no live file has " + std::to_string(header.used) + " bytes";
  if (header.used > size)
    return "is cut off: " + std::to_string(size) + " of " + std::to_string(header.used) + " bytes";
  return "";
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
  if (std::string wrong =
          Reader(record, true).chunks(Bytes{bytes.first(used).subspan(sizeof header)});
      !wrong.empty())
    return Error{escape(name) + " is not a live file this quincunx can read: " + wrong +
                 "; use the quincunx the program was built with"};
  return record;
}

/// The process was killed before it had written anything.
bool isUnborn(std::span<const uint8_t> bytes, const std::string &name) {
  return isLiveName(name) && std::all_of(bytes.begin(),
                                         bytes.begin() + static_cast<ptrdiff_t>(std::min<size_t>(
                                                             bytes.size(), sizeof(qx_live_header))),
                                         [](uint8_t b) { return b == 0; });
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
  if (std::string wrong = Reader(record, false).chunks(Bytes{bytes.subspan(sizeof header)});
      !wrong.empty())
    return Error{escape(name) + " is not a record this quincunx can read: " + wrong +
                 "; use the quincunx the program was built with"};
  return record;
}

namespace {

/// A file that is open for reading and closed at the end.
class File {
public:
  // A pipe must not hold us up; on regular files the flag means nothing.
  explicit File(const std::string &path)
      : number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (number >= 0)
      ::close(number);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  bool isOpen() const { return number >= 0; }
  /// Of a regular file.
  std::optional<uint64_t> size() const {
    struct stat s{};
    if (::fstat(number, &s) != 0 || !S_ISREG(s.st_mode))
      return std::nullopt;
    return static_cast<uint64_t>(s.st_size);
  }
  /// The first `most` bytes, or as many as there are; false, and errno says why.
  bool read(size_t most, std::vector<uint8_t> &out) const {
    out.resize(most);
    size_t done = 0;
    while (done < most) {
      const ssize_t n = ::pread(number, out.data() + done, most - done, static_cast<off_t>(done));
      if (n == 0)
        break;
      if (n < 0 && errno != EINTR)
        return false;
      done += n > 0 ? static_cast<size_t>(n) : 0;
    }
    out.resize(done);
    return true;
  }

private:
  int number;
};

/// How many bytes of the file the header says there are to read, or what is wrong with it.
Result<size_t> bytesToRead(std::span<const uint8_t> head, uint64_t size, const std::string &path) {
  std::string wrong;
  uint64_t bytes = head.size();
  if (isMagic(head, QX_LIVE_MAGIC)) {
    qx_live_header live;
    wrong = checkLiveHeader(head, size, live);
    bytes = std::max(bytes, live.used);
  } else if (!isUnborn(head, path)) {
    qx_raw_header raw;
    wrong = checkHeader(head, size, raw);
    bytes = size;
  }
  if (!wrong.empty())
    return Error{escape(path) + " " + wrong};
  return static_cast<size_t>(bytes);
}

} // namespace

Result<ProcessRecord> readRawFile(const std::string &path) {
  const File file(path);
  if (!file.isOpen())
    return Error{"cannot open " + escape(path) + ": " + std::strerror(errno)};
  const auto cannotRead = [&](const char *why) {
    return Error{"cannot read " + escape(path) + ": " + why};
  };
  if (!file.size())
    return cannotRead("not a regular file");
  // A process that runs goes on adding to its live file. Whether it runs is asked first, and its
  // header is read again then: one that ends meanwhile is no process that was cut short.
  std::vector<uint8_t> head, bytes;
  if (!file.read(sizeof(qx_live_header), head))
    return cannotRead(std::strerror(errno));
  bool running = false;
  if (head.size() == sizeof(qx_live_header) && isMagic(head, QX_LIVE_MAGIC)) {
    qx_live_header live;
    std::memcpy(&live, head.data(), sizeof live);
    running = live.closed == 0 && stillCounts(path, live.pid);
    if (!file.read(sizeof live, head))
      return cannotRead(std::strerror(errno));
  }
  const Result<size_t> most = bytesToRead(head, file.size().value_or(0), path);
  if (!most)
    return most.error();
  if (!file.read(*most, bytes))
    return cannotRead(std::strerror(errno));
  std::copy_n(head.begin(), std::min(head.size(), bytes.size()), bytes.begin()); // grown since
  Result<ProcessRecord> record = readRaw(bytes, path);
  if (record)
    record->running = running && record->cutShort && !record->run.empty();
  return record;
}

} // namespace quincunx
