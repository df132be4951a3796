// Reads the files that records and live files are, also while a process goes on writing one. How
// many bytes are read follows from the header, which is checked first.
#include "quincunx/profile/Run.h"

#include "quincunx/base/Text.h"

#include "RawHeader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quincunx {

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
  /// Its size; nothing when it is no regular file.
  std::optional<uint64_t> size() const {
    struct stat s{};
    if (::fstat(number, &s) != 0 || !S_ISREG(s.st_mode))
      return std::nullopt;
    return static_cast<uint64_t>(s.st_size);
  }
  /// Are the first `size` bytes holes, which cost nothing, but for a two-hundredth? What was
  /// written has hardly any.
  bool isHollow(uint64_t size) const {
    uint64_t data = uint64_t{1} << 20;
    for (off_t at = 0, end = 0; data < size / 200; at = end) {
      at = ::lseek(number, at, SEEK_DATA);
      if (at < 0)
        return errno == ENXIO; // no more data; the file system may not know
      end = ::lseek(number, at, SEEK_HOLE);
      if (end <= at)
        return false;
      data += static_cast<uint64_t>(end - at);
    }
    return false;
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
  if (!isMagic(head, QX_LIVE_MAGIC) && file.isHollow(*most))
    return Error{escape(path) + " is damaged: most of it was never written; run the program again"};
  if (!file.read(*most, bytes))
    return cannotRead(std::strerror(errno));
  std::copy_n(head.begin(), std::min(head.size(), bytes.size()), bytes.begin()); // grown since
  Result<ProcessRecord> record = readRaw(bytes, path);
  if (record)
    record->running = running && record->cutShort && !record->run.empty();
  return record;
}

} // namespace quincunx
